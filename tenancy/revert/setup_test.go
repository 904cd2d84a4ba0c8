package revert_test

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
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A world is an organization with a base.
type world struct {
	t      *testing.T
	db     *db.DB
	store  *catalog.Store
	engine *record.Engine
	actor  record.Actor
	base   uuid.UUID
}

func setup(t *testing.T) *world {
	t.Helper()
	database := tenancytest.DB(t)
	org, owner := tenancytest.Org(t, database)
	store := catalog.NewStore(database, catalog.Options{})
	snapshot, err := store.Cached(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	base, err := store.CreateBase(t.Context(), org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	return &world{t, database, store, record.New(database, store), record.Actor{Org: org, Person: owner}, base.ID}
}

// A hand writes as one change set of a credential.
type hand struct {
	*world
	set     uuid.UUID
	ctx     context.Context //nolint:containedctx // of what the hand writes
	records *record.Engine
	revert  *revert.Engine
}

func (w *world) hand(credential string) *hand {
	set := id.New()
	return &hand{w, set, w.as(credential, set), w.engine, revert.New(w.db, w.engine)}
}

// as returns a context for what a credential writes in one change set.
func (w *world) as(credential string, set uuid.UUID) context.Context {
	return db.WithActor(w.t.Context(), db.Actor{Person: w.actor.Person, Credential: credential, ChangeSet: set})
}

func (w *world) revert() *revert.Engine { return revert.New(w.db, w.engine) }

func field(name string, kind schema.Type, config ...string) catalog.FieldSpec {
	spec := catalog.FieldSpec{Name: name, Type: kind}
	if len(config) > 0 {
		spec.Config = json.RawMessage(config[0])
	}
	return spec
}

func (w *world) table(name string, fields ...catalog.FieldSpec) *schema.Table {
	w.t.Helper()
	made, err := w.store.CreateTable(w.t.Context(), w.actor.Org, w.base, name, fields)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.schema(made.ID)
}

// link adds a link field; it says whether it and the one on the other side hold several records.
func (w *world) link(from, to *schema.Table, name string, multiple, inverse bool) {
	w.t.Helper()
	made, err := w.store.CreateField(w.t.Context(), w.actor.Org, from.ID, field(name, schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q,"multiple":%t}`, to.PublicID(), multiple)))
	if err != nil {
		w.t.Fatal(err)
	}
	if !inverse {
		patch := catalog.FieldPatch{Config: json.RawMessage(`{"multiple":false}`)}
		if err := w.store.UpdateField(w.t.Context(), w.actor.Org, made.Link.Inverse, patch); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) schema(table uuid.UUID) *schema.Table {
	w.t.Helper()
	snapshot, err := w.store.Fresh(w.t.Context(), w.actor.Org)
	if err != nil {
		w.t.Fatal(err)
	}
	return snapshot.Table(table)
}

type rec struct {
	ID          string         `json:"id"`
	CreatedTime string         `json:"createdTime"`
	Version     int64          `json:"version"`
	Fields      map[string]any `json:"fields"`
}

func (h *hand) create(table *schema.Table, objects ...string) []string {
	h.t.Helper()
	in := record.Creation{}
	for _, o := range objects {
		in.Records = append(in.Records, object(o))
	}
	written, err := h.records.Create(h.ctx, h.actor, table.ID, in)
	if err != nil {
		h.t.Fatal(err)
	}
	var ids []string
	for _, raw := range written.Records {
		ids = append(ids, h.decode(raw).ID)
	}
	return ids
}

func object(o string) jsonvalue.ParsedObject { return jsonvaluetest.ParseObject([]byte(o)) }

func (h *hand) update(one, fields string) {
	h.t.Helper()
	if _, err := h.records.UpdateOne(h.ctx, h.actor, one, object(fields), false); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hand) delete(table *schema.Table, ids ...string) {
	h.t.Helper()
	if _, err := h.records.Delete(h.ctx, h.actor, table.ID, ids); err != nil {
		h.t.Fatal(err)
	}
}

// undo reverts change sets.
func (h *hand) undo(mode revert.OnConflict, sets ...uuid.UUID) (revert.Plan, error) {
	h.t.Helper()
	return h.revert.Revert(h.ctx, h.actor, h.base, revert.Request{ChangeSets: sets, OnConflict: mode})
}

// must is undo without an error. It returns the change set of the revert.
func (w *world) must(mode revert.OnConflict, sets ...uuid.UUID) (revert.Plan, uuid.UUID) {
	w.t.Helper()
	h := w.hand("key_revert")
	plan, err := h.undo(mode, sets...)
	if err != nil {
		w.t.Fatal(err)
	}
	return plan, h.set
}

func (w *world) decode(raw []byte) rec {
	w.t.Helper()
	var out rec
	if err := json.Unmarshal(raw, &out); err != nil {
		w.t.Fatalf("%v in %s", err, raw)
	}
	return out
}

func (w *world) get(one string) rec {
	w.t.Helper()
	raw, err := w.engine.Get(w.t.Context(), w.actor, one)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.decode(raw)
}

// all reads every record of tables, as JSON by id without versions, and checks the count of records.
func (w *world) all(tables ...*schema.Table) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, table := range tables {
		page, err := w.engine.List(w.t.Context(), w.actor, table.ID, query.Request{Limit: 100})
		if err != nil {
			w.t.Fatal(err)
		}
		if int(page.Total) != len(page.Records) {
			w.t.Fatalf("the count of %s is %d, and there are %d records", table.Name, page.Total, len(page.Records))
		}
		for _, raw := range page.Records {
			one := w.decode(raw)
			encoded, err := json.Marshal([]any{one.CreatedTime, one.Fields})
			if err != nil {
				w.t.Fatal(err)
			}
			out[one.ID] = string(encoded)
		}
	}
	return out
}

// restored drops what a restoration notes.
func restored(_ map[string][]string, err error) error { return err }
