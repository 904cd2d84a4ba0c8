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
