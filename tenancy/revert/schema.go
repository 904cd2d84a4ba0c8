package revert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// errDryRun ends the transaction of a dry run, which keeps nothing.
var errDryRun = errors.New("a dry run")

// findObjects reads the changes of the schema in the change sets, the oldest first, and completes the
// run's state of the sets. They include bases that the request does not name.
func (r *run) findObjects(base *schema.Base, send sender) ([]changelog.ObjectChange, error) {
	own, args := r.own.sql(3)
	var objects []changelog.ObjectChange
	r.sets = nil
	r.since = 0
	err := send(func(b *pgx.Batch) {
		// The tables that the base has or had, and the base itself.
		b.Queue("select c.change_set, c.number, c.before::text from "+r.log()+" c where c.kind = "+
			changelog.SQLSchema+" and ("+
			"c.table_number = any ($1) or c.table_number in (select x.table_number from rowhouse.trash x where "+
			"x.org_id = $2 and "+
			"x.kind = 'table' and x.base_id = $"+fmt.Sprint(3+len(args))+") or c.before @> jsonb_build_array("+
			"jsonb_build_object('before', jsonb_build_object('base_id', $"+fmt.Sprint(3+len(args))+"::uuid))) or "+
			"c.before @> jsonb_build_array(jsonb_build_object('id', $"+fmt.Sprint(3+len(args))+"::uuid))) and "+own+
			" order by c.number",
			append(append([]any{tableNumbers(base), r.actor.Org}, args...), base.ID)...,
		).Query(func(rows pgx.Rows) error {
			var set uuid.UUID
			var number int64
			var encoded []byte
			_, err := pgx.ForEachRow(rows, []any{&set, &number, &encoded}, func() error {
				var part []changelog.ObjectChange
				if err := json.Unmarshal(encoded, &part); err != nil {
					return fmt.Errorf("decoding an entry of the log: %w", err)
				}
				objects = append(objects, part...)
				r.sets = append(r.sets, set)
				if r.since == 0 {
					r.since = number
				}
				return nil
			})
			return err
		})
	})
	switch {
	case pgerror.Is(err, pgerrcode.UndefinedTable): // an organization has no log before its first table
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for changes of the schema: %w", err)
	}
	return objects, nil
}

func tableNumbers(base *schema.Base) []int32 {
	numbers := make([]int32, len(base.Tables))
	for i, t := range base.Tables {
		numbers[i] = t.Number
	}
	return numbers
}

// revertSchema reverts change sets that have changed the schema: first the schema, and then the records
// in it, in one transaction.
func (e *Engine) revertSchema(ctx context.Context, actor record.Actor, base uuid.UUID, in Request) (Plan, error) {
	if in.MayView != nil {
		return Plan{}, in.MayView
	}
	var r *run
	var touched []*schema.Table
	err := e.records.Schema().Change(ctx, actor.Org, func(c *catalog.Change) error {
		b := c.Snapshot.Base(base)
		if b == nil {
			return problem.NotFound("base", id.Format(id.Base, base))
		}
		r, touched = newRun(ctx, e, actor, c.Snapshot, in), nil
		r.subject = b.PublicID()
		send := func(queue func(b *pgx.Batch)) error {
			batch := &pgx.Batch{}
			queue(batch)
			return c.SendBatch(ctx, batch).Close()
		}
		objects, err := r.findObjects(b, send)
		if err != nil {
			return err
		}
		if err := r.revertObjects(ctx, c, base, objects, in); err != nil {
			return err
		}
		r.schema, r.pending = c.Snapshot, c.FieldChanges()
		if touched, err = r.find(c.Snapshot.Base(base), in, send); err != nil {
			return err
		}
		for _, t := range touched {
			r.table(t)
		}
		if err := c.BeginLog(ctx); err != nil {
			return err
		}
		if err := r.plans(ctx, c, in); err != nil {
			return err
		}
		if in.DryRun {
			return errDryRun
		}
		c.SetAuditEvent(*r.event("revert_changes", in))
		return r.write(ctx, c, nil)
	})
	for _, t := range touched {
		err = e.records.IndexManager().DropOversized(ctx, t, err)
	}
	if !errors.Is(err, errDryRun) {
		return planOf(r), err
	}
	err = e.db.Batch(ctx, actor.Org, func(b *pgx.Batch) {
		audit.Record(ctx, b, actor.Org, nil)
		b.Queue("select 1")
	})
	return planOf(r), err
}

func planOf(r *run) Plan {
	if r == nil {
		return Plan{}
	}
	return r.plan
}

