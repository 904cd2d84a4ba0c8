package changelog

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func itoa[N int | int32](n N) string { return strconv.Itoa(int(n)) }

func placeholder(n int) string { return "$" + strconv.Itoa(n) }

const columns = " (number, kind, table_number, change_set, person, credential, request, records"

// Without RETURNING, Citus would copy (COPY) what a SELECT inserts, which row-level security forbids.
const returning = " returning number"

// Create queues the entries for new records, one for each origin. origins[i] belongs to rows[i].
func Create(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, origins []Origin) {
	group := groupOf(origins)
	if len(group.sets) == 1 {
		rows = slices.Clone(rows)
		slices.SortFunc(rows, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		b.Queue("insert into "+Relation(t.Org)+columns+") values ("+db.ChangeNumber+", $1, $2, $3, $4, $5, $6, $7)"+
			returning, Created, t.Number, group.sets[0], group.people[0], group.credentials[0], group.requests[0], rows)
		return
	}
	b.Queue("insert into "+Relation(t.Org)+columns+") select "+db.ChangeNumber+", $1, $2, o.change_set, o.person, "+
		"o.credential, o.request, array_agg(r.id order by r.id) from unnest($3::uuid[], $4::integer[]) as r(id, "+
		"origin) join "+
		group.source(5)+" on o.place = r.origin group by "+group.columns()+returning,
		append([]any{Created, t.Number, rows, group.places}, group.args()...)...)
}

// An Entry is an INSERT into the log, for a data-modifying WITH, with its arguments.
type Entry struct {
	SQL  string
	Args []any
}

// CreateOne is the entry for one new record, whose id is in a placeholder. The entry's own placeholders
// begin with first.
func CreateOne(t *schema.Table, origin Origin, row string, first int) Entry {
	p := func(i int) string { return placeholder(first + i) }
	return Entry{
		"insert into " + Relation(t.Org) + columns + ") values (" + db.ChangeNumber + ", " + p(0) + ", " + p(1) +
			", " + p(2) +
			", " + p(3) + ", " + p(4) + ", " + p(5) + ", array[" + row + "::uuid])",
		[]any{Created, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request},
	}
}

// About is one entry about the records in a relation with the columns id, version and was, which is an
// object of Was. An empty relation has no entry. number is an SQL expression. The entry's placeholders
// begin with first.
func About(t *schema.Table, kind Kind, origin Origin, from, number string, first int) Entry {
	p := func(i int) string { return placeholder(first + i) }
	return Entry{
		"insert into " + Relation(t.Org) + columns + ", previous, before) select " + number + ", " + p(0) +
			"::smallint, " +
			p(1) + "::integer, " + p(2) + "::uuid, " + p(3) + "::uuid, " + p(4) + "::text, " + p(5) +
			"::text, array_agg(e.id order by e.id), array_agg(e.version order by e.id), jsonb_agg(e.was order by " +
			"e.id) from " +
			from + " e having count(*) > 0" + returning,
		[]any{kind, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request},
	}
}

// AboutOne is About for a relation of at most one record, which also has the column number. The entry
// is only written if was is not empty.
func AboutOne(t *schema.Table, kind Kind, origin Origin, from string, first int) Entry {
	p := func(i int) string { return placeholder(first + i) }
	return Entry{
		"insert into " + Relation(t.Org) + columns + ", previous, before) select e.number, " + p(0) + "::smallint, " +
			p(1) + "::integer, " + p(2) + "::uuid, " + p(3) + "::uuid, " + p(4) + "::text, " + p(5) +
			"::text, array[e.id], array[e.version], jsonb_build_array(e.was) from " + from + " e where e.was <> '{}'" +
			returning,
		[]any{kind, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request},
	}
}

// AboutEach is About for several origins, with one entry for each. The relation also has the column
// origin, which is one of PlacesOf.
func AboutEach(t *schema.Table, kind Kind, origins []Origin, from string, first int) Entry {
	group := groupOf(origins)
	return Entry{
		"insert into " + Relation(t.Org) + columns + ", previous, before) select " + db.ChangeNumber + ", " +
			placeholder(first) + "::smallint, " + placeholder(first+1) + "::integer, o.change_set, " +
			"o.person, o.credential, o.request, array_agg(e.id order by e.id), array_agg(e.version order by e.id), " +
			"jsonb_agg(e.was order by e.id) from " + from + " e join " + group.source(first+2) +
			" on o.place = e.origin group by " + group.columns() + returning,
		append([]any{kind, t.Number}, group.args()...),
	}
}

// PlacesOf returns for each of origins the position of its entry in AboutEach, from one.
func PlacesOf(origins []Origin) []int { return groupOf(origins).places }

// An originGroup is a set of origins, as columns.
type originGroup struct {
	places      []int // of each that was given, from one
	sets        []uuid.UUID
	people      []*uuid.UUID
	credentials []string
	requests    []string
}

func groupOf(origins []Origin) *originGroup {
	g := &originGroup{places: make([]int, len(origins))}
	type origin struct {
		set     uuid.UUID // of one credential
		request string
	}
	seen := map[origin]int{}
	for i, o := range origins {
		key := origin{set: o.Set, request: o.Request}
		place, ok := seen[key]
		if !ok {
			g.sets, g.people = append(g.sets, o.Set), append(g.people, o.Person)
			g.credentials, g.requests = append(g.credentials, o.Credential), append(g.requests, o.Request)
			place = len(g.sets)
			seen[key] = place
		}
		g.places[i] = place
	}
	return g
}

func (g *originGroup) source(first int) string {
	return "unnest(" + placeholder(first) + "::uuid[], " + placeholder(first+1) + "::uuid[], " + placeholder(first+2) +
		"::text[], " + placeholder(first+3) + "::text[]) with ordinality as o(change_set, person, credential, " +
		"request, place)"
}

func (g *originGroup) columns() string {
	return "o.place, o.change_set, o.person, o.credential, o.request"
}

func (g *originGroup) args() []any { return []any{g.sets, g.people, g.credentials, g.requests} }
