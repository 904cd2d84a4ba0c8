package query

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CheckView validates the filters and sorts that a view's config holds, and returns the config with
// the fields in them named by id. It is what schema.ViewPatch calls Check.
func CheckView(t *schema.Table, config schema.ViewConfig) (schema.ViewConfig, error) {
	out := maps.Clone(config)
	if raw, ok := config["filters"]; ok && jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Null {
		filter, err := ParseFilter(t, "config.filters", raw)
		if err != nil {
			return nil, err
		}
		out["filters"] = filter.JSON()
	}
	if raw, ok := config["sorts"]; ok && jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Null {
		sorts, err := ParseSort(t, "config.sorts", raw)
		if err != nil {
			return nil, err
		}
		out["sorts"] = SortJSON(sorts)
	}
	return out, nil
}

// ViewProblems says what in a view's config no longer fits the fields of its table, with paths as
// in an update of the view. While one is of the filters, the view shows nothing. What is in a
// config was right when it was written: since then a field has got another type or has gone, or an
// option has.
func ViewProblems(v *schema.View) []problem.Item { return problemsOn(v.Table, v.Config) }

func problemsOn(t *schema.Table, config schema.ViewConfig) []problem.Item {
	var items []problem.Item
	collect := func(err error) {
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			items = append(items, wrong.Items...)
		}
	}
	_, err := ParseFilter(t, "config.filters", config["filters"])
	collect(err)
	_, err = ParseSort(t, "config.sorts", config["sorts"])
	collect(err)
	return append(items, config.Problems(t)...)
}

// hidesAll reports whether a view with these problems shows nothing.
func hidesAll(t *schema.Table, config schema.ViewConfig) (*problem.Error, bool) {
	_, err := ParseFilter(t, "config.filters", config["filters"])
	var wrong *problem.Error
	return wrong, errors.As(err, &wrong)
}

// BrokenViews lists the views of a table that would show nothing once a field is what changed says,
// and show something now: their filters would not fit it. changed is nil for a field that goes. It
// is what schema.FieldPatch calls Broken.
func BrokenViews(t *schema.Table, f, changed *schema.Field) []problem.Item {
	next := *t
	next.Fields = slices.Clone(t.Fields)
	at := slices.IndexFunc(next.Fields, func(other *schema.Field) bool { return other.ID == f.ID })
	switch {
	case at < 0:
		return nil
	case changed == nil:
		next.Fields = slices.Delete(next.Fields, at, at+1)
	default:
		next.Fields[at] = changed
	}
	var items []problem.Item
	for _, v := range t.Views {
		if _, already := hidesAll(t, v.Config); already {
			continue
		}
		if wrong, broken := hidesAll(&next, v.Config); broken {
			items = append(items, problem.Item{Path: v.PublicID(), Message: fmt.Sprintf("the view %q would show "+
				"nothing until its filter is repaired (%s)", v.Name, wrong.Message)})
		}
	}
	return items
}
