package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/web/text"
)

// formView is the data of the template form.html.
type formView struct {
	Title, Description string
	Alert              string // why the answer was not taken
	Closed             string // shown instead of the questions
	Sent               string // likewise
	Redirect           string // where to go after Sent; "" for nowhere
	RedirectHost       string
	Action             string // of the form; it leads to the form again, too
	Again              string
	Embedded           bool
	EditURL            string // of the page that changes the answer after Sent; "" for none
	Editing            bool   // the questions have an answer that was sent
	Preview            bool   // nothing can be sent
	Record             bool   // the questions are the fields of a record of a view, whose list is at Again
	Was                []formWas
	Challenge          string
	Solution           string
	Bits, Parts        int
	Submit             string
	Pages              []formPageView // those with questions

	say *text.Text
}

// formPageView is a page of a form. Its number is among those that are shown at all.
type formPageView struct {
	ID, Title, Description string
	When                   string // JSON for form.js; "" for none
	Questions              []formQuestion
}

// Paged reports whether the questions come one page after another.
func (v *formView) Paged() bool {
	return len(v.Pages) > 1 || len(v.Pages) == 1 && v.Pages[0].Title != ""
}

type formQuestion struct {
	ID, Label, Help, Error string
	Ask                    field.Ask
	Required, URLOnly      bool
	Value                  string
	Values                 []string     // instead of Value, where the URL alone gives them
	Choices                []formChoice // of options and ratings
	When                   string       // JSON for form.js; "" for none
	Always                 bool         // likewise if its page is not asked for
	Files                  []formFile   // instead of Value
	MaxFiles               int
	Accept                 string // types of files as the control has them; "" for all
	Allowed                string // in words
}

// Described are the ids of the elements that say more of the question.
func (q *formQuestion) Described() string {
	var ids []string
	if q.Error != "" {
		ids = append(ids, q.ID+"-error")
	}
	if q.Help != "" {
		ids = append(ids, q.ID+"-help")
	}
	return strings.Join(ids, " ")
}

// Group reports whether the question has several controls.
func (q *formQuestion) Group() bool {
	return q.Ask == field.AskOptions || q.Ask == field.AskRating || q.Radios()
}

// Radios reports whether all options are shown at once: they cannot be cleared, so that some must be chosen.
func (q *formQuestion) Radios() bool {
	return q.Ask == field.AskOption && q.Required && len(q.Choices) <= maxRadios
}

const maxRadios = 8

type formChoice struct {
	Text   string
	Chosen bool
}

// formWhen says for form.js after which answers something is asked for.
type formWhen struct {
	Any        bool            `json:"any"`
	Conditions []formCondition `json:"conditions"`
}

func whenJSON(w *forms.When) string {
	if len(w.Conditions) == 0 {
		return ""
	}
	out := formWhen{w.Any, make([]formCondition, len(w.Conditions))}
	for i, condition := range w.Conditions {
		out.Conditions[i] = formCondition{Op: condition.Op, Values: condition.Values}
		if condition.Field != nil {
			out.Conditions[i].Of = condition.Field.PublicID()
		}
	}
	return string(jsonvalue.Must(out))
}

// formCondition is a condition as form.js compares it.
type formCondition struct {
	Of     string   `json:"of"` // the question; "" if there is none, so that it never holds
	Op     field.Op `json:"op"`
	Values []string `json:"values"`
}

func (s *shareHandler) newFormView(r *http.Request, base *shared) formView {
	asks := base.form
	v := formView{
		Record: !base.isForm(),
		Title:  asks.Title, Description: asks.Description, Embedded: isEmbedded(r), Action: r.URL.Path,
		Again: r.URL.Path, say: base.say, Submit: asks.SubmitLabel, Bits: workBits, Parts: workParts,
	}
	here := url.Values{}
	if v.Embedded {
		here.Set("embed", "1")
		v.Again += "?embed=1"
	}
	if answer := r.URL.Query().Get("answer"); answer != "" {
		here.Set("answer", answer)
	}
	if len(here) > 0 {
		v.Action += "?" + here.Encode()
	}
	if v.Submit == "" {
		v.Submit = base.say.Form.Submit
	}
	if v.Record {
		v.Submit, v.Action, v.Again = base.say.Form.Save, r.URL.RequestURI(), listURL(r)
	}
	return v
}

// ask adds the questions, with the values that were given for them, and files and errors by public id of the field.
func (v *formView) ask(
	asks *forms.Form, values func(q *forms.Question) []string, files map[string][]formFile, failed map[string]string,
) {
	for i := range asks.Questions {
		q := &asks.Questions[i]
		given := values(q)
		one := formQuestion{
			ID: q.Field.PublicID(), Label: q.Label, Help: q.Help, Ask: q.Field.Info().Ask, Required: q.Required,
			URLOnly: q.URLOnly, Value: strings.Join(given, ", "), Values: given, Error: failed[q.Field.PublicID()],
			When: whenJSON(&q.When), Always: q.Always,
		}
		switch one.Ask { //nolint:exhaustive // those with choices or files
		case field.AskFiles:
			one.Value, one.Files, one.MaxFiles = "", files[one.ID], q.Files.Max
			one.Accept, one.Allowed = strings.Join(q.Files.Types, ","), allowedFiles(v.say, &q.Files)
		case field.AskOption, field.AskOptions:
			for _, option := range q.Field.Config.Options {
				one.Choices = append(one.Choices, formChoice{option.Name, slices.Contains(given, option.Name)})
			}
		case field.AskRating:
			for n := 1; n <= q.Field.MaxRating(); n++ {
				text := strconv.Itoa(n)
				one.Choices = append(one.Choices, formChoice{text, slices.Contains(given, text)})
			}
		}
		if last := len(v.Pages) - 1; last < 0 || asks.Questions[i-1].Page != q.Page {
			page := &asks.Pages[q.Page]
			v.Pages = append(v.Pages, formPageView{
				ID: "page-" + strconv.Itoa(len(v.Pages)+1), Title: page.Title, Description: page.Description,
				When: whenJSON(&page.When),
			})
		}
		page := &v.Pages[len(v.Pages)-1]
		page.Questions = append(page.Questions, one)
	}
}
