// Package approval owns the questions that people get about agents' calls: what a call would do, in
// words, and the answers of people who approve or decline it in the application. It does not know
// how a surface asks.
package approval

import (
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// Path is the path of the page on which a person approves a call; a token follows.
const Path = "/approve/"

// Digest identifies a call: the person, the credential, the tool and the arguments, however they are ordered.
func Digest(holder *authz.Holder, tool string, input []byte) plan.Digest {
	canonical := jsontext.Value(slices.Clone(input))
	if canonical.Canonicalize() != nil {
		canonical = input // invalid input; it only has to differ from other calls
	}
	return plan.NewHash("mcp approval", string(holder.Person[:]), holder.Credential, tool, string(canonical)).Digest()
}

// Approvals are the calls of agents that a person approves or declines in the application.
type Approvals struct{ Deps *operation.Deps }

// A Question is what a person is asked about a call.
type Question struct {
	Title     string // of the tool
	Loss      string // what the call does, in sentences
	Arguments []QuestionArgument
	By        string // the kind of the credential that calls
	Expires   time.Time

	call   *signed.Call
	target operation.Target
}

// A QuestionArgument is an argument of a call in words.
type QuestionArgument struct{ Name, Value string }

// Question returns what a person is asked. It returns an error of kind forbidden for a call with another person's
// credential or one that has ended, and the error of a call that would fail anyway.
func (a *Approvals) Question(ctx context.Context, token string, person *authz.Principal) (*Question, error) {
	call, err := a.Deps.Signed.Open(signed.Approval, token)
	if err != nil {
		return nil, err
	}
	if call.Holder.Person != person.Person {
		return nil, problem.Forbidden("This question is for somebody else: an agent asks the person whose access it " +
			"uses. Sign in as that person to answer it.").WithCode(problem.CodeOtherPerson)
	}
	principal, err := a.Deps.Signed.Principal(ctx, call)
	if err != nil {
		return nil, err
	}
	op := operation.Tool(call.Operation)
	if op == nil {
		return nil, problem.NotFound("tool", call.Operation)
	}
	q := &Question{Title: op.Title, Expires: call.Expires, By: credentialKinds[call.Holder.Kind], call: call}
	if q.target, err = op.Check(ctx, a.Deps, principal, call.Input); err != nil {
		return nil, err
	}
	if q.Loss, err = op.Loss(ctx, a.Deps, q.target, call.Input); err != nil {
		return nil, err
	}
	if op.Agent.Confirm.Counted {
		count, err := op.Count(ctx, a.Deps, operation.Request{Principal: principal, Raw: call.Input})
		if err != nil {
			return nil, err
		}
		q.Loss += " At the moment that is " + problem.Count(count, "record") + "."
	}
	snapshot, err := a.Deps.Schema.Cached(catalog.WithCaller(ctx, principal), q.target.Org)
	if err != nil {
		return nil, err
	}
	q.Arguments, err = inWords(snapshot, call.Input)
	return q, err
}

var credentialKinds = map[authz.CredentialKind]string{
	authz.APIKey: "an API key of yours", authz.OAuth: "an app that you connected", authz.Session: "a session of yours",
}

// Decide stores the person's decision. It returns the errors of Question, and an error of kind
// conflict if the question was answered already.
func (a *Approvals) Decide(
	ctx context.Context, token string, person *authz.Principal, requestID string, approved bool,
) error {
	q, err := a.Question(ctx, token, person)
	if err != nil {
		return err
	}
	event := &audit.Event{
		Action: "decline_call", Subject: q.call.Holder.Credential, Detail: map[string]any{"tool": q.call.Operation},
	}
	if approved {
		event.Action = "approve_call"
	}
	actor := db.Actor{
		Person: person.Person, Kind: string(person.Kind), Credential: person.Credential, Request: requestID,
	}
	return plan.Decide(db.WithActor(ctx, actor), a.Deps.DB, q.target.Org, &plan.Answer{
		Call:     Digest(&q.call.Holder, q.call.Operation, q.call.Input),
		Question: q.call.ID, Approved: approved, Expires: q.call.Expires,
	}, event)
}
