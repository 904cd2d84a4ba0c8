package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// A shared form is answered with the rights of the person who shared it, who must still be a creator of its base, and
// only where its fields say so. The page has one script, form.js.

// formPolicy is PagePolicy with the script, which sends files.
const formPolicy = PagePolicy + "; script-src 'self'; connect-src 'self'"

// publicForm returns the form of a shared view as the person sees it who shared it, and the context of what is done
// with their rights. It returns a not-found error if they may not share it any more.
func (s *shareHandler) publicForm(ctx context.Context, target *organization.SharedTarget) (*shared, error) {
	member, err := s.sharer(ctx, target)
	if err != nil {
		return nil, err
	}
	ctx = catalog.WithCaller(ctx, member)
	snapshot, err := s.Schema.Fresh(ctx, target.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a form: %w", err)
	}
	view := snapshot.View(target.View)
	if view == nil {
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

// sharer returns the person who shared a view, or a not-found error if they may not share it any more.
func (s *shareHandler) sharer(ctx context.Context, target *organization.SharedTarget) (catalog.Member, error) {
	member, err := s.Schema.Member(ctx, target.Org, target.Person)
	if err != nil {
		return member, fmt.Errorf("looking up who shared a view: %w", err)
	}
	if member.Role == "" {
		return member, errShareNotFound()
	}
	snapshot, err := s.Schema.Fresh(catalog.WithCaller(ctx, member), target.Org)
	if err != nil {
		return member, fmt.Errorf("reading the schema of a share: %w", err)
	}
	view := snapshot.View(target.View)
	if view == nil || snapshot.RoleOf(member.Subject(target.Org), view.Table.Base.ID) != schema.BaseCreator {
		return member, errShareNotFound()
	}
	return member, nil
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

// ownParameters are those of the page's URL that answer no question.
var ownParameters = []string{"embed", "sent", "answer"}

// fromURL returns the values that the query of the page's URL has for a question, under the name of its field or
// its id, which may follow prefill_.
func fromURL(asks *forms.Form, query url.Values) func(q *forms.Question) []string {
	return func(q *forms.Question) []string {
		if !asks.Prefill && !q.URLOnly || q.Field.Info().Ask == field.AskFiles {
			return nil
		}
		for _, name := range []string{q.Field.Name, q.Field.PublicID()} {
			for _, key := range []string{"prefill_" + name, name} {
				if given := query[key]; len(given) > 0 && !slices.Contains(ownParameters, key) {
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
	v, asks := s.newFormView(r, base), base.form
	former, err := s.formerAnswer(r, base)
	if err != nil {
		return reply{}, err
	}
	if r.URL.Query().Has("sent") {
		v.afterwards(base.say, asks, former)
		return s.renderForm(http.StatusOK, base.say, v)
	}
	err = s.checkTakes(base, former)
	switch {
	case isClosed(err):
		v.Closed = closedMessage(base.say, err)
	case err != nil:
		return reply{}, err
	case former != nil:
		v.Challenge, v.Editing = s.Work.make(chi.URLParam(r, "share")), true
		v.ask(asks, former.texts, s.formerFiles(r, base, former, v.Challenge), nil)
		if v.Record {
			v.Was = v.presentValues()
		}
	default:
		v.Challenge = s.Work.make(chi.URLParam(r, "share"))
		v.ask(asks, fromURL(asks, r.URL.Query()), nil, nil)
	}
	return s.renderForm(http.StatusOK, base.say, v)
}

// afterwards says what follows an answer, which is given if the form lets people change theirs.
func (v *formView) afterwards(say *text.Text, asks *forms.Form, answer *formerAnswer) {
	v.Sent = asks.Message
	if answer != nil {
		v.EditURL = v.Again + "?"
		if v.Embedded {
			v.EditURL = v.Again + "&"
		}
		v.EditURL += url.Values{"answer": {answer.token}}.Encode()
	}
	if v.Sent == "" {
		v.Sent = say.Form.Sent
	}
	to, err := url.Parse(asks.RedirectURL)
	if err == nil && to.Host != "" && (to.Scheme == "http" || to.Scheme == "https") { // also for a config of before
		v.Redirect, v.RedirectHost = asks.RedirectURL, to.Host
	}
}

// getPreview makes the page of a form for a creator of its base, also before it is shared. Nothing can be sent.
func (s *shareHandler) getPreview(w http.ResponseWriter, r *http.Request) {
	made, err := s.preview(w.Header(), r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	send(w, made.status, made.mediaType, made.content)
}

func (s *shareHandler) preview(h http.Header, r *http.Request) (reply, error) {
	person, err := s.Viewer(r)
	if err != nil {
		return reply{}, err
	}
	org, wrongOrg := id.Parse(id.Org, chi.URLParam(r, "org"))
	view, wrongView := id.Parse(id.View, chi.URLParam(r, "view"))
	if wrongOrg != nil || wrongView != nil {
		return reply{}, errShareNotFound()
	}
	base, err := s.publicForm(r.Context(), &organization.SharedTarget{Org: org, View: view, Person: person})
	if err != nil {
		return reply{}, err
	}
	if base.view.Access == schema.Personal { // it cannot be shared
		return reply{}, errShareNotFound()
	}
	h.Set("Content-Security-Policy", formPolicy)
	base.say = languageOf(h, r)
	v := s.newFormView(r, base)
	v.Preview = true
	v.ask(base.form, fromURL(base.form, r.URL.Query()), nil, nil)
	return s.renderForm(http.StatusOK, base.say, v)
}

// checkTakes returns an error of kind conflict if the form takes no answer, or no change of one. A form that is full
// takes changes.
func (s *shareHandler) checkTakes(base *shared, former *formerAnswer) error {
	var answers int64
	if former == nil {
		var err error
		if answers, err = forms.Answers(base.as, s.DB, base.target.Org, base.target.View); err != nil {
			return err //nolint:wrapcheck // it says what was done
		}
	}
	return base.form.CheckOpen(s.Work.now(), answers) //nolint:wrapcheck // it is for the caller
}

func isClosed(err error) bool {
	var known *problem.Error
	return errors.As(err, &known) && known.Code == problem.CodeFormClosed
}

// closedMessage is what a form says that takes no answers: what its owner wrote, or else that.
func closedMessage(say *text.Text, err error) string {
	translation, _ := say.Translate(err.Error())
	return translation
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
	former, err := s.formerAnswer(r, base)
	if err != nil {
		return reply{}, err
	}
	token := "" // of the answer, where it can be changed
	err = s.Limit.EnterAnswer(r, share)
	switch {
	case err != nil:
	case !valid:
		err = problem.Invalid("challenge", "%s", text.English.Form.TooLate)
	case !isSolution(challenge, solution):
		err = problem.Invalid("challenge", "%s", text.English.Form.NotFinished)
	default:
		token, err = s.answer(base, share, given, former, use)
	}
	v := s.newFormView(r, base)
	v.Editing = former != nil
	switch {
	case v.Record && (err == nil || plan.IsUsed(err)): // the second time, it was saved by the first
		return reply{status: http.StatusSeeOther, location: savedURL(r)}, nil
	case err == nil:
		return reply{status: http.StatusSeeOther, location: sentURL(r, token)}, nil
	case plan.IsUsed(err):
		v.Sent = base.say.Form.SentBefore
		return s.renderForm(http.StatusOK, base.say, v)
	case isClosed(err):
		v.Closed = closedMessage(base.say, err)
		return s.renderForm(http.StatusConflict, base.say, v)
	}
	failed, alert, expected := explainToStranger(base.say, base.form, err)
	if !expected {
		return reply{}, err
	}
	refused := err
	v.Alert, v.Challenge, v.Solution = alert, challenge, solution
	if !valid || !isSolution(challenge, solution) {
		v.Challenge, v.Solution = s.Work.make(share), ""
	}
	files, err := s.givenFiles(base, share, given, challenge, v.Challenge)
	if err != nil {
		return reply{}, err
	}
	v.ask(base.form, func(q *forms.Question) []string { return given[q.Field.PublicID()] }, files, failed)
	v.Was = givenWas(given)
	if problem.KindOf(refused) == problem.KindRateLimited {
		h.Set("Retry-After", "5")
	}
	return s.renderForm(problem.New(refused, "").Status, base.say, v)
}

func (s *shareHandler) renderForm(status int, say *text.Text, v formView) (reply, error) {
	var body bytes.Buffer
	if err := s.form[say].Execute(&body, &v); err != nil {
		return reply{}, fmt.Errorf("rendering a form: %w", err)
	}
	return reply{status: status, mediaType: mediaTypeHTML, content: body.Bytes()}, nil
}
