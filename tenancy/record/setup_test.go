package record_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type bundle struct {
	db     *db.DB
	store  *catalog.Store
	engine *record.Engine
	actor  record.Actor
	base   uuid.UUID
}

func setup(t *testing.T) *bundle {
	t.Helper()
	return setupOn(t, tenancytest.DB(t))
}

func setupOn(t testing.TB, database *db.DB) *bundle {
	t.Helper()
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
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	engine := record.New(database, store).Planning(plans)
	return &bundle{database, store, engine, record.Actor{Org: org, Person: owner}, base.ID}
}

func field(name string, kind schema.Type, config ...string) catalog.FieldSpec {
	spec := catalog.FieldSpec{Name: name, Type: kind}
	if len(config) > 0 {
		spec.Config = json.RawMessage(config[0])
	}
	return spec
}

func (b *bundle) table(t testing.TB, name string, fields ...catalog.FieldSpec) uuid.UUID {
	t.Helper()
	made, err := b.store.CreateTable(t.Context(), b.actor.Org, b.base, name, fields)
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func (b *bundle) schema(t *testing.T, table uuid.UUID) *schema.Table {
	t.Helper()
	snapshot, err := b.store.Fresh(t.Context(), b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Table(table)
}

func parsed[T string | []byte](objects []T) []jsonvalue.ParsedObject {
	out := make([]jsonvalue.ParsedObject, len(objects))
	for i, o := range objects {
		out[i] = jsonvaluetest.ParseObject([]byte(o))
	}
	return out
}

type rec struct {
	ID          string         `json:"id"`
	CreatedTime string         `json:"createdTime"`
	Fields      map[string]any `json:"fields"`
}

func decode(t testing.TB, raw []byte) rec {
	t.Helper()
	var out rec
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return out
}

func decodeAll(t testing.TB, raws [][]byte) []rec {
	t.Helper()
	out := make([]rec, len(raws))
	for i := range raws {
		out[i] = decode(t, raws[i])
	}
	return out
}

func (b *bundle) create(t testing.TB, table uuid.UUID, objects ...string) []rec {
	t.Helper()
	var out []rec
	for len(objects) > 0 {
		n := min(len(objects), record.MaxBatch)
		written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{Records: parsed(objects[:n])})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, decodeAll(t, written.Records)...)
		objects = objects[n:]
	}
	return out
}

func (b *bundle) list(t *testing.T, table uuid.UUID, q query.Request) (record.Page, []rec) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	page, err := b.engine.List(t.Context(), b.actor, table, q)
	if err != nil {
		t.Fatal(err)
	}
	return page, decodeAll(t, page.Records)
}

// column lists one field's values, for short comparisons.
func column(records []rec, name string) []any {
	out := []any{}
	for _, r := range records {
		out = append(out, r.Fields[name])
	}
	return out
}

func itemsOf(err error) []problem.Item {
	var wrong *problem.Error
	if !errors.As(err, &wrong) {
		return nil
	}
	return wrong.Items
}

func wantItem(t *testing.T, err error, kind problem.Kind, path string, parts ...string) {
	t.Helper()
	var wrong *problem.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("want an error at %s, got %v", path, err)
	}
	if wrong.Kind != kind {
		t.Fatalf("want %s, got %s: %v", kind, wrong.Kind, err)
	}
	if path != "" && (len(wrong.Items) == 0 || wrong.Items[0].Path != path) {
		t.Fatalf("want an item at %s, got %+v", path, wrong.Items)
	}
	for _, part := range parts {
		if !strings.Contains(wrong.Message, part) {
			t.Fatalf("want %q in %q", part, wrong.Message)
		}
	}
}

var everyField = []catalog.FieldSpec{
	field("Name", schema.Text), field("Notes", schema.LongText), field("Mail", schema.Email), field("Site", schema.URL),
	field("Phone", schema.Phone), field("N", schema.Number), field("Price", schema.Currency),
	field("Share", schema.Percent), field("Stars", schema.Rating), field("Took", schema.Duration),
	field("Done", schema.Checkbox), field("Day", schema.Date), field("At", schema.DateTime),
	field("State", schema.SingleSelect, `{"options":["Open","Closed, gone"]}`),
	field("Tags", schema.MultiSelect, `{"options":["a","b \"q\"","c,d"]}`), field("Who", schema.User),
	field("Team", schema.User, `{"multiple":true}`), field("Doc", schema.JSON), field("No", schema.AutoNumber),
	field("Made", schema.CreatedTime), field("Changed", schema.LastModifiedTime), field("Author", schema.CreatedBy),
	field("Editor", schema.LastModifiedBy), field("Files", schema.Attachment),
}
