// Package form takes answers to forms: it knows what the config of a form view asks for and when, checks answers
// against it, and has the record engine write them, one record for each. It counts the answers in the transaction that
// writes them. Who may answer, and whether they are a program, callers have decided.
package form

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Form is what a form view asks for, as the person sees the view from whose snapshot it is.
type Form struct {
	View *schema.View

	Title, Description, SubmitLabel string
	Message, RedirectURL            string // after an answer
	ClosedMessage                   string
	ClosesAt                        time.Time // zero: never
	MaxAnswers                      int64     // 0: any number
	Edits                           bool      // whoever has answered may change the answer
	Prefill                         bool      // the URL may fill fields that are asked for
	Pages                           []Page    // at least one; one may have no questions
	Questions                       []Question
}

// A Page is what the form says of some of its questions, which follow each other.
type Page struct {
	Title, Description string
	When
}

// A Question is a field that the form asks for.
type Question struct {
	Field       *schema.Field
	Label, Help string
	Required    bool
	URLOnly     bool // only the URL of the form gives the value
	Always      bool // no record is written without it, so it is asked for whatever the conditions of its page say
	Files       schema.FormFiles
	Page        int // its index among the pages
	When
}

// Of returns the form of a view of the type form. Fields that nobody may write are left out.
func Of(v *schema.View) *Form {
	f := &Form{View: v, Title: v.Name}
	var title, closes string
	for key, into := range map[string]any{
		"title": &title, "description": &f.Description, "submitLabel": &f.SubmitLabel, "successMessage": &f.Message,
		"redirectUrl": &f.RedirectURL, "closedMessage": &f.ClosedMessage, "closesTime": &closes,
		"maxAnswers": &f.MaxAnswers, "prefill": &f.Prefill,
		"editAnswers": &f.Edits,
	} {
		_ = json.Unmarshal(v.Config[key], into) // absent means nothing; the value was checked when it was written
	}
	if title != "" {
		f.Title = title
	}
	f.ClosesAt, _ = time.Parse(time.RFC3339, closes)
	var required []string
	_ = json.Unmarshal(v.Config["requiredFields"], &required)
	settings := v.Config.FormFields()
	f.Pages = []Page{{}}
	for _, one := range fieldsOf(v) {
		own := settings[one.PublicID()]
		q := Question{
			Field: one, Label: own.Label, Help: own.Help, URLOnly: own.URLOnly, Always: one.Config.Required,
			Required: slices.Contains(required, one.PublicID()) || one.Config.Required && one.Default() == nil,
		}
		if q.Label == "" {
			q.Label = one.Name
		}
		if own.Files != nil {
			q.Files = *own.Files
		}
		q.Files.Max = cmp.Or(q.Files.Max, schema.DefaultFormFiles)
		if !q.Always {
			q.When = newWhen(v.Table, own.FormWhen)
		}
		if own.Page != nil {
			page := Page{own.Page.Title, own.Page.Description, newWhen(v.Table, own.Page.FormWhen)}
			if len(f.Questions) == 0 { // nothing has been answered before the first page
				page.When = When{}
				f.Pages = nil
			}
			f.Pages = append(f.Pages, page)
		}
		q.Page = len(f.Pages) - 1
		f.Questions = append(f.Questions, q)
	}
	return f
}

// fieldsOf lists the fields that a form shows, in its order. The primary field is the first unless the order says
// otherwise.
func fieldsOf(v *schema.View) []*schema.Field {
	var order []string
	_ = json.Unmarshal(v.Config["fieldOrder"], &order)
	place := func(f *schema.Field) int {
		if at := slices.Index(order, f.PublicID()); at >= 0 {
			return at
		}
		if f.IsPrimary {
			return -1
		}
		return len(order) + slices.Index(v.Table.Fields, f)
	}
	var fields []*schema.Field
	for _, f := range v.Table.Fields {
		if info := f.Info(); v.Shows(f) && info.HasValues() && !info.ReadOnly && !info.Computed && !f.Locked {
			fields = append(fields, f)
		}
	}
	slices.SortStableFunc(fields, func(a, b *schema.Field) int { return place(a) - place(b) })
	return fields
}

// Public returns the form without the fields for which a page without the application cannot ask.
func (f *Form) Public() *Form {
	out := *f
	out.Questions = slices.DeleteFunc(slices.Clone(f.Questions), func(q Question) bool {
		return q.Field.Info().Ask == field.AskNothing
	})
	return &out
}
