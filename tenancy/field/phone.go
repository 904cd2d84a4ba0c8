package field

var _ = Register(NewTextLike(Info{
	Type: "phone", Place: 50, Title: "Phone", Description: "A telephone number.", Ask: AskPhone,
}, TextRules{}))
