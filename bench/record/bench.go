package main

import (
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

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/id"

	"github.com/redis/go-redis/v9"
)

// A bench is one or two programs, each with its database, ready to be asked.
type bench struct {
	set      *settings
	admin    *pgx.Conn  // to the database "postgres"
	programs []*program // that were started
	measured *program   // the service, as opposed to what it is compared with
	subjects []*subject // that are measured in turns: at most two, what is compared with and what is compared
}

// The kinds of program, as indexes.
const (
	yardstick = iota
	service
)

// A subject is one table of records in one of the programs.
type subject struct {
	*program
	side     int      // of results: 0 for what is compared with, 1 for what is compared
	rows     int      // loaded at first
	relation string   // where PostgreSQL has the records
	table    string   // public id of the service's table
	records  []string // public ids in the service's table, by row
	cursors  []string // of deep pages in the service's table
}

// path is where records are listed and made.
func (s *subject) path() string {
	if s.kind == yardstick {
		return "/items"
	}
	return "/api/v1/tables/" + s.table + "/records"
}

// build starts the programs. The bench is to be closed even when it fails.
func build(ctx context.Context, s *settings, services *local.Services) (*bench, error) {
	b := &bench{set: s}
	var err error
	if b.admin, err = pgx.Connect(ctx, services.AdminURL); err != nil {
		return b, fmt.Errorf("connecting: %w", err)
	}
	if s.yardstick {
		if err := b.startYardstick(ctx, services); err != nil {
			return b, err
		}
	}
	if s.tables > 0 {
		// What is compared with: the service on a database that holds nothing else.
		lone, err := b.serve(ctx, services, "lone")
		if err != nil {
			return b, err
		}
		if err := b.makeTable(ctx, lone, 0, s.rows); err != nil {
			return b, err
		}
	}
	if b.measured, err = b.serve(ctx, services, "service"); err != nil {
		return b, err
	}
	if s.beside > 0 {
		if err := b.makeTable(ctx, b.measured, 0, s.beside); err != nil {
			return b, err
		}
	}
	if s.tables > 0 {
		return b, nil // The table comes after the crowd.
	}
	return b, b.makeTable(ctx, b.measured, 1, s.rows)
}

// prepare makes a program's database, and returns the superuser's URL of it. The program is closed with the bench from then on.
func (b *bench) prepare(ctx context.Context, services *local.Services, p *program) (string, error) {
	b.programs = append(b.programs, p)
	p.database = p.name + "_" + strings.ToLower(rand.Text())
	if _, err := b.admin.Exec(ctx, "create database "+pgx.Identifier{p.database}.Sanitize()); err != nil {
		return "", fmt.Errorf("creating a database: %w", err)
	}
	target, err := url.Parse(services.AdminURL)
	if err != nil {
		return "", fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + p.database
	if p.conn, err = pgx.Connect(ctx, target.String()); err != nil {
		return "", fmt.Errorf("connecting: %w", err)
	}
	return target.String(), nil
}

func (b *bench) startYardstick(ctx context.Context, services *local.Services) error {
	p := &program{kind: yardstick, name: "yardstick"}
	b.subjects = append(b.subjects, &subject{program: p, side: 0, rows: b.set.rows, relation: "item"})
	database, err := b.prepare(ctx, services, p)
	if err != nil {
		return err
	}
	return p.launch(ctx, filepath.Join(b.set.bin, "yardstick"), b.set.dir, []string{"DATABASE_URL=" + database})
}

// serve starts the service, as a production has it but for the limits on how much one caller may ask, and makes an organization in it.
func (b *bench) serve(ctx context.Context, services *local.Services, name string) (*program, error) {
	p := &program{kind: service, name: name}
	database, err := b.prepare(ctx, services, p)
	if err != nil {
		return nil, err
	}
	if err := migrations.Provision(ctx, database, "bench", "bench"); err != nil {
		return nil, err
	}
	login, err := url.Parse(database)
	if err != nil {
		return nil, fmt.Errorf("reading a URL: %w", err)
	}
	login.User = url.UserPassword("bench", "bench")
	p.login = login.String()
	if err := migrations.Up(ctx, p.login); err != nil {
		return nil, err
	}
	org, key, err := furnish(ctx, p.login, services.RedisURL)
	if err != nil {
		return nil, err
	}
	if p.metrics, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	err = p.launch(ctx, filepath.Join(b.set.bin, "rowhouse"), b.set.dir, []string{
		"DATABASE_URL=" + p.login, "REDIS_URL=" + services.RedisURL, "SECRET_KEY=" + rand.Text() + rand.Text(), "METRICS_ADDR=" + p.metrics,
		"CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0",
	}, "serve")
	p.header, p.org = "Authorization: Bearer "+key+"\r\n", org
	return p, err
}

// furnish makes a person, an organization and a key.
func furnish(ctx context.Context, database, redisURL string) (org, key string, err error) {
	db, err := tenancy.Open(ctx, database, tenancy.Options{MaxConns: 2})
	if err != nil {
		return "", "", err
	}
	defer db.Close()
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		return "", "", err
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	cache := credential.New(client, credential.Options{})
	defer cache.Close()
	keys := apikey.New(apikey.Deps{DB: db, Cache: cache})
	defer keys.Close(ctx)
	person := id.New()
	err = db.System(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, 'load@example.com', 'Load')", person)
		return err
	})
	if err != nil {
		return "", "", err
	}
	made, err := db.CreateOrg(ctx, person, "Load")
	if err != nil {
		return "", "", err
	}
	_, key, err = keys.Create(ctx, apikey.Draft{Person: person, Name: "Load", Scopes: authz.AllScopes()})
	return id.Format(id.Org, made.ID), key, err
}

