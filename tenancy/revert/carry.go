package revert

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The log has values as they were when they were logged. They are first converted to what they would be
// now: a renamed option has its new name, and a value its new type.

// evolution returns the changes of a table's fields.
func (r *run) evolution(ctx context.Context, tx pgx.Tx, t *table) (*changelog.Evolution, error) {
	known := r.evolved[t.Number]
	if known == nil {
		var pending []changelog.ObjectChange
		for _, change := range r.pending {
			if f := r.schema.Field(change.ID); f != nil && f.Table.ID == t.ID {
				pending = append(pending, change)
			}
		}
		var err error
		if known, err = changelog.ReadEvolution(sendIn(ctx, tx), t.Table, pending); err != nil {
			return nil, err
		}
		r.evolved[t.Number] = known
	}
	return known, nil
}

// sendIn sends statements in a transaction.
func sendIn(ctx context.Context, tx pgx.Tx) changelog.Sender {
	return func(queue func(b *pgx.Batch)) error {
		b := &pgx.Batch{}
		queue(b)
		return tx.SendBatch(ctx, b).Close()
	}
}

// carry converts the values in the entries about a table's records to the present fields.
func (r *run) carry(ctx context.Context, tx pgx.Tx, t *table) error {
	e, err := r.evolution(ctx, tx, t)
	if err != nil || e.IsEmpty() {
		return err
	}
	var all []*changelog.Past
	var entries []*entry
	var of []*row
	for _, one := range t.rows {
		for _, list := range [][]entry{one.own, one.foreign} {
			for i := range list {
				if list[i].was == nil || list[i].kind != changelog.Updated && list[i].kind != changelog.Deleted {
					continue
				}
				all = append(all, &changelog.Past{
					Number: list[i].number, Kind: list[i].kind, Set: list[i].set, Values: membersOf(list[i].was),
				})
				entries, of = append(entries, &list[i]), append(of, one)
			}
		}
	}
	if err := e.Carry(sendIn(ctx, tx), all); err != nil {
		return fmt.Errorf("bringing former values to the present: %w", err)
	}
	for i, p := range all {
		if p.Kind == changelog.Updated {
			t.forget(p)
		}
		entries[i].was, entries[i].moved = encodeMembers(p.Values), p.Moved
		of[i].notes = append(of[i].notes, p.Lost...)
	}
	nothing := func(e entry) bool {
		return e.kind == changelog.Updated && (string(e.was) == "{}" || e.moved && e.by != nil)
	}
	for _, one := range t.rows {
		if own := slices.DeleteFunc(slices.Clone(one.own), nothing); len(own) > 0 {
			one.own = own
		}
		one.foreign = slices.DeleteFunc(one.foreign, nothing)
	}
	return nil
}

// forget drops the value of a field's former column from an update that also has the value of the
// present one.
func (t *table) forget(p *changelog.Past) {
	for _, b := range t.buried {
		if !b.former {
			continue
		}
		for key, f := range t.fields {
			if _, present := p.Values[key]; present && f.ID == b.id {
				delete(p.Values, changelog.Key(&b.Field))
			}
		}
	}
}

// carryImages converts the last states of the records that a restoration brings back to the present
// fields.
func (r *run) carryImages(ctx context.Context, tx pgx.Tx, t *table) error {
	e, err := r.evolution(ctx, tx, t)
	if err != nil || e.IsEmpty() {
		return err
	}
	var all []*changelog.Past
	var of []*row
	for _, one := range t.rows {
		if one.image != nil {
			all = append(all, &changelog.Past{
				Number: one.deleted, Kind: changelog.Deleted, Values: membersOf(one.image),
			})
			of = append(of, one)
		}
	}
	if err := e.Carry(sendIn(ctx, tx), all); err != nil {
		return fmt.Errorf("bringing former values to the present: %w", err)
	}
	for i, p := range all {
		of[i].image = encodeMembers(p.Values)
		of[i].notes = append(of[i].notes, p.Lost...)
	}
	return nil
}

// trimBuried removes deleted options from a record's values of fields in the trash.
func (t *table) trimBuried(one *row) {
	image, trimmed := membersOf(one.image), false
	for _, b := range t.buried {
		key := changelog.Key(&b.Field)
		if left, gone := changelog.Trim(&b.Field, image[key]); len(gone) > 0 {
			image[key], trimmed = left, true
			for _, name := range gone {
				one.notes = append(one.notes, fmt.Sprintf("The option %q of %q, which is in the trash, was removed.",
					name, b.Name))
			}
		}
	}
	if trimmed {
		one.image = encodeMembers(image)
	}
}

// noteGone notes which fields of a record's former state were purged.
func (r *run) noteGone(t *table, one *row) {
	e := r.evolved[t.Number]
	t.trimBuried(one)
	image := membersOf(one.image)
	for _, key := range slices.Sorted(maps.Keys(image)) {
		if !isKey(key) || t.fields[key] != nil || slices.ContainsFunc(t.buried, func(b *buried) bool {
			return changelog.Key(&b.Field) == key
		}) {
			continue
		}
		_, linked := image["p_"+key[2:]]
		switch name := e.Purged(key); {
		case name != "":
			one.notes = append(one.notes, fmt.Sprintf("The value of %q was deleted for good with the field.", name))
		case linked:
			one.notes = append(one.notes, "The links of a field that was deleted for good do not come back.")
		default:
			continue
		}
		t.leftOut[key]++
	}
}

// noteOptions notes the options that a record does not get back because its field no longer has them.
func (one *row) noteOptions(f *schema.Field, gone []string) {
	for _, name := range gone {
		one.notes = append(one.notes, fmt.Sprintf("The option %q of %q was removed, so its value lacks it.", name,
			f.Name))
	}
}
