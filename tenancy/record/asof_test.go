package record_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// moment is the present as an argument of asOf; what is written afterwards comes later.
func (b *bundle) moment(t *testing.T) string {
	t.Helper()
	now, err := changelog.Horizon(t.Context(), b.db, b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	return now.Time().Format(time.RFC3339Nano)
}

func TestRecordsAsOfAMomentAreAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text), field("Tons", schema.Number), field("Done", schema.Checkbox))
	before := b.moment(t)
	made := b.create(t, u, `{"Name":"Solveig","Tons":1}`, `{"Name":"Aase","Tons":2,"Done":true}`,
		`{"Name":"Ragna","Tons":3}`)
	then := b.moment(t)
	_, err := b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{"Tons":10}`)),
		false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Delete(t.Context(), b.actor, u, []string{made[1].ID}); err != nil {
		t.Fatal(err)
	}
	b.create(t, u, `{"Name":"Later","Tons":4}`)
	_, err = b.engine.UpdateOne(t.Context(), b.actor, made[0].ID,
		jsonvaluetest.ParseObject([]byte(`{"Tons":11,"Name":"X"}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	page, rows := b.list(t, u, query.Request{AsOf: then})
	if got := text(column(rows, "Tons")); got != `[1,2,3]` || page.Total != 3 {
		t.Errorf("%s of %d, want 1, 2 and 3", got, page.Total)
	}
	if got := text(column(rows, "Name")); got != `["Solveig","Aase","Ragna"]` {
		t.Error(got)
	}
	page, rows = b.list(t, u, query.Request{AsOf: then, Sorts: []byte(`[{"fieldId":"Tons","dir":"desc"}]`)})
	if got := text(column(rows, "Tons")); got != `[3,2,1]` || page.Total != 3 {
		t.Errorf("%s of %d, want 3, 2 and 1", got, page.Total)
	}
	page, rows = b.list(t, u, query.Request{AsOf: then, Search: "SOLV"})
	if got := text(column(rows, "Tons")); got != `[1]` || page.Total != 1 {
		t.Errorf("%s of %d, want 1", got, page.Total)
	}
	if page, _ := b.list(t, u, query.Request{AsOf: before}); page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("%d records before any was made", page.Total)
	}
	raw, err := b.engine.GetAsOf(t.Context(), b.actor, made[1].ID, then)
	if err != nil || text(decode(t, raw).Fields) != `{"Done":true,"Name":"Aase","Tons":2}` {
		t.Errorf("%s %v", raw, err)
	}
	if _, err := b.engine.GetAsOf(t.Context(), b.actor, made[1].ID,
		before); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a record before it was made: %v", err)
	}
	groups, err := b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{
		AsOf: then, Functions: []byte(`[{"fn":"sum","fieldId":"Tons"},{"fn":"count"}]`),
	})
	if err != nil || string(groups.Groups[0]) != `{"key":{},"results":{"sum(Tons)":6,"count":3}}` {
		t.Errorf("%s %v", groups.Groups, err)
	}
}

// Later entries of the log that are about the schema or a comment name no record, and add none to the past.
func TestTheSchemaAndCommentsAddNoRecordsToThePast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text), field("Tons", schema.Number))
	before := b.moment(t)
	b.create(t, u, `{"Name":"Solveig","Tons":1}`, `{"Name":"Aase","Tons":2}`)
	then := b.moment(t)
	tons := b.schema(t, u).FieldByName("Tons")
	err := b.store.UpdateField(t.Context(), b.actor.Org, tons.ID, catalog.FieldPatch{Name: new("Weight")})
	if err != nil {
		t.Fatal(err)
	}
	for moment, want := range map[string]int64{before: 0, then: 2} {
		request := query.Request{AsOf: moment, Sorts: []byte(`[{"fieldId":"Name","dir":"asc"}]`)}
		if page, rows := b.list(t, u, request); page.Total != want || int64(len(rows)) != want || page.HasMore {
			t.Errorf("%d of %d records, want %d", len(rows), page.Total, want)
		}
		groups, err := b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{
			AsOf: moment,
		})
		got := string(groups.AppendJSON(nil))
		if err != nil || !strings.Contains(got, `"count":`+strconv.FormatInt(want, 10)) {
			t.Errorf("%s, %v; want %d", got, err, want)
		}
	}
}

func TestAMomentIsOfTheHistoryThatIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text))
	b.create(t, u, `{"Name":"Solveig"}`)
	for asOf, code := range map[string]string{
		time.Now().Add(time.Hour).Format(time.RFC3339): "", "2020-01-01T00:00:00Z": "history_not_kept",
		"yesterday": "", "chs_0": "", id.Format(id.ChangeSet, id.New()): "",
	} {
		for what, read := range map[string]func() error{
			"page": func() error {
				_, err := b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, AsOf: asOf})
				return err
			},
			"list": func() error {
				_, err := b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, AsOf: asOf, Search: "x"})
				return err
			},
			"groups": func() error {
				_, err := b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{AsOf: asOf})
				return err
			},
		} {
			err := read()
			wantItem(t, err, problem.KindInvalid, "asOf")
			var wrong *problem.Error
			if errors.As(err, &wrong) && wrong.Code != code {
				t.Errorf("a %s as of %s: %s", what, asOf, wrong.Code)
			}
		}
	}
}

