package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// asForm is the context of what an answer to a form does: with the rights of the person who shared it. Nobody is the
// author of an answer, because nobody knows who answered; the log says in whose name and by which form it was written.
func (s *shareHandler) asForm(base *shared, use *db.PlanUse) context.Context {
	return db.WithActor(base.as, db.Actor{
		Person: base.target.Person, Kind: "form", Credential: base.view.PublicID(),
		Request: problem.RequestID(base.as), Plan: use,
	})
}

// answer writes an answer, or the changes of one that was sent before, and returns its token.
func (s *shareHandler) answer(
	base *shared, share string, given url.Values, former *formerAnswer, use *db.PlanUse,
) (string, error) {
	ctx, actor := s.asForm(base, use), record.Actor{Org: base.target.Org}
	answer, err := s.answerOf(base, share, given)
	if err != nil {
		return "", err
	}
	if former != nil {
		if !base.isForm() {
			return "", touched(base.form, given).
				Change(ctx, s.Records, actor, former.record, former.fields, answer)
		}
		return former.token, base.form.Change(ctx, s.Records, actor, former.record, former.fields, answer)
	}
	written, err := base.form.Answer(ctx, s.Records, actor, answer, true)
	if err != nil || !base.form.Edits || !base.isForm() {
		return "", err //nolint:wrapcheck // it says what was done
	}
	return s.Work.answerToken(share, recordID(written.Records[0])), nil
}

// answerOf returns the values of a page's controls as the fields of a record. Empty ones are left out.
func (s *shareHandler) answerOf(base *shared, share string, given url.Values) (jsonvalue.ParsedObject, error) {
	var members []jsonvalue.Member
	size := 2
	for _, q := range base.form.Questions {
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
		first := values[0]
		raw := field.AppendString(nil, first)
		switch ask := q.Field.Info().Ask; {
		case ask == field.AskFiles:
			ids := make([]string, len(values))
			for i, token := range values {
				file, ok := s.Work.openFile(share, given.Get("challenge"), q.Field.PublicID(), token)
				if !ok {
					return jsonvalue.ParsedObject{}, problem.Invalid("fields."+q.Field.Name,
						"%s", text.English.Form.FileNotHere)
				}
				ids[i] = id.Format(id.Attachment, file)
			}
			raw = jsonvalue.Must(ids)
		case ask == field.AskOptions:
			raw = jsonvalue.Must(values)
		case (ask == field.AskNumber || ask == field.AskRating) && json.Valid([]byte(first)) &&
			jsonvalue.Kind([]byte(first)) == jsonvalue.Number:
			raw = []byte(first)
		}
		members = append(members, jsonvalue.Member{Name: q.Field.Name, Value: raw})
		size += len(q.Field.Name) + len(raw)
	}
	return jsonvalue.NewParsedObject(members, size), nil
}

// explainToStranger returns what an error says next to the questions of a form, by public id, and above them. What it
// says of other fields and of records is left out, because only members may know it. expected is false for an error
// that is nobody's but the service's.
func explainToStranger(
	say *text.Text, asks *forms.Form, err error,
) (failed map[string]string, alert string, expected bool) {
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Kind == problem.KindInternal {
		return nil, "", false
	}
	failed = map[string]string{}
	unanswerable, answered, alert := say.Form.Impossible, say.Form.Given, say.Form.Again
	if asks.View.Type != schema.Form {
		unanswerable, answered, alert = say.Form.NotSaved, say.Form.Taken, say.Form.AgainRecord
	}
	if wrong.Code == problem.CodeRowRule && asks.View.Type != schema.Form {
		return nil, say.Form.OutOfView, true
	}
	for _, item := range wrong.Items {
		if item.Path == "challenge" {
			alert, _ = say.Translate(item.Message)
			return nil, alert, true
		}
		at := slices.IndexFunc(asks.Questions, func(q forms.Question) bool {
			rest, is := strings.CutPrefix(item.Path, "fields."+q.Field.Name)
			return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
		switch {
		case at < 0 && item.Path == "fields":
			alert = unanswerable
		case at < 0:
			alert = say.Form.Lacks
		case asks.Questions[at].URLOnly:
			alert = say.Form.BadLink
		case wrong.Code == problem.CodeNotUnique:
			failed[asks.Questions[at].Field.PublicID()] = answered
		default:
			failed[asks.Questions[at].Field.PublicID()] = wrongAnswer(say, asks.Questions[at].Field, item.Message)
		}
	}
	switch {
	case wrong.Kind == problem.KindRateLimited, wrong.Kind == problem.KindUnavailable:
		alert = explain(say, wrong)
	case len(wrong.Items) == 0 && wrong.Code == problem.CodeNotUnique:
		alert = say.Form.GivenOne
	case len(wrong.Items) == 0:
		alert = unanswerable
	}
	return failed, alert, true
}

// wrongAnswer is what a page says of an answer that was refused. What the service says of values is English; in other
// languages a page says which kind of value the question asks for.
func wrongAnswer(say *text.Text, f *schema.Field, message string) string {
	if translation, ok := say.Translate(message); ok {
		return translation
	}
	switch {
	case message == forms.Required:
		return say.Form.RequiredAt
	case say.Form.Wrong == nil:
		return sentence(message)
	}
	return say.Form.Wrong(f.Info().Ask)
}
