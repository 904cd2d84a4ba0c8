package feed_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestChangesOfARecord(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things", field("Name", schema.Text, "{}"),
		field("Count", schema.Number, "{}"), field("Note", schema.Text, "{}"))
	start := w.now()
	one := w.create(table, `{"Name":"A","Count":1}`)[0]
	w.update(one, `{"Count":2}`)
	w.update(one, `{"Name":"B","Note":"x"}`)
	w.update(one, `{"Count":null}`)
	w.delete(table, one)
	w.restore(table, one)
	got := w.read(start, 100, feed.Filter{})
	type sides struct {
		kind          string
		before, after map[string]any
	}
	want := []sides{
		{"created", nil, map[string]any{"Name": "A", "Count": 1., "Note": nil}},
		{"updated", map[string]any{"Count": 1.}, map[string]any{"Count": 2.}},
		{"updated", map[string]any{"Name": "A", "Note": nil}, map[string]any{"Name": "B", "Note": "x"}},
		{"updated", map[string]any{"Count": 2.}, map[string]any{"Count": nil}},
		{"deleted", map[string]any{"Name": "B", "Count": nil, "Note": "x"}, nil},
		{"restored", nil, map[string]any{"Name": "B", "Count": nil, "Note": "x"}},
	}
	if len(got) != len(want) {
		t.Fatalf("read %d changes: %+v", len(got), got)
	}
	fields := map[string]string{}
	for _, f := range table.Fields {
		fields[f.Name] = f.PublicID()
	}
	for i, c := range got {
		if (sides{c.Kind, c.Before, c.After}).kind != want[i].kind || !reflect.DeepEqual(c.Before, want[i].before) ||
			!reflect.DeepEqual(c.After, want[i].after) {
			t.Errorf("change %d is %s from %v to %v, and not %v", i, c.Kind, c.Before, c.After, want[i])
		}
		if c.Table != table.PublicID() || c.Record != one || c.ChangeSet != id.Format(id.ChangeSet, w.set) ||
			c.Request != "mine" || c.Person.ID != id.Format(id.User, w.actor.Person) ||
			c.Person.Name != "Test Person" || c.Credential != "key_feed" || i > 0 && c.Version <= got[i-1].Version ||
			!strings.HasPrefix(c.Time, changelog.TimeOf(c.Version).Format("2006-01-02T15:04:05")) {
			t.Errorf("change %d says %+v", i, c)
		}
		for name := range c.After {
			if c.FieldIDs[name] != fields[name] {
				t.Errorf("the id of %s is %q", name, c.FieldIDs[name])
			}
		}
	}
	// From each change on.
	for i, c := range got {
		at, err := feed.ParsePosition("cursor", c.Cursor)
		w.must(err)
		if rest := w.read(at, 2, feed.Filter{}); !reflect.DeepEqual(rest, append([]change(nil), got[i+1:]...)) {
			t.Errorf("after change %d follow %+v", i, rest)
		}
	}
	kinds := feed.Filter{Kinds: []changelog.Kind{changelog.Deleted, changelog.Created}}
	if some := w.read(start, 1, kinds); len(some) != 2 || some[0].Kind != "created" || some[1].Kind != "deleted" {
		t.Errorf("the filter by kind gave %+v", some)
	}
	other := w.table("Other")
	if some := w.read(start, 1, feed.Filter{Tables: []uuid.UUID{other.ID}}); slices.ContainsFunc(some,
		func(c change) bool { return c.Table != other.PublicID() }) || len(some) == 0 {
		t.Errorf("the filter by table gave %+v", some)
	}
}

