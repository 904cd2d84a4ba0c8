package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// A ViewType is how a view presents its records.
type ViewType string

// The types of view.
const (
	Grid     ViewType = "grid"
	Gallery  ViewType = "gallery"
	Kanban   ViewType = "kanban"
	Calendar ViewType = "calendar"
	Timeline ViewType = "timeline"
	Chart    ViewType = "chart"
	Form     ViewType = "form"
)

// ViewTypes lists every type of view.
var ViewTypes = []ViewType{Grid, Gallery, Kanban, Calendar, Timeline, Chart, Form}

// ParseViewType reads the name of a view type.
func ParseViewType(path, name string) (ViewType, error) {
	var names []string
	for _, t := range ViewTypes {
		if string(t) == name {
			return t, nil
		}
		names = append(names, string(t))
	}
	return "", problem.Invalid(path, "%q is not a type of view%s; the types are %s",
		name, problem.DidYouMean(name, names), problem.List(names))
}

func (t *Table) FreeViewName(wanted string) string {
	name := wanted
	for i := 2; t.RefuseViewName(name, nil) != nil; i++ {
		name = fmt.Sprintf("%s %d", wanted, i)
	}
	return name
}

func (t *Table) RefuseViewName(name string, except *View) error {
	key := naming.Key(name)
	for _, v := range t.Views {
		if v != except && naming.Key(v.Name) == key {
			return problem.Conflict("The table has a view named %q already.", v.Name).WithCode(problem.CodeNameTaken)
		}
	}
	return nil
}

// IsSorted reports whether the view sorts its records.
func (v *View) IsSorted() bool {
	var sorts []json.RawMessage
	return json.Unmarshal(v.Config["sorts"], &sorts) == nil && len(sorts) > 0
}

// A ViewCheck validates the filters and sorts of a config, which this package does not understand,
// and returns the config with the fields in them named by id.
type ViewCheck func(t *Table, config ViewConfig) (ViewConfig, error)

// Resolve validates the given part of a config and replaces field names in it by ids.
func (c ViewConfig) Resolve(t *Table, check ViewCheck) (ViewConfig, error) {
	given, items := c.check(t)
	if check != nil {
		checked, err := check(t, given)
		if len(items) == 0 || err != nil && itemsOf(err) == nil {
			return checked, err
		}
		items = append(items, itemsOf(err)...)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return given, nil
}

// SortedKeys lists the keys of a config in a fixed order, so that the first error is deterministic.
func (c ViewConfig) SortedKeys() []string { return slices.Sorted(maps.Keys(c)) }
