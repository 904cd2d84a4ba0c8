package mcp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type object = map[string]any

// setup creates an owner with a base and a table.
func setup(t *testing.T) (s *mcptest.Server, owner *apitest.Client, base, table string) {
	t.Helper()
	s = mcptest.New(t)
	owner = s.REST.Owner(t)
	base = owner.ID("POST", "/bases", `{"name":"CRM"}`)
	table = owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"Deals","fields":[{"name":"Name","type":"text"},{"name":"Amount","type":"number"}]}`)
	return s, owner, base, table
}

func TestNamesResolveToIDs(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	other := owner.ID("POST", "/bases", `{"name":"Archive"}`)
	owner.ID("POST", "/bases/"+other+"/tables", `{"name":"Deals"}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)

	for _, name := range []string{"CRM", "crm", base} {
		if got := c.OK("describe_base", object{"baseId": name})["id"]; got != base {
			t.Errorf("%q stands for %v", name, got)
		}
	}
	for _, name := range []string{"CRM/Deals", "crm/deals", table} {
		if got := c.OK("describe_table", object{"tableId": name})["id"]; got != table {
			t.Errorf("%q stands for %v", name, got)
		}
	}
	c.Refused("describe_table", object{"tableId": "Deals"}, "ambiguous_name", "CRM/Deals ("+table+")",
		"Archive/Deals (")
	c.Refused("describe_table", object{"tableId": "Dealz"}, "did you mean", "Deals")
	c.Refused("describe_table", object{"tableId": base}, "is the id of a base")
	c.Refused("describe_base", object{"baseId": table}, "is the id of a table")
	c.Refused("update_field", object{"fieldId": "Amont", "name": "x"}, "did you mean", "Amount")
	c.OK("update_field", object{"fieldId": "CRM/Deals/Amount", "name": "Value"})
	c.OK("create_view", object{"tableId": "CRM/Deals", "type": "kanban", "name": "Board"})
	if got := c.OK("get_view", object{"viewId": "Board"})["name"]; got != "Board" {
		t.Errorf("the view is %v", got)
	}

	// A name reveals what exists, so it is looked up only for callers who may know.
	blind := *owner.Principal
	blind.Scopes = []authz.Scope{authz.SchemaWrite, authz.DataRead, authz.MCPTools}
	b := s.Dial(t, s.REST.As(t, &blind), mcptest.Stateless, "/mcp", nil)
	b.Refused("update_table", object{"tableId": "CRM/Deals", "name": "x"}, "schema:read")
	stranger := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil)
	answer := stranger.Refused("describe_base", object{"baseId": "CRM"}, "not_found")
	if strings.Contains(answer["detail"].(string), base) {
		t.Errorf("a stranger was told %v", answer)
	}
}

func TestArgumentsAreCoerced(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	c := s.Dial(t, owner, mcptest.Initialize, "/mcp", nil)
	for name, arguments := range map[string]string{
		"a list as text": `{"baseId":"` + base +
			`","name":"A","fields":"[{\"name\":\"City\",\"type\":\"text\"},` +
			`{\"name\":\"Kind\",\"type\":\"single_select\",\"config\":{\"options\":[\"x\"]}}]"}`,
		"elements as text": `{"baseId":"` + base +
			`","name":"B","fields":["{\"name\":\"City\",\"type\":\"text\"}",{"name":"Kind","type":"single_select",` +
			`"config":{"options":["x"]}}]}`,
		"an object inside, as text": `{"baseId":"` + base + `","name":"C","fields":[{"name":"City","type":"text"},` +
			`{"name":"Kind","type":"single_select","config":"{\"options\":[\"x\"]}"}]}`,
	} {
		table := c.ID("create_table", arguments)
		fields := c.OK("list_fields", object{"tableId": table})["fields"].([]any)
		if len(fields) != 2 || fields[1].(object)["options"].([]any)[0] != "x" {
			t.Errorf("%s made %v", name, fields)
		}
	}
	// Text that looks like JSON stays text where text is wanted.
	named := c.OK("create_base", `{"name":"[1,2]"}`)
	if named["name"] != "[1,2]" {
		t.Errorf("named %v", named)
	}
	c.OK("get_me", `{"filler":true}`)
	c.Refused("create_base", `{"nmae":"x"}`, "nmae", "did you mean", "name")
	c.Refused("create_table", `{"baseId":"CRM","name":"D","fields":"not json"}`,
		"fields", "must be an array, not a string")
}

