// Command record measures the record engine, as the built binary serves it over REST, and compares
// it with the baseline (bench/baseline): the program that a user would write by hand instead.
//
//	make bench          # 100,000 records, at most ten minutes
//	make bench-quick    # 10,000 records, about a minute
//	make bench-growth   # 1,000,000 records and 100,000, both in the service
//	make bench-tenants  # 10,000 tables in 1,000 organizations
//	make bench-products # against PocketBase, and NocoDB where it is installed
//	make bench-citus    # three nodes of Citus against one PostgreSQL
//
//	go run ./bench/record -before <binary>    # against an earlier build of the service
//
// Both programs serve the same records from one durable PostgreSQL (fsync on), each from a database
// of its own, and requests alternate between them, so that both meet the same load on the machine.
// Programs, PostgreSQL, Redis and load share that machine: compare ratios within one run.
//
// The benchmark stops every process that it started. It creates no index in the service's tables;
// the service does that itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
)

// settings of a run.
type settings struct {
	dir     string        // of PostgreSQL and Redis
	bin     string        // where both binaries are
	rows    int           // loaded into each
	cell    time.Duration // time to measure each operation, number of connections and program
	rounds  int           // turns that a cell is cut into
	settle  time.Duration // longest wait for the indexes that the service builds
	report  string        // file to write, or ""
	profile string        // directory for processor profiles of the service, or ""
	only    string        // regular expression of the operations to measure
	against string        // compared with the service: "baseline", "pocketbase", "nocodb", or "" for none
	nocodb  string        // directory of an installation of NocoDB

	connections []int  // over how many each operation is measured
	before      string // binary of another build of the service, that takes the baseline's place; or ""
	citus       string // prefix of a PostgreSQL with Citus, measured against a single one; or ""
	second      int    // rows of another of the service's tables, that takes the baseline's place; 0 for none
	computed    bool   // whether the tables have computed fields, so that only reading these is measured
	people      int    // whose keys the connections use in turn
	// Tables of other organizations, in the database of a service that is measured in turns with
	// another one on a database without them; 0 for none.
	tables int
}

// sharedBuffers hold a table of a million records with its indexes. PostgreSQL's manual begins at a
// quarter of the machine's memory.
const sharedBuffers = "1GB"

