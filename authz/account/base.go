package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
)

// Bases are what the home page of a person begins with. They may be gone, or out of the person's reach: the application
// leaves those out.
type Bases struct {
	Recent    []uuid.UUID // opened last, the latest first
	Favorites []uuid.UUID // in the order in which they were marked
}

const (
	maxRecent    = 12
	maxFavorites = 100
)

// BasesOf returns the bases with which the home page of a person begins.
func (s *Service) BasesOf(ctx context.Context, person uuid.UUID) (Bases, error) {
	var found Bases
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select recent_bases, favorite_bases from rowhouse.person where id = $1", person).
			QueryRow(func(row pgx.Row) error { return row.Scan(&found.Recent, &found.Favorites) })
	})
	if err != nil {
		return Bases{}, fmt.Errorf("reading a person's bases: %w", err)
	}
	return found, nil
}

// OpenBase puts a base first among those that a person opened last.
func (s *Service) OpenBase(ctx context.Context, person, base uuid.UUID) error {
	_, err := s.changeBases(ctx, "recent_bases = (array_prepend($2, array_remove(recent_bases, $2)))[1:$3] "+
		"where id = $1", person, base, maxRecent)
	return err
}

// MarkBase adds a base to a person's favourites. It returns an error of kind conflict if there are too many.
func (s *Service) MarkBase(ctx context.Context, person, base uuid.UUID) error {
	changed, err := s.changeBases(ctx, "favorite_bases = array_append(array_remove(favorite_bases, $2), $2) "+
		"where id = $1 and cardinality(array_remove(favorite_bases, $2)) < $3", person, base, maxFavorites)
	if err == nil && !changed {
		return problem.Conflict("You have %d favourites, and nobody may have more. Remove one first.", maxFavorites)
	}
	return err
}

// UnmarkBase takes a base out of a person's favourites.
func (s *Service) UnmarkBase(ctx context.Context, person, base uuid.UUID) error {
	_, err := s.changeBases(ctx, "favorite_bases = array_remove(favorite_bases, $2) where id = $1", person, base)
	return err
}

// changeBases changes the lists of a person's bases. set is a constant clause over args.
func (s *Service) changeBases(ctx context.Context, set string, args ...any) (changed bool, err error) {
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "update rowhouse.person set "+set, args...)
		changed = tag.RowsAffected() > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("changing a person's bases: %w", err)
	}
	return changed, nil
}
