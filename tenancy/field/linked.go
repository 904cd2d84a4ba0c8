package field

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// A Linked is how a lookup, a rollup or a count of a record t is computed from linked records.
type Linked struct {
	Links      string // the relation of the pairs
	Own, Other string // their columns with the record and with the linked one
	From       string // the linked records t
	Where      string // the condition on these; "" lets every record through
	Order      string // of the records, before the order of the pairs
	Limit      int    // bounds the records that are read; 0 is all
	// Source is the expression read from each linked record, and x.<Column> its name in Aggregate. A
	// count has none.
	Source, Column string
	Aggregate      string // over the rows x of the linked records
	Name           string // of the aggregate
	Value          string // of the row a with Name
	Ordered        bool   // the aggregate depends on the order of x
	Pairs          string // Pairs.Key of the pairs, if all of them are read
	Unnested       bool   // Source is a list, and its entries are u.v and u.n
	Alone          bool   // it cannot be read Together with others, see db.Topology.PassesRows
}

// Key identifies the records that are read. Fields with the same key can be read together, unless their
// sources are lists.
func (l *Linked) Key() string {
	return l.records() + " order by " + l.Order + " limit " + strconv.Itoa(l.Limit)
}

// records is what follows FROM: pairs p of the record t, with id and place, and the linked records t.
func (l *Linked) records() string {
	return "(select l." + l.Other + " as id, l.pos_" + l.Own + " as place from " + l.Links + " l where l." + l.Own +
		" = t.id) p join " + l.From + " on t.id = p.id" + l.where()
}

func (l *Linked) where() string {
	if l.Where == "" {
		return ""
	}
	return " where " + l.Where
}

// WithLinks is the value of a link field, read together with a field that reads through it; nil if that
// reads other records than the link field's pairs.
func (l *Linked) WithLinks(f *Field) *Linked {
	if f.Pairs == nil || l.Pairs == "" || l.Pairs != f.Pairs.Key() {
		return nil
	}
	name := "a_" + strconv.Itoa(int(f.Number))
	return &Linked{
		Links: l.Links, Own: l.Own, Other: l.Other, From: l.From, Where: l.Where,
		Source: "p.id", Column: "v_id", Aggregate: "coalesce(array_agg(x.v_id), '{}')", Name: name,
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
		fields[0].records() + order + " offset 0) x" + unnest + ")"
}

// Grouped is a query of the values v of many records, by their id. It leaves out records without linked ones that
// count. among is a relation with the ids of the records; "" is all. It reads each pair once, and joins them as
// PostgreSQL finds best, where SQL looks for the pairs of one record after another.
func (l *Linked) Grouped(among string) string {
	pairs := l.Links + " l"
	if among != "" {
		pairs = among + " s join " + pairs + " on l." + l.Own + " = s.id"
	}
	columns, sorted, order, unnest := "p.own", l.Order+"p.place, p.id", "", ""
	if l.Column != "" {
		columns += ", " + l.Source + " as " + l.Column
	}
	if l.Unnested {
		unnest = " left join lateral unnest(x." + l.Column + ") with ordinality u(v, n) on true"
	}
	if l.Ordered || l.Limit > 0 {
		order = " order by p.own, " + sorted
	}
	if l.Unnested || l.Limit > 0 {
		columns += ", row_number() over (partition by p.own order by " + sorted + ") as place"
	}
	rows := "select " + columns + " from (select l." + l.Own + " as own, l." + l.Other + " as id, l.pos_" + l.Own +
		" as place from " + pairs + ") p join " + l.From + " on t.id = p.id" + l.where() + order + " offset 0"
	if l.Limit > 0 {
		rows = "select * from (" + rows + ") x where x.place <= " + strconv.Itoa(l.Limit) +
			" order by x.own, x.place offset 0"
	}
	return "select a.id, " + l.Value + " as v from (select x.own as id, " + l.Aggregate + " as " + l.Name + " from (" +
		rows + ") x" + unnest + " group by x.own) a"
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
