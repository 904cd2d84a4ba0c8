package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/problem"
)

// Time limits of a streamed export: in total, and for one write to the client.
const (
	exportTimeout      = 30 * time.Minute
	exportWriteTimeout = 30 * time.Second
)

// exportParameters are the parameters that select the exported records. A stream needs no bounds.
var exportParameters = []string{"view", "search", "filters", "sorts", "fields", "asOf"}

// markName is the query parameter that asks for a byte order mark.
const markName = "bom"

func exportBinding() *binding {
	b := &binding{path: operation.ExportRecords.PathParameters(), query: map[string]*jsonschema.Schema{}}
	for _, name := range exportParameters {
		b.query[name] = operation.ExportRecords.Input().Properties[name]
	}
	return b
}

func describeExport(d *description) object {
	op := operation.ExportRecords
	responses := object{"200": object{
		"description": "CSV (RFC 4180) in UTF-8. The first line names the fields. A connection that ends before its " +
			"last chunk is an export that failed.",
		"content": object{"text/csv": object{"schema": object{"type": "string"}}},
	}}
	for _, status := range problemStatuses(op, exportBinding()) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	parameters := []object{{
		"name": "tableId", "in": "path", "required": true, "schema": object{"type": "string"},
	}}
	for _, name := range exportParameters {
		property := op.Input().Properties[name]
		text := object{"name": name, "in": "query", "schema": object{"type": "string"}}
		if property.Type == "array" {
			text["description"] = "JSON"
		}
		if property.Description != "" {
			text["description"] = property.Description
		}
		parameters = append(parameters, text)
	}
	parameters = append(parameters, object{
		"name": markName, "in": "query", "schema": object{"type": "boolean"},
		"description": "begin with a byte order mark, without which spreadsheets do not read UTF-8",
	})
	return object{
		"operationId":      "stream_records",
		"summary":          "Stream the records of a table, or of a view or a filter, as CSV.",
		"description":      "What POST on the same path answers in parts, without a bound.",
		"tags":             []string{op.Tag()},
		"parameters":       parameters,
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

// export streams records as CSV. An error after the first bytes ends the connection, so that nobody
// mistakes a part for the whole.
func (s *server) export() http.HandlerFunc {
	binding := exportBinding()
	return func(w http.ResponseWriter, r *http.Request) {
		request, err := s.admit(w, r)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		mark, err := takeMark(r)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		if request.Raw, err = binding.read(w, r, nil, ""); err != nil {
			s.writeError(w, r, err)
			return
		}
		if err := s.stream(w, r, request, mark); err != nil {
			s.writeError(w, r, err)
		}
	}
}

// stream streams an export. It returns an error if the export has not begun.
func (s *server) stream(w http.ResponseWriter, r *http.Request, request operation.Request, mark bool) error {
	ctx, cancel := context.WithTimeout(r.Context(), exportTimeout)
	defer cancel()
	out := &csvWriter{
		writer:  w,
		control: http.NewResponseController(w),
		head:    r.Method == http.MethodHead,
		mark:    mark,
	}
	err := operation.StreamExport(ctx, s.Deps, request, out.write)
	switch {
	case errors.Is(err, errHead):
		return nil
	case err != nil && out.begun:
		panic(http.ErrAbortHandler)
	}
	return err
}

// takeMark removes the query parameter that asks for a byte order mark, and returns its value.
func takeMark(r *http.Request) (bool, error) {
	query := r.URL.Query()
	mark := query.Get(markName)
	if mark != "" && mark != "true" && mark != "false" {
		return false, problem.Invalid(markName, "must be true or false")
	}
	if mark != "" {
		query.Del(markName)
		r.URL.RawQuery = query.Encode()
	}
	return mark == "true", nil
}

// errHead ends an export of which only the header fields are asked for.
var errHead = errors.New("only the header fields are asked for")

// A csvWriter writes the parts of an export. Each write has its own deadline.
type csvWriter struct {
	writer  http.ResponseWriter
	control *http.ResponseController
	head    bool
	mark    bool // begin with a byte order mark
	begun   bool
}

// write writes a part, until the client has it or ctx ends.
func (c *csvWriter) write(ctx context.Context, part []byte) error {
	if !c.begun {
		c.begun = true
		h := c.writer.Header()
		h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		h.Set("Content-Disposition", `attachment; filename="records.csv"`)
		h.Set("Cache-Control", "no-store")
	}
	if c.head {
		return errHead
	}
	first := c.mark
	c.mark = false
	err := c.control.SetWriteDeadline(time.Now().Add(exportWriteTimeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("extending the deadline of an export: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = c.control.SetWriteDeadline(time.Unix(1, 0)) })()
	if first {
		if _, err := io.WriteString(c.writer, delimited.ByteOrderMark); err != nil {
			return fmt.Errorf("beginning an export: %w", err)
		}
	}
	if _, err = c.writer.Write(part); err == nil {
		if err = c.control.Flush(); errors.Is(err, http.ErrNotSupported) {
			err = nil
		}
	}
	return err //nolint:wrapcheck // an error of the connection
}
