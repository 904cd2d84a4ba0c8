package sqlquery_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

// What the others' people wrote, and how often. Nothing of it may come.
const (
	secret        = "Quokka"
	siblingSecret = "Numbat"
	victimRecords = 137
)

// A world has an attacker with a base, another base of the same organization, and another organization.
type world struct {
	*bundle

	login      string
	sibling    string // a relation
	victim     *bundle
	fill       map[string]string
	statements []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOf(t, setup(t), setup(t))
}

// freshWorld is a world whose policies and rights a test may remove.
func freshWorld(t *testing.T) *world {
	t.Helper()
	address, database := fresh(t)
	return worldOf(t, setupOn(t, address, database), setupOn(t, address, database))
}

func worldOf(t *testing.T, own, victim *bundle) *world {
	t.Helper()
	w := &world{bundle: own, victim: victim}
	w.create(t, w.ships, `{"Name":"Solveig","Tons":1}`, `{"Name":"Aase","Tons":2}`)
	w.create(t, w.captains, `{"Name":"Ida"}`)
	var objects []string
	for i := range victimRecords {
		objects = append(objects, fmt.Sprintf(`{"Name":"%s %d"}`, secret, i))
	}
	w.victim.create(t, w.victim.ships, objects...)
	// The victim has used SQL too, so its names are known to somebody.
	w.victim.rows(t, "select 1 from ships")

	snapshot, err := w.store.Cached(t.Context(), w.actor.Org)
	check(t, err)
	other, err := w.store.CreateBase(t.Context(), w.actor.Org, snapshot.Workspaces[0].ID, siblingSecret+" base")
	check(t, err)
	hidden, err := w.store.CreateTable(t.Context(), w.actor.Org, other.ID, "Hidden",
		[]catalog.FieldSpec{field("Name", schema.Text)})
	check(t, err)
	w.create(t, hidden.ID, `{"Name":"`+siblingSecret+`"}`)
	w.sibling = w.tableOf(t, hidden.ID).Relation()

	w.rows(t, "select 1 from ships")
	check(
		t,
		w.admin(
			t,
		).QueryRow(
			t.Context(),
			"select login from rowhouse.sql_base where base_id = $1",
			w.base,
		).Scan(
			&w.login,
		),
	)
	ships := w.victim.tableOf(t, w.victim.ships)
	w.fill = map[string]string{
		"victim": organization.SchemaName(
			w.victim.actor.Org,
		),
		"org":     w.victim.actor.Org.String(),
		"table":   ships.Relation(),
		"link":    ships.FieldByName("Captains").Link.Relation(w.victim.actor.Org),
		"sibling": w.sibling,
		"count":   schema.CountRelation(w.victim.actor.Org),
	}
	w.statements = corpus(w.fill)
	return w
}

// telling matches what nothing but PostgreSQL's own tables and the service's roles contain.
var telling = regexp.MustCompile(
	`org_[0-9a-z]{26}|\bt_[0-9]{3,}\b|rowhouse_[a-z]+|PostgreSQL \d|pg_toast|\bsql_[0-9a-f]{16}\b|/etc/`,
)

// leaked returns what a response must not reveal. It may repeat what the attacker wrote.
func (w *world) leaked(statement, answer string) string {
	for _, word := range []string{secret, siblingSecret, w.victim.actor.Org.String(), id.Format(id.Org,
		w.victim.actor.Org)} {
		if strings.Contains(answer, word) && !strings.Contains(statement, word) {
			return word
		}
	}
	if strings.Contains(answer, fmt.Sprintf("[%d]", victimRecords)) {
		return "the number of the victim's records"
	}
	for _, match := range telling.FindAllString(answer, -1) {
		if !strings.Contains(statement, match) {
			return match
		}
	}
	return ""
}

// A finding is an attack that revealed something.
type finding struct{ statement, what string }

// attack runs the statements and returns what they revealed. It stops after the first findings of a
// kind if it only wants to know whether there are any.
func (w *world) attack(t *testing.T, store *sqlquery.Store, statements []string) (found []finding, answered int) {
	t.Helper()
	return w.attackAs(t, t.Context(), store, statements)
}

