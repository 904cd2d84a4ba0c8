package operation

import (
	"bytes"
	"maps"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

func recordSchema() *jsonschema.Schema {
	return part("Record", &jsonschema.Schema{
		Type: "object", Required: []string{"id", "fields"},
		Properties: map[string]*jsonschema.Schema{
			"id": {Type: "string"}, "createdTime": {Type: "string"}, "version": {Type: "integer"},
			"fields": {Type: "object"},
		},
	})
}

func recordListSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: recordSchema()}
}

// RecordPage is a page of records, as objects or in rows.
type RecordPage struct {
	record.Page
	columns, rows []byte // nil for records
}

// AppendJSON writes the page in its form.
func (p RecordPage) AppendJSON(dst []byte) []byte {
	if p.columns == nil {
		return p.Page.AppendJSON(dst)
	}
	dst = append(append(dst, `{"columns":`...), p.columns...)
	return p.AppendPosition(append(append(dst, `,"rows":`...), p.rows...))
}

// JSONSchema describes what AppendJSON writes.
func (RecordPage) JSONSchema() *jsonschema.Schema {
	properties := rowSchemas()
	maps.Copy(properties, map[string]*jsonschema.Schema{
		"records": recordListSchema(),
		"total":   {Type: "integer"}, "offset": {Type: "integer"}, "limit": {Type: "integer"},
		"hasMore": {Type: "boolean"}, "cursor": {Type: "string"}, "colors": {
			Type: "array", Description: "of the records, by the view of colorsOf; null is none",
			Items: &jsonschema.Schema{Types: []string{"string", "null"}},
		}, "problems": {
			Type: "array", Description: "of the view's filter, which lets nothing through until it is repaired",
			Items: part("ViewProblem", &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
				"path": {Type: "string"}, "message": {Type: "string"},
			}}),
		},
	})
	return eitherForm(&jsonschema.Schema{
		Type: "object", Required: []string{"total", "offset", "limit", "hasMore"}, Properties: properties,
	}, answerForm{"RecordPage", []string{"records"}}, answerForm{"RecordRows", []string{"columns", "rows"}})
}

// Record is one record.
type Record struct{ record.Record }

// JSONSchema describes what AppendJSON writes.
func (Record) JSONSchema() *jsonschema.Schema { return recordSchema() }

// RecordsWritten are the records that a write created or updated, or the result that the caller
// chose instead.
type RecordsWritten struct {
	record.Written
	form WriteForm
}

// AppendJSON writes the records, their ids or their number, and for an upsert also created and
// updated.
func (w RecordsWritten) AppendJSON(dst []byte) []byte {
	if w.form.Return == "" || w.form.Return == "records" {
		return w.Written.AppendJSON(dst)
	}
	if w.form.Return == "none" {
		dst = strconv.AppendInt(append(dst, `{"count":`...), int64(len(w.Records)), 10)
	} else {
		dst = w.appendIDs(append(dst, `{"ids":`...), recordIDs(w.Records))
	}
	if w.Upsert != nil {
		dst = w.appendIDs(append(dst, `,"created":`...), w.Upsert.Created)
		dst = w.appendIDs(append(dst, `,"updated":`...), w.Upsert.Updated)
	}
	return append(dst, '}')
}

func (w RecordsWritten) appendIDs(dst []byte, ids []string) []byte {
	var list array
	for _, public := range ids {
		if w.form.IDs == idsShort {
			public = id.Short(public)
		}
		list.add(field.AppendString(nil, public))
	}
	return append(dst, list.encode()...)
}

// recordIDs returns the ids of records.
func recordIDs(records [][]byte) []string {
	ids := make([]string, len(records))
	for i, raw := range records {
		_, rest, _ := bytes.Cut(raw, []byte(`{"id":"`)) // with which a record begins
		public, _, _ := bytes.Cut(rest, []byte(`"`))
		ids[i] = string(public)
	}
	return ids
}

// JSONSchema describes what AppendJSON writes.
func (RecordsWritten) JSONSchema() *jsonschema.Schema {
	ids := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
	return eitherForm(&jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{
			"records": recordListSchema(), "ids": ids, "count": {Type: "integer"}, "created": ids, "updated": ids,
		},
	}, answerForm{"RecordsWritten", []string{"records"}}, answerForm{"RecordIDsWritten", []string{"ids"}},
		answerForm{"RecordsCounted", []string{"count"}})
}
