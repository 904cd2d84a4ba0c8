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
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxKeys is how many fields an upsert matches on at most.
const maxKeys = 3

// An upsert holds a lock on each of its keys from before it looks for the records until it commits, so that a second one with the
// same key sees what the first has made of it. The locks, and the records found, are taken in one order by everybody: two
// upserts wait for each other, and never for each other at once.

// keyFields finds the fields to match on.
func keyFields(t *schema.Table, names []string) ([]*schema.Field, error) {
	if len(names) < 1 || len(names) > maxKeys {
		return nil, problem.Invalid("upsertOn", "must name 1 to %d fields, not %d", maxKeys, len(names))
	}
	return fieldsNamed(t, "upsertOn", names, func(f *schema.Field) string {
		if !canBeKey(f) {
			return fmt.Sprintf("%q is %s; records are matched on text, number, date and single select fields that can be written", f.Name, f.Type)
		}
		return ""
	})
}

func canBeKey(f *schema.Field) bool {
	if f.Type.Info().ReadOnly {
		return false
	}
	switch f.Type.Info().Shape {
	case schema.ShapeText, schema.ShapeNumber, schema.ShapeDate, schema.ShapeMoment, schema.ShapeChoice:
		return true
	case schema.ShapeBool, schema.ShapeChoices, schema.ShapeUser, schema.ShapeAttachment, schema.ShapeJSON, schema.ShapeLink, schema.ShapeNone:
	}
	return false
}

// upsertKeys are the keys of the input's rows, with the index of each row; rows with a blank key have none.
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
			text = appendEntry(text, value)
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

// match queues the query for the records that have the keys already, and locks them until the transaction ends. strength is a locking
// clause of SELECT.
func (k *upsertKeys) match(b *pgx.Batch, in *writeInput, strength string, found map[int][]uuid.UUID) {
	if len(k.rows) == 0 {
		return
	}
	b.Queue("select pg_advisory_xact_lock(k) from unnest($1::bigint[]) k", k.locks)
	var order array
	for i := range k.rows {
		order.add(float64(i))
	}
	args := []any{order.String()}
	source, names, on := "unnest($1::integer[]", "n", ""
	for i, f := range k.fields {
		var column array
		for _, r := range k.rows {
			value, _ := in.rows[r].value(slices.Index(in.fields, f))
			column.add(value)
		}
		args = append(args, column.String())
		kind, _ := arrayType(f)
		source += ", $" + strconv.Itoa(len(args)) + "::" + kind
		names += ", v" + strconv.Itoa(i)
		if i > 0 {
			on += " and "
		}
		on += "t." + f.Column() + " = k.v" + strconv.Itoa(i)
	}
	b.Queue("select k.n, t.id from "+source+") as k("+names+") join "+in.table.Relation()+" t on "+on+" order by t.id "+strength+" of t", args...).
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
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		for {
			var err error
			out, err = e.upsertOnce(ctx, actor, s, t, in)
			// Somebody who does not upsert made a record with a unique key in between. It is there now, to be updated.
			if pgerror.Is(err, "23505") && collisions < 3 {
				collisions++
				continue
			}
			return err
		}
	})
	return out, err
}

func (e *Engine) upsertOnce(ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in Creation) (Written, error) {
	fields, err := keyFields(t, in.UpsertOn)
	if err != nil {
		return Written{}, err
	}
	take := newWriteInput(s, t, in.Typecast)
	for i, raw := range in.Records {
		take.add(in.path(i), raw)
	}
	if err := e.ready(ctx, actor, take); err != nil {
		return Written{}, err
	}
	keys := take.keys(fields)
	if err := take.err(); err != nil {
		return Written{}, err
	}
	w := e.newWriter(actor, take)
	out := Written{Upsert: &Upserted{Created: []string{}, Updated: []string{}}}
	err = e.db.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
		found := map[int][]uuid.UUID{}
		batch := &pgx.Batch{}
		w.checkPeople(batch)
		w.holdFiles(batch)
		keys.match(batch, take, w.strength(), found)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("looking for the records: %w", err)
		}
		var fresh, known []row
		for r := range take.rows {
			line := &take.rows[r]
			switch matches := found[r]; len(matches) {
			case 0:
				line.id = id.New()
				take.complete(line)
				fresh = append(fresh, *line)
				out.Upsert.Created = append(out.Upsert.Created, id.FormatRecord(t.Number, line.id))
			case 1:
				line.id = matches[0]
				known = append(known, *line)
				out.Upsert.Updated = append(out.Upsert.Updated, id.FormatRecord(t.Number, line.id))
			default:
				names := make([]string, len(matches))
				for i, u := range matches {
					names[i] = id.FormatRecord(t.Number, u)
				}
				take.fail(line.path, "%d records have this %s: %s", len(matches), fieldList(fields), problem.List(names))
			}
		}
		if err := take.err(); err != nil {
			return err
		}
		if err := take.weigh(); err != nil {
			return err
		}
		batch = &pgx.Batch{}
		w.lock(batch, true) // the records that are there already are locked
		if len(known) > 0 {
			w.update(batch, known)
			w.writeLinks(batch, known, false)
		}
		if len(fresh) > 0 {
			w.insert(batch, fresh)
			w.writeLinks(batch, fresh, true)
		}
		w.reread(batch)
		audit.Record(e.db, batch, actor.Org, &audit.Event{Action: "upsert_records", Subject: t.PublicID(), Detail: map[string]any{
			"count": len(take.rows), "created": out.Upsert.Created, "updated": out.Upsert.Updated,
		}})
		countWrite(batch, t, len(fresh), w.touched)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("writing the records: %w", err)
		}
		return nil
	})
	if err != nil {
		return Written{}, e.explain(ctx, actor, take, fmt.Errorf("upserting records: %w", err))
	}
	out.Records = w.inOrder(take.rows)
	return out, nil
}
