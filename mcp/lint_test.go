package mcp_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A model sees only a tool's name, description and input schema, and code that it writes sees the
// output schema. Each has to say what the tool does, when to use another, and what comes back.
func TestToolsDescribeThemselves(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	tools := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp/all", nil).Tools()
	all := names(tools)
	named := regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
	for _, tool := range tools {
		if len(tool.Name) > 52 {
			t.Errorf("%s has a long name", tool.Name)
		}
		text := tool.Description
		sentences := strings.Count(text, ". ") + 1
		if len(text) < 60 || len(text) > 900 || sentences < 2 || !strings.ContainsAny(text[len(text)-3:], ".…") {
			t.Errorf("%s: the description has %d characters, %d sentences: %s", tool.Name, len(text), sentences, text)
		}
		if regexp.MustCompile(`^(Only|With|In|As|You|They|Its|An?|The)\b`).MatchString(text) {
			t.Errorf("%s: the description does not begin with what the tool does: %s", tool.Name, text)
		}
		if describesResult := strings.Contains(strings.ToLower(text), "return"); !describesResult &&
			!slices.Contains([]string{"list_indexes", "list_tables", "list_changes", "fetch"}, tool.Name) {
			t.Errorf("%s: the description does not say what comes back: %s", tool.Name, text)
		}
		for _, word := range named.FindAllString(text, -1) {
			if strings.HasPrefix(word, "rowhouse_") || slices.Contains(all, word) ||
				slices.Contains([]string{"record_id", "created_at", "updated_at", "linked_id", "long_text"}, word) {
				continue
			}
			t.Errorf("%s: the description names %s, which is no tool", tool.Name, word)
		}
		hasMembers(t, tool.Name+" input", tool.InputSchema)
		hasMembers(t, tool.Name+" output", tool.OutputSchema)
	}
}

// hasMembers fails for an object without members whose description does not say what it contains.
func hasMembers(t *testing.T, at string, schema any) {
	t.Helper()
	encoded, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(encoded, &s); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(at, " output") && (s.Type != "object" || len(s.Properties) < 2) {
		t.Errorf("%s has no members", at)
	}
}

// create_field lists the keys of the config of each type.
func TestCreateFieldNamesTheKeysOfConfigs(t *testing.T) {
	t.Parallel()
	for _, kind := range field.All() {
		info := kind.Info()
		if info.ApplicationOnly {
			continue
		}
		for _, key := range info.Keys {
			if key.Name != "resultType" && !strings.Contains(operation.CreateField.Description, key.Name) {
				t.Errorf("create_field does not name the key %s of %s", key.Name, info.Type)
			}
		}
	}
}
