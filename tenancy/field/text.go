package field

var _ = Register(NewTextLike(Info{
	Type: "text", Place: 10, Title: "Text", Description: "One line of text.", Ask: AskText,
}, TextRules{}))
