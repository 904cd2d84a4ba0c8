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

// A bench is both programs, each with its database, ready to be asked.
type bench struct {
	set       *settings
	admin     *pgx.Conn    // to the database "postgres"
	databases [2]string    // that were made, of the yardstick and the service
	conns     [2]*pgx.Conn // the superuser's, to each of them
	programs  [2]*program  // the yardstick, nil when it is not measured, and the service
	login     string       // URL of the service's database, as the service has it
	metrics   string       // address of the service's metrics and profiles
	org       string       // public id of the organization that is measured
	subjects  []*subject   // that are measured in turns: at most two, what is compared with and what is compared
}

// The two programs, as indexes.
const (
	yardstick = iota
	service
)

var names = [2]string{"yardstick", "service"}

// A subject is one table of records in one of the programs.
type subject struct {
	side     int      // of results: 0 for what is compared with, 1 for what is compared
	kind     int      // of program: yardstick or service
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
	var urls [2]string
	for kind, name := range names {
		if kind == yardstick && !s.yardstick {
			continue
		}
		if urls[kind], err = b.database(ctx, services, kind, name); err != nil {
			return b, err
		}
	}
	if s.yardstick {
		b.subjects = append(b.subjects, &subject{side: 0, kind: yardstick, rows: s.rows, relation: "item"})
		b.programs[yardstick], err = launch(ctx, "yardstick", filepath.Join(s.bin, "yardstick"), s.dir, []string{"DATABASE_URL=" + urls[yardstick]})
		if err != nil {
			return b, err
		}
	}
	if err := b.serve(ctx, services, urls[service]); err != nil {
		return b, err
	}
	if s.beside > 0 {
		if err := b.makeTable(ctx, 0, s.beside); err != nil {
			return b, err
		}
	}
	return b, b.makeTable(ctx, 1, s.rows)
}

func (b *bench) database(ctx context.Context, services *local.Services, kind int, name string) (string, error) {
	b.databases[kind] = name + "_" + strings.ToLower(rand.Text())
	if _, err := b.admin.Exec(ctx, "create database "+pgx.Identifier{b.databases[kind]}.Sanitize()); err != nil {
		return "", fmt.Errorf("creating a database: %w", err)
	}
	target, err := url.Parse(services.AdminURL)
	if err != nil {
		return "", fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + b.databases[kind]
	if b.conns[kind], err = pgx.Connect(ctx, target.String()); err != nil {
		return "", fmt.Errorf("connecting: %w", err)
	}
	return target.String(), nil
}

// serve starts the service, as a production has it but for the limits on how much one caller may ask.
func (b *bench) serve(ctx context.Context, services *local.Services, database string) error {
	if err := migrations.Provision(ctx, database, "bench", "bench"); err != nil {
		return err
	}
	login, err := url.Parse(database)
	if err != nil {
		return fmt.Errorf("reading a URL: %w", err)
	}
	login.User = url.UserPassword("bench", "bench")
	if err := migrations.Up(ctx, login.String()); err != nil {
		return err
	}
	b.login = login.String()
	org, key, err := furnish(ctx, b.login, services.RedisURL)
	if err != nil {
		return err
	}
	if b.metrics, err = freeAddress(ctx); err != nil {
		return err
	}
	b.programs[service], err = launch(ctx, "service", filepath.Join(b.set.bin, "rowhouse"), b.set.dir, []string{
		"DATABASE_URL=" + login.String(), "REDIS_URL=" + services.RedisURL, "SECRET_KEY=" + rand.Text() + rand.Text(), "METRICS_ADDR=" + b.metrics,
		"CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0",
	}, "serve")
	if err != nil {
		return err
	}
	b.programs[service].header = "Authorization: Bearer " + key + "\r\n"
	b.org = org
	return nil
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

// makeTable makes an empty table in the service, and measures it from then on.
func (b *bench) makeTable(ctx context.Context, side, rows int) error {
	s := &subject{side: side, kind: service, rows: rows}
	b.subjects = append(b.subjects, s)
	w, err := b.dial(ctx, s)
	if err != nil {
		return err
	}
	defer w.close()
	var base, table struct {
		ID string `json:"id"`
	}
	if err := ask(w, call{"POST", "/api/v1/bases", encode(object{"orgId": b.org, "name": "Load"})}, &base); err != nil {
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
	err = b.conns[service].QueryRow(ctx, `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname like 'org\_%' and c.relkind = 'r' and c.relname = 't_' || (select max(number) from rowhouse.data_table)`).Scan(&s.relation)
	if err != nil {
		return fmt.Errorf("looking for the record table: %w", err)
	}
	return nil
}

func (b *bench) dial(ctx context.Context, s *subject) (*wire, error) {
	return dial(ctx, b.programs[s.kind].host, b.programs[s.kind].header)
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
		if wires[i], err = b.dial(ctx, s); err != nil {
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
		if _, err := b.conns[s.kind].Exec(ctx, "vacuum analyze "+s.relation); err != nil {
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
	for kind := range names {
		errs = append(errs, b.programs[kind].close())
		if b.conns[kind] != nil {
			errs = append(errs, b.conns[kind].Close(ctx))
		}
		if b.databases[kind] != "" {
			_, err := b.admin.Exec(ctx, "drop database if exists "+pgx.Identifier{b.databases[kind]}.Sanitize()+" with (force)")
			errs = append(errs, err)
		}
	}
	if b.admin != nil {
		errs = append(errs, b.admin.Close(ctx))
	}
	return errors.Join(errs...)
}
