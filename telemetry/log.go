package telemetry

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A Log writes JSON lines, many at once: a write for each line costs a busy service a wake-up of the operating system for every
// request. A line waits at most logDelay; warnings and errors do not wait, and take those before them along. A process that
// is killed loses the lines of its last moment; what must not be lost is in the audit log, in the database.
type Log struct {
	*slog.Logger
	lines *lineBuffer
}

const (
	logDelay      = 100 * time.Millisecond
	logBufferSize = 64 << 10 // bytes that may wait
)

// NewLog returns a log that writes lines of the level and above to out. Close it last.
func NewLog(out io.Writer, level slog.Leveler) *Log {
	l := &lineBuffer{out: out, buffer: make([]byte, 0, logBufferSize)}
	handler := slog.NewJSONHandler(l, &slog.HandlerOptions{Level: level})
	return &Log{Logger: slog.New(&flushOnWarn{handler, l}), lines: l}
}

// Close writes what waits. Later lines are written one by one.
func (l *Log) Close() {
	l.lines.mu.Lock()
	defer l.lines.mu.Unlock()
	l.lines.closed = true
	l.lines.flush()
}

// lineBuffer holds lines back for a moment. Failing to write one is no one's to hear of, as with every log.
type lineBuffer struct {
	out io.Writer

	mu     sync.Mutex
	buffer []byte
	timer  *time.Timer // set while lines wait
	closed bool
}

// Write takes one or more whole lines.
func (l *lineBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buffer)+len(line) > logBufferSize {
		l.flush()
	}
	l.buffer = append(l.buffer, line...)
	switch {
	case l.closed:
		l.flush()
	case l.timer == nil:
		l.timer = time.AfterFunc(logDelay, l.flushLater)
	}
	return len(line), nil
}

func (l *lineBuffer) flushLater() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = nil
	l.flush()
}

// flush needs mu.
func (l *lineBuffer) flush() {
	if len(l.buffer) > 0 {
		_, _ = l.out.Write(l.buffer)
		l.buffer = l.buffer[:0]
	}
}

// flushOnWarn is a handler whose warnings and errors are written at once.
type flushOnWarn struct {
	slog.Handler
	lines *lineBuffer
}

func (h *flushOnWarn) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.lines.mu.Lock()
		defer h.lines.mu.Unlock()
		h.lines.flush()
	}
	return err //nolint:wrapcheck // the handler's own
}

func (h *flushOnWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &flushOnWarn{h.Handler.WithAttrs(attrs), h.lines}
}

func (h *flushOnWarn) WithGroup(name string) slog.Handler {
	return &flushOnWarn{h.Handler.WithGroup(name), h.lines}
}
