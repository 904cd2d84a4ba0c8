package field

import (
	"fmt"

	"github.com/google/uuid"
)

var _ = Register(&user{newUserLike(Info{
	Type: "user", Place: 160, Title: "User", Description: "A member of the organization, or several.",
	Value:  `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}`,
	Column: "uuid[]", SentAsText: true, Keys: []Key{multipleKey(false)},
})})

type user struct{ UserLike }

// Decode reads user ids, one unless the config says that there may be several.
func (*user) Decode(in *Input, raw []byte) (any, error) { return decodeUsers(in, raw) }

func (*user) Encoder(f *Field, _ FileLinks) Encoder {
	if severalUsers(&f.Config) {
		return func(dst, raw []byte) []byte {
			return appendList(dst, raw, func(dst []byte, u uuid.UUID) []byte { return appendUser(dst, u[:]) })
		}
	}
	return func(dst, raw []byte) []byte {
		var first *uuid.UUID
		uuids(raw, func(u uuid.UUID) {
			if first == nil {
				first = &u
			}
		})
		if first == nil {
			return append(dst, "null"...)
		}
		return appendUser(dst, first[:])
	}
}

func (*user) SortKey(raw []byte) (any, bool) {
	var people []uuid.UUID
	ok := uuids(raw, func(u uuid.UUID) { people = append(people, u) })
	return people, ok
}

func (*user) Size(column string) string {
	return fmt.Sprintf("%d * coalesce(cardinality(%s), 0)", sizeOfUser, column)
}
