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
	lines *lines
}

const (
	logDelay = 100 * time.Millisecond
	logRoom  = 64 << 10 // bytes that may wait
)

// NewLog returns a log that writes lines of the level and above to out. Close it last.
func NewLog(out io.Writer, level slog.Leveler) *Log {
	l := &lines{out: out, room: make([]byte, 0, logRoom)}
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

// lines holds lines back for a moment. Failing to write one is no one's to hear of, as with every log.
type lines struct {
	out io.Writer

	mu     sync.Mutex
	room   []byte
	timer  *time.Timer // set while lines wait
	closed bool
}

// Write takes one or more whole lines.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.room)+len(line) > logRoom {
		l.flush()
	}
	l.room = append(l.room, line...)
	switch {
	case l.closed:
		l.flush()
	case l.timer == nil:
		l.timer = time.AfterFunc(logDelay, l.flushSoon)
	}
	return len(line), nil
}

func (l *lines) flushSoon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = nil
	l.flush()
}

// flush needs mu.
func (l *lines) flush() {
	if len(l.room) > 0 {
		_, _ = l.out.Write(l.room)
		l.room = l.room[:0]
	}
}

// flushOnWarn is a handler whose warnings and errors are written at once.
type flushOnWarn struct {
	slog.Handler
	lines *lines
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
