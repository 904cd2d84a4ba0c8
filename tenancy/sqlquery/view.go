package sqlquery

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// maxIdentifier is PostgreSQL's limit of a name, in bytes.
const maxIdentifier = 63

// taken are names that are in use, as naming.Key folds them.
type taken map[string]bool

// unique returns a name that PostgreSQL takes and that differs from all others in more than case, as
// near to the wanted one as possible.
func (t taken) unique(wanted string) string {
	name := shorten(wanted, maxIdentifier)
	for n := 2; t[naming.Key(name)]; n++ {
		suffix := fmt.Sprintf("_%d", n)
		name = shorten(wanted, maxIdentifier-len(suffix)) + suffix
	}
	t[naming.Key(name)] = true
	return name
}

// shorten cuts a name that is too long and ends it with a part of its digest, so that it stays the same
// when others come and go.
func shorten(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	suffix := "~" + hex.EncodeToString(sum[:3])
	cut := most - len(suffix)
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + suffix
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// A view is one that statements read: its name, its columns, and what it selects.
type view struct {
	name    string
	table   int32 // the number of the table that is read, or whose links are
	link    bool  // it has the pairs of a link
	columns []string
	// computed are the columns that are not stored as they are read.
	computed []string
	query    string
}

func (v *view) add(name, expression string) {
	if v.query != "" {
		v.query += ", "
	}
	v.columns = append(v.columns, name)
	if strings.Contains(expression, "(") {
		v.computed = append(v.computed, name)
	}
	v.query += expression + " as " + quote(name)
}

// viewsOf describes a base to SQL: a view for each table, and one for each link field. It is a function
// only of the snapshot, so every process makes the same.
func viewsOf(snapshot *schema.Snapshot, base uuid.UUID) []view {
	found := snapshot.Base(base)
	if found == nil {
		return nil
	}
	names := taken{}
	var out []view
	tables := make([]string, len(found.Tables))
	for i, t := range found.Tables {
		tables[i] = names.unique(t.Name)
		out = append(out, viewOf(t, tables[i]))
	}
	for i, t := range found.Tables {
		for _, f := range t.Fields {
			if f.Link == nil {
				continue
			}
			v := view{name: names.unique(tables[i] + "__" + f.Name), table: t.Number, link: true}
			v.add("id", "t."+f.Link.Own)
			v.add("linked_id", "t."+f.Link.Other)
			position, seen := "t.pos_"+f.Link.Own, visiblePairs(f.Link, t, snapshot.Table(f.Link.LinkedTable))
			if seen != "" { // a gap would say that there are others
				position = fmt.Sprintf("(row_number() over (partition by t.%[1]s order by t.pos_%[1]s, t.%[2]s)"+
					" - 1)::integer", f.Link.Own, f.Link.Other)
			}
			v.add("position", position)
			v.query = "select " + v.query + " from " + f.Link.Relation(t.Org) + " as t" + seen
			out = append(out, v)
		}
	}
	return out
}

// visiblePairs is the condition of the pairs of a link whose records the snapshot's person reads.
func visiblePairs(link *schema.Link, own, linked *schema.Table) string {
	var conditions []string
	for _, side := range []struct {
		column string
		table  *schema.Table
	}{{link.Own, own}, {link.Other, linked}} {
		if side.table == nil {
			return " where false"
		}
		if side.table.Rows() != nil {
			conditions = append(conditions, "t."+side.column+" in (select r.id from "+side.table.Relation()+" r)")
		}
	}
	if len(conditions) == 0 {
		return ""
	}
	return " where " + strings.Join(conditions, " and ")
}

// viewOf describes a table. The fields have their names; what every record has gives way to them.
func viewOf(t *schema.Table, name string) view {
	names := taken{}
	fields := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		fields[i] = names.unique(f.Name)
	}
	v := view{name: name, table: t.Number}
	v.add(names.unique("id"), "t.id")
	v.add(names.unique("record_id"), fmt.Sprintf("gate.record_id(%d, t.id)", t.Number))
	for i, f := range t.Fields {
		if plain := f.Kind.Plain(&f.Field); plain != "" {
			v.add(fields[i], plain)
		}
	}
	v.add(names.unique("created_at"), "t.created_at")
	v.add(names.unique("updated_at"), "t.updated_at")
	v.query = "select " + v.query + " from " + t.Relation() + " as t"
	return v
}

// form is a part of the digest that changes when this package makes other views of the same base.
const form = "2"

// digest identifies what views are made from.
func (r readers) digest(views []view) []byte {
	sum := sha256.New()
	for _, part := range append([]string{form}, r.statements(views, "", "")...) {
		_, _ = fmt.Fprintf(sum, "%d %s\n", len(part), part) // never fails
	}
	return sum.Sum(nil)
}

// statements make the views in a schema and let a login read them.
func (r readers) statements(views []view, schema, login string) []string {
	out := []string{"create schema " + quote(schema), "grant usage on schema " + quote(schema) + " to " + quote(login)}
	for i, v := range views {
		name := quote(schema) + "." + quote(v.name)
		if r.class == "" {
			out = append(out, "create view "+name+" as "+v.query)
		} else {
			out = append(out, copying(&v, i, schema, login)...)
		}
		out = append(out, "grant select on "+name+" to "+quote(login))
	}
	return out
}

// allowed is what statements may name of the views.
func (r readers) allowed(views []view, schema string) allowlist.Catalog {
	c := allowlist.Catalog{Schema: schema}
	for _, v := range views {
		one := allowlist.Relation{Name: v.name, Columns: v.columns, Computed: v.computed, Table: v.table}
		if r.class != "" {
			one.Computed = nil // the copy has the values
		}
		c.Relations = append(c.Relations, one)
	}
	return c
}
