package feed_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What a reader of the feed makes of it is at each moment what the records are.
func TestTheFeedLeadsToThePresent(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			left := w.table("Left", field("Name", schema.Text, "{}"), field("N", schema.Number, "{}"))
			right := w.table("Right")
			w.link(left, right, "Many", true)
			w.link(left, right, "One", false)
			w.link(left, left, "Self", true)
			start := w.now()
			m := &model{
				world: w, random: rand.New(rand.NewPCG(seed, 1)),
				tables: []*schema.Table{w.fresh(left.ID), w.fresh(right.ID)},
			}
			for range 60 {
				m.step()
			}
			var whole []change
			for _, limit := range []int{100, 1, 3, 7} {
				got := w.read(start, limit, feed.Filter{})
				if whole == nil {
					whole = got
				} else if !reflect.DeepEqual(got, whole) {
					t.Errorf("by %d, %d changes are read that differ from the %d by 100", limit, len(got), len(whole))
				}
			}
			m.check(whole)
		})
	}
}

type model struct {
	*world

	random *rand.Rand
	tables []*schema.Table
	gone   [2][]string
}

// pick returns an id of those that are there, or "".
func (m *model) pick(side int) string {
	ids := slices.Sorted(maps.Keys(m.records(m.tables[side])))
	if len(ids) == 0 {
		return ""
	}
	return ids[m.random.IntN(len(ids))]
}

func (m *model) fields(side int) string {
	text := fmt.Sprintf(`{"Name":"%d"`, m.random.IntN(5))
	if side == 0 && m.random.IntN(2) == 0 {
		text += fmt.Sprintf(`,"N":%d`, m.random.IntN(3))
	}
	for _, f := range m.tables[side].Fields {
		if f.Link == nil || m.random.IntN(2) == 0 {
			continue
		}
		list := ""
		for range m.random.IntN(3) {
			to := 1 - side
			if f.Link.LinkedTable == m.tables[0].ID {
				to = 0
			}
			one := m.pick(to)
			if one == "" || list != "" && (f.Single() || strings.Contains(list, one)) {
				continue
			}
			if list != "" {
				list += ","
			}
			list += fmt.Sprintf("%q", one)
		}
		text += fmt.Sprintf(`,%q:[%s]`, f.Name, list)
	}
	return text + "}"
}

func (m *model) step() {
	side := m.random.IntN(2)
	one := m.pick(side)
	switch kind := m.random.IntN(10); {
	case kind < 3 || one == "":
		m.create(m.tables[side], m.fields(side), m.fields(side))
	case kind < 8:
		m.update(one, m.fields(side))
	case kind < 9:
		m.delete(m.tables[side], one)
		m.gone[side] = append(m.gone[side], one)
	case len(m.gone[side]) > 0:
		m.restore(m.tables[side], m.gone[side][0])
		m.gone[side] = m.gone[side][1:]
	}
}

// check applies the changes to nothing.
func (m *model) check(changes []change) {
	m.t.Helper()
	state := map[string]map[string]any{}
	for i, c := range changes {
		one := state[c.Record]
		switch c.Kind {
		case "created", "restored":
			if one != nil || c.Before != nil {
				m.t.Errorf("change %d is %s of a record that is there", i, c.Kind)
			}
			state[c.Record] = c.After
		case "deleted":
			same(m.t, fmt.Sprintf("change %d, before the deletion", i), c.Before, one)
			delete(state, c.Record)
		case "updated":
			for name, value := range c.Before {
				same(m.t, fmt.Sprintf("change %d, %s before", i, name), value, one[name])
			}
			for name, value := range c.After {
				one[name] = value
			}
		case "linked":
			for name, links := range c.Links {
				list, _ := one[name].([]any)
				list = slices.DeleteFunc(slices.Clone(list),
					func(v any) bool { return slices.Contains(links.Removed, v.(string)) })
				for _, added := range links.Added {
					list = append(list, added)
				}
				if one[name] = nil; len(list) > 0 {
					one[name] = list
				}
			}
		}
	}
	for _, table := range m.tables {
		for public, fields := range m.records(table) {
			same(m.t, "the record "+public, state[public], fields)
			delete(state, public)
		}
	}
	if len(state) > 0 {
		m.t.Errorf("there are more records: %v", state)
	}
}

// same compares values, and of links which they are: the log does not know the places of those that are
// written from the other side.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(sorted(got), sorted(want)) {
		t.Errorf("%s: %v, and not %v", what, got, want)
	}
}

func sorted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			out[name] = sorted(value)
		}
		return out
	case []any:
		return slices.SortedFunc(slices.Values(v),
			func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	}
	return v
}
