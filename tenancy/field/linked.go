package field

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// A Linked is how a lookup, a rollup or a count of a record t is computed from linked records.
type Linked struct {
	// Records is what follows FROM: pairs p, with id and place, and the linked records t.
	Records string
	Order   string // of the records, before the order of the pairs
	Limit   int    // bounds the records that are read; 0 is all
	// Source is the expression read from each linked record, and x.<Column> its name in Aggregate. A
	// count has none.
	Source, Column string
	Aggregate      string // over the rows x of the linked records
	Name           string // of the aggregate
	Value          string // of the row a with Name
	Ordered        bool   // the aggregate depends on the order of x
	Pairs          string // Pairs.Key of the pairs, if all of them are read
	Unnested       bool   // Source is a list, and its entries are u.v and u.n
	Alone          bool   // it cannot be read Together with others, because Citus passes no rows between nodes
}

// Key identifies the records that are read. Fields with the same key can be read together, unless their
// sources are lists.
func (l *Linked) Key() string {
	return l.Records + " order by " + l.Order + " limit " + strconv.Itoa(l.Limit)
}

// WithLinks is the value of a link field, read together with a field that reads through it; nil if that
// reads other records than the link field's pairs.
func (l *Linked) WithLinks(f *Field) *Linked {
	if f.Pairs == nil || l.Pairs == "" || l.Pairs != f.Pairs.Key() {
		return nil
	}
	name := "a_" + strconv.Itoa(int(f.Number))
	return &Linked{
		Records: l.Records, Source: "p.id", Column: "v_id", Aggregate: "coalesce(array_agg(x.v_id), '{}')", Name: name,
		Value: "a." + name, Ordered: true,
	}
}

// SQL is the value.
func (l *Linked) SQL() string {
	return "(select " + l.Value + " from " + aggregated([]*Linked{l}) + " a)"
}

// Together is a row of the values of fields with the same Records, which reads these once.
func Together(fields []*Linked) string {
	values := make([]string, len(fields))
	for i, l := range fields {
		values[i] = l.Value
	}
	return "(select row(" + strings.Join(values, ", ") + ") from " + aggregated(fields) + " a)"
}

// TogetherAs is Together as a query in parentheses with a column for each value.
func TogetherAs(fields []*Linked, names []string) string {
	values := make([]string, len(fields))
	for i, l := range fields {
		values[i] = l.Value + " as " + names[i]
	}
	return "(select " + strings.Join(values, ", ") + " from " + aggregated(fields) + " a offset 0)"
}

// aggregated is the row a, in parentheses.
func aggregated(fields []*Linked) string {
	var columns, aggregates, named []string
	sorted, order, unnest := fields[0].Order+"p.place, p.id", "", ""
	for _, l := range fields {
		if l.Column != "" && !slices.Contains(named, l.Column) {
			named = append(named, l.Column)
			columns = append(columns, l.Source+" as "+l.Column)
		}
		aggregates = append(aggregates, l.Aggregate+" as "+l.Name)
		if l.Unnested {
			unnest = " left join lateral unnest(x." + l.Column + ") with ordinality u(v, n) on true"
		}
		if l.Ordered {
			order = " order by " + sorted
		}
	}
	if limit := fields[0].Limit; limit > 0 {
		order = " order by " + sorted + " limit " + strconv.Itoa(limit)
	}
	if unnest != "" && order != "" {
		columns = append(columns, "row_number() over (order by "+sorted+") as place")
	}
	// OFFSET 0 keeps the planner from computing a source for each reference, which would multiply with
	// every rollup of a rollup.
	return "(select " + strings.Join(aggregates, ", ") + " from (select " + strings.Join(columns, ", ") + " from " +
		fields[0].Records + order + " offset 0) x" + unnest + ")"
}

// AppendColumns appends the raw values of a row in binary format, as Together yields it.
func AppendColumns(dst [][]byte, row []byte) ([][]byte, bool) {
	if len(row) < 4 {
		return dst, false
	}
	count := binary.BigEndian.Uint32(row)
	row = row[4:]
	for range count {
		if len(row) < 8 {
			return dst, false
		}
		size := int32(binary.BigEndian.Uint32(row[4:])) //nolint:gosec // -1 is null
		row = row[8:]
		var value []byte
		if size >= 0 {
			if int(size) > len(row) {
				return dst, false
			}
			value, row = row[:size:size], row[size:]
		}
		dst = append(dst, value)
	}
	return dst, true
}
