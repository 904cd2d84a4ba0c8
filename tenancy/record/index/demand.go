package index

import (
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxCandidates bounds the candidates that are counted between two runs of the builder; further
// ones wait for the next.
const maxCandidates = 4096

// maxIndexed is how many columns an index for a filter and a sort has at most, before the record's
// id.
const maxIndexed = 4

// A candidate is an index that would serve a kind of query.
type candidate struct {
	org    uuid.UUID
	table  int32
	name   string // of the index
	reason string
}

// A demand counts the queries that each candidate would have served. Every list adds to it, which
// costs a look-up under a lock.
type demand struct {
	mu      sync.Mutex
	queries map[candidate]int
}

func (d *demand) add(c candidate) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.queries[c]; ok || len(d.queries) < maxCandidates {
		if d.queries == nil {
			d.queries = map[candidate]int{}
		}
		d.queries[c] = n + 1
	}
}

// take returns what was counted since the last time.
func (d *demand) take() map[candidate]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	queries := d.queries
	d.queries = nil
	return queries
}

// Observe records which indexes would serve a plan: one on the fields that it compares for equality
// and its order together, one on the fields that it compares for equality and each field that it
// compares with a range, one on the text that it searches, and one on each field by which it finds linked records.
func (m *Manager) Observe(p *query.Plan) {
	t := p.Table
	note := func(name, reason string) { m.demand.add(candidate{t.Org, t.Number, name, reason}) }
	if p.Search != nil {
		note(query.SearchIndexName(t), "search")
	}
	if rows := t.Rows(); rows != nil {
		for _, f := range rows.Owners {
			note(indexName([]column{{f, owner}}), "row rules on "+f.PublicID())
		}
	}
	for _, f := range p.Filter.LinkedIndexes() {
		if f.CanIndex() {
			reason := "filter on " + f.PublicID() + " of linked records"
			m.demand.add(candidate{f.Table.Org, f.Table.Number, indexName([]column{{f, equality}}), reason})
		}
	}
	equal, ranged := p.Filter.IndexedFields()
	var columns []column
	for _, f := range equal {
		columns = append(columns, column{f, equality})
	}
	equalColumns := slices.Clone(columns)
	for _, s := range p.Sorts {
		order := byte(ascending)
		if s.Desc {
			order = descending
		}
		columns = append(columns, column{s.Field, order})
	}
	if len(columns) > 0 && len(columns) <= maxIndexed && !slices.ContainsFunc(columns, unindexable) {
		reason := "filter on " + fieldIDs(equal)
		if len(p.Sorts) > 0 {
			reason = "sort on " + sortList(p.Sorts)
			if len(equal) > 0 {
				reason = "filter on " + fieldIDs(equal) + ", " + reason
			}
		}
		note(indexName(columns), reason)
	}
	for _, f := range ranged {
		if len(p.Sorts) > 0 && p.Sorts[0].Field == f && !f.Info().Collated {
			continue // the index of the order serves the range
		}
		// After the equal fields, so that the records that pass both are counted only in the index.
		columns := []column{{f, equality}}
		if len(equal) < maxIndexed && !slices.ContainsFunc(equalColumns, unindexable) {
			columns = append(slices.Clone(equalColumns), columns...)
		} else {
			equal = nil
		}
		if f.CanIndex() {
			note(indexName(columns), "filter on "+fieldIDs(append(slices.Clone(equal), f)))
		}
	}
}

// How an index uses a column.
const (
	equality   = 'e' // compared as it is
	ascending  = 'a' // ordered as lists are
	descending = 'd'
	owner      = 'p' // a person, whose records row rules find
)

type column struct {
	field *schema.Field
	order byte
}

func unindexable(c column) bool {
	if c.order == owner {
		return !c.field.SinglePerson()
	}
	return !c.field.CanIndex()
}

