package live

import (
	"strconv"
	"strings"
	"time"
)

// Each process says once a second that it has published all its changes. All its messages arrive in
// order on one connection, so a process that receives every heartbeat has received every notification
// before it.
const (
	beatEvery = time.Second
	// late is the time without a heartbeat of a process after which its notifications may be lost.
	late = 2500 * time.Millisecond
	// mourning is how long waiters poll each second after a process fell silent: it may be running
	// without reaching Redis.
	mourning = time.Minute

	heart = prefix + "heart"
	// goodbye is the last heartbeat of a process.
	goodbye = -1
)

// A pulse is what a process has received of the heartbeats of all processes, including itself.
type pulse struct {
	peers  map[string]*peer
	proven bool
}

// A peer is a process that sends heartbeats.
type peer struct {
	number int64
	at     time.Time // when it was last received
	silent bool
}

// LookAfter returns the time after which to poll without a notification.
func (l *Waiter) LookAfter() time.Duration {
	if l.notifier == nil {
		return lookEvery
	}
	l.notifier.mu.Lock()
	defer l.notifier.mu.Unlock()
	if l.notifier.pulse.proven {
		return lookSeldom
	}
	return lookEvery
}

// receiveBeat records a heartbeat. If one before it is missing, notifications may be missing too, and
// it wakes all waiters.
func (b *Notifier) receiveBeat(payload string, now time.Time) {
	name, text, _ := strings.Cut(payload, " ")
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if number == goodbye {
		delete(b.pulse.peers, name)
		return
	}
	known := b.pulse.peers[name]
	if known != nil && number != known.number+1 {
		b.wakeAll()
	}
	b.pulse.peers[name] = &peer{number: number, at: now}
	b.judge(now)
}

// listenToBeats detects missing heartbeats.
func (b *Notifier) listenToBeats() {
	ticker := time.NewTicker(beatEvery / 2)
	defer ticker.Stop()
	for {
		select {
		case <-b.closed:
			return
		case now := <-ticker.C:
			b.mu.Lock()
			b.judge(now)
			b.mu.Unlock()
		}
	}
}

// judge finds out whether notifications are proven to arrive. It wakes all waiters when a process has
// fallen silent, because that may have died between a commit and its notification. The caller has
// locked.
func (b *Notifier) judge(now time.Time) {
	proven := true
	for name, p := range b.pulse.peers {
		silence := now.Sub(p.at)
		switch {
		case silence > late+mourning:
			delete(b.pulse.peers, name)
		case silence > late:
			proven = false
			if !p.silent {
				p.silent = true
				b.wakeAll()
			}
		}
	}
	b.pulse.proven = proven && b.pulse.peers[b.name] != nil
}

// wakeAll wakes all waiters of this process. The caller has locked.
func (b *Notifier) wakeAll() {
	for org := range b.listeners {
		b.wake(org)
	}
}
