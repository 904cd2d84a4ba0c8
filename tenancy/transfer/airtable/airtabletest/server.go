// Package airtabletest is a fake of Airtable's Web API, for tests: a base that is generated the same every time, and a
// server with the pages, the pace, the error shapes and the expiring addresses of the real one. It shares no code with
// the client, so that a mistake of one is not made by the other.
package airtabletest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Token is a valid token of every server.
const Token = "patFAKE0000000001.0123456789abcdef"

// Options configure a server.
type Options struct {
	// Second is how long a second of the server takes, in which it allows five requests; 0 allows any number.
	Second time.Duration
	// Penalty is how long it refuses everything after a request too many.
	Penalty time.Duration
	// RetryAfter says so in a header.
	RetryAfter bool
	// FileLife is how long the address of a file lives; 0 is two hours.
	FileLife time.Duration
}

// A Server is a running fake.
type Server struct {
	*httptest.Server
	*Base
	Options

	mu       sync.Mutex
	sent     []time.Time // requests of the last second
	refused  time.Time   // until when everything is
	revoked  bool
	requests int
	tooMany  int
	files    int
	fail     func(path string) (status int, body string)
	serial   int
}

// Start returns a server of a base. The caller closes it.
func Start(base *Base, o Options) *Server {
	if o.FileLife == 0 {
		o.FileLife = 2 * time.Hour
	}
	s := &Server{Base: base, Options: o}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Requests is how many requests of the API came, and TooMany how many of these were refused for their pace; Files is
// how many files were served.
func (s *Server) Requests() (requests, tooMany, files int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.tooMany, s.files
}

// Revoke makes the token invalid, or valid again.
func (s *Server) Revoke(revoked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked = revoked
}

// ExpireOffsets makes the offsets that were given out unavailable, as time does.
func (s *Server) ExpireOffsets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
}

// Fail answers requests of the API for which fn, which is given the path with the query, returns a status with it; nil
// is none.
func (s *Server) Fail(fn func(path string) (status int, body string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fn
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/files/"); ok {
		s.serveFile(w, rest)
		return
	}
	if status, body := s.admit(r); status != 0 {
		if status == http.StatusTooManyRequests && s.RetryAfter {
			w.Header().Set("Retry-After", "1")
		}
		refuse(w, status, body)
		return
	}
	s.Base.mu.Lock()
	defer s.Base.mu.Unlock()
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/v0/"), "/")
	switch {
	case r.Method != http.MethodGet:
		refuse(w, 404, `{"error":"NOT_FOUND"}`)
	case r.URL.Path == "/v0/meta/bases":
		answer(w, map[string]any{"bases": []any{
			map[string]any{"id": s.Base.ID, "name": s.Base.Name, "permissionLevel": "create"},
		}})
	case len(path) == 4 && path[0] == "meta" && path[1] == "bases" && path[2] == s.Base.ID && path[3] == "tables":
		answer(w, map[string]any{"tables": s.schema()})
	case path[0] != s.Base.ID || len(path) < 2 || s.table(path[1]) == nil:
		refuse(w, 403, denied)
	case len(path) == 2:
		s.list(w, s.table(path[1]), r.URL.Query())
	default:
		s.one(w, s.table(path[1]), path[2:], r.URL.Query())
	}
}

const denied = `{"error":{"type":"INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND","message":"Invalid permissions, or the ` +
	`requested model was not found. Check that both your user and your token have the required permissions, and that ` +
	`the model names and/or ids are correct."}}`

