package record_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The numbers of a JSON value come back as they were sent, and an answer is no larger than what was
// sent.
func TestJSONKeepsTheBytesOfItsNumbers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("J", schema.JSON))
	many := `[` + strings.Repeat(`1e308,`, 100_000) + `1]`
	for _, value := range []string{
		`[1e308, 1E5,-0, 1.50, 5e-324, 1e-20000]`, `1e21`, `{"` + "\ue000" + `": "1"}`, `{"\ue000": 1, "b": "ø"}`, many,
		`{"a": "line\nend \"quoted\" \\ 1e5", "n": 2e3}`,
	} {
		written, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
			Records: parsed([]string{`{"J":` + value + `}`}),
		})
		if err != nil {
			t.Fatal(err)
		}
		made := decode(t, written.Records[0])
		read, err := b.engine.Get(t.Context(), b.actor, made.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, answer := range [][]byte{written.Records[0], read} {
			if !bytes.Contains(answer, []byte(`"J":`+value)) {
				t.Errorf("%.80s comes back in %d bytes as %.200s", value, len(answer), answer)
			}
		}
		if _, err := b.engine.UpdateOne(
			t.Context(), b.actor, made.ID, jsonvaluetest.ParseObject([]byte(`{"Name":"seen","J":`+value+`}`)), false,
		); err != nil {
			t.Fatal(err)
		}
	}
	if page, _ := b.list(t, u, query.Request{Search: "5e-324"}); page.Total != 1 {
		t.Errorf("a number is found as it was sent in %d records", page.Total)
	}
	f := b.schema(t, u).FieldByName("J")
	if err := catalog.Retype(t.Context(), b.store, b.actor.Org, f.ID, catalog.TypeChange{
		Type:  schema.LongText,
		Patch: catalog.FieldPatch{Discard: true},
	}); err != nil {
		t.Fatal(err)
	}
	if _, records := b.list(t, u, query.Request{
		Limit: 1,
	}); records[0].Fields["J"] != `[1e308, 1E5,-0, 1.50, 5e-324, 1e-20000]` {
		t.Errorf("as text it is %.80v", records[0].Fields["J"])
	}
}
