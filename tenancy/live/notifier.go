package live

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	// lookEvery is how often a waiter polls. It is the delay that a lost notification costs.
	lookEvery = time.Second
	// lookSeldom is how often a waiter polls while heartbeats show that nothing was lost.
	lookSeldom = 10 * time.Second

	// pause is how long this process waits after a notification, so that one notification covers many
	// changes.
	pause = 5 * time.Millisecond
	// failurePause is the pause after a failure of Redis.
	failurePause = time.Second
	// linger is how long this process stays subscribed to an organization that nobody waits for.
	linger = time.Minute

	prefix = "rowhouse:bell:"
)

// A Notifier notifies waiters in every process that shares one Redis that an organization has changed.
// A notification carries no data and may be lost or spurious, so waiters also poll: every second, or
// every ten while heartbeats show that nothing was lost. Its methods are safe for concurrent use. A nil
// Notifier notifies nobody.
type Notifier struct {
	client *redis.Client
	log    *slog.Logger
	name   string // of this process among those that share the Redis

	rung  chan struct{} // has a value when changed is not empty
	asked chan struct{} // has a value when a group is not subscribed to

	mu        sync.Mutex
	changed   map[uuid.UUID]bool // organizations whose changes are not published yet
	jobs      []orgJob           // not published yet, one of each job
	onJob     func(org uuid.UUID, e JobEvent)
	listeners map[uuid.UUID]*group
	pubsub    *redis.PubSub // nil until somebody listens
	pulse     pulse
	closed    chan struct{}
	done      sync.WaitGroup
}

// A group is the waiters for one organization in this process.
type group struct {
	members    map[*Waiter]bool
	idleSince  time.Time // when the last waiter left
	subscribed bool
}

// A Waiter waits for changes of one organization.
type Waiter struct {
	// C gets a value when something has changed since C was last read.
	C <-chan struct{}

	wake     chan struct{}
	notifier *Notifier
	org      uuid.UUID
}

// NewNotifier returns a notifier. client is not used before the first change or the first listener.
func NewNotifier(client *redis.Client, log *slog.Logger) *Notifier {
	b := &Notifier{
		client: client, log: log, name: rand.Text(), rung: make(chan struct{}, 1), asked: make(chan struct{}, 1),
		changed:   map[uuid.UUID]bool{},
		listeners: map[uuid.UUID]*group{}, closed: make(chan struct{}), pulse: pulse{peers: map[string]*peer{}},
	}
	b.done.Go(b.publish)
	return b
}

// Close ends the notifier, before the client is closed.
func (b *Notifier) Close() {
	b.mu.Lock()
	close(b.closed)
	pubsub := b.pubsub
	b.mu.Unlock()
	if pubsub != nil {
		_ = pubsub.Close()
	}
	b.done.Wait()
}

// Notify says that an organization has changed. It is called after each commit, so it neither waits nor
// fails.
func (b *Notifier) Notify(org uuid.UUID) {
	if b == nil {
		return
	}
	b.mu.Lock()
	b.changed[org] = true
	b.wake(org)
	b.mu.Unlock()
	signal(b.rung)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it has a value already
	}
}

// wake notifies the listeners of this process. The caller has locked.
func (b *Notifier) wake(org uuid.UUID) {
	group := b.listeners[org]
	if group == nil {
		return
	}
	for l := range group.members {
		signal(l.wake)
	}
}

// publish notifies the other processes.
func (b *Notifier) publish() {
	wait := time.NewTimer(0)
	defer wait.Stop()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	failing, beats := false, int64(0)
	for due := false; ; {
		select {
		case <-b.closed:
			_ = b.send(b.takeChanged(), b.takeJobs(), goodbye) // a process that misses it polls each second for a while
			return
		case <-b.rung:
		case <-beat.C:
			due = true
		}
		changed, jobs, number := b.takeChanged(), b.takeJobs(), int64(0)
		if due {
			beats++
			number = beats
		}
		silent := pause
		if err := b.send(changed, jobs, number); err != nil {
			silent = failurePause
			if !failing {
				b.log.Warn("changes could not be announced in Redis; waiters look each second", slog.Any("error", err))
			}
			b.putBack(changed)
			failing = true
		} else {
			failing, due = false, false
		}
		wait.Reset(silent)
		select {
		case <-b.closed:
		case <-wait.C:
		}
	}
}

