package history

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A BaseRequest selects the change sets of a base that have a matching change. A zero member matches
// any.
type BaseRequest struct {
	Limit      int    // 1 to MaxPage
	Cursor     string // of the page before; "" begins with the latest change set
	Person     uuid.UUID
	Credential string    // its public id
	Table      uuid.UUID // of the base, or in its trash
	Since      time.Time // inclusive
	Until      time.Time // exclusive
	By         schema.Viewer
	Nameless   bool // the viewer may not see tables, fields and views
}

// A ChangeSet is the changes of a base that belong together.
type ChangeSet struct {
	ID          uuid.UUID
	Name        *string // nil: it has none
	First, Last time.Time
	Person      *uuid.UUID // nil: the service itself
	PersonName  *string    // nil if the person has left the organization
	Credential  string     // its public id, or ""
	Tables      []TableChanges
	Objects     []ObjectChange // the first MaxObjects of the tables, fields and views that were changed
	ObjectCount int
	Reverts     []uuid.UUID // the change sets that it reverted
	RevertedBy  []uuid.UUID // the change sets that reverted it
}

// TableChanges counts the changed records of a table. A record counts once for each kind of change.
type TableChanges struct {
	Table                                       *schema.Table // only with ID, Number and Name if InTrash
	InTrash                                     bool
	Created, Updated, Deleted, Restored, Linked int64
}

// A BasePage is a part of the change sets of a base, newest first.
type BasePage struct {
	Sets   []ChangeSet
	Cursor string // of the next page; "" when there is none
}

// A position is where a page of change sets ends. All pages read the same entries, up to the horizon of
// the first.
type position struct {
	horizon changelog.Moment
	number  int64 // of the last set's last change that matches
	set     uuid.UUID
}

func (p position) String() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %d %s", p.horizon, p.number, p.set))
}

func parsePosition(cursor string) (position, error) {
	var p position
	var set string
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d %d %s", &p.horizon, &p.number, &set)
	}
	if err == nil {
		p.set, err = uuid.Parse(set)
	}
	if err != nil {
		return p, wrongCursor()
	}
	return p, nil
}

// OfBase lists the change sets of a base, ordered by the last matching change of each. A change set of
// several requests is listed once, and with all its changes in this base.
func OfBase(
	ctx context.Context, tenantDB *db.DB, s *schema.Snapshot, base uuid.UUID, in BaseRequest,
) (BasePage, error) {
	of := s.Base(base)
	if of == nil {
		return BasePage{}, problem.NotFound("base", id.Format(id.Base, base))
	}
	r := &baseReader{
		db: tenantDB, org: s.Org, base: base, in: in, end: position{number: math.MaxInt64, set: uuid.Max},
		known: map[int32]*schema.Table{}, sight: newSight(s, of),
	}
	err := r.findTables(ctx, of)
	if err != nil {
		return BasePage{}, err
	}
	if in.Cursor == "" {
		r.end.horizon, err = changelog.Horizon(ctx, tenantDB, s.Org)
	} else {
		r.end, err = parsePosition(in.Cursor)
	}
	if err != nil {
		return BasePage{}, err
	}
	found, err := r.find(ctx)
	if pgerror.Is(err, pgerrcode.UndefinedTable) { // an organization has no log before its first table
		return BasePage{}, nil
	}
	if err != nil || len(found) == 0 {
		return BasePage{}, err
	}
	var page BasePage
	if len(found) > in.Limit {
		found = found[:in.Limit]
		page.Cursor = found[in.Limit-1].String()
	}
	page.Sets, err = r.describe(ctx, found)
	return page, err
}

type baseReader struct {
	db          *db.DB
	org, base   uuid.UUID
	known       map[int32]*schema.Table // the tables of the base, and those in its trash
	all, tables []int32                 // numbers of the tables, and of those that match
	in          BaseRequest
	end         position // of the page before
	sight       *sight   // nil: nothing of the base is hidden from the viewer
}

// findTables finds the tables of the base, and those of its trash.
func (r *baseReader) findTables(ctx context.Context, of *schema.Base) error {
	for _, t := range of.Tables {
		r.known[t.Number] = t
	}
	err := r.readTrash(ctx)
	if err != nil {
		return fmt.Errorf("looking for deleted tables: %w", err)
	}
	for number, t := range r.known {
		r.all = append(r.all, number)
		if r.in.Table == uuid.Nil || t.ID == r.in.Table {
			r.tables = append(r.tables, number)
		}
	}
	if len(r.tables) == 0 && r.in.Table != uuid.Nil {
		return problem.Invalid("table", "no table of this base has the id %q", id.Format(id.Table, r.in.Table))
	}
	return nil
}

