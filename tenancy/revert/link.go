package revert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A change of a link is in the log of both sides. The whole list of a field is in the log of the side
// that was written, and for single fields on either side; the run writes these lists. Fields that were
// changed from the other side follow from them.

// far is the other side of a link field: its table, and the field there or nil.
func (r *run) far(f *schema.Field) (*schema.Table, *schema.Field) {
	return r.schema.Table(f.Link.LinkedTable), r.schema.Field(f.Link.Inverse)
}

// lock locks the files and the records that the run may change, in the order of all writers: by the
// tables' numbers and the records' ids.
func (r *run) lock(ctx context.Context, tx pgx.Tx) error {
	locks := map[*schema.Table]*tableLock{}
	of := func(t *schema.Table) *tableLock {
		if locks[t] == nil {
			locks[t] = &tableLock{strength: "for no key update"}
		}
		return locks[t]
	}
	b := &pgx.Batch{}
	for _, t := range r.ordered() {
		if err := r.findFiles(ctx, tx, t); err != nil {
			return err
		}
		r.retain(b, t)
		mine := of(t.Table)
		mine.rows = append(mine.rows, t.ids()...)
		whole, linked := t.linked()
		if whole || slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Config.Unique }) {
			mine.strength = "for update"
		}
		for _, f := range t.Fields {
			others, ok := linked[f]
			if f.Link == nil || !ok && !whole {
				continue
			}
			far, inverse := r.far(f)
			if far == nil {
				continue
			}
			relation, theirs := f.Link.Relation(t.Org), of(far)
			theirs.rows = append(theirs.rows, others...)
			theirs.ends = append(theirs.ends, changelog.Ends{
				Relation: relation, Column: f.Link.Other, With: f.Link.Own, Rows: t.ids(),
			})
			if inverse != nil && inverse.Single() && len(others) > 0 {
				mine.ends = append(mine.ends, changelog.Ends{
					Relation: relation, Column: f.Link.Own, With: f.Link.Other, Rows: others,
				})
			}
		}
	}
	byNumber := func(a, b *schema.Table) int { return int(a.Number - b.Number) }
	for _, t := range slices.SortedFunc(maps.Keys(locks), byNumber) {
		changelog.Lock(b, t, locks[t].rows, locks[t].strength, locks[t].ends...)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("locking the records: %w", err)
	}
	return nil
}

type tableLock struct {
	rows     []uuid.UUID
	ends     []changelog.Ends
	strength string
}

// linked lists the records that the reverted entries name in each link field. whole reports whether
// some entries have whole records.
func (t *table) linked() (whole bool, linked map[*schema.Field][]uuid.UUID) {
	seen := map[*schema.Field]map[uuid.UUID]bool{}
	note := func(f *schema.Field, list []uuid.UUID) {
		if seen[f] == nil {
			seen[f] = map[uuid.UUID]bool{}
		}
		for _, u := range list {
			seen[f][u] = true
		}
	}
	for _, one := range t.rows {
		entries := one.own
		if len(entries) == 0 { // of a restoration
			whole, entries = true, []entry{{kind: changelog.Deleted, was: one.image}}
		}
		for i := range entries {
			e := &entries[i]
			whole = whole || e.kind != changelog.Updated && e.kind != changelog.Linked
			each(e.was, func(key string, value []byte) bool {
				f := t.fields[key]
				if f == nil || f.Link == nil {
					return true
				}
				if e.kind == changelog.Linked {
					d := deltaOf(value)
					note(f, d.Added)
					note(f, d.Removed)
				} else {
					note(f, listOf(value))
				}
				return true
			})
		}
	}
	linked = map[*schema.Field][]uuid.UUID{}
	for f, set := range seen {
		linked[f] = sorted(set)
	}
	return whole, linked
}

