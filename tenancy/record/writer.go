package record

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A writer queues the statements of one write and collects the records that they return.
type writer struct {
	table      *schema.Table
	projection *query.Projection
	actor      Actor
	input      *writeInput

	counts       bool // the statement counts itself if it writes the only row of the write
	rereads      bool // records are read after the write, because it changes links or returns only ids
	topology     db.Topology
	onlyIDs      bool    // writes return only ids
	checksSize   bool    // the sizes of records are checked where they are read again
	counted      bool    // the response has no records, so they are not read
	linkedTables []int32 // numbers of the linked tables whose records change with it
	buffer       []byte
	written      map[uuid.UUID][]byte

	statements *lru.Cache[statementKey, db.ChangeStatement] // texts of those that write one row
	// It is the fieldsKey of a write of one row; "" for others, whose texts are not kept.
	fieldsKey string
}

func (e *Engine) newWriter(ctx context.Context, actor Actor, input *writeInput) *writer {
	s, t := input.schema, input.table
	w := &writer{
		table:      t,
		projection: e.projectionOf(s, t),
		actor:      actor,
		input:      input,
		written:    make(map[uuid.UUID][]byte, len(input.rows)),
		statements: e.statements,
		rereads:    !e.db.Topology().ReturnsRecords(),
		topology:   e.db.Topology(),
		onlyIDs:    !e.db.Topology().ReturnsRecords(),
		counted:    input.counted,
	}
	origin := changelog.OriginOf(ctx)
	for i := range input.rows {
		if input.rows[i].origin.Set == uuid.Nil {
			input.rows[i].author, input.rows[i].origin = actor.Person, origin
		}
		for _, l := range input.rows[i].links {
			w.rereads = true
			linked := s.Table(l.field.Link.LinkedTable)
			if linked != nil && linked != t && !slices.Contains(w.linkedTables, linked.Number) {
				w.linkedTables = append(w.linkedTables, linked.Number)
			}
		}
	}
	e.indexes.Wrote(t, len(input.rows))
	return w
}

// queue queues the whole write except count. The rows are all new if fresh, and otherwise all exist.
func (w *writer) queue(b *db.WriteBatch, fresh bool) {
	w.takeLinkLock(b.Batch)
	w.checkPeople(b.Batch)
	w.lockFiles(b.Batch)
	w.lock(b.Batch, fresh, true)
	if !fresh {
		w.mayWriteRows(b.Batch, w.input.rows)
	}
	if fresh {
		w.insert(b, w.input.rows)
	} else {
		w.update(b, w.input.rows)
	}
	w.writeLinks(b.Batch, w.input.rows, fresh)
	w.fitRules(b.Batch, w.input.rows)
	w.reread(b.Batch)
}

// count queues the counts of such a write, which must come last.
func (w *writer) count(b *pgx.Batch, fresh bool) {
	gained := 0
	if fresh {
		gained = len(w.input.rows)
	}
	countWrite(b, w.table, gained, w.linkedTables)
}

// collect reads records out of the rows of a statement.
func (w *writer) collect(rows pgx.Rows) error {
	for first := true; rows.Next(); first = false {
		if first {
			if err := w.projection.CheckFormats(rows, 0); err != nil {
				return err
			}
		}
		raw := rows.RawValues()
		start := len(w.buffer)
		w.buffer = w.projection.Append(w.buffer, raw)
		w.written[uuid.UUID(raw[0])] = w.buffer[start:len(w.buffer):len(w.buffer)]
	}
	return rows.Err()
}

// recordsOf returns the written records in the order of the rows.
func (w *writer) recordsOf(rows []row) [][]byte {
	out := make([][]byte, len(rows))
	for i := range rows {
		out[i] = w.written[rows[i].id]
	}
	return out
}