func TestDestructiveCallNeedsConfirmArgument(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	owner.ID("POST", "/tables/"+table+"/fields",
		`{"name":"Twice","type":"formula","config":{"formula":"{Amount} * 2"}}`)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		got := c.Refused("delete_table", object{"tableId": table}, "confirm: true", "Deals", "CRM")
		if got["code"] != "confirmation_required" || got["status"] != 409.0 {
			t.Errorf("the problem is %v", got)
		}
		c.Refused("delete_field", object{"fieldId": "Amount", "confirm": false}, "confirmation_required", "Amount",
			"show errors: \"Deals · Twice\"")
		planned := c.OK("delete_field", object{"fieldId": "Amount", "plan": true})
		if planned["deleted"] != "" || planned["planToken"] == nil ||
			!strings.Contains(fmt.Sprint(planned["losses"]), "Twice") {
			t.Errorf("the plan is %v", planned)
		}
		c.Refused("delete_base", object{"baseId": base}, "confirmation_required")
		c.Refused("delete_base", object{"baseId": "bas_00000000000000000000000000"}, "not_found")
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	token := c.OK("delete_field", object{"fieldId": "Amount", "plan": true})["planToken"]
	done := c.OK("delete_field", object{"fieldId": "Amount", "apply": token})
	if !strings.HasPrefix(fmt.Sprint(done["deleted"]), "fld_") {
		t.Errorf("the answer is %v", done)
	}
	// Nobody is asked about a call that would be refused anyway.
	viewer := s.Dial(
		t,
		s.REST.As(t, apitest.Principal(tenancytest.Person(t, s.REST.Deps.DB), owner.Orgs[0].Org, organization.Viewer)),
		mcptest.Stateless, "/mcp", nil,
	)
	viewer.Refused("delete_table", object{"tableId": table}, "insufficient_role")
	// Values that look like a person's approval are not accepted.
	c.Refused("delete_table", object{"tableId": table, "confirm": "true"}, "confirmation_required")
	c.OK("delete_table", object{"tableId": table, "confirm": true})
}

func TestDestructiveCallElicitsConfirmation(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	var asked []string
	reply := &sdk.ElicitResult{Action: "decline"}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{
			Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}},
		},
		ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			asked = append(asked, req.Params.Message)
			return reply, nil
		},
	})
	// The model's argument does not replace the person's answer.
	c.Refused("delete_table", object{"tableId": table, "confirm": true}, "declined")
	reply = &sdk.ElicitResult{Action: "accept", Content: object{"confirm": false}}
	c.Refused("delete_table", object{"tableId": table}, "declined")
	reply = &sdk.ElicitResult{Action: "accept", Content: object{"confirm": true}}
	c.OK("delete_table", object{"tableId": table})
	if len(asked) != 3 || !strings.Contains(asked[0], "Deals") {
		t.Errorf("asked %q", asked)
	}
	owner.Refused(404, "GET", "/tables/"+table, "")
	owner.OK("GET", "/bases/"+base, "")
}

