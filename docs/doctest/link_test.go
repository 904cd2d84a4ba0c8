package doctest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rowhouse/rowhouse/docs/doctest"
)

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	comment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	spanned  = regexp.MustCompile("`[^`\n]*`")
	target   = regexp.MustCompile(`\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]+)"`)
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	external = regexp.MustCompile(`^[a-z][a-z+.-]*:`)
)

// Every link of the documentation leads to a file, and to a heading if it has an anchor.
func TestLinksOfMarkdown(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	pages := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(at string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(at, ".md") {
			name, err := filepath.Rel(root, at)
			pages = append(pages, filepath.ToSlash(name))
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range pages {
		text := spanned.ReplaceAllString(comment.ReplaceAllString(read(t, root, page), ""), "``")
		text = fence.ReplaceAllString(text, "")
		for _, match := range target.FindAllStringSubmatch(text, -1) {
			link := match[1] + match[2]
			if external.MatchString(link) {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(link, "#")
			to := page
			if name != "" {
				to = path.Join(path.Dir(page), name)
			}
			if strings.HasPrefix(to, "..") || strings.HasPrefix(name, "/") {
				t.Errorf("%s: %s leads out of the repository", page, link)
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link)
				continue
			}
			if anchor != "" && !anchors(read(t, root, to))[anchor] {
				t.Errorf("%s: %s has no heading for its anchor", page, link)
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links were found", links)
	}
}

// anchors returns the anchors of a page's headings, as code hosts and VitePress write them.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		var b strings.Builder
		for _, c := range strings.ToLower(match[1]) {
			switch {
			case unicode.IsLetter(c), unicode.IsDigit(c), c == '_', c == '-':
				b.WriteRune(c)
			case c == ' ':
				b.WriteRune('-')
			}
		}
		all[b.String()] = true
	}
	return all
}

// Every page of the help that the application links to exists.
func TestLinksOfApplication(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	link := regexp.MustCompile(`<HelpLink page="([^"#]+)(?:#([^"]+))?"`)
	links := 0
	err := filepath.WalkDir(filepath.Join(root, "web", "app", "src"), func(
		at string, entry fs.DirEntry, err error,
	) error {
		if err != nil || !strings.HasSuffix(at, ".tsx") {
			return err
		}
		source, err := os.ReadFile(at)
		for _, match := range link.FindAllStringSubmatch(string(source), -1) {
			links++
			page := "docs/" + match[1] + ".md"
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(page))); err != nil {
				t.Errorf("%s: there is no %s", at, page)
			} else if match[2] != "" && !anchors(read(t, root, page))[match[2]] {
				t.Errorf("%s: %s has no heading for #%s", at, page, match[2])
			}
		}
		return err
	})
	if err != nil || links == 0 {
		t.Errorf("%d links were found: %v", links, err)
	}
}

// The words that a page prints in bold are labels of the application, or of the named client of
// agents.
func TestBoldWordsAreLabels(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	var labels strings.Builder
	for _, pattern := range []string{"web/app/src/text/en/*.ts", "authz/oauth/page/*.html"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			labels.Write(text)
		}
	}
	ofClients := []string{"Connect", "Connectors", "MCP: Add Server"}
	bold := regexp.MustCompile(`\*\*([^*]+)\*\*`)
	found := 0
	for _, page := range []string{
		"tutorial/browser", "tutorial/curl", "tutorial/command-line", "tutorial/agent", "how-to/connect-an-agent",
		"how-to/import-and-export", "how-to/undo-and-restore", "reference/rest", "reference/scopes",
	} {
		for _, match := range bold.FindAllStringSubmatch(read(t, root, "docs/"+page+".md"), -1) {
			found++
			label := strings.Join(strings.Fields(match[1]), " ")
			inText := strings.Contains(labels.String(), `"`+label) || strings.Contains(labels.String(), ">"+label+"<")
			if !inText && !slices.Contains(ofClients, label) {
				t.Errorf("docs/%s.md: the application calls nothing %s", page, label)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d bold words were found", found)
	}
}

// Every tutorial, guide and page of reference and explanation is in the navigation of the site and on the first page.
func TestNavigationHasEveryPage(t *testing.T) {
	t.Parallel()
	root := doctest.Root(t)
	navigation := read(t, root, "web/help/.vitepress/config.mts")
	first := read(t, root, "docs/README.md")
	for _, folder := range []string{"tutorial", "how-to", "reference", "explanation"} {
		entries, err := os.ReadDir(filepath.Join(root, "docs", folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			name := strings.TrimSuffix(entry.Name(), ".md")
			if !strings.Contains(navigation, `"`+name+`"`) {
				t.Errorf("docs/%s/%s.md is not in the navigation", folder, name)
			}
			if !strings.Contains(first, "("+folder+"/"+entry.Name()+")") {
				t.Errorf("docs/%s/%s.md is not in docs/README.md", folder, name)
			}
		}
	}
}

// Every link of the built site, if it was built, leads to one of its files and to an element with the anchor's id.
func TestLinksOfSite(t *testing.T) {
	t.Parallel()
	dist := filepath.Join(doctest.Root(t), "web", "help", "dist")
	if _, err := os.Stat(filepath.Join(dist, "index.html.gz")); err != nil {
		t.Skip("the site is not built")
	}
	reference := regexp.MustCompile(`(?:href|src)="(/help/[^"]*)"`)
	pages := map[string]string{} // by path below /help/, without .html
	files := map[string]bool{}
	err := filepath.WalkDir(dist, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dist, at)
		if err != nil {
			return err
		}
		name = strings.TrimSuffix(filepath.ToSlash(name), ".gz")
		files[name] = true
		if page, ok := strings.CutSuffix(name, ".html"); ok {
			pages[strings.TrimSuffix(page, "index")] = expand(t, at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		for _, match := range reference.FindAllStringSubmatch(page, -1) {
			to, anchor, _ := strings.Cut(strings.TrimPrefix(match[1], "/help/"), "#")
			other, isPage := pages[to]
			if !isPage && !files[to] {
				t.Errorf("/help/%s: %s leads nowhere", name, match[1])
			}
			if anchor != "" && isPage && !strings.Contains(other, `id="`+anchor+`"`) {
				t.Errorf("/help/%s: %s has no element for its anchor", name, match[1])
			}
		}
		if strings.Contains(page, ` style="`) || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
			t.Errorf("/help/%s has an inline style or script, which its policy forbids", name)
		}
	}
	if len(pages) < 40 {
		t.Errorf("only %d pages were found", len(pages))
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil && info.IsDir() {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expand(t *testing.T, at string) string {
	t.Helper()
	packed, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
