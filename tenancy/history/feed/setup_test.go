package feed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// everything is a viewer who may see all of the schema.
var everything = feed.Viewer{Viewer: schema.Viewer{Admin: true}, Schema: true}

// A world is an organization with a base.
type world struct {
	*feed.Reader

	t        *testing.T
	ctx      context.Context //nolint:containedctx // of what the test writes
	db       *db.DB
	comments *comment.Store
	store    *catalog.Store
	engine   *record.Engine
	revert   *revert.Engine
	actor    record.Actor
	base     uuid.UUID
	set      uuid.UUID // that everything is written in
}

func setup(t *testing.T) *world {
	t.Helper()
	database := tenancytest.DB(t)
	org, owner := tenancytest.Org(t, database)
	set := id.New()
	ctx := db.WithActor(t.Context(), db.Actor{
		Person: owner, Credential: "key_feed", ChangeSet: set, Request: "mine",
	})
	store := catalog.NewStore(database, catalog.Options{})
	base, err := store.CreateBase(ctx, org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	engine := record.New(database, store)
	return &world{
		&feed.Reader{DB: database, Records: engine}, t, ctx, database, comment.New(database, engine), store,
		engine, revert.New(database, engine),
		record.Actor{Org: org, Person: owner},
		base.ID, set,
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func field(name string, kind schema.Type, config string) catalog.FieldSpec {
	return catalog.FieldSpec{Name: name, Type: kind, Config: json.RawMessage(config)}
}

func (w *world) table(name string, fields ...catalog.FieldSpec) *schema.Table {
	w.t.Helper()
	made, err := w.store.CreateTable(w.ctx, w.actor.Org, w.base, name, fields)
	w.must(err)
	return w.fresh(made.ID)
}

func (w *world) fresh(table uuid.UUID) *schema.Table {
	w.t.Helper()
	snapshot, err := w.store.Fresh(w.ctx, w.actor.Org)
	w.must(err)
	return snapshot.Table(table)
}

func (w *world) link(from, to *schema.Table, name string, multiple bool) *schema.Field {
	w.t.Helper()
	made, err := w.store.CreateField(w.ctx, w.actor.Org, from.ID, field(name, schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q,"multiple":%t}`, to.PublicID(), multiple)))
	w.must(err)
	return made
}

func object(o string) jsonvalue.ParsedObject { return jsonvaluetest.ParseObject([]byte(o)) }

func (w *world) create(table *schema.Table, objects ...string) []string {
	w.t.Helper()
	in := record.Creation{}
	for _, o := range objects {
		in.Records = append(in.Records, object(o))
	}
	written, err := w.engine.Create(w.ctx, w.actor, table.ID, in)
	w.must(err)
	var ids []string
	for _, raw := range written.Records {
		var made struct{ ID string }
		w.must(json.Unmarshal(raw, &made))
		ids = append(ids, made.ID)
	}
	return ids
}

func (w *world) update(one, fields string) {
	w.t.Helper()
	_, err := w.engine.UpdateOne(w.ctx, w.actor, one, object(fields), false)
	w.must(err)
}

func (w *world) delete(table *schema.Table, ids ...string) {
	w.t.Helper()
	_, err := w.engine.Delete(w.ctx, w.actor, table.ID, ids)
	w.must(err)
}

func (w *world) restore(table *schema.Table, ids ...string) {
	w.t.Helper()
	_, err := w.revert.Restore(w.ctx, w.actor, table.ID, ids, false)
	w.must(err)
}

// A change is one as a client reads it.
type change struct {
	Cursor     string
	Version    int64
	Time       string
	Kind       string
	ChangeSet  string
	Request    string
	Person     struct{ ID, Name string }
	Credential string
	Table      string
	Record     string
	Before     map[string]any
	After      map[string]any
	Links      map[string]struct{ Added, Removed []string }
	FieldIDs   map[string]string
	Object     string
	ID         string
	Name       string
	Comment    string
	Thread     string
	Action     string
	Returned   bool
}

func (w *world) now() feed.Position {
	w.t.Helper()
	at, err := w.Now(w.ctx, w.actor.Org)
	w.must(err)
	return at
}

func (w *world) decode(page feed.Page, viewer feed.Viewer) []change {
	w.t.Helper()
	var out []change
	for i := range page.Changes {
		raw, seen := page.Changes[i].For(viewer)
		if !seen {
			continue
		}
		var one change
		if err := json.Unmarshal(raw, &one); err != nil {
			w.t.Fatalf("%v in %s", err, raw)
		}
		if one.Cursor != page.Changes[i].Position.String() {
			w.t.Errorf("the cursor of a change is %s", one.Cursor)
		}
		out = append(out, one)
	}
	return out
}

// read reads all that follows a position, by pages of a size.
func (w *world) read(from feed.Position, limit int, filter feed.Filter) []change {
	w.t.Helper()
	viewer := everything
	if filter.Viewer != nil {
		viewer = *filter.Viewer
	}
	var all []change
	for range 10_000 {
		page, err := w.Read(w.ctx, w.actor.Org, w.base, from, limit, filter)
		w.must(err)
		if len(page.Changes) > limit {
			w.t.Fatalf("a page has %d changes, and not %d", len(page.Changes), limit)
		}
		all = append(all, w.decode(page, viewer)...)
		if from = page.Next; !page.More {
			return all
		}
	}
	w.t.Fatal("there is no end")
	return nil
}

// versions are those of the records of a table.
func (w *world) versions(table *schema.Table) map[string]int64 {
	w.t.Helper()
	page, err := w.engine.List(w.ctx, w.actor, table.ID, query.Request{Limit: 100})
	w.must(err)
	out := map[string]int64{}
	for _, raw := range page.Records {
		var one struct {
			ID      string
			Version int64
		}
		w.must(json.Unmarshal(raw, &one))
		out[one.ID] = one.Version
	}
	return out
}

// records reads the fields of all records of a table, by id.
func (w *world) records(table *schema.Table) map[string]map[string]any {
	w.t.Helper()
	page, err := w.engine.List(w.ctx, w.actor, table.ID, query.Request{Limit: 100})
	w.must(err)
	out := map[string]map[string]any{}
	for _, raw := range page.Records {
		var one struct {
			ID     string
			Fields map[string]any
		}
		w.must(json.Unmarshal(raw, &one))
		out[one.ID] = one.Fields
	}
	return out
}
