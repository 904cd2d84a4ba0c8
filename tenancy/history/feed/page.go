package feed

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxScans bounds the parts of the log without a result that a page reads.
const maxScans = 20

// A pageReader reads one page, with one snapshot of the schema.
type pageReader struct {
	*Reader

	schema  *schema.Snapshot
	base    *schema.Base
	horizon changelog.Moment
	limit   int
	filter  Filter
	memory  *membudget.Reservation
	recent  bool // the page begins at most recentTime ago, which every log keeps
}

// recentTime bounds how far behind a waiting reader is.
const recentTime = 5 * time.Minute

// keepPlans has the statements that follow planned once for each connection. Readers that wait read a
// little of many logs, each with its own statements. PostgreSQL by itself plans a statement again for
// its first five executions on each connection, which costs several times what they do. Recent entries
// are found by their number in any plan.
func (p *pageReader) keepPlans(b *pgx.Batch) {
	if p.recent && p.DB.Topology().JoinsShared() {
		b.Queue("select set_config('plan_cache_mode', 'force_generic_plan', true)")
	}
}

func (p *pageReader) log() string { return changelog.Relation(p.schema.Org) }

// tables are the numbers of the tables that the filter admits.
func (p *pageReader) tables() []int32 {
	numbers := []int32{}
	for _, t := range p.base.Tables {
		if p.filter.Tables == nil || slices.Contains(p.filter.Tables, t.ID) {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

// partial reports whether the reader does not see everything in the base.
func (p *pageReader) partial() bool { return p.schema.IsPartial(p.base.ID) }

func (p *pageReader) wants(c *Change) bool {
	return p.asks(c.Kind) && (c.object == nil || !p.partial() || c.object.isVisible(p.schema)) &&
		(p.filter.Viewer == nil || c.object == nil || c.object.seenBy(*p.filter.Viewer))
}

func (p *pageReader) read(ctx context.Context, from Position) (Page, error) {
	page := Page{Next: from, More: true}
	for range maxScans {
		var err error
		if page, err = p.scan(ctx, page.Next); err != nil || !page.More || len(page.Changes) > 0 {
			return page, err
		}
	}
	return page, nil
}

// scan reads after a position: as many changes as a page has, and of these the ones that the filter
// admits.
func (p *pageReader) scan(ctx context.Context, from Position) (Page, error) {
	var records, objects part
	low := changelog.Moment(0)
	p.recent = int64(p.horizon)-from.number < recentTime.Microseconds()
	err := p.DB.Batch(ctx, p.schema.Org, func(b *pgx.Batch) {
		p.keepPlans(b)
		p.findRecords(b, from, &records)
		p.findObjects(b, from, &objects)
		if !p.recent {
			changelog.KeptFrom(b, p.schema.Org, &low, p.DB.Topology())
		}
	})
	switch {
	case pgerror.Is(err, pgerrcode.UndefinedTable): // an organization has no log before its first table
		return Page{Next: behind(p.horizon)}, nil
	case err != nil:
		return Page{}, fmt.Errorf("looking for changes: %w", err)
	case from != Position{} && from.number < int64(low)-1:
		return Page{}, expired(low)
	}
	end := behind(p.horizon)
	for _, one := range []*part{&records, &objects} {
		if one.entries > p.limit && one.end.Compare(end) < 0 {
			end = one.end
		}
	}
	all := slices.DeleteFunc(append(records.found, objects.found...),
		func(c Change) bool { return c.Position.Compare(end) > 0 })
	slices.SortFunc(all, func(a, b Change) int { return a.Position.Compare(b.Position) })
	if len(all) > p.limit {
		all = all[:p.limit]
		end = all[p.limit-1].Position
	}
	page := Page{Next: end, More: end.Compare(behind(p.horizon)) < 0}
	for _, c := range all {
		if p.wants(&c) {
			page.Changes = append(page.Changes, c)
		}
	}
	if err := p.readValues(ctx, page.Changes); err != nil {
		return Page{}, err
	}
	page.Changes = slices.DeleteFunc(page.Changes, func(c Change) bool { return c.left })
	size := 0
	for i := range page.Changes {
		size += len(page.Changes[i].text)
		if size > membudget.MaxSize && i > 0 {
			page.Next, page.More = page.Changes[i-1].Position, true
			page.Changes = page.Changes[:i]
			break
		}
		if !p.memory.Fits(size) {
			return Page{}, membudget.ErrNoMemory
		}
	}
	p.memory.Done(size)
	return page, nil
}

// A part is the result of one statement on the log.
type part struct {
	found   []Change
	entries int      // that were read; if more than a page may have, others may follow end
	end     Position // of the last of them
}

// findRecords finds the changes of records, without their values: one more than the page may have. A
// record's entries with one number are one change.
func (p *pageReader) findRecords(b *pgx.Batch, from Position, to *part) {
	// The entries of a number are all read, because a record may be in several.
	const statement = `with entry as materialized (
			select l.number, l.table_number, l.kind, l.change_set, l.person, l.credential, l.request, l.records,
				case when l.kind = ` + changelog.SQLReturned + ` then coalesce(l.before -> 0, 'null') end as returned
			from %[1]s l
			where l.number >= $2 and l.number <= $3 and l.table_number = any ($1) and l.kind < 10
				and (l.number > $2 or l.table_number > $4
					or l.table_number = $4 and l.records[cardinality(l.records)] > $5)
			order by l.number fetch first $6 rows with ties),
		found as (
			select distinct on (e.number, e.table_number, r.id) e.number, e.table_number, r.id, e.kind, e.change_set,
				e.person, e.credential, coalesce(e.request, '') as request
			from entry e cross join lateral (select r.id from unnest(e.records) r(id)
				where e.number > $2 or e.table_number > $4 or r.id > $5 order by r.id limit $6) r
			order by e.number, e.table_number, r.id, array_position(array[3, 1, 5, 2, 4, 6]::smallint[], e.kind)
			limit $6)
		select f.*, p.name, (select count(*) from entry), (select jsonb_agg(e.returned)::text from entry e
			where e.returned is not null and e.number = f.number and e.table_number = f.table_number
				and f.id = any (e.records))
		from found f left join rowhouse.person p on p.id = f.person
		order by f.number, f.table_number, f.id`
	b.Queue(fmt.Sprintf(statement, p.log()), p.tables(), from.number, p.horizon, from.table, from.record(), p.limit+1).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				c := Change{Position: Position{section: sectionRecord}}
				var returned []byte
				if err := rows.Scan(&c.Position.number, &c.Position.table, &c.Position.id, &c.Kind, &c.set, &c.person,
					&c.credential, &c.request, &c.name, &to.entries, &returned); err != nil {
					return fmt.Errorf("reading an entry of the log: %w", err)
				}
				if err := c.readReturned(returned); err != nil {
					return err
				}
				c.Table = p.schema.TableByNumber(c.Position.table)
				to.found, to.end = append(to.found, c), c.Position
			}
			return rows.Err()
		})
}

