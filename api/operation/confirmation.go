package operation

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Always requires confirmation for every input.
func Always([]byte) bool { return true }

// ListLongerThan requires confirmation if the named list in the input has more than limit elements.
func ListLongerThan(limit int, list string) func([]byte) bool {
	return func(input []byte) bool {
		var elements []jsontext.Value
		return json.Unmarshal(rawMember(input, list), &elements) == nil && len(elements) > limit
	}
}

// WhenTrue requires confirmation if the named member of the input is true.
func WhenTrue(name string) func([]byte) bool {
	return func(input []byte) bool { return string(rawMember(input, name)) == "true" }
}

func rawMember(input []byte, name string) jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(input, &members) != nil {
		return nil
	}
	return members[name]
}
