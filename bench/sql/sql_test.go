// Package sql measures SQL over a base: it compares ten questions of the example's data with the
// same SQL written by hand, and measures what the worst admitted statement costs a neighbour. `make
// bench` runs it, with the files of OurAirports in the directory OURAIRPORTS. It asserts nothing.
package sql

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A table of the base: its file, and its fields as name, kind and heading.
type table struct {
	name, file string
	fields     [][3]string
}

var tables = []table{
	{
		"Countries",
		"countries.csv",
		[][3]string{{"Name", "text", "name"}, {"Code", "text", "code"}, {"Continent", "text", "continent"}},
	},
	{
		"Regions",
		"regions.csv",
		[][3]string{{"Name", "text", "name"}, {"Code", "text", "code"}, {"Country code", "text", "iso_country"}},
	},
	{"Navaids", "navaids.csv", [][3]string{
		{"Name", "text", "name"},
		{"Type", "text", "type"},
		{"Frequency", "number", "frequency_khz"},
		{"Country code", "text", "iso_country"},
		{"Elevation", "number", "elevation_ft"},
		{"Airport", "text", "associated_airport"},
	}},
	{"Runways", "runways.csv", [][3]string{
		{"Airport", "text", "airport_ident"},
		{"Length", "number", "length_ft"},
		{"Width", "number", "width_ft"},
		{"Surface", "text", "surface"},
		{"Lighted", "number", "lighted"},
		{"Closed", "number", "closed"},
	}},
	{"Frequencies", "airport-frequencies.csv", [][3]string{
		{"Airport", "text", "airport_ident"}, {"Type", "text", "type"}, {"Frequency", "number", "frequency_mhz"},
	}},
}

// questions are answered by one statement each.
var questions = []struct{ about, sql string }{
	{
		"the ten longest lighted runways",
		`select airport, length from runways where lighted = 1 and closed = 0 and length is not null
		order by length desc, airport limit 10`,
	},
	{
		"VOR stations in Norway above 1,000 ft",
		`select name, elevation from navaids where type = 'VOR' and "Country code" = 'NO'
		and elevation > 1000 order by elevation desc`,
	},
	{"where is Oslo", `select 'region' as kind, name from regions where name ilike '%oslo%' union all
		select 'navaid', name from navaids where name ilike '%oslo%' order by 1, 2`},
	{"airports with most runways", `select airport, count(*) as runways from runways where closed = 0 group by airport
		order by 2 desc, 1 limit 10`},
	{
		"navaids by continent",
		`select c.continent, count(*) from navaids n join countries c on c.code = n."Country code" group by 1 ` +
			`order by 2 desc`,
	},
	{
		"the share of each kind of navaid",
		`select type, count(*), round(100.0 * count(*) / sum(count(*)) over (), 1) as percent
		from navaids group by type order by 2 desc`,
	},
	{
		"median length of runways by surface",
		`select surface, count(*), percentile_cont(0.5) within group (order by length) as median from runways
		group by surface having count(*) > 500 order by 3 desc nulls last`,
	},
	{
		"countries with most regions",
		`select c.name, count(*) from countries c join regions r on r."Country code" = c.code group by c.name
		order by 2 desc, 1 limit 10`,
	},
	{
		"airports with a tower and a runway above 12,000 ft",
		`select distinct f.airport from frequencies f join runways r on r.airport = f.airport
		where f.type = 'TWR' and r.length > 12000 order by 1`,
	},
	{
		"the longest runway of each of the highest navaids' airports",
		`select n.airport, n.elevation, max(r.length) as longest from navaids n
		join runways r on r.airport = n.airport where n.elevation is not null group by 1, 2 order by 2 desc, 1
			limit 10`,
	},
}

type bundle struct {
	engine *record.Engine
	sql    *sqlquery.Store
	actor  record.Actor
	base   uuid.UUID
	tables map[string]uuid.UUID
}

