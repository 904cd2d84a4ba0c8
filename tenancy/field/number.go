package field

var _ = Register(NewNumberLike(Info{
	Type: "number", Place: 60, Title: "Number", Description: "A number.",
	Keys: []Key{precisionKey, thousandsKey, negativeKey}, Ask: AskNumber,
}, NumberRules{}))
