package client

import (
	"go/ast"
	"go/importer"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"os/exec"
	"strings"
	"testing"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// The types of names of any kind are programs that their languages accept.
func TestTypesCompile(t *testing.T) {
	t.Parallel()
	field := func(name, kind string, config rowhouse.FieldConfig, options ...string) rowhouse.Field {
		computed := config.ResultType != ""
		return rowhouse.Field{Name: name, Type: kind, Config: config, Options: options, ReadOnly: computed}
	}
	base := &rowhouse.Base{Name: "Harbour 1*/", Tables: []rowhouse.Table{
		{ID: "tbl_1", Name: "Ships", Fields: []rowhouse.Field{
			field("Name", "text", rowhouse.FieldConfig{}),
			field("Kind", "single_select", rowhouse.FieldConfig{}, "Ferry", `"Tug"`, "Tug's\n`"),
			field("home port", "multi_select", rowhouse.FieldConfig{}, "Oslo"),
			field("home-port", "number", rowhouse.FieldConfig{}),
			field("2nd", "checkbox", rowhouse.FieldConfig{}),
			field("Papers", "attachment", rowhouse.FieldConfig{}),
			field("Age", "formula", rowhouse.FieldConfig{ResultType: "number"}),
			field("All", "lookup", rowhouse.FieldConfig{ResultType: "list of text"}),
			field(`a "quote", a comma`, "text", rowhouse.FieldConfig{}),
			field("船", "json", rowhouse.FieldConfig{}),
		}},
		{ID: "tbl_2", Name: "ships", Fields: []rowhouse.Field{
			field("Crew", "user", rowhouse.FieldConfig{Multiple: true}),
		}},
		{ID: "tbl_3", Name: "File", Fields: []rowhouse.Field{field("class", "text", rowhouse.FieldConfig{})}},
	}}
	text := valueSchema{Type: []any{"string", "null"}}
	catalogue := []fieldType{
		{Type: "text", ValueSchema: text},
		{Type: "single_select", ValueSchema: text},
		{Type: "multi_select", ValueSchema: valueSchema{Type: "array", Items: &text}},
		{Type: "number", ValueSchema: valueSchema{Type: []any{"number", "null"}}},
		{Type: "checkbox", ValueSchema: valueSchema{Type: "boolean"}},
		{Type: "attachment", ValueSchema: valueSchema{Type: "array", Items: &valueSchema{Type: "object"}}},
		{Type: "formula", ValueSchema: valueSchema{}},
		{Type: "lookup", ValueSchema: valueSchema{}},
		{Type: "json", ValueSchema: valueSchema{}},
		{Type: "user", ValueSchema: valueSchema{}},
	}
	made := map[string]string{}
	for _, language := range []string{"typescript", "go", "python"} {
		code, err := typesOf(base, catalogue, language)
		if err != nil {
			t.Fatalf("%s: %v", language, err)
		}
		made[language] = code
	}
	for language, want := range map[string][]string{
		"typescript": {
			`"Kind": "Ferry" | "\"Tug\"" | "Tug's\n` + "`\" | null;", `readonly "Age": number | null | Failure;`,
			`"home port": Array<"Oslo"> | null;`, "export interface Ships2 {", `"Crew": Array<string> | null;`,
			"interface File2",
		},
		"go": {
			"package harbour\n", "HomePort2 *float64", "X船", "Papers    []File", "type Ships2 struct",
		},
		"python": {`"All": Optional[Union[List[str], Failure]],`, `File2 = TypedDict(`},
	} {
		for _, part := range want {
			if !strings.Contains(made[language], part) {
				t.Errorf("%s lacks %s:\n%s", language, part, made[language])
			}
		}
	}
	set := gotoken.NewFileSet()
	file, err := parser.ParseFile(set, "harbour.go", made["go"], 0)
	if err != nil {
		t.Fatalf("%v:\n%s", err, made["go"])
	}
	config := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	if _, err := config.Check("harbour", set, []*ast.File{file}, nil); err != nil {
		t.Errorf("%v:\n%s", err, made["go"])
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return
	}
	command := exec.Command(python, "-W", "error", "-")
	command.Stdin = strings.NewReader(made["python"])
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, made["python"])
	}
}
