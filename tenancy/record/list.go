package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of a list request.
const (
	maxSearch   = 1000 // characters
	maxOffset64 = 1 << 40
)

// A Query asks for a part of a table's records.
type Query struct {
	View    string // public id of a view of the table, whose filters and sorts are applied; "" for none
	Search  string // text that a record holds in any field, in any case of letters; "" for all
	Filters []byte // JSON, see ParseFilter
	Sorts   []byte // JSON, see ParseSort; takes the place of the view's
	// Fields are the ids or names of the fields to return, in any order; nil returns all.
	Fields []string
	Limit  int   // 1 to MaxPage
	Offset int64 // records to skip; not together with Cursor
	Cursor string
}

// List returns a part of a table's records, and how many there are in all.
func (e *Engine) List(ctx context.Context, actor Actor, table uuid.UUID, in Query) (Page, error) {
	var page Page
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		l, err := e.plan(actor, s, t, &in)
		if err != nil {
			return err
		}
		e.observe(l)
		if err := e.resolve(ctx, actor, l); err != nil {
			return err
		}
		page, err = e.list(ctx, actor, l)
		return err
	})
	return page, err
}

// Search returns the records that hold q in any field. It is List with only a search.
func (e *Engine) Search(ctx context.Context, actor Actor, table uuid.UUID, q string, limit int, offset int64, cursor string) (Page, error) {
	if q == "" {
		return Page{}, problem.Invalid("q", "must not be empty")
	}
	page, err := e.List(ctx, actor, table, Query{Search: q, Limit: limit, Offset: offset, Cursor: cursor})
	var wrong *problem.Error
	if errors.As(err, &wrong) {
		for i := range wrong.Items {
			if wrong.Items[i].Path == "search" {
				return page, problem.Invalid("q", "%s", wrong.Items[i].Message)
			}
		}
	}
	return page, err
}

// A listing is a Query that fits the table.
type listing struct {
	table   *schema.Table
	encoder *rowEncoder
	filter  *Filter
	sorts   []Sort
	search  *search
	limit   int
	offset  int64
	cursor  *cursor
}

func (e *Engine) plan(actor Actor, s *schema.Snapshot, t *schema.Table, in *Query) (*listing, error) {
	var items []problem.Item
	collect := func(err error) {
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			items = append(items, wrong.Items...)
		}
	}
	l := &listing{table: t, encoder: e.encoderOf(s, t), limit: in.Limit, offset: in.Offset}
	if in.Limit < 1 || in.Limit > MaxPage {
		collect(problem.Invalid("limit", "must be a whole number from 1 to %d", MaxPage))
	}
	if in.Offset < 0 || in.Offset > maxOffset64 {
		collect(problem.Invalid("offset", "must be a whole number of 0 or more"))
	}
	if in.Cursor != "" && in.Offset > 0 {
		collect(problem.Invalid("cursor", "cannot be given together with offset"))
	}
	var err error
	l.filter, err = ParseFilter(t, "filters", in.Filters)
	collect(err)
	l.sorts, err = ParseSort(t, "sorts", in.Sorts)
	collect(err)
	if in.View != "" {
		filter, sorts, err := viewOf(actor, t, in.View)
		collect(err)
		if err == nil {
			l.filter = both(filter, l.filter)
			if len(trim(in.Sorts)) == 0 {
				l.sorts = sorts
			}
		}
	}
	if in.Search != "" {
		l.search, err = newSearch(s, t, in.Search)
		collect(err)
	}
	if in.Fields != nil {
		fields, err := projection(t, in.Fields)
		collect(err)
		l.encoder = newRowEncoder(s, t, fields, e.linker)
	}
	if in.Cursor != "" && len(items) == 0 {
		l.cursor, err = parseCursor(t, l.sorts, in.Cursor)
		collect(err)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items[:min(len(items), maxItems)])
	}
	return l, nil
}

func both(a, b *Filter) *Filter {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return &Filter{parts: []Filter{*a, *b}}
}

