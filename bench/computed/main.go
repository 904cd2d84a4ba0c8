// Command computed measures what computed fields cost, compared with a table without them.
//
//	go run ./bench/computed                    # 1,000,000 records, with its own PostgreSQL (fsync on)
//	go run ./bench/computed -rows 100000
//	go run ./bench/computed -rows 1000 -short  # only single writes and pages
//	go run ./bench/computed -report docs/benchmarks/computed.md
//
// It loads two tables that are linked, measures single writes and pages with and without computed
// fields, adds a formula to the large table while somebody writes to it, and reads by the formula.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rowhouse/rowhouse/deploy/local"
)

func main() {
	dir := flag.String("dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	rows := flag.Int("rows", 1_000_000, "records in the large table")
	short := flag.Bool("short", false, "measure single writes and pages alone")
	linked := flag.Bool("linked", false, "measure fields that read linked records alone")
	stale := flag.Bool("stale", false, "measure these fields right after changes of linked records alone")
	path := flag.String("report", "", "Markdown file to write")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, *dir, *rows, *short, *linked, *stale, *path); err != nil {
		fmt.Fprintln(os.Stderr, "computed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, rows int, short, linked, stale bool, path string) (err error) {
	r := newReport(rows)
	services, err := local.Start(ctx, dir, local.Options{Durable: true, SharedBuffers: "1GB", Progress: os.Stderr})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { err = errors.Join(err, services.Stop(context.WithoutCancel(ctx))) }()
	if linked || stale {
		rows = smallRows
	}
	b, err := build(ctx, services.AdminURL, rows)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close(context.WithoutCancel(ctx))) }()
	measures := []func(context.Context) ([]figure, error){b.writes, b.pages}
	if linked {
		measures = []func(context.Context) ([]figure, error){b.linked}
	} else if stale {
		measures = []func(context.Context) ([]figure, error){b.stale}
	} else if !short {
		measures = append(measures, b.fill, b.floor, b.reads, b.links, b.dependants)
	}
	for _, measure := range measures {
		some, err := measure(ctx)
		if err != nil {
			return err
		}
		r.figures = append(r.figures, some...)
	}
	fmt.Print(r.table())
	if path == "" {
		return nil
	}
	return r.write(path)
}