// What is older than the log is known from the log's first entry on.
func TestRecordsOlderThanTheLogAreNotKnownBeforeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text))
	made := b.create(t, u, `{"Name":"Solveig"}`)
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update "+b.schema(t, u).Relation()+" set version = 0")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	first := b.log(t)[0].Number
	before := changelog.TimeOf(first - 1).Format(time.RFC3339Nano)
	_, err = b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, AsOf: before})
	wantItem(t, err, problem.KindInvalid, "asOf", changelog.TimeOf(first).Format(time.RFC3339Nano))
	raw, err := b.engine.GetAsOf(t.Context(), b.actor, made[0].ID, changelog.TimeOf(first).Format(time.RFC3339Nano))
	if err != nil || decode(t, raw).Fields["Name"] != "Solveig" {
		t.Errorf("%s %v", raw, err)
	}
}

func TestAChangeSetIsAMomentBeforeItsFirstChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text))
	made := b.create(t, u, `{"Name":"Solveig"}`)
	set := id.New()
	acting := db.WithActor(t.Context(), db.Actor{Person: b.actor.Person, ChangeSet: set})
	for _, name := range []string{"Aase", "Ragna"} {
		_, err := b.engine.UpdateOne(acting, b.actor, made[0].ID,
			jsonvaluetest.ParseObject([]byte(`{"Name":"`+name+`"}`)), false)
		if err != nil {
			t.Fatal(err)
		}
	}
	_, rows := b.list(t, u, query.Request{AsOf: id.Format(id.ChangeSet, set)})
	if got := text(column(rows, "Name")); got != `["Solveig"]` {
		t.Errorf("%s before the change set", got)
	}
	other := setup(t)
	theirs := other.table(t, "Ships", field("Name", schema.Text))
	_, err := other.engine.List(t.Context(), other.actor, theirs, query.Request{Limit: 1, AsOf: id.Format(id.ChangeSet,
		set)})
	wantItem(t, err, problem.KindInvalid, "asOf")
}

func TestACursorKeepsItsMoment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text))
	b.create(t, u, `{"Name":"a"}`, `{"Name":"b"}`, `{"Name":"c"}`)
	asOf := b.moment(t)
	for _, sorts := range [][]byte{nil, []byte(`[{"fieldId":"Name"}]`)} {
		page, _ := b.list(t, u, query.Request{AsOf: asOf, Limit: 1, Sorts: sorts})
		_, rows := b.list(t, u, query.Request{AsOf: asOf, Limit: 2, Sorts: sorts, Cursor: page.Cursor})
		b.create(t, u, `{"Name":"bb"}`)
		_, without := b.list(t, u, query.Request{Limit: 2, Sorts: sorts, Cursor: page.Cursor})
		if text(column(rows, "Name")) != `["b","c"]` || text(column(without, "Name")) != `["b","c"]` {
			t.Errorf("%v and %v behind a", column(rows, "Name"), column(without, "Name"))
		}
		_, err := b.engine.List(t.Context(), b.actor, u,
			query.Request{AsOf: b.moment(t), Limit: 2, Sorts: sorts, Cursor: page.Cursor})
		wantItem(t, err, problem.KindInvalid, "cursor")
		present, _ := b.list(t, u, query.Request{Limit: 1, Sorts: sorts})
		_, err = b.engine.List(t.Context(), b.actor, u,
			query.Request{AsOf: asOf, Limit: 2, Sorts: sorts, Cursor: present.Cursor})
		wantItem(t, err, problem.KindInvalid, "cursor")
	}
}

// A writer who has drawn a number and not committed is waited for.
func TestAMomentWaitsForTheWritersBeforeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Ships", field("Name", schema.Text))
	table := b.schema(t, u)
	drawn, commit, written := make(chan time.Time), make(chan struct{}), make(chan error)
	go func() {
		written <- b.db.TableTx(t.Context(), b.actor.Org, table.Ref(), func(tx pgx.Tx) error {
			row := id.New()
			_, err := tx.Exec(t.Context(), "with logged as (insert into "+changelog.Relation(b.actor.Org)+
				" (number, change_set, table_number, kind, credential, records) values ("+db.ChangeNumber+", $1, $2, "+
				"1, '', "+
				"array[$1::uuid])) insert into "+table.Relation()+" (id, version) values ($1, "+db.ChangeNumber+")",
				row, table.Number)
			drawn <- time.Now()
			<-commit
			return err
		})
	}()
	at := <-drawn
	read := make(chan int64)
	go func() {
		page, err := b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, AsOf: at.Format(time.RFC3339Nano)})
		if err != nil {
			t.Error(err)
		}
		read <- int64(len(page.Records)) // the write above counts nothing
	}()
	select {
	case total := <-read:
		t.Errorf("%d records while a writer may add one", total)
	case <-time.After(200 * time.Millisecond):
	}
	close(commit)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if total := <-read; total != 1 {
		t.Errorf("%d records, want the writer's", total)
	}
}
