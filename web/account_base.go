package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// getBases lists the bases that the person opened last, and the favourites.
func (p *pages) getBases(r *http.Request, session *account.SessionInfo) (any, error) {
	bases, err := p.Accounts.BasesOf(r.Context(), session.Person.ID)
	public := func(list []uuid.UUID) []string {
		out := make([]string, len(list))
		for i, base := range list {
			out[i] = id.Format(id.Base, base)
		}
		return out
	}
	return map[string][]string{"recent": public(bases.Recent), "favorites": public(bases.Favorites)}, err
}

// changeBase returns a handler that changes the person's lists of bases.
func (p *pages) changeBase(change func(ctx context.Context, person, base uuid.UUID) error) http.HandlerFunc {
	return p.jsonHandler(func(r *http.Request, session *account.SessionInfo) (any, error) {
		base, err := id.Parse(id.Base, chi.URLParam(r, "base"))
		if err != nil {
			return nil, problem.NotFound("base", chi.URLParam(r, "base"))
		}
		return nil, change(r.Context(), session.Person.ID, base)
	})
}