// attackAs is attack of somebody, whom the context has.
func (w *world) attackAs(
	t *testing.T, ctx context.Context, store *sqlquery.Store, statements []string,
) (found []finding, answered int) {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	queue := make(chan string)
	for range 2 {
		group.Go(func() {
			for statement := range queue {
				answer := ""
				result, err := store.Run(ctx, w.actor.Org, w.base, statement, sqlquery.MaxRows)
				if err != nil {
					var said *problem.Error
					if !errors.As(err, &said) {
						answer = "an internal error: " + err.Error()
						mu.Lock()
						found = append(found, finding{statement, answer})
						mu.Unlock()
						continue
					}
					answer = said.Message
				} else {
					answer = string(result.AppendJSON(nil))
				}
				what := w.leaked(statement, answer)
				mu.Lock()
				if err == nil {
					answered++
				}
				if what != "" {
					found = append(found, finding{statement, what})
				}
				mu.Unlock()
			}
		})
	}
	for _, statement := range statements {
		queue <- statement
	}
	close(queue)
	group.Wait()
	return found, answered
}

func TestAttacksRevealNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if len(w.statements) < 2000 {
		t.Errorf("the corpus has %d attacks", len(w.statements))
	}
	found, answered := w.attack(t, w.sql, w.statements)
	for _, f := range found {
		t.Errorf("%s\nis told %s", f.statement, f.what)
	}
	t.Logf("%d attacks, %d answered", len(w.statements), answered)
	if answered == 0 || answered > len(w.statements)/20 {
		t.Errorf("%d were answered", answered)
	}
}

// A name of another organization that exists is answered as one that does not.
func TestNamesOfOthersAreLikeInventedOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	invented := map[string]string{}
	for name, value := range w.fill {
		invented[name] = regexp.MustCompile(`[0-9a-f]`).ReplaceAllStringFunc(value, func(c string) string {
			return map[bool]string{true: "1", false: "a"}[c >= "0" && c <= "9"]
		})
	}
	for _, form := range append(places["reach"], places["call"]...) {
		for name := range w.fill {
			form := strings.NewReplacer(
				"{foreign}",
				"{"+name+"}",
				"{function}",
				"to_regclass('{"+name+"}')",
			).Replace(
				form,
			)
			if !strings.Contains(form, "{"+name+"}") {
				continue
			}
			var answers []string
			for _, fill := range []map[string]string{w.fill, invented} {
				statement := strings.ReplaceAll(form, "{"+name+"}", fill[name])
				_, err := w.sql.Run(t.Context(), w.actor.Org, w.base, statement, 1)
				answers = append(answers, strings.ReplaceAll(fmt.Sprint(err), strings.Trim(fill[name], `"`), "…"))
			}
			if answers[0] != answers[1] {
				t.Errorf("%s: %s\nand %s", form, answers[0], answers[1])
			}
		}
	}
}

// readable selects the attacks that a bare login can run. database_to_xml ends the server if another test drops a table
// meanwhile.
func (w *world) readable() []string {
	var out []string
	for _, statement := range w.statements {
		if !strings.Contains(statement, "sleep") && !strings.Contains(statement, "10000") &&
			!strings.Contains(statement, "database_to_xml") {
			out = append(out, statement)
		}
	}
	return out
}

func count(found []finding, words ...string) int {
	n := 0
	for _, f := range found {
		for _, word := range words {
			if strings.Contains(f.what, word) {
				n++
			}
		}
	}
	return n
}

// Without the parser the attacks learn names of tables and roles, and still no word of anybody.
func TestWithoutTheParserNamesLeak(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	found, _ := w.attack(t, w.sql.WithoutParser(), w.readable())
	if len(found) == 0 {
		t.Error("no attack notices that the parser is gone")
	}
	if n := count(found, secret, siblingSecret, "number of the victim"); n > 0 {
		t.Errorf("%d attacks are told what people wrote, by the login alone", n)
	}
	for _, f := range found {
		if count([]finding{f}, secret, siblingSecret, "number of the victim") > 0 {
			t.Errorf("%s is told %s", f.statement, f.what)
		}
	}
	t.Logf("%d findings", len(found))
}

func (w *world) change(t *testing.T, sql string) {
	t.Helper()
	_, err := w.admin(t).Exec(t.Context(), sql)
	check(t, err)
}