// asks reports whether the filter admits changes of a kind. A condition excludes comments, because it
// compares values of records.
func (p *pageReader) asks(kind changelog.Kind) bool {
	if kind == changelog.Commented && len(p.filter.Condition) > 0 {
		return false
	}
	return p.filter.Kinds == nil || slices.Contains(p.filter.Kinds, kind)
}

// findObjects finds the changes of the schema and of comments, in one entry more than the page may
// have.
func (p *pageReader) findObjects(b *pgx.Batch, from Position, to *part) {
	kinds := []int16{}
	for _, kind := range []changelog.Kind{changelog.Schema, changelog.Commented} {
		if p.asks(kind) {
			kinds = append(kinds, int16(kind))
		}
	}
	if len(kinds) == 0 {
		return
	}
	of, args := "l.table_number = any ($1)", []any{p.tables(), from.number, p.horizon, p.limit + 1, kinds, from.table}
	if p.filter.Tables == nil { // and the base itself, and the tables that it had
		of += " or l.kind = " + changelog.SQLSchema +
			" and (l.table_number in (select x.table_number from rowhouse.trash x where " +
			"x.org_id = $7 and x.kind = 'table' and x.base_id = $8)"
		for _, part := range []string{
			"'before', jsonb_build_object('base_id', $8::uuid)", "'after', jsonb_build_object('base_id', $8::uuid)",
			"'id', $8::uuid",
		} {
			of += " or l.before @> jsonb_build_array(jsonb_build_object(" + part + "))"
		}
		of += ")"
		args = append(args, p.schema.Org, p.base.ID)
	}
	b.Queue("with entry as materialized (select l.kind, l.number, l.table_number, l.change_set, l.person, "+
		"l.credential, coalesce(l.request, '') as request, l.before::text from "+p.log()+" l where "+
		"l.kind = any ($5::smallint[]) and l.number >= $2 and l.number <= $3 and (l.number > $2 or "+
		"l.table_number >= $6) and ("+of+") order by l.number fetch first $4 rows with ties) "+
		"select e.kind, e.number, e.table_number, e.change_set, e.person, e.credential, e.request, p.name, e.before "+
		"from entry e left join rowhouse.person p on p.id = e.person order by e.number", args...).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				c := Change{}
				var encoded []byte
				if err := rows.Scan(&c.Kind, &c.Position.number, &c.Position.table, &c.set, &c.person,
					&c.credential, &c.request, &c.name, &encoded); err != nil {
					return fmt.Errorf("reading an entry of the log: %w", err)
				}
				to.entries++
				to.end = behind(changelog.Moment(c.Position.number))
				read := p.objectsOf
				if c.Kind == changelog.Commented {
					read = p.commentsOf
				}
				changes, err := read(c, encoded)
				if err != nil {
					return err
				}
				for _, change := range changes {
					if change.Position.Compare(from) > 0 {
						to.found = append(to.found, change)
					}
				}
			}
			return rows.Err()
		})
}

// byTable groups changes of records.
func byTable(changes []Change) map[*schema.Table][]*Change {
	grouped := map[*schema.Table][]*Change{}
	for i := range changes {
		if c := &changes[i]; c.IsRecord() {
			grouped[c.Table] = append(grouped[c.Table], c)
		}
	}
	return grouped
}

// A track is the chain of a record's changes from the present back to its first change on the page.
type track struct {
	start, floor int64 // numbers of its latest change, and of that first one
	changes      map[int64]*Change
	state        state
}

// tracksOf lists the records of changes.
func tracksOf(changes []*Change) (ids []uuid.UUID, tracks map[uuid.UUID]*track) {
	tracks = map[uuid.UUID]*track{}
	for _, c := range changes {
		one := tracks[c.Position.id]
		if one == nil {
			one = &track{floor: math.MaxInt64, changes: map[int64]*Change{}}
			tracks[c.Position.id], ids = one, append(ids, c.Position.id)
		}
		one.changes[c.Position.number] = c
		one.floor = min(one.floor, c.Position.number)
	}
	return ids, tracks
}
