package record

import (
	"maps"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CheckView validates the filters and sorts that a view's config holds, and returns the config with the fields in them named by id.
// It is what schema.ViewPatch calls Check.
func CheckView(t *schema.Table, config schema.ViewConfig) (schema.ViewConfig, error) {
	out := maps.Clone(config)
	if raw, ok := config["filters"]; ok && kind(trim(raw)) != '0' {
		filter, err := ParseFilter(t, "config.filters", raw)
		if err != nil {
			return nil, err
		}
		out["filters"] = filter.JSON()
	}
	if raw, ok := config["sorts"]; ok && kind(trim(raw)) != '0' {
		sorts, err := ParseSort(t, "config.sorts", raw)
		if err != nil {
			return nil, err
		}
		out["sorts"] = SortJSON(sorts)
	}
	return out, nil
}
