package catalog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestATableOutlivesPostgresColumnLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Old", catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{Name: "Number", Type: schema.AutoNumber},
		catalog.FieldSpec{Name: "Code", Type: schema.Text, Config: json.RawMessage(`{"unique":true}`)})
	other := b.table(t, "Other")
	link, err := b.store.CreateField(t.Context(), b.org, other.ID, catalog.FieldSpec{
		Name: "Old one", Type: schema.LinkType, Config: json.RawMessage(`{"linkedTableId":"` + table.PublicID() + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	row, far := uuid.New(), uuid.New()
	code := table.FieldByName("Code")
	b.exec(t, "insert into "+table.Relation()+" (id, "+code.Column()+") values ($1, 'x')", row)
	b.exec(t, "insert into "+other.Relation()+" (id) values ($1)", far)
	b.exec(t, "insert into "+link.Link.Relation(b.org)+" (a, b) values ($1, $2)", far, row)

	// A life of 1,490 fields, all gone.
	b.outlive(t, table, 1490)
	for i := range 40 {
		_, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{
			Name: fmt.Sprint("New ", i),
			Type: schema.Number,
		})
		if err != nil {
			t.Fatalf("field %d: %v", i, err)
		}
	}
	if n := columnsEver(t.Context(), t, b, table); n > 100 {
		t.Fatalf("the table still carries %d columns", n)
	}
	auto := b.fresh(t).Table(table.ID).FieldByName("Number")
	b.exec(t, "insert into "+table.Relation()+" (id, "+code.Column()+") values ($1, 'y')", uuid.New())
	var highest int64
	err = b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select max("+auto.Column()+") from "+table.Relation()).Scan(&highest)
	})
	if err != nil || highest != 2 {
		t.Fatalf("numbering went on at %d, %v", highest, err)
	}
	err = b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "insert into "+table.Relation()+" (id, "+code.Column()+") values ($1, 'x')",
			uuid.New())
		return err
	})
	if err == nil || !strings.Contains(err.Error(), code.UniqueIndex()) {
		t.Fatalf("the unique index did not come along: %v", err)
	}
	b.exec(t, "delete from "+table.Relation()+" where id = $1", row)
	var left int
	err = b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select count(*) from "+link.Link.Relation(b.org)).Scan(&left)
	})
	if err != nil || left != 0 {
		t.Fatalf("the link's foreign key did not come along: %d pairs are left, %v", left, err)
	}
}

func columnsEver(ctx context.Context, t *testing.T, b *bundle, table *schema.Table) (n int) {
	t.Helper()
	err := b.db.Tx(ctx, b.org, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select count(*) from pg_attribute
			where attrelid = to_regclass($1::text) and attnum > 0`, table.Relation()).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// outlive gives a table so many columns, all of which are gone. PostgreSQL keeps a description of the table for each of
// them until its transaction ends.
func (b *bundle) outlive(t *testing.T, table *schema.Table, columns int) {
	t.Helper()
	const part = 149
	for first := 0; first < columns; first += part {
		err := b.db.SchemaTx(t.Context(), b.org, func(tx pgx.Tx) error {
			for _, verb := range []string{"add column x_%d text", "drop column x_%d"} {
				var parts []string
				for i := first; i < min(first+part, columns); i++ {
					parts = append(parts, fmt.Sprintf(verb, i))
				}
				_, err := tx.Exec(t.Context(), "alter table "+table.Relation()+" "+strings.Join(parts, ", "))
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
