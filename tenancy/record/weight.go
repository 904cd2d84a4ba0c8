package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of size, in bytes.
const (
	// MaxRecord is how large the values of one record may be together. Text counts its UTF-8, JSON its stored form.
	MaxRecord = 1 << 20
	// MaxAnswer is how large the records of one answer may be together: a page ends there, and a write that would answer with more is
	// refused.
	MaxAnswer = 8 << 20
	// smallChange is the size of a change of one record up to which the record is not weighed: the changes of all 500 fields of a
	// record add half of MaxRecord at most.
	smallChange = 1 << 10
)

const (
	stateHeavyRecord = "RH005"
	stateHeavyAnswer = "RH006"
)

// weightOf is the size of a value that a decoder returned.
func weightOf(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []string:
		n := 0
		for _, s := range v {
			n += len(s) + 1
		}
		return n
	case []uuid.UUID:
		return weightOfUser * len(v)
	}
	return 0 // a few bytes
}

// weightOfUser is about how many bytes a user's id takes in JSON.
const weightOfUser = 32

// weightExpression is weightOf for the columns of a record, under the alias t, in SQL. The size of text is known without reading it.
func weightExpression(fields []*schema.Field) string {
	parts := []string{"0::bigint"}
	for _, f := range fields {
		if f.Type.Info().Column == "" {
			continue
		}
		switch f.Type.Info().Shape { //nolint:exhaustive // the others are a few bytes
		case schema.ShapeText, schema.ShapeChoice:
			parts = append(parts, "coalesce(octet_length(t."+f.Column()+"), 0)")
		case schema.ShapeChoices:
			parts = append(parts, "coalesce(octet_length(array_to_string(t."+f.Column()+", ',')), 0)")
		case schema.ShapeJSON, schema.ShapeAttachment:
			parts = append(parts, "coalesce(octet_length(t."+f.Column()+"::text), 0)")
		case schema.ShapeUser:
			parts = append(parts, fmt.Sprintf("%d * coalesce(cardinality(t.%s), 0)", weightOfUser, f.Column()))
		}
	}
	return strings.Join(parts, " + ")
}

// weight is the size of what a row writes.
func (r *row) weight() int {
	n := 0
	for i, value := range r.values {
		if r.given[i] {
			n += weightOf(value)
		}
	}
	return n
}

// weigh refuses rows that are too large by what they write alone.
func (in *writeInput) weigh() error {
	all := 0
	for i := range in.rows {
		n := in.rows[i].weight()
		if all += n; n > MaxRecord {
			in.fail(in.rows[i].path, "holds %d bytes of values; a record holds at most 1 MB (%d bytes)", n, MaxRecord)
		}
	}
	if err := in.err(); err != nil {
		return err
	}
	if all > MaxAnswer {
		return heavyAnswer()
	}
	return nil
}

// weighs reports whether the database must weigh the record that a row changes alone: what the row writes is not all that the record holds.
func (r *row) weighs() bool { return r.size > smallChange }

// weighed is the condition on changed, the records of a write with their weight, that they are not too large.
const weighed = " and (select gate.assert(coalesce(max(weight), 0) <= 1048576, '" + stateHeavyRecord + "') from changed)" +
	" and (select gate.assert(coalesce(sum(weight), 0) <= 8388608, '" + stateHeavyAnswer + "') from changed)"

func heavyAnswer() error {
	return (&problem.Error{
		Kind:    problem.KindTooLarge,
		Message: fmt.Sprintf("The records would be larger than 8 MB (%d bytes) together, which is the most that an answer holds. Nothing was written; write fewer records at once.", MaxAnswer),
	}).WithCode("records_too_large")
}

// heavyRecord says which of the records that were to be changed would be too large.
func (e *Engine) heavyRecord(ctx context.Context, actor Actor, take *writeInput, cause error) error {
	err := e.db.TableBatch(ctx, actor.Org, take.table.Ref(), func(b *pgx.Batch) {
		for i := range take.rows {
			r := &take.rows[i]
			var kept []*schema.Field
			for _, f := range take.table.Fields {
				if at := slices.Index(take.fields, f); at < 0 || at >= len(r.given) || !r.given[at] {
					kept = append(kept, f)
				}
			}
			b.Queue("select "+weightExpression(kept)+" from "+take.table.Relation()+" t where t.id = $1", r.id).Query(func(rows pgx.Rows) error {
				var n int64
				_, err := pgx.ForEachRow(rows, []any{&n}, func() error {
					if n += int64(r.weight()); n > MaxRecord {
						take.fail(r.path, "would make the record hold %d bytes of values; a record holds at most 1 MB (%d bytes)", n, MaxRecord)
					}
					return nil
				})
				return err
			})
		}
	})
	if err != nil {
		return fmt.Errorf("weighing records: %w", err)
	}
	if err := take.err(); err != nil {
		return err
	}
	return problem.Invalid("records", "one of the records would hold more than 1 MB (%d bytes) of values", MaxRecord).Because(cause)
}

// tooLong says which values PostgreSQL has no room for.
func (in *writeInput) tooLong(refused *pgconn.PgError) *problem.Error {
	if strings.HasPrefix(refused.Message, "row is too big") {
		return problem.Invalid("records", "too many fields of one record hold long values; PostgreSQL keeps about 400 of them in a record")
	}
	const suspect = 2000 // bytes; shorter values fit
	var items []problem.Item
	for i := range in.rows {
		for at, f := range in.fields {
			value, _ := in.rows[i].value(at)
			if text, ok := value.(string); ok && f.Config.Unique && len(text) > suspect {
				items = append(items, problem.Item{Path: in.rows[i].path + "." + f.Name, Message: "is too long; " + schema.UniqueLimit})
			}
		}
	}
	if len(items) == 0 {
		return problem.Invalid("records", "a value is too long for the index of its field")
	}
	return problem.InvalidItems(items[:min(len(items), maxItems)])
}
