package airtable

import (
	"errors"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// billingLimit is the type of the refusal when a workspace has used up the calls of its plan for the month, which
// waiting does not change.
const billingLimit = "PUBLIC_API_BILLING_LIMIT_EXCEEDED"

// Problem implements product.Session.
func (s *Session) Problem(err error) error {
	var refusal *product.Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch {
	case refusal.Status == 401:
		return problem.Invalid("token", "Airtable does not take the token: it is wrong, has expired or was revoked")
	case refusal.Type == billingLimit:
		return problem.Invalid("token", "the Airtable workspace has used up the API calls of its plan for this "+
			"month; import again next month, or after a change of plan")
	case refusal.Status == 403 || refusal.Status == 404:
		return problem.Invalid("airtableBaseId", "Airtable shows this token no such base, or not this part of it. The "+
			"token needs access to the base, and the scopes data.records:read, data.recordComments:read and "+
			"schema.bases:read")
	case refusal.Status == 429 || refusal.Status >= 500:
		return product.Unreachable("Airtable", err) //nolint:wrapcheck // of this module
	}
	return problem.Conflict("%s", refusal.Error())
}
