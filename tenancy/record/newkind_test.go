package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	fieldkind "github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// release is a kind of field that the product does not have: the number of a release, such as
// 1.10.2, which comes after 1.9. The engine learns of it by this one value.
var _ = fieldkind.Register(&release{fieldkind.Base{Fixed: fieldkind.Info{
	Type:        "release",
	Place:       1000,
	Title:       "Release",
	Description: "The number of a release, as 1.10.2.",
	Value:       `{"type":["string","null"]}`,
	Column:      "text",
	Unique:      true,
	UpsertKey:   true,
	Convertible: true,
	Primary:     true,
	Unindexed:   true,
}}})

type release struct{ fieldkind.Base }

var releaseNumber = regexp.MustCompile(`^\d{1,4}(\.\d{1,4}){0,3}$`)

func (*release) Decode(in *fieldkind.Input, raw []byte) (any, error) {
	text := string(raw)
	switch {
	case jsonvalue.Kind(raw) == jsonvalue.String:
		decoded, err := jsonvalue.Unquote(raw)
		if err != nil {
			return nil, err
		}
		text = decoded
	case !in.Typecast:
		return nil, fmt.Errorf("must be a release as a string, not %s", jsonvalue.Describe(raw))
	}
	if in.Typecast {
		text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	}
	if !releaseNumber.MatchString(text) {
		return nil, fmt.Errorf("%s is not the number of a release, as 1.10.2", fieldkind.Quote(text))
	}
	return text, nil
}

func (*release) Select(f *fieldkind.Field) string { return "t." + f.Column() }

func (*release) Encoder(*fieldkind.Field, fieldkind.FileLinks) fieldkind.Encoder {
	return fieldkind.AppendString[[]byte]
}

func (k *release) Operators() []fieldkind.Operator {
	operand := &fieldkind.Operand{Name: "release", Description: "The number of a release.", Schema: `{"type":"string"}`}
	compare := func(op fieldkind.Op, sign string) fieldkind.Operator {
		return fieldkind.Operator{
			Op: op, Operand: operand,
			Read: func(f *fieldkind.Field, _ fieldkind.Op, raw []byte) (any, error) {
				value, err := k.Decode(&fieldkind.Input{Field: f}, raw)
				if err != nil {
					return nil, err
				}
				return parts(value.(string)), nil
			},
			SQL: func(q fieldkind.Args, f *fieldkind.Field, value any) string {
				return f.Order("t.") + sign + q.Add(value) + "::integer[]"
			},
		}
	}
	return append([]fieldkind.Operator{compare(fieldkind.Eq, " = "), compare(fieldkind.Gte, " >= ")},
		fieldkind.EmptyOperators...)
}

func parts(text string) []int32 {
	var out []int32
	for part := range strings.SplitSeq(text, ".") {
		n, _ := strconv.ParseInt(part, 10, 32) // digits
		out = append(out, int32(n))
	}
	return out
}

func (*release) Order(_ *fieldkind.Field, column string) string {
	return "(string_to_array(" + column + ", '.')::integer[])"
}

func (*release) SortKey(raw []byte) (any, bool) {
	var numbers []int32
	err := pgtype.NewMap().Scan(pgtype.Int4ArrayOID, pgtype.BinaryFormatCode, raw, &numbers)
	return numbers, err == nil
}

func (k *release) Aggregates() []fieldkind.Aggregate {
	newest := func(f *fieldkind.Field) string { return "array_to_string(max" + k.Order(f, "t."+f.Column()) + ", '.')" }
	return []fieldkind.Aggregate{fieldkind.CountValues, {Name: "max", SQL: newest}}
}

func (*release) Search(s *fieldkind.Search, f *fieldkind.Field) {
	s.Columns = append(s.Columns, f.Number)
}

func (*release) Size(column string) string { return "coalesce(octet_length(" + column + "), 0)" }

func (*release) Show(_ *fieldkind.Field, _ fieldkind.Names, value any) fieldkind.Shown {
	return fieldkind.Shown{Text: fmt.Sprint("v", value), NoWrap: true}
}

