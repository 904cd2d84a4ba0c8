package changelog

import (
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A change of a link shows in the records of both sides, so both get the transaction's number. Each
// function here must be called before the statements that write the join table.

// LinkWrite is what a request makes of one link field.
type LinkWrite struct {
	Schema *schema.Snapshot
	Field  *schema.Field
	Rows   []uuid.UUID // of the field's table, whose links are written whole
	Fresh  bool        // the rows are new
	// The links that the rows will have: records of the field's table, the linked records, and the
	// positions of the linked records.
	Own, Other []uuid.UUID
	Places     []int32
	// The positions of Own in the lists of the other side, where they are known; others come last.
	FarPlaces []*int32
}

// Next queues the drawing of another number for the transaction. A request that writes both sides of a
// link in one table changes a field twice, and the log must say which change came first.
func Next(b *pgx.Batch) {
	b.Queue("select gate.draw_change(" + db.ChangeNumber + ")")
}

// Link logs what a write of links changes.
func Link(b *pgx.Batch, w LinkWrite, origin Origin) {
	f, link := w.Field, w.Field.Link
	near, far := f.Table, w.Schema.Table(link.LinkedTable)
	if far == nil {
		return
	}
	relation := link.Relation(near.Org)
	args := []any{w.Own, w.Other, w.Places, w.Rows}
	with := "wanted as materialized (select * from unnest($1::uuid[], $2::uuid[], $3::integer[]) as w(own, other, " +
		"place)), " +
		"present as materialized (select l." + link.Own + " as own, l." + link.Other + " as other, l.pos_" + link.Own +
		" as place from " + relation + " l where l." + link.Own + " = any ($4::uuid[])), "
	stolen := "select null::uuid as own, null::uuid as other where false"
	inverse := w.Schema.Field(link.Inverse)
	if inverse != nil && inverse.Single() { // a linked record leaves the one that it was linked to
		stolen = "select l." + link.Own + ", l." + link.Other + " from " + relation + " l join wanted w on w.other " +
			"= l." +
			link.Other + " where l." + link.Own + " <> all ($4::uuid[])"
	}
	with += "stolen(own, other) as materialized (" + stolen + "), " +
		"gained as materialized (select own, other from wanted except select own, other from present), " +
		"lost as materialized (select own, other from present except select own, other from wanted union all " +
		"select own, other from stolen)"
	sides := map[*schema.Table][]string{}
	if inverse != nil {
		with += sideOf(far, "far", "select other from gained union select other from lost", "",
			delta(inverse, "own", "other"))
		sides[far] = append(sides[far], "far")
		var logged string
		logged, args = linked(far, "far", origin, args)
		with += ", far_logged as (" + logged + ")"
	}
	if !w.Fresh {
		list := func(from string) string {
			return "(select jsonb_agg(i.other order by i.place) from " + from + " i where i.own = x.id)"
		}
		with += ", near_all as materialized (select x.id, x.version, " + list("present") + " as held, " +
			list("wanted") +
			" as holds from " + near.Whole().Relation() + " x where x.id = any ($4::uuid[]))" +
			", near as materialized (select id, version, jsonb_build_object('" + Key(&f.Field) +
			"', coalesce(held, '[]')) as was from near_all where held is distinct from holds)"
		sides[near] = append(sides[near], "near")
		logged := About(near, Updated, origin, "near", db.ChangeNumber, 1+len(args))
		args = append(args, logged.Args...)
		with += ", near_logged as (" + logged.SQL + ")"
	}
	if inverse != nil && inverse.Single() {
		with += sideOf(near, "robbed", "select own from stolen", "", delta(f, "other", "own"))
		sides[near] = append(sides[near], "robbed")
		var logged string
		logged, args = linked(near, "robbed", origin, args)
		with += ", robbed_logged as (" + logged + ")"
	}
	raised, later := raise(far, sides[far])
	with += raised
	if near != far {
		raised, nearLater := raise(near, sides[near])
		with, later = with+raised, later+nearLater
	}
	b.Queue("with "+with+" select "+later+"1", args...)
}

// Unlink logs the links that linked records lose by the deletion of records.
func Unlink(b *pgx.Batch, s *schema.Snapshot, t *schema.Table, rows []uuid.UUID, origin Origin) {
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		far, inverse := s.Table(f.Link.LinkedTable), s.Field(f.Link.Inverse)
		if far == nil || inverse == nil {
			continue
		}
		lost := "gained as (select null::uuid as own, null::uuid as other where false), lost as materialized " +
			"(select l." +
			f.Link.Own + " as own, l." + f.Link.Other + " as other from " + f.Link.Relation(t.Org) + " l where l." +
			f.Link.Own + " = any ($1::uuid[]))"
		but := ""
		if far == t {
			but = " and x.id <> all ($1::uuid[])"
		}
		raised, later := raise(far, []string{"far"})
		with := lost + sideOf(far, "far", "select other from lost", but, delta(inverse, "own", "other")) + raised
		logged, args := linked(far, "far", origin, []any{rows})
		b.Queue("with "+with+", logged as ("+logged+") select "+later+"1", args...)
	}
}

