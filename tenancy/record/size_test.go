package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A record has a largest size, however it is written.
func TestARecordIsAtMostAMegabyte(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText), field("B", schema.LongText),
		field("J", schema.JSON), field("M", schema.MultiSelect, `{"options":["x"]}`))
	long := strings.Repeat("a", 600_000)
	large := `{"Name":"n","A":"` + long + `","B":"` + long + `"}`
	create := func(in record.Creation) error {
		_, err := b.engine.Create(t.Context(), b.actor, u, in)
		return err
	}
	wantItem(t, create(record.Creation{Records: parsed([]string{`{}`, large})}), problem.KindInvalid,
		"records[1].fields", "1200001 bytes", "1 MB")
	wantItem(t, create(record.Creation{Records: parsed([]string{large}), Single: true, Typecast: true}),
		problem.KindInvalid, "fields", "1 MB")
	wantItem(t, create(record.Creation{Records: parsed([]string{large}), UpsertOn: []string{"Name"}}),
		problem.KindInvalid, "records[0].fields", "1 MB")

	made := b.create(t, u, `{"Name":"n","A":"`+long+`"}`, `{"Name":"m","A":"`+long+`"}`)
	update := func(i int, fields string) error {
		_, err := b.engine.UpdateOne(t.Context(), b.actor, made[i].ID, jsonvaluetest.ParseObject([]byte(fields)), false)
		return err
	}
	wantItem(t, update(0, `{"B":"`+long+`"}`), problem.KindInvalid, "fields", "would make the record hold", "1 MB")
	wantItem(t, update(0, `{"J":["`+long+`"]}`), problem.KindInvalid, "fields", "1 MB")
	changes := []record.Change{
		{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"Name":"o"}`))},
		{ID: made[1].ID, Fields: jsonvaluetest.ParseObject([]byte(`{"B":"` + long + `"}`))},
	}
	_, err := b.engine.Update(t.Context(), b.actor, u, changes, false)
	wantItem(t, err, problem.KindInvalid, "records[1].fields", "1 MB")
	wantItem(t, create(record.Creation{
		Records:  parsed([]string{`{"Name":"m","B":"` + long + `"}`}),
		UpsertOn: []string{"Name"},
	}),
		problem.KindInvalid, "records[0].fields", "1 MB")

	// What fits is written, at any size; what was refused wrote nothing.
	if err := update(0, `{"B":"`+strings.Repeat("b", 400_000)+`"}`); err != nil {
		t.Fatal(err)
	}
	if err := update(0, `{"A":"`+strings.Repeat("b", 600_001)+`"}`); err != nil {
		t.Fatal(err)
	}
	if err := update(0, `{"A":""}`); err != nil {
		t.Fatal(err)
	}
	if _, records := b.list(t, u, query.Request{}); len(records) != 2 || records[1].Fields["B"] != nil ||
		records[0].Fields["Name"] != "n" {
		t.Errorf("%d records", len(records))
	}
}

// A write whose answer would be larger than an answer may be is refused before it is done.
func TestAWriteThatWouldAnswerWithTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText))
	var changes []record.Change
	for i := range 20 {
		made := b.create(t, u, `{"Name":"n","A":"`+strings.Repeat("a", 500_000)+`"}`)
		changes = append(changes, record.Change{
			ID:     made[0].ID,
			Fields: jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"Name":"%d"}`, i)),
		})
	}
	_, err := b.engine.Update(t.Context(), b.actor, u, changes, false)
	if problem.KindOf(err) != problem.KindTooLarge || !strings.Contains(err.Error(), "8 MB") {
		t.Fatalf("a batch that answers with 10 MB: %v", err)
	}
	if _, err := b.engine.Update(t.Context(), b.actor, u, changes[:10], false); err != nil {
		t.Fatal(err)
	}
	longDefault := `{"default":"` + strings.Repeat("d", 9_000) + `"}`
	fields := []catalog.FieldSpec{field("Name", schema.Text)}
	for i := range 12 {
		fields = append(fields, field(fmt.Sprint("F", i), schema.Text, longDefault))
	}
	u = b.table(t, "Defaults", fields...)
	empty := make([]string, 100)
	for i := range empty {
		empty[i] = `{}`
	}
	_, err = b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: parsed(empty)})
	if problem.KindOf(err) != problem.KindTooLarge {
		t.Fatalf("100 records of 108 kB by default: %v", err)
	}
}

