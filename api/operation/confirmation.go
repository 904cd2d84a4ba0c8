package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// runConfirmed runs the handler, and refuses a person's answer that another call has used.
func (o *Operation) runConfirmed(ctx context.Context, call *Call, request Request) ([]byte, error) {
	if request.Confirmation == nil {
		return o.run(ctx, call)
	}
	switch used, err := plan.WasUsed(ctx, call.DB, call.Target.Org, request.Confirmation); {
	case err != nil:
		return nil, err
	case used:
		return nil, errConfirmationUsed()
	}
	out, err := o.run(ctx, call)
	if plan.IsUsed(err) && problem.KindOf(err) == problem.KindInternal { // by another call at the same moment
		err = errConfirmationUsed().Because(err)
	}
	return out, err
}

func errConfirmationUsed() *problem.Error {
	return problem.Conflict("The person's answer was used already, and an answer is good for one call. Nothing was " +
		"changed by this call; call again without requestState to ask anew.").WithCode(problem.CodeConfirmationUsed)
}

// Asks reports whether a person has to approve the call with this request.
func (o *Operation) Asks(ctx context.Context, deps *Deps, request Request) (bool, error) {
	if o.Agent.Confirm.Needed == nil || !o.Agent.Confirm.Needed(request.Raw) {
		return false, nil
	}
	if o.Agent.Confirm.Above == 0 {
		return true, nil
	}
	var input, fields map[string]jsontext.Value
	if err := json.Unmarshal(request.Raw, &input); err != nil {
		return true, nil //nolint:nilerr // the operation says what is wrong with it
	}
	if input["fields"] != nil && json.Unmarshal(input["fields"], &fields) != nil {
		return true, nil
	}
	for _, value := range fields {
		if slices.Contains([]string{"null", `""`, "[]"}, string(value)) {
			return true, nil
		}
	}
	count, err := o.Count(ctx, deps, request)
	return count > o.Agent.Confirm.Above, err
}

// Count returns how many records the call with this request would change. The call must allow a
// plan.
func (o *Operation) Count(ctx context.Context, deps *Deps, request Request) (int, error) {
	var input map[string]jsontext.Value
	if err := json.Unmarshal(request.Raw, &input); err != nil {
		return 0, fmt.Errorf("reading an input to plan it: %w", err)
	}
	input["plan"] = jsontext.Value("true")
	delete(input, "apply")
	var err error
	if request.Raw, err = json.Marshal(input); err != nil {
		return 0, fmt.Errorf("asking for a plan: %w", err)
	}
	result, err := o.Do(ctx, deps, request)
	if err != nil {
		return 0, err
	}
	var planned struct {
		Count int `json:"count"`
	}
	if err := json.Unmarshal(result.Body, &planned); err != nil {
		return 0, fmt.Errorf("reading a plan: %w", err)
	}
	return planned.Count, nil
}

// Always requires confirmation for every input.
func Always([]byte) bool { return true }

// ListLongerThan requires confirmation if the named list in the input has more than limit elements.
func ListLongerThan(limit int, list string) func([]byte) bool {
	return func(input []byte) bool {
		var elements []jsontext.Value
		return json.Unmarshal(rawMember(input, list), &elements) == nil && len(elements) > limit
	}
}

// WhenTrue requires confirmation if the named member of the input is true.
func WhenTrue(name string) func([]byte) bool {
	return func(input []byte) bool { return string(rawMember(input, name)) == "true" }
}

func rawMember(input []byte, name string) jsontext.Value {
	var members map[string]jsontext.Value
	if json.Unmarshal(input, &members) != nil {
		return nil
	}
	return members[name]
}
