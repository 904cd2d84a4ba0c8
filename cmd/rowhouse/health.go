package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// health serves /healthz, whether the process is alive, and /readyz, whether it should receive
// requests. Neither needs a credential, and neither reveals more than which part is unavailable.
type health struct {
	draining atomic.Bool
	database func(context.Context) error
	redis    func(context.Context) error
	workers  *pacedCheck // nil without Citus
}

// A pacedCheck is made again after a while only: anybody may ask, and it occupies every worker.
type pacedCheck struct {
	check func(context.Context) error

	mu   sync.Mutex
	made time.Time
	err  error
}

const checkPace = 3 * time.Second

func (c *pacedCheck) result(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.made) < checkPace {
		return c.err
	}
	// A caller that disconnects must not make it fail for others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	c.err, c.made = c.check(ctx), time.Now()
	return c.err
}

func (h *health) drain() { h.draining.Store(true) }

// live responds with status 200 as long as the process can respond at all.
func (h *health) live(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready responds with status 200 if requests can be served. Redis is not required: without it,
// PostgreSQL is used. Without a worker of Citus the organizations on the others are served.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	redis := make(chan string, 1)
	go func() { redis <- healthText(h.redis(ctx)) }()
	body := map[string]string{"database": healthText(h.database(ctx)), "redis": <-redis, "status": "ok"}
	if h.workers != nil && body["database"] == "ok" {
		body["workers"] = healthText(h.workers.result(ctx))
	}
	status := http.StatusOK
	switch {
	case h.draining.Load():
		body["status"], status = "stopping", http.StatusServiceUnavailable
	case body["database"] != "ok":
		body["status"], status = "unavailable", http.StatusServiceUnavailable
	case body["workers"] == "unavailable":
		body["status"] = "degraded"
	}
	writeJSON(w, status, body)
}

func healthText(err error) string {
	if err != nil {
		return "unavailable"
	}
	return "ok"
}

func writeJSON(w http.ResponseWriter, status int, body map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have disconnected
}