// readTrash reads the tables in the trash of the base, for those who see everything in it.
func (r *baseReader) readTrash(ctx context.Context) error {
	if r.sight != nil {
		return nil
	}
	return r.send(ctx, func(b *pgx.Batch) {
		b.Queue("select object_id, table_number, name from rowhouse.trash where org_id = $1 and kind = 'table' and "+
			"base_id = $2", r.org, r.base).Query(func(rows pgx.Rows) error {
			var t schema.Table
			_, err := pgx.ForEachRow(rows, []any{&t.ID, &t.Number, &t.Name}, func() error {
				if r.known[t.Number] == nil {
					trashed := t
					r.known[t.Number] = &trashed
				}
				return nil
			})
			return err
		})
	})
}

// The log is read backwards in windows of entries, each larger than the one before.
const (
	firstWindow = 20 // for each change set of a page
	lastWindow  = 128_000
)

// find returns the positions of the change sets of a page, and of one more if there is one.
func (r *baseReader) find(ctx context.Context) ([]position, error) {
	var found []position
	seen := map[uuid.UUID]bool{}
	for top, size := r.end.number, firstWindow*r.in.Limit; ; size = min(4*size, lastWindow) {
		edge, err := r.edge(ctx, top, size)
		if err != nil {
			return nil, err
		}
		window, err := r.window(ctx, top, edge)
		if err != nil {
			return nil, err
		}
		window = slices.DeleteFunc(window, func(p position) bool {
			known := seen[p.set] || p.number == r.end.number && strings.Compare(p.set.String(), r.end.set.String()) >= 0
			seen[p.set] = true
			return known
		})
		for len(window) > 0 && len(found) <= r.in.Limit {
			part := window[:min(len(window), r.in.Limit+1)]
			window = window[len(part):]
			before, err := r.onPageBefore(ctx, part)
			if err != nil {
				return nil, err
			}
			for _, p := range part {
				if !before[p.set] {
					found = append(found, p)
				}
			}
		}
		if len(found) > r.in.Limit || edge < 0 {
			return found[:min(len(found), r.in.Limit+1)], nil
		}
		top = edge
	}
}

// edge returns the number of the entry below a window of the log that begins with the number top, or -1
// if the window reaches to the end of the request.
func (r *baseReader) edge(ctx context.Context, top int64, size int) (int64, error) {
	edge := int64(-1)
	err := r.send(ctx, func(b *pgx.Batch) {
		b.Queue("select l.number from "+changelog.Relation(r.org)+" l where l.number <= $1 and l.number >= $2 and "+
			"l.number < $3 and l.number <= $4 order by l.number desc offset $5 limit 1",
			top, r.low(), r.high(), r.end.horizon, size).
			Query(func(rows pgx.Rows) error {
				_, err := pgx.ForEachRow(rows, []any{&edge}, func() error { return nil })
				return err
			})
	})
	if err != nil {
		return 0, fmt.Errorf("reading the log of changes backwards: %w", err)
	}
	return edge, nil
}

func (r *baseReader) low() int64 {
	if r.in.Since.IsZero() {
		return 0
	}
	return r.in.Since.UnixMicro()
}

func (r *baseReader) high() int64 {
	if r.in.Until.IsZero() {
		return math.MaxInt64
	}
	return r.in.Until.UnixMicro()
}

// fits is the condition that an entry l of the log matches the request. It has the placeholders of
// fitArgs.
func (r *baseReader) fits() string {
	return "(l.kind <= 5 and l.table_number = any ($1::integer[]) and " + r.sight.some() + " or " + strings.ReplaceAll(
		r.onSchema("$1", r.in.Table == uuid.Nil, 7)+") and ~.number <= $2::bigint and ~.number >= $3::bigint and "+
			"~.number < $4::bigint and ($5::uuid is null or ~.person = $5) and ($6::text = '' or ~.credential = $6)",
		"~", "l")
}

func (r *baseReader) fitArgs(more ...any) []any {
	var person *uuid.UUID
	if r.in.Person != uuid.Nil {
		person = &r.in.Person
	}
	args := append([]any{r.tables, r.end.horizon, r.low(), r.high(), person, r.in.Credential}, r.schemaArgs()...)
	return append(args, more...)
}

