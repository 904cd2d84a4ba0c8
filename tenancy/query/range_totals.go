package query

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A TotalHint is what is known of the total of a list before the query: a total at a stamp, of this
// list or of one that differs only in the value of a bound.
type TotalHint struct {
	key    totalKey
	writes int64 // the stamp with which total is valid; -1 for none
	total  int64

	series *rangeTotals // nil for a list without a bound
	from   string       // what the conditions belong to
	rest   string       // the conditions in addition to the bound
	bound  field.Bound
	near   any // the value of the known total in place of the bound's

	own bool // the total is of this request alone
}

// applies reports whether the list has a total of its own, and not the total of all records.
func (h *TotalHint) applies() bool { return h.key != (totalKey{}) }

// hint returns the condition of a list's filter, and what is known of the list's total.
func (t *TotalCache) hint(c *Compiler, p *Plan) (condition string, h TotalHint) {
	h.key = totalKey{table: p.Table.ID, version: p.Table.Version, demand: strings.Join(p.demand, " ")}
	h.writes, h.from = -1, p.Table.From(p.reads(nil))
	if p.Table.Base.Ruled {
		return t.hintOfRuled(c, p, h)
	}
	if p.live != nil {
		condition = c.condition(p.Filter)
		h.key.digest = c.digest(condition)
		if known, ok := t.totals.Get(h.key); ok && condition != "" {
			h.writes, h.total = known.writes, known.total
		}
		if condition == "" {
			h = TotalHint{}
		}
		return condition, h
	}
	foreign := p.Filter.foreign()
	if p.Search != nil {
		condition = c.condition(p.Filter)
		h.key.digest = c.digest(condition + "\x00" + p.Search.text)
		if known, ok := t.totals.Get(h.key); ok && !foreign && !p.Search.foreign() {
			h.writes, h.total = known.writes, known.total
		}
		return condition, h
	}
	if foreign {
		condition = c.condition(p.Filter)
		h.key.digest = c.digest(condition)
		return condition, h
	}
	rest, bound, bounded := c.splitBound(p.Filter)
	condition = c.condition(rest)
	switch {
	case bounded:
		h.rest, h.bound = condition, bound
		h.key.digest = c.digest(condition + "\x00" + bound.Column + bound.Sign)
		h.series = t.seriesOf(h.key)
		var near point
		h.writes, near = h.series.nearest(bound.Value)
		h.near, h.total = near.value, near.total
		condition = And(condition, bound.SQL(c))
	case condition == "":
		return "", TotalHint{}
	default:
		h.key.digest = c.digest(condition)
		if known, ok := t.totals.Get(h.key); ok {
			h.writes, h.total = known.writes, known.total
		}
	}
	return condition, h
}

// hintOfRuled is hint for somebody who reads only some records of the base: the total is the person's own.
func (t *TotalCache) hintOfRuled(c *Compiler, p *Plan, h TotalHint) (condition string, _ TotalHint) {
	condition = c.condition(p.Filter)
	rows := p.Table.Rows()
	switch {
	case rows != nil:
		condition = And("true", condition) // not all records count
	case condition == "" && p.Search == nil:
		return "", TotalHint{}
	}
	h.own = rows == nil || !rows.Stamped() || p.Search != nil || p.Filter.looksThrough() ||
		slices.ContainsFunc(p.Filter.fields(nil), func(f *schema.Field) bool {
			return f.Info().Paired || f.Info().Computed && f.Computed.Foreign
		})
	text := condition
	if !h.own {
		text += "\x00" + rows.Read + "\x00" + c.person.String()
	}
	h.key.digest = c.digest(text)
	if known, ok := t.totals.Get(h.key); ok && !h.own {
		h.writes, h.total = known.writes, known.total
	}
	return condition, h
}

func (t *TotalCache) seriesOf(key totalKey) *rangeTotals {
	if known, ok := t.series.Get(key); ok {
		return known
	}
	fresh := &rangeTotals{}
	if known, ok, _ := t.series.PeekOrAdd(key, fresh); ok {
		return known
	}
	return fresh
}

// expression is the list's total at the stamp with which the hint is valid.
func (h *TotalHint) expression(c *Compiler) string {
	total := c.Add(h.total) + "::bigint"
	if h.series == nil {
		return total
	}
	low, high, sign := h.bound.Value, h.near, int64(1)
	if h.bound.Upward() {
		sign = -1
	}
	if compareValues(low, high) > 0 {
		low, high, sign = high, low, -sign
	}
	factor := c.Add(sign)
	between := Select{
		Columns: []string{"count(*)"}, From: h.from,
		Where: []string{h.rest, h.bound.Between(c.Add(low), c.Add(high))},
	}
	return total + " + " + factor + "::bigint * (" + between.String() + ")"
}

// Add stores the total of a list at a stamp.
func (t *TotalCache) Add(h TotalHint, writes, total int64) {
	switch {
	case !h.applies() || h.own:
	case h.series != nil:
		h.series.add(writes, point{h.bound.Value, total})
	case h.writes != writes:
		t.totals.Add(h.key, stampedTotal{writes, total})
	}
}

// maxPoints bounds the totals of one series.
const maxPoints = 1024

// A rangeTotals is the known totals of lists whose conditions differ only in the value of one bound, at
// one stamp of the table. From any of them, another total is found by counting the records between the
// two bounds.
type rangeTotals struct {
	mu     sync.Mutex
	writes int64
	points []point // by value
}

type point struct {
	value any // of a bound
	total int64
}

// nearest returns the point that is nearest to a value, and the stamp with which it is valid; -1 if
// there is none.
func (s *rangeTotals) nearest(value any) (writes int64, p point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.points) == 0 {
		return -1, point{value, 0}
	}
	return s.writes, s.points[s.insertionPoint(value)]
}

func (s *rangeTotals) insertionPoint(value any) int {
	at, found := slices.BinarySearchFunc(s.points, value, func(p point, v any) int { return compareValues(p.value, v) })
	if !found &&
		(at == len(s.points) || at > 0 && distance(s.points[at-1].value, value) < distance(s.points[at].value, value)) {
		at--
	}
	return at
}

// add stores a total. It ignores one of an earlier stamp, and drops the others for one of a later
// stamp.
func (s *rangeTotals) add(writes int64, p point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case writes < s.writes:
		return
	case writes > s.writes:
		s.writes, s.points = writes, nil
	}
	at, found := slices.BinarySearchFunc(s.points, p.value, func(p point, v any) int {
		return compareValues(p.value, v)
	})
	switch {
	case found:
	case len(s.points) == maxPoints:
		s.points[s.insertionPoint(p.value)] = p // it replaces its neighbour, which leaves the order as it is
	default:
		s.points = slices.Insert(s.points, at, p)
	}
}

func compareValues(a, b any) int {
	switch a := a.(type) {
	case float64:
		return cmp.Compare(a, b.(float64)) // values of one series are of one type
	case int64:
		return cmp.Compare(a, b.(int64)) // as above
	case time.Time:
		return a.Compare(b.(time.Time)) // as above
	}
	return 0
}

// distance only serves to compare which of two values is nearer.
func distance(a, b any) float64 {
	switch a := a.(type) {
	case float64:
		return max(a-b.(float64), b.(float64)-a) // values of one series are of one type
	case int64:
		return max(float64(a)-float64(b.(int64)), float64(b.(int64))-float64(a)) // as above
	case time.Time:
		return max(a.Sub(b.(time.Time)), b.(time.Time).Sub(a)).Seconds() // as above
	}
	return 0
}
