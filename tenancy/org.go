package tenancy

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/id"
)

// Org is an organization: the walls of a tenant.
type Org struct {
	ID   uuid.UUID
	Name string
}

// SchemaName is the PostgreSQL schema that holds the record tables of an organization. It is safe to write into SQL
// unquoted: lower-case letters, digits and an underscore.
func SchemaName(org uuid.UUID) string { return id.Format(id.Org, org) }

// CreateOrg makes an organization with its default workspace and its owner, and the schema for its record tables.
func (db *DB) CreateOrg(ctx context.Context, owner uuid.UUID, name string) (Org, error) {
	name, err := CleanName("name", name)
	if err != nil {
		return Org{}, err
	}
	org := Org{ID: id.New(), Name: name}
	err = db.Reshape(ctx, org.ID, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue("insert into rowhouse.organization (org_id, name) values ($1, $2)", org.ID, org.Name)
		batch.Queue("insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)", org.ID, owner, Owner)
		batch.Queue(`insert into rowhouse.workspace (org_id, id, name, color, is_default, position)
			values ($1, $2, 'Workspace', 'blue', true, 1)`, org.ID, id.New())
		batch.Queue("create schema " + SchemaName(org.ID))
		// USAGE reads nothing by itself; it lets any session prepare a statement before it takes a role.
		batch.Queue("grant usage on schema " + SchemaName(org.ID) + " to public")
		signer := *db
		if signer.actor.Person == uuid.Nil {
			signer.actor.Person = owner
		}
		signer.Sign(batch, org.ID, &Event{Action: "create_org", Subject: id.Format(id.Org, org.ID), Detail: map[string]string{"name": org.Name}})
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return Org{}, fmt.Errorf("creating the organization: %w", err)
	}
	return org, nil
}
