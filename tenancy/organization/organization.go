// Package organization owns organizations: their members with the roles that they have, invitations, the
// public shares of their bases, and Idempotency-Keys, which make a request run once. It reads no records,
// and knows nothing of pages or HTTP.
package organization

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// An Organization is a tenant.
type Organization struct {
	ID   uuid.UUID
	Name string
	Icon json.RawMessage // a schema.Icon; nil: none
}

// SchemaName is the PostgreSQL schema that contains the record tables of an organization. It needs
// no quotes in SQL: it consists of lower-case letters, digits and an underscore.
func SchemaName(org uuid.UUID) string { return id.Format(id.Org, org) }

// Create creates an organization with its owner, its default workspace and the schema for its
// record tables.
func Create(ctx context.Context, tenantDB *db.DB, owner uuid.UUID, name string) (Organization, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return Organization{}, err
	}
	org := Organization{ID: id.New(), Name: name}
	err = tenantDB.SchemaTx(ctx, org.ID, func(tx pgx.Tx) error { return create(ctx, tenantDB, tx, owner, org) })
	if err != nil {
		return Organization{}, fmt.Errorf("creating the organization: %w", err)
	}
	return org, nil
}

// MaxOwned is how many organizations CreateOwned lets a person own.
const MaxOwned = 20

// CreateOwned is Create on request of a person. It returns an error of kind conflict if the person
// already owns MaxOwned organizations.
func CreateOwned(ctx context.Context, tenantDB *db.DB, owner uuid.UUID, name string) (Organization, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return Organization{}, err
	}
	org := Organization{ID: id.New(), Name: name}
	err = tenantDB.SchemaTx(ctx, org.ID, func(tx pgx.Tx) error {
		// One at a time for each person, so that requests at once do not pass the bound. Only the
		// system role sees the person's other organizations, so they are counted in another
		// transaction while this one holds the lock.
		_, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended('organizations of ' || $1::text, 0))",
			owner)
		if err != nil {
			return fmt.Errorf("waiting for the person's other requests: %w", err)
		}
		var owned int
		err = tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
			b.Queue("select count(*) from rowhouse.member m join rowhouse.organization o using (org_id) "+
				"where m.person_id = $1 and m.role = 'owner'", owner).
				QueryRow(func(row pgx.Row) error { return row.Scan(&owned) })
		})
		if err != nil {
			return fmt.Errorf("counting the person's organizations: %w", err)
		}
		if owned >= MaxOwned {
			return problem.Conflict("You own %d organizations, and nobody may own more than %d. "+
				"Delete one, or make somebody else its owner.",
				owned, MaxOwned).WithCode(problem.CodeTooManyOrganizations)
		}
		return create(ctx, tenantDB, tx, owner, org)
	})
	if err != nil {
		return Organization{}, fmt.Errorf("creating the organization: %w", err)
	}
	return org, nil
}

func create(ctx context.Context, tenantDB *db.DB, tx pgx.Tx, owner uuid.UUID, org Organization) error {
	if err := tenantDB.AddKey(ctx, tx, org.ID); err != nil {
		return err
	}
	// On Citus a table that a function creates stays on the coordinator.
	var changeLog string
	if tenantDB.Distributed() {
		err := tx.QueryRow(ctx, "select gate.change_log($1)", SchemaName(org.ID)).Scan(&changeLog)
		if err != nil {
			return fmt.Errorf("reading the form of the log of changes: %w", err)
		}
	}
	batch := &pgx.Batch{}
	batch.Queue("insert into rowhouse.organization (org_id, name) values ($1, $2)", org.ID, org.Name)
	batch.Queue("insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)", org.ID, owner, Owner)
	batch.Queue(`insert into rowhouse.workspace (org_id, id, name, color, is_default, position)
		values ($1, $2, 'Workspace', 'blue', true, 1)`, org.ID, id.New())
	if tenantDB.Distributed() {
		batch.Queue("set local citus.enable_schema_based_sharding = on") // places the schema on a worker
	}
	batch.Queue("create schema " + SchemaName(org.ID))
	if tenantDB.Distributed() {
		// As in gate.add_record_count.
		batch.Queue("create table " + SchemaName(org.ID) + `.record_count (
			table_number integer not null, slot smallint not null, records bigint not null, writes bigint not null,
			primary key (table_number, slot)) with (fillfactor = 40)`)
		batch.Queue("select gate.protect_records(to_regclass($1), $2)", SchemaName(org.ID)+".record_count", org.ID)
		batch.Queue(changeLog)
		batch.Queue("select gate.add_change_log($1, gate.record_policy($2))", SchemaName(org.ID), org.ID)
	}
	// USAGE reads nothing by itself; it lets any session prepare a statement before it takes a
	// role.
	batch.Queue("grant usage on schema " + SchemaName(org.ID) + " to public")
	actor := db.ActorOf(ctx)
	if actor.Person == uuid.Nil {
		actor.Person = owner
	}
	audit.Record(db.WithActor(ctx, actor), batch, org.ID, &audit.Event{
		Action:  "create_org",
		Subject: id.Format(id.Org, org.ID),
		Detail:  map[string]string{"name": org.Name},
	})
	return tx.SendBatch(ctx, batch).Close()
}
