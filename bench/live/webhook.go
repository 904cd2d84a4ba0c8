package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	webhookRate = 1000 // changes a second
	webhookSize = 10   // changes of a request
)

// A webhookFigure is one line of the report.
type webhookFigure struct {
	What      string  `json:"what"`
	Changes   int     `json:"changes"`
	PerSecond float64 `json:"perSecond,omitempty"`
	Seconds   float64 `json:"seconds,omitempty"`
	P50Millis float64 `json:"p50Millis,omitempty"`
	P99Millis float64 `json:"p99Millis,omitempty"`
	Messages  int     `json:"messages,omitempty"`
	Lost      int     `json:"lost"`
	Times     float64 `json:"times,omitempty"`
	Target    string  `json:"target,omitempty"`
}

// A webhookLoad is a base whose changes webhooks receive.
type webhookLoad struct {
	*service

	key, base, table string
	replay           int
	length           time.Duration
}

// measureWebhooks measures one webhook, ten next to a dead one, and a replay.
func (s *service) measureWebhooks(ctx context.Context, set *settings, redisURL string) error {
	teams, err := s.teams(ctx, redisURL, 1, 1)
	if err != nil {
		return err
	}
	l := &webhookLoad{
		service: s, key: teams[0].keys[0], base: teams[0].base, replay: set.replay, length: set.length,
	}
	figures, err := l.measure(ctx)
	fmt.Printf("%d processors\n", runtime.NumCPU())
	encoder := json.NewEncoder(os.Stdout)
	for _, f := range figures {
		err = errors.Join(err, encoder.Encode(f))
	}
	return err
}

func (l *webhookLoad) call(ctx context.Context, method, path string, body, answer any) error {
	if answer == nil {
		answer = &struct{}{}
	}
	return l.ask(ctx, l.key, method, "/api/v1"+path, body, answer)
}

// newTable makes another table, which the load writes to from now on.
func (l *webhookLoad) newTable(ctx context.Context) error {
	var made struct{ ID string }
	err := l.call(ctx, http.MethodPost, "/bases/"+l.base+"/tables", map[string]any{
		"name": fmt.Sprintf("Rows %d", time.Now().UnixNano()),
		"fields": []any{
			map[string]any{"name": "Name", "type": "text"}, map[string]any{"name": "Number", "type": "number"},
		},
	}, &made)
	l.table = made.ID
	return err
}

// create makes records.
func (l *webhookLoad) create(ctx context.Context, count int) error {
	records := make([]any, count)
	for i := range records {
		records[i] = map[string]any{"fields": map[string]any{"Name": "Some name of a record", "Number": i}}
	}
	return l.call(ctx, http.MethodPost, "/tables/"+l.table+"/records", map[string]any{"records": records}, nil)
}

// percentile returns the value below which a share of the durations is, in milliseconds.
func percentile(took []time.Duration, share float64) float64 {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	at := min(int(share*float64(len(took))), len(took)-1)
	return float64(took[at].Microseconds()) / 1000
}

// A receiver is the server of a webhook. It measures how long after their time changes arrive. A
// change gets its time before it is committed, so the figures are no smaller than delays from the
// commit.
type receiver struct {
	*httptest.Server

	mu       sync.Mutex
	seen     map[string]bool
	took     []time.Duration
	messages int
}

