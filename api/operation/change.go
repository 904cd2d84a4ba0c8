package operation

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

// may returns an error if the caller may not do in the call's organization what another operation
// does.
func (c *Call) may(def Def) error {
	if err := c.Principal.RequireScope(def.Scope); err != nil {
		return err
	}
	return c.Principal.RequireRole(c.Target.Org, def.RequiredRole())
}

// RevertChanges takes back changes.
var RevertChanges = New(Def{
	Name: "revert_changes", Method: "POST", Path: "/bases/{baseId}/changes/revert", Title: "Revert changes",
	Summary: "Take back changes: change sets, or all by a credential since a moment.",
	Description: "All or none. Call with dryRun first. What others have changed since is a conflict. A revert is a " +
		"change set and can be reverted. Changes of tables and fields need schema:write.",
	Scope: authz.DataWrite, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	ChangeSets []string `json:"changeSets,omitzero" maxItems:"1000"`
	Credential string   `json:"credential,omitzero" maxLength:"100" jsonschema:"id; needs since"`
	Since      string   `json:"since,omitzero" jsonschema:"RFC 3339"`
	DryRun     bool     `json:"dryRun,omitzero" jsonschema:"answer the plan alone"`
	OnConflict string   `json:"onConflict,omitzero" enum:"fail,skip,overwrite" jsonschema:"default fail"`
},
) (revert.Plan, error) {
	since, err := parseTime("since", in.Since)
	if err != nil {
		return revert.Plan{}, err
	}
	request := revert.Request{
		Credential: in.Credential, Since: since, DryRun: in.DryRun, OnConflict: revert.OnConflict(in.OnConflict),
		By: c.viewer(), MayView: c.may(CreateView.Def), MayDefine: c.may(CreateField.Def),
	}
	switch byCredential := in.Credential != "" || in.Since != ""; {
	case byCredential && len(in.ChangeSets) > 0:
		return revert.Plan{}, problem.Invalid("changeSets", "conflicts with credential and since; give one of both")
	case byCredential && in.Credential == "":
		return revert.Plan{}, problem.Invalid("credential",
			"is required with since; it is the id of a key, grant or session")
	case byCredential && in.Since == "":
		return revert.Plan{}, problem.Invalid("since",
			"is required with credential; it is a time such as 2026-01-31T12:00:00Z")
	case !byCredential && len(in.ChangeSets) == 0:
		return revert.Plan{}, problem.Invalid("changeSets", "is required; give ids, or credential and since")
	}
	seen := map[uuid.UUID]bool{}
	for i, public := range in.ChangeSets {
		set, err := id.Parse(id.ChangeSet, public)
		if err != nil {
			return revert.Plan{}, problem.Invalid(fmt.Sprintf("changeSets[%d]", i),
				"%q is not the id of a change set; it is chs_ and 26 characters", public)
		}
		if !seen[set] {
			seen[set], request.ChangeSets = true, append(request.ChangeSets, set)
		}
	}
	return revert.New(c.DB, c.Records).Revert(ctx, c.actor(), c.Target.ID, request)
})
