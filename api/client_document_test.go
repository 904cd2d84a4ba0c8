package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

var update = flag.Bool("update", false, "write the document of the clients again")

// clientSchemas are the schemas that the client libraries have methods for, or that the command line prints.
// What they refer to comes with them.
var clientSchemas = []string{
	"Base", "BaseList", "BulkResult", "Change", "ChangeSet", "DeletedOrPlanned", "FieldChanged", "FieldDeleted",
	"FieldIn", "FieldNamed", "Filters", "Imported", "Job", "Me", "Named", "Problem", "Record", "RecordChange",
	"RecordsDeletedOrPlanned", "RecordsWritten", "RevertPlan", "SQLResult", "SearchHits", "Sorts", "Table",
	"TableNamed", "UploadAddress", "Values", "ViewProblem", "CreatedWebhook",
}

// clients/openapi.json is the part of the document that the types of the client libraries are generated from:
// after -update, `make client` writes those. Codes of problems are an enumeration there, so that the clients
// have constants. In the document itself they are a text, because a new code must not break a client.
func TestClientDocument(t *testing.T) {
	t.Parallel()
	raw, err := api.Describe(operation.Catalogue(), "http://rowhouse.test", attachment.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Info       map[string]any
		Components struct{ Schemas map[string]map[string]any }
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	part := map[string]map[string]any{}
	var add func(name string)
	add = func(name string) {
		schema := document.Components.Schemas[name]
		if schema == nil {
			t.Fatalf("no schema is called %s", name)
		}
		if part[name] != nil {
			return
		}
		part[name] = schema
		walk("", schema, func(_ string, object map[string]any) {
			if reference, ok := object["$ref"].(string); ok {
				add(strings.TrimPrefix(reference, "#/components/schemas/"))
			}
		})
	}
	for _, name := range clientSchemas {
		add(name)
	}
	// The clients have an error that is called Problem, with this within.
	part["ProblemDocument"] = part["Problem"]
	delete(part, "Problem")
	part["ProblemCode"] = map[string]any{"type": "string", "enum": problemCodesOf(t)}

	var got bytes.Buffer
	encoder := json.NewEncoder(&got)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(map[string]any{
		"openapi": "3.1.0", "info": document.Info, "paths": map[string]any{},
		"components": map[string]any{"schemas": part},
	}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "clients", "openapi.json")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s is out of date: go test ./api -run ClientDocument -update, and then make client", path)
	}
}

var codeConstant = regexp.MustCompile(`(?m)^\t(?:Code|Kind)\w+ +(?:Kind )?= "([a-z_]+)"`)

func problemCodesOf(t *testing.T) []string {
	t.Helper()
	var codes []string
	for _, name := range []string{"code.go", "error.go"} {
		source, err := os.ReadFile(filepath.Join("..", "problem", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range codeConstant.FindAllStringSubmatch(string(source), -1) {
			codes = append(codes, found[1])
		}
	}
	slices.Sort(codes)
	if len(codes) < 80 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	return slices.Compact(codes)
}
