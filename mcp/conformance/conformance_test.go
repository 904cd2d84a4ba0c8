// Package conformance runs the official conformance suite and the official TypeScript clients
// against the server, with the fixtures that the suite asks for. Everything in it is a test.
package conformance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestConformanceSuite(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			server := mcptest.New(t, func(o *mcp.Options) { o.Extend = addFixtures })
			address := interoptest.WithKey(t, server.URL, server.REST.Owner(t).Key())
			baseline, err := filepath.Abs("baseline-" + revision + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			said, err := interoptest.Suite(t, "server", "--url", address+"/mcp",
				"--requirements", revision, "--expected-failures", baseline)
			t.Log(summary(said))
			if err == nil {
				return
			}
			failed := unexpected(said)
			if len(failed) == 0 {
				t.Fatalf("the suite failed: %v\n%s", err, said)
			}
			// The suite gives a stream 500 to 1,500 ms, which a busy machine may exceed. A scenario that
			// fails is therefore run once more, alone, and shows its checks.
			for _, scenario := range failed {
				again, err := interoptest.Suite(t, "server", "--url", address+"/mcp",
					"--spec-version", revision, "--scenario", scenario, "--verbose")
				if err != nil {
					t.Errorf("%s failed twice: %v\n%s\nThe first time:\n%s", scenario, err, again, said)
				}
			}
		})
	}
}

// unexpected names the scenarios that failed and are not in the baseline. The suite lists them after its summary.
func unexpected(said string) (scenarios []string) {
	_, list, _ := strings.Cut(said, "Unexpected failures (not in baseline):")
	for _, line := range strings.Split(list, "\n")[1:] {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "✗ ")
		if !found {
			break
		}
		scenarios = append(scenarios, name)
	}
	return scenarios
}

// summary is the end of the suite's output.
func summary(said string) string {
	if i := strings.LastIndex(said, "=== SUMMARY ==="); i >= 0 {
		return said[i:]
	}
	return said[max(0, len(said)-2000):]
}
