package field_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// An array means the same in its binary form and in its text form.
func TestArraysAreEqualInBothForms(t *testing.T) {
	t.Parallel()
	tenantDB := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, tenantDB)
	day := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	days := []any{
		day("0001-01-01T00:00:00Z"), day("1999-12-31T00:00:00Z"), nil, day("2000-01-01T00:00:00Z"),
		day("9999-12-31T00:00:00Z"),
	}
	moments := append([]any{day("0001-01-01T00:00:00.000001Z"), day("2026-03-29T02:30:00.123456+01:00")}, days...)
	one, two := uuid.New(), uuid.New()
	for column, values := range map[string][]any{
		"text": {
			`a "quoted" \ text`, "{a,b}", "NULL", nil, "two\nlines", "שלום 🎉",
			[]string{`a,"b`, "c"},
			[]uuid.UUID{one, two},
		},
		"double precision": {0.1, -1e300, nil, 123456789012345.0},
		"boolean":          {true, nil, false},
		"date":             days,
		"timestamptz":      moments,
		"uuid":             {one, nil, two},
	} {
		many := make([]any, 0, 100*len(values)) // beyond the entries by which it guesses its size
		for range 100 {
			many = append(many, values...)
		}
		var text field.Array
		binary := field.NewBinaryArray(column+"[]", len(many))
		for _, value := range many {
			text.Add(value)
			binary.Add(value)
		}
		var same bool
		err := tenantDB.Batch(t.Context(), org, func(b *pgx.Batch) {
			b.Queue("select $1::"+column+"[] = $2::text::"+column+"[]", db.BinaryArray(binary.Bytes()), text.String()).
				QueryRow(func(row pgx.Row) error { return row.Scan(&same) })
		})
		if err != nil || !same {
			t.Errorf("arrays of %s: %t, %v", column, same, err)
		}
	}
}
