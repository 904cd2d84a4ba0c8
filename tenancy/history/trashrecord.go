package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Deleted records are in the log of changes: in its deletions, less those that are there again, and
// less those that were purged, of which the log has no values any more.

// deletions is the FROM and WHERE for the records of a table that are in the trash: c is the entry of
// the log, and u has the record's id and its place in the entry. since is a placeholder for a number.
func deletions(t *schema.Table, since string) string {
	log := changelog.Relation(t.Org)
	number := strconv.Itoa(int(t.Number))
	return log +
		" c cross join lateral unnest(c.records) with ordinality u(id, n) where c.kind = " + changelog.SQLDeleted +
		" and c.table_number = " +
		number + " and c.number > " + since + " and jsonb_typeof(c.before->(u.n - 1)::integer) = 'object'" +
		" and not exists (select from " + t.Relation() + " r where r.id = u.id)" +
		// It may have been restored and deleted again.
		" and not exists (select from " + log + " d where d.kind = " + changelog.SQLDeleted +
		" and d.table_number = " + number +
		" and d.number > c.number and d.records @> array[u.id])"
}

// title is the expression for what a deleted record is called.
func title(t *schema.Table) string {
	primary := t.Primary()
	switch {
	case primary == nil:
		return "''"
	case primary.Info().Computed: // of what the log says of the record
		was := t.ReadFrom("(select r.* from jsonb_populate_record(null::"+t.Relation()+
			", jsonb_build_object('id', u.id) || (c.before->(u.n - 1)::integer)) r)",
			func(f *schema.Field) string { return f.Link.Relation(t.Org) })
		return "coalesce((select " + was.Title() + " from " + was.TitleFrom() + "), '')"
	}
	return "coalesce(c.before->(u.n - 1)::integer->>'" + changelog.Key(&primary.Field) + "', '')"
}

// since is the number of changes after which what was deleted is still kept.
func (s *Trash) since() int64 { return time.Now().Add(-s.Keep).UnixMicro() }

// records lists deleted records of tables that are there.
func (s *Trash) records(ctx context.Context, org uuid.UUID, q *TrashQuery, after trashPosition) ([]TrashItem, error) {
	var items []TrashItem
	err := s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		items = nil
		tables, err := s.tablesWithDeletions(ctx, snapshot, q)
		if err != nil || len(tables) == 0 {
			return err
		}
		var parts []string
		for _, t := range tables {
			parts = append(parts, "(select "+strconv.Itoa(int(t.Number))+
				" as table_number, c.number, u.id, c.person, "+title(t)+
				" as title from "+deletions(t, "$1")+
				" and (c.number, u.id) < ($2, $3) order by c.number desc, u.id desc limit $4)")
		}
		return s.DB.Read(ctx, org, func(b *pgx.Batch) {
			b.Queue("select e.table_number, e.number, e.id, e.title, coalesce(e.person, $5), coalesce(p.name, '') "+
				"from ("+
				strings.Join(parts, " union all ")+") e left join rowhouse.person p on p.id = e.person "+
				"order by e.number desc, e.id desc limit $4",
				s.since(), after.micros, after.key, q.Limit+1, uuid.Nil).Query(func(rows pgx.Rows) error {
				var item TrashItem
				var table int32
				var number int64
				_, err := pgx.ForEachRow(rows, []any{
					&table, &number, &item.key, &item.Name, &item.DeletedBy, &item.Person,
				}, func() error {
					t := snapshot.TableByNumber(table)
					item.ID, item.Kind, item.DeletedAt = id.FormatRecord(table, item.key), RecordKind,
						changelog.TimeOf(number)
					item.Base, item.Table, item.TableName = t.Base.ID, t.ID, t.Name
					items = append(items, item)
					return nil
				})
				return err
			})
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing deleted records: %w", err)
	}
	return items, nil
}

// tablesWithDeletions lists the tables of the query of which records were deleted.
func (s *Trash) tablesWithDeletions(
	ctx context.Context,
	snapshot *schema.Snapshot,
	q *TrashQuery,
) ([]*schema.Table, error) {
	var numbers []int32
	for _, base := range snapshot.Bases {
		if q.Base != uuid.Nil && base.ID != q.Base || !q.Reaches(base.ID) {
			continue
		}
		for _, t := range base.Tables {
			if t.Rows() == nil { // a rule says which records somebody reads, and not which deleted ones
				numbers = append(numbers, t.Number)
			}
		}
	}
	if len(numbers) == 0 {
		return nil, nil // perhaps there is no log
	}
	var tables []*schema.Table
	err := s.DB.Read(ctx, snapshot.Org, func(b *pgx.Batch) {
		b.Queue("select n from unnest($1::integer[]) n where exists (select from "+changelog.Relation(snapshot.Org)+
			" c where c.kind = "+changelog.SQLDeleted+" and c.table_number = n and c.number > $2) order by n",
			numbers, s.since()).
			Query(func(rows pgx.Rows) error {
				var number int32
				_, err := pgx.ForEachRow(rows, []any{&number}, func() error {
					tables = append(tables, snapshot.TableByNumber(number))
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for deletions: %w", err)
	}
	return tables, nil
}

// deletedRecords are records of one table in the trash.
type deletedRecords struct {
	table  *schema.Table
	rows   []uuid.UUID
	titles map[string]string // by public id
}

// recordsOf returns the records that items are, which must be in the trash of the base; nil if none of
// them is a record.
func (s *Trash) recordsOf(ctx context.Context, org, base uuid.UUID, items []string) (*deletedRecords, error) {
	if !AreRecords(items) {
		return nil, nil //nolint:nilnil // by the contract above
	}
	var found *deletedRecords
	err := s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		found = &deletedRecords{titles: map[string]string{}}
		for i, public := range items {
			number, row, err := id.ParseRecord(public)
			if err != nil {
				return problem.Invalid(fmt.Sprintf("items[%d]", i),
					"is no record; give records in a request of their own")
			}
			t := snapshot.TableByNumber(number)
			if t == nil || t.Base.ID != base {
				return problem.NotFound("item of the trash", public)
			}
			if found.table != nil && found.table != t {
				return problem.Invalid(fmt.Sprintf("items[%d]", i), "is of another table; give records of one table")
			}
			found.table = t
			found.rows = append(found.rows, row)
		}
		err := s.DB.Read(ctx, org, func(b *pgx.Batch) {
			b.Queue("select u.id, "+title(found.table)+" from "+deletions(found.table, "$1")+
				" and c.records && $2 and u.id = any ($2)",
				s.since(), found.rows).Query(func(rows pgx.Rows) error {
				var row uuid.UUID
				var name string
				_, err := pgx.ForEachRow(rows, []any{&row, &name}, func() error {
					found.titles[id.FormatRecord(found.table.Number, row)] = name
					return nil
				})
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("looking for deleted records: %w", err)
		}
		for _, public := range items {
			if _, ok := found.titles[public]; !ok {
				return problem.NotFound("item of the trash", public)
			}
		}
		return nil
	})
	return found, err
}
