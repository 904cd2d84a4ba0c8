package doctest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/docs/doctest"
)

const module = "github.com/rowhouse/rowhouse/"

var (
	mapRow = regexp.MustCompile("(?m)^\\| ((?:`[^`|]+/`(?:, )?)+) \\|")
	folder = regexp.MustCompile("`([^`]+)/`")
)

var around = map[string]bool{"bench": true, "deploy": true, "docs": true, "examples": true, "interoptest": true}

// readMap returns the position of each folder in the README's map. A name without a slash is in the
// same folder as the one before it.
func readMap(t *testing.T, root string) map[string]int {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(body), "Imports point one way")
	if !found {
		t.Fatal("the README has no map")
	}
	places := map[string]int{}
	for n, row := range mapRow.FindAllStringSubmatch(list, -1) {
		parent := ""
		for _, name := range folder.FindAllStringSubmatch(row[1], -1) {
			one := name[1]
			if !strings.Contains(one, "/") && parent != "" {
				one = parent + "/" + one
			}
			if strings.Contains(one, "/") {
				parent = path.Dir(one)
			}
			if _, err := os.Stat(filepath.Join(root, one)); err != nil {
				t.Errorf("the README's map has %s: %v", one, err)
			}
			places[one] = n
		}
	}
	return places
}

// place returns the listed folder that a package is in.
func place(places map[string]int, name string) (listed string, ok bool) {
	for listed = name; listed != "."; listed = path.Dir(listed) {
		if _, ok := places[listed]; ok {
			return listed, true
		}
	}
	return "", false
}

// A package imports only packages of its own folder and of folders below it in the README's map,
// and every package is in the map. Test packages, and folders around the product, may import
// anything.
func TestImportsPointDownTheMap(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	places, files, seen := readMap(t, root), token.NewFileSet(), map[string]bool{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && (name == "node_modules" || name == "testdata" || name[0] == '.'):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		importer := filepath.ToSlash(relative)
		from, ok := place(places, importer)
		if !ok {
			t.Errorf("%s is not in the README's map", importer)
			return nil
		}
		if around[from] || strings.HasSuffix(importer, "test") {
			return nil
		}
		parsed, err := parser.ParseFile(files, file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, one := range parsed.Imports {
			imported, err := strconv.Unquote(one.Path.Value)
			if err != nil {
				return err
			}
			imported, ours := strings.CutPrefix(imported, module)
			if to, ok := place(places, imported); ours && ok && places[to] < places[from] {
				if pair := importer + " -> " + imported; !seen[pair] {
					seen[pair] = true
					t.Errorf("an import goes up the README's map: %s", pair)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The data layer stays one that fits on a page: what belongs to one subject is in that subject's folder.
func TestTheDataLayerHasFewFolders(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(filepath.Join(doctest.Root(t), "tenancy"))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 22 {
		t.Errorf("tenancy/ has %d folders, more than 22", len(entries))
	}
}