// viewOf reads the filters and sorts of a view. With a condition that no longer fits its field the view shows nothing, because what it hides
// must stay hidden until somebody repairs it; see ViewProblems. A sort that no longer fits is left out.
func viewOf(actor Actor, t *schema.Table, view string) (*Filter, []Sort, error) {
	u, err := id.Parse(id.View, view)
	i := slices.IndexFunc(t.Views, func(v *schema.View) bool { return err == nil && v.ID == u && actor.viewer().Sees(v) })
	if i < 0 {
		return nil, nil, problem.Invalid("view", "%s is not a view of %q", quoted(view), t.Name)
	}
	config := t.Views[i].Config
	filter, err := ParseFilter(t, "filters", config["filters"])
	if err != nil {
		filter = nothing()
	}
	sorts, _, err := parseSorts(t, "sorts", config["sorts"])
	if err != nil {
		sorts = nil
	}
	return filter, sorts, nil
}

// projection finds the fields to return, in the table's order.
func projection(t *schema.Table, names []string) ([]*schema.Field, error) {
	var items []problem.Item
	wanted := map[*schema.Field]bool{}
	for i, name := range names {
		f := fieldNamed(t, name)
		if f == nil {
			items = append(items, unknownField(t, fmt.Sprintf("fields[%d]", i), name).Items...)
			continue
		}
		wanted[f] = true
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	var fields []*schema.Field
	for _, f := range t.Fields {
		if wanted[f] {
			fields = append(fields, f)
		}
	}
	return fields, nil
}

// checkSearch reports what is wrong with text that a person searches for.
func checkSearch(path, text string) error {
	switch {
	case len([]rune(text)) > maxSearch:
		return problem.Invalid(path, "must be at most %d characters long", maxSearch)
	case strings.ToValidUTF8(text, "") != text:
		return problem.Invalid(path, "must be valid UTF-8")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }):
		return problem.Invalid(path, "must not contain control characters")
	}
	return nil
}

// deepOffset is from where on an offset in the default order is walked on the primary key alone.
const deepOffset = 500

// list sends the listing in one statement, so that page and total are of one snapshot.
func (e *Engine) list(ctx context.Context, actor Actor, l *listing) (Page, error) {
	q := e.query()
	where, known := e.recall(q, l)
	var conditions []string
	if where != "" {
		conditions = append(conditions, where)
	}
	total := ""     // the expression of the total, when it is not the count of all records
	from := "s"     // what the expression is of
	with := "with " // common table expressions
	tables := []int32{l.table.Number}
	if l.search != nil {
		tables = append(tables, l.search.linked...)
	}
	org, number := q.arg(l.table.Org), q.arg(l.table.Number)
	with += "s as materialized (" + stampOf(org, number, q.arg(tables)) + ")"
	knownWrites := ""
	if known.asked() {
		knownWrites = q.arg(known.writes) + "::bigint"
	}

	position := l.offset
	if l.cursor != nil {
		position = l.cursor.offset
	}
	limit, offset, skip := q.arg(int64(l.limit)+1)+"::bigint", "", ""
	if l.cursor == nil {
		offset = q.arg(l.offset) + "::bigint"
		skip = " offset " + offset
	}
	all := "select count(*) from " + l.table.Relation() + " t"
	if l.search != nil {
		if where == "" && len(l.sorts) == 0 && l.cursor == nil && l.search.inOrder() {
			// The search itself yields the page: what it finds is in the list's order.
			most := "case when s.writes = " + knownWrites + " then " + offset + " + " + limit + " end"
			with += ", hits as materialized (select " + l.search.call(q, org, most) + " as places from s)"
			conditions = append(conditions, "t.ctid = any ((select places["+offset+" + 1 : "+offset+" + "+limit+"] from hits)::tid[])")
			skip = ""
			total, from = "cardinality(hits.places)::bigint", "s cross join hits"
		} else {
			with += ", hits as materialized (select " + l.search.call(q, org, "null") + " as places)"
			conditions = append(conditions, "t.ctid = any ((select places from hits)::tid[])")
			total = "(" + all + " where " + strings.Join(conditions, " and ") + ")"
		}
	} else if where != "" {
		total = "(" + all + " where " + strings.Join(conditions, " and ") + ")"
	}
	if l.offset >= deepOffset && len(conditions) == 0 && len(l.sorts) == 0 {
		conditions = append(conditions, "t.id >= (select i.id from "+l.table.Relation()+" i order by i.id limit 1"+skip+")")
		skip = ""
	}

	columns := l.encoder.columns
	for _, s := range l.sorts {
		columns += ", t." + s.Field.Column()
	}
	parts := []string{""}
	if l.cursor != nil {
		parts = q.after(l.cursor, l.sorts)
	}
	pages := make([]string, len(parts))
	for i, part := range parts {
		all := conditions
		if part != "" {
			all = append(slices.Clone(conditions), part)
		}
		statement := "select " + columns + " from " + l.table.Relation() + " t"
		if len(all) > 0 {
			statement += " where " + strings.Join(all, " and ")
		}
		pages[i] = statement + " " + orderBy(l.sorts) + " limit " + limit + skip
	}
	page := pages[0]
	if len(pages) > 1 {
		with += ", p1 as materialized (" + pages[0] + "), p2 as materialized (" + pages[1] + ")"
		page = "select * from p1 union all select * from p2 limit " + limit
	}
	statement := ""
	if total == "" {
		statement = with + " select s.writes, s.records, p.* from s left join (" + page + ") p on true"
	} else {
		with += ", p as materialized (" + page + ")"
		short := ""
		if from == "s" && l.cursor == nil {
			with += ", shown as materialized (select count(*) as records from p)"
			short, from = shortcut(offset, limit), "s cross join shown"
		}
		total = "case when s.writes = " + knownWrites + " then " + known.expression(q, l.table) + short + " else " + total + " end"
		statement = with + " select s.writes, " + total + ", p.* from " + from + " left join p on true"
	}

	out := Page{Limit: l.limit, Offset: position}
	var writes int64
	room, release := holdOf(ctx)
	defer release()
	ask := func() error {
		return e.db.TableBatch(ctx, actor.Org, l.table.Ref(), func(b *pgx.Batch) {
			b.Queue(statement, q.args...).Query(func(rows pgx.Rows) error {
				return out.read(l, rows, &writes, room)
			})
		})
	}
	err := ask()
	for _, size := range []int64{largestAnswer, allAnswers} {
		if !errors.Is(err, errNoRoom) {
			break
		}
		if err = room.take(ctx, size); err == nil { // waited for without a connection
			err = ask()
		}
	}
	if err != nil {
		return Page{}, fmt.Errorf("listing records: %w", err)
	}
	e.remember(known, writes, out.Total)
	return out, nil
}