// indexName is the name of an index by what it is on: i_12e13d. The two times that the service
// writes go by c and u. If an order is more than the order of a column, its checksum follows, so that an
// index of another order has another name: i_12e13d_4157704578.
func indexName(columns []column) string {
	var name strings.Builder
	name.WriteString("i_")
	sum := crc32.NewIEEE()
	ordered := false
	for _, c := range columns {
		if c.order == equality && !c.field.Info().Collated {
			c.order = ascending // one index serves both
		}
		name.WriteString(columnCode(c.field))
		name.WriteByte(c.order)
		if order := orderOf(c.field); c.order != equality && c.order != owner && order != c.field.Column() {
			_, _ = sum.Write([]byte(order + ";"))
			ordered = true
		}
	}
	if ordered {
		return name.String() + "_" + strconv.FormatUint(uint64(sum.Sum32()), 10)
	}
	return name.String()
}

// orderOf is what an index has of a field by which records are sorted.
func orderOf(f *schema.Field) string {
	if head := f.OrderHead(""); head != "" {
		return "(" + head + ")"
	}
	return f.Order("")
}

// columnsIn is the part of an index's name that says which columns it is on, and how it uses them.
func columnsIn(name string) (columns string, ok bool) {
	columns, ok = strings.CutPrefix(name, "i_")
	columns, _, _ = strings.Cut(columns, "_")
	return columns, ok
}

// columnCode is what an index's name calls a column.
func columnCode(f *schema.Field) string {
	if code := f.Info().SystemCode; code != "" {
		return code
	}
	return strconv.Itoa(int(f.Number))
}

func fieldIDs(fields []*schema.Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.PublicID()
	}
	return strings.Join(parts, " and ")
}

func sortList(sorts []query.Sort) string {
	parts := make([]string, len(sorts))
	for i, s := range sorts {
		parts[i] = s.Field.PublicID()
		if s.Desc {
			parts[i] += " descending"
		}
	}
	return strings.Join(parts, ", ")
}

// definition is the part of CREATE INDEX after the table's name, for a btree index with this name
// on this table; "" when a field in it is gone or has another type or order now.
func definition(t *schema.Table, name string) string {
	rest, ok := columnsIn(name)
	if !ok {
		return ""
	}
	var parts []string
	var columns []column
	for rest != "" {
		var f *schema.Field
		var how byte
		if f, how, rest = nextColumn(t, rest); f == nil || unindexable(column{f, how}) {
			return ""
		}
		columns = append(columns, column{f, how})
		switch how {
		case equality:
			parts = append(parts, f.Column())
		case owner:
			parts = append(parts, f.PersonColumn())
		case ascending:
			parts = append(parts, orderOf(f)+" asc nulls last")
		case descending:
			parts = append(parts, orderOf(f)+" desc nulls last")
		}
	}
	if indexName(columns) != name {
		return ""
	}
	return "(" + strings.Join(append(parts, "id"), ", ") + ")"
}

// nextColumn reads the first column of what follows i_ in an index's name; nil when it is none of
// the table's.
func nextColumn(t *schema.Table, rest string) (f *schema.Field, how byte, more string) {
	end := strings.IndexAny(rest, "eadp")
	if end < 1 {
		return nil, 0, ""
	}
	i := slices.IndexFunc(t.Fields, func(f *schema.Field) bool {
		return f.Column() != "" && columnCode(f) == rest[:end]
	})
	if i < 0 {
		return nil, 0, ""
	}
	return t.Fields[i], rest[end], rest[end+1:]
}

// onText reports whether an index with this name is on a column of text or of lists of them, which can hold values that
// are too long for it.
func onText(t *schema.Table, name string) bool {
	rest, ok := columnsIn(name)
	for ok && rest != "" {
		var f *schema.Field
		if f, _, rest = nextColumn(t, rest); f == nil || f.Info().Unbounded || f.OrderHead("") != "" {
			return true
		}
	}
	return false
}

// usePrecision is how exactly the last use of an index is known.
const usePrecision = time.Hour
