package field

var _ = Register(newLongText())

func newLongText() *TextLike {
	k := NewTextLike(Info{
		Type: "long_text", Place: 20, Title: "Long text", Description: "Text of many lines, plain or in Markdown.",
		Keys: []Key{formatKey("plain", "markdown")}, Ask: AskLongText,
	}, TextRules{
		Max: MaxLongText,
		Show: func(c *Config, _ string, shown *Shown) {
			shown.KeepBreaks, shown.Markdown = true, c.Format == "markdown"
		},
	})
	k.Fixed.Unindexed = true
	return k
}