func TestConfirmationIsBoundToItsCall(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	second := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Second"}`)
	options := &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{}},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", options)
	question, err := c.CallTool(t.Context(), &sdk.CallToolParams{
		Name:      "delete_table",
		Arguments: object{"tableId": table},
	})
	if err != nil || question.RequestState == "" || len(question.InputRequests) != 1 {
		t.Fatalf("the question is %+v, %v", question, err)
	}
	yes := sdk.InputResponseMap{"confirm": &sdk.ElicitResult{Action: "accept", Content: object{"confirm": true}}}
	colleague := s.REST.As(t,
		apitest.Principal(tenancytest.Person(t, s.REST.Deps.DB), owner.Orgs[0].Org, organization.Owner))
	otherKey := *owner.Principal
	otherKey.Credential = "key_other"
	other := "A" // a value that is not the current one
	if question.RequestState[20:21] == other {
		other = "B"
	}
	changed := question.RequestState[:20] + other + question.RequestState[21:]
	for name, attempt := range map[string]struct {
		as    *apitest.Client
		tool  string
		args  object
		state string
	}{
		"another table":  {owner, "delete_table", object{"tableId": second}, question.RequestState},
		"another tool":   {owner, "delete_base", object{"baseId": base}, question.RequestState},
		"another person": {colleague, "delete_table", object{"tableId": table}, question.RequestState},
		"another credential": {
			s.REST.As(t, &otherKey), "delete_table", object{"tableId": table}, question.RequestState,
		},
		"a changed state":   {owner, "delete_table", object{"tableId": table}, changed},
		"no state":          {owner, "delete_table", object{"tableId": table}, ""},
		"a state of nobody": {owner, "delete_table", object{"tableId": table}, "nonsense"},
	} {
		result, err := s.Dial(t, attempt.as, mcptest.Stateless, "/mcp", options).
			CallTool(t.Context(), &sdk.CallToolParams{
				Name: attempt.tool, Arguments: attempt.args, RequestState: attempt.state, InputResponses: yes,
			})
		if err != nil || !result.IsError ||
			!strings.Contains(result.Content[0].(*sdk.TextContent).Text, "invalid_request_state") {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "delete_table", Arguments: object{"tableId": "CRM/Deals"}, RequestState: question.RequestState,
		InputResponses: yes,
	})
	if err != nil || result.IsError {
		t.Errorf("the right answer was refused: %+v, %v", result, err)
	}
	// The answer was good for one call.
	c.OK("restore", object{"baseId": base, "items": []string{table}})
	result, err = c.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "delete_table", Arguments: object{"tableId": table}, RequestState: question.RequestState,
		InputResponses: yes,
	})
	if err != nil || !result.IsError ||
		!strings.Contains(result.Content[0].(*sdk.TextContent).Text, "confirmation_used") {
		t.Errorf("an answer was used twice: %+v, %v", result, err)
	}
	owner.OK("GET", "/tables/"+table, "")
}

func TestReadResources(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	read := func(uri string) (string, error) {
		result, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		if result.CacheScope != "private" {
			t.Errorf("%s may be cached as %s", uri, result.CacheScope)
		}
		return result.Contents[0].Text, nil
	}
	for uri, want := range map[string]string{
		"rowhouse://me":                        owner.UserID(),
		"rowhouse://docs/filters":              "is_within",
		"rowhouse://docs/field-types":          "single_select",
		"rowhouse://bases/" + base + "/schema": "Deals",
		"rowhouse://bases/CRM/schema":          "Deals",
	} {
		if text, err := read(uri); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v %s", uri, err, text)
		}
	}
	for _, uri := range []string{
		"rowhouse://nothing", "rowhouse://bases/bas_00000000000000000000000000/schema", "rowhouse://bases//schema",
		"file:///etc/passwd",
	} {
		if text, err := read(uri); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v %s", uri, err, text)
		}
	}
	weak := *owner.Principal
	weak.Scopes = []authz.Scope{authz.MCPTools}
	if _, err := s.Dial(t, s.REST.As(t, &weak), mcptest.Stateless, "/mcp", nil).
		ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "rowhouse://bases/" + base + "/schema"}); err == nil ||
		!strings.Contains(err.Error(), "schema:read") {
		t.Errorf("read without the scope: %v", err)
	}
}