func newReceiver() *receiver {
	r := &receiver{seen: map[string]bool{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		now := time.Now()
		var message struct {
			Data struct {
				Changes []struct {
					Cursor  string
					Version int64
				}
			}
		}
		raw, err := io.ReadAll(request.Body)
		if err == nil {
			err = json.Unmarshal(raw, &message)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.messages++
		for _, c := range message.Data.Changes {
			if !r.seen[c.Cursor] {
				r.seen[c.Cursor] = true
				r.took = append(r.took, now.Sub(time.UnixMicro(c.Version)))
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	return r
}

// take returns what has arrived, and clears it.
func (r *receiver) take() (took []time.Duration, messages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	took, messages = r.took, r.messages
	r.took, r.messages = nil, 0
	clear(r.seen)
	return took, messages
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.took)
}

// await waits until a number of changes has arrived, or some time without any, and returns how many
// are missing.
func await(ctx context.Context, changes int, receivers ...*receiver) (missing int) {
	last, at := -1, time.Now()
	for ctx.Err() == nil {
		missing = 0
		for _, r := range receivers {
			missing += max(0, changes-r.count())
		}
		if missing != last {
			last, at = missing, time.Now()
		}
		if missing == 0 || time.Since(at) > 20*time.Second {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return missing
}

// hook makes a webhook of the current table's records.
func (l *webhookLoad) hook(ctx context.Context, address, cursor string) error {
	return l.call(ctx, http.MethodPost, "/bases/"+l.base+"/webhooks", map[string]any{
		"url": address, "tables": []string{l.table}, "kinds": []string{"created"}, "includeValues": true,
		"cursor": cursor,
	}, nil)
}

// write writes at a rate for some time, and returns how many changes were made.
func (l *webhookLoad) write(ctx context.Context, rate int, length time.Duration) (int, error) {
	var made, failed atomic.Int64
	var failure atomic.Value
	var all sync.WaitGroup
	slots := make(chan struct{}, 16)
	began := time.Now()
	for sent := 0; time.Since(began) < length && ctx.Err() == nil; {
		if due := int(time.Since(began).Seconds() * float64(rate)); sent >= due {
			time.Sleep(time.Millisecond)
			continue
		}
		sent += webhookSize
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := l.create(ctx, webhookSize); err != nil {
				failed.Add(1)
				failure.Store(err)
				return
			}
			made.Add(int64(webhookSize))
		})
	}
	all.Wait()
	if failed.Load() > 0 {
		return int(made.Load()), fmt.Errorf("%d requests failed, such as: %w", failed.Load(), failure.Load().(error))
	}
	return int(made.Load()), nil
}

func (l *webhookLoad) measure(ctx context.Context) (figures []webhookFigure, err error) {
	for _, part := range []func(context.Context) ([]webhookFigure, error){l.latency, l.dead, l.replayed} {
		if err := l.newTable(ctx); err != nil {
			return figures, err
		}
		got, err := part(ctx)
		figures = append(figures, got...)
		if err != nil {
			return figures, err
		}
	}
	return figures, nil
}

// latency measures one webhook.
func (l *webhookLoad) latency(ctx context.Context) ([]webhookFigure, error) {
	r := newReceiver()
	defer r.Close()
	if err := l.hook(ctx, r.URL, "now"); err != nil {
		return nil, err
	}
	warm, err := l.write(ctx, webhookRate, 2*time.Second)
	if err != nil {
		return nil, err
	}
	await(ctx, warm, r)
	r.take()
	began := time.Now()
	made, err := l.write(ctx, webhookRate, l.length)
	if err != nil {
		return nil, err
	}
	reached := float64(made) / time.Since(began).Seconds()
	lost := await(ctx, made, r)
	took, messages := r.take()
	return []webhookFigure{{
		What:      fmt.Sprintf("change to receiver, %d changes a second in requests of %d", webhookRate, webhookSize),
		Changes:   made,
		PerSecond: reached, P50Millis: percentile(took, 0.5), P99Millis: percentile(took, 0.99), Messages: messages,
		Lost: lost, Target: "p99 at most 250 ms, 0 lost",
	}}, nil
}

const (
	living   = 10  // webhooks next to the dead one
	deadRate = 100 // changes a second, each of which goes to all of them
	rounds   = 4   // with and without the dead one
)

// dead measures webhooks with and without another one whose receiver never responds.
func (l *webhookLoad) dead(ctx context.Context) ([]webhookFigure, error) {
	receivers := make([]*receiver, living)
	for i := range receivers {
		receivers[i] = newReceiver()
		defer receivers[i].Close()
		if err := l.hook(ctx, receivers[i].URL, "now"); err != nil {
			return nil, err
		}
	}
	hung := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hung:
		case <-r.Context().Done():
		}
	}))
	defer silent.Close()
	defer close(hung)
	var made struct{ ID string }
	err := l.call(ctx, http.MethodPost, "/bases/"+l.base+"/webhooks", map[string]any{
		"url": silent.URL, "tables": []string{l.table}, "kinds": []string{"created"},
	}, &made)
	if err != nil {
		return nil, err
	}
	var took [2][]time.Duration
	changes, lost := 0, 0
	for round := range 2 * rounds {
		with := round % 2
		body := map[string]any{"enabled": with == 1}
		if with == 1 {
			body["cursor"] = "now" // its first attempt again
		}
		if err := l.call(ctx, http.MethodPatch, "/bases/"+l.base+"/webhooks/"+made.ID, body, nil); err != nil {
			return nil, err
		}
		count, err := l.write(ctx, deadRate, l.length/4)
		if err != nil {
			return nil, err
		}
		lost += await(ctx, count, receivers...)
		changes += count
		for _, r := range receivers {
			got, _ := r.take()
			took[with] = append(took[with], got...)
		}
	}
	alone, withDead := took[0], took[1]
	what := fmt.Sprintf("%d webhooks, %d changes a second", len(receivers), deadRate)
	first := webhookFigure{
		What: what, Changes: changes / 2, P50Millis: percentile(alone, 0.5), P99Millis: percentile(alone, 0.99),
		Lost: lost,
	}
	second := webhookFigure{
		What: what + ", one more that never answers", Changes: changes / 2, P50Millis: percentile(withDead, 0.5),
		P99Millis: percentile(withDead, 0.99), Target: "at most 1.2 times",
	}
	second.Times = second.P50Millis / first.P50Millis
	return []webhookFigure{first, second}, nil
}

// replayed measures a webhook that begins with the oldest change.
func (l *webhookLoad) replayed(ctx context.Context) ([]webhookFigure, error) {
	if l.replay == 0 {
		return nil, nil
	}
	var all sync.WaitGroup
	var failure atomic.Value
	next := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for range next {
				if err := l.create(ctx, 100); err != nil {
					failure.Store(err)
				}
			}
		})
	}
	for range l.replay / 100 {
		next <- struct{}{}
	}
	close(next)
	all.Wait()
	if err, ok := failure.Load().(error); ok {
		return nil, err
	}
	r := newReceiver()
	defer r.Close()
	began := time.Now()
	if err := l.hook(ctx, r.URL, "earliest"); err != nil {
		return nil, err
	}
	lost := await(ctx, l.replay, r)
	seconds := time.Since(began).Seconds()
	_, messages := r.take()
	return []webhookFigure{{
		What: "replay", Changes: l.replay, Seconds: seconds, PerSecond: float64(l.replay-lost) / seconds,
		Messages: messages, Lost: lost, Target: "at most 60 s for 100,000",
	}}, nil
}
