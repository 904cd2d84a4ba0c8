package record_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestASingleReadAndWriteMakeOneRoundTrip(t *testing.T) {
	t.Parallel()
	trips := &counter{}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 1, Tracer: trips})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	b := setupOn(t, database)
	u := b.table(t, "T", everyField...)
	me := id.Format(id.User, b.actor.Person)
	made := b.create(t, u, `{"Name":"a"}`)[0].ID
	for name, do := range map[string]func() error{
		"get": func() error { _, err := b.engine.Get(t.Context(), b.actor, made); return err },
		"update": func() error {
			_, err := b.engine.UpdateOne(t.Context(), b.actor, made,
				jsonvaluetest.ParseObject([]byte(`{"Name":"b","N":1,"Who":"`+me+`"}`)), false)
			return err
		},
		"create": func() error {
			_, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
				Records: parsed([]string{`{"Name":"b","N":1}`}),
			})
			return err
		},
		"page": func() error {
			_, err := b.engine.List(t.Context(), b.actor, u,
				query.Request{Limit: 100, Search: "b", Filters: []byte(`[{"fieldId":"N","op":"gt","value":0}]`)})
			return err
		},
	} {
		for range 2 { // statements are prepared on first use
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		trips.n.Store(0)
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if n := trips.n.Load(); n != 1 {
			t.Errorf("%s: %d round trips", name, n)
		}
	}
}

// counter counts what is sent to PostgreSQL: a batch is one round trip, and so is a statement or a
// preparation of its own.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
func (c *counter) TracePrepareStart(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareStartData) context.Context {
	c.n.Add(1)
	return ctx
}
func (c *counter) TracePrepareEnd(context.Context, *pgx.Conn, pgx.TracePrepareEndData) {}
