package revert_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A model knows every record's whole history, and says what a revert must make of it. It shares
// nothing with the product: it keeps states, where the log keeps what stood before.
//
// A long run: go test ./tenancy/revert -run Model -rapid.checks=500 -timeout 2h

type modelValues map[string]any

type modelEvent struct {
	set           uuid.UUID
	before, after modelValues // nil: the record is not there
}

type modelRecord struct {
	id     string
	events []modelEvent
}

func (r *modelRecord) now() modelValues {
	if len(r.events) == 0 {
		return nil
	}
	return r.events[len(r.events)-1].after
}

func (r *modelRecord) becomes(set uuid.UUID, after modelValues) {
	before := r.now()
	if reflect.DeepEqual(before, after) && (before == nil) == (after == nil) {
		return
	}
	r.events = append(r.events, modelEvent{set, before, after})
}

type model struct {
	records  []*modelRecord
	reverted map[uuid.UUID]bool // reverts, and what they reverted
}

// expect returns what records become, and how many conflicts there are.
func (m *model) expect(sets []uuid.UUID, mode revert.OnConflict) (after map[*modelRecord]modelValues, conflicts int) {
	after = map[*modelRecord]modelValues{}
	for _, r := range m.records {
		first := slices.IndexFunc(r.events, func(e modelEvent) bool { return slices.Contains(sets, e.set) })
		if first < 0 {
			continue
		}
		own := func(e modelEvent) bool { return slices.Contains(sets, e.set) }
		later, now := r.events[first:], r.now()
		if later[0].before == nil { // it was made, or came back
			if now == nil {
				continue
			}
			blocked := false
			for _, name := range []string{"Name", "N"} {
				blocked = blocked || m.foreign(later, own, name)
			}
			if blocked {
				conflicts++
			}
			if !blocked || mode == revert.Overwrite {
				after[r] = nil
			}
			continue
		}
		targets := modelValues{}
		deletes := false
		for _, e := range later {
			if !own(e) || e.before == nil {
				continue
			}
			deletes = deletes || e.after == nil
			for name, value := range e.before {
				if _, known := targets[name]; !known && e.after != nil && e.after[name] != value {
					targets[name] = value
				}
			}
		}
		if now == nil {
			if len(targets) == 0 && !deletes {
				continue
			}
			last := later[len(later)-1]
			// A deletion that reverts took back and did again is the one that is reverted.
			ownLeftIt, onlyReverts := false, true
			for _, e := range later {
				if e.before == nil || e.after == nil {
					if own(e) {
						ownLeftIt = e.after == nil
					} else {
						onlyReverts = onlyReverts && m.reverted[e.set]
					}
				}
			}
			if !own(last) && (!ownLeftIt || !onlyReverts) {
				conflicts++
				if mode != revert.Overwrite {
					continue
				}
			}
			now = last.before
		}
		out := maps.Clone(now)
		for name, value := range targets {
			if now[name] == value {
				continue
			}
			if m.foreign(later, own, name) {
				conflicts++
				if mode != revert.Overwrite {
					continue
				}
			}
			out[name] = value
		}
		after[r] = out
	}
	return after, conflicts
}

// foreign reports whether others have changed a field since the first change of it that is reverted,
// beyond what reverts have taken back.
func (m *model) foreign(events []modelEvent, own func(e modelEvent) bool, name string) bool {
	made := events[0].before == nil
	began := made
	var start any
	within, onlyReverts := false, true
	type span struct {
		from, to any
	}
	var spans []span
	for _, e := range events {
		if e.before == nil || e.after == nil || e.before[name] == e.after[name] {
			continue
		}
		if own(e) {
			began, within = true, false
			continue
		}
		if !began {
			continue
		}
		onlyReverts = onlyReverts && m.reverted[e.set]
		if !within {
			within, start = true, e.before[name]
			spans = append(spans, span{start, nil})
		}
		spans[len(spans)-1].to = e.after[name]
	}
	return len(spans) > 0 && (!onlyReverts || slices.ContainsFunc(spans, func(s span) bool { return s.from != s.to }))
}

