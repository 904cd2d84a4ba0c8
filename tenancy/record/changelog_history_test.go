package record_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// historyEntry is an entry of a record's history.
type historyEntry struct {
	Version    int64                      `json:"version"`
	Time       time.Time                  `json:"time"`
	ChangeSet  string                     `json:"changeSet"`
	Request    string                     `json:"request"`
	Person     *struct{ ID, Name string } `json:"person"`
	Credential string                     `json:"credential"`
	Kind       string                     `json:"kind"`
	Changes    []historyChange            `json:"changes"`
	State      map[string]any             `json:"state"`
}

type historyChange struct {
	Field    struct{ ID, Name string } `json:"field"`
	From, To any
}

// history reads the history of a record in pages of a size.
func (b *bundle) history(t *testing.T, one string, size int) (entries []historyEntry, complete bool) {
	t.Helper()
	in := history.RecordRequest{Limit: size, State: true}
	for {
		page, err := history.OfRecord(t.Context(), b.db, b.engine, b.actor.Org, one, in)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Entries    []historyEntry
			Complete   bool
			NextCursor *string
		}
		if err := json.Unmarshal(page.AppendJSON(nil), &out); err != nil {
			t.Fatalf("%v in %s", err, page.AppendJSON(nil))
		}
		if len(out.Entries) > size {
			t.Fatalf("a page of %d has %d entries", size, len(out.Entries))
		}
		entries = append(entries, out.Entries...)
		if out.NextCursor == nil {
			return entries, out.Complete
		}
		if out.Complete || len(out.Entries) < size {
			t.Fatalf("a page of %d entries says that it is the last, and there is another", len(out.Entries))
		}
		in.Cursor = *out.NextCursor
	}
}

// checkHistories compares the history of every record with what the record was.
func (w *pastWorld) checkHistories() {
	w.t.Helper()
	for one, known := range w.past {
		entries, complete := w.history(w.t, one, 1+w.random.IntN(9))
		if !complete {
			w.t.Errorf("the history of %s does not lead to its creation", one)
		}
		w.checkHistory(one, entries, known)
	}
}

func (w *pastWorld) checkHistory(one string, entries []historyEntry, known []past) {
	w.t.Helper()
	number, _, _ := id.ParseRecord(one)
	table := w.tables[slices.IndexFunc(w.tables, func(t *schema.Table) bool { return t.Number == number })]
	states := map[int64]past{}
	for _, p := range known {
		states[p.version] = p
	}
	if w.gone[one] {
		if len(entries) == 0 || entries[0].Kind != "deleted" || entries[0].State != nil {
			w.t.Fatalf("the history of the deleted %s begins with %+v", one, entries)
		}
	} else if last := known[len(known)-1]; text(entries[0].State) != last.shown {
		w.t.Fatalf("%s is %s, and its history says %s", one, last.shown, text(entries[0].State))
	}
	for i, e := range entries {
		was := map[string]any{}
		if i+1 < len(entries) {
			if entries[i+1].Version >= e.Version {
				w.t.Fatalf("in the history of %s %d follows %d", one, entries[i+1].Version, e.Version)
			}
			was = entries[i+1].State
		}
		if (e.Kind == "created") != (i+1 == len(entries)) || (e.Kind == "deleted") != (e.State == nil) {
			w.t.Errorf("entry %d of %d of %s is %+v", i, len(entries), one, e)
		}
		if diff := cmp.Diff(differences(table, was, e.State), e.Changes); diff != "" {
			w.t.Fatalf("of %s from %s to %s: %s", one, text(was), text(e.State), diff)
		}
		if p, seen := states[e.Version]; seen {
			delete(states, e.Version)
			for _, f := range table.Fields {
				if got := plain(f, e.State[f.Name]); text(got) != text(p.fields[changelog.Key(&f.Field)]) {
					w.t.Fatalf("%s of %s at version %d is told as %s, and was %s", f.Name, one, e.Version, text(got),
						text(p.fields[changelog.Key(&f.Field)]))
				}
			}
		} else if e.Kind != "deleted" && (i == 0 || entries[i-1].Version > e.Version+ownLinks) { // see isOwn
			w.t.Fatalf("nobody has seen %s at version %d", one, e.Version)
		}
	}
	if len(states) > 0 {
		w.t.Fatalf("the history of %s does not tell %v", one, states)
	}
}

