package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"
)

// A figure is one line of the report.
type figure struct{ what, value, target string }

// A report is what a run has found.
type report struct {
	began   time.Time
	load    string // average of the last minute, before the run
	rows    int
	figures []figure
}

func newReport(rows int) *report { return &report{began: time.Now(), load: machineLoad(), rows: rows} }

// table says where the figures were taken, and lists them.
func (r *report) table() string {
	var out strings.Builder
	fmt.Fprintf(&out,
		"%s UTC, %d processors, %s/%s, %s, load average %s before and %s after, %d records, %s in all.\n\n",
		r.began.UTC().Format("2006-01-02 15:04"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(),
		r.load, machineLoad(), r.rows, time.Since(r.began).Round(time.Second))
	out.WriteString("| | measured | goal |\n|---|---|---|\n")
	for _, f := range r.figures {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", f.what, f.value, f.target)
	}
	return out.String()
}

//go:embed head.md
var head string

// writtenMark begins the sections that people write.
const writtenMark = "\n## "

// write writes the file and keeps all hand-written sections of an older one.
func (r *report) write(path string) error {
	out := strings.TrimSpace(head) + "\n\n" + r.table()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the former report: %w", err)
	}
	if _, sections, found := strings.Cut(string(old), writtenMark); found {
		out += writtenMark + sections
	}
	return os.WriteFile(path, []byte(out), 0o644) //nolint:gosec // Documentation.
}

// machineLoad is the load average of the last minute, or "unknown".
func machineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
