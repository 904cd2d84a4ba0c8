package product

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// ColorOf is the colour here of one that is written as #rrggbb, or named with a shade such as light-blue; "" is none.
func ColorOf(name string) string {
	if strings.HasPrefix(name, "#") {
		if len(name) == len("#rrggbbaa") {
			name = name[:len("#rrggbb")]
		}
		if field.CheckColor("color", name) == nil {
			return name
		}
		return ""
	}
	for part := range strings.SplitSeq(name, "-") {
		if slices.Contains(field.Colors, part) {
			return part
		}
	}
	return ""
}
