package record

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a merge.
const (
	MaxMerged   = 20    // records that go
	MaxComments = 5_000 // of one record
)

// A Merge is a request to merge several records of a table into one of them.
type Merge struct {
	Keep    string
	Merge   []string               // 1 to MaxMerged others, which go to the trash
	Fields  jsonvalue.ParsedObject // values by name that decide, whatever the records have
	Version *int64                 // that the kept record must have; nil: any
	DryRun  bool                   // write nothing
}

// Merged is the result of a merge, or of its dry run.
type Merged struct {
	DryRun   bool
	Merged   []string
	Links    int // of merged records that the kept one gets
	Comments int // that moved to the kept record
	Record   Record
}

// AppendJSON writes {dryRun, merged, links, comments, record}; the record comes last.
func (m Merged) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if m.DryRun {
		dst = append(dst, `"dryRun":true,`...)
	}
	dst = appendIDs(append(dst, `"merged":`...), m.Merged)
	dst = strconv.AppendInt(append(dst, `,"links":`...), int64(m.Links), 10)
	dst = strconv.AppendInt(append(dst, `,"comments":`...), int64(m.Comments), 10)
	return append(append(append(dst, `,"record":`...), m.Record...), '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (m Merged) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil), nil }

// Merge merges several records of a table into one, in one transaction. A stored field gets the kept
// record's value or, if that is empty, the first non-empty one of the others; fields with several
// values get those of all records, each once. Links and comments of the others pass to the kept record,
// and the others go to the trash. A dry run returns the record without computed values.
func (e *Engine) Merge(ctx context.Context, actor Actor, table uuid.UUID, in Merge) (Merged, error) {
	if len(in.Merge) < 1 || len(in.Merge) > MaxMerged {
		return Merged{}, problem.Invalid("merge", "must hold 1 to %d ids, not %d", MaxMerged, len(in.Merge))
	}
	var out Merged
	err := e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		for collisions := 0; ; collisions++ {
			var err error
			out, err = e.mergeOnce(ctx, actor, s, t, in, exclusive)
			moved := pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord)
			if moved && collisions < maxCollisions {
				continue // a record was changed between its first read and its lock
			}
			if moved {
				return problem.Conflict("Other requests changed the records at the same moment. Nothing was changed; " +
					"send the request again.").WithCode(problem.CodeWriteConflict).Because(err)
			}
			return err
		}
	})
	return out, err
}

// A merger merges records of a table. The first of rows is the kept one.
type merger struct {
	engine   *Engine
	actor    Actor
	schema   *schema.Snapshot
	table    *schema.Table
	rows     []uuid.UUID
	records  [][]byte                               // as they are
	values   []map[string]json.RawMessage           // by the name of the field
	far      map[*schema.Field]map[uuid.UUID]*int32 // positions of merged records in the lists of those they link
	input    *writeInput
	result   map[string]json.RawMessage
	links    int
	comments int
}

func (e *Engine) mergeOnce(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in Merge, exclusive bool,
) (Merged, error) {
	m := &merger{engine: e, actor: actor, schema: s, table: t, input: newWriteInput(s, t, false)}
	m.input.exclusive = exclusive
	if err := m.parse(in); err != nil {
		return Merged{}, err
	}
	if err := m.read(ctx, in); err != nil {
		return Merged{}, err
	}
	if err := m.decide(in); err != nil {
		return Merged{}, err
	}
	if err := e.prepare(ctx, actor, m.input); err != nil {
		return Merged{}, err
	}
	out := Merged{DryRun: in.DryRun, Merged: in.Merge, Links: m.links, Comments: m.comments}
	if in.DryRun {
		out.Record = m.planned()
		return out, nil
	}
	var err error
	out.Record, err = m.write(ctx, in)
	return out, err
}

func (m *merger) parse(in Merge) error {
	for i, public := range append([]string{in.Keep}, in.Merge...) {
		number, u, err := id.ParseRecord(public)
		if err != nil || number != m.table.Number {
			return recordNotFound(m.table, public, true)
		}
		switch before := slices.Index(m.rows, u); {
		case before == 0:
			return problem.Invalid(fmt.Sprintf("merge[%d]", i-1), "is the record that is kept")
		case before > 0:
			return problem.Invalid(fmt.Sprintf("merge[%d]", i-1), "is the same record as merge[%d]", before-1)
		}
		m.rows = append(m.rows, u)
	}
	return nil
}

