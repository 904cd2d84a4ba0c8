package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/bench/benchmark"
)

// A figure is one line of the report.
type figure struct{ what, value, target string }

// A report is the outcome of a run.
type report struct {
	began   time.Time
	load    string // average of the last minute, before the run
	rows    int
	figures []figure
}

func newReport(rows int) *report {
	return &report{began: time.Now(), load: benchmark.MachineLoad(), rows: rows}
}

// table lists the figures, with the machine and the time.
func (r *report) table() string {
	var out strings.Builder
	fmt.Fprintf(&out,
		"%s UTC, %d processors, %s/%s, %s, load average %s before and %s after, %d records, %s in all.\n\n",
		r.began.UTC().Format("2006-01-02 15:04"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(),
		r.load, benchmark.MachineLoad(), r.rows, time.Since(r.began).Round(time.Second))
	out.WriteString("| | measured | goal |\n|---|---|---|\n")
	for _, f := range r.figures {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", f.what, f.value, f.target)
	}
	return out.String()
}

//go:embed head.md
var head string

// write writes the report to a file, and keeps the sections that people have written there.
func (r *report) write(path string) error {
	return benchmark.WritePage(path, strings.TrimSpace(head)+"\n\n"+r.table())
}