func TestAKindOfFieldIsOneValue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	u := b.table(t, "Releases", field("Name", "text"),
		field("Number", "release", `{"description":"of the product","default":"0.1"}`), field("Said", "text"))
	releases := func(q query.Request) []any {
		t.Helper()
		_, records := b.list(t, u, q)
		return column(records, "Number")
	}
	want := func(what string, got []any, want ...any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}

	// Written and read.
	made := b.create(t, u, `{"Name":"a","Number":"1.9"}`, `{"Name":"b","Number":"1.10.2","Said":"v2"}`,
		`{"Name":"c","Number":null}`, `{"Name":"d"}`)
	want("written", column(made, "Number"), "1.9", "1.10.2", nil, "0.1")
	one, err := b.engine.Get(ctx, b.actor, made[1].ID)
	if err != nil || decode(t, one).Fields["Number"] != "1.10.2" {
		t.Errorf("read: %s %v", one, err)
	}
	_, err = b.engine.Create(ctx, b.actor, u, record.Creation{Records: parsed([]string{`{"Number":"soon"}`})})
	wantItem(t, err, problem.KindInvalid, "records[0].fields.Number", `"soon" is not the number of a release`)
	_, err = b.engine.Create(ctx, b.actor, u, record.Creation{
		Records:  parsed([]string{`{"Name":"e","Number":" v2 "}`}),
		Typecast: true,
	})
	if err != nil {
		t.Error(err)
	}

	// Filtered, sorted page by page, searched.
	want("filtered", releases(query.Request{Filters: []byte(`[{"fieldId":"Number","op":"gte","value":"1.10"}]`)}),
		"1.10.2", "2")
	want("without one", releases(query.Request{Filters: []byte(`[{"fieldId":"Number","op":"is_empty"}]`)}), nil)
	_, err = b.engine.List(ctx, b.actor, u, query.Request{
		Limit:   1,
		Filters: []byte(`[{"fieldId":"Number","op":"lt","value":"1"}]`),
	})
	wantItem(t, err, problem.KindInvalid, "filters[0].op", "the operators are eq, gte, is_empty, is_not_empty")
	var sorted []any
	for q := (query.Request{Limit: 2, Sorts: []byte(`[{"fieldId":"Number","dir":"desc"}]`)}); ; {
		page, records := b.list(t, u, q)
		sorted = append(sorted, column(records, "Number")...)
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	want("sorted", sorted, "2", "1.10.2", "1.9", "0.1", nil)
	want("searched", releases(query.Request{Search: "1.1"}), "1.10.2")

	// Aggregated, and grouped by.
	groups, err := b.engine.Aggregate(ctx, b.actor, u, query.Aggregation{
		Functions: []byte(`[{"fn":"count","fieldId":"Number"},{"fn":"max","fieldId":"Number"}]`),
	})
	if err != nil || len(groups.Groups) != 1 ||
		string(groups.Groups[0]) != `{"key":{},"results":{"count(Number)":4,"max(Number)":"2"}}` {
		t.Errorf("aggregated: %s %v", groups.Groups, err)
	}
	groups, err = b.engine.Aggregate(ctx, b.actor, u, query.Aggregation{GroupBy: []string{"Number"}, Limit: 1})
	if err != nil || len(groups.Groups) != 1 ||
		string(groups.Groups[0]) != `{"key":{"Number":"0.1"},"results":{"count":1}}` {
		t.Errorf("grouped: %s %v", groups.Groups, err)
	}

	// Matched on, and changed.
	written, err := b.engine.Create(ctx, b.actor, u, record.Creation{
		Records: parsed([]string{`{"Name":"renamed","Number":"1.9"}`}), UpsertOn: []string{"Number"},
	})
	if err != nil || len(written.Upsert.Updated) != 1 || written.Upsert.Updated[0] != made[0].ID {
		t.Errorf("upserted: %+v %v", written.Upsert, err)
	}

	// Converted, in both directions.
	tab := b.schema(t, u)
	retype := func(name string, to schema.Type, discard bool) error {
		return catalog.Retype(ctx, b.store, b.actor.Org, tab.FieldByName(name).ID, catalog.TypeChange{
			Type:  to,
			Patch: catalog.FieldPatch{Discard: discard},
		})
	}
	if err := retype("Said", "release", false); err != nil {
		t.Error(err)
	}
	var lost *problem.Error
	if err := retype("Name", "release", false); !errors.As(err, &lost) || lost.Code != "values_would_be_lost" ||
		len(lost.Items) != 5 {
		t.Errorf("names become releases: %v", err)
	}
	if err := retype("Number", "text", false); err != nil {
		t.Error(err)
	}
	_, records := b.list(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Name"}]`)})
	want("converted to text", column(records, "Number"), "1.10.2", nil, "0.1", "2", "1.9")
	want("converted from text", column(records, "Said"), "2", nil, nil, nil, nil)

	// Exported, and described.
	said := b.schema(t, u).FieldByName("Said")
	shown := said.Kind.Show(&said.Field, nil, records[0].Fields["Said"])
	if shown.Plain() != "v2" {
		t.Errorf("exported: %q", shown.Plain())
	}
	described, err := json.Marshal(fieldkind.Describe())
	if err != nil || !strings.Contains(string(described), `"type":"release"`) ||
		!strings.Contains(string(described), `{"op":"gte","operand":"release"}`) {
		t.Errorf("the catalogue does not describe it, %v", err)
	}
}
