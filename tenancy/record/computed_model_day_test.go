package record_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// nextDay has the columns of formulas of the day be those of the day before, on which they said something else.
func (m *computedModel) nextDay() {
	m.t.Helper()
	snapshot, err := m.store.Fresh(m.t.Context(), m.actor.Org)
	if err != nil {
		m.t.Fatal(err)
	}
	var statements []string
	for t := range snapshot.Stored().Tables() {
		var set []string
		for _, f := range t.Kept() {
			if f.Daily() {
				value, failure := f.KeptColumns()
				set = append(set, value+" = null", failure+" = 1")
			}
		}
		if len(set) > 0 {
			statements = append(statements, "alter table "+t.Relation()+" disable trigger user", "update "+t.Relation()+
				" set "+strings.Join(set, ", "), "alter table "+t.Relation()+" enable trigger user")
			m.days++
		}
	}
	statements = append(statements, "update rowhouse.computed_column set expression = "+
		"split_part(expression, '@', 1) || '@2026-01-01' where org_id = '"+m.actor.Org.String()+
		"' and expression like '%@%'")
	if m.admin == nil {
		m.admin = tenancytest.Admin(m.t)
	}
	_, err = m.admin.Exec(m.t.Context(), strings.Join(statements, "; "))
	if err != nil {
		m.t.Fatal(err)
	}
}

// fill fills the columns of all tables.
func (m *computedModel) fill() {
	m.t.Helper()
	for n := range 3 * len(m.tables) { // what reads others is filled behind them
		number := m.schema(m.t, m.tables[n%3].id).Number
		if _, err := m.store.Fill(m.t.Context(), m.actor.Org, number, later()); err != nil {
			m.t.Fatal(err)
		}
	}
}

// compareGroups compares how many records have each value of a computed field.
func (m *computedModel) compareGroups(i int) {
	f := m.drawn(i, func(f *linkedField) bool {
		return f.op != nil && (f.typ == "number" && f.whole || f.typ == "text" || f.typ == "boolean" || f.typ == "date")
	})
	if f == nil {
		return
	}
	want, got := map[string]float64{}, map[string]float64{}
	for _, r := range m.tables[i].records {
		value := shownAs(m.value(f, r))
		if _, failed := value.(errorValue); failed {
			value = nil
		}
		want[fmt.Sprint(value)]++
	}
	out, err := m.engine.Aggregate(m.t.Context(), m.actor, m.tables[i].id, query.Aggregation{GroupBy: []string{f.name}})
	if err != nil {
		m.t.Fatal(err)
	}
	for _, raw := range out.Groups {
		var group struct {
			Key     map[string]any
			Results map[string]float64
		}
		if err := json.Unmarshal(raw, &group); err != nil {
			m.t.Fatal(err)
		}
		got[fmt.Sprint(group.Key[f.name])] += group.Results["count"]
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.t.Errorf("groups by %s are %v, want %v", f.name, got, want)
	}
}

// compareThrough compares what a filter on a computed field of linked records finds.
func (m *computedModel) compareThrough(i int) {
	f := m.drawn((i+1)%3, func(f *linkedField) bool { return f.op != nil && !f.typ.list() })
	if f == nil {
		return
	}
	op, value := conditionOn(f.typ)
	var want, got []string
	for _, r := range m.tables[i].records {
		if slices.ContainsFunc(r.next, func(linked *linkedRecord) bool { return conditionHolds(m.value(f, linked)) }) {
			want = append(want, r.id)
		}
	}
	condition := map[string]any{"fieldId": m.tables[i].link + "." + f.name, "op": op, "value": value}
	page, rows := m.list(m.t, m.tables[i].id, query.Request{Filters: m.encoded([]any{condition})})
	for _, row := range rows {
		got = append(got, row.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || page.Total != int64(len(want)) {
		m.t.Errorf("filtered by %s of linked records: %v of %d, want %v", f.name, got, page.Total, want)
	}
}
