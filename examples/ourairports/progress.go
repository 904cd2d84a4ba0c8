package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress shows how far loading has got: on a terminal in one line that is updated, elsewhere in a
// new line every few seconds.
type progress struct {
	to       io.Writer
	terminal bool

	mu      sync.Mutex
	table   string
	done    int
	total   int
	started time.Time
	shown   time.Time
}

func newProgress(to io.Writer) *progress {
	p := &progress{to: to}
	if f, ok := to.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

func (p *progress) begin(table string, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table, p.done, p.total, p.started, p.shown = table, 0, all, time.Now(), time.Now()
}

func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	every := 2 * time.Second
	if p.terminal {
		every = 100 * time.Millisecond
	}
	if time.Since(p.shown) >= every {
		p.show()
		if !p.terminal {
			fmt.Fprintln(p.to)
		}
	}
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.show()
	fmt.Fprintln(p.to)
}

func (p *progress) show() {
	p.shown = time.Now()
	start := ""
	if p.terminal {
		start = "\r\x1b[K"
	}
	fmt.Fprintf(p.to, "%s%-12s %6d of %6d  %6.1f s", start, p.table, p.done, p.total, time.Since(p.started).Seconds())
}
