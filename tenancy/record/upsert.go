package record

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxKeys is how many fields an upsert matches on at most.
const maxKeys = 3

// An upsert holds a lock on each of its keys from before it looks for the records until it commits,
// so that a second one with the same key sees what the first has made of it. The locks, and the
// records found, are taken in one order by everybody: two upserts wait for each other, and never
// for each other at once.

// keyFields finds the fields to match on.
func keyFields(t *schema.Table, names []string) ([]*schema.Field, error) {
	if len(names) < 1 || len(names) > maxKeys {
		return nil, problem.Invalid("upsertOn", "must name 1 to %d fields, not %d", maxKeys, len(names))
	}
	return query.FieldsNamed(t, "upsertOn", names, func(f *schema.Field) string {
		if !f.CanBeKey() {
			return fmt.Sprintf(
				"%q is %s; records are matched on text, number, date and single select fields that can be written",
				f.Name, f.Type(),
			)
		}
		return ""
	})
}

// upsertKeys are the keys of the input's rows, with the index of each row; rows with a blank key
// have none.
type upsertKeys struct {
	fields []*schema.Field
	rows   []int
	locks  []int64 // ascending
}

func (in *writeInput) keys(fields []*schema.Field) *upsertKeys {
	k := &upsertKeys{fields: fields}
	byNumber := slices.Clone(fields) // one lock for one key, in whatever order its fields are named
	slices.SortFunc(byNumber, func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) })
	first := map[string]int{}
	for r := range in.rows {
		text := fmt.Appendf(nil, "%d", in.table.Number)
		blank := false
		for _, f := range byNumber {
			at := slices.Index(in.fields, f)
			if at < 0 { // none of the rows writes the field
				blank = true
				break
			}
			value, given := in.rows[r].value(at)
			if !given || value == nil {
				blank = true
				break
			}
			text = fmt.Appendf(text, ",%d:", f.Number)
			text = field.AppendEntry(text, value)
		}
		if blank {
			continue
		}
		if before, twice := first[string(text)]; twice {
			in.fail(in.rows[r].path, "has the same %s as %s", fieldList(fields), in.rows[before].path)
			continue
		}
		first[string(text)] = r
		sum := fnv.New64a()
		_, _ = sum.Write(text)
		k.rows = append(k.rows, r)
		k.locks = append(k.locks, int64(sum.Sum64())) //nolint:gosec // any 64 bits will do
	}
	slices.Sort(k.locks)
	k.locks = slices.Compact(k.locks)
	return k
}

func fieldList(fields []*schema.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strconv.Quote(f.Name)
	}
	return strings.Join(names, " and ")
}

// match queues the query for the records that have the keys already, and locks them until the
// transaction ends. strength is a locking clause of SELECT.
func (k *upsertKeys) match(b *pgx.Batch, in *writeInput, rowLock string, found map[int][]uuid.UUID) {
	if len(k.rows) == 0 {
		return
	}
	b.Queue("select pg_advisory_xact_lock(k) from unnest($1::bigint[]) k", k.locks)
	var order field.Array
	for i := range k.rows {
		order.Add(float64(i))
	}
	args := []any{order.String()}
	source, names, on := "unnest($1::integer[]", "n", ""
	for i, f := range k.fields {
		var column field.Array
		for _, r := range k.rows {
			value, _ := in.rows[r].value(slices.Index(in.fields, f))
			column.Add(value)
		}
		args = append(args, column.String())
		kind, _ := f.Info().Array()
		source += ", $" + strconv.Itoa(len(args)) + "::" + kind
		names += ", v" + strconv.Itoa(i)
		if i > 0 {
			on += " and "
		}
		on += "t." + f.Column() + " = k.v" + strconv.Itoa(i)
	}
	b.Queue("select k.n, t.id from "+source+") as k("+names+") join "+in.table.Relation()+" t on "+on+" order by "+
		"t.id "+rowLock+" of t", args...).
		Query(func(rows pgx.Rows) error {
			var n int
			var u uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&n, &u}, func() error {
				found[k.rows[n]] = append(found[k.rows[n]], u)
				return nil
			})
			return err
		})
}

