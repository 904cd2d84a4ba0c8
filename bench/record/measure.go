package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A cell is the result of one program in one operation over some connections.
type cell struct {
	took   []time.Duration // of each call, in no order once it is summed up
	active time.Duration   // in all turns
	spent  time.Duration   // of processor time, by the program and its backends of PostgreSQL
}

func (c *cell) quantile(q float64) time.Duration {
	if len(c.took) == 0 {
		return 0
	}
	return c.took[int(q*float64(len(c.took)-1))]
}

// cost is the processor time of one call. Other load on the machine changes it less than it changes
// latency.
func (c *cell) cost() time.Duration { return c.spent / time.Duration(max(1, len(c.took))) }

func (c *cell) perSecond() float64 { return float64(len(c.took)) / c.active.Seconds() }

// settle repeats the operations until the service has built the indexes that it wants, and checks
// that all subjects return equal results.
func (b *bench) settle(ctx context.Context, r *report) error {
	for _, s := range b.subjects {
		if s.dialect != &serviceDialect {
			continue
		}
		if err := b.settleOne(ctx, s, r); err != nil {
			return err
		}
	}
	return b.checkAllAgree(ctx)
}

func (b *bench) settleOne(ctx context.Context, s *subject, r *report) error {
	w, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	if err := s.findCursors(w); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Waiting for the service's indexes, at most %s.\n", b.set.settle)
	c := &caller{random: rand.New(rand.NewPCG(1, 1)), of: 1} //nolint:gosec // Test data.
	began := time.Now()
	last, since := "", time.Now()
	for time.Since(began) < b.set.settle {
		asked := time.Now()
		for i := range operations {
			if operations[i].query && operations[i].computed == b.set.computed {
				// A search of a million records may take longer than the service allows, until
				// there is an index.
				if _, err := w.send(s.dialect.calls[i](s, c)); err != nil && !busy(err) {
					return err
				}
			}
		}
		took := time.Since(asked) // without an index a query reads the whole table, and so does the builder meanwhile
		var state string          // of the indexes beyond the primary key, and of what is being built
		err := s.conn.QueryRow(ctx,
			`select coalesce(string_agg(pg_get_indexdef(indexrelid) || indisvalid, ';' order by indexrelid), '') ||
				(select repeat('+', count(*)::integer) from pg_stat_progress_create_index
				where datname = current_database())
			from pg_index where indrelid = $1::text::regclass and not indisprimary`, s.relation).Scan(&state)
		if err != nil {
			return fmt.Errorf("looking at the indexes: %w", err)
		}
		if state != last {
			last, since = state, time.Now()
		}
		if last != "" && !strings.HasSuffix(last, "+") && time.Since(since) > b.set.settle/6 {
			break
		}
		time.Sleep(200*time.Millisecond + 3*took)
	}
	r.note("The service had built %d indexes by itself after %s of queries.",
		strings.Count(last, "CREATE "), time.Since(began).Round(time.Second))
	return ctx.Err()
}

// checkAllAgree compares the results of all operations over new connections, because the baseline
// closes idle ones. It does nothing if no two subjects hold the same records.
func (b *bench) checkAllAgree(ctx context.Context) error {
	if len(b.subjects) < 2 || b.subjects[0].rows != b.subjects[1].rows {
		return nil
	}
	var wires [2]*connection
	for i, s := range b.subjects {
		var err error
		if wires[i], err = s.dial(ctx); err != nil {
			return err
		}
		defer wires[i].close()
	}
	for i := range operations {
		if operations[i].write || !b.supported(i) {
			continue
		}
		if err := b.checkAgree(i, wires); err != nil {
			return err
		}
	}
	return nil
}

// supported reports whether all subjects have an operation, and it is one of those to measure.
func (b *bench) supported(o int) bool {
	return operations[o].computed == b.set.computed &&
		!slices.ContainsFunc(b.subjects, func(s *subject) bool { return s.dialect.calls[o] == nil })
}

// checkAgree sends both subjects the same request and compares how many records they find, if both
// say so.
func (b *bench) checkAgree(o int, wires [2]*connection) error {
	for seed := range uint64(5) {
		var totals [2]int64
		for i, s := range b.subjects {
			c := &caller{random: rand.New(rand.NewPCG(seed, 3)), of: 1} //nolint:gosec // Test data.
			body, err := wires[i].send(s.dialect.calls[o](s, c))
			if err != nil {
				return err
			}
			if totals[i], err = s.dialect.total(body); err != nil {
				return err
			}
		}
		if totals[0] != totals[1] && min(totals[0], totals[1]) >= 0 {
			return fmt.Errorf("%s: the %s finds %d records and the %s %d",
				operations[o].name, b.subjects[0].name, totals[0], b.subjects[1].name, totals[1])
		}
	}
	return nil
}