func TestRevertsEqualTheModel(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("N", schema.Number))
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{reverted: map[uuid.UUID]bool{}}
		old := w.all(table)
		for one := range old { // of the attempt before
			w.hand("key_0").delete(table, one)
		}
		hands := []*hand{w.hand("key_a"), w.hand("key_b"), w.hand("key_c")}
		var sets []uuid.UUID
		for _, h := range hands {
			sets = append(sets, h.set)
		}
		values := func() modelValues {
			out := modelValues{"Name": nil, "N": nil}
			if n := rapid.IntRange(0, 3).Draw(rt, "name"); n > 0 {
				out["Name"] = fmt.Sprint(n)
			}
			if n := rapid.IntRange(0, 2).Draw(rt, "number"); n > 0 {
				out["N"] = float64(n)
			}
			return out
		}
		for step := range rapid.IntRange(3, 14).Draw(rt, "steps") {
			h := rapid.SampledFrom(hands).Draw(rt, "hand")
			var living, gone []*modelRecord
			for _, r := range m.records {
				if r.now() != nil {
					living = append(living, r)
				} else {
					gone = append(gone, r)
				}
			}
			what := rapid.IntRange(0, 9).Draw(rt, "what")
			switch {
			case what == 0 || len(living) == 0:
				v := values()
				r := &modelRecord{id: h.create(table, encode(v))[0]}
				m.records = append(m.records, r)
				r.becomes(h.set, v)
			case what == 1:
				r := rapid.SampledFrom(living).Draw(rt, "record")
				h.delete(table, r.id)
				r.becomes(h.set, nil)
			case what == 2 && len(gone) > 0:
				r := rapid.SampledFrom(gone).Draw(rt, "record")
				_, err := h.revert.Restore(h.ctx, w.actor, table.ID, []string{r.id}, false)
				if err != nil {
					rt.Fatal(err)
				}
				r.becomes(h.set, r.events[len(r.events)-1].before)
			case what < 7:
				r, v := rapid.SampledFrom(living).Draw(rt, "record"), values()
				if rapid.Bool().Draw(rt, "one field") {
					v["N"] = r.now()["N"]
				}
				h.update(r.id, encode(v))
				r.becomes(h.set, v)
			default:
				m.revert(t, rt, w, &sets)
			}
			m.compare(rt, w, table, step)
		}
		m.revert(t, rt, w, &sets)
		m.compare(rt, w, table, -1)
	})
}

func encode(v modelValues) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// revert reverts some change sets, in the product and in the model.
func (m *model) revert(t *testing.T, rt *rapid.T, w *world, sets *[]uuid.UUID) {
	var used []uuid.UUID
	for _, set := range *sets {
		has := func(e modelEvent) bool { return e.set == set }
		if slices.ContainsFunc(m.records, func(r *modelRecord) bool { return slices.ContainsFunc(r.events, has) }) {
			used = append(used, set)
		}
	}
	if len(used) == 0 {
		return
	}
	chosen := []uuid.UUID{rapid.SampledFrom(used).Draw(rt, "set")}
	if rapid.IntRange(0, 3).Draw(rt, "two") == 0 {
		if another := rapid.SampledFrom(used).Draw(rt, "other set"); another != chosen[0] {
			chosen = append(chosen, another)
		}
	}
	mode := rapid.SampledFrom([]revert.OnConflict{revert.Fail, revert.Skip, revert.Overwrite}).Draw(rt, "mode")
	after, conflicts := m.expect(chosen, mode)
	h := w.hand("key_r")
	dry, err := h.revert.Revert(h.ctx, w.actor, w.base,
		revert.Request{ChangeSets: chosen, OnConflict: mode, DryRun: true})
	if err != nil || dry.ConflictCount != conflicts {
		rt.Fatalf("a dry run says %+v, %v, and not %d conflicts", dry, err, conflicts)
	}
	plan, err := h.undo(mode, chosen...)
	if mode == revert.Fail && conflicts > 0 {
		if problem.KindOf(err) != problem.KindConflict || err == nil {
			rt.Fatalf("%d conflicts, and it says %v", conflicts, err)
		}
		return
	}
	if err != nil || plan.ConflictCount != conflicts {
		rt.Fatalf("it says %+v, %v, and not %d conflicts", plan, err, conflicts)
	}
	changed := 0
	for r, values := range after {
		if !reflect.DeepEqual(r.now(), values) {
			changed++
		}
		deletedFirst := r.now() == nil && values != nil
		if was := r.events[len(r.events)-1].before; deletedFirst && !reflect.DeepEqual(was, values) {
			r.becomes(h.set, was) // it comes back as it was, and is changed then
		}
		r.becomes(h.set, values)
	}
	if plan.Records != changed {
		rt.Fatalf("it says that %d records change, and not %d: %+v", plan.Records, changed, plan)
	}
	if changed > 0 {
		*sets = append(*sets, h.set)
		m.reverted[h.set] = true
	}
	if changed > 0 || conflicts == 0 { // else all of them still stand
		for _, set := range chosen {
			m.reverted[set] = true
		}
	}
}

func (m *model) compare(rt *rapid.T, w *world, table *schema.Table, step int) {
	there := w.all(table)
	want := 0
	for _, r := range m.records {
		values := r.now()
		if values == nil {
			continue
		}
		want++
		if got := w.get(r.id).Fields; !reflect.DeepEqual(modelValues(got), values) {
			rt.Fatalf("after step %d %s is %v and not %v", step, r.id, got, values)
		}
	}
	if len(there) != want {
		rt.Fatalf("after step %d there are %d records and not %d", step, len(there), want)
	}
}
