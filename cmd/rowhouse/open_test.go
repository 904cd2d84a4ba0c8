package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/web"
)

// docs/explanation/reliability.md lists the cost of one request to each endpoint that requires no credential. A
// new endpoint must be measured by the chaos test Unauthenticated and added there before this test
// passes.
func TestPublicEndpointsAreInCostTable(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## Endpoints that need no credential")
	if !found {
		t.Fatal("docs/explanation/reliability.md has no section on endpoints that need no credential")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	paths := append([]string{
		"/healthz", "/readyz", mcp.Path, api.Prefix, api.Prefix + "/openapi.json", web.SharePath, web.FilePath,
		web.HelpPath,
	}, web.PageRoutes...)
	paths = append(append(paths, "/"), web.AppFiles...)
	routes, err := os.ReadFile(filepath.Join(root, "authz", "oauth", "route.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`"(?:GET|POST) (/[^" ]+)"`).FindAllStringSubmatch(string(routes), -1) {
		paths = append(paths, match[1])
	}
	for _, match := range regexp.MustCompile(
		`= "(/\.well-known/[^"]+)"`,
	).FindAllStringSubmatch(readFile(t, filepath.Join(root, "authz", "oauth", "discovery.go")), -1) {
		paths = append(paths, match[1])
	}
	if len(paths) < 30 {
		t.Fatalf("only %d paths were found", len(paths))
	}
	for _, path := range paths {
		if strings.HasPrefix(path, "/account/api/") {
			path = "/account/api"
		}
		if !strings.Contains(section, "`"+path+"`") {
			t.Errorf("`%s` is not in the table", path)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
