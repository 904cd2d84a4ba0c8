package field

import (
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

var _ = Register(&link{Base{Info{
	Type:            "link",
	Place:           190,
	Title:           "Link",
	Description:     "Records of another table, which show these in turn.",
	Value:           `{"type":["array","null"],"items":{"type":"string"}}`,
	Keys:            []Key{linkedTableKey, inverseFieldKey, multipleKey(true)},
	ApplicationOnly: true,
	Paired:          true,
	Unset:           Rows{},
}}})

// A link's values are pairs of records in a join table, which both fields of a pair read.
type link struct{ Base }

// Single reports whether a link field has at most one record.
func (f *Field) Single() bool { return f.Config.Multiple != nil && !*f.Config.Multiple }

// Decode reads ids of records of the linked table, each once.
func (*link) Decode(in *Input, raw []byte) (any, error) {
	names, err := in.oneOrList(raw, "record ids", MaxLinks)
	if err != nil {
		return nil, err
	}
	rows := make(Rows, 0, len(names)) // not nil, which would be no array in SQL
	seen := make(map[uuid.UUID]bool, len(names))
	for _, name := range names {
		row, err := in.Field.Pairs.parse(name)
		if err != nil {
			return nil, err
		}
		if !seen[row] {
			seen[row] = true
			rows = append(rows, row)
		}
	}
	if len(rows) > 1 && in.Field.Single() {
		return nil, fmt.Errorf("holds one record, not %d", len(rows))
	}
	return rows, nil
}

// parse reads the id of a record of the linked table.
func (p *Pairs) parse(name string) (uuid.UUID, error) {
	number, row, err := id.ParseRecord(name)
	switch {
	case id.KindOf(name) != id.Record:
		return uuid.Nil, fmt.Errorf("%w; with typecast, the primary value of a record names it", p.NoRecord(name))
	case err != nil || number != p.Linked:
		return uuid.Nil, p.NoRecord(name)
	}
	return row, nil
}

// NoRecord says that no record of the linked table has an id.
func (p *Pairs) NoRecord(name string) error {
	table := "the linked table"
	if p.LinkedName != "" {
		table = strconv.Quote(p.LinkedName)
	}
	return fmt.Errorf("%s is not the id of a record in %s", Quote(name), table)
}

// Select yields the linked rows in their order.
func (*link) Select(f *Field) string {
	if f.Pairs.Linked == 0 {
		return ""
	}
	return fmt.Sprintf("array(select l.%[1]s from %[2]s l where l.%[3]s = t.id order by l.pos_%[3]s, l.%[1]s)",
		f.Pairs.Other, f.Pairs.Relation, f.Pairs.Own)
}

func (*link) Encoder(f *Field, _ FileLinks) Encoder {
	if f.Pairs.Linked == 0 {
		return nil
	}
	table := f.Pairs.Linked
	return func(dst, raw []byte) []byte {
		return appendList(dst, raw, func(dst []byte, u uuid.UUID) []byte {
			dst = id.AppendRecord(append(dst, '"'), table, u)
			return append(dst, '"')
		})
	}
}

func (*link) Operators() []Operator { return linkOperators }

var linkOperators = []Operator{
	linkOperator(HasAny, func(q Args, p *Pairs, ids []uuid.UUID) string {
		return "exists (" + p.rows("") + " and l." + p.Other + " = any (" + q.Add(ids) + "::uuid[]))"
	}),
	linkOperator(HasAll, func(q Args, p *Pairs, ids []uuid.UUID) string {
		return fmt.Sprintf("(%s and l.%s = any (%s::uuid[])) = %d", p.rows("count(*)"), p.Other, q.Add(ids), len(ids))
	}),
	linkOperator(HasNone, func(q Args, p *Pairs, ids []uuid.UUID) string {
		return "not exists (" + p.rows("") + " and l." + p.Other + " = any (" + q.Add(ids) + "::uuid[]))"
	}),
	linkOperator(IsExactly, func(q Args, p *Pairs, ids []uuid.UUID) string {
		counts := fmt.Sprintf("count(*) filter (where l.%[1]s = any (%[2]s::uuid[])) = %[3]d and count(*) = %[3]d",
			p.Other, q.Add(ids), len(ids))
		return "(" + p.rows(counts) + ")"
	}),
	{
		Op:      IsEmpty,
		Operand: noOperand,
		SQL:     func(_ Args, f *Field, _ any) string { return "not exists (" + f.Pairs.rows("") + ")" },
	},
	{
		Op:      IsNotEmpty,
		Operand: noOperand,
		SQL:     func(_ Args, f *Field, _ any) string { return "exists (" + f.Pairs.rows("") + ")" },
	},
}

func linkOperator(op Op, sql func(q Args, p *Pairs, ids []uuid.UUID) string) Operator {
	return Operator{
		Op: op, Operand: recordsOperand, Read: readRecords,
		SQL: func(q Args, f *Field, value any) string { return sql(q, f.Pairs, value.([]uuid.UUID)) },
	}
}

// rows selects an expression over the pairs of the record t.
func (p *Pairs) rows(selected string) string {
	if selected != "" {
		selected += " "
	}
	return "select " + selected + "from " + p.Relation + " l where l." + p.Own + " = t.id"
}

func (*link) Aggregates() []Aggregate { return countOnly }

// Search searches the names of the linked records.
func (*link) Search(s *Search, f *Field) {
	p := f.Pairs
	if p.LinkedPrimary == 0 {
		return
	}
	side := int32(0)
	if p.Own == "a" {
		side = 1
	}
	s.addLink([]int32{p.Number, side, p.Linked, p.LinkedPrimary})
}

func (*link) Show(_ *Field, names Names, value any) Shown {
	var shown Shown
	for _, record := range stringsIn(value) {
		shown.Labels = append(shown.Labels, Label{Text: names.Record(record), Option: -1})
	}
	return shown
}
