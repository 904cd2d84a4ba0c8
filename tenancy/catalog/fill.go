package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Records are filled in batches, each of which may make writers of its records wait. Its size follows
// the time that one takes.
const (
	firstBatch = 500
	leastBatch = 20
	mostBatch  = 10_000
	batchTime  = 25 * time.Millisecond
	savedEvery = 50 // batches
	mostPassed = 10_000
	passedWait = 10 * time.Millisecond
)

// Fill computes the columns of a table's computed fields for the records that have none, and has them
// read from then on. It returns true when nothing is left to do, and false when until has come first:
// the next call goes on where it ended.
func (s *Store) Fill(ctx context.Context, org uuid.UUID, table int32, until time.Time) (bool, error) {
	var former int64 // version of the schema of a statement that did not fit it
	for {
		snapshot, err := s.Fresh(ctx, org)
		if err != nil {
			return false, err
		}
		snapshot = snapshot.Stored()
		t := snapshot.TableByNumber(table)
		if t == nil {
			return true, nil
		}
		if renewed, err := s.renewDays(ctx, t); err != nil {
			return false, err
		} else if renewed {
			continue
		}
		f := &filling{store: s, snapshot: snapshot, table: t, size: firstBatch}
		unfilled := snapshot.Unfilled(t)
		if plain := slices.DeleteFunc(slices.Clone(unfilled), (*schema.Field).Daily); len(plain) > 0 {
			unfilled = plain // what depends on the day may need them
		}
		for i, one := range unfilled {
			f.fields = append(f.fields, one)
			if to := snapshot.Columns()[one.Number].FilledTo; i == 0 || to.String() < f.to.String() {
				f.to = to
			}
		}
		if len(f.fields) == 0 {
			s.queueUnfilled(ctx, snapshot, table)
			return true, nil
		}
		done, err := f.run(ctx, until)
		if misfit := db.Misfit(err); misfit != nil && snapshot.Version == former {
			return false, fmt.Errorf("filling the computed columns of table %d: %w", table, misfit)
		} else if misfit != nil {
			former = snapshot.Version
		}
		if errors.Is(err, db.ErrSchemaChanged) {
			continue
		}
		if pgerror.Is(err, pgerrcode.ProgramLimitExceeded) {
			if dropped, err := s.dropIndexes(ctx, t, f.fields); err != nil {
				return false, err
			} else if dropped {
				continue
			}
		}
		if err != nil {
			return false, fmt.Errorf("filling the computed columns of table %d: %w", table, err)
		}
		if !done {
			return false, nil
		}
	}
}

// dropIndexes drops the indexes by use of some fields, because a value is too long for one. Whoever builds it again
// finds that it cannot be built. It reports whether there were some.
func (s *Store) dropIndexes(ctx context.Context, t *schema.Table, fields []*schema.Field) (bool, error) {
	numbers := make([]int32, len(fields))
	for i, f := range fields {
		numbers[i] = f.Number
	}
	var names []string
	err := s.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `select coalesce(array_agg(x.indexrelid::regclass::text), '{}') from pg_index x
			join pg_class i on i.oid = x.indexrelid where x.indrelid = to_regclass($1::text) and exists (
			select from unnest($2::integer[]) n where i.relname ~ ('^i_([0-9cu]+[ead])*' || n || '[ead]'))`,
			t.Relation(), numbers).Scan(&names)
		if err != nil || len(names) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "drop index "+strings.Join(names, ", "))
		return err
	})
	if err != nil {
		return false, fmt.Errorf("dropping the indexes of a column: %w", err)
	}
	return len(names) > 0, nil
}

// queueUnfilled queues other tables whose columns can be filled since the columns of a table are.
func (s *Store) queueUnfilled(ctx context.Context, snapshot *schema.Snapshot, filled int32) {
	if s.options.Fills == nil {
		return
	}
	for t := range snapshot.Tables() {
		marked := slices.ContainsFunc(snapshot.Unfilled(t), func(f *schema.Field) bool { return f.Marked() })
		if marked && t.Number != filled {
			s.options.Fills.add(ctx, snapshot.Org, t.Number)
		}
	}
}

// A filling computes columns of a table, record by record in the order of their ids. Records that
// somebody has locked are passed over and come last, so that neither waits for the other.
type filling struct {
	store    *Store
	snapshot *schema.Snapshot

	table  *schema.Table
	fields []*schema.Field
	to     uuid.UUID // up to which it is done, but for those passed over
	size   int
	passed []uuid.UUID
	safe   uuid.UUID // up to which it was done before the first of them
}

