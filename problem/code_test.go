package problem_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every machine-readable code is declared in code.go: elsewhere it goes by its name.
func TestCodesAreRegistered(t *testing.T) {
	t.Parallel()
	files, read := token.NewFileSet(), 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" ||
			strings.HasPrefix(name, ".") && path != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		read++
		ast.Inspect(file, func(n ast.Node) bool {
			for _, e := range codesIn(n) {
				if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					t.Errorf("%s: the code %s belongs in problem/code.go", files.Position(e.Pos()), literal.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
}

// codesIn returns the expressions for codes of problems in a node: what WithCode is called with, and the
// member Code of an Error.
func codesIn(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "WithCode" {
			return n.Args
		}
	case *ast.CompositeLit:
		switch made := n.Type.(type) {
		case *ast.SelectorExpr:
			if of, ok := made.X.(*ast.Ident); !ok || of.Name != "problem" || made.Sel.Name != "Error" {
				return nil
			}
		case *ast.Ident:
			if made.Name != "Error" {
				return nil
			}
		default:
			return nil
		}
		for _, element := range n.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Code" {
				return []ast.Expr{pair.Value}
			}
		}
	}
	return nil
}
