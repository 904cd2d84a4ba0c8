package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
)

func TestConditionalWriteIsRejected(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	w.addFile(c)
	for _, header := range []string{
		"If-Match", "If-None-Match", "If-Unmodified-Since", "If-Modified-Since", "If-Range",
	} {
		for _, op := range operation.Catalogue() {
			method, path, body := w.request(t, op)
			r, err := http.NewRequestWithContext(t.Context(), method, s.URL+api.Prefix+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("x-api-key", c.Key())
			r.Header.Set(header, `"3"`)
			if body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			response, err := s.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			want := http.StatusPreconditionFailed
			if op.Method == http.MethodGet {
				want = http.StatusOK
			}
			if response.StatusCode != want {
				t.Errorf("%s with %s: %d, want %d", op.Name, header, response.StatusCode, want)
			}
		}
	}
	if got := c.OK("GET", "/records/"+w["recordId"], "")["fields"].(map[string]any)["Name"]; got != "First" {
		t.Errorf("the record is called %v", got)
	}
}

// If-Match may list several entity tags, of which the record must have one (RFC 9110 section 13.1.1).
func TestIfMatchTakesAListOfTags(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	send := func(method string, tags []string) *http.Response {
		t.Helper()
		body := `{"fields":{"Name":"` + strings.Join(strings.Split(strings.Join(tags, " "), `"`), "") + `"}}`
		if method == http.MethodDelete {
			body = ""
		}
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+api.Prefix+"/records/"+w["recordId"],
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", c.Key())
		r.Header.Set("Content-Type", "application/json")
		r.Header["If-Match"] = tags
		response, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response
	}
	tag := send(http.MethodPatch, []string{"*"}).Header.Get("ETag")
	for _, one := range []struct {
		tags   []string
		status int
	}{
		{[]string{`"1", NOW`}, 200},
		{[]string{`"1"`, `NOW,"2"`}, 200},
		{[]string{`"a,b" , NOW`}, 200},
		{[]string{`NOW`}, 200},
		{[]string{`"1", "2"`}, 412},
		{[]string{`"1", W/NOW`}, 412}, // weak tags never match
		{[]string{`"abc"`}, 412},
		{[]string{`"1", *`}, 400},
		{[]string{`1`}, 400},
		{[]string{`"1" "2"`}, 400},
		{[]string{``}, 400},
	} {
		tags := make([]string, len(one.tags))
		for i, text := range one.tags {
			tags[i] = strings.ReplaceAll(text, "NOW", tag)
		}
		response := send(http.MethodPatch, tags)
		if response.StatusCode != one.status {
			t.Errorf("%q: %d and not %d", tags, response.StatusCode, one.status)
		}
		if now := response.Header.Get("ETag"); now != "" {
			tag = now
		}
	}
	if response := send(http.MethodDelete, []string{`"1", "2"`}); response.StatusCode != 412 {
		t.Errorf("a deletion with other tags: %d", response.StatusCode)
	}
	if response := send(http.MethodDelete, []string{`"1", ` + tag}); response.StatusCode != 200 {
		t.Errorf("a deletion with its tag: %d", response.StatusCode)
	}
}
