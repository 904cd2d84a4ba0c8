// Package e2e contains the tests that use the started binary as its users do: over HTTP, with
// people who sign up on its pages and keys that they make there. They prove the specification row
// by row, and check every response against the OpenAPI document that the service serves. They know
// nothing of the service's packages.
package e2e

import (
	"os"
	"testing"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestMain(m *testing.M) { os.Exit(rowhousetest.Main(m)) }

func TestSpecification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	parts, ran := 0, 0
	for _, part := range []struct {
		name string
		test func(*testing.T, *world)
	}{
		{"rows", testRows},
		{"placement", testPlacement},
		{"share", testShare},
		{"schema", testSchema},
		{"list", testList},
		{"write", testWrite},
		{"change", testChange},
		{"feed", testFeed},
		{"webhook", testWebhook},
		{"comments", testComments},
		{"permissions", testPermissions},
		{"keys", testKeys},
		{"command line", testCommandLine},
		{"schema file", testSchemaFile},
		{"bridge", testBridge},
		{"command line tutorial", testCommandLineTutorial},
		{"tour", testTour},
		{"documentation", testDocumentation},
		{"beyond", testBeyond},
		{"addresses", testAddresses},
		{"jobs", testJobs},
		{"backups", testBackups},
		{"headers", testHeaders},
		{"isolation", testIsolation},
		{"races", testRaces},
		{"retype", testRetype},
		{"values", testValues},
		{"sweep", testSweep},
	} {
		parts++
		t.Run(part.name, func(t *testing.T) {
			ran++
			part.test(t, w)
		})
	}
	if ran < parts {
		return // -run names some of them
	}
	for _, id := range w.contract.unanswered(200, 202) {
		if id == "query_sql" && tenancytest.DB(t).Distributed() {
			continue // SQL is off on Citus
		}
		t.Errorf("no test has %s answered with 200", id)
	}
}
