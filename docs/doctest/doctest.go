// Package doctest checks the documentation against the code: its tests generate parts of the pages
// from the code and check the links. It is for tests only.
package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the root of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "docs", "doctest")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("the root of the repository was not found")
		}
		dir = parent
	}
}

// Part fails the test unless a part of a page below docs/ equals content. The part is between the
// comments <!-- begin NAME: … --> and <!-- end NAME -->. With update, Part writes it instead.
func Part(t testing.TB, page, name, content string, update bool) {
	t.Helper()
	path := filepath.Join(Root(t), "docs", filepath.FromSlash(page))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), "<!-- begin "+name+": ")
	begin, rest, closed := strings.Cut(rest, "-->\n")
	present, tail, ended := strings.Cut(rest, "<!-- end "+name+" -->")
	if !found || !closed || !ended {
		t.Fatalf("docs/%s has no part %s", page, name)
	}
	content = "\n" + strings.Trim(content, "\n") + "\n\n"
	if present == content {
		return
	}
	if !update {
		t.Errorf("docs/%s is not what the code says; write it again: %s", page, strings.TrimSpace(begin))
		return
	}
	text = fmt.Appendf(nil, "%s<!-- begin %s: %s-->\n%s<!-- end %s -->%s", head, name, begin, content, name, tail)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Cell escapes a text for a cell of a table.
func Cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "{{", "{ {", "](", `]\(`).Replace(text)
}
