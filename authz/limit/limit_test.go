package limit

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A clock is a manual clock.
type clock struct{ now time.Time }

func (c *clock) advance(d time.Duration) { c.now = c.now.Add(d) }

// newTestLimiter returns a limiter with a manual clock and without Redis.
func newTestLimiter(t *testing.T) (*Limiter, *clock) {
	t.Helper()
	c := &clock{time.Now()}
	l := New(nil, Options{Callers: 10})
	l.now = func() time.Time { return c.now }
	t.Cleanup(l.Close)
	return l, c
}

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := credential.ClientOptions(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func count(l *Limiter, rate Rate, name string, tries int) (allowed int) {
	for range tries {
		if l.Take(rate, name).Allowed {
			allowed++
		}
	}
	return allowed
}

func TestLimiterAllowsTheBurstAndThenTheRate(t *testing.T) {
	t.Parallel()
	l, clock := newTestLimiter(t)
	rate := Rate{"test", 10, 5}
	if got := count(l, rate, "a", 20); got != 5 {
		t.Fatalf("%d of a burst of 5 were allowed", got)
	}
	if state := l.Take(rate, "a"); state.RetryAfter != 100*time.Millisecond || state.Remaining != 0 {
		t.Fatalf("refused with %+v", state)
	}
	if got := count(l, rate, "b", 20); got != 5 {
		t.Fatalf("another caller was allowed %d", got)
	}
	clock.advance(300 * time.Millisecond)
	if got := count(l, rate, "a", 20); got != 3 {
		t.Fatalf("after 300 ms at ten a second, %d were allowed", got)
	}
	clock.advance(time.Hour)
	if got := count(l, rate, "a", 20); got != 5 {
		t.Fatalf("after an hour, %d were allowed", got)
	}
}

func TestRejectedRequestConsumesNothing(t *testing.T) {
	t.Parallel()
	l, clock := newTestLimiter(t)
	rate := Rate{"test", 1, 1}
	count(l, rate, "a", 1000)
	clock.advance(time.Second)
	if !l.Take(rate, "a").Allowed {
		t.Error("rejected requests extended the wait")
	}
}

func TestPeekConsumesNothing(t *testing.T) {
	t.Parallel()
	l, _ := newTestLimiter(t)
	rate := Rate{"test", 1, 1}
	for range 5 {
		if !l.Peek(rate, "a").Allowed {
			t.Fatal("Peek consumed a permission")
		}
	}
	l.Take(rate, "a")
	if l.Peek(rate, "a").Allowed {
		t.Error("Peek returns a permission that was consumed")
	}
}

func TestNumberOfCallersIsBounded(t *testing.T) {
	t.Parallel()
	l, _ := newTestLimiter(t)
	for i := range 1000 {
		l.Take(Rate{"test", 1, 1}, fmt.Sprint(i))
	}
	if len(l.callers) > 10 {
		t.Errorf("%d callers are in memory, the option says 10", len(l.callers))
	}
}

func TestProcessesShareALimitThroughRedis(t *testing.T) {
	t.Parallel()
	rate := Rate{"test", 0.01, 10} // nothing is replenished while this runs
	name := uuid.NewString()
	one, other := New(client(t, tenancytest.RedisURL(t)), Options{}), New(client(t, tenancytest.RedisURL(t)), Options{})
	if got := count(one, rate, name, 8); got != 8 {
		t.Fatalf("%d of 8 were allowed", got)
	}
	one.Close() // reports to Redis
	if !other.Take(rate, name).Allowed {
		t.Fatal("a process without a report yet rejects")
	}
	if err := other.sync(); err != nil {
		t.Fatal(err)
	}
	if got := count(other, rate, name, 10); got != 1 {
		t.Errorf("8 of 10 were consumed elsewhere and 1 here, and %d more are allowed", got)
	}
	other.Close()
}

func TestLimiterWorksWithoutRedis(t *testing.T) {
	t.Parallel()
	l := New(client(t, "redis://127.0.0.1:1"), Options{Interval: time.Millisecond, Pause: time.Millisecond})
	defer l.Close()
	if got := count(l, Rate{"test", 0.01, 5}, "a", 20); got != 5 {
		t.Fatalf("%d of a burst of 5 were allowed", got)
	}
	if err := l.sync(); err == nil {
		t.Fatal("Redis answered")
	}
	l.mu.Lock()
	unreported := l.callers["limit:test:a"].unreported
	l.mu.Unlock()
	if unreported == 0 {
		t.Error("consumption was dropped before it was reported to Redis")
	}
}

func TestRateLimitHeaders(t *testing.T) {
	t.Parallel()
	l, _ := newTestLimiter(t)
	g := NewGuard(Policy{Credential: Rate{PerSecond: 2, Burst: 4}}, l, NewBulkhead(BulkheadOptions{}), nil)
	h := http.Header{}
	if err := g.Credential(h, "key_1"); err != nil {
		t.Fatal(err)
	}
	if got := h.Get("RateLimit-Policy"); got != `"credential";q=4;w=2` {
		t.Errorf("RateLimit-Policy: %s", got)
	}
	if got := h.Get("RateLimit"); got != `"credential";r=3;t=1` {
		t.Errorf("RateLimit: %s", got)
	}
	var err error
	for range 4 {
		err = g.Credential(h, "key_1")
	}
	if problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("the fifth of four: %v", err)
	}
	if got := h.Get("RateLimit"); got != `"credential";r=0;t=2` {
		t.Errorf("RateLimit: %s", got)
	}
}

