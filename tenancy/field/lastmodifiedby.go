package field

var _ = Register(newAuthor(Info{
	Type: "last_modified_by", Place: 250, Title: "Last modified by", Description: "Who last changed the record.",
	System: "updated_by", SystemNumber: -4,
}))
