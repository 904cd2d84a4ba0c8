package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A figure is one line of the report.
type figure struct {
	What     string  `json:"what"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Target   string  `json:"target,omitempty"`
	Watchers int     `json:"watchers,omitempty"`
}

// A tally is what the watchers have seen.
type tally struct {
	events atomic.Int64
	ended  atomic.Int64 // watchers whose stream ended
	mu     sync.Mutex
	delays []time.Duration
	ends   map[string]int // what the service said when it ended a stream
}

func (t *tally) end(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ends[reason]++
}

// stamp precedes the time in a changed value, in nanoseconds.
const stamp = "sent-"

// watch reads a stream until the connection is closed. It reports on ready once it has begun.
func (s *service) watch(base, key string, ready chan<- error, seen *tally) (net.Conn, error) {
	conn, err := net.Dial("tcp", s.host) //nolint:noctx // Closing it ends the read.
	if err != nil {
		return nil, fmt.Errorf("dialling: %w", err)
	}
	request := "GET /api/v1/bases/" + base + "/live HTTP/1.1\r\nHost: " + s.host +
		"\r\nAuthorization: Bearer " + key + "\r\n\r\n"
	if _, err := conn.Write([]byte(request)); err != nil {
		return conn, fmt.Errorf("asking: %w", err)
	}
	go func() {
		begun := false
		var own []time.Duration
		lines := bufio.NewReaderSize(conn, 2<<10)
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				if !begun {
					ready <- fmt.Errorf("the stream did not begin: %w", err)
				}
				break
			}
			if !begun && bytes.HasPrefix(line, []byte("HTTP/1.1 ")) && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")) {
				status := string(bytes.TrimSpace(line))
				rest, _ := lines.Peek(lines.Buffered())
				ready <- fmt.Errorf("the stream was refused: %s: %s", status, rest)
				break
			}
			if !begun && bytes.HasPrefix(line, []byte("event: ready")) {
				begun = true
				ready <- nil
			}
			if bytes.HasPrefix(line, []byte("event: end")) {
				reason, _ := lines.ReadString('\n')
				seen.end(strings.TrimSpace(reason))
				break
			}
			// The value of before precedes the value of after.
			if i := bytes.LastIndex(line, []byte(stamp)); i >= 0 && bytes.HasPrefix(line, []byte("data:")) {
				end := i + len(stamp)
				for end < len(line) && line[end] >= '0' && line[end] <= '9' {
					end++
				}
				if at, err := strconv.ParseInt(string(line[i+len(stamp):end]), 10, 64); err == nil {
					own = append(own, time.Duration(time.Now().UnixNano()-at))
					seen.events.Add(1)
				}
			}
		}
		seen.ended.Add(1)
		seen.mu.Lock()
		defer seen.mu.Unlock()
		seen.delays = append(seen.delays, own...)
	}()
	return conn, nil
}

func (s *service) measureWatchers(ctx context.Context, set *settings, teams []*team) error {
	seen := &tally{ends: map[string]int{}}
	var connections []net.Conn
	before := s.memory()
	fmt.Fprintf(os.Stderr, "Connecting %d watchers.\n", set.watchers)
	ready := make(chan error, 64)
	waiting := 0
	for i := range set.watchers {
		t := teams[i%len(teams)]
		conn, err := s.watch(t.base, t.keys[i/len(teams)%len(t.keys)], ready, seen)
		if err != nil {
			return err
		}
		connections = append(connections, conn)
		if waiting++; waiting == cap(ready) {
			if err := <-ready; err != nil {
				return err
			}
			waiting--
		}
	}
	for range waiting {
		if err := <-ready; err != nil {
			return err
		}
	}
	time.Sleep(5 * time.Second)
	idle := s.processorTime()
	time.Sleep(5 * time.Second)
	idle = s.processorTime() - idle

	busy, database := s.processorTime(), s.databaseTime()
	profiled := s.profile(ctx, set)
	writes, late, err := s.change(ctx, set, teams)
	if err != nil {
		return err
	}
	sent := len(writes)
	time.Sleep(3 * time.Second)
	busy, database = s.processorTime()-busy, s.databaseTime()-database
	if err := <-profiled; err != nil {
		return err
	}
	memory := s.memory() - before
	cut := seen.ended.Load()
	for _, conn := range connections {
		_ = conn.Close()
	}
	for seen.ended.Load() < int64(set.watchers) {
		time.Sleep(10 * time.Millisecond)
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	at := percentiles(seen.delays)
	answered := percentiles(writes)
	fmt.Printf("%d processors; %d bases, %d changes made\n", runtime.NumCPU(), len(teams), sent)
	for reason, n := range seen.ends {
		fmt.Printf("%d streams ended by the service: %s\n", n, reason)
	}
	encoder := json.NewEncoder(os.Stdout)
	for _, f := range []figure{
		{
			What: "events that arrived", Value: float64(seen.events.Load()), Unit: "events",
			Target: fmt.Sprint(sent * set.watchers / len(teams)),
		},
		{What: "streams that ended too early", Value: float64(cut), Unit: "streams", Target: "0"},
		{What: "change to watcher, p50", Value: at(0.5), Unit: "ms", Target: "at most 150"},
		{What: "change to watcher, p99", Value: at(0.99), Unit: "ms", Target: "at most 400"},
		{What: "change to watcher, most", Value: at(1), Unit: "ms"},
		{What: "change to its answer, p50", Value: answered(0.5), Unit: "ms"},
		{What: "change to its answer, p99", Value: answered(0.99), Unit: "ms"},
		{
			What: "memory for each watcher", Value: float64(memory) / float64(set.watchers) / 1024, Unit: "KB",
			Target: "at most 30",
		},
		{What: "processor of the service while nothing changes", Value: idle.Seconds() / 5, Unit: "processors"},
		{What: "processor of the service", Value: busy.Seconds() / (set.length.Seconds() + 3), Unit: "processors"},
		{What: "processor of PostgreSQL", Value: database.Seconds() / (set.length.Seconds() + 3), Unit: "processors"},
		{What: "changes that began late", Value: float64(late), Unit: "changes"},
	} {
		f.Watchers = set.watchers
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// percentiles returns a function from a share to the delay that this share does not exceed, in ms.
func percentiles(delays []time.Duration) func(share float64) float64 {
	slices.Sort(delays)
	return func(share float64) float64 {
		if len(delays) == 0 {
			return 0
		}
		return float64(delays[int(share*float64(len(delays)-1))].Microseconds()) / 1000
	}
}

// change changes records of all teams at the requested rate, and returns how long each request
// took. late counts the changes that began more than 50 ms after their time.
func (s *service) change(
	ctx context.Context, set *settings, teams []*team,
) (took []time.Duration, late int, err error) {
	const writers = 16
	due := make(chan time.Time, 1024)
	failures := make(chan error, writers)
	var group sync.WaitGroup
	var behind atomic.Int64
	var mu sync.Mutex
	for range writers {
		group.Go(func() {
			for at := range due {
				begun := time.Now()
				if begun.Sub(at) > 50*time.Millisecond {
					behind.Add(1)
				}
				t := teams[rand.IntN(len(teams))] //nolint:gosec // no secret
				value := fmt.Sprint(stamp, begun.UnixNano())
				body := map[string]any{"fields": map[string]any{"Name": value}}
				if err := s.ask(ctx, t.keys[0], "PATCH", "/api/v1/records/"+t.record, body, &struct{}{}); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
				mu.Lock()
				took = append(took, time.Since(begun))
				mu.Unlock()
			}
		})
	}
	begun := time.Now()
	for sent := 0; ; sent++ {
		next := begun.Add(time.Duration(float64(sent) / set.rate * float64(time.Second)))
		if next.Sub(begun) >= set.length {
			break
		}
		time.Sleep(time.Until(next))
		due <- next
	}
	close(due)
	group.Wait()
	select {
	case err = <-failures:
	default:
	}
	return took, int(behind.Load()), err
}