// Many clients share one address, for example behind a NAT gateway or at a hosting provider.
func TestAddressLimitRejectsOnlyInvalidCredentials(t *testing.T) {
	t.Parallel()
	l, _ := newTestLimiter(t)
	g := NewGuard(Policy{Address: Rate{PerSecond: 1, Burst: 3}}, l, NewBulkhead(BulkheadOptions{}),
		func(r *http.Request) string { return r.RemoteAddr })
	call := func(address, credential string) error {
		r := &http.Request{URL: &url.URL{}, RemoteAddr: address, Header: http.Header{}}
		if credential != "" {
			r.Header.Set("Authorization", "Bearer "+credential)
		}
		_, err := g.Admit(http.Header{}, r, func(*http.Request) (*authz.Principal, error) {
			if credential == "good" {
				return &authz.Principal{Credential: credential}, nil
			}
			return nil, problem.Unauthenticated("No.")
		})
		return err
	}
	for i := range 10 { // clients discover where to sign in
		if err := call("192.0.2.1", ""); problem.KindOf(err) != problem.KindUnauthenticated {
			t.Fatalf("request %d without a credential: %v", i, err)
		}
	}
	for i := range 3 {
		if err := call("192.0.2.1", "bad"); problem.KindOf(err) != problem.KindUnauthenticated {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	if err := call("192.0.2.1", "bad"); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("the fourth guess of three: %v", err)
	}
	if err := call("192.0.2.1", "good"); err != nil {
		t.Errorf("a valid credential behind the same address: %v", err)
	}
	if err := call("192.0.2.1", ""); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("no credential behind the same address: %v", err)
	}
	if err := call("192.0.2.2", "bad"); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("another address is limited: %v", err)
	}
}

func TestValidCredentialCountsAgainstItselfOnly(t *testing.T) {
	t.Parallel()
	l, _ := newTestLimiter(t)
	g := NewGuard(Policy{Credential: Rate{PerSecond: 1, Burst: 2}, Address: Rate{PerSecond: 1, Burst: 1}}, l,
		NewBulkhead(BulkheadOptions{}), func(r *http.Request) string { return r.RemoteAddr })
	call := func(credential string) error {
		_, err := g.Admit(http.Header{}, &http.Request{URL: &url.URL{}, RemoteAddr: "192.0.2.1"},
			func(*http.Request) (*authz.Principal, error) {
				return &authz.Principal{Credential: credential}, nil
			})
		return err
	}
	for _, credential := range []string{"a", "a", "b", "b"} {
		if err := call(credential); err != nil {
			t.Fatal(err)
		}
	}
	if err := call("a"); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("the third request of two: %v", err)
	}
}

func TestRateLimitedCredentialIsRejectedWithoutLookup(t *testing.T) {
	t.Parallel()
	l, clock := newTestLimiter(t)
	g := NewGuard(Policy{Credential: Rate{PerSecond: 1, Burst: 2}}, l, NewBulkhead(BulkheadOptions{}),
		func(*http.Request) string { return "" })
	lookUps := 0
	call := func() error {
		r := &http.Request{URL: &url.URL{}, Header: http.Header{"X-Api-Key": {"secret"}}}
		_, err := g.Admit(http.Header{}, r, func(*http.Request) (*authz.Principal, error) {
			lookUps++
			return &authz.Principal{Credential: "key_1"}, nil
		})
		return err
	}
	for range 10 {
		_ = call()
	}
	if lookUps != 3 { // the third exceeds the limit
		t.Errorf("%d look-ups for two requests that were allowed", lookUps)
	}
	clock.advance(time.Second)
	if err := call(); err != nil {
		t.Errorf("after a second: %v", err)
	}
}

