// Package conformance runs the official conformance suite and the official TypeScript clients against the server. Everything in it
// is a test. The packages that it needs are installed by `make test`, or by `npm ci` here.
package conformance

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// node returns the Node.js that the suite needs, which is newer than the one that the service is built with.
func node(t *testing.T) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	path, err := filepath.Abs(filepath.Join("node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the packages of this test are not installed (run `npm ci` in mcp/conformance, or `make test`): %v", err)
	}
	return path
}

// withCredential starts a proxy that adds a credential to every request and leaves the rest as it is, Host and Origin included: the
// suite sends no credential. It returns the proxy's address.
func withCredential(t *testing.T, server *mcptest.Server, key string) string {
	t.Helper()
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.Out.Header.Set("x-api-key", key)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func run(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, node(t), arguments...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return out.String(), err
}

func TestTheSuitePasses(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			server := mcptest.New(t, func(o *mcp.Options) { o.Extend = addFixtures })
			address := withCredential(t, server, server.REST.Owner(t).Key())
			said, err := run(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", address+"/mcp",
				"--requirements", revision, "--expected-failures", "baseline-"+revision+".yaml")
			t.Log(summary(said))
			if err != nil {
				t.Errorf("the suite failed: %v\n%s", err, said)
			}
		})
	}
}

// summary is the end of what the suite says.
func summary(said string) string {
	if i := strings.LastIndex(said, "=== SUMMARY ==="); i >= 0 {
		return said[i:]
	}
	return said[max(0, len(said)-2000):]
}

// What needs no fixture is shown by the server as it is served in production.
func TestTheServerAsItIsServedPassesWhatNeedsNoFixture(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	address := withCredential(t, server, server.REST.Owner(t).Key())
	for revision, scenarios := range map[string][]string{
		"2026-07-28": {"tools-list", "resources-list", "prompts-list", "sep-2164-resource-not-found", "dns-rebinding-protection", "input-required-result-unsupported-methods"},
		"2025-11-25": {"server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"},
	} {
		for _, scenario := range scenarios {
			said, err := run(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", address+"/mcp",
				"--spec-version", revision, "--scenario", scenario)
			if err != nil {
				t.Errorf("%s of %s failed: %v\n%s", scenario, revision, err, said)
			}
		}
	}
}
