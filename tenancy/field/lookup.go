package field

var _ = Register(NewComputedLike(Info{
	Type:        "lookup",
	Place:       192,
	Title:       "Lookup",
	Description: "The values of a field of the linked records, as a list in their order.",
	Keys:        []Key{linkFieldKey, fieldKey},
}))

var linkFieldKey = Key{
	Name:   "linkFieldId",
	Schema: `{"type":"string","description":"the link field through which it reads, by id or name"}`,
}

var fieldKey = Key{
	Name:   "fieldId",
	Schema: `{"type":"string","description":"the field of the linked table that it reads, by id or name"}`,
}

var filtersKey = Key{
	Name:   "filters",
	Schema: `{"type":"array","items":{"type":"object"},"description":"only linked records that these let through"}`,
}