func TestHeavyCallsTakeTurns(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	g := NewGuard(Policy{}, limiter, NewBulkhead(BulkheadOptions{Max: 8, Share: 1}), nil)
	first, second := uuid.New(), uuid.New()
	leave, err := g.EnterHeavy(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan uuid.UUID, 10)
	var all sync.WaitGroup
	wait := func(org uuid.UUID, orgs, process int) {
		all.Go(func() {
			leave, err := g.EnterHeavy(t.Context(), org)
			if err != nil {
				t.Error(err)
				return
			}
			order <- org
			leave()
		})
		for {
			_, ofOrg := g.heavy.InFlight(org.String())
			_, ofProcess := g.process.InFlight("")
			if ofOrg == orgs && ofProcess == process {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	wait(first, 1, 0)
	wait(first, 2, 0)
	wait(second, 0, 1)
	leave()
	all.Wait()
	if got := <-order; got != second {
		t.Error("an organization's later calls come before another's")
	}
}

// Requests without a credential, of all organizations together, leave processors to people with one.
func TestAnonymousPagesTakeTurns(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	g := NewGuard(Policy{}, limiter, NewBulkhead(BulkheadOptions{Max: 8, Share: 2}), nil)
	var entered []func()
	for range 2 {
		leave, err := g.EnterPage(t.Context(), uuid.New())
		if err != nil {
			t.Fatal(err)
		}
		entered = append(entered, leave)
	}
	third := make(chan error)
	go func() {
		leave, err := g.EnterPage(t.Context(), uuid.New())
		if err == nil {
			leave()
		}
		third <- err
	}()
	for waiting := 0; waiting == 0; _, waiting = g.pages.InFlight("") {
		select {
		case err := <-third:
			t.Fatalf("a third page was made at once: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if leave, err := g.EnterHeavy(t.Context(), uuid.New()); err != nil {
		t.Error("pages for anybody keep a person's call from running:", err)
	} else {
		leave()
	}
	for _, leave := range entered {
		leave()
	}
	if err := <-third; err != nil {
		t.Error(err)
	}
	if running, waiting := g.pages.InFlight(""); running+waiting > 0 {
		t.Errorf("%d run and %d wait at the end", running, waiting)
	}
}

func TestRefusedStatementsAreLimitedByOrganization(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	g := NewGuard(Policy{}, limiter, NewBulkhead(BulkheadOptions{}), nil)
	org := uuid.New()
	for i := range refusedStatements.Burst {
		refused, err := g.EnterStatement(org)
		if err != nil {
			t.Fatalf("after %d refusals: %v", i, err)
		}
		refused()
	}
	if _, err := g.EnterStatement(org); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("after %d refusals: %v", refusedStatements.Burst, err)
	}
	for range 2 * refusedStatements.Burst { // those that run do not count
		if _, err := g.EnterStatement(uuid.New()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnonymousRequestsAreBoundedByAddressAndByName(t *testing.T) {
	t.Parallel()
	limiter := New(nil, Options{})
	t.Cleanup(limiter.Close)
	bulkhead := NewBulkhead(BulkheadOptions{Max: 8, Share: 1, Wait: time.Millisecond})
	g := NewGuard(Policy{}, limiter, bulkhead, func(r *http.Request) string { return r.RemoteAddr })
	from := func(address string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = address
		return r
	}
	org := uuid.New()
	for i, c := range []struct {
		address, name string
		enters        bool
	}{{"a", "x", true}, {"a", "y", true}, {"a", "z", false}, {"b", "x", true}, {"c", "x", false}, {"c", "y", true}} {
		if _, err := g.EnterAnonymous(from(c.address), org, c.name); (err == nil) != c.enters {
			t.Errorf("%d: %v", i, err)
		}
	}
	if running, _ := bulkhead.InFlight("public:" + org.String()); running != 4 {
		t.Errorf("%d run in the bulkhead of organizations, want 4", running)
	}
}
