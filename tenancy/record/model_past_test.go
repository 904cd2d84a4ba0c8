package record_test

import (
	"flag"
	"testing"

	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
)

// The past of the engine is compared with copies of its model: random writes are done to both, at some
// moments the model is copied, and random lists, searches and aggregations of those moments are
// compared.
//
// A long run: go test ./tenancy/record -run ThePast -rapid.checks=500 -rapid.steps=80 -timeout 2h

// maxPasts is how many moments a world remembers.
const maxPasts = 8

// pasts are copies of a world at moments, the oldest first.
type pasts struct {
	now    *world
	copies []*world
}

func TestThePastIsWhatItsModelWas(t *testing.T) {
	t.Parallel()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		if err := flag.Set("rapid.checks", "60"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, rt, false)
		w.addLink(rt, w.tables[0])
		w.addLink(rt, w.tables[1])
		p := &pasts{now: w}
		p.remember(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"create":      w.create,
			"update":      w.update,
			"update more": w.update,
			"upsert":      w.upsert,
			"delete":      w.delete,
			"remember":    p.remember,
			"all":         p.all,
			"list":        p.some((*world).list),
			"list again":  p.some((*world).list),
			"walk":        p.some((*world).walk),
			"search":      p.some((*world).search),
			"aggregate":   p.some((*world).aggregate),
			"get":         p.some((*world).getEach),
			"get none":    p.getNone,
			"add field":   func(rt *rapid.T) { p.forget(); w.addField(rt) },
		})
	})
}

// some asks one of the copies.
func (p *pasts) some(ask func(w *world, rt *rapid.T)) func(rt *rapid.T) {
	return func(rt *rapid.T) {
		if len(p.copies) == 0 {
			rt.Skip("nothing remembered")
		}
		ask(rapid.SampledFrom(p.copies).Draw(rt, "past"), rt)
	}
}

// forget drops the copies, which have the fields of then.
func (p *pasts) forget() { p.copies = nil }

// remember copies the model.
func (p *pasts) remember(*rapid.T) {
	then := *p.now
	then.asOf = p.now.moment(p.now.t)
	then.tables = nil
	tables, rows := map[*modelTable]*modelTable{}, map[*modelRow]*modelRow{}
	fields, linked := map[*modelField]*modelField{}, map[*pairs]*pairs{}
	for _, m := range p.now.tables {
		copied := *m
		tables[m], copied.fields, copied.rows = &copied, nil, nil
		then.tables = append(then.tables, &copied)
		for _, f := range m.fields {
			g := *f
			g.table, fields[f] = &copied, &g
			copied.fields = append(copied.fields, &g)
			if f.pairs != nil {
				if linked[f.pairs] == nil {
					linked[f.pairs] = &pairs{linked: map[[2]*modelRow]bool{}}
				}
				g.pairs = linked[f.pairs]
				g.pairs.sides[f.own] = &g
			}
		}
		for _, r := range m.rows {
			s := &modelRow{id: r.id, values: map[*modelField]any{}}
			for f, value := range r.values {
				s.values[fields[f]] = value
			}
			rows[r], copied.rows = s, append(copied.rows, s)
		}
	}
	for was, is := range linked {
		for p := range was.linked {
			is.linked[[2]*modelRow{rows[p[0]], rows[p[1]]}] = true
		}
	}
	p.copies = append(p.copies, &then)
	if len(p.copies) > maxPasts {
		p.copies = p.copies[1:]
	}
}

// all walks through whole tables in the order of ids.
func (p *pasts) all(rt *rapid.T) {
	p.some(func(w *world, rt *rapid.T) {
		for _, m := range w.tables {
			q := query.Request{Limit: rapid.IntRange(1, 6).Draw(rt, "limit")}
			for at := 0; ; at += q.Limit {
				page := w.page(rt, m, q, at, m.rows)
				if q.Cursor = page.Cursor; q.Cursor == "" {
					break
				}
			}
		}
	})(rt)
}

// getEach reads every record by its id.
func (w *world) getEach(rt *rapid.T) {
	for _, m := range w.tables {
		for _, r := range m.rows {
			raw, err := w.engine.GetAsOf(w.t.Context(), w.actor, r.id, w.asOf)
			if err != nil {
				rt.Fatalf("%s as of %s: %v", r.id, w.asOf, err)
			}
			w.compare(rt, m, r, raw)
		}
	}
}

// getNone reads records that were not there.
func (p *pasts) getNone(rt *rapid.T) {
	p.some(func(w *world, rt *rapid.T) {
		for i, m := range w.tables {
			for _, r := range p.now.tables[i].rows {
				if m.byID(r.id) != nil {
					continue
				}
				_, err := w.engine.GetAsOf(w.t.Context(), w.actor, r.id, w.asOf)
				if problem.KindOf(err) != problem.KindNotFound {
					rt.Fatalf("%s as of %s: %v", r.id, w.asOf, err)
				}
			}
		}
	})(rt)
}
