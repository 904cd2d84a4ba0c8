package web

import (
	"cmp"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// colorRules returns the rules of the view that compare only what a page shows, as a request takes them, or nil if
// there are none. The colour of another rule would say something about a field that is not shown.
func (o *tableView) colorRules() []byte {
	if o.view == nil {
		return nil
	}
	rules := slices.DeleteFunc(o.view.Config.ColorRules(), func(rule schema.ColorRule) bool {
		return !rule.Compares(func(public string) bool { return o.shown(public) != nil })
	})
	if len(rules) == 0 {
		return nil
	}
	return jsonvalue.Must(rules)
}

// decodePage reads the records of a page. Each has the tone that a rule gives it, or that of its option in a field;
// nil is none.
func decodePage(page record.Page, by *schema.Field) ([]sharedRecord, error) {
	records := make([]sharedRecord, len(page.Records))
	for i, raw := range page.Records {
		one := &records[i]
		if err := decode(raw, one); err != nil {
			return nil, err
		}
		if by != nil {
			if place := optionPlace(by, one.Fields[by.Name]); place >= 0 {
				one.tone = tone(by, place)
			}
		}
		if page.Colors != nil {
			one.tone = cmp.Or(toneOf(page.Colors[i]), one.tone)
		}
	}
	return records, nil
}

// optionPlace returns the place of a value among the options of a field, or -1.
func optionPlace(f *schema.Field, value any) int {
	name, _ := value.(string)
	for i, option := range f.Config.Options {
		if option.Name == name {
			return i
		}
	}
	return -1
}