// A page ends where its records are 8 MB large, and whoever goes on sees each record once.
func TestAPageEndsAtItsBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText), field("N", schema.Number))
	for i := range 18 {
		b.create(t, u, fmt.Sprintf(`{"Name":"find %02d","A":"%s","N":%d}`, i, strings.Repeat("a", 1_000_000), i%3))
	}
	for name, q := range map[string]query.Request{
		"all": {}, "search": {Search: "find"}, "sorted": {Sorts: []byte(`[{"fieldId":"N","dir":"desc"}]`)},
		"filtered": {
			Filters: []byte(`[{"fieldId":"N","op":"gte","value":0}]`),
			Sorts:   []byte(`[{"fieldId":"Name","dir":"desc"}]`),
		},
	} {
		for _, byCursor := range []bool{true, false} {
			if !byCursor && name != "all" && name != "search" {
				continue
			}
			seen, pages := map[string]bool{}, 0
			for q, more := q, true; more; {
				page, records := b.list(t, u, q)
				pages++
				size := 0
				for i, r := range records {
					size += len(page.Records[i])
					if seen[r.ID] {
						t.Errorf("%s: %s comes twice", name, r.Fields["Name"])
					}
					seen[r.ID] = true
				}
				if page.Total != 18 || size > membudget.MaxSize || len(records) == 0 || page.Limit != 100 ||
					page.HasMore != (len(seen) < 18) {
					t.Fatalf("%s: a page of %d records in %d bytes, total %d, limit %d, has more %t",
						name, len(records), size, page.Total, page.Limit, page.HasMore)
				}
				if page.HasMore != (page.Cursor != "") {
					t.Fatalf("%s: has more %t with the cursor %q", name, page.HasMore, page.Cursor)
				}
				if more = page.HasMore; byCursor {
					q.Cursor = page.Cursor
				} else {
					q.Offset += int64(len(records))
				}
			}
			if len(seen) != 18 || pages != 3 {
				t.Errorf("%s: %d records on %d pages", name, len(seen), pages)
			}
		}
	}
}

// A change without a field writes nothing.
func TestAnEmptyChangeLeavesTheTimeOfTheLastOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("On", schema.Checkbox), field("At", schema.LastModifiedTime))
	made := b.create(t, u, `{"Name":"a","On":true}`, `{"Name":"b"}`, `{"Name":"c"}`)
	time.Sleep(2 * time.Millisecond) // so that a write would show
	got, err := b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	if r := decode(t, got); r.Fields["At"] != made[0].Fields["At"] || r.Fields["Name"] != "a" ||
		r.Fields["On"] != true {
		t.Errorf("an empty change of one: %v", r)
	}
	change := func(bodies ...string) ([]rec, error) {
		var changes []record.Change
		for i, body := range bodies {
			changes = append(changes, record.Change{ID: made[i].ID, Fields: jsonvaluetest.ParseObject([]byte(body))})
		}
		written, err := b.engine.Update(t.Context(), b.actor, u, changes, false)
		return decodeAll(t, written.Records), err
	}
	for _, bodies := range [][]string{
		{`{}`, `{}`, `{}`}, {`{}`, `{"Name":"B"}`, `{}`}, {`{}`, `{"Name":"B"}`, `{"On":true}`},
	} {
		records, err := change(bodies...)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			if moved := r.Fields["At"] != made[i].Fields["At"]; r.ID != made[i].ID || moved != (bodies[i] != `{}`) {
				t.Errorf("%v: record %d is %v", bodies, i, r)
			}
		}
	}
	ghost := id.FormatRecord(b.schema(t, u).Number, id.New())
	if _, err := b.engine.UpdateOne(
		t.Context(), b.actor, ghost, jsonvaluetest.ParseObject([]byte(`{}`)), false,
	); problem.KindOf(err) != problem.KindNotFound {
		t.Error(err)
	}
	for _, body := range []string{`{}`, `{"Name":"Z"}`} {
		_, err = b.engine.Update(t.Context(), b.actor, u, []record.Change{
			{ID: made[0].ID, Fields: jsonvaluetest.ParseObject([]byte(body))},
			{ID: ghost, Fields: jsonvaluetest.ParseObject([]byte(`{}`))},
		}, false)
		if problem.KindOf(err) != problem.KindNotFound || !strings.Contains(err.Error(), ghost) {
			t.Error(err)
		}
	}
	if _, records := b.list(t, u, query.Request{}); records[0].Fields["Name"] != "a" {
		t.Error("half of a batch was written")
	}
}