// shortcut is the total of a list whose end is on the page: nothing is counted then.
func shortcut(offset, limit string) string {
	return " when shown.records < " + limit + " and (shown.records > 0 or " + offset + " = 0) then " + offset + " + shown.records"
}

// read fills the page from rows of writes, total and a record, whose columns are null in the one row of an empty page. The page ends at its
// limit, or before the record that would make it larger than MaxAnswer; it has one record at least.
func (p *Page) read(l *listing, rows pgx.Rows, writes *int64, room *hold) error {
	var buffer pageBuffer
	p.Records, p.HasMore, p.Cursor = make([][]byte, 0, l.limit), false, ""
	first := 4 + len(l.encoder.cells) // where the sort values begin
	last := cursor{values: make([][]byte, len(l.sorts))}
	for began := false; rows.Next(); began = true {
		if !began {
			if err := l.encoder.binaryOnly(rows, 2); err != nil {
				return err
			}
		}
		raw := rows.RawValues()
		*writes = int64(binary.BigEndian.Uint64(raw[0])) //nolint:gosec // two's complement
		p.Total = int64(binary.BigEndian.Uint64(raw[1])) //nolint:gosec // two's complement
		if raw[2] == nil || p.HasMore {
			continue
		}
		if len(p.Records) == l.limit {
			p.HasMore = true
			continue
		}
		record := buffer.add(l.encoder, raw[2:first], l.limit)
		if buffer.size > MaxAnswer && len(p.Records) > 0 {
			p.HasMore = true
			continue
		}
		if buffer.size > smallAnswer && !room.try(min(max(largestAnswer, 2*int64(buffer.size)), allAnswers)) {
			return errNoRoom
		}
		p.Records = append(p.Records, record)
		last.row = uuid.UUID(raw[2])
		for i := range l.sorts {
			last.values[i] = keep(last.values[i], raw[first+i])
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if room.size > 0 {
		room.shrink(2 * int64(buffer.size))
	}
	if p.HasMore {
		last.offset = p.Offset + int64(len(p.Records))
		p.Cursor = last.encode(l.table, l.sorts)
	}
	return nil
}