// read reads the records, the positions of their links, and the numbers of their comments.
func (m *merger) read(ctx context.Context, in Merge) error {
	w := m.engine.newWriter(ctx, m.actor, m.input)
	m.far = map[*schema.Field]map[uuid.UUID]*int32{}
	var all int
	err := m.engine.db.TableBatch(ctx, m.actor.Org, m.table.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+w.projection.Columns()+" from "+m.table.Relation()+" t where t.id = any ($1)", m.rows).
			Query(w.collect)
		for _, f := range m.table.Fields {
			if f.Link == nil {
				continue
			}
			far := map[uuid.UUID]*int32{}
			m.far[f] = far
			b.Queue(fmt.Sprintf("select l.%[1]s, min(l.pos_%[1]s) from %[2]s l where l.%[3]s = any ($1) group by 1",
				f.Link.Other, f.Link.Relation(m.actor.Org), f.Link.Own), m.rows[1:]).Query(func(rows pgx.Rows) error {
				var other uuid.UUID
				var place int32
				_, err := pgx.ForEachRow(rows, []any{&other, &place}, func() error {
					at := place
					far[other] = &at
					return nil
				})
				return err
			})
		}
		b.Queue(`select count(*), count(*) filter (where c.record_id <> $4 and c.deleted_at is null)
			from rowhouse.comment c where c.org_id = $1 and c.table_number = $2 and c.record_id = any ($3)`,
			m.actor.Org, m.table.Number, m.rows, m.rows[0]).
			QueryRow(func(row pgx.Row) error { return row.Scan(&all, &m.comments) })
	})
	if err != nil {
		return fmt.Errorf("reading records to merge: %w", err)
	}
	for i, u := range m.rows {
		raw, ok := w.written[u]
		if !ok {
			return recordNotFound(m.table, append([]string{in.Keep}, in.Merge...)[i], true)
		}
		var one struct{ Fields map[string]json.RawMessage }
		if err := json.Unmarshal(raw, &one); err != nil {
			return fmt.Errorf("reading a record to merge: %w", err)
		}
		m.records, m.values = append(m.records, raw), append(m.values, one.Fields)
	}
	if version, _ := Record(m.records[0]).Version(); in.Version != nil && *in.Version != version {
		return m.engine.VersionChanged(ctx, m.actor, m.table, in.Keep, *in.Version)
	}
	if all > MaxComments && m.comments > 0 {
		return problem.Conflict("These records have %d comments together, and a record takes %d.", all, MaxComments).
			WithCode(problem.CodeTooManyComments)
	}
	return nil
}

// decide sets the kept record's new values where they differ from its present ones.
func (m *merger) decide(in Merge) error {
	m.result = map[string]json.RawMessage{}
	r := m.input.add("fields", in.Fields)
	r.id, r.known = m.rows[0], true
	given := map[*schema.Field]bool{}
	for _, member := range in.Fields.Members() {
		if f := m.table.FieldByName(member.Name); f != nil {
			given[f], m.result[f.Name] = true, member.Value
		}
	}
	people := len(m.input.people)
	for _, f := range m.table.Fields {
		info := f.Info()
		if given[f] || info.ReadOnly || f.Link == nil && info.Column == "" {
			continue
		}
		value, present := m.merged(f)
		m.result[f.Name] = value
		if !bytes.Equal(value, present) {
			m.input.set(r, f, f.Name, value)
			r.size += len(value)
		}
	}
	m.input.people = m.input.people[:people] // whoever has left stays where they were
	for i := range r.links {
		r.links[i].far = m.far[r.links[i].field]
	}
	return m.input.err()
}

// merged is the merged value of a field, and the part of it that the kept record has at present.
func (m *merger) merged(f *schema.Field) (value, present []byte) {
	if !joins(f) {
		for i, values := range m.values {
			value := m.without(f, values[f.Name])
			if present == nil {
				present = value
			}
			if !isUnset(f, value) {
				if i > 0 && f.Link != nil {
					m.links++
				}
				return value, present
			}
		}
		return present, present
	}
	var list []json.RawMessage
	var seen []string
	for i, values := range m.values {
		for _, one := range elements(m.without(f, values[f.Name])) {
			key := identity(one)
			if slices.Contains(seen, key) {
				continue
			}
			list, seen = append(list, one), append(seen, key)
			if i > 0 && f.Link != nil {
				m.links++
			}
		}
		if i == 0 {
			present = encodeElements(list)
		}
	}
	return encodeElements(list), present
}

