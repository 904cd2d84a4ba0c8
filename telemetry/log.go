package telemetry

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A Log writes JSON lines in batches, because one write per line would cost a busy service a system
// call and a wake-up for every request. A line is delayed by at most logDelay; warnings and errors
// are written immediately, along with the lines before them. A process that is killed loses the
// lines of the last logDelay. Events that must not be lost are in the audit log, in the database.
type Log struct {
	*slog.Logger
	lines *lineBuffer
}

const (
	logDelay      = 100 * time.Millisecond
	logBufferSize = 64 << 10 // bytes
)

// NewLog returns a log that writes records of the level and above to out. Close it last.
func NewLog(out io.Writer, level slog.Leveler) *Log {
	l := &lineBuffer{out: out, buffer: make([]byte, 0, logBufferSize)}
	handler := slog.NewJSONHandler(l, &slog.HandlerOptions{Level: level})
	return &Log{Logger: slog.New(&flushOnWarn{handler, l}), lines: l}
}

// Close writes the buffered lines. Later lines are written one by one.
func (l *Log) Close() {
	l.lines.mu.Lock()
	defer l.lines.mu.Unlock()
	l.lines.closed = true
	l.lines.flush()
}

// lineBuffer buffers lines for at most logDelay. Write errors are ignored, because there is nowhere
// to report them.
type lineBuffer struct {
	out io.Writer

	mu     sync.Mutex
	buffer []byte
	timer  *time.Timer // set while lines are buffered
	closed bool
}

// Write buffers one or more whole lines.
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

// flush writes the buffer. The caller holds mu.
func (l *lineBuffer) flush() {
	if len(l.buffer) > 0 {
		_, _ = l.out.Write(l.buffer)
		l.buffer = l.buffer[:0]
	}
}

// flushOnWarn is a handler that flushes the buffer after warnings and errors.
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
