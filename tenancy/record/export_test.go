package record

import "time"

// Patient makes e take no shared write for a slow one.
func (e *Engine) Patient() { e.writings.slow = time.Hour }

// Waiting is how many writes wait to share a transaction.
func (e *Engine) Waiting() int {
	e.writings.mu.Lock()
	defer e.writings.mu.Unlock()
	n := 0
	for _, l := range e.writings.lines {
		n += len(l.waiting)
	}
	return n
}