// makeTable makes an empty table in a service, and measures it from then on.
func (b *bench) makeTable(ctx context.Context, p *program, side, rows int) error {
	s := &subject{program: p, side: side, rows: rows}
	b.subjects = append(b.subjects, s)
	w, err := p.dial(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	var base, table struct {
		ID string `json:"id"`
	}
	if err := ask(w, call{"POST", "/api/v1/bases", encode(object{"orgId": p.org, "name": "Load"})}, &base); err != nil {
		return err
	}
	fields := []object{
		{"name": "Name", "type": "text"},
		{"name": "Email", "type": "email"},
		{"name": "Amount", "type": "number"},
		{"name": "Status", "type": "single_select", "config": object{"options": statuses}},
		{"name": "Notes", "type": "long_text"},
		{"name": "Due", "type": "date"},
		{"name": "Score", "type": "number"},
		{"name": "Done", "type": "checkbox"},
	}
	if err := ask(w, call{"POST", "/api/v1/bases/" + base.ID + "/tables", encode(object{"name": "Load", "fields": fields})}, &table); err != nil {
		return err
	}
	s.table = table.ID
	// Nobody else makes tables at this time: it is the one with the highest number.
	err = p.conn.QueryRow(ctx, `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname like 'org\_%' and c.relkind = 'r' and c.relname = 't_' || (select max(number) from rowhouse.data_table)`).Scan(&s.relation)
	if err != nil {
		return fmt.Errorf("looking for the record table: %w", err)
	}
	return nil
}

func ask(w *wire, c call, into any) error {
	body, err := w.send(c)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("reading the answer to %s %s: %w", c.method, c.path, err)
	}
	return nil
}

// load writes the same rows into all over one connection each, in turns of one request.
func (b *bench) load(ctx context.Context, r *report) error {
	wires := make([]*wire, len(b.subjects))
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
		body := rowsFrom(first, batch)
		for i, s := range b.subjects {
			if first >= s.rows {
				continue
			}
			began := time.Now()
			answer, err := wires[i].send(call{"POST", s.path(), body})
			took[s.side] += time.Since(began)
			if err != nil {
				return fmt.Errorf("loading: %w", err)
			}
			if s.kind == service {
				if err := s.keep(answer); err != nil {
					return err
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, s := range b.subjects {
		r.loading[s.side] = float64(s.rows) / took[s.side].Seconds()
	}
	// What autovacuum does a little later by itself.
	for _, s := range b.subjects {
		if _, err := s.conn.Exec(ctx, "vacuum analyze "+s.relation); err != nil {
			return fmt.Errorf("vacuuming: %w", err)
		}
	}
	return nil
}

// keep notes the ids of records that were made.
func (s *subject) keep(answer []byte) error {
	var made struct {
		Records []struct {
			ID string `json:"id"`
		} `json:"records"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return fmt.Errorf("reading the records that were made: %w", err)
	}
	for _, record := range made.Records {
		s.records = append(s.records, record.ID)
	}
	return nil
}

// close ends the programs and drops their databases.
func (b *bench) close(ctx context.Context) error {
	var errs []error
	for _, p := range b.programs {
		errs = append(errs, p.close())
		if p.conn != nil {
			errs = append(errs, p.conn.Close(ctx))
		}
		_, err := b.admin.Exec(ctx, "drop database if exists "+pgx.Identifier{p.database}.Sanitize()+" with (force)")
		errs = append(errs, err)
	}
	if b.admin != nil {
		errs = append(errs, b.admin.Close(ctx))
	}
	return errors.Join(errs...)
}
