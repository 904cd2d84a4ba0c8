package record

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxUses bounds how many kinds of query are remembered between two looks of the builder; further ones wait for the next.
const maxUses = 4096

// maxIndexed is how many columns an index for a filter and a sort has at most, before the record's id.
const maxIndexed = 4

// A use is a kind of query that an index would serve.
type use struct {
	org    uuid.UUID
	table  int32
	name   string // of the index that serves it
	reason string
}

// indexDemand counts the kinds of query that were seen. It sits on the hot path: noting is a look-up under a lock.
type indexDemand struct {
	mu   sync.Mutex
	seen map[use]int
}

func (u *indexDemand) note(one use) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n, ok := u.seen[one]; ok || len(u.seen) < maxUses {
		if u.seen == nil {
			u.seen = map[use]int{}
		}
		u.seen[one] = n + 1
	}
}

// take returns what was seen since the last time.
func (u *indexDemand) take() map[use]int {
	u.mu.Lock()
	defer u.mu.Unlock()
	seen := u.seen
	u.seen = nil
	return seen
}

// observe notes which indexes would serve a listing: one on its equal fields and its order together, one on its equal fields and each field
// that a range is asked of, and one on the text that is searched.
func (e *Engine) observe(l *listing) {
	if e.uses == nil {
		return
	}
	t := l.table
	if l.search != nil {
		e.uses.note(use{t.Org, t.Number, searchIndexName(t), "search"})
	}
	equal, ranged := leaves(l.filter)
	var columns []indexColumn
	for _, f := range equal {
		columns = append(columns, indexColumn{f, equality})
	}
	equalColumns := slices.Clone(columns)
	for _, s := range l.sorts {
		how := byte(ascending)
		if s.Desc {
			how = descending
		}
		columns = append(columns, indexColumn{s.Field, how})
	}
	if len(columns) > 0 && len(columns) <= maxIndexed && !slices.ContainsFunc(columns, unindexable) {
		reason := "filter on " + fieldIDs(equal)
		if len(l.sorts) > 0 {
			reason = "sort on " + sortList(l.sorts)
			if len(equal) > 0 {
				reason = "filter on " + fieldIDs(equal) + ", " + reason
			}
		}
		e.uses.note(use{t.Org, t.Number, indexName(columns), reason})
	}
	for _, f := range ranged {
		if len(l.sorts) > 0 && l.sorts[0].Field == f && !isText(f) {
			continue // the index of the order serves the range
		}
		// Behind the equal fields, so that what passes both is counted in the index alone.
		columns := []indexColumn{{f, equality}}
		if len(equal) < maxIndexed && !slices.ContainsFunc(equal, func(e *schema.Field) bool { return unindexable(indexColumn{e, equality}) }) {
			columns = append(slices.Clone(equalColumns), columns...)
		} else {
			equal = nil
		}
		if !unindexable(indexColumn{f, equality}) {
			e.uses.note(use{t.Org, t.Number, indexName(columns), "filter on " + fieldIDs(append(slices.Clone(equal), f))})
		}
	}
}

// leaves lists the fields that a filter compares for equality and those that it asks a range of, as far as every record that
// passes must satisfy them, each in the order of their numbers.
func leaves(f *Filter) (equal, ranged []*schema.Field) {
	var walk func(f *Filter)
	walk = func(f *Filter) {
		switch {
		case f == nil || f.or && len(f.parts) != 1:
		case f.field == nil:
			for i := range f.parts {
				walk(&f.parts[i])
			}
		case f.field.Link != nil:
		default:
			exact := f.op == Eq
			switch f.field.Type.Info().Shape { //nolint:exhaustive // a day is a range of moments, and lists have no order to use
			case schema.ShapeDate, schema.ShapeMoment:
				exact = false
			case schema.ShapeChoices, schema.ShapeUser, schema.ShapeJSON, schema.ShapeAttachment:
				return
			}
			switch {
			case exact && !slices.Contains(equal, f.field):
				equal = append(equal, f.field)
			case !exact && slices.Contains([]Op{Eq, Gt, Gte, Lt, Lte, Between, IsWithin, In}, f.op) && !slices.Contains(ranged, f.field):
				ranged = append(ranged, f.field)
			}
		}
	}
	walk(f)
	byNumber := func(a, b *schema.Field) int { return int(a.Number - b.Number) }
	slices.SortFunc(equal, byNumber)
	slices.SortFunc(ranged, byNumber)
	return equal, ranged
}