func main() {
	var s settings
	flag.StringVar(&s.dir, "dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	flag.StringVar(&s.bin, "bin", "bin", "where the binaries rowhouse and baseline are")
	flag.IntVar(&s.rows, "rows", 100_000, "records in the table: 10000, 100000, 1000000")
	flag.DurationVar(&s.cell, "cell", 3*time.Second, "how long each program is measured in each cell")
	flag.IntVar(&s.rounds, "rounds", 4, "turns that a cell is cut into")
	flag.DurationVar(&s.settle, "settle", time.Minute, "longest wait for the indexes that the service builds")
	flag.StringVar(&s.report, "report", "", "Markdown file to write")
	flag.StringVar(&s.profile, "profile", "", "directory for processor profiles of the service at 16 connections")
	connections := flag.String("connections", "1,16",
		"over how many connections each operation is measured, with commas")
	flag.StringVar(&s.only, "only", "", "regular expression of the operations to measure")
	flag.StringVar(&s.against, "against", "baseline", "program to measure in turns with the service: "+
		"baseline, pocketbase (a binary of it in -bin), nocodb, or \"\" for none")
	flag.StringVar(&s.nocodb, "nocodb", "bin/nocodb", "where an installation of NocoDB is: node_modules with "+
		"nocodb and node 22, beside a start.js that listens on LISTEN_ADDR")
	flag.StringVar(&s.before, "before", "",
		"instead of the baseline: measure the service in turns with an earlier build of it, by this binary")
	flag.StringVar(&s.citus, "citus", "", "instead of the baseline: measure the service on a coordinator and two "+
		"workers of Citus, by the prefix of its installation, in turns with the service on one PostgreSQL")
	flag.IntVar(&s.second, "beside", 0,
		"instead of the baseline: measure the service's table in turns with another of its tables, of so many records")
	flag.IntVar(&s.tables, "tables", 0, "instead of the baseline: measure a service alone, in turns with one beside "+
		"so many tables of other organizations")
	flag.BoolVar(&s.computed, "computed", false, "with -against nocodb: add a formula, a lookup and a rollup to both "+
		"tables, and measure pages and filters with them alone")
	flag.IntVar(&s.people, "people", 1, "how many people's keys the connections to the service use in turn")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	for text := range strings.SplitSeq(*connections, ",") {
		n, _ := strconv.Atoi(text) // what is no number is 0
		s.connections = append(s.connections, n)
	}
	if err := run(ctx, &s); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// mostConnections leaves each of them ten records of its own in the smallest table.
const mostConnections = 100

func run(ctx context.Context, s *settings) (err error) {
	if s.rows < 1000 || s.rows%batch != 0 || s.rounds < 1 {
		return fmt.Errorf("-rows must be a multiple of %d from 1000, and -rounds at least 1", batch)
	}
	if s.second != 0 && (s.second < 1000 || s.second%batch != 0 || s.second > s.rows || s.tables > 0) {
		return fmt.Errorf("-beside must be a multiple of %d from 1000 to -rows, and not together with -tables", batch)
	}
	if slices.Min(s.connections) < 1 || slices.Max(s.connections) > mostConnections {
		return fmt.Errorf("-connections are numbers from 1 to %d with commas", mostConnections)
	}
	if s.before != "" && (s.second > 0 || s.tables > 0) {
		return errors.New("-before cannot be given together with -beside or -tables")
	}
	if s.citus != "" && (s.second > 0 || s.tables > 0 || s.before != "") {
		return errors.New("-citus cannot be given together with -before, -beside or -tables")
	}
	if s.tables > 0 || s.second > 0 || s.before != "" || s.citus != "" {
		s.against = ""
	}
	if !slices.Contains([]string{"", "baseline", "pocketbase", "nocodb"}, s.against) {
		return fmt.Errorf("-against is baseline, pocketbase, nocodb or nothing, and not %q", s.against)
	}
	if s.computed && s.against != "nocodb" {
		return errors.New("-computed is beside NocoDB alone: it needs -against nocodb")
	}
	if s.report != "" && s.against != "baseline" {
		return errors.New("-report is of the service beside the baseline: it cannot be given together with -against, " +
			"-before, -citus, -beside or -tables")
	}
	began := time.Now()
	services, err := local.Start(ctx, s.dir, local.Options{
		Durable:       true,
		SharedBuffers: sharedBuffers,
		Progress:      os.Stderr,
	})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { err = errors.Join(err, services.Stop(context.WithoutCancel(ctx))) }()
	measured := services
	if s.citus != "" {
		measured, err = local.Start(ctx, s.dir+"-citus", local.Options{
			Citus:         s.citus,
			Synced:        true,
			SharedBuffers: sharedBuffers,
			Progress:      os.Stderr,
		})
		if err != nil {
			return fmt.Errorf("starting Citus: %w", err)
		}
		defer func() { err = errors.Join(err, measured.Stop(context.WithoutCancel(ctx))) }()
	}
	b, err := build(ctx, s, services, measured)
	defer func() { err = errors.Join(err, b.close(context.WithoutCancel(ctx))) }()
	if err != nil {
		return err
	}
	r := newReport(s)
	if s.tables > 0 {
		r.compared = "a service alone, and one among tenants; then the second / the first"
	}
	if s.second > 0 {
		r.compared = fmt.Sprintf("%d records, and %d; then the second / the first", s.second, s.rows)
	}
	if s.before != "" {
		r.compared = "the service as it was, and as it is; then the second / the first"
	}
	if s.citus != "" {
		r.compared = "the service on one PostgreSQL, and on three nodes of Citus; then the second / the first"
	}
	if s.tables > 0 {
		if err := b.compareAmongTenants(ctx, r, services.RedisURL); err != nil {
			return err
		}
		r.took = time.Since(began)
		r.print(os.Stdout)
		return nil
	}
	if err := b.load(ctx, r); err != nil {
		return err
	}
	if s.computed {
		if err := b.addComputed(ctx); err != nil {
			return err
		}
	}
	if err := b.settle(ctx, r); err != nil {
		return err
	}
	if err := b.measure(ctx, r); err != nil {
		return err
	}
	if err := b.noteSizes(ctx, r); err != nil {
		return err
	}
	r.took = time.Since(began)
	r.print(os.Stdout)
	if s.report == "" {
		return nil
	}
	return r.write(s.report)
}
