package field

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A Key is a key of a kind's config. The member of Config with this name has its value.
type Key struct {
	Name   string
	Schema string // JSON Schema
	// Check says what is wrong with the value in a config, "" for nothing; nil checks only the type.
	Check func(c *Config) string
	// Fixed reports whether the present value can no longer change; nil is never.
	Fixed func(present *Config) bool
	// Read converts the given value to the form of Config, and returns the options that it renames, by
	// their former names. Nil keeps it as it is.
	Read func(path string, raw json.RawMessage, present *Config) (json.RawMessage, map[string]string, error)
}

// The keys that Info adds to a kind.
var (
	descriptionKey = Key{
		Name: "description", Schema: `{"type":"string","maxLength":2000,"description":"what the field is for"}`,
		Check: func(c *Config) string { return atMost(len(c.Description), 2000) },
	}
	requiredKey = Key{
		Name:   "required",
		Schema: `{"type":"boolean","default":false,"description":"every record has a value"}`,
	}
	uniqueKey = Key{
		Name:   "unique",
		Schema: `{"type":"boolean","default":false,"description":"no two records have the same value"}`,
	}
	defaultKey = Key{
		Name:   "default",
		Schema: `{"description":"the value of new records that are given none, as a value of the field is written"}`,
	}
)

// The keys that kinds add themselves.
var (
	optionsKey = Key{
		Name: "options",
		Schema: `{"type":"array","maxItems":1000,"items":{"anyOf":[{"type":"string","maxLength":255},` +
			`{"type":"object","properties":` +
			`{"name":{"type":"string","maxLength":255},"color":{"type":"string"},` +
			`"previousName":{"type":"string","description":"renames an option; records follow"}},` +
			`"required":["name"],"additionalProperties":false}]},"description":"the options in their order, by name ` +
			`or as objects"}`,
		Read: readOptionList,
	}
	precisionKey = Key{
		Name: "precision",
		Schema: `{"type":"integer","minimum":0,"maximum":8,` +
			`"description":"digits after the decimal point that are shown"}`,
		Check: func(c *Config) string {
			if c.Precision != nil && (*c.Precision < 0 || *c.Precision > 8) {
				return "must be a whole number from 0 to 8"
			}
			return ""
		},
	}
	thousandsKey = Key{
		Name:   "thousands",
		Schema: `{"type":"boolean","description":"digits are shown in groups of three; a currency does unless false"}`,
	}
	negativeKey = choiceKey("negative", func(c *Config) string { return c.Negative }, "minus", "parentheses", "red",
		"red_parentheses")
	symbolKey = Key{
		Name: "symbol", Schema: `{"type":"string","maxLength":16,"description":"the sign of the currency"}`,
		Check: func(c *Config) string { return atMost(len(c.Symbol), 16) },
	}
	maxKey = Key{
		Name:   "max",
		Schema: `{"type":"integer","minimum":1,"maximum":10,"default":5,"description":"the highest rating"}`,
		Check: func(c *Config) string {
			if c.Max < 0 || c.Max > 10 {
				return "must be a whole number from 1 to 10"
			}
			return ""
		},
	}
	iconKey = Key{
		Name: "icon", Schema: `{"type":"string","maxLength":64}`,
		Check: func(c *Config) string { return atMost(len(c.Icon), 64) },
	}
	dateFormatKey = choiceKey("dateFormat", func(c *Config) string { return c.DateFormat }, "iso", "local", "friendly",
		"us", "european")
	timeFormatKey = choiceKey("timeFormat", func(c *Config) string { return c.TimeFormat }, "12h", "24h")
	timeZoneKey   = Key{
		Name:   "timeZone",
		Schema: `{"type":"string","description":"an IANA time zone, as in Europe/Oslo; the base's if none is given"}`,
		Check: func(c *Config) string {
			if c.TimeZone == "" {
				return ""
			}
			return CheckTimeZone(c.TimeZone)
		},
	}
	linkedTableKey = Key{
		Name: "linkedTableId",
		Schema: `{"type":"string","pattern":"^tbl_",` +
			`"description":"the table that is linked, of the same base; it cannot be changed"}`,
		Fixed: func(present *Config) bool { return present.LinkedTableID != "" },
	}
	inverseFieldKey = Key{
		Name:   "inverseFieldId",
		Schema: `{"type":"string","pattern":"^fld_","readOnly":true,"description":"the field on the other side"}`,
		Fixed:  func(*Config) bool { return true },
	}
	labelKey = Key{
		Name: "label", Schema: `{"type":"string","maxLength":255}`,
		Check: func(c *Config) string { return atMost(len(c.Label), 255) },
	}
	urlKey = Key{
		Name: "url", Schema: `{"type":"string","maxLength":2048,"pattern":"^https?://"}`,
		Check: func(c *Config) string {
			if c.URL != "" && !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://") {
				return "must be an http or https address"
			}
			return atMost(len(c.URL), 2048)
		},
	}
)

