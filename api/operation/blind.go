package operation

import (
	"bytes"
	"fmt"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
)

// narrow leaves of a record that a write returns what the write itself gave it, for a caller who may not read
// records; to everybody else it is returned whole.
func (c *Call) narrow(record []byte, given jsonvalue.ParsedObject) ([]byte, error) {
	if !c.DB.Actor().Blind {
		return record, nil
	}
	names := map[string]bool{}
	for _, m := range given.Members() {
		names[norm.NFC.String(m.Name)] = true // as fields are named
	}
	head, fields, found := bytes.Cut(record, []byte(`,"fields":`)) // before it is nothing that a person wrote
	if !found {
		return record, nil
	}
	out := append(bytes.Clone(head), `,"fields":{`...)
	separator := ""
	err := jsonvalue.Members(fields, func(name string, value []byte) bool {
		if names[name] {
			out = append(field.AppendString(append(out, separator...), name), ':')
			out, separator = append(out, value...), ","
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("reading a record that was written: %w", err)
	}
	return append(out, "}}"...), nil
}

// narrowAll narrows the records of a write, each to what was given for it.
func (c *Call) narrowAll(records [][]byte, given func(i int) jsonvalue.ParsedObject) error {
	for i := range records {
		var err error
		if records[i], err = c.narrow(records[i], given(i)); err != nil {
			return err
		}
	}
	return nil
}
