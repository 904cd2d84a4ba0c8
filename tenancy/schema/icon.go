package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// An Icon is shown next to the name of a workspace, base or table.
type Icon struct {
	Kind  string `json:"kind" enum:"emoji,lucide,image"`
	Value string `json:"value" jsonschema:"the emoji, the name of the lucide icon, or the https address of the image"`
	Color string `json:"color,omitempty" jsonschema:"a colour name, or # and six hexadecimal digits"`
}

// IconKinds lists the valid kinds.
var IconKinds = []string{"emoji", "lucide", "image"}

func (i *Icon) Check() error {
	if i == nil {
		return nil
	}
	switch {
	case !slices.Contains(IconKinds, i.Kind):
		return problem.Invalid("icon.kind", "%q is not a kind of icon; the kinds are %s",
			i.Kind, problem.List(IconKinds))
	case i.Value == "":
		return problem.Invalid("icon.value", "must not be empty")
	case utf8.RuneCountInString(i.Value) > 2048:
		return problem.Invalid("icon.value", "must be at most 2048 characters long")
	case i.Kind == "emoji" && utf8.RuneCountInString(i.Value) > 16:
		return problem.Invalid("icon.value", "must be one emoji")
	case i.Kind == "image" && !strings.HasPrefix(i.Value, "https://"):
		return problem.Invalid("icon.value", "must be an https address")
	case i.Kind == "lucide" && strings.Trim(i.Value, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return problem.Invalid("icon.value", "must be the name of a lucide icon, as in plane-takeoff")
	}
	return field.CheckColor("icon.color", i.Color)
}
