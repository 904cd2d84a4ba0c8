package doctest_test

import (
	"bytes"
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

	"github.com/rowhouse/rowhouse/docs/doctest"
)

// folders are the folders whose words are checked.
var folders = []string{
	"api", "authz", "bench", "clients", "cmd", "cors", "deploy", "docs", "internal", "interoptest", "mcp", "migrations",
	"outbound", "problem", "telemetry", "tenancy", "web",
}

// avoided are words that a reader of comments and names would have to translate first, each with what
// to write instead.
var avoided = map[string]string{
	"bell": "notifier", "bells": "notifiers",
	"tell": "notify, say or report", "tells": "notifies, says or reports", "told": "notified or given",
	"hear": "receive", "hears": "receives", "heard": "received",
	"manner": "options", "manners": "options",
	"held": "cached, leased or kept",
	"noun": "object", "nouns": "objects",
	"anew": "again",
	"mend": "fix", "mends": "fixes", "mended": "fixed",
	"beside": "next to or in addition to",
	"wall":   "policy or check", "walls": "policies or checks",
	"door": "role, transaction or entry point", "doors": "roles, transactions or entry points",
}

// allowed are identifiers that contain such a word, each with the reason.
var allowed = map[string]string{
	"TestSignInFromANewDeviceSendsANotice":    "a new device",
	"TestConsentFormIsInvalidAfterANewSignIn": "a new sign-in",
}

var (
	// quotation is text that is not written in comments' own words: quotations and paths of pages.
	quotation = regexp.MustCompile("(?s)`[^`]*`|\"[^\"]*\"|“[^”]*”|docs/[\\w/.-]+")
	name      = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	part      = regexp.MustCompile(`\p{Lu}+(?:\p{Ll}+)?|\p{Ll}+`)
	sqlText   = regexp.MustCompile(`(?s)'(?:[^']|'')*'|--[^\n]*`)
	// clockTerm is a term of its own.
	clockTerm = regexp.MustCompile(`(?i)\bwall[- ]clock`)
)

// Comments and names use the words that an engineer would search for.
func TestWordList(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	files := 0
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(at string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if slices.Contains([]string{"testdata", "node_modules", ".git", "bin"}, entry.Name()) {
					return filepath.SkipDir
				}
				return nil
			}
			path, err := filepath.Rel(root, at)
			if err != nil {
				return err
			}
			path = filepath.ToSlash(path)
			switch {
			case strings.HasSuffix(path, ".go"):
				files++
				checkGo(t, root, path)
			case strings.HasSuffix(path, ".sql") && strings.HasPrefix(path, "migrations/"):
				files++
				checkSQL(t, root, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were found", files)
	}
}

// checkGo reports the avoided words in the comments and identifiers of a Go file.
func checkGo(t *testing.T, root, path string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, filepath.Join(root, filepath.FromSlash(path)), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if ast.IsGenerated(file) {
		return
	}
	for _, group := range file.Comments {
		checkText(t, path, set.Position(group.Pos()).Line, commentText(group))
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if ident, ok := node.(*ast.Ident); ok {
			checkName(t, path, set.Position(ident.Pos()).Line, ident.Name)
		}
		return true
	})
}

// commentText returns a comment with its line breaks, so that a quotation may span lines.
func commentText(group *ast.CommentGroup) string {
	lines := make([]string, 0, len(group.List))
	for _, comment := range group.List {
		lines = append(lines, comment.Text)
	}
	return strings.Join(lines, "\n")
}

// checkSQL reports the avoided words in the comments of a SQL file.
func checkSQL(t *testing.T, root, path string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range sqlText.FindAllIndex(text, -1) {
		if bytes.HasPrefix(text[at[0]:], []byte("--")) {
			checkText(t, path, 1+bytes.Count(text[:at[0]], []byte("\n")), string(text[at[0]:at[1]]))
		}
	}
}

// checkText reports the avoided words of a comment that starts at a line, except in quotations.
func checkText(t *testing.T, path string, line int, text string) {
	t.Helper()
	blank := func(quoted string) string { return strings.Repeat("\n", strings.Count(quoted, "\n")) }
	text = clockTerm.ReplaceAllStringFunc(quotation.ReplaceAllStringFunc(text, blank), blank)
	for i, row := range strings.Split(text, "\n") {
		for _, word := range name.FindAllString(row, -1) {
			checkName(t, path, line+i, word)
		}
	}
}

// checkName reports the avoided words in an identifier, which it splits at underscores and capitals.
func checkName(t *testing.T, path string, line int, identifier string) {
	t.Helper()
	if _, ok := allowed[identifier]; ok {
		return
	}
	for _, word := range part.FindAllString(identifier, -1) {
		if instead, ok := avoided[strings.ToLower(word)]; ok {
			t.Errorf("%s:%d: %q contains %q; write %s", path, line, identifier, word, instead)
		}
	}
}
