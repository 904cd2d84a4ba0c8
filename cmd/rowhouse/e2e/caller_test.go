package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A caller sends requests with one credential, and checks every response against the contract.
type caller struct {
	t        *testing.T
	contract *contract
	baseURL  string
	header   http.Header
	http     *http.Client
}

// in returns the caller for a part of the test.
func (c *caller) in(t *testing.T) *caller {
	other := *c
	other.t = t
	return &other
}

// with returns a caller that sends this header and no other credential.
func (c *caller) with(name, value string) *caller {
	other := *c
	other.header = http.Header{}
	if name != "" {
		other.header.Set(name, value)
	}
	other.http = &http.Client{}
	return &other
}

func (c *caller) key(key string) *caller { return c.with("X-Api-Key", key) }

// at returns the same caller at another process of the service.
func (c *caller) at(baseURL string) *caller {
	other := *c
	other.baseURL = baseURL
	return &other
}

// An answer is a response with its parsed body.
type answer struct {
	status int
	header http.Header
	body   any
	raw    string
}

// get returns a member of the response, by a path such as "records.0.id".
func (a answer) get(path string) any { return at(a.body, path) }

// text is get for a string; "" when there is none.
func (a answer) text(path string) string {
	text, _ := a.get(path).(string)
	return text
}

func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			var i int
			if json.Unmarshal([]byte(name), &i) != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// do sends a request below /api/v1. body is JSON text, or "".
func (c *caller) do(method, path, body string) answer {
	c.t.Helper()
	return c.send(method, path, []byte(body), "application/json")
}

func (c *caller) send(method, path string, body []byte, media string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, c.baseURL+"/api/v1"+path,
		bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	if len(body) > 0 && media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	a := answer{status: response.StatusCode, header: response.Header, raw: string(raw)}
	if isCSV := strings.HasPrefix(a.header.Get("Content-Type"), "text/csv"); isCSV {
		a.body = nil
	} else if err := json.Unmarshal(raw, &a.body); err != nil {
		c.t.Errorf("%s %s answered %d with no JSON: %.200q", method, path, a.status, raw)
		return a
	}
	if err := c.contract.judge(request, body, response, raw); err != nil {
		c.t.Errorf("%s %s %.200s: %v\n%.600s", method, path, body, err, raw)
	}
	return a
}

// ok sends a request that must be answered with 200, or with 202 where work goes on.
func (c *caller) ok(method, path, body string) answer {
	c.t.Helper()
	a := c.do(method, path, body)
	if a.status != http.StatusOK && a.status != http.StatusAccepted {
		c.t.Fatalf("%s %s %.300s: %d %s", method, path, body, a.status, a.raw)
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		c.t.Errorf("%s %s: Content-Type %q", method, path, got)
	}
	return a
}

// refused sends a request that must be answered with a problem of this status, whose text holds
// every one of the words.
func (c *caller) refused(status int, method, path, body string, words ...string) {
	c.t.Helper()
	a := c.do(method, path, body)
	if a.status != status {
		c.t.Errorf("%s %s %.300s: want %d, got %d %.600s", method, path, body, status, a.status, a.raw)
		return
	}
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		c.t.Errorf("%s %s: Content-Type %q", method, path, got)
	}
	problem.check(c.t, method+" "+path, a.body)
	if a.get("status") != float64(status) {
		c.t.Errorf("%s %s: the problem says %v", method, path, a.get("status"))
	}
	for _, word := range words {
		if !strings.Contains(a.raw, word) {
			c.t.Errorf("%s %s %.300s: the problem does not say %q: %s", method, path, body, word, a.raw)
		}
	}
}

// query writes a query string; values that are no strings are sent as JSON.
func query(pairs ...any) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		text, ok := pairs[i+1].(string)
		if !ok {
			text = encode(pairs[i+1])
		}
		values.Set(pairs[i].(string), text)
	}
	return "?" + values.Encode()
}

func encode(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}
