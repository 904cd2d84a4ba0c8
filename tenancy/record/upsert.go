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
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxKeys bounds the fields that an upsert matches on.
const maxKeys = 3

// An upsert locks its keys from before it looks for the records until it commits, so that a second
// upsert with the same key sees its result. All upserts take these locks, and the locks of the records
// found, in one order, so they never deadlock.
//
// Keys share keyLocks locks in each table, because PostgreSQL keeps the locks of all transactions in
// one table of some thousand entries, which one lock for each row of an import would fill. Upserts of
// different keys therefore sometimes wait for each other.
const keyLocks = 256

// keyLock returns the lock of a key of a table.
func keyLock(table int32, key []byte) int64 {
	sum := fnv.New64a()
	_, _ = fmt.Fprintf(sum, "upsert %d", table)
	first := sum.Sum64() &^ (keyLocks - 1)
	_, _ = sum.Write(key)
	return int64(first | sum.Sum64()%keyLocks) //nolint:gosec // any 64 bits will do
}

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

// upsertKeys are the keys of the input's rows, with the index of each row; rows with a blank key have
// none.
type upsertKeys struct {
	fields []*schema.Field
	rows   []int
	locks  []int64           // ascending
	twins  map[string]string // paths of rows with the key of a row before: the path of that one
}

func (in *writeInput) keys(fields []*schema.Field) *upsertKeys {
	k := &upsertKeys{fields: fields, twins: map[string]string{}}
	byNumber := slices.Clone(fields) // one lock for one key, in whatever order its fields are named
	slices.SortFunc(byNumber, func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) })
	first := map[string]int{}
	for r := range in.rows {
		var text []byte
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
			k.twins[in.rows[r].path] = in.rows[before].path
			in.fail(in.rows[r].path, "has the same %s as %s", fieldList(fields), in.rows[before].path)
			continue
		}
		first[string(text)] = r
		k.rows = append(k.rows, r)
		k.locks = append(k.locks, keyLock(in.table.Number, text))
	}
	slices.Sort(k.locks)
	k.locks = slices.Compact(k.locks)
	return k
}

// refuseBlankKeys refuses rows that leave a key empty, because they would match nothing, and each
// repetition of the request would create them again.
func (in *writeInput) refuseBlankKeys(fields []*schema.Field) {
	for r := range in.rows {
		for _, f := range fields {
			if value := in.rows[r].valueOf(in, f); value == nil {
				in.fail(in.rows[r].path+"."+f.Name, "is empty, and upsertOn names it")
			}
		}
	}
}

func fieldList(fields []*schema.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strconv.Quote(f.Name)
	}
	return strings.Join(names, " and ")
}

// match queues the query for the existing records with the keys. rowLock is a locking clause of SELECT,
// which locks them until the transaction ends; "" locks nothing.
func (k *upsertKeys) match(b *pgx.Batch, in *writeInput, rowLock string, found map[int][]selected) {
	if len(k.rows) == 0 {
		return
	}
	if rowLock != "" {
		b.Queue("select pg_advisory_xact_lock(k) from unnest($1::bigint[]) k", k.locks)
		rowLock += " of t"
	}
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
	b.Queue("select k.n, t.id, t.version, t.updated_at from "+source+") as k("+names+") join "+in.table.Relation()+
		" t on "+on+" order by t.id "+rowLock, args...).
		Query(func(rows pgx.Rows) error {
			var n int
			var one selected
			_, err := pgx.ForEachRow(rows, []any{&n, &one.row, &one.version, &one.changed}, func() error {
				found[k.rows[n]] = append(found[k.rows[n]], one)
				return nil
			})
			return err
		})
}

func (e *Engine) upsert(ctx context.Context, actor Actor, table uuid.UUID, in Creation) (Written, error) {
	var out Written
	err := e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		if err := mayUpsert(t); err != nil {
			return err
		}
		in.exclusive = exclusive
		var err error
		out, err = e.upsertRetrying(ctx, actor, s, t, in)
		return err
	})
	return out, err
}

// maxCollisions is how often an upsert begins again because of a unique value.
const maxCollisions = 3

// upsertRetrying is upsertOnce, which it repeats if another request has created a record with a unique
// key in between. The repetition updates that record.
func (e *Engine) upsertRetrying(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in Creation,
) (Written, error) {
	for collisions := 0; ; collisions++ {
		out, err := e.upsertOnce(ctx, actor, s, t, in)
		if !pgerror.Is(err, pgerrcode.UniqueViolation) || collisions == maxCollisions {
			return out, err
		}
	}
}

