// Package baserowtest is a fake of Baserow's REST API for database tokens, for tests: a database that is generated the
// same every time, and a server with the pages, the shapes of cells and the refusals that Baserow's description has. It
// shares no code with the client.
package baserowtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// The database of every server, and a token for it.
const (
	Token    = "FAKEbaserow0000000000000000token"
	Database = "42"
)

// An Object is a JSON object.
type Object = map[string]any

// A Table is a table of the database.
type Table struct {
	ID     int
	Name   string
	Fields []Object
	Rows   []Object
}

// A Server is a running fake. Change its tables with Edit.
type Server struct {
	*httptest.Server

	mu     sync.Mutex
	tables []*Table
	fail   func(path string) (status int, retryAfter, body string)
}

// Start returns a server of some tables. The caller closes it.
func Start(tables ...*Table) *Server {
	s := &Server{tables: tables}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Edit changes the tables.
func (s *Server) Edit(change func(tables []*Table)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.tables)
}

// Fail answers requests for which fn returns a status with it and with a header Retry-After; nil is none.
func (s *Server) Fail(fn func(path string) (status int, retryAfter, body string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fn
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := strings.CutPrefix(r.URL.Path, "/media/user_files/"); ok {
		if r.Header.Get("Authorization") != "" {
			http.Error(w, "a token was sent for a file", http.StatusTeapot)
			return
		}
		fmt.Fprint(w, Content(name))
		return
	}
	if s.fail != nil {
		if status, after, body := s.fail(r.URL.RequestURI()); status != 0 {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return
		}
	}
	if r.Header.Get("Authorization") != "Token "+Token {
		answer(w, http.StatusUnauthorized, Object{
			"error": "ERROR_TOKEN_DOES_NOT_EXIST", "detail": "The provided token does not exist.",
		})
		return
	}
	path := strings.Split(strings.Trim(strings.TrimPrefix(r.URL.Path, "/api/database/"), "/"), "/")
	if found := s.find(path, r); found != nil {
		answer(w, http.StatusOK, found)
		return
	}
	answer(w, http.StatusNotFound, Object{
		"error": "ERROR_TABLE_DOES_NOT_EXIST", "detail": "The requested table does not exist.",
	})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}

// Content is the content of a file.
func Content(name string) string { return "the content of " + name }

// find is the answer about a path without its beginning, or nil.
func (s *Server) find(path []string, r *http.Request) any {
	if len(path) == 2 && path[0] == "tables" && path[1] == "all-tables" {
		all := []Object{{"id": 900, "name": "Elsewhere", "order": 1, "database_id": 7}}
		for i, t := range s.tables {
			all = append(all, Object{"id": t.ID, "name": t.Name, "order": i + 1, "database_id": 42})
		}
		return all
	}
	if len(path) < 3 || path[1] != "table" {
		return nil
	}
	for _, t := range s.tables {
		if strconv.Itoa(t.ID) != path[2] {
			continue
		}
		switch {
		case path[0] == "fields":
			return t.Fields
		case path[0] == "rows" && len(path) == 3:
			return s.page(t, r)
		case path[0] == "rows":
			for _, row := range t.Rows {
				if fmt.Sprint(row["id"]) == path[3] {
					return s.served(row)
				}
			}
		}
	}
	return nil
}

// served is a row with the addresses of its files.
func (s *Server) served(row Object) Object {
	out := Object{}
	for name, cell := range row {
		files, ok := cell.([]File)
		if !ok {
			out[name] = cell
			continue
		}
		list := []Object{}
		for _, f := range files {
			list = append(list, Object{
				"url": s.URL + "/media/user_files/" + f.Name, "thumbnails": nil, "visible_name": f.Visible,
				"name": f.Name, "size": len(Content(f.Name)), "mime_type": "text/plain", "is_image": false,
			})
		}
		out[name] = list
	}
	return out
}

func (s *Server) page(t *Table, r *http.Request) any {
	query := r.URL.Query()
	size, _ := strconv.Atoi(query.Get("size"))
	number, _ := strconv.Atoi(query.Get("page"))
	if size == 0 || size > 200 {
		size = 100
	}
	begin := min(max(number-1, 0)*size, len(t.Rows))
	end := min(begin+size, len(t.Rows))
	results := []Object{}
	for _, row := range t.Rows[begin:end] {
		results = append(results, s.served(row))
	}
	var next any
	if end < len(t.Rows) {
		next = fmt.Sprintf("%s%s?page=%d&size=%d", s.URL, r.URL.Path, number+1, size)
	}
	return Object{"count": len(t.Rows), "next": next, "previous": nil, "results": results}
}
