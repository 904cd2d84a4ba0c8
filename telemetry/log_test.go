package telemetry_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/telemetry"
)

// A page is a buffer that counts writes.
type page struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes++
	return p.text.Write(b) //nolint:wrapcheck // the buffer's own
}

func (p *page) read() (text string, writes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String(), p.writes
}

func TestLogLinesAreBatchedAndNoneIsLost(t *testing.T) {
	t.Parallel()
	var out page
	log := telemetry.NewLog(&out, slog.LevelInfo)
	var writers sync.WaitGroup
	const each = 500
	for w := range 8 {
		writers.Go(func() {
			for i := range each {
				log.With("writer", w).WithGroup("g").Info("a line", "i", i)
			}
		})
	}
	writers.Wait()
	log.Debug("not wanted")
	log.Close()
	text, writes := out.read()
	if writes > 8*each/10 {
		t.Errorf("%d lines took %d writes", 8*each, writes)
	}
	for w := range 8 {
		for i := range each {
			if line := fmt.Sprintf(`"writer":%d,"g":{"i":%d}}`, w, i); strings.Count(text, line) != 1 {
				t.Fatalf("the line %s is there %d times", line, strings.Count(text, line))
			}
		}
	}
	if n := strings.Count(text, "\n"); n != 8*each {
		t.Errorf("%d lines", n)
	}
}

func TestWarningFlushesTheLogImmediately(t *testing.T) {
	t.Parallel()
	var out page
	log := telemetry.NewLog(&out, slog.LevelInfo)
	log.Info("before")
	log.Warn("trouble")
	if text, writes := out.read(); writes != 1 || !strings.Contains(text, "before") ||
		!strings.HasSuffix(text, "\"trouble\"}\n") {
		t.Errorf("%d writes: %s", writes, text)
	}
	log.Close()
	log.Info("after the end")
	if text, _ := out.read(); !strings.Contains(text, "after the end") {
		t.Error("a line after Close is lost")
	}
}

func TestBufferedLogLineIsWrittenSoon(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	log := telemetry.NewLog(writer, slog.LevelInfo)
	log.Info("alone")
	line := make([]byte, 200)
	if n, err := reader.Read(line); err != nil || !bytes.Contains(line[:n], []byte("alone")) {
		t.Errorf("read %q, %v", line, err)
	}
}
