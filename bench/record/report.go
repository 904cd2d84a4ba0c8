package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/bench/benchmark"
)

// A result is one line of the table: the same operation over the same number of connections, for
// both subjects.
type result struct {
	operation   string
	connections int
	cells       [2]cell
}

// text is the line for a terminal, in milliseconds.
func (l *result) text() string {
	y, s := &l.cells[0], &l.cells[1]
	return fmt.Sprintf(
		"%-26s %2d  p50 %8.2f %8.2f  p99 %8.2f %8.2f  rps %7.0f %7.0f  p50 x%.2f  rps x%.2f  cpu µs %7d %7d x%.2f",
		l.operation, l.connections, milli(y.quantile(0.5)), milli(s.quantile(0.5)), milli(y.quantile(0.99)),
		milli(s.quantile(0.99)), rate(y), rate(s), ratio(milli(s.quantile(0.5)), milli(y.quantile(0.5))),
		ratio(rate(s), rate(y)), y.cost().Microseconds(), s.cost().Microseconds(),
		ratio(milli(s.cost()), milli(y.cost())),
	)
}

func (l *result) markdown() string {
	y, s := &l.cells[0], &l.cells[1]
	return fmt.Sprintf(
		"| %s | %d | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | **%.2f** | **%.2f** | %d | %d | **%.2f** |",
		l.operation, l.connections, milli(y.quantile(0.5)), milli(s.quantile(0.5)), milli(y.quantile(0.99)),
		milli(s.quantile(0.99)), rate(y), rate(s), ratio(milli(s.quantile(0.5)), milli(y.quantile(0.5))),
		ratio(rate(s), rate(y)), y.cost().Microseconds(), s.cost().Microseconds(),
		ratio(milli(s.cost()), milli(y.cost())),
	)
}

func milli(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func rate(c *cell) float64 {
	if c.active == 0 {
		return 0
	}
	return c.perSecond()
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// A report is the outcome of a run. The first of each pair is the reference, the second the subject
// compared with it.
type report struct {
	set      *settings
	compared string // what the pairs are of
	date     time.Time
	before   string // load of the machine when the run began
	took     time.Duration
	loading  [2]float64  // rows a second
	memory   [2][2]int64 // bytes now, and at most
	bytes    [2][2]int64 // of a row: table, indexes
	results  []result
	notes    []string
}

func newReport(s *settings) *report {
	return &report{
		set:      s,
		compared: s.against + ", service; then service / " + s.against,
		date:     time.Now().UTC(),
		before:   benchmark.MachineLoad(),
	}
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *report) print(to io.Writer) {
	fmt.Fprintf(to, "\n%s\nmilliseconds and requests a second: %s\n\n", r.machine(), r.compared)
	for i := range r.results {
		fmt.Fprintln(to, r.results[i].text())
	}
	fmt.Fprintln(to)
	lines := r.notes
	if r.set.tables == 0 && r.set.second == 0 {
		lines = r.rest()
	}
	for _, line := range lines {
		fmt.Fprintln(to, line)
	}
}

func (r *report) machine() string {
	return fmt.Sprintf(
		"%s, %s, %d processors, %s/%s, %s, load average %s before and %s after, %d rows, %s a cell, %s in all",
		r.date.Format("2006-01-02 15:04 MST"), processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), r.before, benchmark.MachineLoad(), r.set.rows, r.set.cell, r.took.Round(time.Second),
	)
}

// rest is what the table does not contain.
func (r *report) rest() []string {
	const mega = 1 << 20
	other := cmp.Or(r.set.against, "the other")
	lines := []string{
		fmt.Sprintf("Loading in batches of %d over one connection: %s %.0f rows/s, service %.0f rows/s, x%.2f.",
			batch, other, r.loading[0], r.loading[1], ratio(r.loading[1], r.loading[0])),
		fmt.Sprintf("Memory: %s %d MB now, %d MB at most; service %d MB now, %d MB at most.",
			other, r.memory[0][0]/mega, r.memory[0][1]/mega, r.memory[1][0]/mega, r.memory[1][1]/mega),
		fmt.Sprintf("Bytes of a row after all writes, dead versions included: %s %d and %d in indexes; "+
			"service %d and %d in indexes.",
			other, r.bytes[0][0], r.bytes[0][1], r.bytes[1][0], r.bytes[1][1]),
	}
	return append(lines, r.notes...)
}

//go:embed head.md
var head string

// write writes the report to a file, and keeps the sections that people have written there.
func (r *report) write(path string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s.\n\n", strings.TrimSpace(head), r.machine())
	out.WriteString("| operation | conns | p50 baseline | p50 service | p99 baseline | p99 service | req/s baseline " +
		"| req/s service | p50 × | req/s × | CPU µs baseline | CPU µs service | CPU × |\n")
	out.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for i := range r.results {
		out.WriteString(r.results[i].markdown() + "\n")
	}
	out.WriteString("\n")
	for _, line := range r.rest() {
		out.WriteString("- " + line + "\n")
	}
	return benchmark.WritePage(path, out.String())
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
