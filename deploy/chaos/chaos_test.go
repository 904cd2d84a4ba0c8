//go:build chaos

// Package chaos tests a running Rowhouse while it breaks things on purpose, and counts what is
// lost. It runs the real binary with a PostgreSQL and a Redis of its own, behind proxies that can
// become slow or silent. `make chaos` runs all of it, and docs/explanation/reliability.md lists the results.
//
// Everything listens on 127.0.0.1 and ends with the test. Flags bound the number of requests.
package chaos

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	reportFile = flag.String("report", "", "file to append the results to")
	binary     = flag.String("binary", "", "the rowhouse binary to test; built from the tree if empty")
	place      = flag.String("place", "chaos",
		"directory below .rowhouse for the installation; two runs at once need two")
	before = flag.String("before", "",
		"git revision to upgrade from; default: the last one without the newest migration")

	reading    = flag.Duration("reading", 20*time.Second, "how long the log of changes is read while 16 clients write")
	liveProbes = flag.Int("live-probes", 5000, "events, presences, deliveries and refused requests to look at")
	kills      = flag.Int("kills", 50, "how often to kill the service")
	inputs     = flag.Int("inputs", 1_000_000, "inputs for fuzzing parsers")
	calls      = flag.Int("calls", 60_000, "requests for fuzzing endpoints")
	seed       = flag.Int("seed", 11, "seed for fuzzing endpoints")
	outage     = flag.Duration("outage", time.Minute, "how long Redis is down")
	seconds    = flag.Int("seconds", 30, "seconds to measure each latency")
	soak       = flag.Duration("soak", 2*time.Minute, "how long the soak lasts; an hour shows more")
	soakRate   = flag.Int("soak-rate", 40, "requests per second in the soak")
)

// The parts run one after the other: each needs the whole installation.
func TestChaos(t *testing.T) {
	e := newEnvironment(t)
	for _, part := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Isolation", e.testIsolation},
		{"LiveIsolation", e.testLiveIsolation},
		{"HostileSQL", e.testHostileSQL},
		{"Authorization", e.testAuthorization},
		{"Parsers", e.testParsers},
		{"Endpoints", e.testEndpoints},
		{"Kill", e.testKill},
		{"KillChangeLog", e.testKillChangeLog},
		{"ReadChangeLog", e.testReadChangeLog},
		{"WebhooksSurviveKills", e.testWebhooksSurviveKills},
		{"PostgresStopped", e.testPostgresStopped},
		{"RedisDown", e.testRedisDown},
		{"DegradedServices", e.testDegradedServices},
		{"Deadlock", e.testDeadlock},
		{"Terminate", e.testTerminate},
		{"RollingUpgrade", e.testRollingUpgrade},
		{"AbusiveKey", e.testAbusiveKey},
		{"WorstQuery", e.testWorstQuery},
		{"RepeatedQuery", e.testRepeatedQuery},
		{"SlowConnections", e.testSlowConnections},
		{"Planner", e.testPlanner},
		{"FormulaChains", e.testFormulaChains},
		{"IdleBodies", e.testIdleBodies},
		{"AnonymousShares", e.testAnonymousShares},
		{"Imports", e.testImports},
		{"ComputedReaders", e.testComputedReaders},
		{"Uploads", e.testUploads},
		{"Files", e.testFiles},
		{"Memory", e.testMemory},
		{"Soak", e.testSoak},
		{"Secrets", e.testSecrets},
		{"Unauthenticated", e.testUnauthenticated},
	} {
		t.Run(part.name, part.run)
	}
}

var results sync.Mutex

// report logs a result and appends it to the report file, if there is one.
func report(t *testing.T, title, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf(format, args...)
	verdict := "held"
	if load, err := os.ReadFile("/proc/loadavg"); err == nil && strings.Contains(line, "p99") {
		line += fmt.Sprintf("; load of the machine %s on %d processors",
			strings.Fields(string(load))[0], runtime.NumCPU())
	}
	if t.Failed() {
		verdict = "FAILED"
	}
	t.Logf("%s: %s", title, line)
	if *reportFile == "" {
		return
	}
	results.Lock()
	defer results.Unlock()
	file, err := os.OpenFile(*reportFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	_, err = fmt.Fprintf(file, "| %s | %s | %s |\n", title, line, verdict)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Error(err)
	}
}
