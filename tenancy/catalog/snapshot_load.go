package catalog

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// queueSnapshot queues the queries that fill the returned snapshot. index completes it.
// scratch adds the scratch bases.
func queueSnapshot(b *pgx.Batch, org uuid.UUID, topology db.Topology, scratch bool) *schema.Snapshot {
	s := newSnapshot(org, topology)
	b.Queue("select schema_version, permission_version from rowhouse.organization where org_id = $1", org).
		QueryRow(func(row pgx.Row) error { return row.Scan(&s.Version, &s.PermissionVersion) })
	b.Queue("select id, name, members from rowhouse.person_group where org_id = $1 order by lower(name), id", org).
		Query(func(rows pgx.Rows) error {
			var err error
			s.Groups, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[schema.Group])
			return err
		})
	b.Queue(`select id, name, color, icon, is_default, position, permission from rowhouse.workspace
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		var err error
		s.Workspaces, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*schema.Workspace, error) {
			w := &schema.Workspace{Org: org}
			return w, row.Scan(&w.ID, &w.Name, &w.Color, &w.Icon, &w.IsDefault, &w.Position, &w.Access)
		})
		return err
	})
	b.Queue(`select id, workspace_id, name, icon, position, time_zone, permission from rowhouse.base
		where org_id = $1 and (scratch is null or $2)
		order by position, id`, org, scratch).Query(func(rows pgx.Rows) error {
		base := &schema.Base{}
		_, err := pgx.ForEachRow(
			rows, []any{
				&base.ID, &base.Workspace, &base.Name, &base.Icon, &base.Position, &base.TimeZone, &base.Access,
			}, func() error {
				base.Org = org
				kept := *base
				s.AddBase(&kept)
				*base = schema.Base{}
				return nil
			})
		return err
	})
	b.Queue(`select id, base_id, number, version, name, icon, position, permission from rowhouse.data_table
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		table := &schema.Table{}
		var base uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{
			&table.ID, &base, &table.Number, &table.Version, &table.Name, &table.Icon, &table.Position,
			&table.Permission,
		}, func() error {
			// Each query of a batch sees a moment of its own, so an object that was created between two
			// of them has no parent here yet. The version was read first, so the next check finds this
			// snapshot outdated.
			table.Org = org
			kept := *table
			s.AddTable(base, &kept)
			*table = schema.Table{}
			return nil
		})
		return err
	})
	b.Queue(`select f.id, f.table_id, f.number, f.name, f.type, f.config, f.is_primary, f.position, f.hidden, f.width,
			f.link_number, f.link_side, f.linked_table_id, f.permission
		from rowhouse.field f where f.org_id = $1 order by f.is_primary desc, f.position, f.id`, org).
		Query(func(rows pgx.Rows) error {
			loaded := &schema.Field{}
			var table uuid.UUID
			var kind field.Type
			var linkNumber *int32
			var linkSide *string
			var linkedTable *uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{
				&loaded.ID, &table, &loaded.Number, &loaded.Name, &kind, &loaded.Config, &loaded.IsPrimary,
				&loaded.Position,
				&loaded.Hidden, &loaded.Width, &linkNumber, &linkSide, &linkedTable,
				&loaded.Permission,
			}, func() error {
				loaded.Kind = field.Of(kind, &loaded.Config)
				if linkNumber != nil {
					loaded.Link = &schema.Link{Number: *linkNumber, Own: "a", Other: "b", LinkedTable: *linkedTable}
					if *linkSide == "b" {
						loaded.Link.Own, loaded.Link.Other = "b", "a"
					}
				}
				kept := *loaded
				s.AddField(table, &kept)
				*loaded = schema.Field{}
				return nil
			})
			return err
		})
	b.Queue(`select id, table_id, name, type, config, position, access,
		coalesce(created_by, '00000000-0000-0000-0000-000000000000')
		from rowhouse.view
		where org_id = $1 order by position, id`, org).Query(func(rows pgx.Rows) error {
		view := &schema.View{}
		var table uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{
			&view.ID, &table, &view.Name, &view.Type, &view.Config, &view.Position, &view.Access, &view.CreatedBy,
		}, func() error {
			kept := *view
			s.AddView(table, &kept)
			*view = schema.View{}
			return nil
		})
		return err
	})
	b.Queue("select object_id, name from rowhouse.trash where org_id = $1 and kind = 'field'", org).
		Query(func(rows pgx.Rows) error {
			var u uuid.UUID
			var name string
			_, err := pgx.ForEachRow(rows, []any{&u, &name}, func() error {
				s.AddTrashed(u, name)
				return nil
			})
			return err
		})
	queueColumns(b, s)
	return s
}

func newSnapshot(org uuid.UUID, topology db.Topology) *schema.Snapshot {
	return schema.New(org, topology, query.FilterReader())
}
