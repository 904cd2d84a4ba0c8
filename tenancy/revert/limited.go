package revert

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// People whom permissions of the base limit take back what they have done themselves. Whatever they do not see is no
// part of their change sets: records that they do not read now, and fields that are hidden from them. What they see has
// to be theirs to write, as for any other write, or nothing is reverted. The run itself works with the whole schema, so
// that records come back with all their values.

// A limit is what permissions of the base say of the person who reverts.
type limit struct {
	base     *schema.Base     // the person's
	sight    *changelog.Sight // nil: the person sees everything
	mayWrite error            // an error unless the role in the base lets the person write records
}

// limitTo makes the run one of a person whom permissions of the base limit.
func (r *run) limitTo(theirs *schema.Base, in Request) {
	r.limit = &limit{theirs, changelog.NewSight(r.schema, theirs), in.MayWrite}
	if r.limit.sight != nil {
		r.limit.sight = r.limit.sight.WithDeleted()
	}
	r.own.condition += " and c.person = $%d::uuid"
	r.own.args = append(r.own.args, r.origin.Person)
	r.schema = r.schema.Whole()
}

// sees is a condition on what r.expanded reads.
func (r *run) sees() string {
	if r.limit == nil || r.limit.sight == nil {
		return "true"
	}
	return r.limit.sight.Sees("c", "e.id", "e.was")
}

// show removes from an entry what the person does not see, and reports whether anything is left.
func (r *run) show(t *table, e *entry) bool {
	if r.limit == nil || r.limit.sight == nil || e.kind != changelog.Updated && e.kind != changelog.Linked {
		return true
	}
	members := e.members()
	for key := range members {
		if !r.limit.sight.Keeps(t.Number, key) {
			delete(members, key)
		}
	}
	e.was = encodeMembers(members)
	return len(members) > 0
}

// hides reports whether a field is hidden from the person, or its links are.
func (r *run) hides(f *schema.Field) bool {
	return f != nil && r.limit != nil && r.limit.sight != nil &&
		!r.limit.sight.Keeps(f.Table.Number, changelog.Key(&f.Field))
}

// leaveForeignDeletions leaves out records whose last deletion somebody else has made: the person does not know of it.
func (r *run) leaveForeignDeletions(t *table) {
	if r.limit == nil || r.limit.sight == nil {
		return
	}
	t.rows = slices.DeleteFunc(t.rows, func(one *row) bool {
		var last *entry
		for _, entries := range [][]entry{one.own, one.foreign} {
			for i := range entries {
				if e := &entries[i]; e.kind == changelog.Deleted && (last == nil || e.number > last.number) {
					last = e
				}
			}
		}
		gone := !one.there && (last == nil || last.by != nil)
		if gone {
			delete(t.byID, one.id)
		}
		return gone
	})
}

// keepSets leaves out change sets of which the person sees nothing. To them, such a set is none of the base.
func (r *run) keepSets(in Request) error {
	if r.limit == nil {
		return nil
	}
	seen := map[uuid.UUID]bool{}
	for _, t := range r.tables {
		for _, one := range t.rows {
			for i := range one.own {
				seen[one.own[i].set] = true
			}
		}
	}
	for _, set := range in.ChangeSets {
		if !seen[set] {
			return notInBase(set)
		}
	}
	r.sets = slices.DeleteFunc(r.sets, func(set uuid.UUID) bool { return !seen[set] })
	r.plan.ChangeSets = publicSets(r.sets)
	return nil
}

func publicSets(sets []uuid.UUID) []string {
	out := []string{}
	for _, set := range sets[:min(len(sets), MaxConflicts)] {
		out = append(out, id.Format(id.ChangeSet, set))
	}
	return out
}

// withDeed lists the records of a table with a deed.
func (t *table) withDeed(does ...deed) []uuid.UUID {
	var ids []uuid.UUID
	for _, one := range t.rows {
		if slices.Contains(does, one.does) {
			ids = append(ids, one.id)
		}
	}
	return ids
}

// permit refuses what the person may not write.
func (r *run) permit(ctx context.Context, tx pgx.Tx) error {
	if r.limit == nil {
		return nil
	}
	for _, t := range r.ordered() {
		theirs := r.theirs(t)
		updated, removed, back := t.withDeed(update), t.withDeed(remove), t.withDeed(restore)
		if len(updated)+len(removed)+len(back) == 0 {
			continue
		}
		if _, own := theirs.Rights(); !own && r.limit.mayWrite != nil {
			return r.limit.mayWrite
		}
		if err := record.MayWrite(theirs, len(back) > 0, len(updated) > 0, len(removed) > 0); err != nil {
			return err
		}
		if err := r.permitFields(t, theirs); err != nil {
			return err
		}
		send := sendIn(ctx, tx)
		if err := send(func(b *pgx.Batch) { record.QueueMayChange(b, theirs, updated) }); err != nil {
			return refused(theirs, err, "change")
		}
		if err := send(func(b *pgx.Batch) { record.QueueMayDelete(b, theirs, removed) }); err != nil {
			return refused(theirs, err, "delete")
		}
	}
	return nil
}

// permitFields refuses a field that the person may not write in records that are there.
func (r *run) permitFields(t *table, theirs *schema.Table) error {
	for _, one := range t.rows {
		if one.does != update {
			continue
		}
		for _, f := range theirs.Fields {
			if !f.Locked {
				continue
			}
			_, written := one.values[changelog.Key(&f.Field)]
			_, linked := one.lists[t.fields[changelog.Key(&f.Field)]]
			if written || linked && f.Link != nil {
				return problem.Forbidden("You may read the field %q of %s, but not write it, so its value is not "+
					"reverted; creators of the base decide who may.", f.Name, id.FormatRecord(t.Number, one.id)).
					WithCode(problem.CodeInsufficientRole)
			}
		}
	}
	return nil
}

// permitAfter refuses records as they have become, as for any other write.
func (r *run) permitAfter(ctx context.Context, tx pgx.Tx) error {
	if r.limit == nil {
		return nil
	}
	for _, t := range r.ordered() {
		theirs := r.theirs(t)
		err := sendIn(ctx, tx)(func(b *pgx.Batch) { record.QueueFitsRules(b, theirs, t.withDeed(update, restore)) })
		if err != nil {
			return refused(theirs, err, "change")
		}
	}
	return nil
}

// theirs is the person's copy of a table.
func (r *run) theirs(t *table) *schema.Table {
	at := slices.IndexFunc(r.limit.base.Tables, func(one *schema.Table) bool { return one.ID == t.ID })
	return r.limit.base.Tables[at]
}

// refused explains what row rules refuse.
func refused(t *schema.Table, err error, does string) error {
	switch {
	case pgerror.Is(err, db.StateRowRule):
		return record.RefusedByRule(t, does).Because(err)
	case pgerror.Is(err, db.StateMissingRecord):
		return problem.Conflict("The records were changed at this moment. Nothing was reverted; send the request " +
			"again.").WithCode(problem.CodeWriteConflict).Because(err)
	}
	return fmt.Errorf("asking for row rules: %w", err)
}
