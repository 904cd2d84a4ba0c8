package record_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestSearchFindsWhatAReaderSees(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "S", everyField...)
	me := id.Format(id.User, b.actor.Person)
	b.create(t, u,
		`{"Name":"first 50%_off","Notes":"ΟΔΥΣΣΕΥΣ","Mail":"Ann@x.no","N":-12.5,"Day":"2024-02-29",`+
			`"State":"Closed, gone","Tags":["b \"q\""]}`,
		`{"Name":"second İstanbul","At":"2024-02-29T12:34:56Z","Doc":{"key":"wörld"},"Price":1e20,"Who":"`+me+`"}`,
		`{"Name":"third 50x_off","Notes":"back\\slash","Share":0.00001}`)
	cases := []struct{ text, want string }{
		{"FIRST", "0"},
		{"50%_", "0"},
		{" 50", "02"},
		{`\`, "2"},
		{"οδυσσευσ", "0"},
		{"ΟΔΥΣΣΕΥΣ", "0"},
		{"ann@X", "0"},
		{"-12.5", "0"},
		{"2024-02-29", "01"},
		{"closed, GONE", "0"},
		{`B "Q"`, "0"},
		{"istanbul", "1"},
		{"İSTANBUL", "1"},
		{"12:34:56.000Z", "1"},
		{"WÖRLD", "1"},
		{"World", "1"},
		{"ISTÄNBUL", "1"}, // accents of what is looked for do not matter either
		{"οδυσσεύς", "0"},
		{"100000000000000000000", "1"},
		{"0.00001", "2"},
		{"test PERSON", "1"},
		{"nothing at all", ""},
		{"i", "012"},
		{"x_o", "2"},
	}
	tab := b.schema(t, u)
	for _, c := range cases {
		for _, q := range []query.Request{
			{Search: c.text},
			{Search: c.text, Sorts: []byte(`[{"fieldId":"No"}]`)},
			{Search: c.text, Filters: []byte(`[{"fieldId":"No","op":"gt","value":0}]`)},
		} {
			if strings.Contains(c.text, "PERSON") { // every record has an author
				c.want = "012"
			}
			for range 2 { // the second time the total is remembered
				page, records := b.list(t, u, q)
				got := ""
				for _, r := range records {
					got += fmt.Sprint(r.Fields["No"].(float64) - 1)
				}
				if got != c.want || page.Total != int64(len(c.want)) {
					t.Errorf("%q found %q of %d, want %q", c.text, got, page.Total, c.want)
				}
			}
		}
	}
	page, err := b.engine.Search(t.Context(), b.actor, u, " 50", 1, 1, "")
	if err != nil || page.Total != 2 || len(page.Records) != 1 || page.HasMore {
		t.Errorf("second page of one: %+v %v", page, err)
	}
	_, err = b.engine.Search(t.Context(), b.actor, u, "", 1, 0, "")
	wantItem(t, err, problem.KindInvalid, "q")
	_, err = b.engine.Search(t.Context(), b.actor, u, "a\x00", 1, 0, "")
	wantItem(t, err, problem.KindInvalid, "q")

	// The functions by themselves search the present organization only, whatever schema the caller
	// names.
	other := setup(t)
	for _, org := range []uuid.UUID{b.actor.Org, other.actor.Org} {
		err = other.db.Batch(t.Context(), other.actor.Org, func(batch *pgx.Batch) {
			batch.Queue("select gate.find_records($1, $2, 's', '{}', '%', null, '{}', '{}', '{}')",
				organization.SchemaName(org), tab.Number)
		})
		if !pgerror.Is(err, db.StateSchemaChanged) {
			t.Errorf("searching a foreign table: %v", err)
		}
	}
}

// A search reads records by where they are, and an update moves them.
func TestASearchFindsAllWhileTheyMove(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Moving", field("Name", schema.Text), field("Count", schema.Number))
	rows := make([]string, 60)
	for i := range rows {
		rows[i] = `{"Name":"anchor","Count":0}`
	}
	moving := b.create(t, table, rows...)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var moved atomic.Int64
	for worker := range 4 {
		group.Go(func() {
			for n := worker; ctx.Err() == nil; n += 4 {
				_, err := b.engine.UpdateOne(ctx, b.actor, moving[n%len(moving)].ID,
					jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"Count":%d}`, n)), false)
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
				moved.Add(1)
			}
		})
	}
	for n := 0; n < 200 || moved.Load() < 200; n++ {
		for _, q := range []query.Request{
			{Search: "anchor", Limit: 100},
			{Search: "anchor", Limit: 100, Sorts: []byte(`[{"fieldId":"Count","dir":"desc"}]`)},
		} {
			page, err := b.engine.List(t.Context(), b.actor, table, q)
			if err != nil || page.Total != 60 || len(page.Records) != 60 {
				t.Fatalf("found %d records of %d: %v", len(page.Records), page.Total, err)
			}
		}
	}
	stop()
	group.Wait()
}

// A name is compared as the search folds it: the key of a name and gate.fold agree on every
// character.
func TestTheKeyOfANameIsWhatTheDatabaseFoldsItTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var names, keys []string
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && unicode.IsGraphic(r) {
			names = append(names, norm.NFC.String("A"+string(r)+"Σ"))
			keys = append(keys, naming.Key(names[len(names)-1]))
		}
	}
	var differ []string
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select coalesce(array_agg(n || ': ' || k || ' and ' || gate.fold(n)), '{}')
			from unnest($1::text[], $2::text[]) as u(n, k) where gate.fold(n) <> k`, names, keys).Scan(&differ)
	})
	if err != nil || len(differ) > 0 {
		t.Errorf("%d of %d names differ, %v: %.400q", len(differ), len(names), err, differ)
	}
}

// What a search has found is shown where the application finds it in the text, which folds Latin and Greek letters as
// the database does.
func TestTheSearchKeyIsWhatTheDatabaseFoldsATextTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var texts, keys []string
	for r := rune(0x20); r < 0x1F00; r++ {
		if unicode.IsLetter(r) && (r < 0x180 || r >= 0x386 && r < 0x3CF || r >= 0x1E00 && r < 0x1E98) {
			for _, form := range naming.Forms("A" + string(r)) {
				texts, keys = append(texts, form), append(keys, naming.SearchKey(form))
			}
		}
	}
	var differ []string
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select array(select n || ': ' || k || ' and ' || gate.search_fold(n)
			from unnest($1::text[], $2::text[]) as u(n, k) where gate.search_fold(n) <> k)`, texts, keys).Scan(&differ)
	})
	if err != nil || len(differ) > 0 {
		t.Errorf("%d of %d texts differ, %v: %.800q", len(differ), len(texts), err, differ)
	}
}
