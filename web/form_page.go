package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A shared form is answered with the rights of the person who shared it, who must still be a creator of its base, and
// only where its fields say so. The page has one script, form.js.

// formPolicy is PagePolicy with the script.
const formPolicy = PagePolicy + "; script-src 'self'"

// publicForm returns the form of a shared view as the person sees it who shared it, and the context of what is done
// with their rights. It returns a not-found error if they may not share it any more.
func (s *shareHandler) publicForm(ctx context.Context, target *organization.SharedTarget) (*shared, error) {
	member, err := s.Schema.Member(ctx, target.Org, target.Person)
	if err != nil {
		return nil, fmt.Errorf("looking up who shared a form: %w", err)
	}
	if member.Role == "" {
		return nil, errShareNotFound()
	}
	ctx = catalog.WithCaller(ctx, member)
	snapshot, err := s.Schema.Fresh(ctx, target.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a form: %w", err)
	}
	view := snapshot.View(target.View)
	if view == nil || snapshot.RoleOf(member.Subject(target.Org), view.Table.Base.ID) != schema.BaseCreator {
		return nil, errShareNotFound()
	}
	if rights, own := view.Table.Rights(); own && !rights.Create {
		return nil, errShareNotFound()
	}
	asks, err := forms.Find(snapshot, target.View)
	if err != nil {
		return nil, errShareNotFound()
	}
	return &shared{Base: view.Table.Base, view: view, form: asks.Public(), as: ctx, target: target}, nil
}

// frameable lets other sites show the page if whoever shared the view has switched that on.
func frameable(h http.Header, r *http.Request, target *organization.SharedTarget) {
	if target.Framed && isEmbedded(r) {
		policy := h.Get("Content-Security-Policy")
		h.Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors *", 1))
		h.Del("X-Frame-Options")
	}
}

func isEmbedded(r *http.Request) bool { return r.URL.Query().Get("embed") == "1" }

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
	Challenge          string
	Solution           string
	Bits, Parts        int
	Submit             string
	Pages              []formPageView // those with questions
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

func (s *shareHandler) newFormView(r *http.Request, asks *forms.Form) formView {
	v := formView{
		Title: asks.Title, Description: asks.Description, Embedded: isEmbedded(r), Action: r.URL.Path,
		Again: r.URL.Path, Submit: asks.SubmitLabel, Bits: workBits, Parts: workParts,
	}
	if v.Embedded {
		v.Action, v.Again = v.Action+"?embed=1", v.Again+"?embed=1"
	}
	if v.Submit == "" {
		v.Submit = "Submit"
	}
	return v
}

