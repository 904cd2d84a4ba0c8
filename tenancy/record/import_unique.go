package record

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// refuseTaken refuses rows with a value of a unique field that a row before, or another record, has. A record that
// another row updates may give its value up; whether it does, the database decides.
func (r *importRun) refuseTaken(
	ctx context.Context, s *schema.Snapshot, t *schema.Table, matched []*schema.Field,
) error {
	updated := map[uuid.UUID]bool{}
	for _, f := range t.Fields {
		if !f.Config.Unique || !f.CanBeKey() || len(matched) == 1 && matched[0] == f {
			continue
		}
		clear(updated)
		for _, match := range r.matches {
			updated[match.row] = true
		}
		fields := []*schema.Field{f}
		values := r.input.keys(fields)
		refused := len(values.twins) > 0
		if refused {
			r.text.refuseTwins(values.twins, fields)
		}
		found := map[int][]selected{}
		err := r.db.TableBatch(ctx, r.actor.Org, t.Ref(), func(b *pgx.Batch) { values.match(b, r.input, "", found) })
		if err != nil {
			return fmt.Errorf("looking for unique values: %w", err)
		}
		for i, records := range found {
			for _, has := range records {
				if updated[has.row] {
					continue
				}
				refused = true
				holder := "the record " + id.FormatRecord(t.Number, has.row)
				if db.ActorOf(ctx).Blind {
					holder = "another record"
				}
				r.kept[i].items = append(r.kept[i].items, problem.Item{
					Path: "." + f.Name, Message: "must be unique, and " + holder + " has the value already",
				})
			}
		}
		if !refused {
			continue
		}
		r.collect(s, t)
		if matched != nil { // the indexes of the rows have changed
			if err := r.match(ctx, s, t, matched); err != nil {
				return err
			}
		}
	}
	return nil
}
