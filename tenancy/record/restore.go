package record

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxRestored is how many records are restored at once.
const MaxRestored = 1000

// A Restored is a record that was somewhere else before, as WrittenPages reads it. Its fields have the numbers and
// places that it has got, too; those that are left out are empty, whatever their defaults are.
type Restored struct {
	Row                  uuid.UUID
	CreatedAt, UpdatedAt time.Time
	CreatedBy, UpdatedBy uuid.UUID // zero: nobody known
	Fields               jsonvalue.ParsedObject
}

// KeepingFormer returns the same engine, whose Restore keeps people in values who are no members any more. It is for
// records that are of this organization.
func (e *Engine) KeepingFormer() *Engine {
	bound := *e
	bound.former = true
	return &bound
}

// Restore creates records, all or none. Who has created them, and when they were changed, RestoreAuthors writes once
// nothing changes them any more.
func (e *Engine) Restore(ctx context.Context, actor Actor, table uuid.UUID, records []Restored) error {
	return e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		if err := mayCreate(t); err != nil {
			return err
		}
		input := newWriteInput(s, t, false)
		input.exclusive, input.counted, input.person = exclusive, true, actor.Person
		for i := range records {
			input.addRestored("records["+strconv.Itoa(i)+"].fields", &records[i])
		}
		if err := e.prepare(ctx, actor, input); err != nil {
			return err
		}
		for i := range input.rows {
			input.fillUnset(&input.rows[i])
		}
		if err := input.err(); err != nil {
			return err
		}
		if e.former {
			input.people = nil
		}
		event := &audit.Event{
			Action: "import_records", Subject: t.PublicID(), Detail: map[string]any{"count": len(records)},
		}
		if _, err := e.write(ctx, actor, input, true, event); err != nil {
			return e.explain(ctx, actor, input, fmt.Errorf("restoring records: %w", err))
		}
		return nil
	})
}

// addRestored reads a record with what the service has written of it.
func (in *writeInput) addRestored(path string, record *Restored) {
	var written, own []jsonvalue.Member
	for _, m := range record.Fields.Members() {
		if f := in.table.FieldByName(m.Name); f != nil && f.Info().ReadOnly && f.Info().Column != "" {
			own = append(own, m)
		} else {
			written = append(written, m)
		}
	}
	r := in.add(path, jsonvalue.NewParsedObject(written, record.Fields.Size()))
	r.id, r.createdAt = record.Row, record.CreatedAt
	for _, m := range own {
		f := in.table.FieldByName(m.Name)
		value, err := restoredValue(f, m.Value)
		if err != nil {
			in.fail(path+"."+m.Name, "%s", err)
			continue
		}
		in.put(r, f, value)
	}
	if record.Fields.Invalid != nil {
		in.fail(path, "%s", record.Fields.Invalid)
	}
}

// restoredValue reads the number or the place that the service has given a record.
func restoredValue(f *schema.Field, raw json.RawMessage) (any, error) {
	if f.Info().Counted {
		number, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || number < 1 {
			return nil, fmt.Errorf("must be a whole number above 0, not %s", raw)
		}
		return number, nil
	}
	var key string
	if err := json.Unmarshal(raw, &key); err != nil || len(key) > field.MaxRank || key == "" ||
		strings.Trim(key, field.RankDigits) != "" {
		return nil, fmt.Errorf("is no place of a manual order")
	}
	return key, nil
}

// fillUnset gives a new record what columns hold that take no null, where it has no value. Either all records of a
// statement say their number or none.
func (in *writeInput) fillUnset(r *row) {
	for i, f := range in.fields {
		switch unset := f.Unset(); {
		case i < len(r.given) && r.given[i]:
		case f.Info().Counted:
			in.fail(r.path+"."+f.Name, "is missing, and other records have it")
		case unset != nil:
			in.put(r, f, unset)
		}
	}
}

// RestoreLinks writes the values of link fields of records that were restored, all or none.
func (e *Engine) RestoreLinks(ctx context.Context, actor Actor, table uuid.UUID, changes []Change) error {
	return e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		input := newWriteInput(s, t, false)
		input.exclusive, input.counted = exclusive, true
		_, err := e.update(ctx, actor, input, changes, true,
			func(i int) string { return "records[" + strconv.Itoa(i) + "].fields" })
		return err
	})
}

// RestoreAuthors writes who has created and changed restored records, and when they were changed. It changes no
// version, and nothing else of a record.
func (e *Engine) RestoreAuthors(ctx context.Context, actor Actor, table uuid.UUID, records []Restored) error {
	rows, changed := make([]uuid.UUID, len(records)), make([]time.Time, len(records))
	creators, authors := make([]*uuid.UUID, len(records)), make([]*uuid.UUID, len(records))
	for i := range records {
		r := &records[i]
		if rows[i], changed[i] = r.Row, r.UpdatedAt; r.UpdatedAt.IsZero() {
			changed[i] = r.CreatedAt
		}
		if r.CreatedBy != uuid.Nil {
			creators[i] = &r.CreatedBy
		}
		if r.UpdatedBy != uuid.Nil {
			authors[i] = &r.UpdatedBy
		}
	}
	return e.OnTable(ctx, actor.Org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		if err := mayCreate(t); err != nil {
			return err
		}
		err := e.db.TableWrite(ctx, actor.Org, t.Ref(), func(b *db.WriteBatch) {
			b.Change(t.Ref().ChangeStatement(func(assertion string) string {
				return "update " + t.Whole().Relation() + " as t set created_by = u.creator, updated_by = u.author, " +
					"updated_at = u.changed from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[]) " +
					"as u(id, creator, author, changed) where t.id = u.id and " + assertion
			}), rows, creators, authors, changed)
			audit.Record(ctx, b.Batch, actor.Org, nil)
			countWrite(b.Batch, t, 0, nil)
		})
		if err != nil {
			return fmt.Errorf("restoring the authors of records: %w", err)
		}
		return nil
	})
}
