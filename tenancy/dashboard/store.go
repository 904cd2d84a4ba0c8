package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// Store reads and writes dashboards.
type Store struct{ db *db.DB }

// New returns the store of a database.
func New(database *db.DB) *Store { return &Store{database} }

const columns = "select id, name, tiles from rowhouse.dashboard where org_id = $1 and base_id = $2"

func scan(row pgx.Row, sees Sees) (*Dashboard, error) {
	var d Dashboard
	var tiles []byte
	if err := row.Scan(&d.ID, &d.Name, &tiles); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(tiles, &d.Tiles); err != nil {
		return nil, fmt.Errorf("reading the tiles: %w", err)
	}
	d.Tiles = sees.seen(d.Tiles)
	return &d, nil
}

func notFound(dashboard uuid.UUID) error {
	return problem.NotFound("dashboard", id.Format(id.Dashboard, dashboard))
}

// List returns the dashboards of a base, oldest first, with the tiles that somebody sees.
func (s *Store) List(ctx context.Context, org, base uuid.UUID, sees Sees) ([]*Dashboard, error) {
	found := []*Dashboard{}
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(columns+" order by id", org, base).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				d, err := scan(rows, sees)
				if err != nil {
					return err
				}
				found = append(found, d)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing dashboards: %w", err)
	}
	return found, nil
}

// Get returns a dashboard of a base with the tiles that somebody sees.
func (s *Store) Get(ctx context.Context, org, base, dashboard uuid.UUID, sees Sees) (*Dashboard, error) {
	var found *Dashboard
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(columns+" and id = $3", org, base, dashboard).QueryRow(func(row pgx.Row) (err error) {
			found, err = scan(row, sees)
			return err
		})
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, notFound(dashboard)
	case err != nil:
		return nil, fmt.Errorf("getting a dashboard: %w", err)
	}
	return found, nil
}

// Create makes a dashboard of a base. It returns an error of kind conflict if the name is taken.
func (s *Store) Create(ctx context.Context, org, base uuid.UUID, name string, tiles []Tile, sees Sees) (
	*Dashboard, error,
) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return nil, err
	}
	if err := check(tiles, sees); err != nil {
		return nil, err
	}
	made := &Dashboard{ID: id.New(), Name: name, Tiles: tiles}
	err = s.db.Tx(ctx, org, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("insert into rowhouse.dashboard (org_id, id, base_id, name, tiles) values ($1, $2, $3, $4, $5)",
			org, made.ID, base, name, stored(tiles))
		count := 0
		b.Queue("select count(*) from rowhouse.dashboard where org_id = $1 and base_id = $2", org, base).
			QueryRow(func(row pgx.Row) error { return row.Scan(&count) })
		audit.Record(ctx, b, org, event("create_dashboard", base, made.ID, name))
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		if count > MaxPerBase {
			return problem.Conflict("A base has at most %d dashboards.", MaxPerBase)
		}
		return nil
	})
	switch {
	case pgerror.Is(err, pgerrcode.ForeignKeyViolation):
		return nil, problem.NotFound("base", id.Format(id.Base, base))
	case err != nil:
		return nil, taken(err, name, "creating a dashboard")
	}
	return made, nil
}

// taken explains that a name is not free.
func taken(err error, name, doing string) error {
	if pgerror.Is(err, pgerrcode.UniqueViolation) {
		return problem.Conflict("The base has a dashboard named %q already.", name).WithCode(problem.CodeNameTaken)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func stored(tiles []Tile) []byte {
	if tiles == nil {
		tiles = []Tile{}
	}
	return jsonvalue.Must(tiles)
}

// Update changes the name of a dashboard, and replaces the tiles that somebody sees. Nil leaves either as it is.
func (s *Store) Update(ctx context.Context, org, base, dashboard uuid.UUID, name *string, tiles *[]Tile, sees Sees,
) error {
	if name != nil {
		clean, err := naming.Clean("name", *name)
		if err != nil {
			return err
		}
		name = &clean
	}
	if tiles != nil {
		if err := check(*tiles, sees); err != nil {
			return err
		}
	}
	err := s.db.Tx(ctx, org, func(tx pgx.Tx) error {
		everything := Sees(func(string) bool { return true })
		d, err := scan(tx.QueryRow(ctx, columns+" and id = $3 for update", org, base, dashboard), everything)
		if errors.Is(err, pgx.ErrNoRows) {
			return notFound(dashboard)
		}
		if err != nil {
			return err
		}
		if name != nil {
			d.Name = *name
		}
		if tiles != nil {
			d.Tiles = sees.replaced(d.Tiles, *tiles)
		}
		b := &pgx.Batch{}
		b.Queue("update rowhouse.dashboard set name = $3, tiles = $4 where org_id = $1 and id = $2", org, d.ID, d.Name,
			stored(d.Tiles))
		audit.Record(ctx, b, org, event("update_dashboard", base, dashboard, d.Name))
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil && name != nil {
		return taken(err, *name, "changing a dashboard")
	}
	if err != nil {
		return fmt.Errorf("changing a dashboard: %w", err)
	}
	return nil
}

// Delete removes a dashboard, and no view.
func (s *Store) Delete(ctx context.Context, org, base, dashboard uuid.UUID) error {
	err := s.db.Tx(ctx, org, func(tx pgx.Tx) error {
		var name string
		err := tx.QueryRow(ctx, "delete from rowhouse.dashboard where org_id = $1 and base_id = $2 and id = $3 "+
			"returning name", org, base, dashboard).Scan(&name)
		if errors.Is(err, pgx.ErrNoRows) {
			return notFound(dashboard)
		}
		if err != nil {
			return err
		}
		b := &pgx.Batch{}
		audit.Record(ctx, b, org, event("delete_dashboard", base, dashboard, name))
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return fmt.Errorf("deleting a dashboard: %w", err)
	}
	return nil
}

func event(action string, base, dashboard uuid.UUID, name string) *audit.Event {
	detail := map[string]any{"base": id.Format(id.Base, base), "name": name}
	return &audit.Event{Action: action, Subject: id.Format(id.Dashboard, dashboard), Detail: detail}
}
