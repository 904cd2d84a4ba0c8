package allowlist_test

import (
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
