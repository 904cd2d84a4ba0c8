package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// serviceDialect is the REST API of the service.
var serviceDialect = dialect{
	name: "service",
	calls: [operationCount]func(*subject, *caller) call{
		page: func(s *subject, _ *caller) call { return s.list(url.Values{}) },
		get: func(s *subject, c *caller) call {
			return call{"GET", "/api/v1/records/" + s.records[c.row(s)], nil}
		},
		filterAndSort: func(s *subject, c *caller) call { return s.byAmount(least(c)) },
		filterAgain:   func(s *subject, _ *caller) call { return s.byAmount(again) },
		twoFilters: func(s *subject, c *caller) call {
			return s.list(url.Values{
				"filters": {string(encode([]object{
					{"fieldId": "Status", "op": "eq", "value": status(c)},
					{"fieldId": "Amount", "op": "lt", "value": amountOf(c.random)},
				}))},
				"sorts": {`[{"fieldId":"Due","dir":"desc"}]`},
			})
		},
		search: func(s *subject, c *caller) call {
			return call{"GET", s.path() + "/search?limit=100&q=" + fragment(c.random), nil}
		},
		deepOffset: func(s *subject, _ *caller) call { return s.list(url.Values{"offset": {strconv.Itoa(s.deep())}}) },
		deepCursor: func(s *subject, c *caller) call {
			return s.list(url.Values{"cursor": {s.cursors[c.random.IntN(len(s.cursors))]}})
		},
		createOne: func(s *subject, c *caller) call {
			return call{"POST", s.path(), encode(object{"fields": newRow(c)})}
		},
		createHundred: func(s *subject, c *caller) call { return call{"POST", s.path(), recordsOf(newRows(c))} },
		updateOne: func(s *subject, c *caller) call {
			return call{"PATCH", "/api/v1/records/" + s.records[c.row(s)], encode(object{"fields": changeOf(c)})}
		},
		updateHundred: func(s *subject, c *caller) call {
			return call{"PATCH", s.path(), changesOf(s, c, func(row int) any { return s.records[row] })}
		},
		computedPage:   func(s *subject, _ *caller) call { return s.list(url.Values{}) },
		computedFilter: func(s *subject, c *caller) call { return s.byTotal(totalOf(least(c))) },
	},
	compute: serviceComputed,
	fill:    func(s *subject, rows []row) call { return call{"POST", s.path(), recordsOf(rows)} },
	made:    madeRecords,
	total:   func(body []byte) (int64, error) { return totalIn(body, "total") },
}

// path is the collection of a table's records.
func (s *subject) path() string { return "/api/v1/tables/" + s.table + "/records" }

func (s *subject) list(parameters url.Values) call {
	parameters.Set("limit", "100")
	return call{"GET", s.path() + "?" + parameters.Encode(), nil}
}

func (s *subject) byAmount(least float64) call {
	return s.list(url.Values{
		"filters": {string(encode([]object{{"fieldId": "Amount", "op": "gte", "value": least}}))},
		"sorts":   {`[{"fieldId":"Amount","dir":"asc"}]`},
	})
}

// findCursors fetches the cursors of deep pages, which a client would have from the previous page.
func (s *subject) findCursors(w *connection) error {
	for i := range 10 {
		c := s.list(url.Values{"offset": {strconv.Itoa(s.deep() - batch + 10*i)}})
		var page struct {
			Cursor string `json:"cursor"`
		}
		if err := ask(w, c, &page); err != nil {
			return err
		}
		if page.Cursor == "" {
			return errors.New("a deep page has no cursor")
		}
		s.cursors = append(s.cursors, page.Cursor)
	}
	return nil
}

// madeRecords reads the ids of created records.
func madeRecords(answer []byte) ([]string, error) {
	var made struct {
		Records []struct {
			ID string `json:"id"`
		} `json:"records"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return nil, fmt.Errorf("reading the records that were made: %w", err)
	}
	ids := make([]string, len(made.Records))
	for i, record := range made.Records {
		ids[i] = record.ID
	}
	return ids, nil
}

// serve starts the service in its production configuration without rate limits, and creates an
// organization in it.
func (b *bench) serve(ctx context.Context, services *local.Services, name, binary string) (*program, error) {
	p := &program{dialect: &serviceDialect, name: name}
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
	// Each binary migrates its own database.
	if err := migrate(ctx, binary, p.login); err != nil {
		return nil, err
	}
	p.secret = rand.Text() + rand.Text()
	org, keys, err := b.seed(ctx, p, services.RedisURL)
	if err != nil {
		return nil, err
	}
	if p.metrics, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	err = p.start(ctx, binary, b.set.dir, []string{
		"DATABASE_URL=" + p.login, "REDIS_URL=" + services.RedisURL, "SECRET_KEY=" + p.secret,
		"METRICS_ADDR=" + p.metrics, "CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0",
	}, "serve")
	p.org = org
	for _, key := range keys {
		p.headers = append(p.headers, "Authorization: Bearer "+key+"\r\n")
	}
	p.header = p.headers[0]
	return p, err
}

// migrate runs the binary's own migrations.
func migrate(ctx context.Context, binary, databaseURL string) error {
	command := exec.CommandContext(ctx, binary, "migrate")
	command.Env = []string{"DATABASE_URL=" + databaseURL}
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("migrating the database: %w: %s", err, out)
	}
	return nil
}

// seed creates an organization with people and a key for each.
func (b *bench) seed(ctx context.Context, p *program, redisURL string) (org string, values []string, err error) {
	tenantDB, err := db.Open(ctx, p.login, db.Options{MaxConns: 3, Secrets: [][]byte{[]byte(p.secret)}})
	if err != nil {
		return "", nil, err
	}
	defer tenantDB.Close()
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		return "", nil, err
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	cache := credential.New(client, credential.Options{})
	defer cache.Close()
	keys := apikey.New(apikey.Deps{DB: tenantDB, Cache: cache})
	defer keys.Close(ctx)
	var made uuid.UUID
	for i := range b.set.people {
		person := id.New()
		err := tenantDB.SystemTx(ctx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, $2, 'Load')",
				person, fmt.Sprintf("load%d@example.com", i))
			return err
		})
		if err != nil {
			return "", nil, err
		}
		if i == 0 {
			var org organization.Organization
			if org, err = organization.Create(ctx, tenantDB, person, "Load"); err == nil {
				made = org.ID
			}
		} else {
			_, err = p.conn.Exec(ctx, "insert into rowhouse.member (org_id, person_id, role) values ($1, $2, 'admin')",
				made, person)
		}
		if err != nil {
			return "", nil, err
		}
		_, key, err := keys.Create(ctx, apikey.Draft{Person: person, Name: "Load", Scopes: authz.AllScopes()})
		if err != nil {
			return "", nil, err
		}
		values = append(values, key)
	}
	return id.Format(id.Org, made), values, nil
}

// createTable creates an empty table in a service and adds it to the subjects.
func (b *bench) createTable(ctx context.Context, p *program, side, rows int) error {
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
	if err := ask(
		w, call{"POST", "/api/v1/bases/" + base.ID + "/tables", encode(object{"name": "Load", "fields": fields})},
		&table,
	); err != nil {
		return err
	}
	s.table, s.base = table.ID, base.ID
	// Nobody else makes tables at this time, so it is the one with the highest number.
	err = p.conn.QueryRow(ctx,
		`select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname like 'org\_%' and c.relkind = 'r' and c.relname = 't_' || (select max(number)
		from rowhouse.data_table)`).Scan(&s.relation)
	if err != nil {
		return fmt.Errorf("looking for the record table: %w", err)
	}
	return nil
}
