package schema

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// queueSnapshot queues the queries that fill the returned snapshot. index completes it.
func queueSnapshot(b *pgx.Batch, org uuid.UUID, distributed bool) *Snapshot {
	s := empty(org)
	s.distributed = distributed
	b.Queue("select schema_version from rowhouse.organization where org_id = $1", org).
		QueryRow(func(row pgx.Row) error { return row.Scan(&s.Version) })
	b.Queue(`select id, name, color, icon, is_default, position from rowhouse.workspace
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		var err error
		s.Workspaces, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Workspace, error) {
			w := &Workspace{Org: org}
			return w, row.Scan(&w.ID, &w.Name, &w.Color, &w.Icon, &w.IsDefault, &w.Position)
		})
		return err
	})
	b.Queue(`select id, workspace_id, name, icon, position, time_zone from rowhouse.base
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		base := &Base{}
		_, err := pgx.ForEachRow(
			rows, []any{&base.ID, &base.Workspace, &base.Name, &base.Icon, &base.Position, &base.TimeZone},
			func() error {
				base.Org = org
				kept := *base
				s.Bases = append(s.Bases, &kept)
				s.bases[kept.ID] = &kept
				*base = Base{}
				return nil
			})
		return err
	})
	b.Queue(`select id, base_id, number, version, name, icon, position from rowhouse.data_table
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		table := &Table{}
		var base uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{
			&table.ID, &base, &table.Number, &table.Version, &table.Name, &table.Icon, &table.Position,
		}, func() error {
			// The queries of one batch see one moment each: what was made between two of them has
			// no parent here yet. The version was read first, so the next look finds this snapshot
			// behind.
			if table.Base = s.bases[base]; table.Base == nil {
				return nil
			}
			table.Org = org
			kept := *table
			kept.Base.Tables = append(kept.Base.Tables, &kept)
			s.tables[kept.ID] = &kept
			*table = Table{}
			return nil
		})
		return err
	})
	b.Queue(`select f.id, f.table_id, f.number, f.name, f.type, f.config, f.is_primary, f.position, f.hidden, f.width,
			f.link_number, f.link_side, f.linked_table_id
		from rowhouse.field f where f.org_id = $1 order by f.is_primary desc, f.position, f.id`, org).
		Query(func(rows pgx.Rows) error {
			loaded := &Field{}
			var table uuid.UUID
			var kind field.Type
			var linkNumber *int32
			var linkSide *string
			var linkedTable *uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{
				&loaded.ID, &table, &loaded.Number, &loaded.Name, &kind, &loaded.Config, &loaded.IsPrimary,
				&loaded.Position,
				&loaded.Hidden, &loaded.Width, &linkNumber, &linkSide, &linkedTable,
			}, func() error {
				if loaded.Table = s.tables[table]; loaded.Table == nil {
					return nil
				}
				loaded.Kind, loaded.BaseZone = field.Of(kind, &loaded.Config), loaded.Table.Base.TimeZone
				if linkNumber != nil {
					loaded.Link = &Link{Number: *linkNumber, Own: "a", Other: "b", LinkedTable: *linkedTable}
					if *linkSide == "b" {
						loaded.Link.Own, loaded.Link.Other = "b", "a"
					}
				}
				kept := *loaded
				kept.Table.Fields = append(kept.Table.Fields, &kept)
				s.fields[kept.ID] = &kept
				*loaded = Field{}
				return nil
			})
			return err
		})
	b.Queue(`select id, table_id, name, type, config, position, access,
		coalesce(created_by, '00000000-0000-0000-0000-000000000000')
		from rowhouse.view
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		view := &View{}
		var table uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{
			&view.ID, &table, &view.Name, &view.Type, &view.Config, &view.Position, &view.Access, &view.CreatedBy,
		}, func() error {
			if view.Table = s.tables[table]; view.Table == nil {
				return nil
			}
			kept := *view
			kept.Table.Views = append(kept.Table.Views, &kept)
			s.views[kept.ID] = &kept
			*view = View{}
			return nil
		})
		return err
	})
	b.Queue("select object_id, name from rowhouse.trash where org_id = $1 and kind = 'field'", org).
		Query(func(rows pgx.Rows) error {
			var u uuid.UUID
			var name string
			_, err := pgx.ForEachRow(rows, []any{&u, &name}, func() error {
				s.gone[id.Format(id.Field, u)] = name
				return nil
			})
			return err
		})
	s.queueColumns(b)
	return s
}

func empty(org uuid.UUID) *Snapshot {
	return &Snapshot{
		Org: org, bases: map[uuid.UUID]*Base{}, tables: map[uuid.UUID]*Table{}, tableByNumber: map[int32]*Table{},
		fields: map[uuid.UUID]*Field{}, views: map[uuid.UUID]*View{}, columns: map[int32]keptColumn{},
		gone: map[string]string{},
	}
}
