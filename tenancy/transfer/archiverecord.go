package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// Bounds of a step.
const (
	archiveRows  = 500
	archiveBytes = 2 << 20
)

// An archiveBlock is records of the archive that one step writes.
type archiveBlock struct {
	table *archive.Table
	here  *schema.Table
	lines int // the next line of the archive after it
	rows  []record.Restored
	size  int
}

// eachBlock calls write with the records that are still to be written in this phase, table by table, a block at a time.
// read takes of a record what the phase writes.
func (r *archiveRun) eachBlock(
	ctx context.Context,
	read func(next *archiveStep, b *archiveBlock, in *archive.Record) error,
	write func(ctx context.Context, actor record.Actor, next *archiveStep, b *archiveBlock) error,
) error {
	for ; r.progress.Table < len(r.from.Base.Tables); r.progress.Table, r.progress.Line = r.progress.Table+1, 0 {
		t := &r.from.Base.Tables[r.progress.Table]
		snapshot, err := r.whole(ctx)
		if err != nil {
			return err
		}
		here, err := r.table(snapshot, t)
		if err != nil {
			return err
		}
		block, next := &archiveBlock{table: t, here: here}, r.next()
		flush := func() error {
			if block.lines == r.progress.Line {
				return nil
			}
			stepCtx, actor, err := r.begin(ctx)
			if err != nil {
				return err
			}
			next.progress.Line = block.lines
			if err := write(stepCtx, actor, next, block); err != nil {
				return err
			}
			block, next = &archiveBlock{table: t, here: here, lines: block.lines}, r.next()
			return nil
		}
		block.lines = r.progress.Line
		err = r.from.EachRecord(t, r.progress.Line, func(line int, in *archive.Record) error {
			if err := read(next, block, in); err != nil {
				return err
			}
			if block.lines = line + 1; len(block.rows) < archiveRows && block.size < archiveBytes {
				return nil
			}
			return flush()
		})
		if err == nil {
			err = flush()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restored is a record with its new id, without its values.
func (r *archiveRun) restored(t *archive.Table, in *archive.Record) (record.Restored, error) {
	number, there, err := id.ParseRecord(in.ID)
	if err != nil || number != t.Number {
		return record.Restored{}, problem.Invalid("file", "has the record %q in the table %q, which is no id of one",
			in.ID, t.Name)
	}
	return record.Restored{Row: r.rename.ID(there), CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt}, nil
}

// bringRecords creates the records, without their links.
func (r *archiveRun) bringRecords(ctx context.Context) error {
	return r.eachBlock(ctx, func(next *archiveStep, b *archiveBlock, in *archive.Record) error {
		row, err := r.restored(b.table, in)
		if err != nil {
			return err
		}
		var members []jsonvalue.Member
		size := 0
		err = eachCell(b, in, func(f *schema.Field, raw json.RawMessage) {
			if f.Link != nil {
				return
			}
			value, lost, why := r.cell(f, raw)
			if why != "" {
				next.table(b.table.Name, b.here.ID).Emptied++
				next.report.leave(LeftOut{Table: b.table.Name, Field: f.Name, Count: max(1, len(lost)), Why: why})
				r.leavePeople(next, lost)
			}
			if value != nil {
				members = append(members, jsonvalue.Member{Name: f.Name, Value: value})
				size += len(f.Name) + len(value)
			}
		})
		if err != nil {
			return err
		}
		row.Fields = jsonvalue.NewParsedObject(members, size)
		b.rows, b.size = append(b.rows, row), b.size+size
		return nil
	}, r.create)
}

// eachCell calls use with the values of a record.
func eachCell(b *archiveBlock, in *archive.Record, use func(f *schema.Field, raw json.RawMessage)) error {
	unknown := ""
	if err := jsonvalue.Check(in.Fields); err != nil {
		return problem.Invalid("file", "has the record %s of %q, which cannot be read: %s", in.ID, b.table.Name, err)
	}
	err := jsonvalue.Members(in.Fields, func(name string, value []byte) bool {
		f := b.here.FieldByName(name)
		if f == nil || !record.IsWritten(f) {
			unknown = name
			return false
		}
		if kind := jsonvalue.Kind(value); kind != jsonvalue.Null {
			use(f, value)
		}
		return true
	})
	if unknown != "" {
		err = problem.Invalid("file", "has a value for the field %q of %q, which takes none", unknown, b.table.Name)
	}
	if err != nil {
		return fmt.Errorf("reading the record %s: %w", in.ID, err)
	}
	return nil
}

// cell is a value with the new ids; nil for one that cannot be written. why says what of it is lost, and lost who.
func (r *archiveRun) cell(f *schema.Field, raw json.RawMessage) (value json.RawMessage, lost []uuid.UUID, why string) {
	switch {
	case f.Info().ReadOnly: // numbers and places
		return raw, nil, ""
	case f.Info().People:
		if lost = r.rename.Strangers(raw); len(lost) > 0 {
			raw, why = withoutPeople(raw, lost), "Somebody who is no member here was taken out."
		}
		raw = r.rename.JSON(raw)
	case isFiled(f):
		raw, why = r.filesOf(raw)
	}
	if raw == nil {
		return nil, lost, why
	}
	input := field.Input{Field: &f.Field}
	if _, err := input.Decode(raw); err != nil {
		return nil, lost, withoutNUL(err.Error())
	}
	return raw, lost, why
}

// withoutPeople takes people out of a value; nil if nobody is left.
func withoutPeople(raw json.RawMessage, lost []uuid.UUID) json.RawMessage {
	var all []string
	if json.Unmarshal(raw, &all) != nil {
		return nil // it names one, who is lost
	}
	all = slices.DeleteFunc(all, func(public string) bool {
		person, err := id.Parse(id.User, public)
		return err == nil && slices.Contains(lost, person)
	})
	if len(all) == 0 {
		return nil
	}
	return jsonvalue.Must(all)
}

// filesOf is the value of an attachment field without the files that were refused.
func (r *archiveRun) filesOf(raw json.RawMessage) (value json.RawMessage, why string) {
	var cell []archivedFile
	if json.Unmarshal(raw, &cell) != nil {
		return raw, "" // Decode says what is wrong
	}
	kept := cell[:0]
	for _, one := range cell {
		there, err := id.Parse(id.Attachment, one.ID)
		if err != nil {
			return raw, ""
		}
		if slices.Contains(r.progress.Left, there) {
			continue // it is listed
		}
		if r.from.File(there) == nil {
			why = "A file is not in the archive."
			continue
		}
		one.ID = id.Format(id.Attachment, r.rename.ID(there))
		kept = append(kept, one)
	}
	if len(kept) == 0 {
		return nil, why
	}
	return jsonvalue.Must(kept), why
}

// leavePeople lists people who are no members here, by their addresses.
func (r *archiveRun) leavePeople(next *archiveStep, lost []uuid.UUID) {
	for _, person := range lost {
		who := id.Format(id.User, person)
		for i := range r.from.People {
			if p := &r.from.People[i]; p.ID == who && p.Email != "" {
				who = p.Email
			}
		}
		if !slices.Contains(next.report.NotMembers, who) && len(next.report.NotMembers) < maxNotMembers {
			next.report.NotMembers = append(next.report.NotMembers, who)
		}
	}
}

// create creates records. If they are refused together, which one is wrong is found by halves.
func (r *archiveRun) create(ctx context.Context, actor record.Actor, next *archiveStep, b *archiveBlock) error {
	done := r.followed(next)
	report := done.table(b.table.Name, b.here.ID)
	report.Rows, report.Created = report.Rows+len(b.rows), report.Created+len(b.rows)
	done.progress.Done += int64(len(b.rows))
	err := r.Records.Restore(r.within(ctx, done, nil), actor, b.here.ID, b.rows)
	switch {
	case err == nil:
		r.took(done)
		return nil
	case !isRefusal(err) || problem.KindOf(err) == problem.KindNotFound:
		return err //nolint:wrapcheck // it is for the person
	case len(b.rows) == 1:
		next.report.leave(LeftOut{Table: b.table.Name, Count: 1, Why: "A record was refused: " + whyRefused(err)})
		report := next.table(b.table.Name, b.here.ID)
		report.Rows, report.Refused = report.Rows+1, report.Refused+1
		next.progress.Done++
		return r.commit(ctx, next, nil)
	}
	middle := len(b.rows) / 2
	first, second := *b, *b
	first.rows, second.rows = b.rows[:middle], b.rows[middle:]
	first.lines -= len(second.rows)
	next.progress.Line = first.lines
	if err := r.create(ctx, actor, next, &first); err != nil {
		return err
	}
	next = r.next()
	next.progress.Line = second.lines
	return r.create(ctx, actor, next, &second)
}

// bringLinks writes the links, each from the side that the archive has, and again from the other side where that has an
// order of its own.
func (r *archiveRun) bringLinks(ctx context.Context) error {
	return r.eachBlock(ctx, func(_ *archiveStep, b *archiveBlock, in *archive.Record) error {
		row, err := r.restored(b.table, in)
		if err != nil {
			return err
		}
		var members []jsonvalue.Member
		size := 0
		err = eachCell(b, in, func(f *schema.Field, raw json.RawMessage) {
			var ids []string
			if f.Link == nil || json.Unmarshal(raw, &ids) != nil || len(ids) < 2 && r.comesFromInverse(f) {
				return
			}
			value := r.rename.JSON(raw)
			members = append(members, jsonvalue.Member{Name: f.Name, Value: value})
			size += len(value)
		})
		if err != nil || len(members) == 0 {
			return err
		}
		row.Fields = jsonvalue.NewParsedObject(members, size)
		b.rows, b.size = append(b.rows, row), b.size+size
		return nil
	}, r.link)
}

// comesFromInverse reports whether the pairs of a link field come with its inverse.
func (r *archiveRun) comesFromInverse(f *schema.Field) bool {
	if f.Link.Own == "a" {
		return false
	}
	inverse := id.Format(id.Field, r.rename.ID(f.Link.Inverse))
	return slices.ContainsFunc(r.from.Base.Tables, func(t archive.Table) bool {
		return slices.ContainsFunc(t.Fields, func(known archive.Field) bool { return known.ID == inverse })
	})
}

// link writes the links of records. Links to records that are not there are listed.
func (r *archiveRun) link(ctx context.Context, actor record.Actor, next *archiveStep, b *archiveBlock) error {
	if len(b.rows) == 0 {
		return r.commit(ctx, next, nil)
	}
	snapshot, err := r.whole(ctx)
	if err != nil {
		return err
	}
	there, err := r.linked(ctx, snapshot, b)
	if err != nil {
		return err
	}
	report := next.table(b.table.Name, b.here.ID)
	changes := make([]record.Change, 0, len(b.rows))
	for i := range b.rows {
		if !there[b.rows[i].Row] { // it was refused
			continue
		}
		var members []jsonvalue.Member
		size := 0
		for _, m := range b.rows[i].Fields.Members() {
			var ids []string
			if err := json.Unmarshal(m.Value, &ids); err != nil {
				return fmt.Errorf("reading links: %w", err)
			}
			kept := slices.DeleteFunc(slices.Clone(ids), func(public string) bool {
				_, row, err := id.ParseRecord(public)
				return err != nil || !there[row]
			})
			if lost := len(ids) - len(kept); lost > 0 {
				next.report.leave(LeftOut{
					Table: b.table.Name, Field: m.Name, Count: lost,
					Why: "The linked record is not in the archive, or was refused.",
				})
			}
			value := jsonvalue.Must(kept)
			members = append(members, jsonvalue.Member{Name: m.Name, Value: value})
			size += len(value)
		}
		changes = append(changes, record.Change{
			ID: id.FormatRecord(b.here.Number, b.rows[i].Row), Fields: jsonvalue.NewParsedObject(members, size),
		})
	}
	for _, change := range changes {
		for _, m := range change.Fields.Members() {
			if f := b.here.FieldByName(m.Name); f != nil && !r.comesFromInverse(f) {
				var ids []string
				_ = json.Unmarshal(m.Value, &ids) // it was encoded above
				report.Links += len(ids)
			}
		}
	}
	if len(changes) == 0 {
		return r.commit(ctx, next, nil)
	}
	err = r.Records.RestoreLinks(r.within(ctx, next, nil), actor, b.here.ID, changes)
	if err == nil {
		r.took(next)
	}
	return err //nolint:wrapcheck // it is for the person
}

// linked says which of the records of a block, and of those that they link to, are there.
func (r *archiveRun) linked(
	ctx context.Context, s *schema.Snapshot, b *archiveBlock,
) (map[uuid.UUID]bool, error) {
	rows := map[*schema.Table][]uuid.UUID{}
	for i := range b.rows {
		rows[b.here] = append(rows[b.here], b.rows[i].Row)
		for _, m := range b.rows[i].Fields.Members() {
			var ids []string
			if err := json.Unmarshal(m.Value, &ids); err != nil {
				return nil, fmt.Errorf("reading links: %w", err)
			}
			for _, public := range ids {
				number, row, err := id.ParseRecord(public)
				if t := s.TableByNumber(number); err == nil && t != nil && t.Base.ID == r.made() {
					rows[t] = append(rows[t], row)
				}
			}
		}
	}
	there := map[uuid.UUID]bool{}
	for t, some := range rows {
		present, err := r.Records.Existing(ctx, t, some)
		if err != nil {
			return nil, err
		}
		for row := range present {
			there[row] = true
		}
	}
	return there, nil
}

// bringAuthors writes who has created and changed the records, and when they were changed.
func (r *archiveRun) bringAuthors(ctx context.Context) error {
	return r.eachBlock(ctx, func(next *archiveStep, b *archiveBlock, in *archive.Record) error {
		row, err := r.restored(b.table, in)
		if err != nil || in.UpdatedAt.IsZero() { // the archive does not say
			return err
		}
		row.CreatedBy, row.UpdatedBy = r.person(next, b, in.CreatedBy), r.person(next, b, in.UpdatedBy)
		b.rows = append(b.rows, row)
		return nil
	}, func(ctx context.Context, actor record.Actor, next *archiveStep, b *archiveBlock) error {
		if len(b.rows) == 0 {
			return r.commit(ctx, next, nil)
		}
		err := r.Records.RestoreAuthors(r.within(ctx, next, nil), actor, b.here.ID, b.rows)
		if err == nil {
			r.took(next)
		}
		return err //nolint:wrapcheck // it is for the person
	})
}

// person is who has created or changed a record; zero for somebody who is no member here, who is listed.
func (r *archiveRun) person(next *archiveStep, b *archiveBlock, public string) uuid.UUID {
	there, err := id.Parse(id.User, public)
	if err != nil {
		return uuid.Nil
	}
	here, known := r.rename.Person(there)
	if !known {
		next.report.leave(LeftOut{
			Table: b.table.Name, Count: 1, Why: "Who has created or changed a record is no member here.",
		})
		r.leavePeople(next, []uuid.UUID{there})
	}
	return here
}
