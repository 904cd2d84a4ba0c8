package field

var _ = Register(NewComputedLike(Info{
	Type:        "count",
	Place:       194,
	Title:       "Count",
	Description: "How many linked records there are.",
	Keys:        []Key{linkFieldKey, filtersKey},
}))
