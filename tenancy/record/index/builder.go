package index

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Builder makes the indexes that queries would use, and drops those that no query has used for
// long. One builder of all processes on a database works at a time. See
// docs/decisions/0012-indexes-by-use.md.
type Builder struct {
	Manager *Manager
	Log     *slog.Logger // nil logs nothing

	Every time.Duration // between two runs; default 5 s
	// MinRecords is how many records a table has before an index pays; default 3,000.
	MinRecords int64
	Idle       time.Duration // after which an unused index is dropped; default 30 days

	dropped    time.Time               // when idle indexes were last dropped
	retryAfter map[candidate]time.Time // of builds that failed
}

// maxIndexes bounds the indexes of a table, including those that come with it.
const maxIndexes = 24

// Run builds and drops indexes until ctx ends. It must be called before the engine serves, and
// once.
func (b *Builder) Run(ctx context.Context) {
	if b.Every == 0 {
		b.Every = 5 * time.Second
	}
	job.Repeat(ctx, b.Every, b.Log, "keeping indexes", b.RunOnce)
}

// RunOnce builds what queries would have used since the last run. The first run, and then one each
// hour, drops what is idle. It is not for several goroutines at once.
func (b *Builder) RunOnce(ctx context.Context) error {
	if b.MinRecords == 0 {
		b.MinRecords = 3000
	}
	if b.Idle == 0 {
		b.Idle = 30 * 24 * time.Hour
	}
	if b.retryAfter == nil {
		b.retryAfter = map[candidate]time.Time{}
	}
	demand := b.Manager.demand.take()
	dropDue := time.Since(b.dropped) > usePrecision
	if len(demand) == 0 && !dropDue {
		return nil
	}
	return b.Manager.db.OwnerConn(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		var locked bool
		take := "select pg_try_advisory_lock($1, 0)"
		if err := conn.QueryRow(ctx, take, db.LockIndexBuilder).Scan(&locked); err != nil {
			return fmt.Errorf("taking the builder's lock: %w", err)
		}
		if !locked { // the builder of another process is at work; its queries are likely the same, and these come again
			return nil
		}
		order := slices.SortedFunc(maps.Keys(demand), func(x, y candidate) int { return demand[y] - demand[x] })
		for _, one := range order {
			if time.Now().Before(b.retryAfter[one]) {
				continue
			}
			if err := b.ensure(ctx, conn, one); err != nil {
				b.retryAfter[one] = time.Now().Add(time.Minute)
				return fmt.Errorf("index %s of table %d: %w", one.name, one.table, err)
			}
		}
		if dropDue {
			b.dropped = time.Now()
			maps.DeleteFunc(b.retryAfter, func(_ candidate, until time.Time) bool { return time.Now().After(until) })
			return b.dropIdle(ctx, conn)
		}
		return nil
	})
}

// ensure builds a candidate if it pays and does not exist, and records its use.
func (b *Builder) ensure(ctx context.Context, conn *pgx.Conn, one candidate) error {
	snapshot, err := b.Manager.store.Cached(ctx, one.org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	t := snapshot.TableByNumber(one.table)
	if t == nil {
		return nil
	}
	var records int64
	var refused bool
	err = b.Manager.db.Batch(ctx, one.org, func(batch *pgx.Batch) {
		batch.Queue(
			"select coalesce(sum(records), 0)::bigint from "+t.CountRelation()+" where table_number = $1", one.table,
		).QueryRow(func(row pgx.Row) error { return row.Scan(&records) })
		batch.Queue(`select exists(select from rowhouse.record_index
			where org_id = $1 and table_number = $2 and name = $3 and refused)`, one.org, one.table, one.name).
			QueryRow(func(row pgx.Row) error { return row.Scan(&refused) })
		batch.Queue(`update rowhouse.record_index set used_at = now()
			where org_id = $1 and table_number = $2 and name = $3 and used_at < now() - $4::interval`, one.org,
			one.table, one.name, usePrecision)
	})
	if err != nil {
		return fmt.Errorf("reading what the table holds: %w", err)
	}
	if refused || records < b.MinRecords {
		return nil
	}
	var indexes int
	var valid *bool
	err = conn.QueryRow(ctx, `select count(*), bool_or(x.indisvalid) filter (where i.relname = $2)
		from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = to_regclass($1::text)`, t.Relation(),
		one.name).Scan(&indexes, &valid)
	if err != nil {
		return fmt.Errorf("reading the indexes: %w", err)
	}
	switch {
	case valid != nil && *valid:
		return nil
	case valid == nil && indexes >= maxIndexes:
		return nil
	case valid != nil: // left behind by a build that did not end
		if err := b.drop(ctx, conn, t, one.name); err != nil {
			return err
		}
	}
	return b.build(ctx, conn, t, one)
}

func (b *Builder) build(ctx context.Context, conn *pgx.Conn, t *schema.Table, one candidate) error {
	began := time.Now()
	body, comment := "", ""
	if stored, err := b.Manager.stored(ctx, t); err == nil && stored != nil {
		body = definition(stored, one.name)
	}
	if one.name == query.SearchIndexName(t) {
		columns := query.SearchColumns(t)
		var text string
		if err := conn.QueryRow(
			ctx, "select gate.search_text(to_regclass($1::text), $2::integer[])", t.Relation(), columns,
		).Scan(&text); err != nil {
			return fmt.Errorf("writing the search text: %w", err)
		}
		body = "using gin ((" + text + ") public.gin_trgm_ops)"
		comment = strings.NewReplacer("[", "{", "]", "}", " ", ",").Replace(fmt.Sprint(columns))
	}
	if body == "" || !isIndexName(one.name) {
		return nil // the fields have changed since
	}
	building, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		b.yieldToSchemaChange(building, t, cancel)
	}()
	_, err := conn.Exec(building, `create index concurrently "`+one.name+`" on `+t.Relation()+" "+body,
		pgx.QueryExecModeSimpleProtocol)
	cancel(nil)
	<-watched
	if err != nil {
		if pgerror.Is(err, pgerrcode.UndefinedTable, pgerrcode.UndefinedColumn, pgerrcode.DuplicateTable) {
			return nil // the table or the column went meanwhile, or the index is there
		}
		if pgerror.Is(err, pgerrcode.ProgramLimitExceeded) {
			return b.Manager.ban(ctx, t, one.name)
		}
		return fmt.Errorf("building: %w", err)
	}
	if comment != "" {
		if _, err := conn.Exec(
			ctx, "comment on index "+qualified(t, one.name)+" is '"+comment+"'", pgx.QueryExecModeSimpleProtocol,
		); err != nil {
			return fmt.Errorf("saying what the index covers: %w", err)
		}
	}
	if err := b.dropOlder(ctx, conn, t, one.name); err != nil {
		return err
	}
	// Statistics for the index's expressions, which the planner has none of yet.
	if _, err := conn.Exec(ctx, "analyze "+t.Relation(), pgx.QueryExecModeSimpleProtocol); err != nil {
		return fmt.Errorf("analyzing: %w", err)
	}
	err = b.Manager.db.Batch(ctx, t.Org, func(batch *pgx.Batch) {
		batch.Queue(`insert into rowhouse.record_index (org_id, table_number, name, reason) values ($1, $2, $3, $4)
			on conflict (org_id, table_number, name) do update
			set reason = excluded.reason, created_at = now(), used_at = now()`,
			t.Org, t.Number, one.name, one.reason)
	})
	if pgerror.Is(err, pgerrcode.ForeignKeyViolation) {
		return nil // the table went meanwhile
	}
	if err != nil {
		return fmt.Errorf("noting the index: %w", err)
	}
	if b.Log != nil {
		b.Log.InfoContext(ctx, "index built", "table", t.PublicID(), "index", one.name, "reason", one.reason, "took",
			time.Since(began))
	}
	return nil
}

