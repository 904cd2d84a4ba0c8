package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// confirmationTimeout is how long a person may take to confirm.
const confirmationTimeout = 10 * time.Minute

// confirm makes sure that a person has agreed to a call that needs confirmation. A client that
// supports elicitation gets a question, and returns the reply together with the question's request
// state. Any other client has to pass the argument confirm. confirm returns the question if it has
// to be asked first, or the use of the person's answer, which is good for one call. A call that would fail anyway fails
// before anybody is asked.
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
	if !canElicit(req) {
		if confirmed {
			return nil, nil, nil
		}
		loss, err := s.describeLoss(ctx, t, target, input)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, problem.Conflict("%s Nothing has been changed. Ask the person, then call %s again with the "+
			"same arguments and confirm: true.", loss, t.listed.Name).
			WithCode("confirmation_required")
	}
	now := time.Now()
	if state := req.Params.RequestState; state != "" || len(req.Params.InputResponses) > 0 {
		if !s.validRequestState(state, c, t, input, now) {
			return nil, nil, problem.Invalid(
				"requestState", "does not belong to this call, or the question is older than %v; call again without it",
				confirmationTimeout,
			).WithCode("invalid_request_state")
		}
		reply, ok := req.Params.InputResponses[confirmName].(*sdk.ElicitResult)
		switch agreed, _ := replyContent(reply)[confirmName].(bool); {
		case !ok:
			// There is no reply to this question; ask again.
		case reply.Action == "accept" && agreed:
			return nil, useOf(t, state), nil
		default:
			return nil, nil, problem.Conflict("The person declined. Nothing was changed.").WithCode("declined")
		}
	}
	loss, err := s.describeLoss(ctx, t, target, input)
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

// A question is the time until which it can be answered, in Unix seconds, and a number of its own.
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

// useOf returns the use of a verified state, which the transaction of the call records, so that an answer is good for
// one call. The deletion of an organization takes what would record it with it, and happens once anyway.
func useOf(t *tool, state string) *db.PlanUse {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil || t.listed.Name == operation.DeleteOrg.Name {
		return nil
	}
	sum := sha256.Sum256(raw)
	return &db.PlanUse{Token: sum[:16], Expires: expiryOf(raw)}
}

// describeLoss describes in a sentence what the call would destroy.
func (s *server) describeLoss(ctx context.Context, t *tool, target operation.Target, input []byte) (string, error) {
	snapshot, err := s.Deps.Schema.Cached(ctx, target.Org)
	if err != nil {
		return "", err
	}
	base := snapshot.Base(target.Base)
	switch {
	case t.listed.Name == "delete_base" && base != nil:
		return fmt.Sprintf(
			"This deletes the base %q with its tables (%d) and all their records, which stay in the trash for a while.",
			base.Name,
			len(base.Tables),
		), nil
	case target.Table == nil:
	case t.listed.Name == "delete_table":
		return fmt.Sprintf("This deletes the table %q of the base %q with all its records, which stay in the trash "+
			"for a while.",
			target.Table.Name, base.Name), nil
	case t.listed.Name == "delete_field", t.listed.Name == "update_field":
		name := id.Format(id.Field, target.ID)
		if f := snapshot.Field(target.ID); f != nil {
			name = f.Name
		}
		if t.listed.Name == "update_field" {
			return fmt.Sprintf("This changes the field %q of the table %q and takes out the values that it can no "+
				"longer hold.", name, target.Table.Name), nil
		}
		return fmt.Sprintf("This deletes the field %q of the table %q with its values in every record, "+
			"which stay in the trash for a while.%s", name, target.Table.Name, brokenBy(snapshot, target.ID)), nil
	case t.listed.Name == "delete_records_where":
		return fmt.Sprintf("This deletes all records of the table %q that the filters find. revert_changes with "+
			"its change set brings them back. A call with plan: true says how many they are.", target.Table.Name), nil
	case t.listed.Name == "delete_records":
		var in struct {
			IDs []string `json:"ids"`
		}
		if err := json.Unmarshal(input, &in); err != nil {
			return "", fmt.Errorf("reading the ids to delete: %w", err)
		}
		return fmt.Sprintf("This deletes %d records of the table %q, which stay in the trash for a while.",
			len(in.IDs), target.Table.Name), nil
	}
	return fmt.Sprintf("%s: this cannot be undone.", t.listed.Title), nil
}

// brokenBy names the fields that show errors once a field is deleted.
func brokenBy(snapshot *schema.Snapshot, deleted uuid.UUID) string {
	f := snapshot.Field(deleted)
	if f == nil {
		return ""
	}
	var names []string
	for _, one := range snapshot.BrokenBy(f, nil) {
		names = append(names, strconv.Quote(one.Table.Name+" · "+one.Name))
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n > maxNamed:
		names = append(names[:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
	}
	return " Until it is restored, these fields, which compute from it, show errors: " + strings.Join(names, ", ") + "."
}

// maxNamed is how many fields a question names.
const maxNamed = 10
