package changelog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Sight is what somebody sees of the log from whom something of a base is hidden: changes of records that they read
// now, and of these only the changes of fields that they see. Changes of a link to records of which they read only
// some are left out. A deletion is seen if the record has come back.
type Sight struct {
	schema  *schema.Snapshot
	tables  []*schema.Table
	keys    map[int32]map[string]bool
	deleted bool
}

// NewSight returns what the person sees of the log whose snapshot s is; nil if nothing of the base is hidden from them.
func NewSight(s *schema.Snapshot, base *schema.Base) *Sight {
	if !s.IsPartial(base.ID) {
		return nil
	}
	v := &Sight{schema: s, tables: base.Tables, keys: map[int32]map[string]bool{}}
	for _, t := range base.Tables {
		keys := map[string]bool{}
		for _, f := range t.Fields {
			if v.Shows(f) {
				keys[Key(&f.Field)] = true
			}
		}
		v.keys[t.Number] = keys
	}
	return v
}

// WithDeleted is a sight of all changes of deleted records as well, for what the person has done themselves.
func (v *Sight) WithDeleted() *Sight {
	out := *v
	out.deleted = true
	return &out
}

// Shows reports whether the person sees the changes of a field of their snapshot.
func (v *Sight) Shows(f *schema.Field) bool { return !v.schema.ReadsSome(f) }

// Keeps reports whether the person sees the changes of a field of a table, by its key in the log.
func (v *Sight) Keeps(table int32, key string) bool { return v.keys[table][key] }

// Sees is a condition on an entry of the log under the alias l, and on one of its records: its id and its former
// values, as SQL expressions. It needs the transaction's person.
func (v *Sight) Sees(l, id, was string) string {
	out := "case " + l + ".table_number"
	for _, t := range v.tables {
		there := "exists (select from " + t.Relation() + " t where t.id = " + id + ")"
		named := slices.Sorted(maps.Keys(v.keys[t.Number]))
		shown := fmt.Sprintf("(%s.kind not in (%s, %s) or %s ?| '{%s}'::text[])", l, SQLUpdated, SQLLinked, was,
			strings.Join(named, ","))
		one := shown + " and " + there
		if v.deleted {
			one += " or not exists (select from " + t.Whole().Relation() + " t where t.id = " + id + ")"
		}
		out += fmt.Sprintf(" when %d then %s", t.Number, one)
	}
	if len(v.tables) == 0 {
		return "false"
	}
	return out + " else false end"
}

// Records is an SQL expression for the ids of the records of an entry under the alias l whose changes the person sees.
// more ends the statement that finds them, such as " limit 1".
func (v *Sight) Records(l, more string) string {
	return "array(select e.id from rows from (unnest(" + l + ".records), jsonb_array_elements(coalesce(" + l +
		".before, '[]'))) as e(id, was) where " + v.Sees(l, "e.id", "e.was") + more + ")"
}
