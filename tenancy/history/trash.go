package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// RecordKind is the kind of a deleted record, in addition to those of catalog.TrashKinds.
const RecordKind catalog.TrashKind = "record"

// TrashKinds lists every kind of item.
func TrashKinds() []catalog.TrashKind {
	return append([]catalog.TrashKind{RecordKind}, catalog.TrashKinds...)
}

// ParseTrashKind reads a kind of item.
func ParseTrashKind(path, name string) (catalog.TrashKind, error) {
	var names []string
	for _, kind := range TrashKinds() {
		if string(kind) == name {
			return kind, nil
		}
		names = append(names, string(kind))
	}
	return "", problem.Invalid(path, "%q is no kind of item%s; the kinds are %s", name, problem.DidYouMean(name, names),
		problem.List(names))
}

// A Restorer restores deleted records; package revert implements it.
type Restorer interface {
	// Restore restores records of a table, all or none. Their ids are public. It returns for each
	// record what does not come back with it. dryRun restores none.
	Restore(ctx context.Context, actor record.Actor, table uuid.UUID, records []string, dryRun bool) (
		notes map[string][]string, err error)
}

// A Trash is the trash of every organization.
type Trash struct {
	TrashDeps
}

// TrashDeps are what a Trash needs.
type TrashDeps struct {
	DB       *db.DB
	Schema   *catalog.Store
	Records  *record.Engine
	Restorer Restorer      // nil: deleted records stay deleted
	Keep     time.Duration // how long something stays in the trash; zero: DefaultKeep
	History  time.Duration // how long the log of changes is kept; zero: DefaultHistory
}

// The defaults of Keep and History.
const (
	DefaultKeep    = 30 * 24 * time.Hour
	DefaultHistory = 90 * 24 * time.Hour
)

// NewTrash returns a trash.
func NewTrash(deps TrashDeps) *Trash {
	deps.Keep, deps.History = cmp.Or(deps.Keep, DefaultKeep), cmp.Or(deps.History, DefaultHistory)
	return &Trash{deps}
}

// A TrashItem is an object in the trash.
type TrashItem struct {
	ID        string // public
	Kind      catalog.TrashKind
	Name      string    // of a record: the value of its primary field
	Base      uuid.UUID // the base that it belongs to, or that it is
	BaseName  string
	Table     uuid.UUID // uuid.Nil: a base
	TableName string
	DeletedAt time.Time
	DeletedBy uuid.UUID // uuid.Nil: the service itself
	Person    string    // their name, while they are a member
	KeptUntil time.Time

	key uuid.UUID // orders items of the same moment
}

// A TrashQuery selects items.
type TrashQuery struct {
	Base   uuid.UUID // uuid.Nil: of the whole organization
	Kinds  []catalog.TrashKind
	Cursor string // of the previous page
	Limit  int
	Viewer schema.Viewer
	// Reaches reports whether the caller may see objects of a base.
	Reaches func(base uuid.UUID) bool
	// SeesAll reports whether nothing in a base is hidden from the caller. Elsewhere, a deleted table, field or view
	// may be one that was hidden, so only records are listed.
	SeesAll func(base uuid.UUID) bool
}

// MaxTrashPage is the largest Limit of a TrashQuery.
const MaxTrashPage = 100

func (q *TrashQuery) has(kind catalog.TrashKind) bool {
	return len(q.Kinds) == 0 || slices.Contains(q.Kinds, kind)
}

// A trashPosition is a position in the order of items: the latest first.
type trashPosition struct {
	micros int64
	key    uuid.UUID
}

func (q *TrashQuery) position() (trashPosition, error) {
	if q.Cursor == "" {
		return trashPosition{micros: 1<<62 - 1, key: uuid.Max}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) != 24 {
		return trashPosition{}, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
	}
	return trashPosition{int64(binary.BigEndian.Uint64(raw)), uuid.UUID(raw[8:])}, nil //nolint:gosec // made below
}

func (i *TrashItem) cursor() string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(i.DeletedAt.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(raw, i.key[:]...))
}

