package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A person who loses a right watches a base, has a webhook of it, and asks for its records by REST and by SQL, while
// records change all the time. Measured is from the answer to the request that takes the right until the last thing
// that the person was given.

const (
	peopleOfEach = 16 // a base has at most 20 webhooks

	changeEvery = 10 * time.Millisecond   // of a record of the base, all the time
	afterwards  = 1500 * time.Millisecond // for which a removal is watched
)

// A watcher is somebody who loses a right.
type watcher struct {
	person, org string
	key, base   string

	mu   sync.Mutex
	last map[string]time.Time // when a surface last gave them something
}

func (w *watcher) given(surface string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last[surface] = time.Now()
}

// measureRemovals takes a right away from one person after the other.
func (s *service) measureRemovals(ctx context.Context, redisURL string, removals int) error {
	teams, err := s.teams(ctx, redisURL, (removals+peopleOfEach-1)/peopleOfEach, 1)
	if err != nil {
		return err
	}
	var current atomic.Pointer[watcher]
	hooks := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if w := current.Load(); w != nil && r.URL.Path == "/"+w.person {
			w.given("webhook")
		}
	}))
	defer hooks.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var writing sync.WaitGroup
	var now atomic.Pointer[team]
	now.Store(teams[0])
	writing.Go(func() { s.keepChanging(ctx, &now) })
	slowest, all := map[string]time.Duration{}, map[string]int{}
	var people []*watcher
	for i := range removals {
		t := teams[i/peopleOfEach]
		if i%peopleOfEach == 0 {
			if people, err = s.people(ctx, redisURL, t, peopleOfEach); err != nil {
				return err
			}
			now.Store(t)
		}
		w := people[i%peopleOfEach]
		current.Store(w)
		done, err := s.remove(ctx, t, w, hooks.URL, i)
		if err != nil {
			return fmt.Errorf("removal %d: %w", i, err)
		}
		w.mu.Lock()
		for surface, last := range w.last {
			slowest[surface] = max(slowest[surface], last.Sub(done))
			all[surface]++
		}
		w.mu.Unlock()
		if (i+1)%20 == 0 {
			fmt.Fprintf(os.Stderr, "%d removals: %v\n", i+1, slowest)
		}
	}
	stop()
	writing.Wait()
	encoder := json.NewEncoder(os.Stdout)
	for _, surface := range []string{"stream", "rest", "sql", "webhook"} {
		if err := encoder.Encode(figure{
			What:  fmt.Sprintf("last given by %s after the removal, the slowest of %d", surface, all[surface]),
			Value: float64(slowest[surface].Microseconds()) / 1000, Unit: "ms", Target: "at most 1000",
		}); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// people makes members of the team's organization.
func (s *service) people(ctx context.Context, redisURL string, t *team, count int) ([]*watcher, error) {
	tenantDB, keys, done, err := s.open(ctx, redisURL)
	if err != nil {
		return nil, err
	}
	defer done()
	var org struct {
		Orgs []struct {
			ID string `json:"id"`
		} `json:"orgs"`
	}
	if err := s.ask(ctx, t.keys[0], "GET", "/api/v1/orgs", nil, &org); err != nil {
		return nil, err
	}
	orgID, err := id.Parse(id.Org, org.Orgs[0].ID)
	if err != nil {
		return nil, fmt.Errorf("reading the organization: %w", err)
	}
	var people []*watcher
	for range count {
		person := id.New()
		err := tenantDB.SystemTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, $2, 'Member')",
				person, person.String()+"@example.com"); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)",
				orgID, person, organization.Viewer)
			return err
		})
		if err != nil {
			return nil, err
		}
		_, key, err := keys.Create(ctx, apikey.Draft{Person: person, Name: "Watcher", Scopes: authz.AllScopes()})
		if err != nil {
			return nil, err
		}
		people = append(people, &watcher{
			person: id.Format(id.User, person), org: org.Orgs[0].ID, key: key, base: t.base,
			last: map[string]time.Time{},
		})
	}
	return people, nil
}

