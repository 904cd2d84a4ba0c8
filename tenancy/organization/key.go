package organization

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// ReplaceKey gives an organization another key in the database, because the former one leaked or
// can no longer be decrypted. Requests of the organization fail for a moment.
func ReplaceKey(ctx context.Context, tenantDB *db.DB, org uuid.UUID) error {
	return tenantDB.ReplaceKey(ctx, org, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select gate.rewrite_policies($1, $2)", org, SchemaName(org)); err != nil {
			return fmt.Errorf("rewriting the policies: %w", err)
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{Action: "replace_key", Subject: id.Format(id.Org, org)})
	})
}

// All returns the ids of all organizations.
func All(ctx context.Context, tenantDB *db.DB) ([]uuid.UUID, error) {
	var all []uuid.UUID
	err := tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select org_id from rowhouse.organization order by org_id").Query(func(rows pgx.Rows) (err error) {
			all, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing the organizations: %w", err)
	}
	return all, nil
}
