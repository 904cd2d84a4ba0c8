package field

import "fmt"

var _ = Register(NewComputedLike(Info{
	Type:  "lookup",
	Place: 192,
	Title: "Lookup",
	Description: "The values of a field of the linked records, as a list in their order; of a link that takes one " +
		"record, its value.",
	Keys: []Key{linkFieldKey, fieldKey, filtersKey, sortsKey, limitKey},
}))

var linkFieldKey = Key{
	Name:   "linkFieldId",
	Schema: `{"type":"string","description":"the link field through which it reads, by id or name"}`,
}

var fieldKey = Key{
	Name:   "fieldId",
	Schema: `{"type":"string","description":"the field of the linked table that it reads, by id or name"}`,
}

var filtersKey = Key{
	Name:   "filters",
	Schema: `{"type":"array","items":{"type":"object"},"description":"only linked records that these let through"}`,
}

var sortsKey = Key{
	Name: "sorts",
	Schema: `{"type":"array","items":{"type":"object","properties":{"fieldId":{"type":"string"},` +
		`"dir":{"type":"string","enum":["asc","desc"]}},"required":["fieldId"]},` +
		`"description":"the order of the linked records, by fields of theirs; that of the link where none is given"}`,
}

var limitKey = Key{
	Name:   "limit",
	Schema: `{"type":"integer","minimum":1,"maximum":100,"description":"only so many of the first linked records"}`,
	Check: func(c *Config) string {
		if c.Limit != nil && (*c.Limit < 1 || *c.Limit > MaxLookedUp) {
			return fmt.Sprintf("must be a whole number from 1 to %d", MaxLookedUp)
		}
		return ""
	},
}