func (e *Engine) upsert(ctx context.Context, actor Actor, table uuid.UUID, in Creation) (Written, error) {
	var out Written
	collisions := 0
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		for {
			var err error
			out, err = e.upsertOnce(ctx, actor, s, t, in)
			// Somebody who does not upsert made a record with a unique key in between. It is there
			// now, to be updated.
			if pgerror.Is(err, "23505") && collisions < 3 {
				collisions++
				continue
			}
			return err
		}
	})
	return out, err
}

// action is what an upsert is called in the audit log.
func (in *Creation) action() string {
	if in.Lines != nil {
		return "import_records"
	}
	return "upsert_records"
}

func (e *Engine) upsertOnce(
	ctx context.Context,
	actor Actor,
	s *schema.Snapshot,
	t *schema.Table,
	in Creation,
) (Written, error) {
	fields, err := keyFields(t, in.UpsertOn)
	if err != nil {
		return Written{}, err
	}
	input := newWriteInput(s, t, in.Typecast)
	for i, raw := range in.Records {
		input.add(in.path(i), raw)
	}
	if err := e.prepare(ctx, actor, input); err != nil {
		return Written{}, err
	}
	keys := input.keys(fields)
	if err := input.err(); err != nil {
		return Written{}, err
	}
	w := e.newWriter(actor, input)
	out := Written{Upsert: &Upserted{Created: []string{}, Updated: []string{}}}
	err = e.db.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
		found := map[int][]uuid.UUID{}
		batch := &pgx.Batch{}
		w.checkPeople(batch)
		w.lockFiles(batch)
		keys.match(batch, input, w.rowLock(), found)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("looking for the records: %w", err)
		}
		var fresh, known []row
		for i := range input.rows {
			r := &input.rows[i]
			switch matches := found[i]; len(matches) {
			case 0:
				r.id = id.New()
				input.applyDefaults(r)
				fresh = append(fresh, *r)
				out.Upsert.Created = append(out.Upsert.Created, id.FormatRecord(t.Number, r.id))
			case 1:
				r.id = matches[0]
				known = append(known, *r)
				out.Upsert.Updated = append(out.Upsert.Updated, id.FormatRecord(t.Number, r.id))
			default:
				names := make([]string, len(matches))
				for i, u := range matches {
					names[i] = id.FormatRecord(t.Number, u)
				}
				input.fail(r.path, "%d records have this %s: %s", len(matches), fieldList(fields), problem.List(names))
			}
		}
		if err := input.err(); err != nil {
			return err
		}
		if err := input.checkSize(); err != nil {
			return err
		}
		write := db.NewWriteBatch(t.Ref())
		w.lock(write.Batch, true) // the records that are there already are locked
		if len(known) > 0 {
			changelog.Lock(write.Batch, t, rowIDs(known), w.rowLock())
		}
		if len(known) > 0 {
			w.update(write, known)
			w.writeLinks(write.Batch, known, false)
		}
		if len(fresh) > 0 {
			w.insert(write, fresh)
			w.writeLinks(write.Batch, fresh, true)
		}
		w.reread(write.Batch)
		audit.Record(e.db, write.Batch, actor.Org, &audit.Event{
			Action:  in.action(),
			Subject: t.PublicID(),
			Detail: map[string]any{
				"count": len(input.rows), "created": out.Upsert.Created, "updated": out.Upsert.Updated,
			},
		})
		countWrite(write.Batch, t, len(fresh), w.linkedTables)
		if err := tx.SendBatch(ctx, write.Batch).Close(); err != nil {
			return fmt.Errorf("writing the records: %w", err)
		}
		return nil
	})
	if err != nil {
		return Written{}, e.explain(ctx, actor, input, fmt.Errorf("upserting records: %w", err))
	}
	out.Records = w.recordsOf(input.rows)
	return out, nil
}