// differences are the changes from one state to another. A record that is not there holds nothing.
func differences(table *schema.Table, from, to map[string]any) []historyChange {
	changes := []historyChange{}
	for _, f := range table.Fields {
		change := historyChange{From: from[f.Name], To: to[f.Name]}
		if len(from) == 0 && change.To == false {
			change.To = nil
		}
		if len(to) == 0 && change.From == false {
			change.From = nil
		}
		change.Field.ID, change.Field.Name = f.PublicID(), f.Name
		if text(change.From) != text(change.To) {
			changes = append(changes, change)
		}
	}
	return changes
}

func TestAHistoryHasEveryKindOfField(t *testing.T) {
	t.Parallel()
	d := openDrawer(t)
	b := d.bundle
	me := id.Format(id.User, b.actor.Person)
	u := b.table(t, "T", everyField...)
	file := d.upload(t, u, "words.txt")
	one := b.create(t, u, `{"Name":"a","Notes":"é\nb","Mail":"a@example.com","Site":"https://example.com","Phone":"1",
		"N":1.5,"Price":2.25,"Share":0.5,"Stars":3,"Took":90,"Done":true,"Day":"2026-02-28","At":"2026-02-28T12:00:00Z",
		"State":"Closed, gone","Tags":["c,d","b \"q\""],"Who":"`+me+`","Team":["`+me+`"],"Doc":{"x":[1,null,1.10]},
		"Files":["`+file+`"]}`)[0].ID
	get := func() map[string]any {
		t.Helper()
		raw, err := b.engine.Get(t.Context(), b.actor, one)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, raw).Fields
	}
	first := get()
	clears := map[string]any{}
	for _, f := range everyField {
		if !f.Type.Info().ReadOnly {
			clears[f.Name] = nil
		}
	}
	clears["Done"] = false
	fields := jsonvaluetest.ParseObject(marshal(clears))
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, one, fields, false); err != nil {
		t.Fatal(err)
	}
	second := get()
	if _, err := b.engine.DeleteOne(t.Context(), b.actor, one); err != nil {
		t.Fatal(err)
	}
	entries, complete := b.history(t, one, 10)
	if !complete || len(entries) != 3 {
		t.Fatalf("%d entries: %+v", len(entries), entries)
	}
	for _, state := range []map[string]any{first, second} { // the entries say who changed it and when
		delete(state, "Changed")
		delete(state, "Editor")
	}
	table := b.schema(t, u)
	for i, want := range []struct {
		kind     string
		from, to map[string]any
	}{{"deleted", second, nil}, {"updated", first, second}, {"created", nil, first}} {
		e := entries[i]
		if e.Kind != want.kind {
			t.Errorf("entry %d is %s", i, e.Kind)
		}
		if diff := cmp.Diff(differences(table, want.from, want.to), e.Changes); diff != "" {
			t.Errorf("entry %d: %s", i, diff)
		}
		if diff := cmp.Diff(want.to, e.State); diff != "" {
			t.Errorf("entry %d: %s", i, diff)
		}
		if e.Person != nil || time.Since(e.Time).Abs() > time.Minute {
			t.Errorf("entry %d: %+v at %s", i, e.Person, e.Time)
		}
	}
}

func TestAHistorySaysWhoChangedARecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	one := b.create(t, u, `{"Name":"a"}`)[0].ID
	other := tenancytest.Person(t, b.db) // who is no member
	actor := db.Actor{Person: other, Credential: "key_x", Request: "named", ChangeSet: id.New()}
	as := record.Actor{Org: b.actor.Org, Person: other}
	fields := jsonvaluetest.ParseObject([]byte(`{"N":1}`))
	if _, err := b.engine.UpdateOne(db.WithActor(t.Context(), actor), as, one, fields, false); err != nil {
		t.Fatal(err)
	}
	entries, _ := b.history(t, one, 5)
	e := entries[0]
	if e.Person.ID != id.Format(id.User, other) || e.Person.Name != "" || e.Credential != "key_x" ||
		e.Request != "named" || e.ChangeSet != id.Format(id.ChangeSet, actor.ChangeSet) {
		t.Errorf("%+v by %+v", e, e.Person)
	}
	if e = entries[1]; e.Person != nil || e.Request != strings.Replace(e.ChangeSet, "chs_", "req_", 1) {
		t.Errorf("%+v", e)
	}
}

