package query

import (
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// SelectsAll reports whether the plan's list has every record of the table, however its filters express
// that.
func (p *Plan) SelectsAll() bool {
	return (p.Search == nil || strings.TrimSpace(p.Search.text) == "") &&
		NewCompiler(time.Time{}, db.Topology{}).condition(p.Filter) == ""
}

// Outline writes a filter of the table without its values: which fields it compares, and how. A field
// of linked records follows the links on the way to it.
func Outline(t *schema.Table, raw []byte) ([]byte, error) {
	f, err := parseFilter(t, "filters", raw, true)
	if err != nil {
		return nil, err
	}
	return f.outline(nil), nil
}

func (f *Filter) outline(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range f.parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch part := &f.parts[i]; {
		case part.field != nil:
			dst = append(append(dst, `{"fieldId":"`...), part.field.PublicID()...)
			dst = append(append(dst, `","op":"`...), part.operator.Op...)
			dst = append(dst, `"}`...)
		case part.link != nil:
			dst = append(append(dst, `{"fieldId":"`...), part.link.PublicID()...)
			dst = append(part.outline(append(dst, `","linked":`...)), '}')
		case part.or:
			dst = append(part.outline(append(dst, `{"or":`...)), '}')
		default:
			dst = append(part.outline(append(dst, `{"and":`...)), '}')
		}
	}
	return append(dst, ']')
}

// Selection writes as SQL the records of the plan's list, whatever its page: their ids, versions and
// the times of their last changes, in the order of the ids and no more than most.
func (p *Plan) Selection(c *Compiler, most int) string {
	s := Select{
		Columns: []string{"t.id", "t.version", "t.updated_at"}, From: p.Table.From(p.reads(nil)),
		Where: []string{c.condition(p.Filter)}, OrderBy: []string{"t.id"}, Limit: c.Add(int64(most)) + "::bigint",
	}
	if p.Search != nil {
		places := p.Search.places(c, "null", "")
		if !c.topology.JoinsShared() {
			s.With = []CTE{{Name: "hits", Body: places}}
			places = "select places from hits"
		}
		s.Where = append(s.Where, c.isAt(places))
	}
	return s.String()
}
