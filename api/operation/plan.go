package operation

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// Planned are the arguments of a change that can be planned.
type Planned struct {
	Plan  bool   `json:"plan,omitzero" jsonschema:"say what would happen, and change nothing"`
	Apply string `json:"apply,omitzero" maxLength:"200" jsonschema:"planToken of a plan with the same arguments: do exactly that, or say what has moved"`
}

// request describes the requested change of the schema. input is the input of the call without p.
func (p Planned) request(c *Call, name string, input any) plan.Request {
	r := plan.Request{Only: p.Plan, Apply: p.Apply, Credential: c.Principal.Credential}
	if r.Only || r.Apply != "" {
		text, _ := json.Marshal(input) // it came out of JSON
		r.Asked = plan.NewHash(name, string(text)).Digest()
	}
	return r
}

// DeletedOrPlanned is the output of a deletion that can be planned.
type DeletedOrPlanned struct {
	Deleted string `json:"deleted" jsonschema:"the id of what was deleted; empty in a plan"`
	catalog.Impact
}

// deleteOrPlan makes, plans or applies the deletion of the object that the path names.
func (c *Call) deleteOrPlan(
	ctx context.Context, public string, p Planned, remove func(ctx context.Context, s *catalog.Store) error,
) (DeletedOrPlanned, error) {
	impact, err := c.Schema.Perform(ctx, c.Target.Org, p.request(c, "delete", public), remove)
	if p.Plan {
		public = ""
	}
	return DeletedOrPlanned{public, impact}, err
}

// unlessPlanned reports whether an input changes something instead of asking for a plan.
func unlessPlanned(input []byte) bool {
	var in struct {
		Plan bool `json:"plan"`
	}
	return json.Unmarshal(input, &in) != nil || !in.Plan
}

// unlessApplied reports whether an input changes something that no plan has shown.
func unlessApplied(input []byte) bool {
	return unlessPlanned(input) && len(rawMember(input, "apply")) == 0
}

// onlyPlans reports whether an input asks only for a plan, which changes nothing.
func onlyPlans(input []byte) bool {
	if !bytes.Contains(input, []byte(`"plan"`)) && !bytes.Contains(input, []byte(`"dryRun"`)) {
		return false // do not decode long inputs twice
	}
	return !unlessPlanned(input) || WhenTrue("dryRun")(input)
}

// discards reports whether an input may lose values and does not ask for a plan.
func discards(input []byte) bool { return WhenTrue("discard")(input) && unlessApplied(input) }
