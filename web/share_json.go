package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const mediaTypeJSON = "application/json"

type shareFieldJSON struct {
	ID   string      `json:"id"`
	Name string      `json:"name"`
	Type schema.Type `json:"type"`
}

type shareViewJSON struct {
	ID     string           `json:"id"`
	Name   string           `json:"name"`
	Type   schema.ViewType  `json:"type"`
	Fields []shareFieldJSON `json:"fields"`
}

type shareTableJSON struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Views []shareViewJSON `json:"views"`
}

// getBase describes the base: its tables, and for each view the fields that it shows.
func (s *shareHandler) getBase(_ http.Header, _ *http.Request, base *shared) (reply, error) {
	if base.isForm() {
		return reply{}, errShareNotFound()
	}
	out := struct {
		Name   string           `json:"name"`
		Tables []shareTableJSON `json:"tables"`
	}{Name: base.title(), Tables: []shareTableJSON{}}
	for _, t := range base.tables() {
		table := shareTableJSON{ID: t.PublicID(), Name: t.Name, Views: []shareViewJSON{}}
		for _, v := range base.views(t) {
			view := shareViewJSON{ID: v.PublicID(), Name: v.Name, Type: v.Type}
			for _, f := range visibleFields(t, v) {
				view.Fields = append(view.Fields, shareFieldJSON{f.PublicID(), f.Name, f.Type()})
			}
			table.Views = append(table.Views, view)
		}
		out.Tables = append(out.Tables, table)
	}
	content, err := json.Marshal(out)
	if err != nil {
		return reply{}, fmt.Errorf("encoding a response: %w", err)
	}
	return reply{mediaType: mediaTypeJSON, content: content}, nil
}

// getRecords lists the records of a view. limit and offset work as in the REST API; view is a view
// id, and optional.
func (s *shareHandler) getRecords(_ http.Header, r *http.Request, base *shared) (reply, error) {
	if base.isForm() {
		return reply{}, errShareNotFound()
	}
	query := r.URL.Query()
	if _, err := id.Parse(id.Table, chi.URLParam(r, "table")); err != nil {
		return reply{}, problem.NotFound("table", chi.URLParam(r, "table"))
	}
	o, err := openTable(base, chi.URLParam(r, "table"), query.Get("view"))
	if err != nil {
		return reply{}, err
	}
	limit, err := intParam("limit", query.Get("limit"), sharePageSize, 1, sharePageSize)
	if err != nil {
		return reply{}, err
	}
	offset, err := intParam("offset", query.Get("offset"), 0, 0, 1_000_000_000)
	if err != nil {
		return reply{}, err
	}
	page, err := s.read(r.Context(), chi.URLParam(r, "share"), o, shareQuery{offset: offset}, nil, int(limit))
	if err != nil {
		return reply{}, err
	}
	return reply{mediaType: mediaTypeJSON, content: page.AppendJSON(nil)}, nil
}

// intParam parses a query parameter as an integer from least to most. An absent one gives the
// default.
func intParam(name, text string, fallback, least, most int64) (int64, error) {
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, problem.Invalid(name, "must be a whole number from %d to %d", least, most)
	}
	return n, nil
}
