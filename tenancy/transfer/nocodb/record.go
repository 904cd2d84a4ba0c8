package nocodb

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// key is the column with which rows are named, or nil.
func (t *table) key() *column {
	for i := range t.Columns {
		if t.Columns[i].Key {
			return &t.Columns[i]
		}
	}
	return nil
}

// keyOf is what names a row: the values of its key, as addresses of rows have them.
func (t *table) keyOf(row map[string]json.RawMessage) string {
	var parts []string
	for i := range t.Columns {
		if t.Columns[i].Key {
			parts = append(parts, product.Text(row[t.Columns[i].Title]))
		}
	}
	return strings.Join(parts, "___")
}

// id names a row of the base.
func (t *table) id(key string) string { return t.ID + ":" + key }

// record is a row as imports read it. Links that take requests of their own come if they are wanted.
func (s *Session) record(
	ctx context.Context, t *product.Table, own *table, row map[string]json.RawMessage, links bool,
) (*product.Record, error) {
	key := own.keyOf(row)
	out := &product.Record{ID: own.id(key), Fields: map[string]json.RawMessage{}}
	for i := range own.Columns {
		if c := &own.Columns[i]; c.Type == "CreatedTime" && row[c.Title] != nil {
			out.CreatedTime = timeOf(product.Text(row[c.Title]))
			break
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		raw := row[f.Column]
		var err error
		switch {
		case isEmpty(raw) || f.Unread:
			continue
		case f.Way == product.Files:
			raw = s.files(raw)
		case f.Way == product.Linked:
			if raw, err = s.links(ctx, own, f, key, row, links); err != nil {
				return nil, err
			}
		}
		if raw != nil {
			out.Fields[f.ID] = raw
		}
	}
	return out, nil
}

func isEmpty(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null" || string(raw) == `""`
}

// links are the ids in a cell of a link: of the row that it has itself, or of those that another request lists.
func (s *Session) links(
	ctx context.Context, own *table, f *product.Field, key string, row map[string]json.RawMessage, wanted bool,
) (json.RawMessage, error) {
	related, raw := s.tables[f.LinkedTable], row[f.Column]
	if related == nil || string(raw) == "0" {
		return nil, nil
	}
	var one map[string]json.RawMessage
	if json.Unmarshal(raw, &one) == nil {
		return jsonvalue.Must([]string{related.id(related.keyOf(one))}), nil
	}
	var keys []string
	var rows []map[string]json.RawMessage
	if json.Unmarshal(raw, &rows) == nil {
		for _, row := range rows {
			keys = append(keys, related.keyOf(row))
		}
	} else if keys = s.among(own, f, row); keys == nil && wanted {
		var err error
		if keys, err = s.linked(ctx, own, f.ID, key, related); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	for i := range keys {
		keys[i] = related.id(keys[i])
	}
	return jsonvalue.Must(keys), nil
}

// among finds the keys of linked rows in a row, which has rows of the junction between both tables, but not all if they
// are many. It returns nil unless they are as many as the cell of the link counts.
func (s *Session) among(t *table, f *product.Field, row map[string]json.RawMessage) []string {
	own := t.column(f.ID)
	if own == nil || s.tables[own.Options.Junction] == nil {
		return nil
	}
	related := s.tables[own.Options.Junction].column(own.Options.JunctionRelated)
	if related == nil {
		return nil
	}
	for i := range t.Columns {
		var pairs []map[string]json.RawMessage
		c := &t.Columns[i]
		if c.Options.RelatedTable != own.Options.Junction || json.Unmarshal(row[c.Title], &pairs) != nil {
			continue
		}
		if strconv.Itoa(len(pairs)) != string(row[f.Column]) {
			return nil
		}
		keys := make([]string, len(pairs))
		for i, pair := range pairs {
			if keys[i] = product.Text(pair[related.Title]); keys[i] == "" {
				return nil
			}
		}
		return keys
	}
	return nil
}

// column finds a column by its id, or returns nil.
func (t *table) column(id string) *column {
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}

// files is a cell of attachments, with the addresses from which they can be fetched.
func (s *Session) files(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil { // as some versions write it
		raw = json.RawMessage(text)
	}
	var files []file
	if json.Unmarshal(raw, &files) != nil || len(files) == 0 {
		return nil
	}
	out := make([]product.Attachment, len(files))
	for i := range files {
		f := &files[i]
		at := product.Attachment{ID: f.ID, Filename: f.Title, Size: f.Size}
		if at.ID == "" {
			at.ID = f.Path + f.URL
		}
		switch {
		case f.SignedURL != "":
			at.URL = f.SignedURL
		case f.SignedPath != "":
			at.URL = s.address + "/" + strings.TrimPrefix(f.SignedPath, "/")
		case f.URL != "":
			at.URL = f.URL
		default:
			at.URL = s.address + "/" + strings.TrimPrefix(f.Path, "/")
		}
		out[i] = at
	}
	return jsonvalue.Must(out)
}

// timeOf is a time with the form of RFC 3339: NocoDB writes 2024-03-01 09:00:00+00:00.
func timeOf(s string) string { return strings.Replace(s, " ", "T", 1) }
