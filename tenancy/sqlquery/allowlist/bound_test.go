package allowlist_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// PostgreSQL takes s.name for name(s) where s has no such column.
func TestColumnsOfATableAreNotFunctions(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{
		`select s.pg_typeof from ships s`,
		`select ships.pg_typeof from ships`,
		`select s.pg_typeof from ships s, (select 1 as pg_typeof) t`,
		`select s.pg_typeof from ships s where exists (select 1 from (select 1 as pg_typeof) s)`,
		`select (select s.pg_typeof from (select 1 as one) s) from (select 1 as pg_typeof) s`,
		`with pg_typeof2 as (select 1 as pg_typeof) select s.pg_typeof from ships s`,
		`select x.pg_typeof from (select * from ships) x`,
		`select x.pg_typeof from (select pg_typeof as y from (select 1 as pg_typeof) z) x`,
		`select j.pg_typeof from (ships s cross join captains c) as j`,
		`select x.name from ships s, (values (1)) x`,
		`select pg_typeof.pg_typeof from unnest(array(select s from ships s)) as pg_typeof`,
		`select pg_typeof.pg_typeof from jsonb_array_elements('[]') as pg_typeof`,
		`select s.one from ships s cross join (select s.one from (select 2 as two) y) x, (select 1 as one) s`,
		`select x.pg_typeof from ships x(pg_typeof, b) union select x.pg_typeof from ships x`,
		`select name from ships s union select 'x' order by s.pg_typeof`,
		`select s.name.name from ships s`,
	} {
		if statement, err := allowlist.Check(sql, harbour); err == nil {
			t.Errorf("%s may run as %s", sql, statement.SQL)
		}
	}
	for _, sql := range []string{
		`select s.name, x.n from ships s, lateral (select count(*) as n from captains c where c.age > s.tons) x`,
		`select x.count, x.lower from (select count(*), lower(name) from ships group by 2) x`,
		`with a(n) as (select name from ships), b as (select * from a) select b.n from b join a on a.n = b.n`,
		`select u.x, u.ordinality from unnest(array[1, 2]) with ordinality as u(x)`,
		`select e.value from jsonb_array_elements('[1]') e`,
		`select v.column1 from (values (1, 'a')) v`,
		`select s.name from ships s union all select c.name from captains c order by 1`,
		`select j."Age" from (ships s join captains c using (id)) j`,
		`select s.name from ships s where exists (select 1 from ships__captains l where l.id = s.id)`,
		`select x."Name" from (select s.* from ships s) x`,
		`select u.id from ships s join captains c using (id) as u`,
		`select x.coalesce, x."Tons" from (select coalesce(name, ''), tons::text from ships) x`,
	} {
		if _, err := allowlist.Check(sql, harbour); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestWhatGrowsWithoutBoundsIsRefused(t *testing.T) {
	t.Parallel()
	fifty := strings.Repeat("x", 50)
	for _, sql := range []string{
		`select replace(replace(name, 'a', '` + fifty + `'), 'x', '` + fifty + `') from ships`,
		`select regexp_replace(regexp_replace(name, '', '` + fifty + `', 'g'), '', '` + fifty + `', 'g') from ships`,
		`select array_to_string(string_to_array(name, null), name) from ships`,
		`select string_agg(name, name) from ships`,
		`select to_char(tons, name) from ships`,
		`select now() at time zone ('x' || tons) from ships`,
		`select date_trunc('day', now(), name) from ships`,
		`select make_timestamptz(2026, 1, 1, 1, 1, 1, name) from ships`,
		`select power(tons, 100000) from ships`,
		`select 9.9 ^ 131000`, `select tons::numeric ^ 100000 from ships`,
		`select 1e131000`, `select '1e131000'::numeric`, `select ` + strings.Repeat("9", 401),
		`select tons` + strings.Repeat(" * tons", 41) + ` from ships`,
		`select ` + strings.Repeat("ln(tons), ", 11) + `1 from ships`,
		`select ` + strings.Repeat("(", 10) + `tons` + strings.Repeat(")::text", 10) + ` from ships`,
	} {
		if _, err := allowlist.Check(sql, harbour); err == nil {
			t.Errorf("%.80s may run", sql)
		}
	}
	for _, sql := range []string{
		`select replace(replace(replace(name, '-', ''), ' ', ''), 'ae', 'ä') from ships`,
		`select regexp_replace(name, '[^0-9]', '', 'g'), array_to_string(array[name], ', ', '-') from ships`,
		`select to_char(now(), 'YYYY-MM-DD'), now() at time zone 'Europe/Oslo', now() at time zone interval '1 hour'`,
		`select power(tons::double precision, 2), tons::float8 ^ 2, 2 ^ 10 from ships`,
		`select tons * 2 / 3 % 4, 1.5e300, round(tons::numeric, 2) from ships`,
	} {
		if _, err := allowlist.Check(sql, harbour); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// nested writes common table expressions, each of which computes x from the x of the one before.
func nested(count int, how, expression, from string) string {
	var b strings.Builder
	b.WriteString("with a0 as (select tons as x from ships)")
	for i := 1; i <= count; i++ {
		before := "a" + strconv.Itoa(i-1)
		b.WriteString(", a" + strconv.Itoa(i) + " as " + how + " (select " + expression + " as x from " +
			strings.ReplaceAll(from, "$", before) + ")")
	}
	return b.String() + " select max(x) from a" + strconv.Itoa(count)
}

// inside nests sub-selects in FROM.
func inside(count int, before, after string) string {
	return "select x from " + strings.Repeat("(select "+before+" from ", count) + "(select tons as x from ships) y" +
		strings.Repeat(after+") y", count)
}

func TestWhatThePlannerMultipliesIsRefused(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"greatest":              nested(8, "", "greatest(x, x, x, x, x, x)", "$"),
		"never materialized":    nested(8, "not materialized", "coalesce(x, x, x, x)", "$"),
		"case":                  nested(12, "", "case x when x then x else x end", "$"),
		"arithmetic":            nested(16, "", "x + x", "$"),
		"a name with its table": nested(16, "", "p.x - p.x", "$ p"),
		"functions":             nested(16, "", "round(x + x)", "$"),
		"in select":             nested(12, "", "(select max(c.age + x + x + x) from captains c)", "$"),
		"a column of a star":    nested(16, "", "y.x + y.x", "(select * from $) y"),
		"a row":                 nested(16, "", "case when y is null then x + x end", "$ y"),
		"a column without name": nested(16, "", "\"greatest\"", "(select greatest(x, x) from $) y"),
		"renamed columns":       nested(16, "", "y.z + y.z", "(select x from $) y(z)"),
		"lateral":               nested(16, "", "l.z", "$ p, lateral (select p.x + p.x as z) l"),
		"lateral values":        nested(16, "", "l.z", "$ p, lateral (values (p.x + p.x)) l(z)"),
		"set operations":        nested(16, "", "x + x", "(select x from $ union all select tons from ships) y"),
		"tables of joins":       nested(9, "not materialized", "p.x", "$ p join $ q on p.x = q.x"),
		"full join using":       nested(16, "", "x + x", "$ p full join (select 1 as x) q using (x)"),
		"sub-selects":           inside(18, "x + x as x", ""),
		"between":               nested(8, "", "case when x between symmetric x and x then 1 end", "$"),
		"in":                    nested(8, "", "case when x in (x, x + 1, x + 2) then 1 end", "$"),
		"cube":                  `select count(*) from ships group by cube(` + numbered(12, "tons + $") + `)`,
		"several cubes":         `select count(*) from ships group by ` + numbered(6, "cube(tons + $, tons - $)"),
		"many tables":           `select count(*) from ` + numbered(90, "ships s$"),
		"many identifiers":      `select greatest(` + numbered(90, "record_id") + `) from ships`,
		"identifiers of a table": nested(5, "", "x || y.z", "$, (select max(record_id || record_id || record_id) as "+
			"z from ships) y"),
	} {
		_, err := allowlist.Check(sql, planned)
		var refused *allowlist.Refusal
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, "too many times over") {
			t.Errorf("%s: %.300s: %v", name, sql, err)
		}
	}
	for name, sql := range map[string]string{
		"steps apart":       nested(20, "materialized", "greatest(x, x, x, x, x, x)", "$"),
		"steps read twice":  nested(12, "", "p.x + q.x", "$ p join $ q on p.x = q.x"),
		"few steps":         nested(5, "", "case when x > 1 then x + 1 else x end", "$"),
		"long names":        nested(40, "", "x + 1", "$"),
		"a row of a record": `select s, s.* from ships s`,
		"pairs":             `select count(*) from ` + numbered(40, "ships s$"),
		"groups":            `select name, count(*) from ships group by rollup(name, tons), cube(tons, id)`,
		"many values":       `select name from ships where tons in (` + numbered(1400, "$") + `)`,
		"long text":         `select name from ships where name = '` + strings.Repeat("x", 9000) + `'`,
	} {
		if _, err := allowlist.Check(sql, planned); err != nil {
			t.Errorf("%s: %.300s: %v", name, sql, err)
		}
	}
}

// planned is harbour, with the columns that are computed.
var planned = &allowlist.Catalog{Schema: "sql_1", Relations: []allowlist.Relation{
	{Name: "Ships", Columns: []string{"id", "record_id", "Name", "Tons"}, Computed: []string{"record_id"}},
	{Name: "Captains", Columns: []string{"id", "Name", "Age"}},
}}

// numbered repeats a text with numbers, separated by commas.
func numbered(count int, text string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = strings.ReplaceAll(text, "$", strconv.Itoa(i))
	}
	return strings.Join(parts, ", ")
}