// The log of a record may begin after it: it was written by an earlier version, or the months of its
// creation are gone.
func TestAHistoryMayBeginAfterTheRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	one := b.create(t, u, `{"Name":"a"}`)[0].ID
	number, row, _ := id.ParseRecord(one)
	admin := tenancytest.Admin(t)
	execute := func(sql string, args ...any) {
		t.Helper()
		if _, err := admin.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	execute("delete from " + changelog.Relation(b.actor.Org))
	if entries, complete := b.history(t, one, 5); len(entries) != 0 || complete {
		t.Errorf("without a log: %v %t", entries, complete)
	}
	execute("update "+b.schema(t, u).Relation()+" set version = 0 where id = $1", row)
	if entries, complete := b.history(t, one, 5); len(entries) != 0 || complete {
		t.Errorf("before the log: %v %t", entries, complete)
	}
	for n := range 3 {
		fields := jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"N":%d}`, n))
		if _, err := b.engine.UpdateOne(t.Context(), b.actor, one, fields, false); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{1, 3, 5} {
		entries, complete := b.history(t, one, size)
		if len(entries) != 3 || complete || entries[2].Changes[0].From != nil || entries[2].Changes[0].To != 0.0 {
			t.Errorf("pages of %d: %+v %t", size, entries, complete)
		}
	}
	missing := id.FormatRecord(number, id.New())
	in := history.RecordRequest{Limit: 5}
	_, err := history.OfRecord(t.Context(), b.db, b.engine, b.actor.Org, missing, in)
	if problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("of no record: %v", err)
	}
	in.Cursor = "x"
	_, err = history.OfRecord(t.Context(), b.db, b.engine, b.actor.Org, one, in)
	wantItem(t, err, problem.KindInvalid, "cursor")
}

// restore writes a deleted record again, as a restoration does.
func (b *bundle) restore(t *testing.T, table *schema.Table, one, name string) {
	t.Helper()
	_, row, _ := id.ParseRecord(one)
	err := b.db.TableTx(t.Context(), b.actor.Org, table.Ref(), func(tx pgx.Tx) error {
		var deletion int64
		log := changelog.Relation(b.actor.Org)
		if err := tx.QueryRow(t.Context(), "select max(number) from "+log+" where kind = 3 and $1 = any (records)",
			row).Scan(&deletion); err != nil {
			return err
		}
		if _, err := tx.Exec(t.Context(), "insert into "+table.Relation()+" (id, version, "+
			table.Primary().Column()+") values ($1, "+db.ChangeNumber+", $2)", row, name); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "insert into "+log+" (number, change_set, table_number, kind, credential, "+
			"records, previous) values ("+db.ChangeNumber+", $1, $2, 5, '', $3, $4)", id.New(), table.Number,
			[]any{row}, []int64{deletion})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAHistoryGoesOnAfterADeletion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Gone", schema.Number))
	table := b.schema(t, u)
	one := b.create(t, u, `{"Name":"a","Gone":1}`)[0].ID
	var want []string
	for range 2 {
		if _, err := b.engine.DeleteOne(t.Context(), b.actor, one); err != nil {
			t.Fatal(err)
		}
		b.restore(t, table, one, "a")
		want = append([]string{"restored", "deleted"}, want...)
	}
	if err := b.store.DeleteField(t.Context(), b.actor.Org, table.Fields[1].ID); err != nil {
		t.Fatal(err)
	}
	fields := jsonvaluetest.ParseObject([]byte(`{"Name":"b"}`))
	if _, err := b.engine.UpdateOne(t.Context(), b.actor, one, fields, false); err != nil {
		t.Fatal(err)
	}
	want = append(append([]string{"updated"}, want...), "created")
	for _, size := range []int{1, 2, 10} {
		entries, complete := b.history(t, one, size)
		var kinds []string
		for i, e := range entries {
			kinds = append(kinds, e.Kind)
			from, to := any("a"), any("a")
			switch e.Kind {
			case "updated":
				to = "b"
			case "deleted":
				to = nil
			default:
				from = nil
			}
			if len(e.Changes) != 1 || e.Changes[0].From != from || e.Changes[0].To != to {
				t.Errorf("entry %d: %+v", i, e)
			}
		}
		if !slices.Equal(kinds, want) || !complete {
			t.Errorf("pages of %d: %v %t", size, kinds, complete)
		}
	}
}
