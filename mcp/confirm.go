package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// confirmationTimeout is how long a person may take to confirm.
const confirmationTimeout = 10 * time.Minute

// confirm makes sure that a person has approved a call that needs confirmation. A client that
// supports elicitation gets a question, and returns the reply together with the question's request
// state. Any other client has to pass the argument confirm. confirm returns the question if it has
// to be asked first, or the use of the person's answer, which is good for one call. A call that
// would fail anyway fails before anybody is asked.
func (s *server) confirm(
	ctx context.Context,
	t *tool,
	c *caller,
	req *sdk.CallToolRequest,
	input []byte,
	confirmed bool,
) (*sdk.CallToolResult, *db.PlanUse, error) {
	target, err := t.check(ctx, s, c, input)
	if err != nil {
		return nil, nil, err
	}
	if asks, err := t.operation.Asks(ctx, s.Deps, c.call(ctx, input)); !asks || err != nil {
		return nil, nil, err
	}
	if !canElicit(req) {
		if confirmed {
			return nil, nil, nil
		}
		use, err := s.approved(ctx, t, c, target, input)
		return nil, use, err
	}
	now := time.Now()
	if state := req.Params.RequestState; state != "" || len(req.Params.InputResponses) > 0 {
		if !s.validRequestState(state, c, t, input, now) {
			return nil, nil, problem.Invalid(
				"requestState", "does not belong to this call, or the question is older than %v; call again without it",
				confirmationTimeout,
			).WithCode(problem.CodeInvalidRequestState)
		}
		reply, ok := req.Params.InputResponses[confirmName].(*sdk.ElicitResult)
		switch agreed, _ := replyContent(reply)[confirmName].(bool); {
		case !ok:
			// There is no reply to this question; ask again.
		case reply.Action == "accept" && agreed:
			return nil, useOf(state), nil
		default:
			if use := useOf(state); use != nil { // so that the question cannot be answered otherwise
				if err := plan.Spend(ctx, s.Deps.DB, target.Org, use); err != nil {
					return nil, nil, err
				}
			}
			return nil, nil, declined("The person declined.")
		}
	}
	loss, err := t.operation.Loss(ctx, s.Deps, target, input)
	if err != nil {
		return nil, nil, err
	}
	return &sdk.CallToolResult{
		InputRequests: sdk.InputRequestMap{
			confirmName: &sdk.ElicitParams{Mode: "form", Message: loss, RequestedSchema: confirmForm},
		},
		RequestState: s.requestState(c, t, input, newQuestion(now.Add(confirmationTimeout))),
	}, nil, nil
}

// declined is the error of a call that a person does not want, which begins with what has been declined where.
func declined(what string) *problem.Error {
	return problem.Conflict("%s Nothing was changed. Do not repeat the call unless the person asks for it: it would "+
		"ask the person again.", what).WithCode(problem.CodeDeclined)
}

var confirmForm = json.RawMessage(`{"type":"object","properties":{"confirm":{"type":"boolean",` +
	`"title":"Yes, do it"}},"required":["confirm"]}`)

func replyContent(reply *sdk.ElicitResult) map[string]any {
	if reply == nil {
		return nil
	}
	return reply.Content
}

// canElicit reports whether the client can ask its person within a call. Elicitation of this kind
// came with revision 2026-07-28: a server without sessions cannot call back a client of an older
// revision.
func canElicit(req *sdk.CallToolRequest) bool {
	capabilities := req.ClientCapabilities()
	if capabilities == nil || capabilities.Elicitation == nil || req.ProtocolVersion() < "2026-07-28" {
		return false
	}
	return capabilities.Elicitation.Form != nil || capabilities.Elicitation.URL == nil
}

// A question consists of the time until which it can be answered, in Unix seconds, and a random
// number.
const questionSize = 8 + 16

func newQuestion(until time.Time) []byte {
	question := binary.BigEndian.AppendUint64(nil, uint64(until.Unix())) //nolint:gosec // after 1970
	number := make([]byte, questionSize-len(question))
	_, _ = rand.Read(number) // never fails
	return append(question, number...)
}

// requestState returns the state of a question: the question, and a MAC over it, the person, the
// credential, the tool and its arguments. Every replica can verify it.
func (s *server) requestState(c *caller, t *tool, input, question []byte) string {
	mac := hmac.New(sha256.New, s.Secret)
	for _, part := range [][]byte{
		[]byte("mcp confirmation"), question, c.Person[:], []byte(c.Credential), []byte(t.listed.Name), input,
	} {
		_ = binary.Write(mac, binary.BigEndian, uint64(len(part))) // writing to a hash never fails
		mac.Write(part)
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(question))
}

func (s *server) validRequestState(state string, c *caller, t *tool, input []byte, now time.Time) bool {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil || len(raw) != questionSize+sha256.Size {
		return false
	}
	question := raw[:questionSize:questionSize]
	return hmac.Equal([]byte(state), []byte(s.requestState(c, t, input, question))) && now.Before(expiryOf(raw))
}

func expiryOf(question []byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(question)), 0) //nolint:gosec // of a verified state
}

// useOf returns the use of a verified state, which the transaction of the call records, so that an
// answer is good for one call.
func useOf(state string) *db.PlanUse {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(raw)
	return &db.PlanUse{Token: sum[:16], Expires: expiryOf(raw)}
}
