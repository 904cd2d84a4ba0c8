package jsonvalue

import "fmt"

// A Member is one member of an object: its name, decoded, and its value as it was written.
type Member struct {
	Name  string
	Value []byte
}

// A ParsedObject is a JSON object that has been parsed as far as its members, so that nobody parses
// it again. Its values are well-formed.
type ParsedObject struct {
	members []Member
	size    int
	err     error
}

// NewParsedObject returns the object that a parser has read from a text of size bytes. The parser
// must have checked the values as Check does.
func NewParsedObject(members []Member, size int) ParsedObject {
	return ParsedObject{members: members, size: size}
}

// ParseObject parses a text that nobody has checked. What is wrong with it is in Err.
func ParseObject(raw []byte) ParsedObject {
	o := ParsedObject{size: len(raw)}
	raw = Trim(raw)
	if Kind(raw) != Object {
		o.err = fmt.Errorf("must be an object of field names and values, not %s", Describe(raw))
		return o
	}
	if o.err = Check(raw); o.err == nil {
		o.err = Members(raw, func(name string, value []byte) bool {
			o.members = append(o.members, Member{name, value})
			return true
		})
	}
	return o
}

// Members lists the members in their order. A name may be there twice.
func (o *ParsedObject) Members() []Member { return o.members }

// Size is the length of the object's text, in bytes.
func (o *ParsedObject) Size() int { return o.size }

// Err says why the text was no object; its members are then of no use.
func (o *ParsedObject) Err() error { return o.err }
