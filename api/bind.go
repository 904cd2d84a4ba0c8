package api

import (
	"bytes"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/body"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/problem"
)

const (
	// MaxBody is the maximum size of a request body, in bytes.
	MaxBody = 5 << 20
	// maxTotalBody is what all large bodies of this process may occupy together, in bytes.
	maxTotalBody = 48 << 20
)

// A binding says where a request contains the members of an operation's input: path parameters in
// the path, all others in the body of POST, PUT and PATCH, in the query of GET, and in either of
// DELETE.
type binding struct {
	path  []string
	query map[string]*jsonschema.Schema
	body  bool
}

func bind(op *operation.Operation) *binding {
	b := &binding{path: op.PathParameters(), query: map[string]*jsonschema.Schema{}}
	b.body = op.Method != http.MethodGet
	if op.Method == http.MethodGet || op.Method == http.MethodDelete {
		for name, property := range op.Input().Properties {
			if !slices.Contains(b.path, name) {
				b.query[name] = property
			}
		}
	}
	return b
}

// read assembles the operation's input, one flat JSON object, from a request.
func (b *binding) read(
	w http.ResponseWriter, r *http.Request, reservation *body.Reservation, caller string,
) ([]byte, error) {
	out := append(make([]byte, 0, 64), '{') // enough for the path
	for _, name := range b.path {
		value, err := url.PathUnescape(chi.URLParam(r, name))
		if err != nil || !utf8.ValidString(value) {
			return nil, problem.Invalid(name, "is not a valid path segment")
		}
		out = appendQuoted(appendMemberName(out, name), value)
	}
	out, err := b.readQuery(out, r)
	if err != nil || !b.body {
		return append(out, '}'), err
	}
	content, err := readBody(w, r, reservation, caller)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		return append(out, '}'), nil
	}
	if content[0] != '{' {
		return nil, problem.Invalid("", "The body must be a JSON object.")
	}
	if rest := bytes.TrimLeft(content[1:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' && len(out) > 1 {
		out = append(out, ',')
	}
	return slices.Concat(out, content[1:]), nil
}

func (b *binding) readQuery(out []byte, r *http.Request) ([]byte, error) {
	if r.URL.RawQuery == "" {
		return out, nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, problem.Invalid("",
			"The query string is invalid: it contains a semicolon, or a %% without two hexadecimal digits after it.")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := query[name]
		property, known := b.query[name]
		if !known {
			valid := slices.Sorted(maps.Keys(b.query))
			return nil, problem.Invalid(name, "is not a query parameter here%s; the valid ones are %s",
				problem.DidYouMean(name, valid), problem.List(valid))
		}
		value, err := queryValue(name, values, property)
		if err != nil {
			return nil, err
		}
		out = append(appendMemberName(out, name), value...)
	}
	return out, nil
}

// queryValue converts the text of a query parameter to the JSON type of its schema. A text of the
// wrong type becomes a JSON string, so that the validator reports it.
func queryValue(name string, values []string, s *jsonschema.Schema) ([]byte, error) {
	for _, value := range values {
		if !utf8.ValidString(value) {
			return nil, problem.Invalid(name, "must be valid UTF-8")
		}
	}
	if isStringList(s) && !strings.HasPrefix(values[0], "[") {
		list := []byte{'['}
		for i, value := range values {
			if i > 0 {
				list = append(list, ',')
			}
			list = appendQuoted(list, value)
		}
		return append(list, ']'), nil
	}
	if len(values) > 1 {
		return nil, problem.Invalid(name, "is given %d times", len(values))
	}
	value := values[0]
	switch s.Type {
	case "string":
		return quote(value), nil
	case "integer", "number":
		if _, err := strconv.ParseFloat(value, 64); err != nil || !jsontext.Value(value).IsValid() {
			return quote(value), nil // the validator reports the error
		}
		return []byte(value), nil
	case "boolean":
		if value == "true" || value == "false" {
			return []byte(value), nil
		}
		return quote(value), nil
	}
	if !jsontext.Value(value).IsValid() {
		return nil, problem.Invalid(name, "must be JSON, URL-encoded")
	}
	if value == "null" {
		return quote(value), nil // null is not a way to omit a query parameter
	}
	return []byte(value), nil
}

// isStringList reports whether a parameter is a list of strings, which a query repeats for each
// element.
func isStringList(s *jsonschema.Schema) bool {
	return s.Type == "array" && s.Items != nil && s.Items.Type == "string"
}

// appendMemberName appends a comma if needed, the quoted name and a colon.
func appendMemberName(out []byte, name string) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	return append(appendQuoted(out, name), ':')
}

func appendQuoted(out []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(out, text)
	if err != nil {
		return append(out, `""`...) // invalid UTF-8, which every caller has rejected
	}
	return quoted
}

func quote(text string) []byte { return appendQuoted(nil, text) }

// newBodies returns the reader of request bodies.
func newBodies(guard *limit.Guard) *body.Reader {
	var bulkhead body.Bulkhead
	if guard != nil {
		bulkhead = guard
	}
	return body.New(MaxBody, maxTotalBody, "The body is larger than 5 MB; send fewer records at once.", bulkhead)
}

// readBody reads the body and trims white space around it.
func readBody(w http.ResponseWriter, r *http.Request, reservation *body.Reservation, caller string) ([]byte, error) {
	content, err := reservation.Read(w, r, caller)
	if content = bytes.TrimSpace(content); err != nil || len(content) == 0 {
		return nil, err //nolint:wrapcheck // it is for the caller
	}
	if given := r.Header.Get("Content-Type"); given != "application/json" {
		if media, _, err := mime.ParseMediaType(given); err != nil || media != "application/json" {
			return nil, problem.Invalid("", "The body must be JSON, with Content-Type: application/json.").
				WithCode(problem.CodeUnsupportedMediaType)
		}
	}
	return content, nil
}