// admit checks the token and the pace.
func (s *Server) admit(r *http.Request) (status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.fail != nil {
		if status, body := s.fail(r.URL.String()); status != 0 {
			return status, body
		}
	}
	if s.revoked || r.Header.Get("Authorization") != "Bearer "+Token {
		return 401, `{"error":{"type":"AUTHENTICATION_REQUIRED","message":"Authentication required"}}`
	}
	if s.Second == 0 {
		return 0, ""
	}
	now := time.Now()
	s.sent = slices.DeleteFunc(s.sent, func(at time.Time) bool { return now.Sub(at) >= s.Second })
	if len(s.sent) >= 5 {
		s.refused = now.Add(s.Penalty)
	}
	if now.Before(s.refused) {
		s.tooMany++
		return 429, `{"errors":[{"error":"RATE_LIMIT_REACHED",` +
			`"message":"Rate limit exceeded. Please try again later"}]}`
	}
	s.sent = append(s.sent, now)
	return 0, ""
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

var recordID = regexp.MustCompile(`RECORD_ID\(\)='(rec[A-Za-z0-9]+)'`)

// list serves a page of a table.
func (s *Server) list(w http.ResponseWriter, t *Table, query url.Values) {
	size := 100
	if text := query.Get("pageSize"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			refuse(w, 422, `{"error":{"type":"INVALID_REQUEST_UNKNOWN","message":"Invalid request: parameter `+
				`validation failed. Check your request data."}}`)
			return
		}
		size = n
	}
	rows := t.records
	if filter := query.Get("filterByFormula"); filter != "" {
		rows = nil
		for _, found := range recordID.FindAllStringSubmatch(filter, -1) {
			if one := t.byID[found[1]]; one != nil {
				rows = append(rows, one)
			}
		}
	}
	s.mu.Lock()
	iterator := "itr" + strconv.Itoa(s.serial)
	s.mu.Unlock()
	from := 0
	if offset := query.Get("offset"); offset != "" {
		of, at, _ := strings.Cut(offset, "/")
		n, err := strconv.Atoi(at)
		if of != iterator || err != nil {
			refuse(w, 422, `{"error":{"type":"LIST_RECORDS_ITERATOR_NOT_AVAILABLE","message":"The iterator is not `+
				`available. Please restart the request"}}`)
			return
		}
		from = n
	}
	to := min(from+size, len(rows))
	page := []any{}
	for _, one := range rows[min(from, to):to] {
		page = append(page, s.show(t, one, query))
	}
	out := map[string]any{"records": page}
	if to < len(rows) {
		out["offset"] = iterator + "/" + strconv.Itoa(to)
	}
	answer(w, out)
}

// one serves a record, or its comments.
func (s *Server) one(w http.ResponseWriter, t *Table, path []string, query url.Values) {
	record := t.byID[path[0]]
	switch {
	case record == nil:
		refuse(w, 404, `{"error":"NOT_FOUND"}`)
	case len(path) == 1:
		answer(w, s.show(t, record, query))
	case path[1] == "comments":
		comments := slices.Clone(record.comments)
		slices.Reverse(comments)
		answer(w, map[string]any{"comments": comments, "offset": nil})
	default:
		refuse(w, 404, `{"error":"NOT_FOUND"}`)
	}
}

// show is a record as a response has it: without empty cells, by names of fields unless ids are asked for.
func (s *Server) show(t *Table, record *Record, query url.Values) map[string]any {
	byID, only := query.Get("returnFieldsByFieldId") == "true", query["fields[]"]
	cells := map[string]any{}
	for _, f := range t.fields {
		value, ok := record.cells[f.id]
		if f.compute != nil {
			value = f.compute(record)
			ok = value != nil
		}
		if !ok || value == nil || len(only) > 0 && !slices.Contains(only, f.id) && !slices.Contains(only, f.name) {
			continue
		}
		if f.kind == "multipleAttachments" {
			value = s.addresses(value.([]map[string]any))
		}
		if byID {
			cells[f.id] = value
		} else {
			cells[f.name] = value
		}
	}
	out := map[string]any{
		"id": record.id, "createdTime": record.created.Format("2006-01-02T15:04:05.000Z"), "fields": cells,
	}
	if slices.Contains(query["recordMetadata[]"], "commentCount") {
		out["commentCount"] = len(record.comments)
	}
	return out
}

// addresses gives files new addresses.
func (s *Server) addresses(files []map[string]any) []map[string]any {
	until := time.Now().Add(s.FileLife).UnixMilli()
	out := make([]map[string]any, len(files))
	for i, file := range files {
		one := map[string]any{"url": fmt.Sprintf("%s/files/%d/%s", s.URL, until, file["id"])}
		for key, value := range file {
			one[key] = value
		}
		out[i] = one
	}
	return out
}

func (s *Server) serveFile(w http.ResponseWriter, rest string) {
	until, id, _ := strings.Cut(rest, "/")
	n, err := strconv.ParseInt(until, 10, 64)
	if err != nil || time.Now().UnixMilli() > n {
		w.WriteHeader(http.StatusGone)
		return
	}
	s.mu.Lock()
	s.files++
	s.mu.Unlock()
	_, _ = io.WriteString(w, Content(id))
}

// Content is the content of a file.
func Content(id string) string { return "The content of " + id + ".\n" }
