package allowlist_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// outside matches what a statement that was taken must not contain outside of quotes.
var outside = regexp.MustCompile(
	`(?i)\b(pg_[a-z_]+|set_config|current_setting|insert|update|delete|into|copy|execute|lo_[a-z]+)\b`,
)

// literals matches texts and quoted names.
var literals = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"`)

// Whatever is taken is taken again as it was written, names nothing else, and is one statement. Run with
// -fuzz=FuzzCheck for as long as you like.
func FuzzCheck(f *testing.F) {
	allowlist.Warm() // compiling takes longer than one input may
	for _, seed := range []string{
		`select name from ships`, `with a as (select 1 as x) select x from a, "Ships" s where s.name like 'a%'`,
		`select set_config('a', 'b', true)`, `select * from pg_catalog.pg_class`, `select 'a'::regclass`,
		"select 1 -- x\n; select 2",
		`select /* /* */ */ "Built in", count(*) filter (where tons > 1) over (partition by name) from ships ` +
			`group by rollup (1)`,
		`select E'\'', U&"x", $$a$$`, `select 1e5, .5, 1.5e-3, -1, 'it''s', "a""b"`, `(((select 1)))`, `values ` +
			`(1), (2)`,
		`select case when not not true then array[1,2][1] else (select max(id) from ships__captains) end`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		statement, err := allowlist.Check(sql, harbour)
		var refused *allowlist.Refusal
		switch {
		case errors.As(err, &refused):
			if refused.At < 0 || refused.At > len(sql) || refused.Message == "" {
				t.Errorf("%q: %d %q", sql, refused.At, refused.Message)
			}
			return
		case err != nil:
			t.Fatalf("%q: %v", sql, err)
		}
		bare := literals.ReplaceAllString(statement.SQL, "x")
		if strings.ContainsAny(bare, ";$\x00") || strings.Contains(bare, "--") || strings.Contains(bare, "/*") {
			t.Errorf("%q becomes %q", sql, statement.SQL)
		}
		for _, match := range outside.FindAllString(bare, -1) {
			// Such a word may be the name of a column or an alias, but not of a function or a table.
			if strings.Contains(bare, match+" (") || strings.Contains(bare, "from "+match+" ") {
				t.Errorf("%q becomes %q, with %s", sql, statement.SQL, match)
			}
		}
		again, err := allowlist.Check(strings.ReplaceAll(statement.SQL, `"sql_1" . `, ""), harbour)
		if err != nil || again.SQL != statement.SQL {
			t.Errorf("%q becomes %q, and that %v, %v", sql, statement.SQL, again, err)
		}
	})
}
