package field

import "github.com/google/uuid"

var _ = Register(newAuthor(Info{
	Type: "created_by", Place: 240, Title: "Created by", Description: "Who created the record.",
	System: "created_by", SystemNumber: -3,
}))

// An author is the user who created or last changed a record, as recorded by the service.
type author struct{ UserLike }

func newAuthor(info Info) *author {
	info.Value, info.ReadOnly, info.NeverNull = `{"type":["string","null"]}`, true, true
	return &author{newUserLike(info)}
}

func (*author) Encoder(*Field, FileLinks) Encoder { return appendUser }

func (*author) SortKey(raw []byte) (any, bool) {
	if len(raw) != 16 {
		return nil, false
	}
	return uuid.UUID(raw), true
}