func setup(b *testing.B) *bundle {
	b.Helper()
	database := tenancytest.DB(b)
	org, owner := tenancytest.Org(b, database)
	store := catalog.NewStore(database, catalog.Options{})
	snapshot, err := store.Cached(b.Context(), org)
	check(b, err)
	base, err := store.CreateBase(b.Context(), org, snapshot.Workspaces[0].ID, "OurAirports")
	check(b, err)
	return &bundle{
		record.New(database, store), sqlquery.NewStore(database, store),
		record.Actor{Org: org, Person: owner},
		base.ID,
		map[string]uuid.UUID{},
	}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// load writes the rows of a file.
func (w *bundle) load(b *testing.B, store *catalog.Store, directory string, t table) {
	b.Helper()
	var fields []catalog.FieldSpec
	for _, f := range t.fields {
		fields = append(fields, catalog.FieldSpec{Name: f[0], Type: schema.Type(f[1])})
	}
	made, err := store.CreateTable(b.Context(), w.actor.Org, w.base, t.name, fields)
	check(b, err)
	w.tables[t.name] = made.ID
	source, err := os.Open(filepath.Join(directory, t.file))
	check(b, err)
	defer func() { _ = source.Close() }()
	rows, err := csv.NewReader(source).ReadAll()
	check(b, err)
	headings := rows[0]
	var objects []jsonvalue.ParsedObject
	for _, row := range rows[1:] {
		var parts []string
		for _, f := range t.fields {
			value := row[slices.Index(headings, f[2])]
			if value == "" {
				continue
			}
			if f[1] != "number" {
				value = strconv.Quote(strings.ToValidUTF8(value, ""))
			}
			parts = append(parts, strconv.Quote(f[0])+":"+value)
		}
		objects = append(objects, jsonvaluetest.ParseObject([]byte("{"+strings.Join(parts, ",")+"}")))
	}
	for batch := range slices.Chunk(objects, record.MaxBatch) {
		_, err := w.engine.Create(b.Context(), w.actor, made.ID, record.Creation{Records: batch, Typecast: true})
		check(b, err)
	}
}

// byHand reads the same tables the way somebody would who has only PostgreSQL: plain views that
// give the columns their names, without row-level security, barriers and limits.
func (w *bundle) byHand(b *testing.B) *pgx.Conn {
	b.Helper()
	admin := tenancytest.Admin(b)
	_, err := w.sql.Run(b.Context(), w.actor.Org, w.base, "select 1", 1)
	check(b, err)
	var views string
	check(
		b,
		admin.QueryRow(
			b.Context(),
			"select schema_name from rowhouse.sql_base where base_id = $1",
			w.base,
		).Scan(
			&views,
		),
	)
	rows, err := admin.Query(b.Context(), "select viewname, definition from pg_views where schemaname = $1", views)
	check(b, err)
	definitions := map[string]string{}
	var name, definition string
	_, err = pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		definitions[name] = definition
		return nil
	})
	check(b, err)
	_, err = admin.Exec(
		b.Context(),
		"drop schema if exists byhand cascade; create schema byhand; set search_path = byhand, pg_catalog; "+
			"set max_parallel_workers_per_gather = 0; set jit = off; set work_mem = '8MB'",
	)
	check(b, err)
	for name, definition := range definitions {
		lower := pgx.Identifier{strings.ToLower(name)}.Sanitize()
		_, err := admin.Exec(b.Context(), "create view "+lower+" as "+definition)
		check(b, err)
		columns, err := admin.Query(
			b.Context(),
			`select attname from pg_attribute where attrelid = to_regclass($1) and attnum > 0`,
			lower,
		)
		check(b, err)
		names, err := pgx.CollectRows(columns, pgx.RowTo[string])
		check(b, err)
		for _, column := range names {
			if strings.ToLower(column) != column && !strings.Contains(column, " ") {
				_, err := admin.Exec(
					b.Context(),
					fmt.Sprintf("alter view %s rename column %q to %s", lower, column, strings.ToLower(column)),
				)
				check(b, err)
			}
		}
	}
	for _, t := range w.tables {
		snapshot, err := catalog.NewStore(tenancytest.DB(b), catalog.Options{}).Fresh(b.Context(), w.actor.Org)
		check(b, err)
		_, err = admin.Exec(b.Context(), "analyze "+snapshot.Table(t).Relation())
		check(b, err)
	}
	b.Cleanup(func() { _, _ = admin.Exec(context.Background(), "drop schema byhand cascade") })
	return admin
}

