package field

var _ = Register(NewTimestampLike(Info{
	Type:         "last_modified_time",
	Place:        230,
	Title:        "Last modified time",
	Description:  "When the record was last changed.",
	System:       "updated_at",
	SystemNumber: -2,
	SystemCode:   "u",
	ReadOnly:     true,
	NeverNull:    true,
}))