// How an index uses a column.
const (
	equality   = 'e' // compared as it is
	ascending  = 'a' // ordered as lists are
	descending = 'd'
)

type indexColumn struct {
	field *schema.Field
	use   byte
}

func unindexable(c indexColumn) bool {
	shape := c.field.Type.Info().Shape
	return c.field.Column() == "" || c.field.Type == schema.LongText || shape == schema.ShapeChoices || shape == schema.ShapeUser || sortExpression(c.field) == ""
}

// indexName is the name of an index by what it is on: i_12e13d. The two times that the service writes go by c and u.
func indexName(columns []indexColumn) string {
	var name strings.Builder
	name.WriteString("i_")
	for _, c := range columns {
		if c.use == equality && !isText(c.field) {
			c.use = ascending // one index serves both
		}
		name.WriteString(columnCode(c.field))
		name.WriteByte(c.use)
	}
	return name.String()
}

// isText reports whether a field is compared in one order and sorted in another.
func isText(f *schema.Field) bool {
	shape := f.Type.Info().Shape
	return shape == schema.ShapeText || shape == schema.ShapeChoice
}

func columnCode(f *schema.Field) string {
	switch f.Type { //nolint:exhaustive // the types that read a column of the record itself
	case schema.CreatedTime:
		return "c"
	case schema.LastModifiedTime:
		return "u"
	}
	return strconv.Itoa(int(f.Number))
}

// searchIndexName is the name of the search index of a table: its newest column is in it, so that a table with a new field gets
// a new one.
func searchIndexName(t *schema.Table) string {
	newest := int32(0)
	for _, n := range searchColumns(t) {
		newest = max(newest, n)
	}
	return "s_" + strconv.Itoa(int(t.Number)) + "_" + strconv.Itoa(int(newest))
}

func fieldIDs(fields []*schema.Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.PublicID()
	}
	return strings.Join(parts, " and ")
}

func sortList(sorts []Sort) string {
	parts := make([]string, len(sorts))
	for i, s := range sorts {
		parts[i] = s.Field.PublicID()
		if s.Desc {
			parts[i] += " descending"
		}
	}
	return strings.Join(parts, ", ")
}

// definition is the part of CREATE INDEX behind the table's name, for a btree index with this name on this table; "" when a
// field in it is gone or has another type now.
func definition(t *schema.Table, name string) string {
	rest, ok := strings.CutPrefix(name, "i_")
	if !ok {
		return ""
	}
	var parts []string
	for rest != "" {
		var f *schema.Field
		var how byte
		if f, how, rest = nextColumn(t, rest); f == nil || unindexable(indexColumn{f, how}) {
			return ""
		}
		switch how {
		case equality:
			parts = append(parts, f.Column())
		case ascending:
			parts = append(parts, orderOf(f, "")+" asc nulls last")
		case descending:
			parts = append(parts, orderOf(f, "")+" desc nulls last")
		}
	}
	return "(" + strings.Join(append(parts, "id"), ", ") + ")"
}

// nextColumn reads the first column of what follows i_ in an index's name; nil when it is none of the table's.
func nextColumn(t *schema.Table, rest string) (f *schema.Field, how byte, more string) {
	end := strings.IndexAny(rest, "ead")
	if end < 1 {
		return nil, 0, ""
	}
	i := slices.IndexFunc(t.Fields, func(f *schema.Field) bool { return f.Column() != "" && columnCode(f) == rest[:end] })
	if i < 0 {
		return nil, 0, ""
	}
	return t.Fields[i], rest[end], rest[end+1:]
}

// onText reports whether an index with this name is on a column of text, which can hold values that are too long for it.
func onText(t *schema.Table, name string) bool {
	rest, ok := strings.CutPrefix(name, "i_")
	for ok && rest != "" {
		var f *schema.Field
		if f, _, rest = nextColumn(t, rest); f == nil || f.Type.Info().Shape == schema.ShapeText {
			return true
		}
	}
	return false
}

// usedWithin is how exactly the last use of an index is known.
const usedWithin = time.Hour
