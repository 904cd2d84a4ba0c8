package attacktest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// A connection that serves the attacker has served the victim before, so it has the plans of the
// victim's statements. This file makes such connections.

// A cachedStatement is one that the product sends for the victim.
type cachedStatement struct {
	sql  string // without the comment that differs by organization
	args []any
}

// enoughForAGenericPlan is how often PostgreSQL plans a statement before it may keep a plan, and
// one more.
const enoughForAGenericPlan = 7

// serve is one request of the victim of every kind that reads records.
func (w *World) serve(ctx context.Context, engine *record.Engine, step func(name string)) error {
	o := w.Victim
	actor := record.Actor{Org: o.ID, Person: o.Owner}
	step("get")
	if _, err := engine.Get(ctx, actor, id.FormatRecord(o.Table.Number, o.Record)); err != nil {
		return fmt.Errorf("getting a record: %w", err)
	}
	step("list")
	if _, err := engine.List(ctx, actor, o.Table.ID, query.Request{Limit: 3}); err != nil {
		return fmt.Errorf("listing records: %w", err)
	}
	step("search")
	if _, err := engine.Search(ctx, actor, o.Table.ID, "record 77", 3, 0, ""); err != nil {
		return fmt.Errorf("searching records: %w", err)
	}
	step("count")
	if _, err := engine.Aggregate(ctx, actor, o.Table.ID, query.Aggregation{}); err != nil {
		return fmt.Errorf("counting records: %w", err)
	}
	return nil
}

// update changes a record of the victim.
func (w *World) update(ctx context.Context, engine *record.Engine) error {
	o := w.Victim
	change := jsonvaluetest.ParseObject([]byte(`{"` + o.Table.Primary().Name + `":"` + word + ` record, changed"}`))
	actor := record.Actor{Org: o.ID, Person: o.Owner}
	if _, err := engine.UpdateOne(ctx, actor, id.FormatRecord(o.Table.Number, o.Record), change, false); err != nil {
		return fmt.Errorf("updating a record: %w", err)
	}
	return nil
}

// A recorder keeps the statements that a connection is asked to run.
type recorder struct {
	step       string
	statements map[string][]cachedStatement // by step
}

func (r *recorder) record(sql string, args []any) {
	text, _, _ := strings.Cut(sql, " /* ")
	r.statements[r.step] = append(r.statements[r.step], cachedStatement{text, args})
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.record(data.SQL, data.Args)
	return ctx
}

