package live

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	// jobMark begins a message about a job in the channel of an organization. A process of the release before takes it
	// for a notification of changes, and looks for some.
	jobMark = "job "
	// maxJobs bounds the jobs whose events wait for a watcher.
	maxJobs = 100
)

// A JobEvent says how far a job is. It may be lost, and of several only the latest is kept: nothing depends on it.
type JobEvent struct {
	ID     uuid.UUID `json:"id"`
	Base   uuid.UUID `json:"base"` // uuid.Nil while it has none
	Person uuid.UUID `json:"person"`
	// Text is what watchers get who may see the job, as JSON without line breaks.
	Text json.RawMessage `json:"text"`
}

// orgJob is an event of a job of an organization.
type orgJob struct {
	org uuid.UUID
	JobEvent
}

// jobMessage is an event as Redis passes it on.
type jobMessage struct {
	From string `json:"from"` // the name of the process
	JobEvent
}

// OnJob has pass called with the events of jobs of this process, and with those of other processes in organizations
// that somebody listens to.
func (b *Notifier) OnJob(pass func(org uuid.UUID, e JobEvent)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onJob = pass
}

// NotifyJob says how far a job of an organization is, in all processes. It neither waits nor fails.
func (b *Notifier) NotifyJob(org uuid.UUID, e JobEvent) {
	if b == nil {
		return
	}
	b.mu.Lock()
	pending := slices.IndexFunc(b.jobs, func(one orgJob) bool { return one.ID == e.ID })
	if pending < 0 {
		b.jobs = append(b.jobs, orgJob{org, e})
	} else {
		b.jobs[pending].JobEvent = e
	}
	pass := b.onJob
	b.mu.Unlock()
	signal(b.rung)
	if pass != nil {
		pass(org, e)
	}
}

func (b *Notifier) takeJobs() []orgJob {
	b.mu.Lock()
	defer b.mu.Unlock()
	jobs := b.jobs
	b.jobs = nil
	return jobs
}

func (b *Notifier) sendJobs(ctx context.Context, p redis.Pipeliner, jobs []orgJob) {
	for i := range jobs {
		if text, err := json.Marshal(jobMessage{b.name, jobs[i].JobEvent}); err == nil {
			p.Publish(ctx, prefix+jobs[i].org.String(), jobMark+string(text))
		}
	}
}

// receiveJob passes on an event of another process.
func (b *Notifier) receiveJob(channel, payload string) {
	var m jobMessage
	org, err := uuid.Parse(strings.TrimPrefix(channel, prefix))
	if err != nil || json.Unmarshal([]byte(payload[len(jobMark):]), &m) != nil || m.From == b.name {
		return
	}
	b.mu.Lock()
	pass := b.onJob
	b.mu.Unlock()
	if pass != nil {
		pass(org, m.JobEvent)
	}
}

// PassJob passes an event to the watchers in this process whom it may concern: those of the job's base, and its person
// in all bases of the organization.
func (h *Hub) PassJob(org uuid.UUID, e JobEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, of := range h.bases {
		if key.org != org {
			continue
		}
		for w := range of.watchers {
			if w.follower != uuid.Nil && (key.base == e.Base || w.follower == e.Person) {
				w.pushJob(e)
			}
		}
	}
}

// FollowJobs has the watcher, which is of a person, receive events of jobs that are in its base or of that person.
// Callers check whether the person may see them.
func (w *Watcher) FollowJobs(person uuid.UUID) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.follower = person
}

// JobsChanged has a value when Jobs returns something.
func (w *Watcher) JobsChanged() <-chan struct{} { return w.jobsChanged }

// Jobs returns the latest event of each job since the last call.
func (w *Watcher) Jobs() []JobEvent {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	jobs := w.jobs
	w.jobs = nil
	return jobs
}

// pushJob has the watcher receive an event. The caller has locked the hub.
func (w *Watcher) pushJob(e JobEvent) {
	pending := slices.IndexFunc(w.jobs, func(one JobEvent) bool { return one.ID == e.ID })
	switch {
	case pending >= 0:
		w.jobs[pending] = e
	case len(w.jobs) < maxJobs:
		w.jobs = append(w.jobs, e)
	}
	signal(w.jobsChanged)
}