// measure runs all cells. Within a cell the subjects alternate, and each begins every other round.
func (b *bench) measure(ctx context.Context, r *report) error {
	only, err := regexp.Compile(b.set.only)
	if err != nil {
		return fmt.Errorf("reading -only: %w", err)
	}
	for o := range operations {
		if !only.MatchString(operations[o].name) || !b.supported(o) {
			continue
		}
		for _, n := range b.set.connections {
			line := result{operation: operations[o].name, connections: n}
			err := b.withProfile(ctx, o, n, func() error { return b.rounds(ctx, o, n, &line) })
			if err != nil {
				return fmt.Errorf("%s over %d connections: %w", operations[o].name, n, err)
			}
			for side := range line.cells {
				slices.Sort(line.cells[side].took)
			}
			r.results = append(r.results, line)
			fmt.Fprintln(os.Stderr, line.text())
		}
	}
	return nil
}

func (b *bench) rounds(ctx context.Context, o, n int, line *result) error {
	turn := b.set.cell / time.Duration(b.set.rounds)
	for _, s := range b.subjects {
		// The first calls open connections and plan statements, which later ones find done.
		if err := b.runLoad(ctx, o, s, n, b.set.rounds, turn, &cell{}); err != nil {
			return err
		}
	}
	for round := range b.set.rounds {
		order := slices.Clone(b.subjects)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, s := range order {
			if err := b.runLoad(ctx, o, s, n, round, turn, &line.cells[s.side]); err != nil {
				return err
			}
		}
	}
	return nil
}

// runLoad lets n callers send requests to one subject for a while.
func (b *bench) runLoad(ctx context.Context, o int, s *subject, n, round int, length time.Duration, into *cell) error {
	took := make([][]time.Duration, n)
	errs := make([]error, n)
	wires := make([]*connection, n)
	for i := range n {
		w, err := s.dial(ctx)
		if err != nil {
			return err
		}
		defer w.close()
		wires[i] = w
	}
	spent, err := s.processorTime(ctx)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	began := time.Now()
	for i, w := range wires {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(round), uint64(i))) //nolint:gosec // Test data.
			c := &caller{random: random, index: i, of: n}
			for time.Since(began) < length && ctx.Err() == nil {
				asked := s.dialect.calls[o](s, c)
				at := time.Now()
				if _, errs[i] = w.send(asked); errs[i] != nil {
					return
				}
				took[i] = append(took[i], time.Since(at))
			}
		})
	}
	group.Wait()
	into.active += time.Since(began)
	after, err := s.processorTime(ctx)
	if err != nil {
		return err
	}
	into.spent += after - spent
	into.took = append(into.took, slices.Concat(took...)...)
	return errors.Join(append(errs, ctx.Err())...)
}

// withProfile runs work and takes a CPU profile of the service meanwhile, if the settings ask for
// one.
func (b *bench) withProfile(ctx context.Context, o, n int, work func() error) error {
	if b.set.profile == "" || n == 1 {
		return work()
	}
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(operations[o].name, "-"), "-") + ".pprof"
	failed := make(chan error, 1)
	go func() { failed <- b.fetchProfile(ctx, filepath.Join(b.set.profile, name)) }()
	return errors.Join(work(), <-failed)
}

func (b *bench) fetchProfile(ctx context.Context, path string) error {
	seconds := max(1, int(b.set.cell.Seconds())) * len(b.subjects)
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", b.measured.metrics, seconds)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("preparing to profile: %w", err)
	}
	client := &http.Client{Timeout: time.Duration(seconds)*time.Second + 30*time.Second}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("profiling: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("profiling: %s %w", response.Status, err)
	}
	return os.WriteFile(path, body, 0o600)
}

// noteSizes notes the memory of the programs and the bytes per row on disk.
func (b *bench) noteSizes(ctx context.Context, r *report) error {
	for _, s := range b.subjects {
		now, peak := s.memory()
		r.memory[s.side] = [2]int64{now, peak}
		if s.relation == "" {
			continue
		}
		var rows, heap, indexes int64
		statement := "select count(*), pg_table_size('%[1]s'), pg_indexes_size('%[1]s') from %[1]s"
		if s.distributed {
			statement = `select count(*), citus_table_size('%[1]s'),
				citus_total_relation_size('%[1]s') - citus_table_size('%[1]s') from %[1]s`
		}
		if err := s.conn.QueryRow(ctx, fmt.Sprintf(statement, s.relation)).Scan(&rows, &heap, &indexes); err != nil {
			return fmt.Errorf("weighing: %w", err)
		}
		r.bytes[s.side] = [2]int64{heap / rows, indexes / rows}
	}
	return nil
}
