// Package nocodbtest is a fake of NocoDB's REST API, for tests: a base that is generated the same every time, and a
// server with the pages, the shapes of cells and the refusals of the real one. It shares no code with the client.
package nocodbtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The base of every server, and a token for it.
const (
	Token = "nc-token-FAKE00000000000000000001"
	Base  = "pfakebase000001"
)

// An Object is a JSON object.
type Object = map[string]any

// A Table is a table of a base.
type Table struct {
	ID, Title string
	Columns   []Object
	Rows      []Object
	Links     map[string]map[string][]string // keys of rows of the related table by column and row
	Views     []Object
	Hidden    bool // it is in no list
}

// A Server is a running fake. Change its tables with Edit.
type Server struct {
	*httptest.Server

	mu     sync.Mutex
	tables []*Table
	fail   func(path string) (status int, header, body string)
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
	if name, ok := strings.CutPrefix(r.URL.Path, "/dltemp/"); ok {
		if r.Header.Get("xc-token") != "" {
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
	if r.Header.Get("xc-token") != Token {
		answer(w, http.StatusUnauthorized, Object{
			"error": "ERR_AUTHENTICATION_REQUIRED", "message": "Authentication required - Invalid token",
		})
		return
	}
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v2/"), "/")
	found := s.find(path, r)
	if found == nil {
		answer(w, http.StatusNotFound, Object{"error": "ERR_RECORD_NOT_FOUND", "message": "Not found"})
		return
	}
	answer(w, http.StatusOK, found)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}

// Content is the content of a file.
func Content(name string) string { return "the content of " + name }

func (s *Server) table(id string) *Table {
	at := slices.IndexFunc(s.tables, func(t *Table) bool { return t.ID == id })
	if at < 0 {
		return nil
	}
	return s.tables[at]
}

// find is the answer about a path without its beginning, or nil.
func (s *Server) find(path []string, r *http.Request) any {
	switch {
	case len(path) == 3 && path[0] == "meta" && path[1] == "bases" && path[2] == Base:
		return Object{"id": Base, "title": "Harbour", "type": "database"}
	case len(path) == 4 && path[1] == "bases" && path[2] == Base && path[3] == "tables":
		all := []Object{}
		for _, t := range s.tables {
			if t.Hidden {
				continue
			}
			all = append(all, Object{"id": t.ID, "title": t.Title, "type": "table", "base_id": Base})
		}
		return Object{"list": all, "pageInfo": Object{"isLastPage": true, "totalRows": len(all)}}
	case len(path) == 3 && path[1] == "tables":
		if t := s.table(path[2]); t != nil {
			return Object{"id": t.ID, "title": t.Title, "columns": t.Columns, "views": t.Views}
		}
	case len(path) == 4 && path[1] == "views":
		return s.view(path[2], path[3])
	case len(path) >= 3 && path[0] == "tables":
		if t := s.table(path[1]); t != nil {
			return t.rows(path[2:], r)
		}
	}
	return nil
}

func (s *Server) view(id, part string) any {
	for _, t := range s.tables {
		for _, v := range t.Views {
			if v["id"] != id {
				continue
			}
			list := v["#"+part]
			if list == nil {
				list = []Object{}
			}
			return Object{"list": list}
		}
	}
	return nil
}

// rows answers about records, a record, or the links of one.
func (t *Table) rows(path []string, r *http.Request) any {
	switch {
	case len(path) == 1:
		return page(t.Rows, r)
	case len(path) == 2:
		for _, row := range t.Rows {
			if fmt.Sprint(row["Id"]) == path[1] {
				return row
			}
		}
	case len(path) == 4 && path[0] == "links":
		rows := []Object{}
		for _, key := range t.Links[path[1]][path[3]] {
			rows = append(rows, Object{"Id": json.Number(key), "Title": "row " + key})
		}
		return page(rows, r)
	}
	return nil
}

func page(rows []Object, r *http.Request) any {
	query := r.URL.Query()
	limit, _ := strconv.Atoi(query.Get("limit"))
	offset, _ := strconv.Atoi(query.Get("offset"))
	if limit == 0 {
		limit = 25
	}
	offset = min(offset, len(rows))
	end := min(offset+limit, len(rows))
	return Object{"list": rows[offset:end], "pageInfo": Object{
		"totalRows": len(rows), "page": offset/limit + 1, "pageSize": limit, "isFirstPage": offset == 0,
		"isLastPage": end == len(rows),
	}}
}
