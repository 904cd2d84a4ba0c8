//go:build chaos

package chaos

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func (e *environment) testRedisDown(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	doomed, doomedKey := e.newKey(n.owner, "data:read")
	path := "/api/v1/tables/" + n.table + "/records?limit=1"
	if status, raw, err := e.request(p, http.MethodGet, path, doomedKey, ""); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, raw, err)
	}
	e.redis.Stop()
	var ok, failed atomic.Int64
	var all sync.WaitGroup
	stop := make(chan struct{})
	for range 8 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				status, raw, err := e.request(p, http.MethodGet, path, n.key, "")
				if err != nil || status != http.StatusOK {
					failed.Add(1)
					t.Logf("%d %s %v", status, raw, err)
					continue
				}
				ok.Add(1)
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	time.Sleep(*outage / 2)
	// Another process revokes the key. PostgreSQL decides, whether or not that process reaches
	// Redis.
	if err := e.keys.Revoke(context.Background(), n.owner, doomed); err != nil {
		t.Fatal(err)
	}
	revoked := time.Now()
	var took time.Duration
	for took == 0 {
		status, _, _ := e.request(p, http.MethodGet, path, doomedKey, "")
		if status == http.StatusUnauthorized {
			took = time.Since(revoked)
		}
		if time.Since(revoked) > 10*time.Second {
			t.Fatal("a revoked key still works")
		}
	}
	time.Sleep(*outage / 2)
	if err := e.redis.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	close(stop)
	all.Wait()
	if status, _, _ := e.request(p, http.MethodGet, path, doomedKey, ""); status != http.StatusUnauthorized {
		t.Errorf("after Redis came back the revoked key gets %d", status)
	}
	if failed.Load() > 0 || took > time.Second {
		t.Errorf("%d failed; revocation took %s", failed.Load(), took)
	}
	report(t, "Redis down", "%s without Redis: %d authentications, %d failed; a key revoked meanwhile was refused "+
		"after %d ms, and still after Redis came back",
		*outage, ok.Load(), failed.Load(), took.Milliseconds())
}

// testDegradedServices makes Redis and then PostgreSQL slow, then silent, and measures response
// times and leftover goroutines.
func (e *environment) testDegradedServices(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	reads := "/api/v1/tables/" + n.table + "/records?limit=1"
	load := func(duration time.Duration) (statuses map[int]int, longest time.Duration) {
		var mu sync.Mutex
		statuses = map[int]int{}
		var all sync.WaitGroup
		until := time.Now().Add(duration)
		for i := range 12 {
			all.Go(func() {
				for time.Now().Before(until) {
					began := time.Now()
					method, path, body := http.MethodGet, reads, ""
					if i%3 == 0 {
						method = http.MethodPost
						path = "/api/v1/tables/" + n.table + "/records"
						body = `{"fields":{"Name":"x"}}`
					}
					status, _, _ := e.request(p, method, path, n.key, body)
					mu.Lock()
					statuses[status]++
					longest = max(longest, time.Since(began))
					mu.Unlock()
				}
			})
		}
		all.Wait()
		return statuses, longest
	}
	load(2 * time.Second)
	e.client.CloseIdleConnections()
	time.Sleep(2 * time.Second)
	base := e.gauge(t, p, "go_goroutines")
	for _, fault := range []struct {
		name, kind string
		attributes map[string]any
	}{
		{"2 s latency", "latency", map[string]any{"latency": 1000}}, // in each direction
		{"a black hole", "timeout", map[string]any{"timeout": 0}},
	} {
		for _, who := range []string{"Redis", "PostgreSQL"} {
			proxy := e.redis
			if who == "PostgreSQL" {
				proxy = e.postgres
			}
			restore := e.degrade(proxy, fault.kind, fault.attributes)
			statuses, longest := load(8 * time.Second)
			restore()
			began := time.Now()
			for {
				if status, _, _ := e.request(p, http.MethodGet, reads, n.key, ""); status == http.StatusOK {
					break
				}
				if time.Since(began) > 60*time.Second {
					t.Fatalf("%s: the service did not recover from %s", who, fault.name)
				}
			}
			recovery := time.Since(began)
			var goroutines float64
			for range 120 {
				e.client.CloseIdleConnections()
				if goroutines = e.gauge(t, p, "go_goroutines"); goroutines <= base+10 {
					break
				}
				time.Sleep(250 * time.Millisecond)
			}
			if statuses[0] > 0 || longest > 35*time.Second || goroutines > base+10 {
				t.Errorf("%s, %s: %v, longest %s, goroutines %v of %v",
					who, fault.name, statuses, longest, goroutines, base)
			}
			if who == "Redis" && len(statuses) != 1 {
				t.Errorf("Redis with %s: %v", fault.name, statuses)
			}
			report(t, who+" with "+fault.name, "responses by status %v, the longest after %.1f s; "+
				"healthy %.1f s after the fault ended; goroutines %v before, %v after",
				statuses, longest.Seconds(), recovery.Seconds(), base, goroutines)
		}
	}
}

// quantile sorts the durations and returns one quantile.
func quantile(d []time.Duration, q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(len(d)-1, int(q*float64(len(d))))]
}