// revertObjects reverts the changes of the schema.
func (r *run) revertObjects(
	ctx context.Context, c *catalog.Change, base uuid.UUID, objects []changelog.ObjectChange, in Request,
) error {
	acts, conflicts, err := c.RevertObjects(ctx, &catalog.ObjectRevert{
		Base: base, Changes: objects, Overwrite: in.OnConflict == Overwrite, By: in.By, MayDefine: in.MayDefine,
		Used: func(ctx context.Context, t *schema.Table, f *schema.Field) (bool, error) { return r.used(ctx, c, t, f) },
	})
	if err != nil {
		return err
	}
	r.objects = conflicts
	for i := range acts {
		a := &acts[i]
		r.plan.Schema = append(r.plan.Schema, Object{a.Object, a.PublicID(), a.Name, a.Does})
	}
	return nil
}

// othersSince is a condition on the log under the alias c: entries since the change sets began that
// belong to neither the change sets nor reverts. Its first placeholders are the number, the change set
// of the run and the organization.
func (r *run) othersSince() (string, []any) {
	own, args := r.own.sql(4)
	reverts := "not exists (select from rowhouse.change_set_revert v where v.org_id = $3 and (v.change_set = " +
		"c.change_set or v.reverted = c.change_set))"
	if !r.engine.db.Topology().JoinsShared() {
		reverts = "c.change_set not in (select unnest(array[v.change_set, v.reverted]) from " +
			"rowhouse.change_set_revert v where v.org_id = $3)"
	}
	return "c.number >= $1::bigint and c.change_set <> $2::uuid and not (" + own + ") and " + reverts,
		append([]any{r.since, r.origin.Set, r.actor.Org}, args...)
}

// used reports whether others have written into a table, or into a field of it, since.
func (r *run) used(ctx context.Context, tx pgx.Tx, t *schema.Table, f *schema.Field) (used bool, err error) {
	condition, args := r.othersSince()
	n := len(args)
	args = append(args, t.Number)
	statement := fmt.Sprintf("select exists (select 1 from %s c where c.table_number = $%d and %s", r.log(), n+1,
		condition)
	if f == nil {
		statement += ")"
	} else {
		key := changelog.Key(&f.Field)
		args = append(args, f.ID)
		statement += fmt.Sprintf(" and (c.kind in ("+changelog.SQLUpdated+", "+
			changelog.SQLLinked+") and exists (select from jsonb_array_elements(c.before) o "+
			"where o ? '%s') or c.kind = "+
			changelog.SQLSchema+" and exists (select from jsonb_array_elements(c.before) o where o->>'id' = "+
			"$%d::uuid::text and nullif(o->'before', 'null') - 'position' is distinct from "+
			"nullif(o->'after', 'null') - 'position')", key, n+2)
		switch {
		case f.Link != nil:
			statement += fmt.Sprintf(" or c.kind = "+
				changelog.SQLCreated+" and exists (select from %s l where l.%s = any (c.records))",
				f.Link.Relation(t.Org), f.Link.Own)
		case f.Info().Column != "" && !f.Info().Counted:
			unset, err := json.Marshal(f.Unset())
			if err != nil {
				return false, fmt.Errorf("encoding an empty value: %w", err)
			}
			args = append(args, string(unset))
			statement += fmt.Sprintf(" or c.kind = "+
				changelog.SQLCreated+" and exists (select from %s t where t.id = any (c.records) and "+
				"t.%s is not null and to_jsonb(t.%[2]s) <> $%[3]d::text::jsonb)", t.Relation(), f.Column(), n+3)
		}
		statement += "))"
	}
	if err := tx.QueryRow(ctx, statement, args...).Scan(&used); err != nil {
		return false, fmt.Errorf("looking for what others have written: %w", err)
	}
	return used, nil
}

// describeObject describes a conflict about an object, with the author of its last change.
func (r *run) describeObject(ctx context.Context, tx pgx.Tx, c *catalog.ObjectConflict) (Conflict, error) {
	shown := Conflict{ObjectID: c.PublicID(), Name: c.Name, Property: c.Property, Reason: c.Reason}
	var number int32
	if t := r.schema.Table(c.Table); t != nil {
		shown.TableID, number = t.PublicID(), t.Number
	}
	condition, args := r.othersSince()
	n := len(args)
	about := fmt.Sprintf("c.kind = "+
		changelog.SQLSchema+" and c.before @> jsonb_build_array(jsonb_build_object('id', $%d::uuid))", n+1)
	args = append(args, c.ID)
	if c.Reason == catalog.ObjectChanged && number > 0 {
		about = fmt.Sprintf("(%s or c.kind <= 5 and c.table_number = $%d)", about, n+2)
		args = append(args, number)
	}
	by := entry{by: &author{}}
	err := tx.QueryRow(ctx, "select c.number, c.change_set, c.person, c.credential from "+r.log()+" c where "+condition+
		" and "+about+" order by c.number desc limit 1", args...).
		Scan(&by.number, &by.by.set, &by.by.person, &by.by.credential)
	switch {
	case err == nil:
		shown.By = by.author()
	case !errors.Is(err, pgx.ErrNoRows):
		return shown, fmt.Errorf("looking for who changed something: %w", err)
	}
	return shown, nil
}
