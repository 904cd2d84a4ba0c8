package revert

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// decide reads the present state and decides what happens to every record.
func (r *run) decide(ctx context.Context, tx pgx.Tx) error {
	for _, t := range r.ordered() {
		if err := t.readVersions(ctx, tx); err != nil {
			return err
		}
		if err := r.readForeign(ctx, tx, t); err != nil {
			return err
		}
		r.leaveForeignDeletions(t)
		if err := r.readBuried(ctx, tx, t); err != nil {
			return err
		}
		if err := r.carry(ctx, tx, t); err != nil {
			return err
		}
		if err := r.readPresent(ctx, tx, t); err != nil {
			return err
		}
	}
	if err := r.readOthers(ctx, tx); err != nil {
		return err
	}
	for _, t := range r.ordered() {
		for _, one := range t.rows {
			r.decideRow(t, one)
		}
		if err := r.addReturned(ctx, tx, t); err != nil {
			return err
		}
	}
	if err := r.fit(ctx, tx); err != nil {
		return err
	}
	if err := r.decideLinks(ctx, tx); err != nil {
		return err
	}
	r.count()
	return nil
}

// decideRow decides what happens to one record, as far as its own table determines it.
func (r *run) decideRow(t *table, one *row) {
	if first := one.own[0].kind; first == changelog.Created || first == changelog.Restored {
		if one.there {
			r.decideRemoval(t, one)
		}
		return
	}
	targets, linked := t.targets(one)
	if !one.there {
		r.decideReturn(t, one, targets, linked)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(targets)) {
		r.decideValue(t, one, key, targets[key])
	}
}

// decideRemoval removes a record that the change sets have created.
func (r *run) decideRemoval(t *table, one *row) {
	var last *entry
	for i := range one.foreign {
		if kind := one.foreign[i].kind; kind == changelog.Updated || kind == changelog.Linked {
			last = &one.foreign[i]
		}
	}
	if last != nil && r.hasForeignEffect(t, one) {
		if !r.conflict(&conflict{table: t, row: one, reason: reasonChanged, by: last}) {
			return
		}
	}
	one.does = remove
}

// hasForeignEffect reports whether others have changed a record by more than what reverts have undone.
func (r *run) hasForeignEffect(t *table, one *row) bool {
	keys := map[string]bool{}
	for i := range one.foreign {
		if kind := one.foreign[i].kind; kind == changelog.Updated || kind == changelog.Linked {
			each(one.foreign[i].was, func(key string, _ []byte) bool { keys[key] = true; return true })
		}
	}
	for key := range keys {
		if by, net := r.foreignChange(t, one, key); by != nil && net {
			return true
		}
	}
	return false
}

// targets are the values that the fields of a record had before the earliest reverted change. linked
// are the changes of link fields that only the other side has changed.
func (t *table) targets(one *row) (targets map[string][]byte, linked map[string][]delta) {
	targets = map[string][]byte{}
	pending := map[string][]delta{} // of link fields, that only the other side has changed so far
	for i := range one.own {
		e := &one.own[i]
		if e.kind != changelog.Updated && e.kind != changelog.Linked {
			continue
		}
		each(e.was, func(key string, value []byte) bool {
			if _, known := targets[key]; known {
				return true
			}
			f := t.fields[key]
			switch {
			case f == nil:
				if isKey(key) {
					t.leftOut[key]++
				}
				targets[key] = nil
			case e.kind == changelog.Linked && f.Single():
				targets[key] = encodeList(deltaOf(value).Removed)
			case e.kind == changelog.Linked:
				pending[key] = append(pending[key], deltaOf(value))
			case len(pending[key]) > 0:
				targets[key] = encodeList(undoAll(listOf(value), pending[key]))
				delete(pending, key)
			default:
				targets[key] = value
			}
			return true
		})
	}
	for key := range targets {
		if t.fields[key] == nil {
			delete(targets, key)
		}
	}
	return targets, pending
}

func undoAll(list []uuid.UUID, deltas []delta) []uuid.UUID {
	for _, d := range slices.Backward(deltas) {
		list = undo(list, d)
	}
	return list
}