// upsertEvent describes an upsert for the audit log. It describes an import only by numbers, because it
// may be of 20,000 records; the log of changes has their ids.
func (in *Creation) upsertEvent(t *schema.Table, done *Upserted) *audit.Event {
	event := &audit.Event{Action: "upsert_records", Subject: t.PublicID(), Detail: map[string]any{
		"count": len(in.Records), "created": done.Created, "updated": done.Updated,
	}}
	if in.Lines != nil {
		event.Action = "import_records"
		event.Detail = map[string]any{
			"count": len(in.Records), "created": len(done.Created), "updated": len(done.Updated),
		}
	}
	return event
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
	input.exclusive, input.counted, input.styleOf = in.exclusive, in.Lines != nil, in.styleOf
	input.person = actor.Person
	records, err := e.nameLinks(ctx, actor, input, in.Records, in.path)
	if err != nil {
		return Written{}, err
	}
	for i, raw := range records {
		input.add(in.path(i), raw)
	}
	if err := e.prepare(ctx, actor, input); err != nil {
		return Written{}, err
	}
	input.refuseBlankKeys(fields)
	keys := input.keys(fields)
	if err := input.err(); err != nil {
		return Written{}, err
	}
	w := e.newWriter(ctx, actor, input)
	out := Written{Upsert: &Upserted{Created: []string{}, Updated: []string{}}}
	err = e.db.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
		found := map[int][]selected{}
		batch := &pgx.Batch{}
		w.takeLinkLock(batch)
		w.lockFiles(batch)
		keys.match(batch, input, w.rowLock(), found)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("looking for the records: %w", err)
		}
		if in.expected != nil && !areExpected(found, in.expected) {
			return problem.Conflict("Records that the plan looked at have moved. Nothing was changed; plan again.").
				WithCode(problem.CodePlanMoved)
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
				r.id, r.known = matches[0].row, true
				known = append(known, *r)
				out.Upsert.Updated = append(out.Upsert.Updated, id.FormatRecord(t.Number, r.id))
			default:
				input.fail(r.path, "%s", severalMatches(t, fields, matches))
			}
		}
		if err := input.err(); err != nil {
			return err
		}
		if err := input.checkSize(); err != nil {
			return err
		}
		write := db.NewWriteBatch(t.Ref())
		w.checkPeople(write.Batch)        // people who have left stay in the records that name them
		if len(linksOf(input.rows)) > 0 { // existing records are locked
			w.topology.Hasty(write.Batch, func() { w.lock(write.Batch, true, false) })
		}
		if len(known) > 0 {
			changelog.Lock(write.Batch, t, rowIDs(known), w.rowLock())
		}
		if len(known) > 0 {
			w.mayWriteRows(write.Batch, known)
			w.update(write, known)
			w.writeLinks(write.Batch, known, false)
		}
		if len(fresh) > 0 {
			if len(linksOf(known)) > 0 && len(linksOf(fresh)) > 0 {
				// A record on the other side may gain one of the former and then lose it to one of the
				// latter. The log must say which came first.
				changelog.Next(write.Batch)
			}
			w.insert(write, fresh)
			w.writeLinks(write.Batch, fresh, true)
		}
		w.fitRules(write.Batch, input.rows)
		w.reread(write.Batch)
		audit.Record(ctx, write.Batch, actor.Org, in.upsertEvent(t, out.Upsert))
		countWrite(write.Batch, t, len(fresh), w.linkedTables)
		if err := tx.SendBatch(ctx, write.Batch).Close(); err != nil {
			return fmt.Errorf("writing the records: %w", err)
		}
		return nil
	})
	if err != nil {
		return Written{}, e.explain(ctx, actor, input, fmt.Errorf("upserting records: %w", err))
	}
	if !input.counted {
		out.Records = w.recordsOf(input.rows)
	}
	return out, nil
}

// severalMatches says that a row matches several records.
func severalMatches(t *schema.Table, fields []*schema.Field, matches []selected) string {
	names := make([]string, len(matches))
	for i := range matches {
		names[i] = id.FormatRecord(t.Number, matches[i].row)
	}
	return fmt.Sprintf("%d records have this %s: %s", len(matches), fieldList(fields), problem.List(names))
}

// areExpected reports whether the rows match the records that a plan has seen, in the same versions.
func areExpected(found map[int][]selected, expected map[int]selected) bool {
	if len(found) != len(expected) {
		return false
	}
	for i, matches := range found {
		was, ok := expected[i]
		if !ok || len(matches) != 1 || matches[0].row != was.row || matches[0].version != was.version {
			return false
		}
	}
	return true
}