func (*recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (*recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (r *recorder) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	r.record(data.SQL, data.Args)
}

func (*recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// learnStatements finds out what the product sends for the victim. An attacker can work it out from
// the source.
func (w *World) learnStatements(ctx context.Context) error {
	seen := &recorder{statements: map[string][]cachedStatement{}}
	tenantDB, err := w.open(ctx, seen)
	if err != nil {
		return err
	}
	defer tenantDB.Close()
	engine := record.New(tenantDB, catalog.NewStore(tenantDB, catalog.Options{}))
	if err := w.serve(ctx, engine, func(name string) { seen.step = name }); err != nil {
		return err
	}
	seen.step = "update"
	if err := w.update(ctx, engine); err != nil {
		return err
	}
	w.cached = map[string]cachedStatement{}
	for step, statements := range seen.statements {
		for _, statement := range statements {
			if w.cached[step].sql == "" && strings.Contains(statement.sql, `"`+w.Victim.Schema()+`"`) {
				w.cached[step] = statement
			}
			if w.cached["enter"].sql == "" && strings.Contains(statement.sql, "'app.key'") {
				w.cached["enter"] = statement
			}
			if w.cached["meta"].sql == "" && strings.Contains(statement.sql, "rowhouse.field") {
				w.cached["meta"] = statement
			}
		}
	}
	for _, step := range []string{"get", "list", "search", "count", "update", "meta", "enter"} {
		if w.cached[step].sql == "" {
			return fmt.Errorf("the product sends no statement to %s that names the victim", step)
		}
	}
	return nil
}

// name is what the driver calls the statement, as an attacker would guess it.
func (s cachedStatement) name() string {
	digest := sha256.Sum256([]byte(s.sql))
	return "stmtcache_" + hex.EncodeToString(digest[:24])
}

// call is the statement's name and arguments for EXECUTE.
func (s cachedStatement) call() string {
	name := s.name()
	if len(s.args) == 0 {
		return name
	}
	args := make([]string, len(s.args))
	for i, arg := range s.args {
		if text, ok := arg.(string); ok && (strings.Contains(text, word) || len(text) == 32) {
			arg = nil // an error would repeat what people wrote, or a key
		}
		switch arg := arg.(type) {
		case int, int16, int32, int64, bool:
			args[i] = fmt.Sprint(arg)
		case string:
			args[i] = "'" + strings.ReplaceAll(arg, "'", "''") + "'"
		case uuid.UUID:
			args[i] = "'" + arg.String() + "'"
		default:
			args[i] = "null"
		}
	}
	return name + " (" + strings.Join(args, ", ") + ")"
}

// A pool gives sessions through one login.
type pool struct {
	world  *World
	login  Login
	db     *db.DB
	engine *record.Engine
}

func (w *World) pool(ctx context.Context, d Login) (*pool, error) {
	tenantDB, err := w.open(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &pool{w, d, tenantDB, record.New(tenantDB, catalog.NewStore(tenantDB, catalog.Options{}))}, nil
}

func (p *pool) close() { p.db.Close() }

var errSessionDone = errors.New("the session is done with")

// session runs fn on a connection of the product's that has just served the victim. The connection
// ends with it.
func (p *pool) session(ctx context.Context, fn func(s *session) error) error {
	transact := func(tx pgx.Tx) error { return p.attacked(ctx, tx, fn) }
	var err error
	switch p.login {
	case Request:
		for range enoughForAGenericPlan {
			if err := p.world.serve(ctx, p.engine, func(string) {}); err != nil {
				return fmt.Errorf("serving the victim: %w", err)
			}
		}
		err = p.db.Tx(ctx, p.world.Victim.ID, transact)
	case Schema:
		err = p.db.SchemaTx(ctx, p.world.Victim.ID, transact)
	case System:
		err = p.db.SystemTx(ctx, transact)
	case Job:
		err = p.jobSession(ctx, fn)
	}
	if errors.Is(err, errSessionDone) {
		return nil
	}
	return err
}

// attacked hands the connection of a transaction of the victim over to fn.
func (p *pool) attacked(ctx context.Context, tx pgx.Tx, fn func(s *session) error) error {
	conn := tx.Conn()
	if p.login == Request || p.login == Schema {
		if _, err := tx.Exec(ctx, "select set_config('app.change', '1', true)"); err != nil { // as writes begin
			return fmt.Errorf("drawing a number for the victim: %w", err)
		}
		for step, statement := range p.world.cached {
			if p.login == Schema && (step == "search" || step == "enter") {
				continue // only requests do so
			}
			for range enoughForAGenericPlan {
				var err error
				if p.world.guessable {
					_, err = conn.Exec(ctx, statement.sql, statement.args...)
				} else {
					_, err = tx.Exec(ctx, statement.sql, statement.args...)
				}
				if err != nil {
					return fmt.Errorf("caching a statement of the victim: %w", err)
				}
			}
		}
	}
	return handOver(ctx, conn, p.login, fn)
}

func (p *pool) jobSession(ctx context.Context, fn func(s *session) error) error {
	address, err := p.world.url(Job)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connecting as %s: %w", migrations.Job, err)
	}
	return handOver(ctx, conn, p.login, fn)
}

func handOver(ctx context.Context, conn *pgx.Conn, d Login, fn func(s *session) error) error {
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	s := &session{login: d, conn: conn.PgConn().Conn(), wire: conn.PgConn().Frontend()}
	if err := s.must("rollback"); err != nil {
		return err
	}
	if err := fn(s); err != nil {
		return err
	}
	return errSessionDone
}

// placesOfPlans finds a plan that names a table of the victim.
func placesOfPlans(w *World) *regexp.Regexp {
	return regexp.MustCompile(
		w.expand(`on ({victim_rel}|t_{victim_other_number}|l_{victim_link_number})\b[^\n]*\(cost=`),
	)
}
