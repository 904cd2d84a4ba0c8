package apikey

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An Org is an organization that a key may be narrowed to.
type Org struct {
	ID    uuid.UUID
	Name  string
	Role  organization.Role
	Bases []Base
}

// A Base is a base that a key may be narrowed to.
type Base struct {
	ID   uuid.UUID
	Name string
}

// Orgs returns the person's organizations, ordered by name, without their bases.
func (s *Service) Orgs(ctx context.Context, person uuid.UUID) ([]Org, error) {
	var orgs []Org
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select o.org_id, o.name, m.role from rowhouse.member m
			join rowhouse.organization o on o.org_id = m.org_id
			where m.person_id = $1 order by lower(o.name), o.org_id`, person).
			Query(func(rows pgx.Rows) (err error) {
				orgs, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Org, error) {
					var o Org
					err := row.Scan(&o.ID, &o.Name, &o.Role)
					return o, err
				})
				return err
			})
	})
	return orgs, wrap(err, "listing organizations")
}

// OrgsWithBases returns the person's organizations with the bases that they see, each ordered by name.
func (s *Service) OrgsWithBases(ctx context.Context, person uuid.UUID) ([]Org, error) {
	orgs, err := s.Orgs(ctx, person)
	if err != nil {
		return nil, err
	}
	for i := range orgs {
		err := s.db.Batch(ctx, orgs[i].ID, func(b *pgx.Batch) {
			s := schema.New(orgs[i].ID, db.Topology{}, schema.FilterReader{}) // only what roles depend on
			b.Queue("select id, name, members from rowhouse.person_group where org_id = $1", orgs[i].ID).
				Query(func(rows pgx.Rows) (err error) {
					s.Groups, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[schema.Group])
					return err
				})
			b.Queue("select id, permission from rowhouse.workspace where org_id = $1", orgs[i].ID).
				Query(func(rows pgx.Rows) (err error) {
					s.Workspaces, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*schema.Workspace, error) {
						w := &schema.Workspace{}
						return w, row.Scan(&w.ID, &w.Access)
					})
					return err
				})
			b.Queue("select id, name, workspace_id, permission from rowhouse.base "+
				"where org_id = $1 and scratch is null order by lower(name), id", orgs[i].ID).
				Query(func(rows pgx.Rows) error {
					for rows.Next() {
						b := &schema.Base{}
						if err := rows.Scan(&b.ID, &b.Name, &b.Workspace, &b.Access); err != nil {
							return err
						}
						if s.RoleIn(schema.Subject{Person: person, Role: orgs[i].Role}, b) != schema.NoRole {
							orgs[i].Bases = append(orgs[i].Bases, Base{b.ID, b.Name})
						}
					}
					return rows.Err()
				})
		})
		if err != nil {
			return nil, wrap(err, "listing bases")
		}
	}
	return orgs, nil
}
