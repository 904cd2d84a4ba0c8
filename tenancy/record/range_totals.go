package record

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A totalHint is what is known of the total of a listing before it is asked for: a total at a stamp, of this listing or of one whose
// only difference is the value of a bound.
type totalHint struct {
	key    totalKey
	writes int64 // the stamp that total is good for; -1 for none
	total  int64

	series *rangeTotals // nil for a listing without a bound
	rest   string       // the conditions beside the bound
	bound  bound
	near   any // the value that the known total has in place of the bound's
}

// asked reports whether the listing has a total of its own, and not that of all records.
func (r *totalHint) asked() bool { return r.key != (totalKey{}) }

// recall returns the condition of a listing's filter, and what is known of its total.
func (e *Engine) recall(q *query, l *listing) (where string, r totalHint) {
	r.key = totalKey{table: l.table.ID, version: l.table.Version}
	r.writes = -1
	if l.search != nil {
		where = q.where(l.filter)
		r.key.digest = digest(where+"\x00"+l.search.text, q.args)
		if known, ok := e.totals.Get(r.key); ok && !l.search.people() { // names of people change without a stamp
			r.writes, r.total = known.writes, known.total
		}
		return where, r
	}
	rest, b, bounded := q.split(l.filter)
	where = q.where(rest)
	switch {
	case bounded:
		r.rest, r.bound = where, b
		r.key.digest = digest(where+"\x00"+b.column+b.sign, q.args)
		r.series = e.rangeTotalsOf(r.key)
		var near point
		r.writes, near = r.series.nearest(b.value)
		r.near, r.total = near.value, near.total
		where = conjunction(where, b.column+b.sign+q.arg(b.value))
	case where == "":
		return "", totalHint{}
	default:
		r.key.digest = digest(where, q.args)
		if known, ok := e.totals.Get(r.key); ok {
			r.writes, r.total = known.writes, known.total
		}
	}
	return where, r
}

func (e *Engine) rangeTotalsOf(key totalKey) *rangeTotals {
	if known, ok := e.series.Get(key); ok {
		return known
	}
	fresh := &rangeTotals{}
	if known, ok, _ := e.series.PeekOrAdd(key, fresh); ok {
		return known
	}
	return fresh
}

func conjunction(conditions ...string) string {
	return strings.Join(slices.DeleteFunc(conditions, func(c string) bool { return c == "" }), " and ")
}

// expression is the listing's total at the stamp that the hint is good for.
func (r *totalHint) expression(q *query, t *schema.Table) string {
	total := q.arg(r.total) + "::bigint"
	if r.series == nil {
		return total
	}
	low, high, sign := r.bound.value, r.near, int64(1)
	if r.bound.upward() {
		sign = -1
	}
	if compareValues(low, high) > 0 {
		low, high, sign = high, low, -sign
	}
	return total + " + " + q.arg(sign) + "::bigint * (select count(*) from " + t.Relation() + " t where " +
		conjunction(r.rest, r.bound.between(q.arg(low), q.arg(high))) + ")"
}

// remember keeps the total that a listing was found to have at a stamp.
func (e *Engine) remember(r totalHint, writes, total int64) {
	switch {
	case !r.asked():
	case r.series != nil:
		r.series.add(writes, point{r.bound.value, total})
	case r.writes != writes:
		e.totals.Add(r.key, stampedTotal{writes, total})
	}
}

// maxPoints is how many totals of one series are remembered.
const maxPoints = 1024

// A rangeTotals is what is known of the totals of lists whose conditions differ in the value of one bound alone, while the table is as it
// was at one stamp. From any of them the total of another is found by counting the records between the two bounds.
type rangeTotals struct {
	mu     sync.Mutex
	writes int64
	points []point // by value
}

type point struct {
	value any // of a bound
	total int64
}

// nearest returns the point that is nearest to a value, and the stamp that it is good for; -1 when none is known.
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
	if !found && (at == len(s.points) || at > 0 && distance(s.points[at-1].value, value) < distance(s.points[at].value, value)) {
		at--
	}
	return at
}

// add remembers a total. One of an earlier stamp than what is known is of no use; one of a later stamp makes the rest useless.
func (s *rangeTotals) add(writes int64, p point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case writes < s.writes:
		return
	case writes > s.writes:
		s.writes, s.points = writes, nil
	}
	at, found := slices.BinarySearchFunc(s.points, p.value, func(p point, v any) int { return compareValues(p.value, v) })
	switch {
	case found:
	case len(s.points) == maxPoints:
		s.points[s.insertionPoint(p.value)] = p // its neighbour gives way, which leaves the order as it is
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

// distance is only for telling which of two is nearer.
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