// keepChanging changes the record of the present team until the context ends.
func (s *service) keepChanging(ctx context.Context, now *atomic.Pointer[team]) {
	for n := 0; ctx.Err() == nil; n++ {
		t := now.Load()
		body := map[string]any{"fields": map[string]any{"Amount": n}}
		_ = s.ask(ctx, t.keys[0], "PATCH", "/api/v1/records/"+t.record, body, &struct{}{})
		time.Sleep(changeEvery)
	}
}

// remove lets somebody watch, takes a right from them, and returns when that was answered.
func (s *service) remove(ctx context.Context, t *team, w *watcher, hooks string, i int) (done time.Time, err error) {
	access := "/api/v1/bases/" + t.base + "/access"
	grant := func(role schema.BaseRole) error {
		return s.insist(ctx, t.keys[0], "PATCH", access, map[string]any{
			"restricted": true, "grants": []any{map[string]any{"userId": w.person, "role": role}},
		})
	}
	if err := grant(schema.BaseCreator); err != nil {
		return done, err
	}
	var hook struct{ ID string }
	for range 100 { // until the grant is known
		if err = s.ask(ctx, w.key, "POST", "/api/v1/bases/"+t.base+"/webhooks",
			map[string]any{"url": hooks + "/" + w.person}, &hook); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		return done, err
	}
	watching, stop := context.WithCancel(ctx)
	var surfaces sync.WaitGroup
	defer func() {
		stop()
		surfaces.Wait()
	}()
	ready := make(chan error, 1)
	conn, err := s.listen(w, ready)
	if err != nil {
		return done, err
	}
	defer func() { _ = conn.Close() }()
	if err := <-ready; err != nil {
		return done, err
	}
	surfaces.Go(func() {
		s.poll(watching, w, "rest", "GET", "/api/v1/records/"+t.record, nil)
	})
	surfaces.Go(func() {
		query := map[string]any{"sql": `select "Amount" from "Load"`}
		s.poll(watching, w, "sql", "POST", "/api/v1/bases/"+t.base+"/sql", query)
	})
	time.Sleep(300 * time.Millisecond)
	if i%2 == 0 {
		err = grant(schema.NoRole)
	} else {
		err = s.insist(ctx, t.keys[0], "DELETE", "/api/v1/orgs/"+w.org+"/members/"+w.person, struct{}{})
	}
	if err != nil {
		return done, err
	}
	done = time.Now()
	time.Sleep(afterwards)
	return done, nil
}

// insist makes a call that the limit of requests at once may refuse, until it is not.
func (s *service) insist(ctx context.Context, key, method, path string, body any) error {
	for {
		err := s.ask(ctx, key, method, path, body, &struct{}{})
		if err == nil || !strings.Contains(err.Error(), "too_many_at_once") {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// listen reads a stream, and notes when it has a change.
func (s *service) listen(w *watcher, ready chan<- error) (net.Conn, error) {
	conn, err := net.Dial("tcp", s.host) //nolint:noctx // Closing it ends the read.
	if err != nil {
		return nil, fmt.Errorf("dialling: %w", err)
	}
	request := "GET /api/v1/bases/" + w.base + "/live HTTP/1.1\r\nHost: " + s.host +
		"\r\nAuthorization: Bearer " + w.key + "\r\n\r\n"
	if _, err := io.WriteString(conn, request); err != nil {
		return conn, fmt.Errorf("asking: %w", err)
	}
	go func() {
		begun := false
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			switch line := lines.Text(); {
			case !begun && strings.HasPrefix(line, "event: ready"):
				begun = true
				ready <- nil
			case strings.HasPrefix(line, "event: change"):
				w.given("stream")
			}
		}
		if !begun {
			ready <- fmt.Errorf("the stream of %s did not begin", w.person)
		}
	}()
	return conn, nil
}

// poll asks the same again and again, and notes when the answer is not a refusal.
func (s *service) poll(ctx context.Context, w *watcher, surface, method, path string, body any) {
	for ctx.Err() == nil {
		var answer any
		if err := s.ask(ctx, w.key, method, path, body, &answer); err == nil {
			w.given(surface)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
