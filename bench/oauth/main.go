// Command oauth measures the authorization server: whole flows a second (authorization request with
// a remembered consent, code, token), refreshes a second, and what the check of an access token
// adds to a REST call, compared with the check of an API key.
//
//	go run ./bench/oauth            # about a minute, on 127.0.0.1, with its own PostgreSQL (fsync on)
//
// The service, PostgreSQL, Redis and the load share the machine. Processor time is the time of this
// process including the load; it shows a cost that latency hides on a busy machine.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
)

func main() {
	length := flag.Duration("for", 10*time.Second, "how long each part runs")
	workers := flag.Int("workers", 16, "how many clients work at once")
	dir := flag.String("dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	flag.Parse()
	if err := run(context.Background(), *dir, *workers, *length); err != nil {
		fmt.Fprintln(os.Stderr, "oauth:", err)
		os.Exit(1)
	}
}

// A figure is one line of the report.
type figure struct {
	What       string  `json:"what"`
	PerSecond  float64 `json:"perSecond,omitempty"`
	Target     string  `json:"target,omitempty"`
	P50Micros  float64 `json:"p50Micros,omitempty"`
	P99Micros  float64 `json:"p99Micros,omitempty"`
	CPUMicros  float64 `json:"cpuMicrosEach,omitempty"` // of this process, the load included
	Failed     int64   `json:"failed"`
	TimesAPKey float64 `json:"timesAPIKey,omitempty"`
}

func run(ctx context.Context, dir string, workers int, length time.Duration) (err error) {
	services, err := local.Start(ctx, dir, local.Options{Durable: true, Progress: os.Stderr})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { _ = services.Stop(context.WithoutCancel(ctx)) }()
	h, err := build(ctx, services)
	if err != nil {
		return err
	}
	defer h.close()

	flows := h.measure(ctx, workers, length, func(c *client) error { _, _, err := h.flow(ctx, c); return err })
	flows.What, flows.Target = "authorize + token", "at least 300/s"
	refreshes := h.measure(ctx, workers, length, func(c *client) error { return h.refresh(ctx, c) })
	refreshes.What, refreshes.Target = "refresh", "at least 800/s"
	key, token := h.compare(ctx, length)
	encoder := json.NewEncoder(os.Stdout)
	fmt.Printf("%d processors, %d workers\n", runtime.NumCPU(), workers)
	for _, f := range []figure{flows, refreshes, key, token} {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// measure runs work in parallel, with one client per worker.
func (h *service) measure(ctx context.Context, workers int, length time.Duration, work func(*client) error) figure {
	clients := make([]*client, workers)
	for i := range clients {
		c, err := h.newClient(ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, "oauth: preparing a client:", err)
			return figure{Failed: 1}
		}
		clients[i] = c
	}
	var done, failed atomic.Int64
	took := make([][]time.Duration, workers)
	var group sync.WaitGroup
	cpu, start := processorTime(), time.Now()
	for i, c := range clients {
		group.Go(func() {
			for time.Since(start) < length {
				at := time.Now()
				if err := work(c); err != nil {
					if failed.Add(1) == 1 {
						fmt.Fprintln(os.Stderr, "oauth:", err)
					}
					continue
				}
				took[i] = append(took[i], time.Since(at))
				done.Add(1)
			}
		})
	}
	group.Wait()
	f := summary(slices.Concat(took...))
	f.PerSecond = float64(done.Load()) / time.Since(start).Seconds()
	f.CPUMicros = float64((processorTime() - cpu).Microseconds()) / float64(max(done.Load(), 1))
	f.Failed = failed.Load()
	return f
}

func summary(took []time.Duration) figure {
	if len(took) == 0 {
		return figure{}
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Nanoseconds()) / 1000 }
	return figure{P50Micros: at(0.5), P99Micros: at(0.99)}
}

// compare makes the same REST call with an API key and with an access token in turn, so that both
// meet the same load on the machine.
func (h *service) compare(ctx context.Context, length time.Duration) (key, token figure) {
	c, err := h.newClient(ctx)
	if err != nil {
		return figure{Failed: 1}, figure{Failed: 1}
	}
	var took [2][]time.Duration
	var failed [2]int64
	var spent [2]time.Duration
	secrets := [2]string{h.apiKey, c.rest}
	const block = 100 // calls of one kind in a row, between two looks at the processor time
	for start := time.Now(); time.Since(start) < length; {
		for kind, secret := range secrets {
			cpu := processorTime()
			for range block {
				at := time.Now()
				if err := h.call(ctx, secret); err != nil {
					failed[kind]++
					continue
				}
				took[kind] = append(took[kind], time.Since(at))
			}
			spent[kind] += processorTime() - cpu
		}
	}
	var figures [2]figure
	for kind := range figures {
		figures[kind] = summary(took[kind])
		figures[kind].Failed = failed[kind]
		figures[kind].CPUMicros = float64(spent[kind].Microseconds()) / float64(max(len(took[kind]), 1))
	}
	key, token = figures[0], figures[1]
	key.What, token.What = "REST call with an API key", "REST call with an access token"
	token.Target, token.TimesAPKey = "at most 1.2 times", token.P50Micros/key.P50Micros
	return key, token
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// discard reads a response to its end so that its connection is reused.
func discard(r *http.Response) { _ = r.Body.Close() }
