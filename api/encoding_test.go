package api_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
)

func TestLargeResponsesAreCompressed(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	for i := range 20 {
		c.OK("POST", "/tables/"+w["tableId"]+"/records",
			fmt.Sprintf(`{"fields":{"Name":"Record %d %s"}}`, i, strings.Repeat("x", 80)))
	}
	ask := func(method, path, accept string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+api.Prefix+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("x-api-key", c.Key())
		r.Header.Set("Accept-Encoding", accept)
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	records := "/tables/" + w["tableId"] + "/records"
	for accept, want := range map[string]string{
		"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "*": "gzip", "identity": "", "gzip;q=0": "", "gzip;q=0, *": "",
		"br": "", "": "",
	} {
		response := ask("GET", records, accept)
		if got := response.Header.Get("Content-Encoding"); got != want ||
			response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: %q, Vary %q", accept, got, response.Header.Get("Vary"))
		}
		body := io.Reader(response.Body)
		if want == "gzip" {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		var page struct{ Records []any }
		if err := json.NewDecoder(body).Decode(&page); err != nil || len(page.Records) != 21 {
			t.Errorf("Accept-Encoding %q: %d records, %v", accept, len(page.Records), err)
		}
	}
	if got := ask("GET", "/me", "gzip").Header.Get("Content-Encoding"); got != "" {
		t.Errorf("a small answer is encoded with %q", got)
	}
	if got := ask("GET", "/openapi.json", "gzip").Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("the description is encoded with %q", got)
	}
	head := ask("HEAD", records, "gzip")
	if body, err := io.ReadAll(head.Body); err != nil || len(body) != 0 ||
		head.Header.Get("Content-Encoding") != "gzip" || head.ContentLength <= 0 {
		t.Errorf("HEAD: %v %d bytes, %v", err, len(body), head.Header)
	}
	// The address of a file is a permission, and the length of compressed text reveals repetition.
	c.OK("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Files","type":"attachment"}`)
	file := c.ID("POST", "/tables/"+w["tableId"]+"/attachments", `{"name":"a.txt","content":"aGVsbG8="}`)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Files":[{"id":"`+file+`"}]}}`)
	if got := ask("GET", records, "gzip").Header.Get("Content-Encoding"); got != "" {
		t.Errorf("an answer with the address of a file is encoded with %q", got)
	}
}