// checkPeople queues a check that fails the transaction if a value names a person who is not a member.
func (w *writer) checkPeople(b *pgx.Batch) {
	if len(w.input.people) == 0 {
		return
	}
	named, strangers, args := w.input.strangers(w.actor.Org)
	b.Queue(named+"select gate.assert(not exists ("+strangers+"), '"+db.StateMissingPerson+"')", args...)
}

// strangers is a query, with its WITH, for the positions, from 0, of those in people who are not members. It ignores
// people who have left and are in the records already, so that records can be written as they were read.
func (in *writeInput) strangers(org uuid.UUID) (named, sql string, args []any) {
	people, records, numbers := make([]uuid.UUID, len(in.people)), make([]uuid.UUID, len(in.people)),
		make([]int32, len(in.people))
	holds := map[int32]string{}
	for i, p := range in.people {
		people[i], numbers[i] = p.id, p.field.Number
		if p.row < len(in.rows) {
			records[i] = in.rows[p.row].id
		}
		number := strconv.Itoa(int(p.field.Number))
		holds[p.field.Number] = "select t.id, " + number + ", u.person from " + in.table.Relation() +
			" t cross join lateral unnest(t." + p.field.Column() + ") u(person) where t.id = any ($3)"
	}
	// Records may be on another node than members, so each is read first.
	parts := slices.Sorted(maps.Values(holds))
	named = "with named(record, field, person) as materialized (" + strings.Join(parts, " union all ") + `),
		member as materialized (select m.person_id as person from rowhouse.member m
			where m.org_id = $1 and m.person_id = any ($2)) `
	return named, `select p.n - 1
		from unnest($2::uuid[], $3::uuid[], $4::integer[]) with ordinality as p(id, record, field, n)
		where not exists (select from member m where m.person = p.id)
			and not exists (select from named n where n.record = p.record and n.field = p.field and n.person = p.id)`,
		[]any{org, people, records, numbers}
}

// readUnchanged queues the reading of rows that the write does not change. It fails the transaction if
// one does not exist.
func (w *writer) readUnchanged(b *pgx.Batch, rows []row) {
	if len(rows) == 0 {
		return
	}
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].id
	}
	b.Queue("with found as (select "+w.projection.Columns()+" from "+w.table.Relation()+" t where t.id = any ($1))"+
		" select * from found where (select gate.assert((select count(*) from found) = $2, '"+
		db.StateMissingRecord+"'))",
		ids, len(rows)).Query(w.collect)
}

// reread queues the reading of the records after links were written, because the write itself returned
// them without these links. On Citus it follows every write.
func (w *writer) reread(b *pgx.Batch) {
	if !w.rereads || w.counted && (!w.checksSize || !w.onlyIDs) {
		return
	}
	ids := rowIDs(w.input.rows)
	if w.counted {
		b.Queue("select gate.assert(coalesce(max("+SizeExpression(w.table.Whole().Fields)+"), 0) <= 1048576, '"+
			db.StateRecordTooLarge+"') from "+w.table.Relation()+" t where t.id = any ($1)", ids)
		return
	}
	if w.checksSize && w.onlyIDs {
		b.Queue("with changed as (select "+w.projection.Columns()+", "+SizeExpression(w.table.Whole().Fields)+
			" as size from "+w.table.Relation()+
			" t where t.id = any ($1)) select * from changed where true"+recordSizeCheck+answerSizeCheck, ids).
			Query(w.collect)
		return
	}
	b.Queue("select "+w.projection.Columns()+" from "+w.table.Relation()+" t where t.id = any ($1)", ids).
		Query(w.collect)
}