func TestPromptArgumentCompletion(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	listed, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(listed.Prompts) != 5 {
		t.Fatalf("%v %v", listed, err)
	}
	for _, p := range listed.Prompts {
		arguments := map[string]string{}
		for _, a := range p.Arguments {
			arguments[a.Name] = "Given"
		}
		got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: arguments})
		if err != nil || !strings.Contains(got.Messages[0].Content.(*sdk.TextContent).Text, "Given") ||
			strings.Contains(got.Messages[0].Content.(*sdk.TextContent).Text, "%!") {
			t.Errorf("%s: %v %v", p.Name, got, err)
		}
		if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name}); err == nil ||
			!strings.Contains(err.Error(), "is required") {
			t.Errorf("%s without arguments: %v", p.Name, err)
		}
	}
	complete := func(ref *sdk.CompleteReference, name, typed string) []string {
		got, err := c.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      ref,
			Argument: sdk.CompleteParamsArgument{Name: name, Value: typed},
		})
		if err != nil {
			t.Fatal(err)
		}
		return got.Completion.Values
	}
	prompt := &sdk.CompleteReference{Type: "ref/prompt", Name: "clean_up_table"}
	if got := complete(prompt, "table", "dea"); !slices.Equal(got, []string{"CRM/Deals"}) {
		t.Errorf("completed to %v", got)
	}
	template := &sdk.CompleteReference{Type: "ref/resource", URI: "rowhouse://bases/{baseId}/schema"}
	if got := complete(template, "baseId", "C"); !slices.Equal(got, []string{base}) {
		t.Errorf("completed to %v", got)
	}
	if got := complete(prompt, "table", "zzz"); len(got) != 0 {
		t.Errorf("completed to %v", got)
	}
}

// Calls that share, give rights, or change much ask a person first, as deletions do.
func TestSharingRightsAndLargeChangesAsk(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	org := owner.Org()
	colleague := tenancytest.Person(t, s.REST.Deps.DB)
	if err := tenancytest.Join(t, s.REST.Deps.DB, owner.Orgs[0].Org, colleague, organization.Editor); err != nil {
		t.Fatal(err)
	}
	member := id.Format(id.User, colleague)
	owner.OK("POST", "/tables/"+table+"/fields", `{"name":"Notes","type":"long_text"}`)
	fill(t, owner, table, 100, 10)
	fill(t, owner, table, 50, 10)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	every := []object{{"fieldId": "Name", "op": "is_not_empty"}}
	one := []object{{"fieldId": "Name", "op": "eq", "value": "Record 001"}}
	for name, call := range map[string]struct {
		tool string
		in   object
		says string
	}{
		"a share":       {"set_public_share", object{"baseId": base}, `has its share id read the base "CRM"`},
		"an invitation": {"invite_member", object{"orgId": org, "email": "ola@example.com"}, "invites ola@example.com"},
		"a role": {
			"set_member_role", object{"orgId": org, "userId": member, "role": "admin"}, "gives Test Person",
		},
		"a removal": {"remove_member", object{"orgId": org, "userId": member}, "removes Test Person"},
		"a large write": {
			"update_records_where",
			object{"tableId": table, "filters": every, "fields": object{"Amount": 1}},
			"more than 100",
		},
		"a value taken": {
			"update_records_where",
			object{"tableId": table, "filters": one, "fields": object{"Amount": nil}},
			"empties",
		},
	} {
		c.Refused(call.tool, call.in, "confirmation_required", call.says)
		if t.Failed() {
			t.Fatalf("%s was not asked about as it should be", name)
		}
	}
	// Small, planned or approved calls are done.
	c.OK("update_records_where", object{"tableId": table, "filters": one, "fields": object{"Amount": 2}})
	plan := object{"tableId": table, "filters": every, "fields": object{"Amount": 3}, "plan": true}
	token := c.OK("update_records_where", plan)["planToken"]
	delete(plan, "plan")
	plan["apply"] = token
	c.OK("update_records_where", plan)
	c.OK("set_member_role", object{"orgId": org, "userId": member, "role": "admin", "confirm": true})
}
