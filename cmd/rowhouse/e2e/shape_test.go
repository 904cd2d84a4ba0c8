package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A shape is the specification's type of a value. misfits lists where a value differs.
type shape interface {
	misfits(path string, value any) []string
}

type kind string // of a value that is no object and no array

const (
	text     kind = "a string"
	number   kind = "a number"
	boolean  kind = "true or false"
	nullable kind = "a string or null"
	anything kind = "anything"
)

func (k kind) misfits(path string, value any) []string {
	fits := k == anything
	switch value.(type) {
	case string:
		fits = fits || k == text || k == nullable
	case float64:
		fits = fits || k == number
	case bool:
		fits = fits || k == boolean
	case nil:
		fits = fits || k == nullable
	}
	if fits {
		return nil
	}
	return []string{fmt.Sprintf("%s must be %s, not %v", path, k, value)}
}

type list struct{ of shape }

func (l list) misfits(path string, value any) (wrong []string) {
	array, ok := value.([]any)
	if !ok {
		return []string{fmt.Sprintf("%s must be an array, not %v", path, value)}
	}
	for i, element := range array {
		wrong = append(wrong, l.of.misfits(fmt.Sprintf("%s[%d]", path, i), element)...)
	}
	return wrong
}

// An object has members by name; one whose name ends in "?" may be absent. Further members are
// allowed: the specification lists what a client may rely on.
type object map[string]shape

func (o object) misfits(path string, value any) (wrong []string) {
	members, ok := value.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s must be an object, not %v", path, value)}
	}
	for name, want := range o {
		name, optional := strings.CutSuffix(name, "?")
		got, there := members[name]
		switch {
		case there:
			wrong = append(wrong, want.misfits(path+"."+name, got)...)
		case !optional:
			wrong = append(wrong, path+" lacks "+name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// A dictionary has members of any name.
type dictionary struct{ of shape }

func (d dictionary) misfits(path string, value any) (wrong []string) {
	members, ok := value.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s must be an object, not %v", path, value)}
	}
	for name, member := range members {
		wrong = append(wrong, d.of.misfits(path+"."+name, member)...)
	}
	return wrong
}

// The shapes of the specification, section "Resources and their fields".
var (
	baseSummary = object{"id": text, "name": text, "workspaceId": nullable, "orgId": nullable}
	identity    = object{
		"id": text, "kind": text, "scopes": list{text}, "orgs": list{object{"orgId": text, "role": text}},
		"bases": list{baseSummary},
	}
	field = object{
		"id": text, "name": text, "type": text, "isPrimary": boolean, "order": number, "options?": list{text},
		"linkedTableId?": text,
	}
	view        = object{"id": text, "name": text, "type": text, "config": dictionary{anything}}
	tableSchema = object{"id": text, "name": text, "fields": list{field}, "views": list{view}}
	baseSchema  = object{"id": text, "name": text, "tables": list{tableSchema}}
	record      = object{"id": text, "createdTime?": text, "fields": dictionary{anything}}
	page        = object{
		"records": list{record},
		"total":   number,
		"offset":  number,
		"limit":   number,
		"hasMore": boolean,
	}
	workspace = object{"id": text, "name": text, "color": text}
	changed   = object{"id": text}
	made      = object{"id": text, "name?": text}
	typed     = object{"id": text, "name": text, "type": text}
	deleted   = object{"deleted": text}
	shared    = object{"publicShareId": text}
	unshared  = object{"publicShareId": nullable}
)

// problem is the body of every error, which the specification does not show.
var problem = shaped{
	object{"type": text, "title": text, "status": number, "detail": text, "code": text, "requestId": text},
}

type shaped struct{ shape }

func (s shaped) check(t *testing.T, what string, value any) {
	t.Helper()
	for _, wrong := range s.misfits("the answer", value) {
		t.Errorf("%s: %s", what, wrong)
	}
}
