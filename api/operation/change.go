package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/revert"
)

// may returns an error unless the caller may call another operation in the call's organization.
func (c *Call) may(def Def) error {
	if err := c.Principal.RequireScope(def.Scope); err != nil {
		return err
	}
	return (&Operation{Def: def}).checkRole(c.Principal, &c.Target)
}

// RevertChanges reverts changes.
var RevertChanges = New(Def{
	Name: "revert_changes", Method: "POST", Path: "/bases/{baseId}/changes/revert", Title: "Revert changes",
	Summary: "Take back changes: change sets by id, or all by a credential since a moment.",
	Description: "All or none; what others have changed since is a conflict. Call it with dryRun first, which " +
		"returns what would happen. A revert is a change set and can be reverted. To bring back what was " +
		"deleted, restore does too. Whom permissions limit reverts what they did and see.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Idempotent: true,
	Reports:     true,
	Destructive: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"since": {}, "dryRun": {}},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	ChangeSets []string `json:"changeSets,omitzero" maxItems:"1000" jsonschema:"ids, or times of changes"`
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
		MayWrite: c.may(Def{Scope: authz.DataWrite}),
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
	for i, named := range in.ChangeSets {
		set, err := c.changeSetNamed(ctx, fmt.Sprintf("changeSets[%d]", i), named)
		if err != nil {
			return revert.Plan{}, err
		}
		if !seen[set] {
			seen[set], request.ChangeSets = true, append(request.ChangeSets, set)
		}
	}
	plan, err := revert.New(c.DB, c.Records).Revert(ctx, c.actor(), c.Target.ID, request)
	c.unwritten = plan.Records+len(plan.Schema) == 0
	return plan, err
})

// changeSetNamed returns the change set with an id, or with a change at a time, which is how short
// results identify it.
func (c *Call) changeSetNamed(ctx context.Context, path, named string) (uuid.UUID, error) {
	if set, err := id.Parse(id.ChangeSet, named); err == nil {
		return set, nil
	}
	at, err := time.Parse(time.RFC3339, named)
	if err != nil {
		return uuid.Nil, problem.Invalid(path, "%q is neither the id of a change set (chs_ and 26 characters) nor the "+
			"time of a change, as list_change_sets and get_record_history have it", named)
	}
	sets, err := history.SetsAt(ctx, c.DB, c.Target.Org, at)
	switch {
	case err != nil:
		return uuid.Nil, err
	case len(sets) == 0:
		return uuid.Nil, problem.Invalid(path, "nothing was changed at %s; give the time of a change to the "+
			"microsecond, as list_change_sets and get_record_history have it", named)
	case len(sets) > 1:
		return uuid.Nil, problem.Invalid(path, "%d change sets have a change at %s: %s; give the id of one",
			len(sets), named, problem.List(changeSetIDs(sets)))
	}
	return sets[0], nil
}