// List returns a page of items, the latest first, and the cursor of the next page or "".
func (s *Trash) List(ctx context.Context, org uuid.UUID, q TrashQuery) ([]TrashItem, string, error) {
	after, err := q.position()
	if err != nil {
		return nil, "", err
	}
	if q.Limit < 1 || q.Limit > MaxTrashPage {
		q.Limit = MaxTrashPage
	}
	all := func(uuid.UUID) bool { return true }
	if q.Reaches == nil {
		q.Reaches = all
	}
	if q.SeesAll == nil {
		q.SeesAll = all
	}
	items, err := s.objects(ctx, org, &q, after)
	if err != nil {
		return nil, "", err
	}
	if q.has(RecordKind) {
		records, err := s.records(ctx, org, &q, after)
		if err != nil {
			return nil, "", err
		}
		items = append(items, records...)
	}
	slices.SortFunc(items, func(a, b TrashItem) int {
		return cmp.Or(b.DeletedAt.Compare(a.DeletedAt), bytes.Compare(b.key[:], a.key[:]))
	})
	next := ""
	if len(items) > q.Limit {
		items = items[:q.Limit]
		next = items[q.Limit-1].cursor()
	}
	for i := range items {
		items[i].KeptUntil = items[i].DeletedAt.Add(s.Keep)
	}
	return items, next, s.nameBases(ctx, org, items)
}

// objects lists deleted tables, fields, views, bases and former columns.
func (s *Trash) objects(ctx context.Context, org uuid.UUID, q *TrashQuery, after trashPosition) ([]TrashItem, error) {
	bases, err := s.reached(ctx, org, q)
	if err != nil {
		return nil, err
	}
	kinds := []string{}
	for _, kind := range catalog.TrashKinds {
		if q.has(kind) {
			kinds = append(kinds, string(kind))
		}
	}
	var items []TrashItem
	err = s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select e.id, e.kind, e.object_id, e.name, e.base_id, coalesce(e.table_id, $2),
				coalesce(t.name, g.name, ''),
				e.deleted_at, coalesce(e.person_id, $2), coalesce(p.name, '')
			from rowhouse.trash e left join rowhouse.data_table t on t.org_id = $1 and t.id = e.table_id
			left join rowhouse.trash g on g.org_id = $1 and g.kind = 'table' and g.object_id = e.table_id
			left join rowhouse.person p on p.id = e.person_id
			where e.org_id = $1 and e.part_of is null and e.kind = any ($3) and ($4 or e.base_id = any ($5))
				and e.deleted_at > now() - $6::interval
				and (e.deleted_at, e.id) < (to_timestamp(0) + $7::bigint * interval '1 microsecond', $8)
				and ($9 or e.kind <> 'base' or e.content->'base'->0->>'permission' is null)
				and (e.kind <> 'view' or e.content->'view'->0->>'access' <> 'personal' or $9
					or e.content->'view'->0->>'created_by' = $10::uuid::text)
			order by e.deleted_at desc, e.id desc limit $11`,
			org, uuid.Nil, kinds, bases == nil, bases, s.Keep, min(after.micros, maxMicros), after.key, q.Viewer.Admin,
			q.Viewer.Person, q.Limit+1).Query(func(rows pgx.Rows) error {
			var item TrashItem
			var entry, object uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{
				&entry, &item.Kind, &object, &item.Name, &item.Base, &item.Table, &item.TableName, &item.DeletedAt,
				&item.DeletedBy, &item.Person,
			}, func() error {
				item.ID, item.key = catalog.PublicTrashID(item.Kind, entry, object), entry
				items = append(items, item)
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing the trash: %w", err)
	}
	return items, nil
}

// maxMicros is later than any deletion, and a time that PostgreSQL can represent.
const maxMicros = 1 << 52

// reached lists the bases that the query selects and the caller may see, including those in the trash;
// nil means all.
func (s *Trash) reached(ctx context.Context, org uuid.UUID, q *TrashQuery) ([]uuid.UUID, error) {
	if q.Base != uuid.Nil {
		return slices.DeleteFunc([]uuid.UUID{q.Base}, func(base uuid.UUID) bool { return !q.SeesAll(base) }), nil
	}
	all, reached := []uuid.UUID{}, []uuid.UUID{}
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select distinct base_id from rowhouse.trash where org_id = $1",
			org).Query(func(rows pgx.Rows) (err error) {
			all, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing the bases of the trash: %w", err)
	}
	for _, base := range all {
		if q.Reaches(base) && q.SeesAll(base) {
			reached = append(reached, base)
		}
	}
	if len(reached) == len(all) {
		return nil, nil
	}
	return reached, nil
}

// nameBases adds the names of the items' bases.
func (s *Trash) nameBases(ctx context.Context, org uuid.UUID, items []TrashItem) error {
	var ids []uuid.UUID
	for _, item := range items {
		ids = append(ids, item.Base)
	}
	names := map[uuid.UUID]string{}
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select id, name from rowhouse.base where org_id = $1 and id = any ($2) union all
			select object_id, name from rowhouse.trash where org_id = $1 and kind = 'base' and object_id = any ($2)`,
			org, ids).
			Query(func(rows pgx.Rows) error {
				var base uuid.UUID
				var name string
				_, err := pgx.ForEachRow(rows, []any{&base, &name}, func() error {
					names[base] = name
					return nil
				})
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("reading the names of bases: %w", err)
	}
	for i := range items {
		items[i].BaseName = names[items[i].Base]
	}
	return nil
}

