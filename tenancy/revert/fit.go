package revert

import (
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

// Values that do not fit the present fields are conflicts that nothing overwrites. A restored record is
// as it would be if nobody had deleted it: changes of people and configurations are no obstacle, but
// cells lose options and files that no longer exist.

// fit refuses values that no longer fit.
func (r *run) fit(ctx context.Context, tx pgx.Tx) error {
	for _, t := range r.ordered() {
		if err := r.readMembers(ctx, tx, t); err != nil {
			return err
		}
		if err := r.findFiles(ctx, tx, t); err != nil {
			return err
		}
		fits := &fitting{run: r, table: t, options: map[*schema.Field]map[string]bool{}}
		for _, one := range t.rows {
			fits.row(one)
		}
		if _, err := r.fitSize(ctx, tx, t); err != nil {
			return err
		}
		// Each refusal can cause another: a refused value leaves the present one, which may be larger,
		// and a record that is too large keeps its unique values.
		for again := true; again; {
			for _, f := range t.Fields {
				if f.Config.Unique && f.Info().Column != "" {
					if err := r.fitUnique(ctx, tx, t, f); err != nil {
						return err
					}
				}
			}
			var err error
			if again, err = r.fitSize(ctx, tx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// A fitting checks values of one table.
type fitting struct {
	run     *run
	table   *table
	options map[*schema.Field]map[string]bool // whether a value, as JSON, names only options that exist
}

func (t *fitting) row(one *row) {
	for _, key := range slices.Sorted(maps.Keys(one.values)) {
		f, value := t.table.fields[key], one.values[key]
		if why := t.misfit(f, value, true); why != "" {
			value = changelog.Unmark(value)
			delete(one.values, key)
			t.run.conflict(&conflict{table: t.table, row: one, field: f, reason: why, value: value, unfit: true})
		}
	}
	if one.does == update && len(one.values)+len(one.lists) == 0 {
		one.does = leave
	}
	if one.does != restore {
		return
	}
	changed := false
	kept := membersOf(one.image)
	for _, key := range slices.Sorted(maps.Keys(kept)) {
		f, value := t.table.fields[key], kept[key]
		if f == nil || f.Link != nil {
			continue
		}
		if _, replaced := one.values[key]; replaced {
			continue
		}
		if left, gone := changelog.Trim(&f.Field, value); len(gone) > 0 && !isEmpty(f, left) {
			one.noteOptions(f, gone)
			kept[key], changed = left, true
			continue
		}
		if why := t.misfit(f, value, false); why != "" {
			value = changelog.Unmark(value)
			delete(kept, key)
			changed = true
			t.run.conflict(&conflict{table: t.table, row: one, field: f, reason: why, value: value, unfit: true})
		}
	}
	if changed {
		one.image = encodeMembers(kept)
	}
}

// misfit says why a field cannot have a value, or "". strict also checks what a record that was never
// deleted would have kept.
func (t *fitting) misfit(f *schema.Field, value []byte, strict bool) string {
	if isEmpty(f, value) {
		if strict && f.Config.Required && f.Unset() == nil {
			return reasonRequired
		}
		return ""
	}
	if kind, ok := f.Kind.(field.Optioned); ok {
		known, ok := t.options[f]
		if !ok {
			known = map[string]bool{}
			t.options[f] = known
		}
		fits, ok := known[string(value)]
		if !ok {
			names, read := kind.Names(value)
			fits = read && !slices.ContainsFunc(names, func(n string) bool { return !f.Config.HasOption(n) })
			known[string(value)] = fits
		}
		if !fits {
			return reasonOption
		}
	}
	if f.Info().People && strict {
		var people []uuid.UUID
		if json.Unmarshal(value, &people) != nil ||
			slices.ContainsFunc(people, func(p uuid.UUID) bool { return !t.run.members[p] }) {
			return reasonPerson
		}
		if len(people) > 1 && (f.Config.Multiple == nil || !*f.Config.Multiple) {
			return reasonSingle
		}
	}
	if _, ok := f.Kind.(field.Filed); ok {
		if slices.ContainsFunc(filesIn(value), func(file uuid.UUID) bool { return !t.table.files[file] }) {
			return reasonFile
		}
	}
	return ""
}

// filesIn are the files in a value.
func filesIn(value []byte) []uuid.UUID {
	var files []struct{ ID string }
	if json.Unmarshal(value, &files) != nil {
		return nil
	}
	var out []uuid.UUID
	for _, f := range files {
		if u, err := id.Parse(id.Attachment, f.ID); err == nil {
			out = append(out, u)
		}
	}
	return out
}

// fileIDs are the files that values of a table name, in the values to write and in the reverted
// entries, each once and in one order.
func (t *table) fileIDs() []uuid.UUID {
	seen := map[uuid.UUID]bool{}
	for key, f := range t.fields {
		if _, ok := f.Kind.(field.Filed); !ok {
			continue
		}
		for _, one := range t.rows {
			for i := range one.own {
				for _, file := range filesIn(one.own[i].members()[key]) {
					seen[file] = true
				}
			}
			for _, object := range [][]byte{membersOf(one.image)[key], one.values[key]} {
				for _, file := range filesIn(object) {
					seen[file] = true
				}
			}
		}
	}
	return sorted(seen)
}

// findFiles finds out which of the files still exist.
func (r *run) findFiles(ctx context.Context, tx pgx.Tx, t *table) error {
	ids := t.fileIDs()
	if len(ids) == 0 {
		return nil
	}
	t.files = map[uuid.UUID]bool{}
	result, err := tx.Query(ctx, "select id from rowhouse.attachment where org_id = $1 and table_id = $2 and "+
		"id = any ($3) and state = 'ready'", r.actor.Org, t.ID, ids)
	if err != nil {
		return fmt.Errorf("looking for files: %w", err)
	}
	var file uuid.UUID
	if _, err := pgx.ForEachRow(result, []any{&file}, func() error { t.files[file] = true; return nil }); err != nil {
		return fmt.Errorf("looking for files: %w", err)
	}
	return nil
}

// readMembers reads the members if values of the table are people.
func (r *run) readMembers(ctx context.Context, tx pgx.Tx, t *table) error {
	people := func(f *schema.Field) bool { return f.Info().People && f.Info().Column != "" }
	if r.members != nil || !slices.ContainsFunc(t.Fields, people) {
		return nil
	}
	r.members = map[uuid.UUID]bool{}
	result, err := tx.Query(ctx, "select person_id from rowhouse.member where org_id = $1", r.actor.Org)
	if err != nil {
		return fmt.Errorf("reading the members: %w", err)
	}
	var person uuid.UUID
	_, err = pgx.ForEachRow(result, []any{&person}, func() error { r.members[person] = true; return nil })
	if err != nil {
		return fmt.Errorf("reading the members: %w", err)
	}
	return nil
}

// next is the value that a field will have, and whether the run writes it.
func (one *row) next(key string, image map[string][]byte) ([]byte, bool) {
	if value, ok := one.values[key]; ok {
		return value, true
	}
	value, ok := image[key]
	return value, ok && one.does == restore
}

// fitUnique refuses values that other records have. A record may take a value that another gives up.
func (r *run) fitUnique(ctx context.Context, tx pgx.Tx, t *table, f *schema.Field) error {
	key := "f_" + fmt.Sprint(f.Number)
	type wish struct {
		one   *row
		value []byte
	}
	for {
		var wishes []wish
		var input []byte
		for _, one := range t.rows {
			if one.does != update && one.does != restore {
				continue
			}
			var image map[string][]byte
			if one.does == restore {
				image = membersOf(one.image)
			}
			if value, ok := one.next(key, image); ok && !isEmpty(f, value) {
				wishes = append(wishes, wish{one, value})
				input = appendObject(input, one.id, key, value)
			}
		}
		if len(wishes) == 0 {
			return nil
		}
		holders, err := t.holdersOf(ctx, tx, f, key, append(input, ']'))
		if err != nil {
			return err
		}
		taken, again := map[string]*row{}, false
		for _, w := range wishes {
			holder, isTaken := holders[w.one.id]
			if other := taken[string(w.value)]; other != nil {
				holder, isTaken = other.id, true
			} else if known := t.byID[holder]; isTaken && known != nil {
				value, changes := known.values[key]
				if known.does == remove {
					isTaken = false
				} else if changes && !same(f, value, w.value) {
					isTaken = false
					if !slices.Contains(t.parked, known) {
						t.parked = append(t.parked, known)
					}
				}
			}
			if !isTaken {
				taken[string(w.value)] = w.one
				continue
			}
			again = true
			r.conflict(&conflict{
				table: t, row: w.one, field: f, reason: reasonUnique, value: w.value, unfit: true, holder: holder,
			})
			if w.one.does == restore {
				w.one.does = leave // it cannot come back without the value
				continue
			}
			delete(w.one.values, key)
			if len(w.one.values)+len(w.one.lists) == 0 {
				w.one.does = leave
			}
		}
		if !again {
			return nil
		}
	}
}

// holdersOf returns the records that have the values which other records will get.
func (t *table) holdersOf(
	ctx context.Context, tx pgx.Tx, f *schema.Field, key string, input []byte,
) (map[uuid.UUID]uuid.UUID, error) {
	result, err := tx.Query(ctx, "select v.id, o.id from jsonb_to_recordset($1::text::jsonb) as v(id uuid, "+key+" "+
		f.Info().Column+") join "+t.Relation()+" o on o."+f.Column()+" = v."+key+" and o.id <> v.id", string(input))
	if err != nil {
		return nil, fmt.Errorf("looking for unique values: %w", err)
	}
	holders := map[uuid.UUID]uuid.UUID{}
	var one, holder uuid.UUID
	_, err = pgx.ForEachRow(result, []any{&one, &holder}, func() error { holders[one] = holder; return nil })
	if err != nil {
		return nil, fmt.Errorf("looking for unique values: %w", err)
	}
	return holders, nil
}