// countWrite queues the counts of a write that gains delta records in table, and changes what lists of
// the others show. It must be the last statement of its transaction.
func countWrite(b *pgx.Batch, table *schema.Table, delta int, others []int32) {
	if len(others) == 0 {
		b.Queue(countSQL(table, 1), table.Number, delta)
		return
	}
	// In the order of their numbers, so that two writers never wait for each other.
	numbers := slices.Sorted(slices.Values(append([]int32{table.Number}, others...)))
	b.Queue("insert into "+table.CountRelation()+` as c (table_number, slot, records, writes)
		select n, `+db.Slot+`, case n when $1 then $2 else 0 end, 1 from unnest($3::integer[]) n order by n
		on conflict (table_number, slot) do update set records = c.records + excluded.records, writes = c.writes + 1`,
		table.Number, delta, slices.Compact(numbers))
}

// countSQL is the statement by which a write of one table counts itself. The table's number and the
// records gained are in the given placeholder and the next one. As a data-modifying WITH that
// nothing refers to, it runs last too.
func countSQL(table *schema.Table, placeholder int) string {
	number, delta := "$"+strconv.Itoa(placeholder), "$"+strconv.Itoa(placeholder+1)
	return "insert into " + table.CountRelation() + " as c (table_number, slot, records, writes) values (" +
		number + ", " + db.Slot +
		", " + delta + ", 1) on conflict (table_number, slot) do update set records = c.records + excluded.records, " +
		"writes = c.writes + 1"
}

// linkedNumbers lists the tables that are linked with this one, because their lists show its records.
func linkedNumbers(s *schema.Snapshot, t *schema.Table) []int32 {
	s, t = s.Whole(), t.Whole()
	var numbers []int32
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		if linked := s.Table(f.Link.LinkedTable); linked != nil && linked != t &&
			!slices.Contains(numbers, linked.Number) {
			numbers = append(numbers, linked.Number)
		}
	}
	return numbers
}

// An engine keeps the texts of statements that write one row. Building the text for every record
// would cost more than reading the record's values.

// maxStatements is enough for the single writes of some thousand tables in use at a time; a text
// has one to two KB.
const maxStatements = 4096

// A statementKey names the text of a statement that writes one row.
type statementKey struct {
	projection    uint64 // serial of the projection that reads the row
	fields        string // as fieldsKey names them
	fresh, counts bool
}

func newStatementCache() *lru.Cache[statementKey, db.ChangeStatement] {
	kept, err := lru.New[statementKey, db.ChangeStatement](maxStatements)
	if err != nil {
		panic(err) // the size is positive
	}
	return kept
}

// fieldsKey names the fields that an input writes, and says whether the record's size is checked.
func (in *writeInput) fieldsKey() string {
	var key []byte
	for _, f := range in.fields {
		key = append(strconv.AppendInt(key, int64(f.Number), 10), ',')
	}
	if len(in.rows) == 1 && in.rows[0].needsSizeCheck() {
		key = append(key, 'w')
	}
	return string(key)
}

// statement returns the text that build writes, or wrote before for a write of the same fields.
func (w *writer) statement(fresh bool, build func() db.ChangeStatement) db.ChangeStatement {
	if w.fieldsKey == "" {
		return build()
	}
	key := statementKey{w.projection.Serial, w.fieldsKey, fresh, w.counts}
	text, ok := w.statements.Get(key)
	if !ok {
		text = build()
		w.statements.Add(key, text)
	}
	return text
}

// Transactions that write the same records lock them in one order, by the table's number and the
// record's id, before they write anything. Otherwise they could deadlock, because an UPDATE locks its
// rows in the order of its plan. A write of one record without links needs no such statement: it locks
// once.

// linkLock locks a record for a change of its links.
const linkLock = "for no key update"

// A lockSet is what a transaction locks: records of each table, and ends of links.
type lockSet map[*schema.Table]*tableLocks

type tableLocks struct {
	rows []uuid.UUID
	ends []changelog.Ends
}

func (s lockSet) of(t *schema.Table) *tableLocks {
	if s[t] == nil {
		s[t] = &tableLocks{}
	}
	return s[t]
}