// yieldToSchemaChange cancels a build when a change of the table's schema waits for it, so that
// people do not wait for the builder.
func (b *Builder) yieldToSchemaChange(ctx context.Context, t *schema.Table, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			var waited bool
			err := b.Manager.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error { // only the owner may see locks
				return tx.QueryRow(ctx,
					`select exists(select from pg_locks where relation = to_regclass($1::text) and not granted
					and mode = 'AccessExclusiveLock' and database = (select oid from pg_database
					where datname = current_database()))`, t.Relation()).
					Scan(&waited)
			})
			if err == nil && waited {
				cancel(problem.Conflict("a schema change waits"))
				return
			}
		}
	}
}

func (b *Builder) drop(ctx context.Context, conn *pgx.Conn, t *schema.Table, name string) error {
	if !isIndexName(name) {
		return nil
	}
	if _, err := conn.Exec(
		ctx, "drop index concurrently if exists "+qualified(t, name), pgx.QueryExecModeSimpleProtocol,
	); err != nil {
		return fmt.Errorf("dropping the index %s: %w", name, err)
	}
	return nil
}

// dropOlder drops the indexes that a new one replaces: search indexes of other fields, and those on the
// same columns in another order, as before the options of a select were moved.
func (b *Builder) dropOlder(ctx context.Context, conn *pgx.Conn, t *schema.Table, newest string) error {
	pattern := "s_.*"
	if columns, ok := columnsIn(newest); ok {
		pattern = "i_" + columns + `(_\d+)?`
	}
	rows, err := conn.Query(ctx, `select i.relname::text from pg_index x join pg_class i on i.oid = x.indexrelid
		where x.indrelid = to_regclass($1::text) and i.relname ~ ('^' || $3::text || '$') and i.relname <> $2`,
		t.Relation(), newest, pattern)
	if err != nil {
		return fmt.Errorf("looking for older indexes: %w", err)
	}
	older, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("looking for older indexes: %w", err)
	}
	for _, name := range older {
		if err := b.drop(ctx, conn, t, name); err != nil {
			return err
		}
	}
	return nil
}

// dropIdle drops every index that no query has used for long, and forgets those that are gone.
func (b *Builder) dropIdle(ctx context.Context, conn *pgx.Conn) error {
	type idle struct {
		org   uuid.UUID
		table int32
		name  string
	}
	var found []idle
	err := b.Manager.db.SystemBatch(ctx, func(batch *pgx.Batch) {
		batch.Queue(`select org_id, table_number, name from rowhouse.record_index where used_at < now() - $1::interval
			limit 1000`, b.Idle).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var one idle
					if err := rows.Scan(&one.org, &one.table, &one.name); err != nil {
						return fmt.Errorf("scanning an idle index: %w", err)
					}
					found = append(found, one)
				}
				return rows.Err()
			})
	})
	if err != nil {
		return fmt.Errorf("looking for idle indexes: %w", err)
	}
	for _, one := range found {
		snapshot, err := b.Manager.store.Fresh(ctx, one.org)
		if err != nil {
			return fmt.Errorf("reading the schema: %w", err)
		}
		if t := snapshot.TableByNumber(one.table); t != nil {
			if err := b.drop(ctx, conn, t, one.name); err != nil {
				return err
			}
		}
		err = b.Manager.db.Batch(ctx, one.org, func(batch *pgx.Batch) {
			batch.Queue("delete from rowhouse.record_index where org_id = $1 and table_number = $2 and name = $3",
				one.org, one.table, one.name)
		})
		if err != nil {
			return fmt.Errorf("forgetting an idle index: %w", err)
		}
	}
	return nil
}
