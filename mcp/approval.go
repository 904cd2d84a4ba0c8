package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/api/approval"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// approved returns the use of the answer of a person who has approved the call in the application. Otherwise it returns
// an error that says what the call would do, and where the person can approve it. It reports once that a person has
// declined: a later call is a new question, because somebody asks for it again. The link to it may stay unopened.
func (s *server) approved(
	ctx context.Context, t *tool, c *caller, target operation.Target, input []byte,
) (*db.PlanUse, error) {
	holder := c.Holder()
	digest := approval.Digest(&holder, t.listed.Name, input)
	answer, err := plan.FindAnswer(ctx, s.Deps.DB, target.Org, digest, time.Now())
	switch {
	case err != nil:
		return nil, err
	case answer != nil && !answer.Approved:
		if err := plan.Spend(ctx, s.Deps.DB, target.Org, answer.Use()); err != nil {
			return nil, err
		}
		return nil, declined("The person declined this call in Rowhouse.")
	case answer != nil:
		return answer.Use(), nil
	}
	loss, err := t.operation.Loss(ctx, s.Deps, target, input)
	if err != nil {
		return nil, err
	}
	if above := t.operation.Agent.Confirm.Above; above > 0 {
		loss += fmt.Sprintf(" It empties a field, or changes more than %d records.", above)
	}
	if t.operation.Agent.Confirm.Counted {
		loss += " " + operation.RevertChanges.Name + " with its change set takes it back, and a call with plan: true " +
			"says how many records it is about."
	}
	where := ""
	token, err := s.Deps.Signed.Make(signed.Approval, &signed.Call{
		Holder: holder, Operation: t.listed.Name, Input: input, ID: id.New(),
	})
	if err == nil { // otherwise the arguments are too long for an address
		where = fmt.Sprintf(" Or the person approves it at %s%s%s within 15 minutes; the same call then works once, "+
			"without confirm.", s.Deps.BaseURL, approval.Path, token)
	}
	return nil, problem.Conflict("%s Nothing has been changed. Ask the person, then call %s again with the "+
		"same arguments and confirm: true.%s", loss, t.listed.Name, where).WithCode(problem.CodeConfirmationRequired)
}
