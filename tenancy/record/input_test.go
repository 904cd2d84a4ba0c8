package record_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestTheOrderOfAnInputsFieldsMakesNoStatementOfItsOwn(t *testing.T) {
	t.Parallel()
	sent := &statementTracer{}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 1, Tracer: sent})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	b := setupOn(t, database)
	u := b.table(t, "T", catalog.FieldSpec{Name: "Name", Type: schema.Text},
		catalog.FieldSpec{Name: "A", Type: schema.Number}, catalog.FieldSpec{Name: "B", Type: schema.Text},
		catalog.FieldSpec{Name: "C", Type: schema.Checkbox})
	first := b.create(t, u, `{"Name":"a","A":1,"B":"b","C":true}`)[0]
	for name, write := range map[string]func(fields ...string) []rec{
		"create 1": func(fields ...string) []rec { return []rec{b.createOne(t, u, fields[0])} },
		"create 2": func(fields ...string) []rec { return b.create(t, u, fields...) },
		"update 1": func(fields ...string) []rec { return []rec{b.updateOne(t, first.ID, fields[0])} },
		"update 2": func(fields ...string) []rec {
			written, err := b.engine.Update(t.Context(), b.actor, u, []record.Change{
				{ID: first.ID, Fields: jsonvaluetest.ParseObject([]byte(fields[0]))},
				{ID: b.create(t, u, `{"Name":"z"}`)[0].ID, Fields: jsonvaluetest.ParseObject([]byte(fields[1]))},
			}, false)
			if err != nil {
				t.Fatal(err)
			}
			return []rec{decode(t, written.Records[0]), decode(t, written.Records[1])}
		},
	} {
		sent.take()
		one := write(`{"Name":"n","A":2,"B":"x","C":true}`, `{"B":"y"}`)
		before := sent.take()
		two := write(`{"C":true,"B":"x","A":2,"Name":"n"}`, `{"B":"y"}`)
		if after := sent.take(); !slices.Equal(before, after) {
			t.Errorf("%s: another order made\n%q\nof\n%q", name, after, before)
		}
		for i, r := range append(one, two...) {
			want := map[string]any{"Name": "n", "A": 2.0, "B": "x", "C": true}
			if i%len(one) == 1 {
				want = map[string]any{"B": "y", "C": false}
				if name == "update 2" {
					want["Name"] = "z"
				}
			}
			for field, value := range want {
				if r.Fields[field] != value {
					t.Errorf("%s: record %d has %s = %v, not %v", name, i, field, r.Fields[field], value)
				}
			}
		}
	}
}

// statementTracer are the statementTracer that were sent in batches.
type statementTracer struct {
	mu   sync.Mutex
	sent []string
}

func (s *statementTracer) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := s.sent
	s.sent = nil
	return sent
}

func (s *statementTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (s *statementTracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *statementTracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *statementTracer) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, data.SQL)
}
func (s *statementTracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// The texts of statements that write one row are kept; one of a former schema would return the
// columns of then.
func TestAWriteOfTheSameFieldsReturnsTheFieldsOfNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text))
	one := b.create(t, u, `{"Name":"a"}`)[0].ID
	for n := range 3 {
		for range 2 { // the statement is kept from the first time on
			for what, r := range map[string]rec{
				"create": b.createOne(t, u, `{"Name":"a"}`),
				"update": b.updateOne(t, one, `{"Name":"b"}`),
			} {
				if len(r.Fields) != 1+n {
					t.Errorf("with %d fields, %s returned %v", 1+n, what, r.Fields)
				}
			}
		}
		if _, err := b.store.CreateField(
			t.Context(), b.actor.Org, u, field(fmt.Sprint("More ", n), schema.Number),
		); err != nil {
			t.Fatal(err)
		}
	}
}

func (b *bundle) createOne(t *testing.T, table uuid.UUID, fields string) rec {
	t.Helper()
	written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{
		Records: parsed([]string{fields}),
		Single:  true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, written.Records[0])
}

func (b *bundle) updateOne(t *testing.T, id, fields string) rec {
	t.Helper()
	raw, err := b.engine.UpdateOne(t.Context(), b.actor, id, jsonvaluetest.ParseObject([]byte(fields)), false)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw)
}