// undo returns the list of a link field before it gained and lost records.
func undo(list []uuid.UUID, d delta) []uuid.UUID {
	out := slices.DeleteFunc(slices.Clone(list), func(u uuid.UUID) bool { return slices.Contains(d.Added, u) })
	for _, u := range d.Removed {
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

// decideReturn decides about a record that was deleted.
func (r *run) decideReturn(t *table, one *row, targets map[string][]byte, linked map[string][]delta) {
	var deletion *entry
	for _, entries := range [][]entry{one.own, one.foreign} {
		for i := range entries {
			e := &entries[i]
			if e.kind == changelog.Deleted && (deletion == nil || e.number > deletion.number) {
				deletion = e
			}
		}
	}
	isOwn := func(e entry) bool { return e.kind == changelog.Deleted }
	switch {
	case len(targets) == 0 && !slices.ContainsFunc(one.own, isOwn):
		return // only others have linked it
	case deletion == nil || deletion.was == nil: // the log is too young, or the record was purged
		r.conflict(&conflict{table: t, row: one, reason: reasonGone, unfit: true})
		return
	case deletion.by != nil && !r.onlyRevertsSince(one):
		if !r.conflict(&conflict{table: t, row: one, reason: reasonDeleted, by: deletion}) {
			return
		}
	}
	one.does, one.image, one.deleted = restore, deletion.was, deletion.number
	r.noteGone(t, one)
	image := membersOf(one.image)
	one.lists = map[*schema.Field][]uuid.UUID{}
	for key, deltas := range linked { // the rest of its last list is in the former state
		one.lists[t.fields[key]] = undoAll(listOf(image[key]), deltas)
	}
	if one.present == nil {
		one.present = membersOf(one.image) // the state before the record's values are written
	}
	for _, key := range slices.Sorted(maps.Keys(targets)) {
		r.decideValue(t, one, key, targets[key])
	}
}

// onlyRevertsSince reports whether the reverted changes left the record deleted, and only reverts have
// restored and deleted it since.
func (r *run) onlyRevertsSince(one *row) bool {
	last := slices.IndexFunc(one.own, func(e entry) bool { return e.kind == changelog.Deleted })
	for i := range one.own {
		if kind := one.own[i].kind; kind == changelog.Deleted || kind == changelog.Restored {
			last = i
		}
	}
	byHand := func(e entry) bool {
		return (e.kind == changelog.Deleted || e.kind == changelog.Restored) && !r.others[e.by.set]
	}
	return last >= 0 && one.own[last].kind == changelog.Deleted && !slices.ContainsFunc(one.foreign, byHand)
}

func isKey(key string) bool { return len(key) > 2 && key[:2] == "f_" }

// decideValue decides the new value of one field of a record.
func (r *run) decideValue(t *table, one *row, key string, value []byte) {
	f := t.fields[key]
	if left, gone := changelog.Trim(&f.Field, value); len(gone) > 0 && !isEmpty(f, left) {
		one.noteOptions(f, gone)
		value = left
	} else if present, read := one.present[key]; len(gone) > 0 && read && same(f, present, left) {
		return
	}
	if present, read := one.present[key]; (read || one.does == restore) && same(f, present, value) {
		return
	}
	if by, net := r.foreignChange(t, one, key); by != nil && net {
		if !r.conflict(&conflict{table: t, row: one, field: f, reason: reasonChanged, by: by, value: value}) {
			return
		}
	}
	if one.does == leave {
		one.does = update
	}
	if f.Link != nil {
		if one.lists == nil {
			one.lists = map[*schema.Field][]uuid.UUID{}
		}
		one.lists[f] = listOf(value)
		return
	}
	if one.values == nil {
		one.values = map[string][]byte{}
	}
	one.values[key] = value
}

// same compares two values of a field in the log's form; a missing value is null.
func same(f *schema.Field, a, b []byte) bool {
	emptyA, emptyB := isEmpty(f, a), isEmpty(f, b)
	if bytes.Equal(a, b) || emptyA || emptyB {
		return bytes.Equal(a, b) || emptyA && emptyB
	}
	return catalog.EqualJSON(a, b) // converted values are not written as PostgreSQL writes them
}

func isEmpty(f *schema.Field, raw []byte) bool {
	return len(raw) == 0 || string(raw) == "null" || f.Link != nil && string(raw) == "[]"
}

// foreignChange returns the last entry by which others have changed a field since its first reverted
// change, or nil. net says whether their changes had more effect than what reverts have undone.
func (r *run) foreignChange(t *table, one *row, key string) (by *entry, net bool) {
	if len(one.foreign) == 0 {
		return nil, false
	}
	type change struct {
		*entry
		was []byte
	}
	var changes []change // the latest first
	collect := func(entries []entry) {
		for i := range entries {
			e := &entries[i]
			if e.kind != changelog.Updated && e.kind != changelog.Linked {
				continue
			}
			if was, ok := e.members()[key]; ok {
				changes = append(changes, change{e, was})
			}
		}
	}
	collect(one.own)
	collect(one.foreign)
	slices.SortStableFunc(changes, func(a, b change) int { return byTime(*b.entry, *a.entry) })
	for len(changes) > 0 && changes[len(changes)-1].by != nil && one.own[0].kind != changelog.Created &&
		one.own[0].kind != changelog.Restored {
		changes = changes[:len(changes)-1] // before the first that is reverted
	}
	onlyReverts := true
	for _, c := range changes {
		if c.by == nil {
			continue
		}
		if by == nil {
			by = c.entry
		}
		onlyReverts = onlyReverts && r.others[c.by.set]
	}
	if by == nil || !onlyReverts {
		return by, by != nil
	}
	// Each run of changes by others between reverted ones must lead back to where it began.
	f := t.fields[key]
	if f == nil {
		return by, false
	}
	state := one.present[key]
	var after []byte
	within := false
	for i, c := range changes {
		if c.by != nil && !within {
			after, within = state, true
		}
		if c.kind == changelog.Linked {
			state = encodeList(undo(listOf(state), deltaOf(c.was)))
		} else {
			state = c.was
		}
		if within && (i+1 == len(changes) || changes[i+1].by == nil) {
			within = false
			if f.Link != nil && !sameSet(listOf(state), listOf(after)) || f.Link == nil && !same(f, state, after) {
				return by, true
			}
		}
	}
	return by, false
}

func sameSet(a, b []uuid.UUID) bool {
	order := func(x, y uuid.UUID) int { return bytes.Compare(x[:], y[:]) }
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	return slices.Equal(a, b)
}

// encodeList writes a list of record uuids as PostgreSQL does.
func encodeList(list []uuid.UUID) []byte {
	out := []byte{'['}
	for i, u := range list {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(append(append(out, '"'), u.String()...), '"')
	}
	return append(out, ']')
}
