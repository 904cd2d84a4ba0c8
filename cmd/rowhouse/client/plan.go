package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/internal/naming"
)

// A step is one request of a plan.
type step struct {
	sign  string // + created, ~ changed, - deleted
	what  string // as in "field Ships.Tons: number → text"
	order int    // steps of a lower order come first

	// request returns the request, once the steps before it are done: ids of what they made are known then.
	request func(s *schemaPlan) (rowhouse.Request, error)
	// do is a step of several requests, in place of request.
	do func(ctx context.Context, client *rowhouse.Client) error
	// lossy steps are planned by the service first, which says what would be lost.
	lossy bool
	// made is called with the id of what the step created.
	made func(id string)

	losses string
	token  string
}

// The orders of steps. What is deleted goes first, so that its name is free; computed fields come after those
// that they read.
const (
	orderBase = iota
	orderDelete
	orderTable
	orderField
	orderComputed
	orderPlace
	orderView
)

// A schemaPlan is what makes a base like a file.
type schemaPlan struct {
	base  *baseState
	steps []*step
	// impossible are the differences that only a person can make in the application.
	impossible []string
	partial    bool // steps that the impossible ones would have made possible are left out
}

func (p *schemaPlan) add(s *step) { p.steps = append(p.steps, s) }

// newPlan compares a base with a file. base is nil if there is none yet.
func newPlan(base *baseState, file *baseFile) *schemaPlan {
	p := &schemaPlan{base: base}
	if base == nil {
		p.base = &baseState{Name: file.Name}
		p.add(&step{
			sign: "+", what: "base " + file.Name, order: orderBase,
			request: post("/bases", map[string]any{"name": file.Name}), made: func(id string) { p.base.ID = id },
		})
	}
	changes := map[string]any{}
	if file.Name != "" && p.base.Name != file.Name {
		changes["name"] = file.Name
	}
	if file.TimeZone != "" && p.base.TimeZone != file.TimeZone && (base != nil || file.TimeZone != "UTC") {
		changes["timeZone"] = file.TimeZone
	}
	if len(changes) > 0 {
		p.add(&step{
			sign: "~", what: "base: " + pairs(changes), order: orderBase,
			request: func(p *schemaPlan) (rowhouse.Request, error) {
				return rowhouse.Request{Method: "PATCH", Path: "/bases/" + p.base.ID, Body: changes}, nil
			},
		})
	}
	kept := map[*tableState]bool{}
	for _, t := range file.Tables {
		current := find(p.base.Tables, t.ID, t.Was, t.Name, (*tableState).keys)
		if current == nil {
			p.create(t)
			continue
		}
		kept[current] = true
		p.change(current, t)
	}
	for _, t := range p.base.Tables {
		if !kept[t] && t.ID != "" {
			p.add(&step{
				sign: "-", what: "table " + t.Name, order: orderDelete, lossy: true,
				request: remove("/tables/" + t.ID),
			})
		}
	}
	slices.SortStableFunc(p.steps, func(a, b *step) int { return a.order - b.order })
	return p
}

func (t *tableState) keys() (id, name string) { return t.ID, t.Name }

func (f *fieldState) keys() (id, name string) { return f.ID, f.Name }

// find returns the object of a list that a file means: by its id, its former name or its name.
func find[T any](list []*T, id, was, name string, of func(*T) (id, name string)) *T {
	for _, same := range []func(i, n string) bool{
		func(i, _ string) bool { return id != "" && i == id },
		func(_, n string) bool { return was != "" && naming.Key(n) == naming.Key(was) },
		func(_, n string) bool { return naming.Key(n) == naming.Key(name) },
	} {
		for _, one := range list {
			if i, n := of(one); i != "" && same(i, n) {
				return one
			}
		}
	}
	return nil
}

func post(path string, body any) func(*schemaPlan) (rowhouse.Request, error) {
	return func(*schemaPlan) (rowhouse.Request, error) {
		return rowhouse.Request{Method: "POST", Path: path, Body: body}, nil
	}
}

func patch(path string, body map[string]any) func(*schemaPlan) (rowhouse.Request, error) {
	return func(*schemaPlan) (rowhouse.Request, error) {
		return rowhouse.Request{Method: "PATCH", Path: path, Body: body}, nil
	}
}

