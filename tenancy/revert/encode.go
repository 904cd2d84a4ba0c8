package revert

import (
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Values stay JSON on their way from the log to the columns. Only the service writes the text around
// them here: keys of fields, and ids.

// appendMembers appends an object of values in JSON, with pairs of a key and a text before them.
func appendMembers(dst []byte, members map[string][]byte, texts ...[2]string) []byte {
	dst = append(dst, '{')
	comma := ""
	key := func(name string) {
		dst = append(append(append(append(dst, comma...), '"'), name...), `":`...)
		comma = ","
	}
	for _, pair := range texts {
		key(pair[0])
		dst = field.AppendString(dst, pair[1])
	}
	for name, value := range members {
		key(name)
		dst = append(dst, value...)
	}
	return append(dst, '}')
}

// appendElement appends an object to an array, and begins the array if dst is empty.
func appendElement(dst, object []byte) []byte {
	if len(dst) == 0 {
		dst = append(dst, '[')
	} else {
		dst = append(dst, ',')
	}
	return append(dst, object...)
}

// appendObject appends to an array an object of a record's id and one value.
func appendObject(dst []byte, row uuid.UUID, key string, value []byte) []byte {
	return appendElement(dst, appendMembers(nil, map[string][]byte{key: value}, [2]string{"id", row.String()}))
}

// each calls yield for the members of an object that PostgreSQL wrote; an empty object has none.
func each(object []byte, yield func(key string, value []byte) bool) {
	if len(object) > 0 {
		_ = jsonvalue.Members(object, yield)
	}
}
