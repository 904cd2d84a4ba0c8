package formula_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/formula"
)

var update = flag.Bool("update", false, "write docs/reference/formulas.md anew")

// The page of the functions is made of the catalogue, whose examples TestExamplesAreTrue runs.
func TestDocumentationIsThatOfTheCatalogue(t *testing.T) {
	t.Parallel()
	const path, mark = "../../docs/reference/formulas.md", "<!-- What follows is made of the catalogue of functions: " +
		"`go test ./tenancy/formula -run Documentation -update`. -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(page), mark)
	if !found {
		t.Fatalf("%s has no line %s", path, mark)
	}
	want := head + mark + document()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Errorf("%s is not that of the catalogue; see the comment in it", path)
	}
}

func document() string {
	var b strings.Builder
	category := ""
	for _, f := range formula.Functions() {
		if f.Category != category {
			category = f.Category
			fmt.Fprintf(&b, "\n## %s\n\n| function | what it gives | example |\n|---|---|---|\n", category)
		}
		result := "is empty"
		if f.Result != "" {
			result = "`" + f.Result + "`"
		}
		cell := strings.NewReplacer("|", "\\|")
		fmt.Fprintf(&b, "| `%s` | %s | `%s` → %s |\n", f.Signature, cell.Replace(f.Help), cell.Replace(f.Example),
			cell.Replace(result))
	}
	b.WriteString("\n## Errors\n\n| error | reason |\n|---|---|\n")
	for _, code := range formula.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", code, code.Message())
	}
	return b.String()
}
