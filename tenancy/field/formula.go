package field

var _ = Register(NewComputedLike(Info{
	Type:  "formula",
	Place: 191,
	Title: "Formula",
	Description: "A value that the service computes from other fields of the record. Filters and sorts are those of " +
		"its config.resultType.",
	Keys: []Key{formulaKey, resultFormatKey, symbolKey},
}))

var formulaKey = Key{
	Name: "formula",
	Schema: `{"type":"string","description":"as in IF({Price} > 10, \"high\", \"low\"); ` +
		`see /help/reference/formulas"}`,
}