func sorted(set map[uuid.UUID]bool) []uuid.UUID {
	return slices.SortedFunc(maps.Keys(set), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// decideLinks decides the new lists of link fields.
func (r *run) decideLinks(ctx context.Context, tx pgx.Tx) error {
	for _, t := range r.ordered() {
		for _, one := range t.rows {
			if one.does != restore {
				continue
			}
			for key, value := range membersOf(one.image) {
				if f := t.fields[key]; f != nil && f.Link != nil {
					if one.lists == nil {
						one.lists = map[*schema.Field][]uuid.UUID{}
					}
					if _, ok := one.lists[f]; !ok {
						one.lists[f] = listOf(value)
					}
				}
			}
		}
	}
	ends := map[*schema.Field]*linkEnds{}
	for _, t := range r.ordered() {
		for _, f := range t.Fields {
			if f.Link == nil {
				continue
			}
			var err error
			if ends[f], err = r.readEnds(ctx, tx, t, f); err != nil {
				return err
			}
		}
	}
	// The present records of single fields are looked up by the wanted lists, so all lists are decided
	// first.
	type decision struct {
		one  *row
		f    *schema.Field
		list []uuid.UUID
		same bool
	}
	var decisions []decision
	for _, t := range r.ordered() {
		for _, one := range t.rows {
			for _, f := range t.Fields {
				wanted, ok := one.lists[f]
				if !ok {
					continue
				}
				list, unchanged := r.decideList(t, one, f, wanted, ends[f])
				decisions = append(decisions, decision{one, f, list, unchanged})
			}
		}
	}
	for _, d := range decisions {
		d.one.lists[d.f] = d.list
		if d.same {
			delete(d.one.lists, d.f)
		}
		if d.one.does == update && len(d.one.values)+len(d.one.lists) == 0 {
			d.one.does = leave
		}
	}
	return nil
}

// linkEnds are the records on the other side of a link field that lists of the run name.
type linkEnds struct {
	there  map[uuid.UUID]bool
	holder map[uuid.UUID]uuid.UUID // which record links each of them, if only one list may have it
}

func (r *run) readEnds(ctx context.Context, tx pgx.Tx, t *table, f *schema.Field) (*linkEnds, error) {
	seen := map[uuid.UUID]bool{}
	for _, one := range t.rows {
		for _, u := range one.lists[f] {
			seen[u] = true
		}
	}
	far, inverse := r.far(f)
	ends := &linkEnds{there: map[uuid.UUID]bool{}, holder: map[uuid.UUID]uuid.UUID{}}
	if len(seen) == 0 || far == nil {
		return ends, nil
	}
	result, err := tx.Query(ctx, "select t.id from "+far.Relation()+" t where t.id = any ($1)", sorted(seen))
	if err != nil {
		return nil, fmt.Errorf("looking for linked records: %w", err)
	}
	var u, holder uuid.UUID
	if _, err := pgx.ForEachRow(result, []any{&u}, func() error { ends.there[u] = true; return nil }); err != nil {
		return nil, fmt.Errorf("looking for linked records: %w", err)
	}
	if inverse == nil || !inverse.Single() {
		return ends, nil
	}
	result, err = tx.Query(ctx, "select l."+f.Link.Other+", l."+f.Link.Own+" from "+f.Link.Relation(t.Org)+
		" l where l."+f.Link.Other+" = any ($1)", sorted(seen))
	if err != nil {
		return nil, fmt.Errorf("looking for links: %w", err)
	}
	_, err = pgx.ForEachRow(result, []any{&u, &holder}, func() error { ends.holder[u] = holder; return nil })
	if err != nil {
		return nil, fmt.Errorf("looking for links: %w", err)
	}
	return ends, nil
}

// decideList decides the new list of a record's link field, and whether it is the present one already.
func (r *run) decideList(
	t *table, one *row, f *schema.Field, wanted []uuid.UUID, ends *linkEnds,
) (list []uuid.UUID, unchanged bool) {
	far, inverse := r.far(f)
	if far == nil {
		return nil, true
	}
	theirs := r.tables[far.Number]
	alive := func(u uuid.UUID) bool {
		if theirs != nil && theirs.byID[u] != nil {
			other := theirs.byID[u]
			return other.there && other.does != remove || other.does == restore
		}
		return ends.there[u]
	}
	// A conflict on the other side leaves the pair as it is.
	blocked := func(u uuid.UUID) bool {
		return theirs != nil && theirs.byID[u] != nil && inverse != nil && theirs.byID[u].blocks(inverse)
	}
	// The run links this record on the other side, whoever is linked there now.
	chosen := func(u uuid.UUID) bool {
		return theirs != nil && theirs.byID[u] != nil && inverse != nil &&
			slices.Contains(theirs.byID[u].lists[inverse], one.id)
	}
	var present []uuid.UUID
	if one.there {
		present = listOf(one.present[changelog.Key(&f.Field)])
	}
	list = []uuid.UUID{}
	away := 0
	defer func() { one.noteLinks(f, away) }()
	for _, u := range wanted {
		if !alive(u) {
			away++
			continue
		}
		if !slices.Contains(present, u) {
			if blocked(u) {
				continue
			}
			holder, linked := ends.holder[u]
			if linked && holder != one.id && !t.givesUp(holder, f, u) && !chosen(u) &&
				(one.does == restore || r.mode != Overwrite) {
				one.notes = append(
					one.notes,
					fmt.Sprintf("%s, which %q held, is linked with %s now, and can be in one "+
						"list only.", id.FormatRecord(far.Number, u), f.Name, id.FormatRecord(t.Number, holder)),
				)
				continue
			}
		}
		list = append(list, u)
	}
	for _, u := range present {
		if !slices.Contains(wanted, u) && blocked(u) {
			list = append(list, u)
		}
	}
	if f.Single() && len(list) > 1 {
		list = list[:1]
	}
	if !one.there {
		return list, len(list) == 0
	}
	present = slices.DeleteFunc(present, func(u uuid.UUID) bool {
		return theirs != nil && theirs.byID[u] != nil && theirs.byID[u].does == remove
	})
	return list, slices.Equal(list, present)
}

// noteLinks notes that some records which a restored record was linked with are deleted.
func (one *row) noteLinks(f *schema.Field, away int) {
	if one.does == restore && away > 0 {
		one.notes = append(one.notes, fmt.Sprintf("%d of the records that %q held are deleted; a link comes back "+
			"with each that is restored.", away, f.Name))
	}
	if one.does != restore && one.past && away > 0 {
		one.notes = append(one.notes, fmt.Sprintf("%d of the records that %q held are deleted.", away, f.Name))
	}
}

// givesUp reports whether the run removes a record from the list of another one.
func (t *table) givesUp(holder uuid.UUID, f *schema.Field, u uuid.UUID) bool {
	other := t.byID[holder]
	if other == nil {
		return false
	}
	wanted, ok := other.lists[f]
	return other.does == remove || ok && !slices.Contains(wanted, u)
}

// placesIn are the positions of a deleted record in the lists of the records that it was linked with,
// from its former state.
func placesIn(image map[string][]byte, f *field.Field) map[uuid.UUID]*int32 {
	var places []*int32
	if raw := image[changelog.PlaceKey(f)]; raw == nil || json.Unmarshal(raw, &places) != nil {
		return nil
	}
	out := map[uuid.UUID]*int32{}
	for i, other := range listOf(image[changelog.Key(f)]) {
		if i < len(places) {
			out[other] = places[i]
		}
	}
	return out
}
