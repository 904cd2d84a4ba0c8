package record

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// sizeOfLink is the approximate size of a link or a file in the memory of a write, in bytes.
const sizeOfLink = 32

// checkRepeated refuses values that so many records cannot have: values that are too large together,
// counted once for each record, and the value of a unique field. It runs before the values are decoded
// for each record.
func (in *writeInput) checkRepeated(count int) error {
	r := &in.rows[0]
	size := r.valueSize()
	for i := range r.links {
		size += sizeOfLink * len(r.links[i].rows)
	}
	for i := range r.files {
		size += sizeOfLink * len(r.files[i].files)
	}
	if count*size > membudget.MaxSize {
		return valuesTooLarge()
	}
	for i, f := range in.fields {
		if value, _ := r.value(i); value != nil && f.Config.Unique && count > 1 {
			return problem.Conflict("The field %q is unique, and %d records would get the same value. Nothing was "+
				"changed.", f.Name, count).WithCode(problem.CodeNotUnique)
		}
	}
	return nil
}

// checkPlanned refuses a plan whose change would be refused because a record has a unique value
// already, or a linked record or a person does not exist. input has the values for each of the found
// records.
func (e *Engine) checkPlanned(ctx context.Context, actor Actor, input *writeInput, found []selected) error {
	isFound := func(row uuid.UUID) bool {
		return slices.ContainsFunc(found, func(s selected) bool { return s.row == row })
	}
	for _, f := range input.fields {
		if !f.Config.Unique || !f.CanBeKey() {
			continue
		}
		have := map[int][]selected{}
		probe := *input
		values := probe.keys([]*schema.Field{f})
		err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) {
			values.match(b, &probe, "", have)
		})
		if err != nil {
			return fmt.Errorf("looking for a unique value: %w", err)
		}
		for row, records := range have {
			for _, one := range records {
				// The value of another changed record conflicts only while both are written.
				if one.row != input.rows[row].id && (len(input.rows) > 1 || !isFound(one.row)) {
					return e.taken(ctx, actor, input, f)
				}
			}
		}
		if len(values.twins) > 0 {
			return e.taken(ctx, actor, input, f)
		}
	}
	items, err := e.absentLinks(ctx, actor, input)
	if err != nil {
		return err
	}
	input.items = append(input.items, items...)
	if len(input.people) > 0 {
		if err := e.refuseStrangers(ctx, actor, input); err != nil {
			return err
		}
	}
	return input.err()
}

// storedValues returns the values that a change gives a record, by the names of their fields, as
// records show them after they are stored. Links and files are returned as given.
func (e *Engine) storedValues(
	ctx context.Context, actor Actor, input *writeInput, r *row, given jsonvalue.ParsedObject,
) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, m := range given.Members() {
		out[m.Name] = m.Value
	}
	var columns, selected []string
	var args []any
	for i, f := range input.fields {
		value, _ := r.value(i)
		args = append(args, value)
		columns = append(columns, "$"+strconv.Itoa(len(args))+f.Info().Cast()+" as "+f.Column())
		selected = append(selected, f.Kind.Select(&f.Field))
	}
	if len(columns) == 0 {
		return out, nil
	}
	err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+strings.Join(selected, ", ")+" from (select "+strings.Join(columns, ", ")+") t", args...).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					for i, raw := range rows.RawValues() {
						f := input.fields[i]
						out[f.Name] = json.RawMessage(f.Info().EmptyJSON())
						if raw != nil {
							out[f.Name] = f.Kind.Encoder(&f.Field, nil)(nil, raw)
						}
					}
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the values of a plan: %w", err)
	}
	return out, nil
}
