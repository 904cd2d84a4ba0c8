package sqlquery_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// The login's own settings hold where the connection sets none, and the connection's where the login has
// none.
func TestConnectionsOfTheLoginAreReadOnlyAndBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const look = `select current_setting('transaction_read_only') || ' ' ||
		current_setting('statement_timeout') || ' ' ||
		current_setting('search_path') || ' ' || current_setting('max_parallel_workers_per_gather')`
	const want = "on 5s pg_catalog, pg_temp 0"
	bare := w.sql.WithoutParser()
	ask := func() string {
		result, err := bare.Run(t.Context(), w.actor.Org, w.base, look, 1)
		check(t, err)
		return strings.Trim(string(result.Rows[0]), `["]`)
	}
	if got := ask(); got != want {
		t.Error(got)
	}
	var own string
	check(t, w.admin(t).QueryRow(t.Context(), `select array_to_string(setconfig, ' ') || ' ' || rolconnlimit
		from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname = $1`, w.login).Scan(&own))
	if own != "default_transaction_read_only=on statement_timeout=5s idle_in_transaction_session_timeout=10s "+
		"search_path=pg_catalog, pg_temp max_parallel_workers_per_gather=0 work_mem=8MB 8" {
		t.Error(own)
	}
	w.change(t, "alter role "+pgx.Identifier{w.login}.Sanitize()+" reset all")
	if got := ask(); got != want {
		t.Errorf("by the connection alone: %s", got)
	}
	// Nothing of a session outlives a statement.
	_, err := bare.Run(
		t.Context(),
		w.actor.Org,
		w.base,
		"select pg_advisory_lock(4711), set_config('a.b', 'c', false)",
		1,
	)
	check(t, err)
	var locks int
	check(
		t,
		w.admin(
			t,
		).QueryRow(
			t.Context(),
			"select count(*) from pg_locks where locktype = 'advisory' and objid = 4711",
		).Scan(
			&locks,
		),
	)
	result, err := bare.Run(t.Context(), w.actor.Org, w.base, "select current_setting('a.b', true)", 1)
	check(t, err)
	if locks != 0 || strings.Contains(string(result.Rows[0]), "c") {
		t.Errorf("%d locks, %s", locks, result.Rows)
	}
}

// What the login may call in the service's schemas is what its views need.
func TestTheLoginCallsNothingOfTheService(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := w.admin(t).Query(t.Context(), `select n.nspname || '.' || p.proname from pg_proc p
		join pg_namespace n on n.oid = p.pronamespace
		where n.nspname in ('gate', 'sql_login', 'rowhouse') and has_schema_privilege($1, n.oid, 'usage')
			and has_function_privilege($1, p.oid, 'execute') order by 1`, w.login)
	check(t, err)
	may, err := pgx.CollectRows(rows, pgx.RowTo[string])
	check(t, err)
	if got := strings.Join(
		may,
		" ",
	); got != "gate.admit gate.hold_table gate.organization gate.record_id gate.user_id" {
		t.Error(got)
	}
	rows, err = w.admin(
		t,
	).Query(
		t.Context(),
		`select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'v', 'p', 'm', 'S')
			and has_schema_privilege($1, n.oid, 'usage') and has_table_privilege($1, c.oid, 'select') order by 1`,
		w.login,
	)
	check(t, err)
	may, err = pgx.CollectRows(rows, pgx.RowTo[string])
	check(t, err)
	if len(may) != 4 { // two tables, and both sides of a link
		t.Error(may)
	}
}

// Bases that take turns have no more connections together than a process has places.
func TestConnectionsAreNotMoreThanPlaces(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const places = 2
	sql := apart(t, b, places)
	orgs, bases := []uuid.UUID{b.actor.Org}, []uuid.UUID{b.base}
	for range 5 {
		other := setup(t)
		orgs, bases = append(orgs, other.actor.Org), append(bases, other.base)
	}
	for turn := range 3 * len(bases) {
		var both sync.WaitGroup
		for at := range 2 {
			both.Go(func() {
				one := (turn + at) % len(bases)
				if _, err := sql.Run(t.Context(), orgs[one], bases[one], "select 1", 1); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		// PostgreSQL shows a connection that was closed for a moment longer.
		open := places + 1
		for try := 0; open > places && try < 100; try++ {
			check(t, tenancytest.Admin(t).QueryRow(t.Context(), `select count(*) from pg_stat_activity a
				join rowhouse.sql_base s on s.login = a.usename where s.base_id = any ($1)`, bases).Scan(&open))
			if open > places {
				time.Sleep(20 * time.Millisecond)
			}
		}
		if open > places {
			t.Fatalf("%d connections after %d turns, for %d places", open, turn+1, places)
		}
	}
}

// apart returns the SQL of a bundle in a process of its own.
func apart(t *testing.T, b *bundle, places int) *sqlquery.Store {
	t.Helper()
	database, err := db.Open(t.Context(), b.address, db.Options{Secrets: tenancytest.Secrets(), GuestConns: places})
	check(t, err)
	t.Cleanup(database.Close)
	return sqlquery.NewStore(database, catalog.NewStore(database, catalog.Options{}))
}

// PostgreSQL bounds the time of each part of a result, and the service that of all parts together.
func TestThePartsOfAStatementAreBoundedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	slow := "select a, exp(5000.5 + a) from unnest(array[1" + strings.Repeat(",1", 20) + "]) a cross join " +
		"unnest(array[1" + strings.Repeat(",1", 200) + "]) b"
	sql := apart(t, b, 1).WithTime(100 * time.Millisecond)
	_, err := sql.Run(t.Context(), b.actor.Org, b.base, slow, sqlquery.MaxRows)
	var said *problem.Error
	if !errors.As(err, &said) || said.Code != "sql_timeout" {
		t.Errorf("a statement that takes longer ends with %v", err)
	}
}
