package live

// Receives reports whether the notifier has received the other's heartbeats, twice in a row.
func (b *Notifier) Receives(other *Notifier) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pulse.peers[other.name]
	return p != nil && p.number > 1
}
