package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"
)

// health answers those who run the service: /healthz, whether the process should be left alone, and /readyz, whether it
// should be sent requests. Neither needs a credential, and neither says more than which part is away.
type health struct {
	draining atomic.Bool
	database func(context.Context) error
	redis    func(context.Context) error
}

func (h *health) drain() { h.draining.Store(true) }

// live is 200 as long as the process can answer at all.
func (h *health) live(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready is 200 when requests can be served. Redis makes them quicker and is no condition: without it PostgreSQL answers.
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
	_ = json.NewEncoder(w).Encode(body) // The one who asked has gone.
}
