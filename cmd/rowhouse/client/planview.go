package client

import (
	"fmt"
	"slices"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

func (p *schemaPlan) createView(table *tableState, name string, v *viewFile) {
	p.add(&step{
		sign: "+", what: fmt.Sprintf("view %s/%s (%s)", name, v.Name, v.Type), order: orderView,
		request: func(p *schemaPlan) (rowhouse.Request, error) {
			if table.fresh && len(table.Views) > 0 && table.Views[0].Type == v.Type {
				// A new table has a view already.
				table.fresh = false
				return rowhouse.Request{
					Method: "PATCH", Path: "/views/" + table.Views[0].ID, Body: p.viewBody(table, v),
				}, nil
			}
			body := p.viewBody(table, v)
			body["type"] = v.Type
			return rowhouse.Request{Method: "POST", Path: "/tables/" + table.ID + "/views", Body: body}, nil
		},
	})
}

func (p *schemaPlan) viewBody(table *tableState, v *viewFile) map[string]any {
	body := map[string]any{"name": v.Name}
	if v.Access != "" {
		body["access"] = v.Access
	}
	if config := translated(v.Config, p.base.fieldIDs(table)); config != nil {
		body["config"] = config
	}
	return body
}

func (p *schemaPlan) changeViews(table *tableState, t *tableFile) {
	views := make([]*rowhouse.View, 0, len(table.Views))
	for i := range table.Views {
		if table.Views[i].Access != "personal" {
			views = append(views, &table.Views[i])
		}
	}
	kept := map[*rowhouse.View]bool{}
	for _, v := range t.Views {
		current := find(views, v.ID, v.Was, v.Name, func(s *rowhouse.View) (string, string) { return s.ID, s.Name })
		if current == nil {
			p.createView(table, t.Name, v)
			continue
		}
		kept[current] = true
		if current.Type != v.Type {
			p.impossible = append(p.impossible, fmt.Sprintf("type of the view %s/%s: %s → %s (make another)", t.Name,
				v.Name, current.Type, v.Type))
			continue
		}
		var parts, unset []string
		if current.Name != v.Name {
			parts = append(parts, fmt.Sprintf("%s → %s", current.Name, v.Name))
		}
		if v.Access != "" && v.Access != current.Access {
			parts = append(parts, fmt.Sprintf("%s → %s", current.Access, v.Access))
		}
		now := translated(current.Config, p.base.fieldNames(table))
		for key, value := range v.Config {
			if !equal(now[key], value) {
				parts = append(parts, key)
			}
		}
		for key := range now {
			if _, ok := v.Config[key]; !ok {
				unset = append(unset, key)
				parts = append(parts, key)
			}
		}
		if len(parts) == 0 {
			continue
		}
		slices.Sort(parts)
		p.add(&step{
			sign: "~", what: fmt.Sprintf("view %s/%s: %s", t.Name, current.Name, strings.Join(parts, ", ")),
			order: orderView,
			request: func(p *schemaPlan) (rowhouse.Request, error) {
				body := p.viewBody(table, v)
				if len(unset) > 0 {
					body["unset"] = unset
				}
				return rowhouse.Request{Method: "PATCH", Path: "/views/" + current.ID, Body: body}, nil
			},
		})
	}
	for _, v := range views {
		if !kept[v] {
			p.add(&step{
				sign: "-", what: fmt.Sprintf("view %s/%s", t.Name, v.Name), order: orderView,
				request: remove("/views/" + v.ID),
			})
		}
	}
}
