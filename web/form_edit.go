package web

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/web/text"
)

// Where a form says so, whoever has sent an answer gets a link that changes it. The link carries a token, which is the
// id of the record with a MAC over it and the share: nothing is stored, and the links end with the share, with the
// record, and when the form takes no more answers or does not let people change theirs any more.

// answerToken is what gives the right to change an answer to a shared form.
func (c *Challenger) answerToken(share, record string) string {
	return record + "." + base64.RawURLEncoding.EncodeToString(c.seals.MAC(signedAnswer(share, record)))
}

func signedAnswer(share, record string) []byte {
	return []byte("form answer link " + share + " " + record)
}

// openAnswer returns the record of a token.
func (c *Challenger) openAnswer(share, token string) (record string, ok bool) {
	record, code, _ := strings.Cut(token, ".")
	mac, err := base64.RawURLEncoding.Strict().DecodeString(code)
	return record, err == nil && c.seals.Verify(signedAnswer(share, record), mac)
}

// A formerAnswer is an answer that was sent, as its record is now.
type formerAnswer struct {
	record, token string
	fields        jsonvalue.ParsedObject
	values        map[string]json.RawMessage // by name of the field
}

// formerAnswer returns the answer that the URL of a form names, or nil if it names none. It returns an error of kind
// not_found if the link does not work.
func (s *shareHandler) formerAnswer(r *http.Request, base *shared) (*formerAnswer, error) {
	token := r.URL.Query().Get("answer")
	if token == "" {
		return nil, nil //nolint:nilnil // nothing is looked for
	}
	gone := &problem.Error{
		Kind:    problem.KindNotFound,
		Message: text.English.Form.AnswerGone,
	}
	if !base.isForm() {
		gone.Message = text.English.Form.RecordGone
	}
	public, ok := s.Work.openAnswer(chi.URLParam(r, "share"), token)
	if !ok || !base.form.Edits {
		return nil, gone
	}
	found, err := s.Records.Get(base.as, record.Actor{Org: base.target.Org}, public)
	var known *problem.Error
	if errors.As(err, &known) && (known.Kind == problem.KindNotFound || known.Kind == problem.KindForbidden) {
		return nil, gone
	}
	if err != nil {
		return nil, fmt.Errorf("reading an answer: %w", err)
	}
	var content struct {
		Fields map[string]json.RawMessage `json:"fields"`
	}
	if err := json.Unmarshal(found, &content); err != nil {
		return nil, fmt.Errorf("decoding an answer: %w", err)
	}
	former := &formerAnswer{record: public, token: token, values: content.Fields}
	var members []jsonvalue.Member
	for name, value := range content.Fields {
		members = append(members, jsonvalue.Member{Name: name, Value: value})
	}
	former.fields = jsonvalue.NewParsedObject(members, len(found))
	return former, nil
}

// recordID returns the public id of a record.
func recordID(of record.Record) string {
	var content struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(of, &content) // the service wrote it
	return content.ID
}

// sentURL is the page after an answer, with the token of the answer if there is one.
func sentURL(r *http.Request, token string) string {
	query := url.Values{"sent": {"1"}}
	if token != "" {
		query.Set("answer", token)
	}
	if isEmbedded(r) {
		query.Set("embed", "1")
	}
	return r.URL.Path + "?" + query.Encode()
}

// texts returns the values of the controls of a question.
func (a *formerAnswer) texts(q *forms.Question) []string {
	raw := a.values[q.Field.Name]
	var text string
	switch ask := q.Field.Info().Ask; {
	case len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null:
		return nil
	case ask == field.AskOptions:
		var all []string
		_ = json.Unmarshal(raw, &all) // the service wrote it
		return all
	case json.Unmarshal(raw, &text) != nil: // a number, true or false
		text = string(raw)
	case ask == field.AskMoment:
		at, err := time.Parse(time.RFC3339, text)
		zone, unknown := time.LoadLocation(q.Field.Config.TimeZone)
		if err == nil && unknown == nil {
			text = at.In(zone).Format("2006-01-02T15:04")
		}
	}
	if q.Field.Info().Ask == field.AskDuration {
		var seconds any
		_ = json.Unmarshal(raw, &seconds) // the service wrote it
		text = q.Field.Kind.Show(&q.Field.Field, nil, seconds).Text
	}
	return []string{text}
}

// formerFiles returns the files of an answer by public id of the field, with tokens for a challenge.
func (s *shareHandler) formerFiles(
	r *http.Request, base *shared, former *formerAnswer, challenge string,
) map[string][]formFile {
	out := map[string][]formFile{}
	for i := range base.form.Questions {
		q := &base.form.Questions[i]
		if !asksFiles(q) {
			continue
		}
		var files []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
			Size int64  `json:"size"`
		}
		_ = json.Unmarshal(former.values[q.Field.Name], &files) // the service wrote it; null is none
		of := q.Field.PublicID()
		for _, f := range files {
			file, err := id.Parse(id.Attachment, f.ID)
			if err != nil {
				continue
			}
			token := s.Work.fileToken(chi.URLParam(r, "share"), challenge, of, file)
			out[of] = append(out[of], newFormFile(token, &attachment.File{ID: file, Name: f.Name, Size: f.Size}))
		}
	}
	return out
}
