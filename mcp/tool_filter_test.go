package mcp_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestRestrictedKeyResolvesOnlyItsBases(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	public := owner.ID("POST", "/bases", `{"name":"Harbour"}`)
	spare := owner.ID("POST", "/workspaces", `{"orgId":"`+owner.Org()+`","name":"Hidden workspace"}`)
	owner.ID("POST", "/bases", `{"name":"Hidden base","workspaceId":"`+spare+`"}`)
	base, err := id.Parse(id.Base, public)
	if err != nil {
		t.Fatal(err)
	}
	p := *owner.Principal
	p.Bases = []uuid.UUID{base}
	c := s.REST.As(t, &p)
	for _, call := range []string{
		`{"name":"update_workspace","arguments":{"workspaceId":"nowhere","name":"x"}}`,
		`{"name":"describe_base","arguments":{"baseId":"nowhere"}}`,
		`{"name":"list_workspaces","arguments":{"orgId":"` + owner.Org() + `"}}`,
		`{"name":"list_audit_events","arguments":{"orgId":"` + owner.Org() + `"}}`,
		`{"name":"search","arguments":{"query":"Hidden"}}`,
		`{"name":"get_me","arguments":{}}`,
	} {
		_, body := s.Post(t, c, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+call+`}`, nil)
		if strings.Contains(body, "Hidden ") || strings.Contains(body, spare) {
			t.Errorf("%s tells %s", call, body)
		}
	}
}
