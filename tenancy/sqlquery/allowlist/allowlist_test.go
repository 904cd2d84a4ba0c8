package allowlist_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

var harbour = &allowlist.Catalog{Schema: "sql_1", Relations: []allowlist.Relation{
	{Name: "Ships", Columns: []string{"id", "record_id", "Name", "Built in", "Tons"}},
	{Name: "Captains", Columns: []string{"id", "record_id", "Name", "Age", "From"}},
	{Name: "Ships__Captains", Columns: []string{"id", "linked_id", "position"}},
	{Name: "pg_class", Columns: []string{"id", "oid"}},
}}

func TestStatementsAreWrittenWithTheBasesNames(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		`select Name from Ships`: `select "Name" from "sql_1" . "Ships"`,
		`SELECT ships.NAME, count(*) AS n FROM ships GROUP BY ships.name ORDER BY n;`: `SELECT "Ships" . "Name" ` +
			`, count ( * ) ` +
			`AS n FROM "sql_1" . "Ships" GROUP BY "Ships" . "Name" ORDER BY n`,
		`select s.name as name from ships s order by name`: `select s . "Name" as name from "sql_1" . "Ships" s ` +
			`order by name`,
		`select lower(name) as name from ships`: `select lower ( "Name" ) as name from "sql_1" . "Ships"`,
		`with ships2 as (select name as name from ships) select name from ships2`: `with ships2 as ( select ` +
			`"Name" as name ` +
			`from "sql_1" . "Ships" ) select name from ships2`,
		`select "Built in" -- when` + "\nfrom /* a /* b */ */ \"Ships\"": `select "Built in" from "sql_1" . "Ships"`,
		`select 1 from ships join ships__captains using (id)`: `select 1 from "sql_1" . "Ships" join "sql_1" . ` +
			`"Ships__Captains" using ( id )`,
		`select oid from pg_class`: `select oid from "sql_1" . "pg_class"`,
	} {
		statement, err := allowlist.Check(sql, harbour)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		} else if statement.SQL != want {
			t.Errorf("%s becomes\n%s, want\n%s", sql, statement.SQL, want)
		}
	}
}

func TestWhatAnalystsWriteIsTaken(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{
		`select distinct on (name) name, tons from ships order by name, tons desc nulls last limit 3 offset 1`,
		`select extract(year from now()), date_trunc('month', now()), current_date - 7, interval '1 day', date ` +
			`'2026-01-01'`,
		`select tons::numeric(10,2), cast(tons as integer), name like 'a%' escape '!', name ilike '%b', name ~* ` +
			`'x' from ships`,
		`select case when tons > 10 then 'big' else 'small' end, coalesce(name, '-'), nullif(tons, 0), ` +
			`greatest(tons, 1) from ships`,
		`select count(*) filter (where tons > 1), sum(tons) over (partition by name order by tons rows between ` +
			`1 preceding ` +
			`and current row), rank() over w from ships group by name, tons window w as (order by tons)`,
		`select percentile_cont(0.5) within group (order by tons) from ships having count(*) > 1`,
		`select * from ships s left join lateral (select c.name from captains c where c.age > s.tons limit 1) x ` +
			`on true`,
		`select name from ships where id in (select id from ships__captains) and exists (select 1 from captains) ` +
			`or tons = any (array[1, 2]) or tons not between 1 and 2 or name is not null or (tons > 1) is true`,
		`select name from ships union all select name from captains except select 'x' order by 1`,
		`select name, sum(tons) from ships group by rollup (name), grouping sets ((name), ())`,
		`select substring(name from 1 for 2), trim(both 'x' from name), position('a' in name), now() at time ` +
			`zone 'UTC' from ships`,
		`select x from unnest(array[1, 2]) with ordinality as u(x, n) where x <> -1`,
		`values (1, 'a'), (2, 'b')`,
		`with a as (select 1 as x), b as (select x + 1 as y from a) select * from a cross join b`,
	} {
		if _, err := allowlist.Check(sql, harbour); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestRefusalsSayWhereAndWhatIsValid(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		`select 1 from shipz`: "[14] there is no table \"shipz\" " +
			"in this base, did you mean \"Ships\"?",
		`select 1 frm ships`:              `[13] syntax error at or near "ships"`,
		`select from, name from captains`: `[11] syntax error at or near ","; the name "From" is also a word of SQL`,
		`select s.captain from ships s`: "its columns are id, record_id, Name, Built in, Tons; links " +
			"are in the tables Ships__Captains",
		`select set_config('a', 'b', true)`: "[7] the function set_config is " +
			"not allowed",
		`select 1; select 2`: "[8] must be one statement",
		`insert into ships values (1)`: "[0] must be a SELECT statement; " +
			"Insert is not allowed",
		`select 1 into x`:                                                   "[0] SELECT INTO",
		`select 1 from ships for update`:                                    "FOR UPDATE",
		`with x as (delete from ships returning 1) select`:                  "must be a SELECT here",
		`with recursive x as (select 1) select 1 from x`:                    "WITH RECURSIVE",
		`select 1 from pg_catalog.pg_class`:                                 "[14] tables are named without a schema",
		`select 1 from pg_authid`:                                           "there is no table",
		`select * from pg_roles, (with pg_roles as (select 1) select 1) x`:  "there is no table \"pg_roles\"",
		`with pg_roles as (select 1) select 1 from pg_roles`:                "must not be called",
		`select 'a'::regclass`:                                              "the type regclass is not allowed",
		`select $1`:                                                         "[7] \"$\" is not allowed",
		`select E'a'`:                                                       "plain single quotes",
		`select current_user`:                                               "not allowed",
		`select 1 operator(pg_catalog.+) 1`:                                 "OPERATOR() is not allowed",
		`select upper(name) collate "C" from ships`:                         "COLLATE is not allowed",
		`select * from ships tablesample system (1)`:                        "TABLESAMPLE is not allowed",
		`select * from generate_series(1, 2)`:                               "in FROM there are these functions",
		`select replace(name, 'a', name) from ships`:                        "must be a text of up to",
		`select (s).name from ships s`:                                      "a value has no members",
		`select ` + strings.Repeat("not ", 30) + `true`:                     "nested too deeply",
		`select ` + strings.Repeat("(", 30) + `1` + strings.Repeat(")", 30): "nested too deeply",
		`select 1` + strings.Repeat(" union select 1", 30):                  "nested too deeply",
		`with a as (select name||name||name||name||name as x from ships), b as (select x||x||x||x||x||x as x ` +
			`from a), ` +
			`c as (select x||x||x||x||x||x||x||x||x as x from b) select * from c`: "joins texts or lists that " +
			"were joined before",
		``:                     "is empty",
		"select 'é' || nme(1)": "[15] the function nme is not allowed",
	} {
		_, err := allowlist.Check(sql, harbour)
		var refused *allowlist.Refusal
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		got := refused.Message + refused.Names
		if strings.HasPrefix(want, "[") {
			got = "[" + itoa(refused.At) + "] " + got
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}

func TestTheDocumentationListsEveryFunction(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/reference/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(page), func(r rune) bool { return strings.ContainsRune(" `\n,:", r) })
	for _, name := range allowlist.FunctionNames() {
		if name != "timezone" && !slices.Contains(words, name) { // it is written AT TIME ZONE
			t.Errorf("docs/reference/sql.md does not list %s", name)
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}
