package schema

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A FormField is what the config of a form says of one field, under the key formFields. Which fields the form asks for
// and in which order, hiddenFields and fieldOrder say as for any view, and requiredFields which must be answered.
type FormField struct {
	Label string `json:"label,omitzero"` // "" is the field's name
	Help  string `json:"help,omitzero"`
	// URLOnly says that nobody is asked: the value comes from the URL of the form.
	URLOnly bool `json:"urlOnly,omitzero"`
	FormWhen
	// Files bounds the files of an answer to a field of files.
	Files *FormFiles `json:"files,omitzero"`
	// Page says that a page of the form begins with the field.
	Page *FormPage `json:"page,omitzero"`
}

// FormFiles are which files a field of files takes.
type FormFiles struct {
	Max   int      `json:"max,omitzero"`   // 0 is DefaultFormFiles
	Types []string `json:"types,omitzero"` // media types, as in image/*; empty takes all that the service accepts
}

// Bounds of the files of an answer to one field.
const (
	DefaultFormFiles = 5
	maxFormFiles     = 10
	maxFormFileTypes = 20
)

var formFileType = regexp.MustCompile(`^[a-z0-9.+-]{1,60}/([a-z0-9.+-]{1,100}|\*)$`)

func (f *FormFiles) check(asked *Field, path string) error {
	if asked.Info().Ask != field.AskFiles {
		return problem.Invalid(path, "%q is %s and takes no files", asked.Name, asked.Type())
	}
	if f.Max < 0 || f.Max > maxFormFiles {
		return problem.Invalid(path+".max", "must be a whole number from 1 to %d", maxFormFiles)
	}
	if len(f.Types) > maxFormFileTypes {
		return problem.Invalid(path+".types", "must hold at most %d types", maxFormFileTypes)
	}
	for _, one := range f.Types {
		if !formFileType.MatchString(one) {
			return problem.Invalid(path+".types", "%q is no media type such as image/* or application/pdf", one)
		}
	}
	return nil
}

// A FormPage is what a form says of a page, which is asked for as a whole.
type FormPage struct {
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	FormWhen
}

// A FormWhen says after which answers a field or a page is asked for.
type FormWhen struct {
	// Condition are comparisons of earlier answers, all of which must hold, or one of them if Match is "any".
	Condition []FormCondition `json:"condition,omitzero"`
	Match     string          `json:"match,omitzero"`
}

// MatchAny is the Match of conditions of which one must hold. "" and "all" are that of conditions that all must.
const MatchAny = "any"

func (w *FormWhen) check(t *Table, asked *Field, path string) error {
	if len(w.Condition) > maxFormConditions {
		return problem.Invalid(path+".condition", "must hold at most %d comparisons", maxFormConditions)
	}
	if w.Match == "all" {
		w.Match = ""
	}
	if w.Match != "" && w.Match != MatchAny {
		return problem.Invalid(path+".match", `%q is neither "all" nor "any"`, w.Match)
	}
	for i := range w.Condition {
		if err := w.Condition[i].check(t, asked, path+".condition"); err != nil {
			return err
		}
	}
	return nil
}

// A FormCondition compares an answer. It is a condition of a filter with one of formOperators.
type FormCondition struct {
	FieldID string          `json:"fieldId"`
	Op      field.Op        `json:"op"`
	Value   json.RawMessage `json:"value,omitzero"`
}

// formOperators are the operators of conditions in forms. Package form says what they mean without a database.
var formOperators = []string{"eq", "neq", "contains", "not_contains", "has_any", "has_none", "is_empty", "is_not_empty"}

// uncompared are the kinds of answers that conditions do not compare: they are written in many ways, or are files.
var uncompared = []field.Ask{field.AskMoment, field.AskDuration, field.AskFiles}

// Bounds of what a form says of a field.
const (
	maxFormText       = 1000 // bytes
	maxFormConditions = 10
)

// FormFields returns what the config says of fields, by public id.
func (c ViewConfig) FormFields() map[string]FormField {
	var fields map[string]FormField
	_ = json.Unmarshal(c["formFields"], &fields) // absent means nothing; the value was checked when it was written
	return fields
}

