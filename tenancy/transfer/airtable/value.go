package airtable

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// People finds the member of the organization with an e-mail address, or "".
type People func(email string) string

// Value is a cell as it is written here. An error says what does not come, if part of a value does, with that part.
func (m *Mapping) Value(raw json.RawMessage, people People) (json.RawMessage, error) {
	return m.value(raw, people)
}

// Hash identifies what a cell says. An attachment is its files and not their addresses, which change with every
// request.
func (m *Mapping) Hash(raw json.RawMessage) string {
	if m.Way == Files {
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

func same(raw json.RawMessage, _ People) (json.RawMessage, error) { return raw, nil }

// text leaves out NUL, which the database cannot keep.
func text(raw json.RawMessage, _ People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("is no text, but %s", jsonvalue.Describe(raw))
	}
	return written(s), nil
}

func written(s string) json.RawMessage { return jsonvalue.Must(strings.ReplaceAll(s, "\x00", "")) }

var mention = regexp.MustCompile(`<airtable:mention id="[^"]*">([^<]*)</airtable:mention>`)

// longText writes people who are mentioned by their names.
func longText(raw json.RawMessage, people People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return text(raw, people)
	}
	return written(mention.ReplaceAllString(s, "$1")), nil
}

// address gives an address without a scheme, which Airtable takes, the one that a browser would.
func address(raw json.RawMessage, people People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return text(raw, people)
	}
	s = strings.TrimSpace(s)
	if head, _, ok := strings.Cut(s, ":"); s != "" && (!ok || strings.Contains(head, ".")) {
		s = "https://" + s
	}
	return written(s), nil
}

// member is the text in a member of an object.
func member(name string) func(json.RawMessage, People) (json.RawMessage, error) {
	return func(raw json.RawMessage, _ People) (json.RawMessage, error) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, fmt.Errorf("is no object, but %s", jsonvalue.Describe(raw))
		}
		var s string
		if len(members[name]) == 0 || json.Unmarshal(members[name], &s) != nil {
			return json.RawMessage("null"), nil
		}
		return written(s), nil
	}
}

// hundredfold is a percent: 0.123 is 12.3 here. It moves the point and so rounds nothing.
func hundredfold(raw json.RawMessage, _ People) (json.RawMessage, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Number {
		return raw, nil // the field says what is wrong with it
	}
	digits, exponent, has := strings.Cut(strings.ToLower(string(raw)), "e")
	if !has {
		exponent = "0"
	}
	var e int
	if _, err := fmt.Sscan(strings.TrimPrefix(exponent, "+"), &e); err != nil {
		return nil, fmt.Errorf("%s is not a number", raw)
	}
	return fmt.Appendf(nil, "%se%d", digits, e+2), nil
}

// anything writes a value of a type that is not known.
func anything(raw json.RawMessage, _ People) (json.RawMessage, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return written(s), nil
	}
	return written(string(raw)), nil
}

// A Stranger is a person of Airtable who is no member here.
type Stranger struct{ Person Collaborator }

func (s *Stranger) Error() string {
	who := s.Person.Email
	if who == "" {
		who = s.Person.Name
	}
	return who + " is not a member of the organization; after an invitation, another import brings the cell"
}

func person(raw json.RawMessage, people People) (json.RawMessage, error) {
	var one Collaborator
	if err := json.Unmarshal(raw, &one); err != nil {
		return nil, fmt.Errorf("is no person, but %s", jsonvalue.Describe(raw))
	}
	if id := people(one.Email); id != "" {
		return jsonvalue.Must(id), nil
	}
	return nil, &Stranger{one}
}

func persons(raw json.RawMessage, people People) (json.RawMessage, error) {
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
	return strings.ReplaceAll(textOf(one, raw), "\x00", "")
}

func textOf(value any, raw json.RawMessage) string {
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
			if part := textOf(entry, nil); part != "" {
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
