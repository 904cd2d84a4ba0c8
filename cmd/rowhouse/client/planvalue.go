package client

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// optionsIn writes the renames of options as a request has them.
func optionsIn(config map[string]any) map[string]any {
	options, ok := config["options"].([]any)
	if !ok {
		return config
	}
	out := map[string]any{}
	for key, value := range config {
		out[key] = value
	}
	list := make([]any, len(options))
	for i, one := range options {
		list[i] = one
		option, isObject := one.(map[string]any)
		if was, renamed := option["was"]; isObject && renamed {
			changed := map[string]any{"previousName": was}
			for key, value := range option {
				if key != "was" {
					changed[key] = value
				}
			}
			list[i] = changed
		}
	}
	out["options"] = list
	return out
}

// equalConfig compares two values of a key of a configuration. An option without a colour has any.
func equalConfig(key string, before, wanted any) bool {
	if key != "options" {
		return equal(before, wanted)
	}
	a, okA := before.([]any)
	b, okB := wanted.([]any)
	if !okA || !okB || len(a) != len(b) {
		return false
	}
	for i := range a {
		is, _ := a[i].(map[string]any)
		if name, plain := b[i].(string); plain {
			if is["name"] != name {
				return false
			}
			continue
		}
		want, _ := b[i].(map[string]any)
		if is["name"] != want["name"] || want["color"] != nil && is["color"] != want["color"] {
			return false
		}
	}
	return true
}

func equal(a, b any) bool {
	normal := func(value any) any {
		raw, err := json.Marshal(value)
		var out any
		if err != nil || json.Unmarshal(raw, &out) != nil {
			return value
		}
		return out
	}
	return reflect.DeepEqual(normal(a), normal(b))
}

// short is a value as a plan shows it.
func short(value any) string {
	text := text(value)
	if value == nil {
		return "nothing"
	}
	if runes := []rune(text); len(runes) > widest {
		text = string(runes[:widest-1]) + "…"
	}
	return text
}

func pairs(changes map[string]any) string {
	var list []string
	for key, value := range changes {
		list = append(list, key+" "+short(value))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