func remove(path string) func(*schemaPlan) (rowhouse.Request, error) {
	return func(*schemaPlan) (rowhouse.Request, error) {
		return rowhouse.Request{Method: "DELETE", Path: path, Body: map[string]any{}}, nil
	}
}

var computedTypes = []string{"formula", "lookup", "rollup", "count"}

// create plans a new table, with the fields that need no others first.
func (p *schemaPlan) create(t *tableFile) {
	state := &tableState{Name: t.Name, fresh: true}
	p.base.Tables = append(p.base.Tables, state)
	var first []map[string]any
	for _, f := range t.Fields {
		switch {
		case f.Type == "link" || f.Type == "button":
			p.impossible = append(p.impossible, fmt.Sprintf("%s %s.%s", f.Type, t.Name, f.Name))
		case slices.Contains(computedTypes, f.Type):
			p.createField(state, t.Name, f)
		default:
			field := map[string]any{"name": f.Name, "type": f.Type}
			if len(f.Config) > 0 {
				field["config"] = optionsIn(f.Config)
			}
			first = append(first, field)
		}
	}
	body := map[string]any{"name": t.Name}
	if len(first) > 0 {
		body["fields"] = first
	}
	p.add(&step{
		sign: "+", what: fmt.Sprintf("table %s (%s)", t.Name, counted(len(t.Fields), "field")), order: orderTable,
		request: func(p *schemaPlan) (rowhouse.Request, error) {
			return rowhouse.Request{Method: "POST", Path: "/bases/" + p.base.ID + "/tables", Body: body}, nil
		},
		made: func(id string) { state.ID = id },
	})
	if t.Icon != nil {
		p.add(&step{order: orderTable, request: func(*schemaPlan) (rowhouse.Request, error) {
			return rowhouse.Request{
				Method: "PATCH", Path: "/tables/" + state.ID, Body: map[string]any{"icon": t.Icon},
			}, nil
		}})
	}
	if len(first) < len(t.Fields) { // its computed fields are created at the end
		p.add(&step{order: orderPlace, do: func(ctx context.Context, client *rowhouse.Client) error {
			return placeFields(ctx, client, state, t)
		}})
	}
	for _, v := range t.Views {
		p.createView(state, t.Name, v)
	}
}

func (p *schemaPlan) createField(table *tableState, name string, f *fieldFile) {
	order := orderField
	if slices.Contains(computedTypes, f.Type) {
		order = orderComputed
	}
	p.add(&step{
		sign: "+", what: fmt.Sprintf("field %s.%s (%s)", name, f.Name, f.Type), order: order,
		request: func(p *schemaPlan) (rowhouse.Request, error) {
			body := map[string]any{"name": f.Name, "type": f.Type}
			if len(f.Config) > 0 {
				body["config"] = translated(optionsIn(f.Config), p.base.fieldIDs(table))
			}
			return rowhouse.Request{Method: "POST", Path: "/tables/" + table.ID + "/fields", Body: body}, nil
		},
	})
}

// change plans what makes a table like its file.
func (p *schemaPlan) change(current *tableState, t *tableFile) {
	changes := map[string]any{}
	if current.Name != t.Name {
		changes["name"] = t.Name
	}
	if t.Icon != nil && !equal(current.Icon, t.Icon) {
		changes["icon"] = t.Icon
	}
	if len(changes) > 0 {
		p.add(&step{
			sign: "~", what: fmt.Sprintf("table %s: %s", current.Name, pairs(changes)), order: orderTable,
			request: patch("/tables/"+current.ID, changes),
		})
	}
	kept := map[*fieldState]bool{}
	for _, f := range t.Fields {
		field := find(current.Fields, f.ID, f.Was, f.Name, (*fieldState).keys)
		switch {
		case field != nil:
			kept[field] = true
			p.changeField(current, t, field, f)
		case f.Type == "link" || f.Type == "button":
			p.impossible = append(p.impossible, fmt.Sprintf("%s %s.%s", f.Type, t.Name, f.Name))
		default:
			p.createField(current, t.Name, f)
		}
	}
	for _, f := range current.Fields {
		if !kept[f] {
			p.add(&step{
				sign: "-", what: fmt.Sprintf("field %s.%s", current.Name, f.Name), order: orderDelete, lossy: true,
				request: remove("/fields/" + f.ID),
			})
		}
	}
	p.place(current, t)
	if t.Views != nil {
		p.changeViews(current, t)
	}
}

