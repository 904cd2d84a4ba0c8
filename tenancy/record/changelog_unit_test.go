package record_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// attached is the value of a field with one file.
var attached = regexp.MustCompile(`\[\{[^{}]*"words.txt"[^{}]*\}\]`)

// A ledger reads what writes append to the log.
type ledger struct {
	*bundle
	t    *testing.T
	read int
}

// appended describes the entries since the last call: the kind, the records by what names calls
// them, and what stood there. It checks that their records have their versions.
func (l *ledger) appended(names map[string]string) []string {
	l.t.Helper()
	all := l.log(l.t)
	fresh := all[l.read:]
	l.read = len(all)
	fields := map[string]string{}
	snapshot, err := l.store.Fresh(l.t.Context(), l.actor.Org)
	if err != nil {
		l.t.Fatal(err)
	}
	out := []string{}
	for _, e := range fresh {
		table := snapshot.TableByNumber(e.Table)
		for _, f := range table.Fields {
			fields[changelog.Key(&f.Field)] = f.Name
		}
		for i, u := range e.Records {
			one := id.FormatRecord(e.Table, u)
			raw, err := l.engine.Get(l.t.Context(), l.actor, one)
			if got := int64(0); err == nil {
				if got = pastOf(l.t, table, raw).version; got != e.Number {
					l.t.Errorf("record %s has version %d, and its change is %d", names[one], got, e.Number)
				}
			}
			was := map[string]any{}
			if e.Before != nil {
				for key, value := range e.Before[i] {
					if name, known := fields[key]; known {
						was[name] = l.named(names, value)
					}
				}
				if e.Previous[i] == 0 || e.Previous[i] > e.Number {
					l.t.Errorf("the change before %d is %d", e.Number, e.Previous[i])
				}
			}
			out = append(out, fmt.Sprintf("%d %s %s", e.Kind, names[one], text(was)))
		}
	}
	slices.Sort(out)
	return out
}

