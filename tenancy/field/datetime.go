package field

var _ = Register(NewTimestampLike(Info{
	Type: "datetime", Place: 130, Title: "Date and time", Description: "A timestamp, shown in the field's time zone.",
	Ask: AskMoment,
}))
