package jsonvalue

import (
	"encoding/json"
	"fmt"
)

// Must encodes a value whose encoding cannot fail, and panics if it does.
func Must(v any) json.RawMessage {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("jsonvalue: encoding %T: %v", v, err))
	}
	return encoded
}
