// Command history measures what the log of changes costs on disk, and how long a revert takes.
//
//	go run ./bench/history                  # 100,000 records, on 127.0.0.1, with its own PostgreSQL (fsync on)
//	go run ./bench/history -as-of 1000000   # reads of the table as it was before so many changes instead
//	go run ./bench/history -sets 1000000    # the list of change sets of a log of so many entries instead
//
// It loads a table, changes two cells of every record in one change set, and takes that back: once
// as a plan, once for good, and once where somebody else has changed every tenth record since.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

func main() {
	dir := flag.String("dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	rows := flag.Int("rows", 100_000, "records in the table, a multiple of 1000")
	asOf := flag.Int("as-of", 0, "compare reads of the past with the present after so many changes")
	sets := flag.Int("sets", 0, "list the change sets of a log of so many entries")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, *dir, *rows, *asOf, *sets); err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
}

// A figure is one line of the report.
type figure struct {
	What    string  `json:"what"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Target  string  `json:"target,omitempty"`
	Records int     `json:"records,omitempty"`
	// Processor is the processor time, which a busy machine changes less.
	Processor float64 `json:"processorSeconds,omitempty"`
}

func run(ctx context.Context, dir string, rows, asOf, sets int) (err error) {
	if rows < 1000 || rows%1000 != 0 || rows > revert.MaxRecords {
		return fmt.Errorf("-rows must be a multiple of 1000 up to %d", revert.MaxRecords)
	}
	services, err := local.Start(ctx, dir, local.Options{Durable: true, SharedBuffers: "1GB", Progress: os.Stderr})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { err = errors.Join(err, services.Stop(context.WithoutCancel(ctx))) }()
	h, err := build(ctx, services.AdminURL, rows)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close(context.WithoutCancel(ctx))) }()
	if err := h.load(ctx); err != nil {
		return err
	}
	measure := h.reverts
	if asOf > 0 {
		measure = func(ctx context.Context) ([]figure, error) { return h.asOf(ctx, asOf) }
	}
	if sets > 0 {
		measure = func(ctx context.Context) ([]figure, error) { return h.sets(ctx, sets) }
	}
	figures, err := measure(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d processors, %s\n", runtime.NumCPU(), time.Now().UTC().Format(time.DateOnly))
	encoder := json.NewEncoder(os.Stdout)
	for _, f := range figures {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// reverts measures the log and reverts.
func (h *history) reverts(ctx context.Context) ([]figure, error) {
	var figures []figure
	before, err := h.logSize(ctx)
	if err != nil {
		return nil, err
	}
	set, err := h.change(ctx, 1, 1)
	if err != nil {
		return nil, err
	}
	after, err := h.logSize(ctx)
	if err != nil {
		return nil, err
	}
	figures = append(figures, figure{
		What: "log for each changed cell, with indexes", Value: float64(after-before) / float64(2*h.rows),
		Unit:   "bytes",
		Target: "at most 250",
	})
	plan, t, err := h.revert(ctx, set, revert.Request{DryRun: true})
	if err != nil {
		return nil, err
	}
	figures = append(figures, figure{
		What: "plan of a revert", Value: t.clock, Processor: t.processor, Unit: "s", Records: plan.Records,
	})
	plan, t, err = h.revert(ctx, set, revert.Request{})
	if err != nil {
		return nil, err
	}
	figures = append(figures, figure{
		What: "revert", Value: t.clock, Processor: t.processor, Unit: "s",
		Target: "at most 3 s for 100,000", Records: plan.Records,
	})
	if set, err = h.change(ctx, 2, 1); err != nil {
		return nil, err
	}
	if _, err = h.change(ctx, 3, 10); err != nil {
		return nil, err
	}
	plan, t, err = h.revert(ctx, set, revert.Request{OnConflict: revert.Skip})
	if err != nil {
		return nil, err
	}
	figures = append(figures, figure{
		What: fmt.Sprintf("revert with %d conflicts skipped", plan.ConflictCount), Value: t.clock,
		Processor: t.processor, Unit: "s",
		Records: plan.Records,
	})
	for _, single := range []struct {
		cells        []map[string]any
		what, target string
	}{
		{shortCells, "fields but the long text, in turn", "at most 250"},
		{longCells, "a text of 114 characters", ""},
	} {
		bytes, err := h.changeSingly(ctx, single.cells, h.rows/20)
		if err != nil {
			return nil, err
		}
		figures = append(figures, figure{
			What:  "log for each changed cell of single updates, with indexes: " + single.what,
			Value: bytes, Unit: "bytes", Target: single.target,
		})
	}
	return figures, nil
}
