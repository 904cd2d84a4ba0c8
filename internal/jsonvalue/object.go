package jsonvalue

// A Member is one member of an object: its name, decoded, and its value as it was written.
type Member struct {
	Name  string
	Value []byte
}

// A ParsedObject is a JSON object parsed down to its members, so that nobody parses it again. Its
// values are well-formed.
type ParsedObject struct {
	Invalid error // why the text is not an object; its members are meaningless then

	members []Member
	size    int
}

// NewParsedObject returns the object that a parser has read from a text of size bytes. The parser
// must have checked the values as Check does.
func NewParsedObject(members []Member, size int) ParsedObject {
	return ParsedObject{members: members, size: size}
}

// Members lists the members in their order. A name may be there twice.
func (o *ParsedObject) Members() []Member { return o.members }

// Size is the length of the object's text, in bytes.
func (o *ParsedObject) Size() int { return o.size }
