package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// A generated client has one type for a record, wherever a record occurs.
func TestOpenAPINamesItsSchemas(t *testing.T) {
	t.Parallel()
	raw, err := api.Describe(operation.Catalogue(), "http://rowhouse.test", attachment.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	components := document.(map[string]any)["components"].(map[string]any)
	schemas := components["schemas"].(map[string]any)
	for _, name := range []string{
		"Base", "Table", "Field", "View", "Record", "RecordPage", "Filters", "Comment", "Webhook", "Me", "Problem",
	} {
		if schemas[name] == nil {
			t.Errorf("no schema is called %s", name)
		}
	}
	referred := map[string]bool{}
	walk("", document, func(at string, object map[string]any) {
		reference, ok := object["$ref"].(string)
		if !ok {
			return
		}
		kind, name, _ := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
		if group, _ := components[kind].(map[string]any); group[name] == nil {
			t.Errorf("%s refers to %s, which there is not", at, reference)
		}
		referred[name] = true
	})
	written := map[string]string{}
	for name, schema := range schemas {
		if !referred[name] {
			t.Errorf("nothing refers to %s", name)
		}
		if properties, ok := schema.(map[string]any)["properties"].(map[string]any); ok && len(properties) > 1 {
			written[fmt.Sprint(properties)] = name
		}
	}
	walk("", document, func(at string, object map[string]any) {
		for key, value := range object {
			if is, ok := value.(bool); ok && !slices.Contains([]string{"required", "additionalProperties"}, key) {
				t.Errorf("%s: %s is %t, which few generators of clients know", at, key, is)
			}
		}
		name := written[fmt.Sprint(object["properties"])]
		body := strings.HasSuffix(at, "/requestBody/content/application/json/schema") // joins the parts of an input
		if name != "" && !body && !strings.HasPrefix(at, "/components/schemas/") {
			t.Errorf("%s writes %s out", at, name)
		}
	})
}

func walk(at string, value any, visit func(at string, object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(at, value)
		for name, part := range value {
			walk(at+"/"+name, part, visit)
		}
	case []any:
		for i, part := range value {
			walk(fmt.Sprintf("%s/%d", at, i), part, visit)
		}
	}
}