// without removes from a value the links among the merged records.
func (m *merger) without(f *schema.Field, value []byte) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	if f.Link == nil || f.Link.LinkedTable != m.table.ID {
		return value
	}
	list := elements(value)
	kept := slices.DeleteFunc(slices.Clone(list), func(one json.RawMessage) bool {
		_, u, err := id.ParseRecord(identity(one))
		return err == nil && slices.Contains(m.rows, u)
	})
	if len(kept) == len(list) {
		return value
	}
	return encodeElements(kept)
}

// joins reports whether a field gets the values of all records.
func joins(f *schema.Field) bool {
	_, filed := f.Kind.(field.Filed)
	switch {
	case f.Link != nil:
		return !f.Single()
	case f.Info().People:
		return f.Config.Multiple != nil && *f.Config.Multiple
	}
	return filed || f.Type() == schema.MultiSelect
}

// isUnset reports whether a value counts as none: an unticked box is one.
func isUnset(f *schema.Field, value []byte) bool {
	return len(elements(value)) == 0 && (string(value) == "null" || string(value) == `""` || f.Link != nil ||
		f.Unset() != nil && string(value) == "false")
}

// elements are the values in a list; of anything else, none or itself.
func elements(value []byte) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	return nil
}

func encodeElements(list []json.RawMessage) []byte {
	if len(list) == 0 {
		return []byte("null")
	}
	return append(append([]byte{'['}, bytes.Join(asBytes(list), []byte{','})...), ']')
}

func asBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

// identity identifies a value in a list: by its id, or by itself.
func identity(value json.RawMessage) string {
	var one struct{ ID string }
	if json.Unmarshal(value, &one) == nil && one.ID != "" {
		return one.ID
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// planned is the kept record with its new values.
func (m *merger) planned() Record {
	head, _, _ := bytes.Cut(m.records[0], []byte(`,"fields":`)) // before it is nothing that a person wrote
	out := append(bytes.Clone(head), `,"fields":{`...)
	separator := ""
	for _, f := range m.table.Fields {
		if value, ok := m.result[f.Name]; ok {
			out = append(field.AppendString(append(out, separator...), f.Name), ':')
			out, separator = append(out, value...), ","
		}
	}
	return append(out, "}}"...)
}

// write deletes the merged records first, so that the kept one can have their unique values, and changes the kept one
// under the next number.
func (m *merger) write(ctx context.Context, in Merge) (Record, error) {
	e, t, input := m.engine, m.table, m.input
	if err := input.checkSize(); err != nil {
		return nil, err
	}
	input.sortFields()
	w := e.newWriter(ctx, m.actor, input)
	w.rereads = true
	origin, gone := changelog.OriginOf(ctx), m.rows[1:]
	versions := make([]int64, len(m.rows))
	for i, raw := range m.records {
		versions[i], _ = Record(raw).Version()
	}
	event := &audit.Event{Action: "merge_records", Subject: t.PublicID(), Detail: map[string]any{
		"keep": in.Keep, "merged": in.Merge, "comments": m.comments,
	}}
	err := e.db.TableWrite(ctx, m.actor.Org, t.Ref(), func(b *db.WriteBatch) {
		linked := slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.Link != nil })
		if linked {
			queueLinkLock(b.Batch, t, input.exclusive)
		}
		w.checkPeople(b.Batch)
		w.lockFiles(b.Batch)
		locks := lockSet{}
		locks.addDeletion(m.schema, t, m.rows)
		w.addLinks(locks, linksOf(input.rows), false)
		locks.queue(b.Batch, t, "for update", true)
		changelog.Demand(b.Batch, t, m.rows, versions, db.StateVersionChanged)
		remove := func() { QueueDelete(b, m.schema, t, gone, origin) }
		if linked {
			w.topology.Hasty(b.Batch, remove)
		} else {
			remove()
		}
		changelog.MoveComments(b.Batch, t, origin, gone, m.rows[0])
		if input.rows[0].hasChanges() {
			changelog.Next(b.Batch) // the log must say which came first
			w.update(b, input.rows)
			w.writeLinks(b.Batch, input.rows, false)
			w.reread(b.Batch)
		} else {
			w.readUnchanged(b.Batch, input.rows)
		}
		audit.Record(ctx, b.Batch, m.actor.Org, event)
		countWrite(b.Batch, t, -len(gone), linkedNumbers(m.schema, t))
	})
	if pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord) {
		return nil, err
	}
	if err != nil {
		return nil, e.explain(ctx, m.actor, input, fmt.Errorf("merging records: %w", err))
	}
	return w.written[m.rows[0]], nil
}
