package product

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// People finds the member of the organization with an e-mail address, or "".
type People func(email string) string

// A Value writes a cell as it is here. An error says what does not come, if part of a value does, with that part.
type Value func(raw json.RawMessage, people People) (json.RawMessage, error)

// Hash identifies what a cell says. A cell of files is these and not their addresses, which change with every request.
// Hashes are stored, so they must not change.
func Hash(way Way, raw json.RawMessage) string {
	if way == Files {
		var files []Attachment
		if json.Unmarshal(raw, &files) == nil {
			for i := range files {
				files[i].URL = ""
			}
			raw = jsonvalue.Must(files)
		}
	}
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// Same is a value that is written as it is.
func Same(raw json.RawMessage, _ People) (json.RawMessage, error) { return raw, nil }

// TextValue leaves out NUL, which the database cannot keep.
func TextValue(raw json.RawMessage, _ People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("is no text, but %s", jsonvalue.Describe(raw))
	}
	return Written(s), nil
}

// Written is a text as a value.
func Written(s string) json.RawMessage { return jsonvalue.Must(strings.ReplaceAll(s, "\x00", "")) }

// AddressValue gives an address without a scheme, which other products take, the one that a browser would.
func AddressValue(raw json.RawMessage, people People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return TextValue(raw, people)
	}
	s = strings.TrimSpace(s)
	if head, _, ok := strings.Cut(s, ":"); s != "" && (!ok || strings.Contains(head, ".")) {
		s = "https://" + s
	}
	return Written(s), nil
}

// Anything writes a value of a type that is not known.
func Anything(raw json.RawMessage, _ People) (json.RawMessage, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return Written(s), nil
	}
	return Written(string(raw)), nil
}

// A Stranger is a person of the product who is no member here.
type Stranger struct{ Person Collaborator }

// Who is the person.
func (s *Stranger) Who() string {
	if s.Person.Email == "" {
		return s.Person.Name
	}
	return s.Person.Email
}

func (s *Stranger) Error() string {
	return s.Who() + " is not a member of the organization; after an invitation, another import brings the cell"
}

// PersonValue is a Collaborator as a member.
func PersonValue(raw json.RawMessage, people People) (json.RawMessage, error) {
	var one Collaborator
	if err := json.Unmarshal(raw, &one); err != nil {
		return nil, fmt.Errorf("is no person, but %s", jsonvalue.Describe(raw))
	}
	if id := people(one.Email); id != "" {
		return jsonvalue.Must(id), nil
	}
	return nil, &Stranger{one}
}

// PersonsValue is a list of Collaborator as members.
func PersonsValue(raw json.RawMessage, people People) (json.RawMessage, error) {
	var all []Collaborator
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("is no list of people, but %s", jsonvalue.Describe(raw))
	}
	var wrong error
	ids := []string{}
	for _, one := range all {
		if id := people(one.Email); id != "" {
			ids = append(ids, id)
		} else {
			wrong = errors.Join(wrong, &Stranger{one})
		}
	}
	if len(ids) == 0 && wrong != nil {
		return nil, wrong
	}
	return jsonvalue.Must(ids), wrong
}

// Text is a cell of any type as text, for a name of a record.
func Text(raw json.RawMessage) string {
	var one any
	if json.Unmarshal(raw, &one) != nil {
		return ""
	}
	return strings.ReplaceAll(TextOf(one, raw), "\x00", "")
}

// TextOf is a value as text. raw is how a number is written; nil is as usual.
func TextOf(value any, raw json.RawMessage) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		if v {
			return "✓"
		}
		return ""
	case float64:
		if raw != nil {
			return string(raw)
		}
		return fmt.Sprint(v)
	case []any:
		parts := make([]string, 0, len(v))
		for _, entry := range v {
			if part := TextOf(entry, nil); part != "" {
				parts = append(parts, part)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		for _, name := range []string{"name", "text", "value", "label", "filename", "email"} {
			if s, ok := v[name].(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

// Config is the config of a field.
type Config map[string]any

// JSON is the config with a description.
func (c Config) JSON(description string) json.RawMessage {
	out := Config{}
	for key, value := range c {
		out[key] = value
	}
	if description != "" {
		out["description"] = Cut(description, 2000)
	}
	return jsonvalue.Must(out)
}

// Cut is the beginning of a text, of at most so many bytes.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Choices are the options of a select, which are one here if they differ only in spaces. Values of those that are left
// out are refused one by one, or make them.
func Choices(all []field.Option) []field.Option {
	options := []field.Option{}
	seen := map[string]bool{}
	for _, option := range all {
		name, err := naming.Clean("", option.Name)
		if err != nil || seen[name] || len(options) >= field.MaxOptions {
			continue
		}
		seen[name] = true
		options = append(options, field.Option{Name: name, Color: option.Color})
	}
	return options
}
