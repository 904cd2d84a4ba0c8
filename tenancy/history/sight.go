package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A sight is what somebody sees of the history of a base from whom something of it is hidden. Of records it is what
// changelog.Sight says. Of the schema it is what is in their snapshot now, but for permissions, and for changes of a
// view or a field that name a field which is not. Change sets of which nothing is left are not listed, and are counted
// nowhere. A nil sight sees everything.
type sight struct {
	records *changelog.Sight
	objects []string // ids as in the log
	fields  []string // public ids
}

func newSight(s *schema.Snapshot, base *schema.Base) *sight {
	records := changelog.NewSight(s, base)
	if records == nil {
		return nil
	}
	v := &sight{records: records, objects: []string{base.ID.String()}}
	for _, t := range base.Tables {
		v.objects = append(v.objects, t.ID.String())
		for _, f := range t.Fields {
			v.objects, v.fields = append(v.objects, f.ID.String()), append(v.fields, f.PublicID())
		}
		for _, one := range t.Views {
			v.objects = append(v.objects, one.ID.String())
		}
	}
	return v
}

// some is a condition on an entry l of the log about records: the viewer sees the change of one.
func (v *sight) some() string {
	if v == nil {
		return "true"
	}
	return "cardinality(" + v.records.Records("l", " limit 1") + ") > 0"
}

// ofEntry is an SQL expression for the records of an entry l of the log whose changes the viewer sees.
func (v *sight) ofEntry() string {
	if v == nil {
		return "l.records"
	}
	return v.records.Records("l", "")
}

const permission = "permission" // a property of objects that is for those who see everything

// object continues a condition on an object o in an entry of the log: the viewer sees it.
func (v *sight) object() string {
	if v == nil {
		return ""
	}
	var columns []string
	for column := range publicProperties {
		if column != permission {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	list := func(members []string) string { return "('{" + strings.Join(members, ",") + "}'::text[])" }
	return " and o->>'id' = any " + list(v.objects) +
		" and not exists (select from regexp_matches(concat(o->>'before', o->>'after'), 'fld_[0-9a-z]{26}', 'g') m " +
		"where m[1] <> all " + list(v.fields) + ") and (o->'before' = 'null' or exists (select from unnest" +
		list(columns) + " k where o->'before'->k is distinct from o->'after'->k))"
}

// shown is a change of an object without what the viewer does not see.
func (v *sight) shown(c ObjectChange) ObjectChange {
	if v != nil {
		c.Changed = slices.DeleteFunc(c.Changed, func(property string) bool { return property == permission })
	}
	return c
}

// hideReverts leaves out of change sets the other ones, which they reverted or which reverted them, of which the viewer
// sees nothing in the base.
func (r *baseReader) hideReverts(ctx context.Context, sets []ChangeSet) error {
	if r.sight == nil {
		return nil
	}
	var others []uuid.UUID
	for i := range sets {
		others = append(others, slices.Concat(sets[i].Reverts, sets[i].RevertedBy)...)
	}
	if len(others) == 0 {
		return nil
	}
	all := *r
	all.in, all.tables = BaseRequest{By: r.in.By, Nameless: r.in.Nameless}, r.all
	low, high := stretches(others)
	seen := map[uuid.UUID]bool{}
	err := r.send(ctx, func(b *pgx.Batch) {
		b.Queue(planWithValues)
		b.Queue("select distinct l.change_set from "+changelog.Relation(r.org)+" l where "+
			ofSets("$11", "$12", "$13", len(low))+" and "+all.fits(), all.fitArgs(others, low, high)...).
			Query(func(rows pgx.Rows) error {
				var set uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&set}, func() error { seen[set] = true; return nil })
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("looking for change sets that the viewer sees: %w", err)
	}
	hidden := func(set uuid.UUID) bool { return !seen[set] }
	for i := range sets {
		sets[i].Reverts = slices.DeleteFunc(sets[i].Reverts, hidden)
		sets[i].RevertedBy = slices.DeleteFunc(sets[i].RevertedBy, hidden)
	}
	return nil
}

// send runs the queries that a function queues. They fail with db.ErrSchemaChanged if conditions of the sight no longer
// fit the tables.
func (r *baseReader) send(ctx context.Context, queue func(b *pgx.Batch)) error {
	if r.sight == nil {
		return r.db.Batch(ctx, r.org, queue)
	}
	return r.db.Read(ctx, r.org, queue)
}
