package record

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Move is a request to put records next to another one in the manual order of a view.
type Move struct {
	IDs           []string // 1 to MaxBatch, in the order in which they come
	Before, After string   // the id of the other record; one of the two
	// Begins is called before the view gets its order, and may refuse that.
	Begins func() error
}

// Move puts records next to another one in the manual order of a view, all or none. A view without sorts gets such an
// order. A view that is sorted by something else is a conflict.
//
// What changes is a value of the records, so the move has a version and is in the log, and can be reverted.
func (e *Engine) Move(ctx context.Context, actor Actor, view uuid.UUID, in Move) error {
	if (in.Before == "") == (in.After == "") {
		return problem.Invalid("after", "or before must name a record, and only one of them")
	}
	return e.attempt(ctx, actor.Org, func(s *schema.Snapshot, exclusive bool) error {
		v := s.View(view)
		if v == nil {
			return problem.NotFound("view", id.Format(id.View, view))
		}
		if err := actor.viewer().MayChange(v); err != nil {
			return err
		}
		t := v.Table
		if err := mayEdit(t); err != nil {
			return err
		}
		rank, err := rankOf(v)
		if err != nil {
			return err
		}
		if rank == nil {
			if in.Begins != nil {
				if err := in.Begins(); err != nil {
					return err
				}
			}
			if err := e.store.BeginOrder(ctx, actor.Org, v.ID, actor.viewer()); err != nil {
				return err
			}
			return fmt.Errorf("a view got an order: %w", db.ErrSchemaChanged)
		}
		if rank.Locked {
			return problem.Invalid("ids", "cannot be moved: %q %s", rank.Name, lockedField)
		}
		return e.indexes.DropOversized(ctx, t, e.move(ctx, actor, s, t, rank, exclusive, in))
	})
}

// rankOf is the field with a view's manual order; nil if the view is not sorted.
func rankOf(v *schema.View) (*schema.Field, error) {
	sorts, err := query.ParseSort(v.Table, "sorts", v.Config["sorts"])
	if err != nil || len(sorts) == 0 {
		return nil, err
	}
	if first := sorts[0]; first.Field.Type() == schema.Rank && !first.Desc {
		return first.Field, nil
	}
	return nil, problem.Conflict("The view %q is sorted by %q. Records are moved by hand where nothing sorts them.",
		v.Name, sorts[0].Field.Name)
}

func (e *Engine) move(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, rank *schema.Field, exclusive bool, in Move,
) error {
	rows, err := parseIDs(t, in.IDs, true)
	if err != nil {
		return err
	}
	low, high, err := e.gap(ctx, actor, t, rank, rows, in)
	if err != nil {
		return err
	}
	keys := field.RanksBetween(low, high, len(rows))
	if keys == nil {
		return problem.Conflict("Too many records have been moved to this place. Move these a few records further.")
	}
	input := newWriteInput(s, t, false)
	input.exclusive, input.counted = exclusive, true
	for i, one := range rows {
		input.rows = append(input.rows, row{id: one, path: fmt.Sprintf("ids[%d]", i)})
		input.put(&input.rows[i], rank, keys[i])
	}
	_, err = e.write(ctx, actor, input, false, eventOf("move_records", t, in.IDs, true))
	if pgerror.Is(err, db.StateMissingRecord) {
		return e.findMissing(ctx, actor, t, in.IDs, true)
	}
	if err != nil {
		return e.explain(ctx, actor, input, fmt.Errorf("moving records: %w", err))
	}
	return nil
}

// gap returns the keys between which the records belong; "" is no bound.
func (e *Engine) gap(
	ctx context.Context, actor Actor, t *schema.Table, rank *schema.Field, moved []uuid.UUID, in Move,
) (low, high string, err error) {
	path, other, sign, nearest := "after", in.After, ">", ""
	if in.Before != "" {
		path, other, sign, nearest = "before", in.Before, "<", " desc"
	}
	number, row, err := id.ParseRecord(other)
	if err != nil || number != t.Number {
		return "", "", recordNotFound(t, other, true)
	}
	if slices.Contains(moved, row) {
		return "", "", problem.Invalid(path, "is one of the records that move")
	}
	key := rank.Order("t.")
	found := false
	var at string
	var next *string
	err = e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("with o as (select "+key+" as key from "+t.Relation()+" t where t.id = $1) select o.key, (select "+key+
			" from "+t.Relation()+" t where "+key+" "+sign+" o.key and t.id <> all ($2) order by "+key+nearest+
			" limit 1) from o", row, moved).Query(func(rows pgx.Rows) error {
			found = false
			_, err := pgx.ForEachRow(rows, []any{&at, &next}, func() error { found = true; return nil })
			return err
		})
	})
	switch {
	case err != nil:
		return "", "", fmt.Errorf("looking for the place in an order: %w", err)
	case !found:
		return "", "", recordNotFound(t, other, true)
	case in.Before != "" && next != nil:
		return *next, at, nil
	case in.Before != "":
		return "", at, nil
	case next != nil:
		return at, *next, nil
	}
	// Behind the last record, and before those that will be created.
	newest := id.New()
	if end := hex.EncodeToString(newest[:]); end > at {
		return at, end, nil
	}
	return at, "", nil
}
