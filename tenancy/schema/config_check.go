package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/naming"
)

// configKeys lists the config keys that a type carries, for messages.
func configKeys(info *TypeInfo) []string {
	keys := []string{"description"}
	for _, key := range []string{"required", "unique", "default"} {
		if info.Has(key) {
			keys = append(keys, key)
		}
	}
	return slices.Concat(keys, info.Keys)
}

// ParseConfig reads a field's config as it is written through the API: a JSON object of the keys that the type carries.
// Unknown keys are refused at path. Options may be given by name alone.
func ParseConfig(path string, t Type, raw json.RawMessage) (Config, error) {
	return MergeConfig(path, t, Config{}, raw)
}

// MergeConfig reads a change of a config: each key given replaces the present value, and null puts its default back.
func MergeConfig(path string, t Type, present Config, raw json.RawMessage) (Config, error) {
	config, _, err := mergeConfig(path, t, present, raw)
	return config, err
}

// mergeConfig also returns the options that were renamed, by their former names.
func mergeConfig(path string, t Type, present Config, raw json.RawMessage) (Config, map[string]string, error) {
	if len(raw) == 0 {
		return present, nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return Config{}, nil, problem.Invalid(path, "must be an object")
	}
	info := t.Info()
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
		if !info.Has(key) {
			keys := configKeys(info)
			return Config{}, nil, problem.Invalid(at, "a field of type %s has no such key%s; the keys are %s",
				t, problem.DidYouMean(key, keys), problem.List(keys))
		}
		switch {
		case key == "inverseFieldId" || (key == "linkedTableId" && present.LinkedTableID != ""):
			return Config{}, nil, problem.Invalid(at, "is set by the service and cannot be changed")
		case bytes.Equal(value, []byte("null")):
			delete(merged, key)
			continue
		case key == "options":
			var options []Option
			options, renamed, err = parseOptions(at, value, present.Options)
			if err != nil {
				return Config{}, nil, err
			}
			if value, err = json.Marshal(options); err != nil {
				return Config{}, nil, fmt.Errorf("encoding the options: %w", err)
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
			return Config{}, nil, problem.Invalid(path+"."+wrong.Field, "must be %s, not %s", article(wrong.Type.String()), wrong.Value)
		}
		return Config{}, nil, problem.Invalid(path, "cannot be read: %v", err)
	}
	return config, renamed, config.check(path, t)
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

// parseOptions reads options given as names or as objects {name, color, previousName}. previousName renames an option that
// is there: records that hold it follow.
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
		if err := checkColor(at+".color", option.Color); err != nil {
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
			return nil, nil, problem.Invalid(path, "the option %q is renamed and also kept; rename in two steps", former)
		}
	}
	return options, renamed, nil
}

// check holds the bounds of every key.
func (c *Config) check(path string, t Type) error {
	switch {
	case len(c.Description) > 2000:
		return problem.Invalid(path+".description", "must be at most 2000 bytes long")
	case c.Precision != nil && (*c.Precision < 0 || *c.Precision > 8):
		return problem.Invalid(path+".precision", "must be a whole number from 0 to 8")
	case len(c.Symbol) > 16:
		return problem.Invalid(path+".symbol", "must be at most 16 bytes long")
	case c.Max < 0 || c.Max > 10:
		return problem.Invalid(path+".max", "must be a whole number from 1 to 10")
	case len(c.Icon) > 64 || len(c.Label) > 255 || len(c.URL) > 2048:
		return problem.Invalid(path, "icon, label or url is too long")
	case t == Button && c.URL != "" && !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://"):
		return problem.Invalid(path+".url", "must be an http or https address")
	}
	formats := map[Type][]string{LongText: {"", "plain", "markdown"}, Duration: {"", "h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS"}}
	if valid := formats[t]; valid != nil && !slices.Contains(valid, c.Format) {
		return problem.Invalid(path+".format", "%q is not a format; the formats are %s", c.Format, problem.List(valid[1:]))
	}
	dates := []string{"", "iso", "local", "friendly", "us", "european"}
	if !slices.Contains(dates, c.DateFormat) {
		return problem.Invalid(path+".dateFormat", "%q is not a format; the formats are %s", c.DateFormat, problem.List(dates[1:]))
	}
	times := []string{"", "12h", "24h"}
	if !slices.Contains(times, c.TimeFormat) {
		return problem.Invalid(path+".timeFormat", "%q is not a format; the formats are %s", c.TimeFormat, problem.List(times[1:]))
	}
	if c.TimeZone != "" {
		if _, err := time.LoadLocation(c.TimeZone); err != nil || c.TimeZone == "Local" {
			return problem.Invalid(path+".timeZone", "%q is not an IANA time zone, as in Europe/Oslo", c.TimeZone)
		}
	}
	return nil
}