func BenchmarkQuestions(b *testing.B) {
	directory := os.Getenv("OURAIRPORTS")
	if directory == "" {
		b.Skip("OURAIRPORTS is not the directory of the data")
	}
	w := setup(b)
	store := catalog.NewStore(tenancytest.DB(b), catalog.Options{})
	for _, t := range tables {
		w.load(b, store, directory, t)
	}
	hand := w.byHand(b)
	const rounds = 30
	for _, q := range questions {
		b.Run(strings.ReplaceAll(q.about, " ", "_"), func(b *testing.B) {
			var ours, theirs []time.Duration
			var rows, found int
			service := func() {
				started := time.Now()
				result, err := w.sql.Run(b.Context(), w.actor.Org, w.base, q.sql, 1000)
				check(b, err)
				ours, rows = append(ours, time.Since(started)), len(result.Rows)
			}
			byHand := func() {
				started := time.Now()
				read, err := hand.Query(b.Context(), q.sql, pgx.QueryExecModeExec)
				check(b, err)
				found = 0
				for read.Next() {
					found++
				}
				check(b, read.Err())
				theirs = append(theirs, time.Since(started))
			}
			for round := range rounds { // in turns, so that both meet the same load
				// The first one reads the table into the machine's caches for the other.
				if turn := []func(){service, byHand}; round%2 == 0 {
					rest(turn[0])
					rest(turn[1])
				} else {
					rest(turn[1])
					rest(turn[0])
				}
				if found != rows {
					b.Fatalf("%d rows, by hand %d", rows, found)
				}
			}
			own, other := percentile(ours, 50), percentile(theirs, 50)
			b.ReportMetric(float64(own.Microseconds())/1000, "ms")
			b.ReportMetric(float64(other.Microseconds())/1000, "ms-by-hand")
			b.ReportMetric(float64(own)/float64(other), "ratio")
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// rest lets the service end the previous transaction, which nobody waits for.
func rest(turn func()) {
	time.Sleep(5 * time.Millisecond)
	turn()
}

func percentile(d []time.Duration, p int) time.Duration {
	slices.Sort(d)
	return d[min(len(d)-1, len(d)*p/100)]
}

// worst are statements that use everything that they may: their estimates are far below their cost.
var worst = map[string]string{
	"join": "select count(*) from items a join items b on a.number::int % 2 = b.number::int % 2",
	"sort": `select count(*) from (select a.name, row_number() over (order by a.name || b.name) from items a, items b
		where b.number < 40) x`,
	"pattern": "select count(*) from items a, items b where a.name || b.name ~ '(x+x+)+y' and b.number < 50",
}

func BenchmarkNeighbour(b *testing.B) {
	w, neighbour := setup(b), setup(b)
	store := catalog.NewStore(tenancytest.DB(b), catalog.Options{})
	var ids []string
	for _, one := range []*bundle{w, neighbour} {
		made, err := store.CreateTable(b.Context(), one.actor.Org, one.base, "Items",
			[]catalog.FieldSpec{{Name: "Name", Type: "text"}, {Name: "Number", Type: "number"}})
		check(b, err)
		for i := range 100 {
			var objects []jsonvalue.ParsedObject
			for j := range 100 {
				objects = append(
					objects,
					jsonvaluetest.ParseObject([]byte(fmt.Sprintf(`{"Name":"xxxxxxxxxxxxxxxxxxxx %d","Number":%d}`,
						i*100+j, i*100+j))),
				)
			}
			_, err := one.engine.Create(b.Context(), one.actor, made.ID, record.Creation{Records: objects})
			check(b, err)
		}
		_, err = tenancytest.Admin(b).Exec(b.Context(), "analyze "+made.Relation())
		check(b, err)
		rows, err := tenancytest.Admin(b).Query(b.Context(), "select id from "+made.Relation()+" limit 1000")
		check(b, err)
		found, err := pgx.CollectRows(rows, pgx.RowTo[[16]byte])
		check(b, err)
		ids = nil
		for _, row := range found {
			ids = append(ids, id.FormatRecord(made.Number, uuid.UUID(row)))
		}
	}
	for name, sql := range worst {
		for _, at := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s_%d", name, at), func(b *testing.B) {
				var alone, disturbed []time.Duration
				var statements atomic.Int64
				for range 4 {
					alone = append(alone, neighbour.gets(b, ids, 1500*time.Millisecond)...)
					ctx, stop := context.WithCancel(b.Context())
					var group sync.WaitGroup
					for range at {
						group.Go(func() {
							for ctx.Err() == nil {
								if _, err := w.sql.Run(
									ctx,
									w.actor.Org,
									w.base,
									sql,
									10,
								); err != nil &&
									ctx.Err() == nil &&
									!strings.Contains(err.Error(), "which is the limit") {
									b.Error(err)
									return
								}
								statements.Add(1)
							}
						})
					}
					time.Sleep(200 * time.Millisecond)
					disturbed = append(disturbed, neighbour.gets(b, ids, 1500*time.Millisecond)...)
					stop()
					group.Wait()
				}
				for _, p := range []int{50, 99} {
					a, c := percentile(alone, p), percentile(disturbed, p)
					b.ReportMetric(float64(a.Microseconds())/1000, fmt.Sprintf("p%d-alone-ms", p))
					b.ReportMetric(float64(c.Microseconds())/1000, fmt.Sprintf("p%d-beside-ms", p))
					b.ReportMetric(float64(c)/float64(a), fmt.Sprintf("p%d-ratio", p))
				}
				b.ReportMetric(float64(statements.Load()), "statements")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// gets reads records for a while, one after another, and returns how long each took.
func (w *bundle) gets(b *testing.B, ids []string, during time.Duration) []time.Duration {
	b.Helper()
	end := time.Now().Add(during)
	var took []time.Duration
	for time.Now().Before(end) {
		started := time.Now()
		one := ids[rand.IntN(len(ids))]
		if _, err := w.engine.Get(b.Context(), w.actor, one); err != nil {
			b.Error(err)
			return took
		}
		took = append(took, time.Since(started))
	}
	return took
}
