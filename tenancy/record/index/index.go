// Package index keeps the indexes of record tables. Queries say which indexes would have served
// them (Manager.Observe), and a Builder builds those that pay and drops those that no query uses.
// Search indexes have pending lists, which a PendingListCleaner empties. See
// docs/decisions/0012-indexes-by-use.md.
package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Manager knows the demand for indexes in this process and what was written to search indexes. It
// is safe for concurrent use.
type Manager struct {
	db      *db.DB
	store   *catalog.Store
	demand  demand
	pending pendingLists
}

// NewManager returns a manager on db that takes its schema from store.
func NewManager(database *db.DB, store *catalog.Store) *Manager {
	return &Manager{db: database, store: store, pending: pendingLists{tables: map[tableKey]backlog{}}}
}

// An Index is an index of a table.
type Index struct {
	Name   string
	Kind   string // primary, unique, lookup or search
	Reason string // what asked for it, with fields by id
	// Since is when it was built, and Used when a query that it serves was last seen, to the hour. They
	// are zero for indexes that come with the table or a field.
	Since, Used time.Time
	Ready       bool // false while it is being built
	Bytes       int64
}

// List lists the indexes of a table: those that came with it, and those that were built because
// queries used them. It returns db.ErrSchemaChanged when the table is gone.
func (m *Manager) List(ctx context.Context, t *schema.Table) ([]Index, error) {
	var found []Index
	// As the owner, because only it may know the sizes.
	err := m.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`select i.relname::text, x.indisprimary, x.indisunique, x.indisvalid, pg_relation_size(i.oid),
				coalesce(r.reason, ''), r.created_at, r.used_at
			from pg_index x join pg_class i on i.oid = x.indexrelid
			left join rowhouse.record_index r on r.org_id = $1 and r.table_number = $2 and r.name = i.relname
			where x.indrelid = to_regclass($3::text) order by i.oid`, t.Org, t.Number, t.Relation()).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					var one Index
					var primary, unique bool
					var since, used *time.Time
					var size *int64
					if err := rows.Scan(
						&one.Name, &primary, &unique, &one.Ready, &size, &one.Reason, &since, &used,
					); err != nil {
						return fmt.Errorf("scanning an index: %w", err)
					}
					if size == nil { // it was dropped after the statement began
						continue
					}
					one.Bytes = *size
					one.describe(t, primary, unique)
					if since != nil {
						one.Since, one.Used = *since, *used
					}
					found = append(found, one)
				}
				return rows.Err()
			})
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return nil, fmt.Errorf("listing the indexes: %w", err)
	}
	if len(found) == 0 {
		return nil, db.ErrSchemaChanged // every table has a primary key, so this one was dropped meanwhile
	}
	return found, nil
}

// stored is the table with the columns of all computed fields that have some; nil if the table is gone.
func (m *Manager) stored(ctx context.Context, t *schema.Table) (*schema.Table, error) {
	snapshot, err := m.store.Cached(ctx, t.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return snapshot.Stored().Table(t.ID), nil
}

func (i *Index) describe(t *schema.Table, primary, unique bool) {
	switch {
	case primary:
		i.Kind, i.Reason = "primary", "records by id"
	case unique:
		i.Kind = "unique"
		at := slices.IndexFunc(t.Fields, func(f *schema.Field) bool { return f.UniqueIndex() == i.Name })
		if at >= 0 {
			i.Reason = t.Fields[at].PublicID() + " is unique"
		}
	case strings.HasPrefix(i.Name, "s_"):
		i.Kind = "search"
	default:
		i.Kind = "lookup"
	}
}

// qualified is the quoted name of an index in the schema of its table. name holds lower-case
// letters, digits and underscores.
func qualified(t *schema.Table, name string) string {
	schemaName, _, _ := strings.Cut(t.Relation(), ".")
	return schemaName + `."` + name + `"`
}

// DropOversized returns the error of a request, unless it says that a value was too long for an
// index that was built for queries. Then it drops the index and returns db.ErrSchemaChanged, so
// that the request begins again. PostgreSQL does not always say which index it was.
func (m *Manager) DropOversized(ctx context.Context, t *schema.Table, err error) error {
	var wrong *pgconn.PgError
	if !errors.As(err, &wrong) || wrong.Code != pgerrcode.ProgramLimitExceeded {
		return err
	}
	indexes, listErr := m.List(ctx, t)
	if listErr != nil {
		return errors.Join(err, listErr)
	}
	dropped := false
	for _, index := range indexes {
		if !isIndexName(index.Name) || !onText(t, index.Name) ||
			wrong.ConstraintName != "" && wrong.ConstraintName != index.Name {
			continue
		}
		if banErr := m.ban(ctx, t, index.Name); banErr != nil {
			return errors.Join(err, banErr)
		}
		dropped = true
	}
	if !dropped {
		return err
	}
	return fmt.Errorf("%w: %w", db.ErrSchemaChanged, err)
}

// ban drops an index that a value was too long for, and prevents its being built again.
func (m *Manager) ban(ctx context.Context, t *schema.Table, name string) error {
	err := m.db.OwnerConn(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "drop index concurrently if exists "+qualified(t, name),
			pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		return fmt.Errorf("dropping an index that a value is too long for: %w", err)
	}
	err = m.db.Batch(ctx, t.Org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.record_index (org_id, table_number, name, reason, refused)
			values ($1, $2, $3, '', true)
			on conflict (org_id, table_number, name) do update set refused = true`, t.Org, t.Number, name)
	})
	if err != nil {
		return fmt.Errorf("keeping an index from being built: %w", err)
	}
	return nil
}

// isIndexName reports whether a name is one that this package gives, so that it may stand in a
// statement.
func isIndexName(name string) bool {
	return (strings.HasPrefix(name, "i_") || strings.HasPrefix(name, "s_")) &&
		strings.Trim(name[2:], "0123456789eadpcu_") == ""
}
