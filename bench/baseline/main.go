// Command baseline is the program that a team would write by hand: one table with native columns,
// hand-picked indexes, net/http and pgx. It has no tenants, keys, row-level security or audit log,
// and hardly validates input. The record engine is measured against it.
//
//	DATABASE_URL=postgres://… LISTEN_ADDR=127.0.0.1:0 go run ./bench/baseline
//
// It owns its table and recreates it at each start. It must not import a package of the service.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed item.sql
var tables string

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "baseline:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		return fmt.Errorf("reading DATABASE_URL: %w", err)
	}
	config.MaxConns = 20 // as many as the service has
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, tables); err != nil {
		return fmt.Errorf("making the table: %w", err)
	}
	s := &server{pool: pool}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", serve(s.page))
	mux.HandleFunc("GET /items/by-amount", serve(s.byAmount))
	mux.HandleFunc("GET /items/by-due", serve(s.byDue))
	mux.HandleFunc("GET /items/search", serve(s.search))
	mux.HandleFunc("GET /items/{id}", serve(s.get))
	mux.HandleFunc("POST /items", serve(s.create))
	mux.HandleFunc("PATCH /items", serve(s.update))
	mux.HandleFunc("PATCH /items/{id}", serve(s.updateOne))
	server := &http.Server{Addr: os.Getenv("LISTEN_ADDR"), Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		stopped <- server.Shutdown(grace)
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", err)
	}
	return <-stopped
}

// serve responds with the result of handle as JSON.
func serve(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := handle(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		body, err := json.Marshal(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}
}
