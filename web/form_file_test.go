package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A fileForm is a public form that asks for Dish and for Photos, which are at most two images.
type fileForm struct {
	*formFixture
	photos string
}

func newFileForm(t *testing.T) *fileForm {
	t.Helper()
	m := newFormFixture(t, "")
	if _, err := m.schema.CreateField(t.Context(), m.org, m.table.ID,
		catalog.FieldSpec{Name: "Photos", Type: schema.Attachment}); err != nil {
		t.Fatal(err)
	}
	m.refresh(t, m.table.ID)
	m.configure(t, m.view, schema.ViewConfig{
		"hiddenFields":   fieldIDs(m.field("Cost"), m.field("Price"), m.field("Kind"), m.field("Stars")),
		"requiredFields": fieldIDs(m.field("Photos")),
		"formFields":     json.RawMessage(`{"Photos":{"files":{"max":2,"types":["image/*"]}}}`),
	})
	return &fileForm{m, m.field("Photos").PublicID()}
}

// upload sends a file with a solved challenge and changed parameters, and returns the status and the answer.
func (m *fileForm) upload(
	t *testing.T, challenge string, content []byte, change map[string]string,
) (status int, answer struct{ Token, Name, Size, Code, Detail string }) {
	t.Helper()
	query := url.Values{
		"question": {m.photos}, "name": {"boat.png"}, "number": {"0"}, "challenge": {challenge},
		"solution": {solve(challenge)},
	}
	for name, value := range change {
		query.Set(name, value)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.page()+"/files?"+query.Encode(),
		bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return response.StatusCode, answer
}

func TestPublicFormTakesFiles(t *testing.T) {
	t.Parallel()
	m := newFileForm(t)
	challenge, picture, dish := m.challenge(t), pngImage(t), m.field("Dish").PublicID()
	for what, refused := range map[string]struct {
		content []byte
		change  map[string]string
		status  int
	}{
		"no solution":       {picture, map[string]string{"solution": "1,2"}, http.StatusBadRequest},
		"no challenge":      {picture, map[string]string{"challenge": "x" + challenge}, http.StatusBadRequest},
		"another field":     {picture, map[string]string{"question": dish}, http.StatusBadRequest},
		"no such field":     {picture, map[string]string{"question": "fld_x"}, http.StatusBadRequest},
		"too many":          {picture, map[string]string{"number": "20"}, http.StatusBadRequest},
		"a negative number": {picture, map[string]string{"number": "-1"}, http.StatusBadRequest},
		"no image":          {[]byte("just words"), nil, http.StatusBadRequest},
		"too large":         {make([]byte, 20<<20+1), nil, http.StatusRequestEntityTooLarge},
	} {
		if status, answer := m.upload(t, challenge, refused.content, refused.change); status != refused.status {
			t.Errorf("%s: %d %+v", what, status, answer)
		}
	}
	tokens := make([]string, 3)
	for n := range tokens {
		status, answer := m.upload(t, challenge, picture, map[string]string{"number": strconv.Itoa(n)})
		if status != http.StatusOK || answer.Name != "boat.png" || answer.Size != "1 KB" {
			t.Fatalf("file %d: %d %+v", n, status, answer)
		}
		tokens[n] = answer.Token
	}
	if status, answer := m.upload(t, challenge, picture, nil); status != http.StatusConflict ||
		answer.Code != "upload_used" {
		t.Errorf("the same number again: %d %+v", status, answer)
	}
	other := m.challenge(t)
	answer := func(challenge string, tokens ...string) url.Values {
		body := m.answer(challenge, map[string]string{"Dish": "Chowder"})
		body[m.photos] = tokens
		return body
	}
	m.want(t, "no file", answer(challenge), http.StatusBadRequest, "Is required.")
	m.want(t, "too many files", answer(challenge, tokens...), http.StatusBadRequest, "Must be at most 2 files.")
	m.want(t, "a file of another answer", answer(other, tokens[0]), http.StatusBadRequest,
		"was not uploaded with this answer")
	m.want(t, "an id", answer(challenge, strings.Split(tokens[0], ".")[0]), http.StatusBadRequest,
		"was not uploaded with this answer")
	bad := answer(challenge, tokens[0])
	bad.Set(m.field("Source").PublicID(), "no URL")
	m.want(t, "another mistake keeps the file", bad, http.StatusBadRequest, "boat.png", `value="`+tokens[0]+`"`)
	if waiting := m.waiting(t); waiting != 3 {
		t.Errorf("%d files wait for an answer", waiting)
	}
	m.want(t, "two files", answer(challenge, tokens[:2]...), http.StatusSeeOther)
	all := m.records(t)
	if len(all) != 1 || strings.Count(all[0], `"id": "att_`) != 2 {
		t.Errorf("the records are %s", all)
	}
	// The third is what no record has, which is removed after a day.
	if waiting := m.waiting(t); waiting != 1 {
		t.Errorf("%d files wait for an answer that was sent", waiting)
	}
	m.configure(t, m.view, schema.ViewConfig{"closesTime": json.RawMessage(`"2020-01-01T00:00:00Z"`)})
	if status, answer := m.upload(t, other, picture, nil); status != http.StatusConflict {
		t.Errorf("a file for a closed form: %d %+v", status, answer)
	}
}

// waiting counts the files of strangers that no record has.
func (m *fileForm) waiting(t *testing.T) (n int) {
	t.Helper()
	err := m.db.Batch(t.Context(), m.org, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.attachment where org_id = $1 and created_by is null and kept_at is null",
			m.org).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