// Whole is the SQL expression for the object of all values of a deleted record: the alias g of its row
// in the record table, whose links still exist. Under PlaceKey it has the positions of the record in
// the lists of the linked records, so that it can come back to them.
func Whole(g string, t *schema.Table) string {
	whole := "(select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(to_jsonb(" + g + ")) e " +
		"where e.key not in ('id', 'version') and e.value <> 'null'::jsonb)"
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		order := " order by l.pos_" + f.Link.Own + ")"
		whole += " || coalesce((select jsonb_build_object('" + Key(&f.Field) + "', jsonb_agg(l." + f.Link.Other +
			order + ", '" + PlaceKey(&f.Field) + "', jsonb_agg(l.pos_" + f.Link.Other + order + ") from " +
			f.Link.Relation(t.Org) + " l where l." + f.Link.Own + " = " + g + ".id having count(*) > 0), '{}')"
	}
	return whole
}

// delta is the object of the records that a field gained and lost, from the relations gained and lost:
// list is their column of the field's linked records, and holder the column of the field's own records.
func delta(f *schema.Field, list, holder string) string {
	side := func(from string) string {
		return "(select jsonb_agg(i." + list + ") from " + from + " i where i." + holder + " = x.id)"
	}
	return "jsonb_build_object('" + Key(&f.Field) + "', jsonb_strip_nulls(jsonb_build_object('added', " +
		side("gained") +
		", 'removed', " + side("lost") + ")))"
}

// sideOf locks the records of a table that lose or gain links: those with the ids that a SELECT
// returns, under a further condition. It uses an array, because Citus reads the result of a SELECT that
// locks and joins in a wrong format.
//
// Lock has locked these records, except those that another writer linked while it waited. A lock on
// such a record comes out of order, so it uses NOWAIT: otherwise two writers could wait for each other.
// If the record is locked, the transaction fails and begins again (pgerror.IsRowTaken).
func sideOf(t *schema.Table, name, ids, further, was string) string {
	return ", " + name + " as materialized (select x.id, x.version, " + was + " as was from " + t.Whole().Relation() +
		" x where x.id = any (array(" + ids + "))" + further + " order by x.id for no key update of x " + NoWait + ")"
}

// raise gives the records of a table the transaction's number: the records in relations, which may
// overlap. It is one UPDATE that reads all of them first, because a statement skips a record that it
// has changed and then locks. assertion is a part of the statement's SELECT. If a record has a later
// number, because numbers are ahead of the clock, the service tries the transaction again.
func raise(t *schema.Table, from []string) (with, assertion string) {
	if len(from) == 0 {
		return "", ""
	}
	all := "all_" + itoa(t.Number)
	with = ", " + all + " as materialized (select id, max(version) as version from (select id, version from " +
		strings.Join(from, " union all select id, version from ") + ") each group by id), raised_" + itoa(t.Number) +
		" as (update " + t.Whole().Relation() + " x set version = " + db.ChangeNumber + " from " + all +
		" a where x.id = a.id)"
	return with, "gate.assert(coalesce((select max(version) from " + all + "), 0) <= " + db.ChangeNumber +
		", '40001'), "
}

func linked(t *schema.Table, from string, origin Origin, args []any) (string, []any) {
	entry := About(t, Linked, origin, from, db.ChangeNumber, 1+len(args))
	return entry.SQL, append(args, entry.Args...)
}
