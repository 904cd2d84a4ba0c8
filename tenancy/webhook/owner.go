package webhook

import (
	"context"
	"fmt"

	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// ownerIsCreator reports whether the owner of a webhook still has the role in its base that sets up webhooks, and so
// sees everything that it sends.
func (r *run) ownerIsCreator(ctx context.Context, h *leased) (bool, error) {
	if h.role == "" || h.role.AtLeast(organization.Admin) {
		return h.role != "", nil
	}
	s, err := r.Store.Schema.Fresh(ctx, r.org)
	if err != nil {
		return false, fmt.Errorf("reading the schema: %w", err)
	}
	b := s.Base(h.Base)
	return b != nil && s.RoleIn(schema.Subject{Person: h.Owner, Role: h.role}, b) == schema.BaseCreator, nil
}
