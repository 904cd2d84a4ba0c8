package sqlquery_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestValuesHaveTheTypesThatTheDocumentationSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	captain := b.create(t, b.captains, `{"Name":"Ida","Age":41}`)
	owner := id.Format(id.User, b.actor.Person)
	ship := b.create(t, b.ships, `{"Name":"Solveig","Kind":"Ferry","Tons":4200.5,"Built":"1999-02-03",
		"Seen":"2026-01-02T03:04:05Z","Ready":true,"Tags":["old","new"],"Owner":["`+owner+`"],"More":{"a":[1]},
		"Captains":["`+captain[0]+`"]}`, `{"Name":"Aase"}`)
	for sql, want := range map[string]string{
		`select name, kind, tons, built, seen, ready, tags, owner, more, number, by, files from ships order by ` +
			`name desc`: `["Solveig",` +
			`"Ferry",4200.5,"1999-02-03","2026-01-02T03:04:05Z",true,["old","new"],["` + owner + `"],{"a": ` +
			`[1]},1,"` + owner +
			`",null] ["Aase",null,null,null,null,false,null,null,null,2,"` + owner + `",null]`,
		`select record_id from ships order by name desc`: `["` + ship[0] + `"] ["` + ship[1] + `"]`,
		`select s.name, c.name, l.position from ships s join ships__captains l on l.id = s.id join captains c ` +
			`on c.id = l.linked_id`: `` +
			`["Solveig","Ida",1]`,
		`select count(*) from (select name from ships order by random() limit 1) sample`: `[1]`,
		`select count(*), sum(tons), avg(tons)::int, max(built), bool_or(ready) from ships`: "" +
			`[2,4200.5,4200,"1999-02-03",true]`,
		`select array_agg(name order by name), 1.50, 'a"b', null, interval '1 day' from ships`: "" +
			`[["Aase","Solveig"],1.50,"a\"b",null,"P1D"]`,
		`select 'NaN'::float8, 2.5::numeric, array[1,null], '{}'::text[]`: "" +
			`["NaN",2.5,[1,null],[]]`,
		`select kind, count(*) from ships group by 1 having count(*) > 0 order by kind nulls last`: "" +
			`["Ferry",1] [null,1]`,
	} {
		if got := b.rows(t, sql); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", sql, got, want)
		}
	}
	result, err := b.sql.Run(t.Context(), b.actor.Org, b.base, `select name, tons, built, tags from ships`, 1)
	check(t, err)
	if got := fmt.Sprint(result.Columns); got != "[{Name text} {Tons double precision} {Built date} {Tags text[]}]" {
		t.Error(got)
	}
	if !result.Truncated || len(result.Rows) != 1 {
		t.Errorf("%d rows, truncated %t", len(result.Rows), result.Truncated)
	}
}

func TestIdsAreWrittenAsTheAPIDoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var objects []string
	for range 50 {
		objects = append(objects, `{"Name":"x"}`)
	}
	ids := b.create(t, b.captains, objects...)
	if got := b.rows(t, `select record_id from captains order by id`); got != `["`+strings.Join(ids, `"] ["`)+`"]` {
		t.Errorf("%s\n%s", got, ids)
	}
}

func TestTheNextStatementSeesAChangeOfTheSchema(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create(t, b.ships, `{"Name":"Solveig","Tons":1}`)
	b.rows(t, `select name from ships`)
	name, table := "Displacement", "Vessels"
	tons := b.tableOf(t, b.ships).FieldByName("Tons")
	check(t, b.store.UpdateField(t.Context(), b.actor.Org, tons.ID, catalog.FieldPatch{Name: &name}))
	check(t, b.store.UpdateTable(t.Context(), b.actor.Org, b.ships, catalog.Patch{Name: &table}))
	if got := b.rows(t, `select displacement from vessels`); got != "[1]" {
		t.Error(got)
	}
	b.refused(t, `select 1 from ships`)
	// A field that is deleted is gone, and its column can be dropped although a view read it.
	check(t, b.store.DeleteField(t.Context(), b.actor.Org, tons.ID))
	if message := b.refused(t, `select displacement from vessels`); !strings.Contains(message, "does not exist") {
		t.Error(message)
	}
	b.purge(t)
	if got := b.rows(t, `select name from vessels`); got != `["Solveig"]` {
		t.Error(got)
	}
	// So is a table.
	check(t, b.store.DeleteTable(t.Context(), b.actor.Org, b.ships))
	b.purge(t)
	if got := b.rows(t, `select count(*) from captains`); got != `[0]` {
		t.Error(got)
	}
}

func TestABaseTakesItsLoginWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.rows(t, `select 1 from ships`)
	admin := b.admin(t)
	var login, views string
	check(t, admin.QueryRow(t.Context(), "select login, schema_name from rowhouse.sql_base where base_id = $1", b.base).
		Scan(&login, &views))
	check(t, b.store.DeleteBase(t.Context(), b.actor.Org, b.base))
	var left int
	check(t, admin.QueryRow(t.Context(), `select (select count(*) from pg_roles where rolname = $1)
		+ (select count(*) from pg_namespace where nspname = $2)`, login, views).Scan(&left))
	if left != 0 {
		t.Error("the login or the views are left")
	}
	_, err := b.sql.Run(t.Context(), b.actor.Org, b.base, `select 1`, 1)
	if problem.KindOf(err) != problem.KindNotFound {
		t.Error(err)
	}
}

func TestAnOrganizationTakesItsLoginsWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.rows(t, `select 1 from ships`)
	var login, views string
	check(
		t,
		b.admin(t).QueryRow(t.Context(), "select login, schema_name from rowhouse.sql_base where base_id = $1", b.base).
			Scan(&login, &views),
	)
	tenancytest.DeleteOrg(t, b.db, b.actor.Org)
	var left int
	check(t, b.admin(t).QueryRow(t.Context(), `select (select count(*) from pg_roles where rolname = $1)
		+ (select count(*) from pg_namespace where nspname = $2)`, login, views).Scan(&left))
	if left != 0 {
		t.Error("the login or the views are left")
	}
}

func TestManyProcessesMakeTheViewsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			other := sqlquery.NewStore(b.db, catalog.NewStore(b.db, catalog.Options{}))
			if _, err := other.Run(t.Context(), b.actor.Org, b.base, `select count(*) from ships`, 1); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	var made int
	check(t, b.admin(t).QueryRow(t.Context(), `select count(*) from pg_namespace n join rowhouse.sql_base b
		on n.nspname = b.schema_name or n.nspname = any (b.former) where b.base_id = $1`, b.base).Scan(&made))
	if made != 1 {
		t.Errorf("%d schemas", made)
	}
}

func TestErrorsTeach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for sql, want := range map[string]string{
		"select name,\n  tonz from ships": `line 2, column 3: column "tonz" does not exist, did you mean "Tons"?`,
		`select s.ages from ships s`:      `line 1, column 8: column s.ages does not exist`,
		`select 1 from shps`: `line 1, column 15: there is no table "shps" in this base, did ` +
			`you mean "Ships"?`,
		`select pg_sleep(1)`:         `line 1, column 8: the function pg_sleep is not allowed`,
		`select name + 1 from ships`: `line 1, column 13: operator does not exist: text + integer`,
		`select 1/0`:                 `division by zero`,
		`select name from ships group by kind`: `line 1, column 8: column "Ships.Name" must appear in the GROUP ` +
			`BY clause`,
		`select a.x from (select 1 as x) b`: `missing FROM-clause entry for table "a"`,
		`delete from ships`:                 `must be a SELECT statement`,
		`select 'x'::integer`:               `invalid input syntax for type integer: "x"`,
	} {
		if message := b.refused(t, sql); !strings.Contains(message, want) {
			t.Errorf("%s: %s\nwant %s", sql, message, want)
		} else if strings.Contains(message, "sql_") {
			t.Errorf("%s tells the name of the schema: %s", sql, message)
		}
	}
}

func TestLimitsAreSaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var objects []string
	for i := range 1500 {
		objects = append(objects, fmt.Sprintf(`{"Name":"%d %s","Tons":%d}`, i, strings.Repeat("x", 1000), i))
	}
	b.create(t, b.ships, objects...)
	check(t, analyze(t, b))
	numbers := "unnest(array[1" + strings.Repeat(",1", 599) + "])"
	fifteen := "x" + strings.Repeat(", x", 14)
	wide := "'" + strings.Repeat("x", 2000) + "'"
	for sql, code := range map[string]string{
		`select count(*) from ships a, ships b, ships c, ships d`: "sql_too_costly",
		`select array_length(array_agg(` + wide + ` || x), 1) from ` + numbers + ` x, ` + numbers + ` y`: "sql_too_" +
			"costly",
		`select array_length(array(select ` + wide + ` || x from ` + numbers + ` x, ` + numbers + ` y), 1)`: "sql_" +
			"too_costly",
		`select count(*) over (), array_agg(a.name) over () from ships a, unnest(string_to_array(a.name, 'x')) b, ` +
			`unnest(string_to_array(a.name, 'x')) c`: "sql_too_costly",
		`select string_agg(a.name || b.name, ',') from ships a, ships b, captains c`: "sql_too_costly",
		`select left(string_agg(a.name, ''), 2000000) || string_agg(a.name, '') || string_agg(a.name, '') || ` +
			`string_agg(a.name, '') from ships a`: "sql_too_large",
		`select cardinality(array[` + fifteen + `]) from (select array[` + fifteen + `] as x from ` +
			`(select array_agg(name) as x from ships) y) z`: "sql_too_costly",
	} {
		_, err := b.sql.Run(t.Context(), b.actor.Org, b.base, sql, 100)
		var said *problem.Error
		if !errors.As(err, &said) || said.Code != code {
			t.Errorf("%s: %v", sql, err)
		}
	}
	result, err := b.sql.Run(t.Context(), b.actor.Org, b.base, `select name from ships`, sqlquery.MaxRows)
	check(t, err)
	size := 0
	for _, row := range result.Rows {
		size += len(row)
	}
	if !result.Truncated || size > sqlquery.MaxBytes || len(result.Rows) < 900 {
		t.Errorf("%d rows with %d bytes, truncated %t", len(result.Rows), size, result.Truncated)
	}
}

func TestALoginThatIsGoneIsMadeAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.rows(t, `select 1 from ships`)
	admin := b.admin(t)
	for _, harm := range []string{"alter role %s password 'another'", "drop owned by %[1]s; drop role %[1]s"} {
		var login string
		check(
			t,
			admin.QueryRow(t.Context(), "select login from rowhouse.sql_base where base_id = $1", b.base).Scan(&login),
		)
		_, err := admin.Exec(t.Context(), fmt.Sprintf(harm, login))
		check(t, err)
		// Another process, because this one still has connections.
		other, err := db.Open(
			t.Context(),
			tenancytest.DatabaseURL(t),
			db.Options{Secrets: tenancytest.Secrets(), MaxConns: 6},
		)
		check(t, err)
		store := catalog.NewStore(other, catalog.Options{})
		result, err := sqlquery.NewStore(
			other,
			store,
		).Run(
			t.Context(),
			b.actor.Org,
			b.base,
			`select count(*) from ships`,
			1,
		)
		if err != nil || joined(result) != "[0]" {
			t.Errorf(harm+": %v", login, err)
		}
		other.Close()
	}
}

func TestWithoutTheFunctionsSQLIsOff(t *testing.T) {
	t.Parallel()
	if tenancytest.DB(t).Distributed() {
		t.Skip("SQL is off on Citus")
	}
	address := tenancytest.FreshDatabaseURL(t)
	admin, err := pgx.Connect(t.Context(), tenancytest.AdminURLOf(t, address))
	check(t, err)
	_, err = admin.Exec(t.Context(), "drop schema sql_login cascade")
	check(t, err)
	check(t, admin.Close(t.Context()))
	database, err := db.Open(t.Context(), address, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 6})
	check(t, err)
	t.Cleanup(database.Close)
	b := setupOn(t, address, database)
	_, err = b.sql.Run(t.Context(), b.actor.Org, b.base, `select 1`, 1)
	var said *problem.Error
	if !errors.As(err, &said) || said.Code != "sql_not_set_up" || said.Kind != problem.KindUnavailable {
		t.Error(err)
	}
}

// Formulas are columns of their values while these are kept in columns, and lookups are none.
func TestFormulasAreColumns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	captain := b.create(t, b.captains, `{"Name":"Ida","Age":41}`)
	b.create(t, b.ships, `{"Name":"Solveig","Tons":2,"Built":"1999-02-03","Captains":["`+captain[0]+`"]}`,
		`{"Name":"Aase","Tons":0}`)
	b.rows(t, `select name from ships`) // views of before
	add := func(name, kind, config string) *schema.Field {
		made, err := b.store.CreateField(t.Context(), b.actor.Org, b.ships, field(name, schema.Type(kind), config))
		check(t, err)
		return made
	}
	share := add("Share", "formula", `{"formula":"10 / {Tons}"}`)
	add("Heavy", "formula", `{"formula":"{Tons} > 1"}`)
	add("Next", "formula", `{"formula":"DATEADD({Built}, 1, \"day\")"}`)
	add("Ages", "lookup", `{"linkFieldId":"Captains","fieldId":"Age"}`)
	add("Today", "formula", `{"formula":"TODAY()"}`)
	if got := b.rows(t, `select share, heavy, next from ships order by name desc`); got !=
		`[5,true,"1999-02-04"] [null,false,null]` {
		t.Error(got)
	}
	for _, name := range []string{"ages", "today"} {
		if message := b.refused(t, `select `+name+` from ships`); !strings.Contains(message, "does not exist") {
			t.Error(message)
		}
	}
	// A formula of another type has another column, although views read the former one.
	check(t, b.store.UpdateField(t.Context(), b.actor.Org, share.ID, catalog.FieldPatch{
		Config: []byte(`{"formula":"{Tons} & \" t\""}`),
	}))
	if got := b.rows(t, `select share from ships order by name desc`); got != `["2 t"] ["0 t"]` {
		t.Error(got)
	}
	check(t, b.store.DeleteField(t.Context(), b.actor.Org, share.ID))
	b.purge(t)
	if got := b.rows(t, `select heavy from ships order by name desc`); got != `[true] [false]` {
		t.Error(got)
	}
}