// With rights on another base's table the attacks reach the other base of the organization.
func TestWithoutTheLoginsRightsAnotherBaseLeaks(t *testing.T) {
	t.Parallel()
	w := freshWorld(t)
	login := pgx.Identifier{w.login}.Sanitize()
	schema, _, _ := strings.Cut(w.sibling, ".")
	w.change(t, "grant usage on schema "+schema+" to "+login+"; grant select on "+w.sibling+" to "+login+
		"; create policy test on "+w.sibling+" to "+login+" using (true)")
	found, _ := w.attack(t, w.sql.WithoutParser(), w.readable())
	if count(found, siblingSecret) == 0 {
		t.Error("no attack notices that the login has rights")
	}
	if n := count(found, secret); n > 0 {
		t.Errorf("%d attacks enter another organization without its key", n)
	}
}

// Rights on another organization's table alone are not enough: its policy asks for the key.
func TestWithoutRowLevelSecurityAnotherOrganizationLeaks(t *testing.T) {
	t.Parallel()
	w := freshWorld(t)
	login := pgx.Identifier{w.login}.Sanitize()
	w.change(
		t,
		"grant usage on schema "+w.fill["victim"]+" to "+login+"; grant select on "+w.fill["table"]+" to "+login,
	)
	if found, _ := w.attack(t, w.sql.WithoutParser(), w.readable()); count(found, secret) > 0 {
		t.Error("the rights alone show another organization")
	}
	w.change(t, "alter table "+w.fill["table"]+" disable row level security")
	if found, _ := w.attack(t, w.sql.WithoutParser(), w.readable()); count(found, secret) == 0 {
		t.Error("no attack notices that row-level security is gone")
	}
}

// The views themselves ask for the key: one that selects from another organization shows nothing.
func TestAViewOfAnotherOrganizationShowsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var views string
	check(
		t,
		w.admin(
			t,
		).QueryRow(
			t.Context(),
			"select schema_name from rowhouse.sql_base where base_id = $1",
			w.base,
		).Scan(
			&views,
		),
	)
	for range 2 {
		w.change(t, fmt.Sprintf(`set role rowhouse_owner; drop view if exists "%[1]s"."Captains";
			create view "%[1]s"."Captains" as select t.id, t.id::text as record_id from %[2]s t;
			grant select on "%[1]s"."Captains" to %[3]s; reset role`, views, w.fill["table"],
			pgx.Identifier{w.login}.Sanitize()))
		for _, statement := range []string{
			"select count(*) from captains",
			// An error of a cast quotes the value, so it must not be computed before the key is asked for.
			"select count(*) from captains where record_id::integer = 1",
		} {
			_, err := w.sql.Run(t.Context(), w.actor.Org, w.base, statement, 1)
			if err == nil || strings.Contains(err.Error(), "integer") {
				t.Errorf("the wrong view is answered: %v", err)
			}
		}
	}
}

// Without the limits of costs a statement runs into the time limit; without those of results, all comes.
func TestEachLimitIsNeeded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code := func(store *sqlquery.Store, sql string) string {
		_, err := store.Run(t.Context(), w.actor.Org, w.base, sql, sqlquery.MaxRows)
		var said *problem.Error
		if errors.As(err, &said) {
			return said.Code
		}
		return fmt.Sprint(err)
	}
	heavy := "select count(*) from unnest(array[1" + strings.Repeat(",1", 150) + "]) a"
	for _, name := range words("b c d e") {
		heavy += " cross join unnest(array[1" + strings.Repeat(",1", 150) + "]) " + name
	}
	if got := code(w.sql, heavy); got != "sql_too_costly" {
		t.Error(got)
	}
	if got := code(w.sql.WithoutCost(), heavy); got != "sql_timeout" {
		t.Errorf("without the limit of costs: %s", got)
	}
	many := "select a from unnest(array[1" + strings.Repeat(",1", 200) + "]) a cross join unnest(array[1" +
		strings.Repeat(",1", 200) + "]) b"
	result, err := w.sql.Run(t.Context(), w.actor.Org, w.base, many, sqlquery.MaxRows)
	check(t, err)
	all, err := w.sql.WithoutRows().Run(t.Context(), w.actor.Org, w.base, many, 1<<30)
	check(t, err)
	if len(result.Rows) != sqlquery.MaxRows || len(all.Rows) != 201*201 {
		t.Errorf("%d rows, and without the limit %d", len(result.Rows), len(all.Rows))
	}
}