// Restore restores items of a base, or with uuid.Nil bases: records of one table, or anything else, all
// or none. Items older than Keep are no longer in the trash. dryRun restores nothing and returns what
// would be restored.
func (s *Trash) Restore(
	ctx context.Context, actor record.Actor, base uuid.UUID, items []string, dryRun bool,
) ([]catalog.Restored, error) {
	records, err := s.recordsOf(ctx, actor.Org, base, items)
	if err != nil {
		return nil, err
	}
	if records == nil {
		request := s.request(actor, base, items)
		request.DryRun = dryRun
		restored, err := s.Schema.Restore(ctx, actor.Org, request)
		if err == nil && dryRun {
			err = s.DB.Batch(ctx, actor.Org, func(b *pgx.Batch) { audit.Record(ctx, b, actor.Org, nil) })
		}
		return restored, err
	}
	if s.Restorer == nil {
		return nil, problem.Conflict("Records cannot be restored here.").WithCode(problem.CodeNotRestorable)
	}
	notes, err := s.Restorer.Restore(ctx, actor, records.table.ID, items, dryRun)
	if err != nil {
		return nil, fmt.Errorf("restoring records: %w", err)
	}
	restored := make([]catalog.Restored, len(items))
	for i, public := range items {
		restored[i] = catalog.Restored{ID: public, Kind: RecordKind, Name: records.titles[public], Notes: notes[public]}
	}
	return restored, nil
}

// request selects items of a base that are still kept.
func (s *Trash) request(actor record.Actor, base uuid.UUID, items []string) catalog.TrashRequest {
	return catalog.TrashRequest{
		Items: items, Base: base, By: schema.Viewer{Person: actor.Person, Admin: actor.Admin},
		Since: time.Now().Add(-s.Keep),
	}
}

// Purge deletes items for good, as Restore selects them.
func (s *Trash) Purge(ctx context.Context, actor record.Actor, base uuid.UUID, items []string) error {
	records, err := s.recordsOf(ctx, actor.Org, base, items)
	if err != nil {
		return err
	}
	if records == nil {
		return s.Schema.Purge(ctx, actor.Org, s.request(actor, base, items))
	}
	return s.Schema.PurgeRecords(ctx, actor.Org, records.table.ID, records.rows)
}

// AreRecords reports whether items are records, which need another permission to restore.
func AreRecords(items []string) bool {
	return slices.ContainsFunc(items, func(public string) bool { return id.KindOf(public) == id.Record })
}
