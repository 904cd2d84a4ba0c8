package operation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Prospect is a call about which a person is asked before it is made.
type Prospect struct {
	Deps     *Deps
	Target   Target
	Input    []byte
	Snapshot *schema.Snapshot // of the target's organization
	Base     *schema.Base     // of the target, or nil
}

// Loss says in sentences what a call would destroy, or whom it would let in.
func (o *Operation) Loss(ctx context.Context, deps *Deps, target Target, input []byte) (string, error) {
	snapshot, err := deps.Schema.Cached(ctx, target.Org)
	if err != nil {
		return "", err
	}
	var text string
	if o.Agent.Confirm.Loss != nil {
		p := &Prospect{
			Deps: deps, Target: target, Input: input, Snapshot: snapshot, Base: snapshot.Base(target.Base),
		}
		if text, err = o.Agent.Confirm.Loss(ctx, p); err != nil {
			return "", err
		}
	}
	if text == "" {
		text = o.Title + ": this cannot be undone."
	}
	return text, nil
}

// read decodes the input of the call.
func (p *Prospect) read(in any) error {
	if err := json.Unmarshal(p.Input, in); err != nil {
		return fmt.Errorf("reading the input of a call to ask about it: %w", err)
	}
	return nil
}

// loseFound describes what a call does to all records that its filters match. %q is the name of the
// table.
func loseFound(format string) func(context.Context, *Prospect) (string, error) {
	return func(_ context.Context, p *Prospect) (string, error) {
		if p.Target.Table == nil {
			return "", nil
		}
		return fmt.Sprintf(format, p.Target.Table.Name), nil
	}
}
