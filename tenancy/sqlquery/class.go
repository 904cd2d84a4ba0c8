package sqlquery

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// Statements of people from whom something of the base is hidden run over copies. PostgreSQL calls a function for each
// view that a statement names, which returns what the person reads as a list, and the planner sees only this list: no
// index, no statistics and no size of the table. So no cost, no order, no choice of a plan and no error depends on what
// is hidden (docs/decisions/0068-sql-for-everybody.md).

// MaxCopied bounds the records of a table, and the links of a field, that are copied for a statement.
const MaxCopied = 50_000

// maxClasses bounds the sets of views that a base keeps for people from whom something is hidden. Beyond it, the
// oldest one is made again when it is needed.
const maxClasses = 32

const secretSize = 32 // bytes

// readers are the people who read a base by the same views.
type readers struct {
	base  uuid.UUID
	class string // of those from whom something of the base is hidden, by their rights; "" for all others
}

func readersOf(snapshot *schema.Snapshot, base uuid.UUID) readers {
	if !snapshot.IsPartial(base) {
		return readers{base: base}
	}
	sum := sha256.Sum256([]byte(snapshot.RightsIn(base)))
	return readers{base, hex.EncodeToString(sum[:16])}
}

// read queues the statement that reads the row of the views.
func (r readers) read(b *pgx.Batch, org uuid.UUID, to *stored) {
	const columns = "select schema_name, login, digest, former, "
	if r.class == "" {
		b.Queue(columns+"null::bytea from rowhouse.sql_base where org_id = $1 and base_id = $2", org, r.base).
			QueryRow(to.scan)
		return
	}
	b.Queue(columns+"secret from rowhouse.sql_class where org_id = $1 and base_id = $2 and class = $3", org, r.base,
		r.class).QueryRow(to.scan)
}

// write queues the statements that write the row of new views, drop the former ones, and set what is left of these.
func (r readers) write(b *pgx.Batch, org uuid.UUID, next *stored) {
	former := func(row pgx.Row) error { return row.Scan(&next.former) }
	if r.class == "" {
		b.Queue(`insert into rowhouse.sql_base (org_id, base_id, schema_name, login, digest, former)
			values ($1, $2, $3, $4, $5, gate.drop_sql_schemas($6)) on conflict (org_id, base_id) do update
			set schema_name = excluded.schema_name, digest = excluded.digest, former = excluded.former
			returning former`,
			org, r.base, next.schema, next.login, next.digest, next.former).QueryRow(former)
		return
	}
	if next.secret == nil {
		next.secret = make([]byte, secretSize)
		_, _ = rand.Read(next.secret) // never fails
	}
	b.Queue(`insert into rowhouse.sql_class (org_id, base_id, class, schema_name, login, digest, former, secret)
		values ($1, $2, $3, $4, $5, $6, gate.drop_sql_schemas($7), $8) on conflict (org_id, base_id, class) do update
		set schema_name = excluded.schema_name, digest = excluded.digest, former = excluded.former, built_at = now()
		returning former`,
		org, r.base, r.class, next.schema, next.login, next.digest, next.former, next.secret).QueryRow(former)
	b.Queue(`delete from rowhouse.sql_class where org_id = $1 and base_id = $2 and class in (
		select c.class from rowhouse.sql_class c where c.org_id = $1 and c.base_id = $2
		order by c.built_at desc, c.class offset $3)`, org, r.base, maxClasses)
}

// copying makes the view of a copy. The login may read neither the view below it nor the table.
func copying(v *view, at int, schema, login string) []string {
	inside := func(kind string) string { return quote(schema) + "." + internal(kind, at) }
	rows, order, distinct := inside("rows"), "1", "distinct on (1) "
	if v.link {
		order, distinct = "1, 2", "" // a record has several links
	}
	function := func(signature, query string) []string {
		name, _, _ := strings.Cut(signature, " returns ")
		return []string{
			fmt.Sprintf(`create function %s language plpgsql stable security definer rows %d
				set search_path = pg_catalog, pg_temp
				as $$ begin perform gate.admit_person('%s'); return query %s; end $$`,
				signature, MaxCopied, schema, query),
			"revoke all on function " + name + " from public",
			"grant execute on function " + name + " to " + quote(login),
		}
	}
	// The planner knows the size of the copy by the limit, and that ids are unique by the distinct.
	shown := fmt.Sprintf("select %s* from (select * from %s() limit current_setting('%s')::bigint) c order by %s",
		distinct, inside("copy"), sizeSetting(at), order)
	return slices.Concat(
		[]string{"create view " + rows + " as " + v.query},
		function(inside("copy")+"() returns setof "+rows, "select * from "+rows+" order by "+order),
		function(inside("size")+"() returns table (records bigint, widest integer)", fmt.Sprintf(
			"select count(*), coalesce(max(pg_column_size(v)), 0) from (select v from %s v limit %d) v",
			rows, MaxCopied+1)),
		[]string{"create view " + quote(schema) + "." + quote(v.name) + " as " + shown},
	)
}

// internal is a name that no table has, because it begins with a space.
func internal(kind string, at int) string { return quote(" " + kind + " " + strconv.Itoa(at)) }

// sizeSetting is the setting with the size of a copy.
func sizeSetting(at int) string { return "app.copied_" + strconv.Itoa(at) }

// measure sets for the planner the sizes of the copies of a statement, and returns the size of the widest record in
// bytes. There may be more records in the next moment, so that the limit is larger.
func (a *access) measure(ctx context.Context, tx *db.GuestTx, statement *allowlist.Statement) (int, error) {
	widest := 0
	for i := range a.catalog.Relations {
		one := &a.catalog.Relations[i]
		if !slices.Contains(statement.Relations, one) {
			continue
		}
		var size [2]int64
		take := func(_ []pgconn.FieldDescription, values [][]byte) (bool, error) {
			for at := range size {
				var err error
				if size[at], err = strconv.ParseInt(string(values[at]), 10, 64); err != nil {
					return false, fmt.Errorf("reading the size of a copy: %w", err)
				}
			}
			return true, nil
		}
		_, err := execute(ctx, tx, nil, take, "select s.records, s.widest, pg_catalog.set_config('"+sizeSetting(i)+
			"', (s.records + s.records / 8 + 10)::text, true) from "+quote(a.schema)+"."+internal("size", i)+"() s")
		if err != nil {
			return 0, err
		}
		if size[0] > MaxCopied {
			return 0, problem.Invalid("sql", "You read a part of this base, of which SQL reads at most %d records "+
				"of a table and links of a field, and %q has more. query_records and aggregate_records read all.",
				MaxCopied, one.Name).WithCode(problem.CodeSQLTooCostly)
		}
		widest = max(widest, int(size[1]))
	}
	return widest, nil
}

// proof is what proves to the views that the service says who reads.
func (a *access) proof(person uuid.UUID) string {
	sum := sha256.Sum256(slices.Concat(a.secret, []byte(person.String()), a.secret))
	return hex.EncodeToString(sum[:])
}
