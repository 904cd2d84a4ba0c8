package query

import (
	"errors"
	"maps"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CheckView validates the filters, the sorts and the colour rules of a view's config, and returns the config with the
// fields in them named by id. It serves as the Check of catalog.ViewPatch.
func CheckView(t *schema.Table, config schema.ViewConfig) (schema.ViewConfig, error) {
	out := maps.Clone(config)
	var items []problem.Item
	keep := func(key string, write func() []byte, err error) error {
		var wrong *problem.Error
		switch {
		case errors.As(err, &wrong):
			items = append(items, wrong.Items...)
		case err != nil:
			return err
		default:
			out[key] = write()
		}
		return nil
	}
	if raw, ok := config["filters"]; ok && jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Null {
		filter, err := ParseFilter(t, "config.filters", raw)
		if err := keep("filters", filter.JSON, err); err != nil {
			return nil, err
		}
	}
	if raw, ok := config["sorts"]; ok && jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Null {
		sorts, err := ParseSort(t, "config.sorts", raw)
		if err := keep("sorts", func() []byte { return SortJSON(sorts) }, err); err != nil {
			return nil, err
		}
	}
	if raw, ok := config["colorRules"]; ok && jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Null {
		rules, wrong := parseColorRules(t, "config.colorRules", raw)
		items = append(items, wrong...)
		out["colorRules"] = colorRulesJSON(rules)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return out, nil
}

// ViewProblems says what in a view's config no longer fits the fields of its table, with paths as in an
// update of the view. While the filters have a problem, the view shows nothing. A config was valid when
// it was written: since then a field has got another type, or a field or an option was deleted.
func ViewProblems(v *schema.View) []problem.Item { return problemsOn(v.Table, v.Config) }

func problemsOn(t *schema.Table, config schema.ViewConfig) []problem.Item {
	_, err := ParseFilter(t, "config.filters", config["filters"])
	items := itemsOf(err)
	_, err = ParseSort(t, "config.sorts", config["sorts"])
	items = append(items, itemsOf(err)...)
	_, wrong := parseColorRules(t, "config.colorRules", config["colorRules"])
	return append(append(items, wrong...), config.Problems(t)...)
}
