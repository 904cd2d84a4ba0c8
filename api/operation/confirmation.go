package operation

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Always is for operations that need confirmation whatever their input.
func Always([]byte) bool { return true }

// MoreThan is for operations that need confirmation when a list in their input holds more than most elements.
func MoreThan(most int, list string) func([]byte) bool {
	return func(input []byte) bool {
		var elements []jsontext.Value
		return json.Unmarshal(member(input, list), &elements) == nil && len(elements) > most
	}
}

// Given is for operations that need confirmation when a member of their input is true.
func Given(name string) func([]byte) bool {
	return func(input []byte) bool { return string(member(input, name)) == "true" }
}

func member(input []byte, name string) jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(input, &members) != nil {
		return nil
	}
	return members[name]
}
