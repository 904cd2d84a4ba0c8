package record

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// draftRecords is how many records a check of a formula computes.
const draftRecords = 5

// A FormulaCheck is the result of checking a formula for a table.
type FormulaCheck struct {
	Type     string            // of the values, as in config.resultType; "" if there are problems
	Volatile bool              // values would be computed whenever they are read
	Problems []formula.Problem // in the order of their places
	Values   []DraftValue      // of the first records of the table
}

// A DraftValue is what a formula computes for a record: JSON as in the record's fields.
type DraftValue struct {
	Record string
	Value  json.RawMessage
}

// A Draft is a field that is not saved yet, whose values are asked for.
type Draft struct {
	Field   string // public id of the field that it changes; "" for a new one
	Formula string // of a formula; else Type and Config are those of a lookup, a rollup or a count
	Type    schema.Type
	Config  json.RawMessage
}

// CheckFormula checks a computed field for a table, and computes it for the first records. It changes
// nothing.
func (e *Engine) CheckFormula(ctx context.Context, org, table uuid.UUID, d Draft) (FormulaCheck, error) {
	var out FormulaCheck
	err := e.OnTable(ctx, org, table, func(s *schema.Snapshot, t *schema.Table) error {
		checked, err := d.check(s, t)
		if err != nil {
			return err
		}
		out = FormulaCheck{Problems: checked.Problems, Volatile: checked.Volatile}
		if checked.Field == nil {
			return nil
		}
		out.Type = checked.Field.Config.ResultType
		encode := checked.Field.Kind.Encoder(&checked.Field.Field, nil)
		return e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
			b.Queue("select t.id, " + checked.Field.Computed.SQL + " from " + t.Relation() + " t order by t.id limit " +
				fmt.Sprint(draftRecords)).Query(func(rows pgx.Rows) error {
				out.Values = []DraftValue{}
				for rows.Next() {
					raw, value := rows.RawValues(), json.RawMessage("null")
					if raw[1] != nil {
						value = encode(nil, raw[1])
					}
					out.Values = append(out.Values, DraftValue{id.FormatRecord(t.Number, uuid.UUID(raw[0])), value})
				}
				return rows.Err()
			})
		})
	})
	if err != nil {
		return FormulaCheck{}, fmt.Errorf("checking a formula: %w", err)
	}
	return out, nil
}

func (d *Draft) check(s *schema.Snapshot, t *schema.Table) (schema.FormulaCheck, error) {
	var present *schema.Field
	if d.Field != "" {
		if present = t.FieldByID(d.Field); present == nil {
			return schema.FormulaCheck{}, problem.Invalid("fieldId", "%q is not a field of %q", d.Field, t.Name)
		}
	}
	if d.Type != "" {
		config, err := field.ParseConfig("config", d.Type.Kind(), d.Config)
		if err != nil {
			return schema.FormulaCheck{}, err //nolint:wrapcheck // it names the key
		}
		return s.CheckLinked(t, present, d.Type, config)
	}
	checked, err := s.CheckFormula(t, present, d.Formula, "")
	if err != nil {
		return schema.FormulaCheck{}, problem.Invalid("formula", "%s", err)
	}
	return checked, nil
}
