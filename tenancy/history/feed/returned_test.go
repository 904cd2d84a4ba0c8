package feed_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A mirror keeps records as a reader of the feed knows them.
type mirror struct {
	t        *testing.T
	records  map[string]map[string]any
	tables   map[string]string // of the records
	versions map[string]int64  // of the records, also of those that are gone
}

func newMirror(t *testing.T) *mirror {
	t.Helper()
	return &mirror{t, map[string]map[string]any{}, map[string]string{}, map[string]int64{}}
}

func (m *mirror) apply(changes []change) {
	m.t.Helper()
	for _, c := range changes {
		one := m.records[c.Record]
		if c.Record != "" && !c.Returned {
			m.versions[c.Record] = c.Version
		}
		switch c.Kind {
		case "schema":
			if c.After != nil {
				continue
			}
			for record, table := range m.tables {
				switch {
				case c.Object == "table" && c.ID == table:
					delete(m.records, record)
				case c.Object == "field" && c.Table == table && m.records[record] != nil:
					delete(m.records[record], c.Name)
				}
			}
		case "created", "restored":
			if one != nil || c.Before != nil {
				m.t.Errorf("%s is %s, and is there", c.Record, c.Kind)
			}
			m.records[c.Record], m.tables[c.Record] = maps.Clone(c.After), c.Table
		case "deleted":
			delete(m.records, c.Record)
		case "updated":
			if one == nil {
				m.t.Fatalf("%s is updated, and is not there", c.Record)
			}
			maps.Copy(one, c.After)
		case "linked":
			for name, links := range c.Links {
				list, _ := one[name].([]any)
				list = slices.DeleteFunc(slices.Clone(list),
					func(v any) bool { return slices.Contains(links.Removed, v.(string)) })
				for _, added := range links.Added {
					list = append(list, added)
				}
				if one[name] = nil; len(list) > 0 {
					one[name] = list
				}
			}
		}
	}
}

// equals compares the mirror with tables. A field without a value may be left out.
func (m *mirror) equals(w *world, what string, tables ...*schema.Table) {
	m.t.Helper()
	have := map[string]map[string]any{}
	for record, fields := range m.records {
		have[record] = set(fields)
	}
	for _, table := range tables {
		if w.fresh(table.ID) == nil {
			continue
		}
		for record, fields := range w.records(table) {
			same(m.t, what+": "+record, have[record], set(fields))
			delete(have, record)
		}
		for record, version := range w.versions(table) {
			if m.versions[record] != version {
				m.t.Errorf("%s: %s has version %d, and the mirror %d", what, record, version, m.versions[record])
			}
		}
	}
	if len(have) > 0 {
		m.t.Errorf("%s: there are more records: %v", what, have)
	}
}

func set(fields map[string]any) map[string]any {
	out := maps.Clone(fields)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil || v == false })
	return out
}

// The feed has values and records that come back with a field, a column, a table or a base, and the
// values of a field that counts them.
func TestAMirrorEqualsTheTableAfterRestorations(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx, org := w.ctx, w.actor.Org
	left := w.table("Left", field("Name", schema.Text, "{}"), field("N", schema.Number, "{}"),
		field("Word", schema.Text, "{}"), field("Done", schema.Checkbox, "{}"),
		field("Tag", schema.SingleSelect, `{"options":["a","b"]}`))
	right := w.table("Right")
	w.link(left, right, "Many", true)
	w.link(left, right, "One", false)
	start := w.now()
	left, right = w.fresh(left.ID), w.fresh(right.ID)
	rights := w.create(right, `{"Name":"r0"}`, `{"Name":"r1"}`)
	lefts := w.create(left, `{"Name":"l0","N":1,"Word":"7","Done":true,"Tag":"a","Many":["`+rights[0]+`","`+rights[1]+
		`"],"One":["`+rights[0]+`"]}`, `{"Name":"l1","N":2,"Word":"none","One":["`+rights[0]+`"]}`, `{"Name":"l2"}`)
	live, at := newMirror(t), start
	check := func(what string) {
		t.Helper()
		live.apply(w.read(at, 3, feed.Filter{}))
		at = w.now()
		live.equals(w, what+", as it happens", left, right)
		for _, limit := range []int{1, 2, 100} {
			late := newMirror(t)
			late.apply(w.read(start, limit, feed.Filter{}))
			late.equals(w, what+", from the start", left, right)
		}
	}
	check("records")
	restore := func(public string) {
		t.Helper()
		_, err := w.store.Restore(ctx, org, catalog.TrashRequest{
			Items: []string{public}, Base: w.base, By: schema.Viewer{Admin: true},
		})
		w.must(err)
	}
	for _, name := range []string{"N", "Done", "Tag", "Many", "One"} {
		f := left.FieldByName(name)
		w.must(w.store.DeleteField(ctx, org, f.ID))
		check(name + " deleted")
		w.update(lefts[2], `{"Name":"without `+name+`"}`)
		w.delete(right, rights[1])
		restore(f.PublicID())
		check(name + " restored")
		w.restore(right, rights[1])
		check(name + " restored, and a record")
	}
	w.must(w.store.DeleteTable(ctx, org, right.ID))
	check("the table deleted")
	w.update(lefts[0], `{"N":10}`)
	restore(right.PublicID())
	w.update(rights[0], `{"Name":"later"}`)
	check("the table restored")
	_, err := w.store.CreateField(ctx, org, left.ID, field("No", schema.AutoNumber, "{}"))
	w.must(err)
	check("a field that counts")
	w.must(catalog.Retype(ctx, w.store, org, left.FieldByName("Word").ID,
		catalog.TypeChange{Type: schema.Number, Patch: catalog.FieldPatch{Discard: true}}))
	check("a type changed with losses")
	w.update(lefts[2], `{"Word":3}`)
	restore(w.columnOf(left.FieldByName("Word").ID))
	check("the type restored")
	w.must(w.store.DeleteBase(ctx, org, w.base))
	_, err = w.store.Restore(ctx, org, catalog.TrashRequest{
		Items: []string{id.Format(id.Base, w.base)}, By: schema.Viewer{Admin: true},
	})
	w.must(err)
	w.update(lefts[0], `{"N":11}`)
	check("the base restored")
}

// columnOf is the id of the former column of a field in the trash.
func (w *world) columnOf(field uuid.UUID) string {
	w.t.Helper()
	var column uuid.UUID
	w.must(w.DB.Tx(w.ctx, w.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(w.ctx, "select id from rowhouse.trash where org_id = $1 and kind = 'column' and "+
			"object_id = $2", w.actor.Org, field).Scan(&column)
	}))
	return id.Format(id.Column, column)
}