// ask adds the questions, with the values that were given for them by public id of the field.
func (v *formView) ask(asks *forms.Form, values func(q *forms.Question) []string, failed map[string]string) {
	for i := range asks.Questions {
		q := &asks.Questions[i]
		given := values(q)
		one := formQuestion{
			ID: q.Field.PublicID(), Label: q.Label, Help: q.Help, Ask: q.Field.Info().Ask, Required: q.Required,
			URLOnly: q.URLOnly, Value: strings.Join(given, ", "), Values: given, Error: failed[q.Field.PublicID()],
			When: whenJSON(&q.When), Always: q.Always,
		}
		switch one.Ask { //nolint:exhaustive // those with choices
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

// fromURL returns the values that the query of the page's URL has for a question, under the name of its field or
// its id, which may follow prefill_.
func fromURL(asks *forms.Form, query url.Values) func(q *forms.Question) []string {
	return func(q *forms.Question) []string {
		if !asks.Prefill && !q.URLOnly {
			return nil
		}
		for _, name := range []string{q.Field.Name, q.Field.PublicID()} {
			for _, key := range []string{"prefill_" + name, name} {
				if given := query[key]; len(given) > 0 && key != "embed" && key != "sent" {
					return given
				}
			}
		}
		return nil
	}
}

// getForm makes the page of a form, or what follows an answer.
func (s *shareHandler) getForm(h http.Header, r *http.Request, base *shared) (reply, error) {
	h.Set("Content-Security-Policy", formPolicy)
	v, asks := s.newFormView(r, base.form), base.form
	if r.URL.Query().Has("sent") {
		v.afterwards(asks)
		return s.renderForm(http.StatusOK, v)
	}
	err := s.checkOpen(r.Context(), base)
	switch {
	case isClosed(err):
		v.Closed = err.Error()
	case err != nil:
		return reply{}, err
	default:
		v.Challenge = s.Work.make(chi.URLParam(r, "share"))
		v.ask(asks, fromURL(asks, r.URL.Query()), nil)
	}
	return s.renderForm(http.StatusOK, v)
}

func (v *formView) afterwards(asks *forms.Form) {
	v.Sent = asks.Message
	if v.Sent == "" {
		v.Sent = "Thank you. Your answer was sent."
	}
	to, err := url.Parse(asks.RedirectURL)
	if err == nil && to.Host != "" && (to.Scheme == "http" || to.Scheme == "https") { // also for a config of before
		v.Redirect, v.RedirectHost = asks.RedirectURL, to.Host
	}
}

func (s *shareHandler) checkOpen(ctx context.Context, base *shared) error {
	answers, err := forms.Answers(ctx, s.DB, base.target.Org, base.target.View)
	if err != nil {
		return err //nolint:wrapcheck // it says what was done
	}
	return base.form.CheckOpen(s.Work.now(), answers) //nolint:wrapcheck // it is for the caller
}

func isClosed(err error) bool {
	var known *problem.Error
	return errors.As(err, &known) && known.Code == problem.CodeFormClosed
}

// postForm takes an answer. Whatever is wrong with it, the page comes again with everything that was entered.
func (s *shareHandler) postForm(h http.Header, r *http.Request, base *shared) (reply, error) {
	if base.form == nil {
		return reply{}, errShareNotFound()
	}
	h.Set("Content-Security-Policy", formPolicy)
	share, given := chi.URLParam(r, "share"), r.PostForm
	challenge, solution := given.Get("challenge"), given.Get("solution")
	use, valid := s.Work.open(share, challenge)
	err := s.Limit.EnterAnswer(r, share)
	switch {
	case err != nil:
	case !valid:
		err = problem.Invalid("challenge", "This page was open for too long. Nothing is lost: send it once more.")
	case !isSolution(challenge, solution):
		err = problem.Invalid("challenge", "The check against spam was not finished. Send it once more.")
	default:
		err = s.answer(base, given, use)
	}
	v := s.newFormView(r, base.form)
	switch {
	case err == nil:
		sent := v.Action + "?sent=1"
		if v.Embedded {
			sent = v.Action + "&sent=1"
		}
		return reply{status: http.StatusSeeOther, location: sent}, nil
	case plan.IsUsed(err):
		v.Sent = "This answer has arrived already, and is stored once. To send another one, open the form again."
		return s.renderForm(http.StatusOK, v)
	case isClosed(err):
		v.Closed = err.Error()
		return s.renderForm(http.StatusConflict, v)
	}
	failed, alert, expected := explainToStranger(base.form, err)
	if !expected {
		return reply{}, err
	}
	v.Alert, v.Challenge, v.Solution = alert, challenge, solution
	if !valid || !isSolution(challenge, solution) {
		v.Challenge, v.Solution = s.Work.make(share), ""
	}
	v.ask(base.form, func(q *forms.Question) []string { return given[q.Field.PublicID()] }, failed)
	if problem.KindOf(err) == problem.KindRateLimited {
		h.Set("Retry-After", "5")
	}
	return s.renderForm(problem.New(err, "").Status, v)
}

// answer writes an answer with the rights of the person who shared the form. Nobody is its author, because nobody knows
// who answered; the log says in whose name and by which form it was written.
func (s *shareHandler) answer(base *shared, given url.Values, use *db.PlanUse) error {
	ctx := db.WithActor(base.as, db.Actor{
		Person: base.target.Person, Kind: "form", Credential: base.view.PublicID(),
		Request: problem.RequestID(base.as), Plan: use,
	})
	_, err := base.form.Answer(ctx, s.Records, record.Actor{Org: base.target.Org}, answerOf(base.form, given), true)
	return err //nolint:wrapcheck // it says what was done
}

// answerOf returns the values of a page's controls as the fields of a record. Empty ones are left out.
func answerOf(asks *forms.Form, given url.Values) jsonvalue.ParsedObject {
	var members []jsonvalue.Member
	size := 2
	for _, q := range asks.Questions {
		var values []string
		for _, value := range given[q.Field.PublicID()] {
			if value != "" { // a control of several lines sends carriage returns
				value = strings.ReplaceAll(strings.ToValidUTF8(value, "\uFFFD"), "\r\n", "\n")
				values = append(values, value)
			}
		}
		if len(values) == 0 {
			continue
		}
		text := values[0]
		raw := field.AppendString(nil, text)
		switch ask := q.Field.Info().Ask; {
		case ask == field.AskOptions:
			raw = jsonvalue.Must(values)
		case (ask == field.AskNumber || ask == field.AskRating) && json.Valid([]byte(text)) &&
			jsonvalue.Kind([]byte(text)) == jsonvalue.Number:
			raw = []byte(text)
		}
		members = append(members, jsonvalue.Member{Name: q.Field.Name, Value: raw})
		size += len(q.Field.Name) + len(raw)
	}
	return jsonvalue.NewParsedObject(members, size)
}

// explainToStranger returns what an error says next to the questions of a form, by public id, and above them. What it
// says of other fields and of records is left out, because only members may know it. expected is false for an error
// that is nobody's but the service's.
func explainToStranger(asks *forms.Form, err error) (failed map[string]string, alert string, expected bool) {
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Kind == problem.KindInternal {
		return nil, "", false
	}
	const unanswerable = "This form cannot be answered at present. Tell the person who gave you the link."
	failed, alert = map[string]string{}, "Some answers need another look."
	for _, item := range wrong.Items {
		if item.Path == "challenge" {
			return nil, item.Message, true
		}
		at := slices.IndexFunc(asks.Questions, func(q forms.Question) bool {
			rest, is := strings.CutPrefix(item.Path, "fields."+q.Field.Name)
			return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
		switch {
		case at < 0 && item.Path == "fields":
			alert = unanswerable
		case at < 0:
			alert = "This form cannot be answered at present, because its table needs a value that the form does not " +
				"ask for. Tell the person who gave you the link."
		case asks.Questions[at].URLOnly:
			alert = "The link of this form lacks a value or carries one that does not fit. Ask for another link."
		case wrong.Code == problem.CodeNotUnique:
			failed[asks.Questions[at].Field.PublicID()] = "It must be unique, and somebody has answered this already."
		default:
			failed[asks.Questions[at].Field.PublicID()] = sentence(item.Message)
		}
	}
	switch {
	case wrong.Kind == problem.KindRateLimited, wrong.Kind == problem.KindUnavailable:
		alert = wrong.Message
	case len(wrong.Items) == 0 && wrong.Code == problem.CodeNotUnique:
		alert = "One of these answers must be unique, and somebody has given it already."
	case len(wrong.Items) == 0:
		alert = unanswerable
	}
	return failed, alert, true
}

func (s *shareHandler) renderForm(status int, v formView) (reply, error) {
	var body bytes.Buffer
	if err := s.form.Execute(&body, &v); err != nil {
		return reply{}, fmt.Errorf("rendering a form: %w", err)
	}
	return reply{status: status, mediaType: mediaTypeHTML, content: body.Bytes()}, nil
}

// formPage returns the template of the page of a form. Its data is a formView.
func formPage() *template.Template {
	s := newStatic()
	return template.Must(template.New("form.html").Funcs(template.FuncMap{
		"css":     func() string { return s.url("/page.css") },
		"formCSS": func() string { return s.url("/form.css") },
		"script":  func() string { return s.url("/form.js") },
		"mark":    func() string { return s.url("/mark.svg") },
	}).ParseFS(templates, "template/form.html"))
}