const formFieldShape = "{label, help, urlOnly, condition, match, files, page}"

func formFields(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(value, &given) != nil {
		return nil, problem.Invalid(path, "must be an object of field ids and "+formFieldShape)
	}
	out := map[string]FormField{}
	for ref, raw := range given {
		at := path + "." + ref
		f, err := t.FieldRef(at, ref)
		if err != nil {
			return nil, err
		}
		var one FormField
		if jsonvalue.Kind(jsonvalue.Trim(raw)) != jsonvalue.Object || json.Unmarshal(raw, &one) != nil {
			return nil, problem.Invalid(at, "must be "+formFieldShape)
		}
		if len(one.Label) > maxFormText || len(one.Help) > maxFormText {
			return nil, problem.Invalid(at, "label and help must be at most %d bytes each", maxFormText)
		}
		if err := one.FormWhen.check(t, f, at); err != nil {
			return nil, err
		}
		if one.Files != nil {
			if err := one.Files.check(f, at+".files"); err != nil {
				return nil, err
			}
		}
		if one.Page != nil {
			if len(one.Page.Title) > maxFormText || len(one.Page.Description) > maxFormText {
				return nil, problem.Invalid(at+".page", "title and description must be at most %d bytes each",
					maxFormText)
			}
			if err := one.Page.FormWhen.check(t, f, at+".page"); err != nil {
				return nil, err
			}
		}
		out[f.PublicID()] = one
	}
	return jsonvalue.Must(out), nil
}

// check validates a condition of a field of the table, and names the compared field by id.
func (c *FormCondition) check(t *Table, asked *Field, path string) error {
	f, err := t.FieldRef(path, c.FieldID)
	if err != nil {
		return err
	}
	c.FieldID = f.PublicID()
	operator := field.FindOperator(f.Kind, c.Op)
	compares := c.Op != field.IsEmpty && c.Op != field.IsNotEmpty
	switch ask := f.Info().Ask; {
	case f == asked:
		return problem.Invalid(path, "compares %q with itself; compare an earlier answer", f.Name)
	case operator == nil || !slices.Contains(formOperators, string(c.Op)):
		return problem.Invalid(path, "%q is no operator for %q in a form; the operators are those of filters among %s",
			c.Op, f.Name, problem.List(formOperators))
	case ask == field.AskNothing, compares && slices.Contains(uncompared, ask):
		return problem.Invalid(path, "an answer to %q, which is %s, cannot be compared in a form", f.Name, f.Type())
	}
	value := jsonvalue.Trim(c.Value)
	if len(value) == 0 {
		value = nil
	}
	if _, err := operator.Parse(&f.Field, value); err != nil {
		return problem.Invalid(path, "%s", err)
	}
	if value != nil && jsonvalue.Kind(value) == jsonvalue.Object {
		return problem.Invalid(path, "must compare with a value that does not depend on the day")
	}
	return nil
}

// redirectURL refuses what is no address of a page, because browsers would run some schemes as a script.
func redirectURL(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return nil, problem.Invalid(path, "must be a string")
	}
	if text == "" {
		return value, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(text) > 2000 {
		return nil, problem.Invalid(path, "must be an address such as https://example.com/thanks")
	}
	return value, nil
}

func closesTime(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return nil, problem.Invalid(path, "must be a time as a string, such as 2027-01-31T12:00:00Z")
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil && text != "" {
		return nil, problem.Invalid(path, "%q is not a time such as 2027-01-31T12:00:00Z", text)
	}
	return value, nil
}

func maxAnswers(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var n int
	if json.Unmarshal(value, &n) != nil || n < 1 || n > 1_000_000 {
		return nil, problem.Invalid(path, "must be a whole number from 1 to 1,000,000")
	}
	return value, nil
}

func boolean(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var on bool
	if json.Unmarshal(value, &on) != nil {
		return nil, problem.Invalid(path, "must be true or false")
	}
	return value, nil
}
