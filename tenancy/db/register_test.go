package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

var (
	ownState     = regexp.MustCompile(`\bRH\d{3}\b`)
	lockNumber   = regexp.MustCompile(`advisory\w*\(\s*(\d+)`)
	anyState     = regexp.MustCompile(`^"[0-9A-Z]{5}"$`)
	lockInSQL    = regexp.MustCompile(`advisory\w*\((\d+)`)
	registryLock = regexp.MustCompile(`Lock = (\d+)`)
	entryKind    = regexp.MustCompile(`\bkind (=|<>|in \(|not in \() ?\d`)
)

// sources calls visit for every Go file of the product that is not a test.
func sources(t *testing.T, visit func(path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" ||
			strings.HasPrefix(name, ".") && path != root):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		visit(path, files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every SQLSTATE of Rowhouse, every number of an advisory lock and every kind of log entries is in one file, and
// SQLSTATEs of PostgreSQL go by their names (package pgerrcode).
func TestStatesAndLocksAreRegistered(t *testing.T) {
	t.Parallel()
	read := 0
	sources(t, func(path string, files *token.FileSet, file *ast.File) {
		read++
		states := path == filepath.Join(root, "tenancy/db/sqlstate.go")
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					return true
				}
				if !states && ownState.MatchString(n.Value) {
					t.Errorf("%s: %s belongs in tenancy/db/sqlstate.go", files.Position(n.Pos()), n.Value)
				}
				if entryKind.MatchString(n.Value) {
					t.Errorf("%s: a kind of log entries is a constant of tenancy/changelog", files.Position(n.Pos()))
				}
				if lockNumber.MatchString(n.Value) {
					t.Errorf("%s: the lock of %s belongs in tenancy/db/lock.go", files.Position(n.Pos()), n.Value)
				}
			case *ast.CallExpr:
				if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Is" {
					named(t, files, n.Args...)
				}
			case *ast.BinaryExpr:
				if left, ok := n.X.(*ast.SelectorExpr); ok && left.Sel.Name == "Code" {
					named(t, files, n.Y)
				}
			case *ast.CaseClause:
				named(t, files, n.List...)
			}
			return true
		})
	})
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
}

// named fails for a SQLSTATE that is written as such.
func named(t *testing.T, files *token.FileSet, expressions ...ast.Expr) {
	t.Helper()
	for _, e := range expressions {
		literal, ok := e.(*ast.BasicLit)
		if ok && anyState.MatchString(literal.Value) && strings.ContainsAny(literal.Value, "0123456789") {
			t.Errorf("%s: %s has a name in package pgerrcode", files.Position(e.Pos()), literal.Value)
		}
	}
}

// The SQL of the schema gate cannot name the registers, so it repeats their numbers.
func TestGateUsesRegisteredStatesAndLocks(t *testing.T) {
	t.Parallel()
	text := func(path string) string {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	states, locks := text("sqlstate.go"), registryLock.FindAllStringSubmatch(text("lock.go"), -1)
	functions, err := filepath.Glob(root + "/migrations/gate/*.sql")
	if err != nil || len(functions) == 0 {
		t.Fatal("no functions", err)
	}
	for _, path := range functions {
		sql := text(path)
		for _, state := range ownState.FindAllString(sql, -1) {
			if !strings.Contains(states, state) {
				t.Errorf("%s raises %s, which sqlstate.go does not list", path, state)
			}
		}
		for _, found := range lockInSQL.FindAllStringSubmatch(sql, -1) {
			if !slices.ContainsFunc(locks, func(lock []string) bool { return lock[1] == found[1] }) {
				t.Errorf("%s takes the lock %s, which lock.go does not list", path, found[1])
			}
		}
	}
}