// named replaces the ids of records in what stood in a field.
func (l *ledger) named(names map[string]string, value any) any {
	switch value := value.(type) {
	case string:
		for one, name := range names {
			if _, u, _ := id.ParseRecord(one); u.String() == value {
				return name
			}
		}
	case []any:
		for i := range value {
			value[i] = l.named(names, value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = l.named(names, value[key])
		}
	}
	return value
}

func (l *ledger) want(names map[string]string, entries ...string) {
	l.t.Helper()
	if entries == nil {
		entries = []string{}
	}
	if diff := cmp.Diff(entries, l.appended(names)); diff != "" {
		l.t.Error(diff)
	}
}

func (l *ledger) update(objects ...string) {
	l.t.Helper()
	changes := []record.Change{}
	for i := 0; i < len(objects); i += 2 {
		fields := jsonvaluetest.ParseObject([]byte(objects[i+1]))
		changes = append(changes, record.Change{ID: objects[i], Fields: fields})
	}
	number, _, _ := id.ParseRecord(objects[0])
	snapshot, err := l.store.Fresh(l.t.Context(), l.actor.Org)
	if err != nil {
		l.t.Fatal(err)
	}
	if len(changes) == 1 {
		_, err = l.engine.UpdateOne(l.t.Context(), l.actor, objects[0], changes[0].Fields, false)
	} else {
		_, err = l.engine.Update(l.t.Context(), l.actor, snapshot.TableByNumber(number).ID, changes, false)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestTheChangeLogSaysWhatAWriteChanged(t *testing.T) {
	t.Parallel()
	l := &ledger{bundle: setup(t), t: t}
	u := l.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	made := append(l.create(t, u, `{"Name":"a","N":1}`), l.create(t, u, `{"Name":"b"}`, `{"Name":"c","N":3}`)...)
	a, b, c := made[0].ID, made[1].ID, made[2].ID
	names := map[string]string{a: "a", b: "b", c: "c"}
	l.want(names, "1 a {}", "1 b {}", "1 c {}")
	l.update(a, `{"Name":"A","N":1}`)
	l.want(names, `2 a {"Name":"a"}`)
	l.update(a, `{"Name":null,"N":2}`)
	l.want(names, `2 a {"N":1,"Name":"A"}`)
	l.update(a, `{"Name":null,"N":2}`)
	l.update(a, `{"Name":null}`, b, `{}`)
	l.update(a, `{}`)
	l.want(names)
	l.update(a, `{"Name":"x"}`, b, `{"N":5}`, c, `{"Name":"c"}`)
	l.want(names, `2 a {"Name":null}`, `2 b {"N":null}`)
	out, err := l.engine.Create(t.Context(), l.actor, u, record.Creation{
		UpsertOn: []string{"Name"},
		Records:  parsed([]string{`{"Name":"x","N":7}`, `{"Name":"b","N":5}`, `{"Name":"d"}`, `{"Name":"e"}`}),
	})
	if err != nil {
		t.Fatal(err)
	}
	d, e := out.Upsert.Created[0], out.Upsert.Created[1]
	names[d], names[e] = "d", "e"
	l.want(names, "1 d {}", "1 e {}", `2 a {"N":2}`)
	out, err = l.engine.Create(t.Context(), l.actor, u,
		record.Creation{UpsertOn: []string{"Name"}, Records: parsed([]string{`{"Name":"d","N":1}`})})
	if err != nil || len(out.Upsert.Updated) != 1 {
		t.Fatal(out, err)
	}
	l.want(names, `2 d {"N":null}`)
	if _, err := l.engine.DeleteOne(t.Context(), l.actor, a); err != nil {
		t.Fatal(err)
	}
	l.want(names, `3 a {"N":7,"Name":"x"}`)
	if _, err := l.engine.Delete(t.Context(), l.actor, u, []string{e, d}); err != nil {
		t.Fatal(err)
	}
	l.want(names, `3 d {"N":1,"Name":"d"}`, `3 e {"Name":"e"}`)
	if _, err := l.engine.Delete(t.Context(), l.actor, u, []string{b, a}); err == nil {
		t.Error("a record was deleted twice")
	}
	l.want(names)
}

func TestTheChangeLogHoldsTheValueOfEveryKindOfField(t *testing.T) {
	t.Parallel()
	d := openDrawer(t)
	l := &ledger{bundle: d.bundle, t: t}
	me, other := id.Format(id.User, l.actor.Person), tenancytest.Person(t, l.db)
	if err := tenancytest.Join(t, l.db, l.actor.Org, other, "editor"); err != nil {
		t.Fatal(err)
	}
	u := l.table(t, "T", everyField...)
	file := d.upload(t, u, "words.txt")
	r := l.create(t, u, `{"Name":"a","Notes":"é\nb","Mail":"a@example.com","Site":"https://example.com","Phone":"1",
		"N":1.5,"Price":2.25,"Share":0.5,"Stars":3,"Took":90,"Done":true,"Day":"2026-02-28","At":"2026-02-28T12:00:00Z",
		"State":"Closed, gone","Tags":["c,d","b \"q\""],"Who":"`+me+`",
		"Team":["`+me+`","`+id.Format(id.User, other)+`"],
		"Doc":{"x":[1,null]},"Files":["`+file+`"]}`)[0].ID
	names := map[string]string{r: "r"}
	l.want(names, "1 r {}")
	person := func(u uuid.UUID) string { return fmt.Sprintf("%q", u.String()) }
	was := map[string]string{
		"Name": `"a"`, "Notes": `"é\nb"`, "Mail": `"a@example.com"`, "Site": `"https://example.com"`, "Phone": `"1"`,
		"N": "1.5", "Price": "2.25", "Share": "0.5", "Stars": "3", "Took": "90", "Done": "true", "Day": `"2026-02-28"`,
		"At": `"2026-02-28T12:00:00+00:00"`, "State": `"Closed, gone"`, "Tags": `["c,d","b \"q\""]`,
		"Who": "[" + person(l.actor.Person) + "]", "Team": "[" + person(l.actor.Person) + "," + person(other) + "]",
		"Doc": `{"x":[1,null]}`, "Files": "(the file)",
	}
	for _, f := range everyField {
		before, written := was[f.Name]
		if !written {
			continue // nobody writes it
		}
		cleared := `{"` + f.Name + `":null}`
		if f.Type == schema.Checkbox {
			cleared = `{"Done":false}`
		}
		l.update(r, cleared)
		entries := l.appended(names)
		if f.Type == schema.Attachment {
			before = attached.FindString(strings.Join(entries, ""))
		}
		if diff := cmp.Diff([]string{`2 r {"` + f.Name + `":` + before + `}`}, entries); diff != "" {
			t.Error(diff)
		}
		l.update(r, cleared)
		l.want(names)
	}
}

// Writes of different people share a transaction, and each has an entry of its own.
func TestTheChangeLogSeparatesWritesThatShareATransaction(t *testing.T) {
	t.Parallel()
	const n = 6
	c := newConcurrentWrites(t, field("N", schema.Number))
	type origin struct {
		Set        uuid.UUID
		Person     uuid.UUID
		Credential string
	}
	ids := make([]string, n)
	want := func(kind changelog.Kind, of []origin) {
		t.Helper()
		var got []origin
		for _, e := range c.log(t) {
			if e.Kind == kind && len(e.Records) == 1 && e.Request != nil {
				got = append(got, origin{e.Set, *e.Person, e.Credential})
			}
		}
		byPlace := func(a, b origin) int { return slices.Index(of, a) - slices.Index(of, b) }
		slices.SortFunc(got, byPlace)
		if diff := cmp.Diff(of, got); diff != "" {
			t.Errorf("kind %d: %s", kind, diff)
		}
	}
	write := func(do func(ctx context.Context, e *record.Engine, i int) error) []origin {
		origins := make([]origin, n)
		if took := c.come(t, n, func(i int) {
			origins[i] = origin{id.New(), c.actor.Person, fmt.Sprintf("key_%d", i)}
			actor := db.Actor{
				ChangeSet: origins[i].Set, Person: c.actor.Person, Credential: origins[i].Credential,
				Request: fmt.Sprint("req_", i),
			}
			if err := do(db.WithActor(t.Context(), actor), c.engine, i); err != nil {
				t.Error(err)
			}
		}); took != 2 {
			t.Errorf("%d writes took %d transactions", n, took)
		}
		return origins
	}
	want(changelog.Created, write(func(ctx context.Context, e *record.Engine, i int) error {
		written, err := e.Create(ctx, c.actor, c.table, record.Creation{
			Records: parsed([]string{`{"N":1}`}), Single: true,
		})
		if err == nil {
			ids[i] = decode(t, written.Records[0]).ID
		}
		return err
	}))
	want(changelog.Updated, write(func(ctx context.Context, e *record.Engine, i int) error {
		_, err := e.UpdateOne(ctx, c.actor, ids[i], jsonvaluetest.ParseObject([]byte(`{"N":2}`)), false)
		return err
	}))
	whole := c.newTrail(t, []*schema.Table{c.schema(t, c.table)})
	for one, last := range c.present(t, []*schema.Table{c.schema(t, c.table)}) {
		if states := whole.walk(one, last); len(states) != 2 {
			t.Errorf("%s has %d states", one, len(states))
		}
	}
	whole.checkAllMet()
}

func TestTheChangeLogHasALinkOnBothSides(t *testing.T) {
	t.Parallel()
	l := &ledger{bundle: setup(t), t: t}
	left, right := l.table(t, "L", field("Name", schema.Text)), l.table(t, "R", field("Name", schema.Text))
	l.link(t, left, right, "Many", true, true)
	l.link(t, right, left, "Owner", false, true) // in L: R 2
	a, b := l.create(t, left, `{"Name":"a"}`, `{"Name":"b"}`), l.create(t, right, `{"Name":"x"}`, `{"Name":"y"}`)
	names := map[string]string{a[0].ID: "a", a[1].ID: "b", b[0].ID: "x", b[1].ID: "y"}
	inverse := l.schema(t, left).Fields[2].Name
	l.want(names, "1 a {}", "1 b {}", "1 x {}", "1 y {}")
	list := func(ids ...string) string { return text(ids) }
	l.update(a[0].ID, `{"Many":`+list(b[0].ID, b[1].ID)+`}`)
	l.want(names, `2 a {"Many":[]}`, `4 x {"L":{"added":["a"]}}`, `4 y {"L":{"added":["a"]}}`)
	l.update(a[0].ID, `{"Many":`+list(b[0].ID, b[1].ID)+`}`)
	l.want(names)
	l.update(a[0].ID, `{"Many":`+list(b[1].ID, b[0].ID)+`}`) // another order
	l.want(names, `2 a {"Many":["x","y"]}`)
	l.update(a[0].ID, `{"Many":`+list(b[1].ID)+`,"Name":"A"}`)
	l.want(names, `2 a {"Many":["y","x"]}`, `2 a {"Name":"a"}`, `4 x {"L":{"removed":["a"]}}`)

	l.update(a[0].ID, `{"`+inverse+`":`+list(b[0].ID)+`}`)
	l.want(names, `2 a {"`+inverse+`":[]}`, `4 x {"Owner":{"added":["a"]}}`)
	l.update(a[1].ID, `{"`+inverse+`":`+list(b[0].ID)+`}`) // takes x from a
	l.want(names, `2 b {"`+inverse+`":[]}`, `4 a {"`+inverse+`":{"removed":["x"]}}`,
		`4 x {"Owner":{"added":["b"],"removed":["a"]}}`)
	made := l.create(t, left, `{"Name":"c","`+inverse+`":`+list(b[0].ID)+`}`)[0].ID // takes x from b
	names[made] = "c"
	l.want(names, "1 c {}", `4 b {"`+inverse+`":{"removed":["x"]}}`, `4 x {"Owner":{"added":["c"],"removed":["b"]}}`)
	l.update(b[0].ID, `{"Owner":`+list(a[0].ID)+`}`)
	l.want(names, `2 x {"Owner":["c"]}`, `4 a {"`+inverse+`":{"added":["x"]}}`, `4 c {"`+inverse+`":{"removed":["x"]}}`)
	if _, err := l.engine.DeleteOne(t.Context(), l.actor, a[0].ID); err != nil {
		t.Fatal(err)
	}
	l.want(names, `3 a {"Many":["y"],"Name":"A","`+inverse+`":["x"]}`, `4 x {"Owner":{"removed":["a"]}}`,
		`4 y {"L":{"removed":["a"]}}`)
}

// A request may write both sides of a link in a table that is linked with itself.
func TestTheChangeLogHasLinksWithinATable(t *testing.T) {
	t.Parallel()
	l := &ledger{bundle: setup(t), t: t}
	u := l.table(t, "T", field("Name", schema.Text))
	l.link(t, u, u, "Parent", false, true) // the other side: T
	made := l.create(t, u, `{"Name":"a"}`, `{"Name":"b"}`, `{"Name":"c"}`)
	a, b, c := made[0].ID, made[1].ID, made[2].ID
	names := map[string]string{a: "a", b: "b", c: "c"}
	l.want(names, "1 a {}", "1 b {}", "1 c {}")
	l.update(a, `{"Parent":["`+b+`"]}`, b, `{"Parent":["`+c+`"]}`)
	l.want(names, `2 a {"Parent":[]}`, `2 b {"Parent":[]}`, `4 b {"T":{"added":["a"]}}`, `4 c {"T":{"added":["b"]}}`)
	if _, err := l.engine.Delete(t.Context(), l.actor, u, []string{b, a}); err != nil {
		t.Fatal(err)
	}
	l.want(names, `3 a {"Name":"a","Parent":["b"]}`, `3 b {"Name":"b","Parent":["c"],"T":["a"]}`,
		`4 c {"T":{"removed":["b"]}}`)
}
