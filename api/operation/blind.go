package operation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// narrow reduces the record that a write returns to what the write itself set, for a caller who may
// not read records. Everybody else gets the whole record.
func (c *Call) narrow(record []byte, given jsonvalue.ParsedObject) ([]byte, error) {
	if c.Principal.Has(authz.DataRead) {
		return record, nil
	}
	names := map[string]bool{}
	for _, m := range given.Members() {
		names[norm.NFC.String(m.Name)] = true // field names are normalized
	}
	head, fields, found := bytes.Cut(record, []byte(`,"fields":`)) // no person wrote what precedes it
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

// narrowAll narrows the records of a write, each to what the input gave for it.
func (c *Call) narrowAll(records [][]byte, given func(i int) jsonvalue.ParsedObject) error {
	for i := range records {
		var err error
		if records[i], err = c.narrow(records[i], given(i)); err != nil {
			return err
		}
	}
	return nil
}

// replayRecord narrows the stored result of a write of one record, as Def.Replay.
func (c *Call) replayRecord(stored []byte) ([]byte, error) {
	return c.narrow(stored, c.input.objects[0])
}

// replayRecords narrows the stored result of a write of records, in the order of its input, as Def.Replay.
func (c *Call) replayRecords(stored []byte) ([]byte, error) {
	if c.Principal.Has(authz.DataRead) {
		return stored, nil
	}
	var result struct {
		Records []jsontext.Value          `json:"records"`
		Others  map[string]jsontext.Value `json:",inline"`
	}
	err := json.Unmarshal(stored, &result)
	for i := range result.Records {
		if err == nil {
			result.Records[i], err = c.narrow(result.Records[i], c.input.objects[i])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading a stored result: %w", err)
	}
	return json.Marshal(result, json.Deterministic(true))
}

// namesSchema reports whether the caller may see the names of bases, tables and views, and of
// deleted ones. The names of fields are in every record.
func (c *Call) namesSchema() bool { return c.Principal.Has(authz.SchemaRead) }

// schemaName returns a name if the caller may see it, else "".
func (c *Call) schemaName(name string) string {
	if !c.namesSchema() {
		return ""
	}
	return name
}

// nameless removes the names of tables from an error if the caller may not see them.
func (c *Call) nameless(ctx context.Context, err error) error {
	var shown *problem.Error
	if err == nil || c.namesSchema() || c.Target.Org == uuid.Nil || !errors.As(err, &shown) {
		return err
	}
	snapshot, failure := c.Schema.Cached(ctx, c.Target.Org)
	if failure != nil {
		return err
	}
	var names []string // each name is followed by its replacement
	for _, base := range snapshot.Bases {
		for _, t := range base.Tables {
			if c.Target.Table != nil && t.ID == c.Target.Table.ID {
				names = slices.Insert(names, 0, fmt.Sprintf("%q", t.Name), "this table")
			} else {
				names = append(names, fmt.Sprintf("%q", t.Name), "the table")
			}
		}
	}
	replace := strings.NewReplacer(names...).Replace
	out := *shown
	out.Message, out.Items = replace(shown.Message), slices.Clone(shown.Items)
	for i := range out.Items {
		out.Items[i].Message = replace(out.Items[i].Message)
	}
	return out.Because(err)
}
