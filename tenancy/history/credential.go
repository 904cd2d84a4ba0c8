package history

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CredentialNames returns what credentials are called, by their public ids: an API key by its own
// name, which its person and admins may see, and a grant by the app that it was given to. Others, and
// those that are gone, have no name.
func CredentialNames(
	ctx context.Context, tenantDB *db.DB, viewer schema.Viewer, credentials []string,
) (map[string]string, error) {
	var keys, grants []uuid.UUID
	for _, public := range credentials {
		if u, err := id.Parse(id.Key, public); err == nil {
			keys = append(keys, u)
		} else if u, err := id.Parse(id.Grant, public); err == nil {
			grants = append(grants, u)
		}
	}
	names := map[string]string{}
	if len(keys) == 0 && len(grants) == 0 {
		return names, nil
	}
	collect := func(kind id.Kind) func(rows pgx.Rows) error {
		return func(rows pgx.Rows) error {
			var u uuid.UUID
			var name string
			_, err := pgx.ForEachRow(rows, []any{&u, &name}, func() error {
				names[id.Format(kind, u)] = name
				return nil
			})
			return err
		}
	}
	err := tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select id, name from rowhouse.api_key where id = any ($1) and ($2 or person_id = $3)", keys,
			viewer.Admin, viewer.Person).Query(collect(id.Key))
		b.Queue("select g.id, c.metadata ->> 'client_name' from rowhouse.oauth_grant g "+
			"join rowhouse.oauth_client c on c.id = g.client_id where g.id = any ($1) and c.metadata ->> "+
			"'client_name' <> ''", grants).
			Query(collect(id.Grant))
	})
	if err != nil {
		return nil, fmt.Errorf("reading the names of credentials: %w", err)
	}
	return names, nil
}
