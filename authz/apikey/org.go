package apikey

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/organization"
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

// OrgsWithBases returns the person's organizations with their bases, each ordered by name.
func (s *Service) OrgsWithBases(ctx context.Context, person uuid.UUID) ([]Org, error) {
	orgs, err := s.Orgs(ctx, person)
	if err != nil {
		return nil, err
	}
	for i := range orgs {
		err := s.db.Batch(ctx, orgs[i].ID, func(b *pgx.Batch) {
			b.Queue("select id, name from rowhouse.base where org_id = $1 order by lower(name), id", orgs[i].ID).
				Query(func(rows pgx.Rows) (err error) {
					orgs[i].Bases, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Base, error) {
						var b Base
						err := row.Scan(&b.ID, &b.Name)
						return b, err
					})
					return err
				})
		})
		if err != nil {
			return nil, wrap(err, "listing bases")
		}
	}
	return orgs, nil
}
