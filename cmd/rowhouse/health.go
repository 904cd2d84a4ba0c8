package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"
)

// health serves /healthz, whether the process is alive, and /readyz, whether it should receive
// requests. Neither needs a credential, and neither reveals more than which part is unavailable.
type health struct {
	draining atomic.Bool
	database func(context.Context) error
	redis    func(context.Context) error
}

func (h *health) drain() { h.draining.Store(true) }

// live responds with status 200 as long as the process can respond at all.
func (h *health) live(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready responds with status 200 if requests can be served. Redis is not required: without it,
// PostgreSQL is used.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	redis := make(chan string, 1)
	go func() { redis <- healthText(h.redis(ctx)) }()
	body := map[string]string{"database": healthText(h.database(ctx)), "redis": <-redis, "status": "ok"}
	status := http.StatusOK
	switch {
	case h.draining.Load():
		body["status"], status = "stopping", http.StatusServiceUnavailable
	case body["database"] != "ok":
		body["status"], status = "unavailable", http.StatusServiceUnavailable
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
