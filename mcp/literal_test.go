package mcp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
)

// operation.Agent contains everything that agents need to know of an operation, so no code here
// asks for an operation's name, and texts take the name from the operation.
func TestNoOperationIsNamedByALiteral(t *testing.T) {
	t.Parallel()
	var names []string
	for _, op := range operation.Catalogue() {
		names = append(names, op.Name)
	}
	var files []string
	for _, pattern := range []string{"*.go", "../api/approval/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	word := regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range append(word.FindAllString(text, -1), text) {
				if slices.Contains(names, found) {
					t.Errorf("%s names the operation %s", set.Position(literal.Pos()), found)
				}
			}
			return true
		})
	}
}
