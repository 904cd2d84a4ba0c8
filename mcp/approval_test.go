package mcp_test

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/approval"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var approvalLink = regexp.MustCompile(`/approve/([A-Za-z0-9_-]+)`)

// A person approves a call in the application: the same call then works once, and only with that
// credential.
func TestApprovalInTheApplication(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Harbour"}`)
	approvals := &approval.Approvals{Deps: s.REST.Deps}
	session := *owner.Principal
	session.Kind, session.Credential = authz.Session, "ses_test"
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	ask := func(arguments object) string {
		t.Helper()
		refused := c.Refused("set_public_share", arguments, "confirmation_required", "confirm: true")
		match := approvalLink.FindStringSubmatch(refused["detail"].(string))
		if match == nil {
			t.Fatalf("the error has no link: %v", refused["detail"])
		}
		return match[1]
	}
	decide := func(token string, as *authz.Principal, approve bool) string {
		err := approvals.Decide(context.Background(), token, as, "req_test", approve)
		return problem.New(err, "").Code
	}

	token := ask(object{"baseId": base})
	q, err := approvals.Question(t.Context(), token, &session)
	if err != nil || !slices.Equal(q.Arguments, []approval.QuestionArgument{{Name: "Base", Value: "Harbour"}}) ||
		q.Loss == "" || q.Title == "" {
		t.Fatal(err, q)
	}
	stranger := apitest.Principal(tenancytest.Person(t, s.REST.Deps.DB), owner.Orgs[0].Org, organization.Owner)
	if code := decide(token, stranger, true); code != "other_person" {
		t.Errorf("somebody else decides: %s", code)
	}
	ask(object{"baseId": base}) // nothing was decided
	if err := approvals.Decide(t.Context(), token, &session, "req_test", true); err != nil {
		t.Fatal(err)
	}
	if code := decide(token, &session, false); code != "answered" {
		t.Errorf("it is answered twice: %s", code)
	}
	other := *owner.Principal
	other.Credential = "key_other"
	another := s.Dial(t, s.REST.As(t, &other), mcptest.Stateless, "/mcp", nil)
	another.Refused("set_public_share", object{"baseId": base}, "confirmation_required")
	second := owner.ID("POST", "/bases", `{"name":"Second"}`)
	c.Refused("set_public_share", object{"baseId": second}, "confirmation_required")
	c.OK("set_public_share", object{"baseId": base})
	token = ask(object{"baseId": base}) // it was good for one call
	if err := approvals.Decide(t.Context(), token, &session, "req_test", false); err != nil {
		t.Fatal(err)
	}
	declined := token
	c.Refused("set_public_share", object{"baseId": base}, "declined")
	token = ask(object{"baseId": base}) // the next call is a new question, and the former answer stays
	if code := decide(declined, &session, true); code != "answered" {
		t.Errorf("what was declined is approved: %s", code)
	}
	ask(object{"baseId": base})
	if err := approvals.Decide(t.Context(), token, &session, "req_test", true); err != nil {
		t.Fatal(err)
	}
	c.OK("set_public_share", object{"baseId": base})
	if code := decide(declined, &session, true); code != "answered" {
		t.Errorf("what was declined is approved after another question: %s", code)
	}
	actions := tenancytest.Actions(t, s.REST.Deps.DB, owner.Orgs[0].Org)
	if !slices.Contains(actions, "approve_call") || !slices.Contains(actions, "decline_call") {
		t.Errorf("the audit log tells of %v", actions)
	}

	token = ask(object{"baseId": second})
	s.REST.Revoke(owner)
	if code := decide(token, &session, true); code != "address_ended" {
		t.Errorf("a revoked credential is approved: %s", code)
	}
}
