package catalog

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CheckBound returns an error of kind invalid unless a key of the person can be bound to the view: the person sees it
// in the base, and its filter is one that a row rule could have.
func (s *Store) CheckBound(ctx context.Context, org, base, view uuid.UUID, person schema.Subject) error {
	snapshot, err := s.Fresh(WithoutCaller(ctx), org)
	if err != nil {
		return err
	}
	person.View = view
	if snapshot.For(person).View(view) == nil || snapshot.View(view).Table.Base.ID != base {
		return problem.Invalid("viewId", "%s is not a view that you see in this base", id.Format(id.View, view))
	}
	if snapshot.View(view).Type == schema.Form {
		return problem.Invalid("viewId", "a key cannot be bound to a form, which shows no records")
	}
	return snapshot.CheckBound("viewId", snapshot.View(view))
}
