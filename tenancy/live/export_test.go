package live

// Hears reports whether it has heard the other's beats, twice in a row.
func (b *Notifier) Hears(other *Notifier) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pulse.peers[other.name]
	return p != nil && p.number > 1
}
