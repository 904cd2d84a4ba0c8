// Package benchmark contains what the measuring programs share: the page of a report, and a
// description of the machine.
package benchmark

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// handwrittenMark begins the sections of a page that people write.
const handwrittenMark = "\n## "

// WritePage writes the measured part of a report to a file, and keeps the sections of an older one
// that people have written: from the first heading of the second level on.
func WritePage(path, measured string) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the former report: %w", err)
	}
	if _, sections, found := strings.Cut(string(old), handwrittenMark); found {
		measured += handwrittenMark + sections
	}
	return os.WriteFile(path, []byte(measured), 0o644) //nolint:gosec // Documentation.
}

// MachineLoad is the load average of the last minute, or "unknown".
func MachineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
