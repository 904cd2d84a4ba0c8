package changelog

import (
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func itoa[N int | int32](n N) string { return strconv.Itoa(int(n)) }

func placeholder(n int) string { return "$" + strconv.Itoa(n) }

func sorted(numbers []int32) []int32 { return slices.Compact(slices.Sorted(slices.Values(numbers))) }

// A Log appends the entries of one transaction, which Begin has begun.
type Log struct{ parts int16 }

// next reserves parts for n entries and returns the first.
func (l *Log) next(n int) int16 {
	first := l.parts
	l.parts += int16(n) //nolint:gosec // a few for each record and field of one request
	return first
}

const columns = " (number, part, kind, table_number, change_set, person, credential, request, records"

// Create queues the entries for new records: one for each origin. origins[i] is that of rows[i], or
// origins has one element, that of all.
func (l *Log) Create(b *pgx.Batch, t *schema.Table, rows []uuid.UUID, origins []Origin) {
	into := "insert into " + Relation(t.Org) + columns + ") "
	if len(origins) == 1 {
		o := origins[0]
		b.Queue(into+"values ("+Number+", $1, $2, $3, $4, $5, $6, $7, $8)",
			l.next(1), Created, t.Number, o.Set, o.Person, o.Credential, o.Request, rows)
		return
	}
	group := groupOf(origins)
	b.Queue(into+"select "+Number+", $1::smallint + row_number() over (order by o.place) - 1, $2, $3, o.change_set, o.person, "+
		"o.credential, o.request, array_agg(r.id order by r.id) from unnest($4::uuid[], $5::integer[]) as r(id, origin) join "+
		group.source(6)+" on o.place = r.origin group by "+group.columns(),
		append([]any{l.next(len(group.sets)), Created, t.Number, rows, group.places}, group.args()...)...)
}

// Args are the arguments of the entry that SQL describes, in the order of its placeholders.
type Args []any

// SQL is an INSERT into the log, for a data-modifying WITH, of one entry about the records in a
// relation with the columns id, version and was. was is an object of Was. Placeholders begin with
// the given one, and there are as many as Args has elements. Nothing is inserted if the relation is
// empty.
func (l *Log) SQL(t *schema.Table, kind Kind, origin Origin, from string, first int) (string, Args) {
	p := func(i int) string { return placeholder(first + i) }
	return "insert into " + Relation(t.Org) + columns + ", previous, before) select " + Number + ", " + p(0) + "::smallint, " +
			p(1) + "::smallint, " + p(2) + "::integer, " + p(3) + "::uuid, " + p(4) + "::uuid, " + p(5) + "::text, " + p(6) +
			"::text, array_agg(e.id order by e.id), array_agg(e.version order by e.id), jsonb_agg(e.was order by e.id) from " +
			from + " e having count(*) > 0",
		Args{l.next(1), kind, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request}
}

// GroupedSQL is SQL for several origins: one entry for each. The relation also has the column
// origin, an index in places, which PlacesOf returns.
func (l *Log) GroupedSQL(t *schema.Table, kind Kind, origins []Origin, from string, first int) (string, Args) {
	group := groupOf(origins)
	p := func(i int) string { return placeholder(first + i) }
	return "insert into " + Relation(t.Org) + columns + ", previous, before) select " + Number + ", " + p(0) +
			"::smallint + row_number() over (order by o.place) - 1, " + p(1) + "::smallint, " + p(2) + "::integer, o.change_set, " +
			"o.person, o.credential, o.request, array_agg(e.id order by e.id), array_agg(e.version order by e.id), " +
			"jsonb_agg(e.was order by e.id) from " + from + " e join " + group.source(first+3) +
			" on o.place = e.origin group by " + group.columns(),
		append(Args{l.next(len(group.sets)), kind, t.Number}, group.args()...)
}

// PlacesOf returns for each of origins the number of its entry among those of GroupedSQL, from one.
func PlacesOf(origins []Origin) []int { return groupOf(origins).places }

// An originGroup holds different origins, each once, as columns.
type originGroup struct {
	places      []int // of each that was given, from one
	sets        []uuid.UUID
	people      []*uuid.UUID
	credentials []string
	requests    []*string
}

func groupOf(origins []Origin) *originGroup {
	g := &originGroup{places: make([]int, len(origins))}
	type origin struct {
		set     uuid.UUID // of one credential
		request string
	}
	seen := map[origin]int{}
	for i, o := range origins {
		key := origin{set: o.Set}
		if o.Request != nil {
			key.request = *o.Request
		}
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
		"::text[], " + placeholder(first+3) + "::text[]) with ordinality as o(change_set, person, credential, request, place)"
}

func (g *originGroup) columns() string {
	return "o.place, o.change_set, o.person, o.credential, o.request"
}

func (g *originGroup) args() []any { return []any{g.sets, g.people, g.credentials, g.requests} }
