package mcp

import (
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// A form says how an agent wants an answer to be written. It is a matter of tools alone: REST writes records in
// one way.
type form struct {
	format    string   // rows, records, or "" for what is shorter
	ids       string   // short, full, none, or "" for short ones where there are many
	include   []string // members of a record that are left out unless they are asked for
	returns   string   // what a write returns: none, ids or records
	maxTokens int      // of the answer, as tokens estimates them
}

// The values of a form.
const (
	rows    = "rows"
	short   = "short"
	full    = "full"
	none    = "none"
	ids     = "ids"
	version = "version"

	createdTime = "createdTime"
)

// The names of the arguments of a form.
const (
	formatName    = "format"
	idsName       = "ids"
	includeName   = "include"
	returnName    = "return"
	maxTokensName = "maxTokens"
)

// How the records of a tool's answer can be written.
type recordForm int

const (
	noRecords     recordForm = iota
	pageOfRecords            // as rows, or as REST has them
	oneRecord
	writtenRecords // as ids, or as REST has them
	groupsOfRecords
)

var recordForms = map[string]recordForm{
	"query_records": pageOfRecords, "search_records": pageOfRecords, "get_record": oneRecord,
	"aggregate_records": groupsOfRecords,
	"create_records":    writtenRecords, "update_records": writtenRecords, "update_record": writtenRecords,
}

func oneOf(names ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, name := range names {
		s.Enum = append(s.Enum, name)
	}
	return s
}

// formArguments returns the arguments of a tool that say how its answer is written.
func formArguments(op *operation.Operation) (names []string, properties map[string]*jsonschema.Schema) {
	properties = map[string]*jsonschema.Schema{}
	add := func(name string, s *jsonschema.Schema) {
		names, properties[name] = append(names, name), s
	}
	switch recordForms[op.Name] {
	case pageOfRecords:
		add(formatName, oneOf(rows, records))
		add(idsName, oneOf(short, full, none))
		add(includeName, &jsonschema.Schema{Type: "array", Items: oneOf(createdTime, version)})
	case groupsOfRecords:
		add(formatName, oneOf(rows, records))
	case oneRecord:
		add(formatName, oneOf(records))
		add(includeName, &jsonschema.Schema{Type: "array", Items: oneOf(createdTime, version)})
	case writtenRecords:
		add(returnName, oneOf(none, ids, records))
	case noRecords:
	}
	if op.ReadOnly && (op.Scope == authz.DataRead || op.Name == "describe_base" || op.Name == "describe_table") {
		add(maxTokensName, &jsonschema.Schema{Type: "integer"})
	}
	return names, properties
}

// takeForm removes the arguments of a form. Every tool that reads takes maxTokens, listed or not.
func (a *arguments) takeForm(t *tool) (form, error) {
	f := form{maxTokens: defaultTokens}
	text := func(name string, valid ...string) (string, error) {
		value := a.value(name)
		a.remove(name)
		if len(value) == 0 || value.Kind() == 'n' {
			return "", nil
		}
		var text string
		if json.Unmarshal(value, &text) != nil || !slices.Contains(valid, text) {
			return "", problem.Invalid(name, "must be %s%s, not %s", problem.List(valid),
				problem.DidYouMean(text, valid), value)
		}
		return text, nil
	}
	var err error
	switch t.form {
	case pageOfRecords:
		if f.format, err = text(formatName, rows, records); err != nil {
			return f, err
		}
		if f.ids, err = text(idsName, short, full, none); err != nil {
			return f, err
		}
	case groupsOfRecords:
		if f.format, err = text(formatName, rows, records); err != nil {
			return f, err
		}
	case oneRecord:
		if f.format, err = text(formatName, records); err != nil {
			return f, err
		}
	case writtenRecords:
		if f.returns, err = text(returnName, none, ids, records); err != nil {
			return f, err
		}
	case noRecords:
	}
	if t.form == pageOfRecords || t.form == oneRecord {
		if f.include, err = a.takeInclude(); err != nil {
			return f, err
		}
	}
	if t.readOnly() {
		if value := a.value(maxTokensName); len(value) > 0 && value.Kind() != 'n' {
			if json.Unmarshal(value, &f.maxTokens) != nil || f.maxTokens < 500 || f.maxTokens > maxTokens {
				return f, problem.Invalid(maxTokensName, "must be a whole number from 500 to %d, not %s", maxTokens,
					value)
			}
		}
		a.remove(maxTokensName)
	}
	return f, nil
}

func (a *arguments) takeInclude() ([]string, error) {
	value := a.value(includeName)
	a.remove(includeName)
	if len(value) == 0 || value.Kind() == 'n' {
		return nil, nil
	}
	var names []string
	if value.Kind() == '"' {
		names = []string{""}
		if json.Unmarshal(value, &names[0]) != nil {
			return nil, problem.Invalid(includeName, "must be an array of strings")
		}
	} else if json.Unmarshal(value, &names) != nil {
		return nil, problem.Invalid(includeName, "must be an array of strings, not %s", value)
	}
	valid := []string{createdTime, version}
	for _, name := range names {
		if !slices.Contains(valid, name) {
			return nil, problem.Invalid(includeName, "%q is not known%s; the valid names are %s",
				name, problem.DidYouMean(name, valid), problem.List(valid))
		}
	}
	return names, nil
}