// window returns the positions of the change sets with matching entries whose numbers are up to top and
// above edge, newest first.
func (r *baseReader) window(ctx context.Context, top, edge int64) ([]position, error) {
	var found []position
	err := r.send(ctx, func(b *pgx.Batch) {
		b.Queue("select max(l.number), l.change_set from "+changelog.Relation(r.org)+" l where l.number <= "+
			"$11::bigint "+
			"and l.number > $12::bigint and "+r.fits()+" group by l.change_set order by 1 desc, 2 desc",
			r.fitArgs(top, edge)...).
			Query(func(rows pgx.Rows) error {
				p := position{horizon: r.end.horizon}
				_, err := pgx.ForEachRow(rows, []any{&p.number, &p.set}, func() error {
					found = append(found, p)
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for change sets: %w", err)
	}
	return found, nil
}

// onPageBefore returns which sets were on an earlier page: those with a matching change at or above the
// position.
func (r *baseReader) onPageBefore(ctx context.Context, window []position) (map[uuid.UUID]bool, error) {
	if r.in.Cursor == "" || len(window) == 0 {
		return nil, nil //nolint:nilnil // none was
	}
	before := map[uuid.UUID]bool{}
	ids := setsOf(window)
	low, high := stretches(ids)
	_, last := span(window)
	err := r.send(ctx, func(b *pgx.Batch) {
		b.Queue(planWithValues)
		b.Queue("select distinct l.change_set from "+changelog.Relation(r.org)+" l where "+
			ofSets("$11", "$12", "$13", len(low))+" and l.number >= $14::bigint and "+
			"l.number <= $15::bigint and (l.number, l.change_set) >= ($14::bigint, "+
			"$16::uuid) and "+r.fits(), r.fitArgs(ids, low, high, r.end.number, last, r.end.set)...).
			Query(func(rows pgx.Rows) error {
				var set uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&set}, func() error {
					before[set] = true
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for change sets of former pages: %w", err)
	}
	return before, nil
}

// SetsAt returns the change sets that have a change at a time: one, unless two were made in the same microsecond.
func SetsAt(ctx context.Context, tenantDB *db.DB, org uuid.UUID, at time.Time) ([]uuid.UUID, error) {
	var sets []uuid.UUID
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select distinct l.change_set from "+changelog.Relation(org)+" l where l.number = $1", at.UnixMicro()).
			Query(func(rows pgx.Rows) error {
				var err error
				sets, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
	})
	if pgerror.Is(err, pgerrcode.UndefinedTable) { // an organization has no log before its first table
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for the change sets of a moment: %w", err)
	}
	return sets, nil
}

func setsOf(found []position) []uuid.UUID {
	ids := make([]uuid.UUID, len(found))
	for i, p := range found {
		ids[i] = p.set
	}
	return ids
}

// planWithValues has the statements behind it planned for their values: whether the index of numbers or that of change
// sets finds the entries depends on them.
const planWithValues = "select set_config('plan_cache_mode', 'force_custom_plan', true)"

// ofSets is the condition that an entry l of the log is of one of the change sets whose ids are in a parameter. The
// index of change sets is one of blocks, which is read as a whole for each value that it is asked for, so it is asked
// for stretches, whose bounds are in low and high, if there are few.
func ofSets(ids, low, high string, stretches int) string {
	if stretches > fewStretches {
		return "l.change_set = any (" + ids + "::uuid[]) and cardinality(" + low + "::uuid[]) = cardinality(" +
			high + "::uuid[])" // they have to be used
	}
	within := make([]string, stretches)
	for i := range within {
		at := "::uuid[])[" + strconv.Itoa(i+1) + "]"
		within[i] = "l.change_set between (" + low + at + " and (" + high + at
	}
	return "(" + strings.Join(within, " or ") + ") and coalesce(l.change_set = any (" + ids + "::uuid[]), false)"
}

const fewStretches = 8

// stretchGap is by how many milliseconds change sets of one stretch may have begun apart.
const stretchGap = 10_000

// stretches returns the first and the last id of each group of change sets that began shortly after each other.
func stretches(ids []uuid.UUID) (low, high []uuid.UUID) {
	sorted := slices.SortedFunc(slices.Values(ids), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	began := func(set uuid.UUID) uint64 { return binary.BigEndian.Uint64(set[:8]) >> 16 } // RFC 9562 section 5.7
	for i, set := range sorted {
		if i == 0 || began(set)-began(sorted[i-1]) > stretchGap {
			low, high = append(low, set), append(high, set)
		}
		high[len(high)-1] = set
	}
	return low, high
}

// A change set takes requests for an hour after it began (changelog.Join), and each may run for some
// minutes. Its id contains the time at which it began, by the clock of a process of the service.
const (
	setLasts  = 2 * time.Hour
	clockSkew = 10 * time.Minute
)

// span bounds the numbers of all entries of change sets, so that few entries of the log are read for
// them.
func span(found []position) (low, high int64) {
	low = math.MaxInt64
	for _, p := range found {
		began := time.Unix(p.set.Time().UnixTime())
		if apart := changelog.TimeOf(p.number).Sub(began); apart > setLasts || apart < -clockSkew {
			return 0, math.MaxInt64 // its caller has named the request
		}
		low = min(low, began.Add(-clockSkew).UnixMicro())
		high = max(high, began.Add(setLasts).UnixMicro())
	}
	return low, high
}