// queue queues the locks. The records of table get rowLock. first says that the transaction has locked
// no record before; otherwise the statements do not wait for locks.
func (s lockSet) queue(b *pgx.Batch, table *schema.Table, rowLock string, first bool) {
	byNumber := func(a, b *schema.Table) int { return int(a.Number - b.Number) }
	for _, t := range slices.SortedFunc(maps.Keys(s), byNumber) {
		strength := linkLock
		if t == table {
			strength = rowLock
		}
		if !first {
			strength += " " + changelog.NoWait
		}
		changelog.Lock(b, t, s[t].rows, strength, s[t].ends...)
	}
}

// takeLinkLock queues LockLinks if the rows have links.
func (w *writer) takeLinkLock(b *pgx.Batch) {
	if len(linksOf(w.input.rows)) > 0 {
		queueLinkLock(b, w.table, w.input.exclusive)
	}
}

// lock queues the locks of a write: of the records that it changes, and of those that gain or lose a
// link by it. The latter get its number, and no other write may change the links meanwhile. first is as
// in lockSet.queue.
func (w *writer) lock(b *pgx.Batch, fresh, first bool) {
	links := linksOf(w.input.rows)
	if len(links) > 0 {
		w.lockLinked(b, links, fresh, first)
	}
	if fresh {
		return
	}
	demanding, versions := w.input.demands()
	// One row without links and without a demand locks itself.
	if changed, _ := split(w.input.rows); len(links) == 0 && (len(changed) > 1 || w.rereads || len(demanding) > 0 ||
		w.table.Rows() != nil) {
		changelog.Lock(b, w.table, rowIDs(w.input.rows), w.rowLock())
	}
	if len(demanding) > 0 {
		changelog.Demand(b, w.table, demanding, versions, db.StateVersionChanged)
	}
}

// lockLinked queues the locks of a write of links.
func (w *writer) lockLinked(b *pgx.Batch, links []*changelog.LinkWrite, fresh, first bool) {
	locks, rowLock := lockSet{}, linkLock
	if !fresh {
		locks.of(w.table).rows, rowLock = rowIDs(w.input.rows), w.rowLock()
	}
	w.addLinks(locks, links, fresh)
	locks.queue(b, w.table, rowLock, first)
}

// addLinks adds the records that gain or lose a link by a write.
func (w *writer) addLinks(locks lockSet, links []*changelog.LinkWrite, fresh bool) {
	for _, l := range links {
		whole := w.input.schema.Whole() // the inverse may be hidden from the person
		linked := whole.Table(l.Field.Link.LinkedTable)
		if linked == nil {
			continue
		}
		relation, own, other := l.Field.Link.Relation(w.actor.Org), l.Field.Link.Own, l.Field.Link.Other
		far := locks.of(linked)
		far.rows = append(far.rows, l.Other...)
		if !fresh {
			far.ends = append(far.ends, changelog.Ends{Relation: relation, Column: other, With: own, Rows: l.Rows})
		}
		inverse := whole.Field(l.Field.Link.Inverse)
		if inverse != nil && inverse.Single() && len(l.Other) > 0 {
			near := locks.of(w.table)
			near.ends = append(near.ends, changelog.Ends{Relation: relation, Column: own, With: other, Rows: l.Other})
		}
	}
}

// demands returns the rows that must have a version, and the versions.
func (in *writeInput) demands() (rows []uuid.UUID, versions []int64) {
	for i := range in.rows {
		if version := in.rows[i].demanded; version != nil {
			rows, versions = append(rows, in.rows[i].id), append(versions, *version)
		}
	}
	return rows, versions
}

// rowLock is the lock that the UPDATE takes. An UPDATE of a unique field takes the strongest lock, so
// lock takes that first.
func (w *writer) rowLock() string {
	if slices.ContainsFunc(w.input.fields, func(f *schema.Field) bool { return f.Config.Unique }) {
		return "for update"
	}
	return "for no key update"
}

func rowIDs(rows []row) []uuid.UUID {
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i] = rows[i].id
	}
	return ids
}