// common are the keys of a configuration that every kind of field has. Without them in the file, they are
// reset; of other keys, the service's own defaults stay.
var common = []string{"description", "required", "unique", "default"}

func (p *schemaPlan) changeField(table *tableState, t *tableFile, current *fieldState, f *fieldFile) {
	body, parts := map[string]any{}, []string{}
	if current.Name != f.Name {
		body["name"] = f.Name
		parts = append(parts, fmt.Sprintf("%s → %s", current.Name, f.Name))
	}
	retyped := current.Type != f.Type
	if retyped {
		body["type"] = f.Type
		parts = append(parts, fmt.Sprintf("%s → %s", current.Type, f.Type))
	}
	before := current.config()
	wanted := translated(f.Config, p.base.fieldIDs(table))
	config := map[string]any{}
	for key, value := range wanted {
		if slices.Contains(derived, key) || equalConfig(key, before[key], value) {
			continue
		}
		config[key] = value
		parts = append(parts, key+" "+short(before[key])+" → "+short(value))
	}
	for _, key := range common {
		if before[key] != nil && wanted[key] == nil {
			config[key] = nil
			parts = append(parts, key+" "+short(before[key])+" → nothing")
		}
	}
	if len(config) > 0 {
		body["config"] = optionsIn(config)
	}
	if len(body) == 0 {
		return
	}
	lossy := retyped || config["options"] != nil
	if lossy {
		body["discard"] = true // after the person has seen what is lost
	}
	slices.Sort(parts)
	order := orderField
	if slices.Contains(computedTypes, f.Type) {
		order = orderComputed
	}
	p.add(&step{
		sign: "~", what: fmt.Sprintf("field %s.%s: %s", t.Name, current.Name, strings.Join(parts, ", ")),
		order: order, lossy: lossy, request: patch("/fields/"+current.ID, body),
	})
}

// place plans the order of fields of a table. The first one is the primary field.
func (p *schemaPlan) place(table *tableState, t *tableFile) {
	var before, after []string
	for _, f := range table.Fields {
		if slices.ContainsFunc(t.Fields, func(w *fieldFile) bool {
			return find(table.Fields, w.ID, w.Was, w.Name, (*fieldState).keys) == f
		}) {
			before = append(before, f.Name)
		}
	}
	for _, w := range t.Fields {
		f := find(table.Fields, w.ID, w.Was, w.Name, (*fieldState).keys)
		switch {
		case f != nil:
			after = append(after, f.Name)
		case w.Type != "link" && w.Type != "button":
			before, after = append(before, w.Name), append(after, w.Name) // it is created at the end
		}
	}
	if slices.Equal(before, after) || len(after) == 0 {
		return
	}
	p.add(&step{
		sign: "~", what: fmt.Sprintf("table %s: order of fields", t.Name), order: orderPlace,
		do: func(ctx context.Context, client *rowhouse.Client) error { return placeFields(ctx, client, table, t) },
	})
}

// placeFields puts the fields of a table in the order of its file.
func placeFields(ctx context.Context, client *rowhouse.Client, table *tableState, t *tableFile) error {
	now := make([]*fieldState, 0, len(table.Fields))
	for _, f := range table.Fields {
		if slices.ContainsFunc(t.Fields, func(w *fieldFile) bool { return naming.Key(w.Name) == naming.Key(f.Name) }) {
			now = append(now, f)
		}
	}
	for i, w := range t.Fields {
		at := slices.IndexFunc(now, func(f *fieldState) bool { return naming.Key(f.Name) == naming.Key(w.Name) })
		if at < 0 || at == i {
			continue
		}
		body := map[string]any{"position": i}
		if i == 0 {
			body = map[string]any{"isPrimary": true}
		}
		if err := client.Send(ctx, rowhouse.Request{
			Method: "PATCH", Path: "/fields/" + now[at].ID, Body: body,
		}, nil); err != nil {
			return fmt.Errorf("moving %s: %w", w.Name, err)
		}
		moved := now[at]
		now = slices.Insert(slices.Delete(now, at, at+1), i, moved)
	}
	return nil
}
