package query

import "github.com/rowhouse/rowhouse/tenancy/statement"

// Selection writes as SQL which records the plan's list has, whatever its page: their ids, versions and the times of
// their last changes, in the order of the ids and no more than most.
func (p *Plan) Selection(c *Compiler, most int) string {
	s := statement.Select{
		Columns: []string{"t.id", "t.version", "t.updated_at"}, From: p.Table.Relation() + " t",
		Where: []string{c.condition(p.Filter)}, OrderBy: []string{"t.id"}, Limit: c.Add(int64(most)) + "::bigint",
	}
	if p.Search != nil {
		places := p.Search.places(c, "null", "")
		if c.distributed {
			s.With = []statement.CTE{{Name: "hits", Body: places}}
			places = "select places from hits"
		}
		s.Where = append(s.Where, c.isAt(places))
	}
	return s.String()
}
