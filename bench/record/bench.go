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
	relations [2]string    // where each keeps its records
	login     string       // URL of the service's database, as the service has it
	metrics   string       // address of the service's metrics and profiles
	org       string       // public id of the organization that is measured
	table     string       // public id of the service's table
	records   []string     // public ids in the service's table, by row
	cursors   []string     // of deep pages in the service's table
}

// The two sides, as indexes.
const (
	yardstick = iota
	service
)

var sides = [2]string{"yardstick", "service"}

// build starts the programs. The bench is to be closed even when it fails.
func build(ctx context.Context, s *settings, services *local.Services) (*bench, error) {
	b := &bench{set: s}
	var err error
	if b.admin, err = pgx.Connect(ctx, services.AdminURL); err != nil {
		return b, fmt.Errorf("connecting: %w", err)
	}
	var urls [2]string
	for side, name := range sides {
		if side == yardstick && !s.yardstick {
			continue
		}
		if urls[side], err = b.database(ctx, services, side, name); err != nil {
			return b, err
		}
	}
	if s.yardstick {
		b.relations[yardstick] = "item"
		b.programs[yardstick], err = launch(ctx, "yardstick", filepath.Join(s.bin, "yardstick"), s.dir, []string{"DATABASE_URL=" + urls[yardstick]})
		if err != nil {
			return b, err
		}
	}
	return b, b.serve(ctx, services, urls[service])
}

func (b *bench) database(ctx context.Context, services *local.Services, side int, name string) (string, error) {
	b.databases[side] = name + "_" + strings.ToLower(rand.Text())
	if _, err := b.admin.Exec(ctx, "create database "+pgx.Identifier{b.databases[side]}.Sanitize()); err != nil {
		return "", fmt.Errorf("creating a database: %w", err)
	}
	target, err := url.Parse(services.AdminURL)
	if err != nil {
		return "", fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + b.databases[side]
	if b.conns[side], err = pgx.Connect(ctx, target.String()); err != nil {
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
	return b.makeTable(ctx)
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

// makeTable makes an empty table, which is the one that is measured from then on.
func (b *bench) makeTable(ctx context.Context) error {
	w, err := b.dial(ctx, service)
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
	b.table, b.records, b.cursors = table.ID, nil, nil
	// Nobody else makes tables at this time: it is the one with the highest number.
	err = b.conns[service].QueryRow(ctx, `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname like 'org\_%' and c.relkind = 'r' and c.relname = 't_' || (select max(number) from rowhouse.data_table)`).Scan(&b.relations[service])
	if err != nil {
		return fmt.Errorf("looking for the record table: %w", err)
	}
	return nil
}

func (b *bench) dial(ctx context.Context, side int) (*wire, error) {
	return dial(ctx, b.programs[side].host, b.programs[side].header)
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

// sides that are measured.
func (b *bench) measured() []int {
	if b.programs[yardstick] == nil {
		return []int{service}
	}
	return []int{yardstick, service}
}

// load writes the same rows into both over one connection each, in turns of one request.
func (b *bench) load(ctx context.Context, r *report) error {
	var wires [2]*wire
	for _, side := range b.measured() {
		var err error
		if wires[side], err = b.dial(ctx, side); err != nil {
			return err
		}
		defer wires[side].close()
	}
	fmt.Fprintf(os.Stderr, "Loading %d rows.\n", b.set.rows)
	paths := [2]string{"/items", "/api/v1/tables/" + b.table + "/records"}
	var took [2]time.Duration
	for first := 0; first < b.set.rows; first += batch {
		body := rowsFrom(first, batch)
		for _, side := range b.measured() {
			began := time.Now()
			answer, err := wires[side].send(call{"POST", paths[side], body})
			took[side] += time.Since(began)
			if err != nil {
				return fmt.Errorf("loading: %w", err)
			}
			if side == service {
				if err := b.keep(answer); err != nil {
					return err
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, side := range b.measured() {
		r.loading[side] = float64(b.set.rows) / took[side].Seconds()
	}
	// What autovacuum does a little later by itself.
	for _, side := range b.measured() {
		if _, err := b.conns[side].Exec(ctx, "vacuum analyze "+b.relations[side]); err != nil {
			return fmt.Errorf("vacuuming: %w", err)
		}
	}
	return nil
}

// keep notes the ids of records that were made.
func (b *bench) keep(answer []byte) error {
	var made struct {
		Records []struct {
			ID string `json:"id"`
		} `json:"records"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return fmt.Errorf("reading the records that were made: %w", err)
	}
	for _, record := range made.Records {
		b.records = append(b.records, record.ID)
	}
	return nil
}

// close ends the programs and drops their databases.
func (b *bench) close(ctx context.Context) error {
	var errs []error
	for side := range sides {
		errs = append(errs, b.programs[side].close())
		if b.conns[side] != nil {
			errs = append(errs, b.conns[side].Close(ctx))
		}
		if b.databases[side] != "" {
			_, err := b.admin.Exec(ctx, "drop database if exists "+pgx.Identifier{b.databases[side]}.Sanitize()+" with (force)")
			errs = append(errs, err)
		}
	}
	if b.admin != nil {
		errs = append(errs, b.admin.Close(ctx))
	}
	return errors.Join(errs...)
}
