package operation

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// runConfirmed runs the handler, and refuses an answer of a person that another call has used.
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
		"changed by this call; call again without requestState to ask anew.").WithCode("confirmation_used")
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