func (f *filling) run(ctx context.Context, until time.Time) (bool, error) {
	if slices.ContainsFunc(f.fields, (*schema.Field).Daily) {
		if ended, err := f.store.waitForWriters(ctx, f.table, until); !ended || err != nil {
			return false, err
		}
	}
	for n := 1; ; n++ {
		began := time.Now()
		last, err := f.batch(ctx)
		if err != nil {
			return false, err
		}
		if last == uuid.Nil {
			done, err := f.returnToPassed(ctx, until)
			if err != nil {
				return false, err
			}
			return done, f.finish(ctx, done)
		}
		f.to = last
		if took := time.Since(began); took > 0 {
			fits := int(float64(f.size) * float64(batchTime) / float64(took))
			f.size = min(max(fits, f.size/2, leastBatch), f.size*2, mostBatch)
		}
		if len(f.passed) >= mostPassed {
			if _, err := f.returnToPassed(ctx, until); err != nil {
				return false, err
			}
		}
		late := time.Now().After(until)
		if late || n%savedEvery == 0 {
			if err := f.finish(ctx, false); err != nil || late {
				return false, err
			}
		}
	}
}

// batch computes some records behind the last ones, and returns the id of the last of them; uuid.Nil if
// there was none.
func (f *filling) batch(ctx context.Context) (uuid.UUID, error) {
	relation := f.table.Relation()
	last, passed, err := f.compute(ctx, "with page as materialized (select k.id from "+relation+
		" k where k.id > $1 order by k.id limit $2), bound as materialized (select p.id from page p order by "+
		"p.id desc limit 1), held as materialized (select k.id from "+relation+" k where k.id > $1 and k.id <= "+
		"(select id from bound) for no key update skip locked), done as (update "+relation+" t set "+
		schema.FilledBy(f.fields)+schema.FillFrom(f.fields,
		"t.id > $1 and t.id <= (select id from bound) and t.id in (select id from held)")+") "+
		"select b.id, array(select id from page except select id from held) from bound b", f.to, f.size)
	if len(passed) > 0 && len(f.passed) == 0 {
		f.safe = f.to
	}
	f.passed = append(f.passed, passed...)
	return last, err
}

// returnToPassed computes the records that were passed over, as soon as they are free. It returns true
// when none is left, and false when until has come first.
func (f *filling) returnToPassed(ctx context.Context, until time.Time) (bool, error) {
	relation := f.table.Relation()
	for len(f.passed) > 0 {
		some := f.passed[:min(len(f.passed), firstBatch)]
		_, still, err := f.compute(ctx, "with held as materialized (select k.id from "+relation+
			" k where k.id = any ($1) for no key update skip locked), done as (update "+relation+" t set "+
			schema.FilledBy(f.fields)+
			schema.FillFrom(f.fields, "t.id = any ($1) and t.id in (select id from held)")+") "+
			"select $2::uuid, array(select k.id from "+relation+" k where k.id = any ($1) except select id from held)",
			some, uuid.Nil)
		if err != nil {
			return false, err
		}
		f.passed = append(f.passed[len(some):], still...)
		if len(still) == 0 {
			continue
		}
		if time.Now().After(until) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("waiting for locked records: %w", ctx.Err())
		case <-time.After(passedWait):
		}
	}
	return true, nil
}

// compute runs a statement while triggers compute every record that is written. It returns the id that
// the statement yields, and the ids of the records that it has passed over. A batch that a crash of the
// server loses is older than the commit that says that all is filled, so that it need not be on disk
// before the next one.
func (f *filling) compute(
	ctx context.Context, statement string, args ...any,
) (last uuid.UUID, passed []uuid.UUID, err error) {
	err = f.store.db.TableTx(ctx, f.table.Org, f.table.Ref(), func(tx pgx.Tx) error {
		last, passed = uuid.Nil, nil
		batch := &pgx.Batch{}
		// Compiling the statement to machine code would take longer than running it.
		batch.Queue("select set_config('" + schema.ComputeSetting + "', 'on', true), set_config('jit', 'off', true), " +
			"set_config('synchronous_commit', 'off', true)")
		batch.Queue(f.table.ComputingLock())
		batch.Queue(statement, args...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := rows.Scan(&last, &passed); err != nil {
					return fmt.Errorf("reading the last record of a batch: %w", err)
				}
			}
			return rows.Err()
		})
		return tx.SendBatch(ctx, batch).Close()
	})
	return last, passed, err
}

// finish keeps how far the filling has come, and if it has filled all, has the columns read from now on.
func (f *filling) finish(ctx context.Context, filled bool) error {
	numbers, expressions := make([]int32, len(f.fields)), make([]string, len(f.fields))
	for i, one := range f.fields {
		numbers[i], expressions[i] = one.Number, f.snapshot.ColumnName(one)
	}
	org, to := f.table.Org, f.to
	if len(f.passed) > 0 {
		to = f.safe
	}
	err := f.store.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue("select from rowhouse.organization where org_id = $1 for update", org)
		batch.Queue(`update rowhouse.computed_column c set filled = $4, filled_to = $5
			from unnest($2::integer[], $3::text[]) as u(number, expression)
			where c.org_id = $1 and c.field_number = u.number and c.expression = u.expression`,
			org, numbers, expressions, filled, to)
		if filled {
			batch.Queue("update rowhouse.organization set schema_version = schema_version + 1 where org_id = $1", org)
			batch.Queue(`update rowhouse.data_table d set version = o.schema_version from rowhouse.organization o
				where d.org_id = $1 and o.org_id = $1 and d.number = $2`, org, f.table.Number)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("keeping how far it has come: %w", err)
	}
	f.store.Forget(org)
	return nil
}
