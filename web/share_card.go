package web

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A shareCard is a record as a card: its name, a picture, and the values that are not empty.
type shareCard struct {
	Title    string
	Tone     string // "" for none
	Pictured bool   // the card has room for a picture, so that cards line up
	Picture  string // the address of a thumbnail; "" for none
	Values   []shareValue
}

type shareValue struct {
	Name string
	*shareCell
}

// maxCardValues is how many values a card shows.
const maxCardValues = 7

// cards makes a card of each record, without one of the fields.
func (format formatter) cards(o *tableView, records []sharedRecord, without, cover *schema.Field) []shareCard {
	cards := make([]shareCard, len(records))
	for i, r := range records {
		cards[i] = shareCard{Title: format.title(o, r), Tone: r.tone, Pictured: cover != nil}
		if cover != nil {
			for _, file := range format.cell(cover, r.Fields[cover.Name]).Files {
				cards[i].Picture = cmp.Or(cards[i].Picture, file.Thumbnail)
			}
		}
		for _, f := range o.fields {
			value := r.Fields[f.Name]
			if f.IsPrimary || f == without || f == cover || value == nil || value == false ||
				len(cards[i].Values) == maxCardValues {
				continue
			}
			if cell := format.cell(f, value); cell.Class != "blank" {
				cards[i].Values = append(cards[i].Values, shareValue{f.Name, &cell})
			}
		}
	}
	return cards
}

// title is what a record is called.
func (format formatter) title(o *tableView, r sharedRecord) string {
	for _, f := range o.fields {
		if value := r.Fields[f.Name]; f.IsPrimary && value != nil {
			shown := f.Kind.Show(&f.Field, format, value)
			return cmp.Or(shown.Plain(), format.say.Untitled)
		}
	}
	return format.say.Untitled
}

// A shareStack is a column of a board, or a lane of a timeline.
type shareStack struct {
	Label shareLabel
	Cards []shareCard
	Limit int        // how many records it should have at most; 0 for any number
	Sums  []shareSum // what the view sums up, of each field but the first

	key     string
	records []sharedRecord
}

// board puts records into the columns of a field's values. A record with several is in each.
func (format formatter) board(o *tableView, records []sharedRecord, by *schema.Field) []shareStack {
	var board []shareStack
	for _, one := range format.stacks(records, by) {
		one.Cards = format.cards(o, one.records, by, nil)
		board = append(board, one)
	}
	return board
}

// stacks sorts records by the values of a field: first those without one, then the field's options in their order, and
// then other values as they come. Options without records have a stack.
func (format formatter) stacks(records []sharedRecord, by *schema.Field) []shareStack {
	none := shareStack{Label: shareLabel{format.say.None(by.Name), "gray"}}
	var named []shareStack
	for i, option := range by.Config.Options {
		named = append(named, shareStack{key: option.Name, Label: shareLabel{option.Name, tone(by, i)}})
	}
	add := func(label shareLabel, r sharedRecord) {
		at := slices.IndexFunc(named, func(s shareStack) bool { return s.key == label.Text })
		if at < 0 {
			at = len(named)
			named = append(named, shareStack{key: label.Text, Label: label})
		}
		named[at].records = append(named[at].records, r)
	}
	for _, r := range records {
		value := r.Fields[by.Name]
		cell := shareCell{}
		if value != nil {
			cell = format.cell(by, value)
		}
		checked, truth := value.(bool)
		switch {
		case truth:
			add(shareLabel{format.say.Checked(by.Name, checked), "gray"}, r)
		case len(cell.Labels) > 0:
			for _, label := range cell.Labels {
				add(label, r)
			}
		case cell.Text != "":
			add(shareLabel{cell.Text, "gray"}, r)
		default:
			none.records = append(none.records, r)
		}
	}
	if len(none.records) > 0 {
		return append([]shareStack{none}, named...)
	}
	return named
}

// Count is the number of records in the stack.
func (s shareStack) Count() string { return strconv.Itoa(len(s.records)) }
