package field

var _ = Register(NewDateLike(Info{
	Type: "date", Place: 120, Title: "Date", Description: "A date without a time.", Ask: AskDate,
	Keys: []Key{dateFormatKey},
}))
