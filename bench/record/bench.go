package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/migrations"
)

// A bench is one or two running programs, each with its database.
type bench struct {
	set      *settings
	programs []*program // that were started
	measured *program   // the service, as opposed to what it is compared with
	subjects []*subject // that are measured in turns: at most two, what is compared with and what is compared
}

// A subject is one table of records in one of the programs.
type subject struct {
	*program
	side     int      // of results: 0 for what is compared with, 1 for what is compared
	rows     int      // loaded at first
	relation string   // where PostgreSQL has the records; "" where it has none
	table    string   // public id
	base     string   // of the service's base
	records  []string // ids by row, where they are not known beforehand
	cursors  []string // of deep pages in the service's table
}

// build starts the programs: the service with the services measured, and what it is compared with
// with the others, which may be the same. The caller must close the bench even if build fails.
func build(ctx context.Context, s *settings, services, measured *local.Services) (*bench, error) {
	b := &bench{set: s}
	if start := map[string]func() error{
		"baseline":   func() error { return b.startBaseline(ctx, services) },
		"pocketbase": func() error { return b.startPocketBase(ctx) },
		"nocodb":     func() error { return b.startNocoDB(ctx, services) },
	}[s.against]; start != nil {
		if err := start(); err != nil {
			return b, err
		}
	}
	binary := filepath.Join(s.bin, "rowhouse")
	if s.tables > 0 || s.before != "" || s.citus != "" {
		// The reference: the service on a database with nothing else, in an earlier build, or on a
		// single PostgreSQL.
		other, err := b.serve(ctx, services, "other", cmp.Or(s.before, binary))
		if err != nil {
			return b, err
		}
		if err := b.createTable(ctx, other, 0, s.rows); err != nil {
			return b, err
		}
	}
	var err error
	if b.measured, err = b.serve(ctx, measured, "service", binary); err != nil {
		return b, err
	}
	if s.second > 0 {
		if err := b.createTable(ctx, b.measured, 0, s.second); err != nil {
			return b, err
		}
	}
	if s.tables > 0 {
		return b, nil // The table comes after the tenants.
	}
	return b, b.createTable(ctx, b.measured, 1, s.rows)
}

// prepare creates a program's database and returns the superuser's URL of it. The bench closes the
// program from then on.
func (b *bench) prepare(ctx context.Context, services *local.Services, p *program) (string, error) {
	b.programs = append(b.programs, p)
	p.admin, p.database = services.AdminURL, p.name+"_"+strings.ToLower(rand.Text())
	if err := migrations.CreateDatabase(ctx, p.admin, p.database); err != nil {
		return "", err
	}
	target, err := url.Parse(services.AdminURL)
	if err != nil {
		return "", fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + p.database
	if p.conn, err = pgx.Connect(ctx, target.String()); err != nil {
		return "", fmt.Errorf("connecting: %w", err)
	}
	if p.distributed, err = migrations.Distributed(ctx, p.conn); err != nil {
		return "", err
	}
	return target.String(), nil
}

func ask(w *connection, c call, into any) error {
	body, err := w.send(c)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("reading the answer to %s %s: %w", c.method, c.path, err)
	}
	return nil
}

// load writes the same rows into all subjects over one connection each, one request at a time in
// turn.
func (b *bench) load(ctx context.Context, r *report) error {
	wires := make([]*connection, len(b.subjects))
	for i, s := range b.subjects {
		var err error
		if wires[i], err = s.dial(ctx); err != nil {
			return err
		}
		defer wires[i].close()
	}
	fmt.Fprintf(os.Stderr, "Loading %d rows.\n", b.set.rows)
	var took [2]time.Duration
	for first := 0; first < b.set.rows; first += batch {
		rows := rowsFrom(first, batch)
		for i, s := range b.subjects {
			if first >= s.rows {
				continue
			}
			asked := s.dialect.fill(s, rows)
			began := time.Now()
			answer, err := wires[i].send(asked)
			took[s.side] += time.Since(began)
			if err != nil {
				return fmt.Errorf("loading: %w", err)
			}
			if s.dialect.made == nil {
				continue
			}
			ids, err := s.dialect.made(answer)
			if err != nil || len(ids) != len(rows) {
				return fmt.Errorf("loading: %d of %d records were made: %w", len(ids), len(rows), err)
			}
			s.records = append(s.records, ids...)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, s := range b.subjects {
		r.loading[s.side] = float64(s.rows) / took[s.side].Seconds()
	}
	// Autovacuum would do this a little later.
	for _, s := range b.subjects {
		if s.relation == "" {
			continue
		}
		if _, err := s.conn.Exec(ctx, "vacuum analyze "+s.relation); err != nil {
			return fmt.Errorf("vacuuming: %w", err)
		}
	}
	return nil
}

// close stops the programs and drops their databases.
func (b *bench) close(ctx context.Context) error {
	var errs []error
	for _, p := range b.programs {
		errs = append(errs, p.close())
		if p.conn != nil {
			errs = append(errs, p.conn.Close(ctx))
		}
		if p.data != "" {
			errs = append(errs, os.RemoveAll(p.data))
		}
		if p.database != "" && !p.distributed { // Citus begins empty at each start
			errs = append(errs, p.dropDatabase(ctx))
		}
	}
	return errors.Join(errs...)
}