func (b *Notifier) takeChanged() map[uuid.UUID]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	changed := b.changed
	b.changed = make(map[uuid.UUID]bool, len(changed))
	return changed
}

// putBack has organizations sent with the next ones, before the next heartbeat.
func (b *Notifier) putBack(changed map[uuid.UUID]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(b.changed, changed)
}

// send publishes events of jobs, which organizations have changed, and then, unless number is 0, the heartbeat with
// that number, which says that all changes before it were published.
func (b *Notifier) send(changed map[uuid.UUID]bool, jobs []orgJob, number int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := b.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		b.sendJobs(ctx, p, jobs)
		for org := range changed {
			p.Publish(ctx, prefix+org.String(), b.name)
		}
		if number != 0 {
			p.Publish(ctx, heart, b.name+" "+strconv.FormatInt(number, 10))
		}
		return nil
	})
	return err
}

// Listen begins to wait for changes of an organization. Earlier changes do not notify it, so listen
// before you read. Close the listener.
func (b *Notifier) Listen(org uuid.UUID) *Waiter {
	wake := make(chan struct{}, 1)
	l := &Waiter{C: wake, wake: wake, notifier: b, org: org}
	if b == nil {
		return l
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isClosed() {
		return l
	}
	if b.pubsub == nil {
		b.pubsub = b.client.Subscribe(context.Background())
		messages := b.pubsub.ChannelWithSubscriptions(redis.WithChannelSize(1000),
			redis.WithChannelSendTimeout(time.Second))
		b.done.Go(func() { b.receive(messages) })
		b.done.Go(b.subscribe)
		b.done.Go(b.listenToBeats)
	}
	of := b.listeners[org]
	if of == nil {
		of = &group{members: map[*Waiter]bool{}}
		b.listeners[org] = of
		signal(b.asked)
	}
	of.members[l] = true
	return l
}

// Close ends the wait.
func (l *Waiter) Close() {
	if l.notifier == nil {
		return
	}
	l.notifier.mu.Lock()
	defer l.notifier.mu.Unlock()
	if of := l.notifier.listeners[l.org]; of != nil {
		delete(of.members, l)
		of.idleSince = time.Now()
	}
}

func (b *Notifier) isClosed() bool {
	select {
	case <-b.closed:
		return true
	default:
		return false
	}
}

// receive passes on notifications of other processes. Waiters in this process are notified directly.
func (b *Notifier) receive(messages <-chan any) {
	for message := range messages {
		switch m := message.(type) {
		case *redis.Subscription: // notifications before it, as while the connection was lost, were missed
			if m.Kind == "subscribe" {
				b.wakeChannel(m.Channel)
			}
		case *redis.Message:
			switch {
			case m.Channel == heart:
				b.receiveBeat(m.Payload, time.Now())
			case strings.HasPrefix(m.Payload, jobMark):
				b.receiveJob(m.Channel, m.Payload)
			case m.Payload != b.name:
				b.wakeChannel(m.Channel)
			}
		}
	}
}

func (b *Notifier) wakeChannel(channel string) {
	org, err := uuid.Parse(strings.TrimPrefix(channel, prefix))
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wake(org)
}

// subscribe adjusts the subscriptions to the listeners. It locks nothing while it waits for Redis,
// which may be slow; if Redis is down, it subscribes when Redis returns.
func (b *Notifier) subscribe() {
	ticker := time.NewTicker(linger / 2)
	defer ticker.Stop()
	_ = b.pubsub.Subscribe(context.Background(), heart)
	for {
		select {
		case <-b.closed:
			return
		case <-b.asked:
		case <-ticker.C:
		}
		wanted, idle := b.subscriptions(time.Now().Add(-linger))
		if len(wanted) > 0 {
			_ = b.pubsub.Subscribe(context.Background(), wanted...)
		}
		if len(idle) > 0 {
			_ = b.pubsub.Unsubscribe(context.Background(), idle...)
		}
	}
}

// subscriptions lists the channels to subscribe to, and the channels without listeners since a time.
func (b *Notifier) subscriptions(since time.Time) (wanted, idle []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for org, of := range b.listeners {
		switch {
		case len(of.members) == 0 && of.idleSince.Before(since):
			delete(b.listeners, org)
			idle = append(idle, prefix+org.String())
		case !of.subscribed:
			of.subscribed = true
			wanted = append(wanted, prefix+org.String())
		}
	}
	return wanted, idle
}
