package field

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// ParseConfig reads a field's config in the API's form: a JSON object of the type's keys. It refuses
// unknown keys at path. Options may be given by name only.
func ParseConfig(path string, k Kind, raw json.RawMessage) (Config, error) {
	return MergeConfig(path, k, Config{}, raw)
}

// MergeConfig reads a change of a config: each given key replaces the present value, and null restores
// its default.
func MergeConfig(path string, k Kind, present Config, raw json.RawMessage) (Config, error) {
	config, _, err := MergeRenaming(path, k, present, raw)
	return config, err
}

// MergeRenaming is MergeConfig, and also returns the options that were renamed, by their former
// names.
func MergeRenaming(path string, k Kind, present Config, raw json.RawMessage) (Config, map[string]string, error) {
	if len(raw) == 0 {
		return present, nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return Config{}, nil, problem.Invalid(path, "must be an object")
	}
	info := k.Info()
	var merged map[string]json.RawMessage
	before, err := json.Marshal(present)
	if err != nil {
		return Config{}, nil, fmt.Errorf("encoding the present config: %w", err)
	}
	if err := json.Unmarshal(before, &merged); err != nil {
		return Config{}, nil, fmt.Errorf("decoding the present config: %w", err)
	}
	var renamed map[string]string
	for _, key := range slices.Sorted(maps.Keys(given)) {
		value := given[key]
		at := path + "." + key
		keys := info.keyNames()
		if meant := naming.MeantKey(key, keys); meant != "" && given[meant] == nil {
			key = meant
		}
		known := info.key(key)
		if known == nil {
			return Config{}, nil, problem.Invalid(at, "a field of type %s has no such key%s; the keys are %s",
				info.Type, problem.DidYouMean(key, keys), problem.List(keys))
		}
		switch {
		case known.Fixed != nil && known.Fixed(&present):
			return Config{}, nil, problem.Invalid(at, "is set by the service and cannot be changed")
		case bytes.Equal(value, []byte("null")):
			delete(merged, key)
			continue
		case known.Read != nil:
			if value, renamed, err = known.Read(at, value, &present); err != nil {
				return Config{}, nil, err
			}
		}
		merged[key] = value
	}
	after, err := json.Marshal(merged)
	if err != nil {
		return Config{}, nil, fmt.Errorf("encoding the config: %w", err)
	}
	var config Config
	if err := json.Unmarshal(after, &config); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return Config{}, nil, problem.Invalid(path+"."+wrong.Field, "must be %s, not %s",
				article(wrong.Type.String()), wrong.Value)
		}
		return Config{}, nil, problem.Invalid(path, "cannot be read: %v", err)
	}
	return config, renamed, config.check(path, info)
}

func article(goType string) string {
	switch {
	case strings.Contains(goType, "bool"):
		return "true or false"
	case strings.Contains(goType, "int"):
		return "a whole number"
	}
	return "a string"
}

// readOptionList is parseOptions for a config.
func readOptionList(path string, raw json.RawMessage, present *Config) (json.RawMessage, map[string]string, error) {
	options, renamed, err := parseOptions(path, raw, present.Options)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := json.Marshal(options)
	if err != nil {
		return nil, nil, fmt.Errorf("encoding the options: %w", err)
	}
	return encoded, renamed, nil
}

// parseOptions reads options given as names or as objects {name, color, previousName}. previousName
// renames an existing option, and the records that have it follow.
func parseOptions(path string, raw json.RawMessage, present []Option) ([]Option, map[string]string, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, nil, problem.Invalid(path, "must be an array of names, or of objects {name, color}")
	}
	if len(items) > MaxOptions {
		return nil, nil, problem.Invalid(path, "must hold at most %d options", MaxOptions)
	}
	had := map[string]Option{}
	for _, option := range present {
		had[option.Name] = option
	}
	renamed := map[string]string{}
	seen := map[string]bool{}
	options := make([]Option, 0, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		var option struct {
			Option
			PreviousName *string `json:"previousName"`
		}
		if json.Unmarshal(item, &option.Name) != nil {
			decoder := json.NewDecoder(bytes.NewReader(item))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&option); err != nil {
				return nil, nil, problem.Invalid(at, "must be a name, or an object with name, color and previousName")
			}
		}
		name, err := naming.Clean(at+".name", option.Name)
		if err != nil {
			return nil, nil, err
		}
		if seen[name] {
			return nil, nil, problem.Invalid(at, "the option %q is given twice", name)
		}
		seen[name] = true
		if err := CheckColor(at+".color", option.Color); err != nil {
			return nil, nil, err
		}
		former := name
		if option.PreviousName != nil && *option.PreviousName != name {
			former = *option.PreviousName
			if _, ok := had[former]; !ok {
				return nil, nil, problem.Invalid(at+".previousName", "the field has no option %q", former)
			}
			if _, twice := renamed[former]; twice {
				return nil, nil, problem.Invalid(at+".previousName", "the option %q is renamed twice", former)
			}
			renamed[former] = name
		}
		if _, known := had[former]; !known {
			for _, option := range present { // of before names were composed
				if norm.NFC.String(option.Name) == name && !seen[option.Name] {
					former, renamed[option.Name] = option.Name, name
				}
			}
		}
		if option.Color == "" {
			option.Color = had[former].Color
		}
		options = append(options, Option{Name: name, Color: option.Color})
	}
	for former := range renamed {
		if seen[former] {
			return nil, nil, problem.Invalid(path, "the option %q is renamed and also kept; rename in two steps",
				former)
		}
	}
	return options, renamed, nil
}
