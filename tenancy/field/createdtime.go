package field

var _ = Register(NewTimestampLike(Info{
	Type: "created_time", Place: 220, Title: "Created time", Description: "When the record was created.",
	System: "created_at", SystemNumber: -1, SystemCode: "c", ReadOnly: true, NeverNull: true,
}))
