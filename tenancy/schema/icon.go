package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/problem"
)

// An Icon stands beside the name of a workspace, base or table (spec.md, "Icon object").
type Icon struct {
	Kind  string `json:"kind" enum:"emoji,lucide,image"`
	Value string `json:"value" jsonschema:"the emoji, the name of the lucide icon, or the https address of the image"`
	Color string `json:"color,omitempty" jsonschema:"a colour name, or # and six hexadecimal digits"`
}

// IconKinds lists the valid kinds.
var IconKinds = []string{"emoji", "lucide", "image"}

func (i *Icon) check() error {
	if i == nil {
		return nil
	}
	switch {
	case !slices.Contains(IconKinds, i.Kind):
		return problem.Invalid("icon.kind", "%q is not a kind of icon; the kinds are %s", i.Kind, problem.List(IconKinds))
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
	return checkColor("icon.color", i.Color)
}

// Colors are the named colours of workspaces, icons and options.
var Colors = []string{
	"gray", "red", "orange", "amber", "yellow", "lime", "green", "teal", "cyan", "blue", "indigo", "violet", "purple", "pink", "rose", "brown",
}

func checkColor(path, color string) error {
	if color == "" || slices.Contains(Colors, color) {
		return nil
	}
	if len(color) == 7 && color[0] == '#' && strings.Trim(color[1:], "0123456789abcdefABCDEF") == "" {
		return nil
	}
	return problem.Invalid(path, "%q is not a colour; it is # and six hexadecimal digits, or one of %s", color, problem.List(Colors))
}