func TestAPageMayEndInsideAnEntry(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things")
	start := w.now()
	var names []string
	for i := range 25 {
		names = append(names, fmt.Sprintf(`{"Name":"%d"}`, i))
	}
	ids := w.create(table, names...)
	w.delete(table, ids...)
	want := w.read(start, 100, feed.Filter{})
	if len(want) != 50 {
		t.Fatalf("read %d changes", len(want))
	}
	for _, limit := range []int{1, 7, 25, 49} {
		if got := w.read(start, limit, feed.Filter{}); !reflect.DeepEqual(got, want) {
			t.Errorf("by %d, read %+v", limit, got)
		}
	}
	for i, c := range want {
		if (i < 25) != (c.Kind == "created") || i%25 > 0 && c.Version != want[i-1].Version {
			t.Errorf("change %d is %+v", i, c)
		}
	}
}

func TestLinksAreChangesOfBothSides(t *testing.T) {
	t.Parallel()
	w := setup(t)
	countries, airports := w.table("Countries"), w.table("Airports")
	w.link(airports, countries, "Country", false)
	inverse := w.fresh(countries.ID).Fields[len(w.fresh(countries.ID).Fields)-1].Name
	at := w.create(countries, `{"Name":"Austria"}`)[0]
	ch := w.create(countries, `{"Name":"Switzerland"}`)[0]
	start := w.now()
	vie := w.create(airports, fmt.Sprintf(`{"Name":"VIE","Country":[%q]}`, at))[0]
	w.update(vie, fmt.Sprintf(`{"Name":"ZRH","Country":[%q]}`, ch))
	w.delete(airports, vie)
	got := w.read(start, 100, feed.Filter{})
	line := func(c change) string {
		name := map[string]string{at: "at", ch: "ch", vie: "vie"}[c.Record]
		raw, err := json.Marshal([]any{c.Before, c.After, c.Links})
		w.must(err)
		text := strings.NewReplacer(at, "at", ch, "ch", vie, "vie", inverse, "Airports").Replace(string(raw))
		return name + " " + c.Kind + " " + text
	}
	var lines []string
	for _, c := range got {
		lines = append(lines, line(c))
	}
	slices.Sort(lines)
	want := []string{
		`at linked [null,null,{"Airports":{"Added":["vie"],"Removed":[]}}]`,
		`at linked [null,null,{"Airports":{"Added":[],"Removed":["vie"]}}]`,
		`ch linked [null,null,{"Airports":{"Added":["vie"],"Removed":[]}}]`,
		`ch linked [null,null,{"Airports":{"Added":[],"Removed":["vie"]}}]`,
		`vie created [null,{"Country":["at"],"Name":"VIE"},null]`,
		`vie deleted [{"Country":["ch"],"Name":"ZRH"},null,null]`,
		`vie updated [{"Country":["at"],"Name":"VIE"},{"Country":["ch"],"Name":"ZRH"},null]`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("read\n%s\nand not\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatIsGoneIsLeftOut(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things", field("Name", schema.Text, "{}"),
		field("Secret", schema.Text, "{}"), field("Typed", schema.Text, "{}"))
	start := w.now()
	one := w.create(table, `{"Name":"A","Secret":"s","Typed":"text"}`)[0]
	w.update(one, `{"Secret":"t","Typed":"7"}`)
	two := w.create(table, `{"Name":"Purged"}`)[0]
	w.update(two, `{"Name":"Scrubbed"}`)
	w.delete(table, two)
	_, row, err := id.ParseRecord(two)
	w.must(err)
	w.must(w.store.PurgeRecords(w.ctx, w.actor.Org, table.ID, []uuid.UUID{row}))
	w.must(w.store.DeleteField(w.ctx, w.actor.Org, table.FieldByName("Secret").ID))
	records := feed.Filter{Kinds: []changelog.Kind{changelog.Created, changelog.Updated, changelog.Deleted}}
	got := w.read(start, 100, records)
	if len(got) != 5 {
		t.Fatalf("read %+v", got)
	}
	if want := map[string]any{"Name": "A", "Typed": "text"}; !reflect.DeepEqual(got[0].After, want) {
		t.Errorf("created as %v", got[0].After)
	}
	if want := map[string]any{"Typed": "7"}; !reflect.DeepEqual(got[1].After, want) || got[1].FieldIDs["Secret"] != "" {
		t.Errorf("updated to %v, %v", got[1].After, got[1].FieldIDs)
	}
	if want := map[string]any{"Name": "Purged"}; !reflect.DeepEqual(got[2].After, want) {
		t.Errorf("created as %v, but only the name is known", got[2].After)
	}
	if got[3].Before["Name"] != "Purged" || got[3].After["Name"] != nil || len(got[4].Before) > 0 {
		t.Errorf("what was purged is told: %+v, %+v", got[3], got[4])
	}
	// The feed of a deleted table has its deletion and none of its records.
	w.must(w.store.DeleteTable(w.ctx, w.actor.Org, table.ID))
	if got := w.read(start, 100, records); len(got) > 0 {
		t.Errorf("of a deleted table, read %+v", got)
	}
	read := w.read(start, 3, feed.Filter{Kinds: []changelog.Kind{changelog.Schema}})
	gone := slices.IndexFunc(read, func(c change) bool { return c.ID == table.PublicID() && c.After == nil })
	if gone < 0 || read[gone].Before["name"] != "Things" || read[gone].Object != "table" {
		t.Errorf("the deletion of the table is not read: %+v", read)
	}
}

func TestChangesOfTheSchema(t *testing.T) {
	t.Parallel()
	w := setup(t)
	start := w.now()
	table := w.table("Things")
	name := "Renamed"
	w.must(w.store.UpdateBase(w.ctx, w.actor.Org, w.base, catalog.Patch{Name: &name}, nil))
	other, err := w.store.CreateBase(w.ctx, w.actor.Org, uuid.Nil, "Other base")
	w.must(err)
	_, err = w.store.CreateTable(w.ctx, w.actor.Org, other.ID, "Elsewhere", nil)
	w.must(err)
	made, err := w.store.CreateField(w.ctx, w.actor.Org, table.ID, field("Price", schema.Number, "{}"))
	w.must(err)
	w.must(w.store.UpdateField(w.ctx, w.actor.Org, made.ID, catalog.FieldPatch{Name: &name}))
	mine := schema.Viewer{Person: w.actor.Person}
	view, err := w.store.CreateView(w.ctx, w.actor.Org, table.ID,
		catalog.ViewSpec{Type: "grid", Name: "Mine", By: mine, Access: schema.Personal})
	w.must(err)
	shared := schema.Collaborative
	w.must(w.store.UpdateView(w.ctx, w.actor.Org, view.ID, catalog.ViewPatch{By: mine, Access: &shared}))
	lines := func(changes []change) []string {
		var out []string
		for _, c := range changes {
			out = append(out, fmt.Sprintf("%s %s %v %v", c.Object, c.Name, c.Before["name"], c.After["name"]))
			if c.Kind != "schema" || c.Record != "" || strings.Contains(fmt.Sprint(c.Before, c.After), "number:") {
				t.Errorf("a change of the schema is %+v", c)
			}
		}
		return out
	}
	want := []string{
		"table Things <nil> Things", "field Name <nil> Name", "view Grid view <nil> Grid view",
		"base Renamed Base Renamed", "field Price <nil> Price", "field Renamed Price Renamed", "view Mine <nil> Mine",
		"view Mine <nil> <nil>",
	}
	for _, limit := range []int{1, 2, 100} {
		own := feed.Viewer{Viewer: mine, Schema: true}
		if got := lines(w.read(start, limit, feed.Filter{Viewer: &own})); !slices.Equal(got, want) {
			t.Errorf("read\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		// To others the view is made when it becomes everybody's.
		others := feed.Viewer{Viewer: schema.Viewer{Person: id.New()}, Schema: true}
		theirs := append(slices.Clone(want[:6]), "view Mine <nil> Mine")
		if got := lines(w.read(start, limit, feed.Filter{Viewer: &others})); !slices.Equal(got, theirs) {
			t.Errorf("others read\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(theirs, "\n"))
		}
		none := feed.Viewer{Viewer: schema.Viewer{Admin: true}}
		if got := w.read(start, limit, feed.Filter{Viewer: &none}); len(got) > 0 {
			t.Errorf("without the right to see the schema, read %+v", got)
		}
	}
}

func TestACursorExpires(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things")
	w.create(table, `{"Name":"A"}`)
	packed, err := base64.RawURLEncoding.DecodeString(w.now().String())
	w.must(err)
	// What happened within minutes is kept in any case.
	binary.BigEndian.PutUint64(packed, binary.BigEndian.Uint64(packed)-uint64(time.Hour.Microseconds()))
	old, err := feed.ParsePosition("cursor", base64.RawURLEncoding.EncodeToString(packed))
	w.must(err)
	// The oldest part that is kept now begins later.
	name := organization.SchemaName(w.actor.Org)
	w.must(w.db.SchemaTx(w.ctx, w.actor.Org, func(tx pgx.Tx) error {
		if w.db.Distributed() { // the log has no parts
			_, err := tx.Exec(w.ctx, "update "+name+".change set number = 253339228800000000 where kind = 1")
			if err == nil {
				_, err = tx.Exec(w.ctx, "delete from "+name+".change where kind <> 1")
			}
			return err
		}
		var parts []string
		rows, err := tx.Query(w.ctx, "select inhrelid::regclass::text from pg_inherits where inhparent = "+
			"to_regclass($1)", name+".change")
		if err != nil {
			return err
		}
		if parts, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			return err
		}
		part := name + ".change_9998_01"
		_, err = tx.Exec(w.ctx, "drop table "+strings.Join(parts, ", ")+"; create table "+part+" partition of "+
			name+".change for values from (253339228800000000) to (253341907200000000); alter table "+part+
			" enable row level security, force row level security") // as a test of all tables asks
		return err
	}))
	_, err = w.Read(w.ctx, w.actor.Org, w.base, old, 100, feed.Filter{})
	var refused *problem.Error
	if !errors.As(err, &refused) || refused.Kind != problem.KindGone || refused.Code != "cursor_expired" ||
		!strings.Contains(refused.Message, "earliest") {
		t.Errorf("an old cursor gives %v", err)
	}
	if got := w.read(feed.Position{}, 100, feed.Filter{}); len(got) > 0 {
		t.Errorf("from the start, read %+v", got)
	}
}

func TestWrongCursors(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{"x", "earliest", strings.Repeat("A", 38) + "!", strings.Repeat("_", 39), "AAAA"} {
		if _, err := feed.ParsePosition("cursor", cursor); problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%q gives %v", cursor, err)
		}
	}
}

func TestTheFeedEndsAtTheHorizon(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things")
	start := w.now()
	// A transaction that drew its number has not ended; another one that came later has.
	begun, commit, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- w.db.TableTx(w.ctx, w.actor.Org, table.Ref(), func(pgx.Tx) error {
			close(begun)
			<-commit
			return nil
		})
	}()
	<-begun
	w.create(table, `{"Name":"Later"}`)
	read := make(chan []change, 1)
	go func() { read <- w.read(start, 100, feed.Filter{}) }()
	select {
	case got := <-read:
		t.Errorf("read %+v past a writer at work", got)
	default:
	}
	close(commit)
	w.must(<-done)
	if got := <-read; len(got) != 1 {
		t.Errorf("read %+v", got)
	}
}

// A cursor that somebody made up must not take those who share its reader into the future.
func TestACursorOfTheFutureIsThatOfThePresent(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.create(w.table("Things"), `{"Name":"A"}`)
	forged := make([]byte, 29)
	forged[0] = 1 << 6
	far, err := feed.ParsePosition("cursor", base64.RawURLEncoding.EncodeToString(forged))
	w.must(err)
	page, err := w.Read(w.ctx, w.actor.Org, w.base, far, 10, feed.Filter{})
	w.must(err)
	if page.Next.Compare(w.now()) > 0 || len(page.Changes) > 0 || page.More {
		t.Errorf("%+v goes on at %s", page, page.Next)
	}
}
