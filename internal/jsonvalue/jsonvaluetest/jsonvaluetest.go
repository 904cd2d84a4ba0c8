// Package jsonvaluetest parses objects for tests that call the record engine directly. In the
// product, the validation of a request parses them.
package jsonvaluetest

import (
	"fmt"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// ParseObject parses and checks a text. An error is in the result's Invalid.
func ParseObject(raw []byte) jsonvalue.ParsedObject {
	size := len(raw)
	raw = jsonvalue.Trim(raw)
	var members []jsonvalue.Member
	err := jsonvalue.Check(raw)
	switch {
	case jsonvalue.Kind(raw) != jsonvalue.Object:
		err = fmt.Errorf("must be an object of field names and values, not %s", jsonvalue.Describe(raw))
	case err == nil:
		err = jsonvalue.Members(raw, func(name string, value []byte) bool {
			members = append(members, jsonvalue.Member{Name: name, Value: value})
			return true
		})
	}
	o := jsonvalue.NewParsedObject(members, size)
	o.Invalid = err
	return o
}