// formatKey is the key format with a kind's own formats.
func formatKey(formats ...string) Key {
	return choiceKey("format", func(c *Config) string { return c.Format }, formats...)
}

func multipleKey(otherwise bool) Key {
	return Key{
		Name: "multiple",
		Schema: fmt.Sprintf(`{"type":"boolean","default":%t,"description":"whether a record may hold several"}`,
			otherwise),
	}
}

// choiceKey is a key with one of several formats, or none.
func choiceKey(name string, value func(c *Config) string, formats ...string) Key {
	enum, err := json.Marshal(formats)
	if err != nil {
		panic(err) // strings
	}
	return Key{
		Name: name, Schema: `{"type":"string","enum":` + string(enum) + `}`,
		Check: func(c *Config) string {
			if v := value(c); v != "" && !slices.Contains(formats, v) {
				return fmt.Sprintf("%q is not a format; the formats are %s", v, problem.List(formats))
			}
			return ""
		},
	}
}

func atMost(length, most int) string {
	if length > most {
		return fmt.Sprintf("must be at most %d bytes long", most)
	}
	return ""
}

// AllKeys lists the keys of the kind's config, those of Info before its own. A kind without a default
// still has the key, so that an error can say so.
func (i *Info) AllKeys() []Key {
	keys := []Key{descriptionKey}
	if i.Required() {
		keys = append(keys, requiredKey)
	}
	if i.Unique {
		keys = append(keys, uniqueKey)
	}
	if i.Required() {
		keys = append(keys, defaultKey)
	}
	return append(keys, i.Keys...)
}

// key finds a key by its name, or returns nil.
func (i *Info) key(name string) *Key {
	for _, k := range i.AllKeys() {
		if k.Name == name {
			return &k
		}
	}
	return nil
}

// HasKey reports whether the kind's config has a key.
func (i *Info) HasKey(name string) bool { return i.key(name) != nil }

func (i *Info) keyNames() []string {
	var names []string
	for _, k := range i.AllKeys() {
		names = append(names, k.Name)
	}
	return names
}

// ConfigKeys lists the keys that the configs of fields have, of any kind.
func ConfigKeys() []string {
	names := map[string]bool{}
	for _, k := range All() {
		for _, name := range k.Info().keyNames() {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// check checks the limits of every key of a kind.
func (c *Config) check(path string, info *Info) error {
	for _, k := range info.AllKeys() {
		if k.Check == nil {
			continue
		}
		if failure := k.Check(c); failure != "" {
			return problem.Invalid(path+"."+k.Name, "%s", failure)
		}
	}
	return nil
}

// Colors are the named colours of workspaces, icons and options.
var Colors = []string{
	"gray", "red", "orange", "amber", "yellow", "lime", "green", "teal", "cyan", "blue", "indigo", "violet", "purple",
	"pink", "rose", "brown",
}

// CheckColor refuses anything but a named colour or # and six hexadecimal digits. "" is no colour.
func CheckColor(path, color string) error {
	if color == "" || slices.Contains(Colors, color) {
		return nil
	}
	if len(color) == 7 && color[0] == '#' && strings.Trim(color[1:], "0123456789abcdefABCDEF") == "" {
		return nil
	}
	return problem.Invalid(path, "%q is not a colour; it is # and six hexadecimal digits, or one of %s",
		color, problem.List(Colors))
}
