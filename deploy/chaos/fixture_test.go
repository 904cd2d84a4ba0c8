//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// bodies are the arguments of each operation that are not in the path. $name is replaced by an id
// of the fixture. Operations that take ids in several positions have several bodies.
var bodies = map[string][]string{
	"update_org":       {`{"name":"Renamed"}`},
	"set_member_role":  {`{"role":"viewer"}`},
	"invite_member":    {`{"email":"$random@example.com"}`},
	"create_workspace": {`{"orgId":"$orgId","name":"Another"}`},
	"update_workspace": {`{"name":"Renamed"}`},
	"create_base":      {`{"orgId":"$orgId","name":"Another"}`, `{"workspaceId":"$workspaceId","name":"Another"}`},
	"update_base":      {`{"name":"Renamed"}`, `{"workspaceId":"$workspaceId"}`},
	"create_table":     {`{"name":"$random"}`},
	"update_table":     {`{"name":"$random"}`},
	"create_field":     {`{"name":"$random","type":"text"}`},
	"update_field":     {`{"width":200}`},
	"create_view":      {`{"type":"grid"}`},
	"update_view": {
		`{"name":"$random"}`, `{"config":{"hiddenFields":["$fieldId"]}}`, `{"config":{"groupBy":["$fieldId"]}}`,
	},
	"create_records": {
		`{"fields":{"Name":"Another"}}`, `{"fields":{"$fieldId":"x"}}`,
		`{"records":[{"fields":{"Name":"x"}}],"upsertOn":["$fieldId"]}`,
	},
	"update_records":    {`{"records":[{"id":"$recordId","fields":{"Name":"Renamed"}}]}`},
	"delete_records":    {`{"ids":["$recordId"]}`},
	"update_record":     {`{"fields":{"Name":"Renamed"}}`},
	"revert_changes":    {`{"credential":"$random","since":"2020-01-01T00:00:00Z"}`},
	"create_attachment": {`{"name":"a.txt","content":"aGVsbG8="}`},
	"export_table": {
		`{"format":"csv"}`, `{"format":"csv","view":"$viewId"}`, `{"format":"csv","fields":["$fieldId"]}`,
	},
	"export_base":  {`{"format":"archive"}`},
	"import_table": {`{"content":"TmFtZQp4Cg==","columns":[{"field":"$fieldId"}]}`},
	"import_base":  {`{"content":"TmFtZQp4Cg==","name":"$random"}`},
	"create_webhook": {
		`{"url":"https://example.com/"}`, `{"url":"https://example.com/","tables":["$tableId"]}`,
		`{"url":"https://example.com/","fields":["$fieldId"]}`,
		`{"url":"https://example.com/","tables":["$tableId"],"filters":[{"fieldId":"$fieldId","op":"is_empty"}]}`,
	},
	"update_webhook": {`{"name":"Renamed"}`, `{"tables":["$tableId"]}`, `{"fields":["$fieldId"]}`},
	"query_records": {
		`{}`, `{"view":"$viewId"}`, `{"filters":[{"fieldId":"$fieldId","op":"eq","value":"x"}]}`,
		`{"sorts":[{"fieldId":"$fieldId","dir":"asc"}]}`,
		`{"filters":[{"or":[{"fieldId":"$fieldId","op":"is_empty"}]}]}`, `{"fields":["$fieldId"]}`,
	},
	"search_records":    {`{"q":"First"}`},
	"list_audit_events": {`{}`, `{"userId":"$userId"}`, `{"subject":"$baseId"}`},
}

// comparedOnly are ids that an operation may receive from anybody, because it only compares them
// with data the caller sees.
var comparedOnly = map[string]bool{
	"list_audit_events userId":  true,
	"list_audit_events subject": true,
	"list_audit_events baseId":  true,
}

// A fixture has one object of every kind that a tenant can have.
type fixture struct {
	*tenant
	ids    map[string]string
	marker string // appears in its cells and names
}

func (e *environment) fixture(t *testing.T, p *process) *fixture {
	t.Helper()
	n := e.tenant(t, p)
	w := &fixture{tenant: n, marker: "marker-" + uuid.NewString(), ids: map[string]string{
		"orgId": id.Format(id.Org, n.org), "baseId": n.base, "tableId": n.table,
	}}
	w.ids["workspaceId"] = e.create(t, p, n.key, "/api/v1/workspaces",
		`{"orgId":"`+w.ids["orgId"]+`","name":"`+w.marker+`"}`)
	w.ids["fieldId"] = e.create(t, p, n.key, "/api/v1/tables/"+n.table+"/fields",
		`{"name":"`+w.marker+`","type":"text"}`)
	w.ids["viewId"] = e.create(t, p, n.key, "/api/v1/tables/"+n.table+"/views",
		`{"type":"gallery","name":"`+w.marker+`"}`)
	w.ids["webhookId"] = e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/webhooks",
		`{"url":"https://example.com/hook","name":"`+w.marker+`"}`)
	w.ids["deliveryId"] = id.Format(id.Delivery, id.New())
	w.ids["invitationId"] = e.create(t, p, n.key, "/api/v1/orgs/"+w.ids["orgId"]+"/invitations",
		`{"email":"guest.`+w.ids["orgId"]+`@example.com"}`)
	status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key,
		`{"fields":{"Name":"`+w.marker+`"}}`)
	var made struct{ Records []struct{ ID string } }
	if err != nil || status != http.StatusOK || json.Unmarshal(raw, &made) != nil || len(made.Records) != 1 {
		t.Fatalf("%d %s %v", status, raw, err)
	}
	w.ids["recordId"] = made.Records[0].ID
	w.ids["userId"] = id.Format(id.User, e.member(t, n.org, organization.Editor))
	return w
}

func (e *environment) member(t *testing.T, org uuid.UUID, role organization.Role) uuid.UUID {
	t.Helper()
	person := e.person()
	if err := e.db.SystemTx(context.Background(), func(tx pgxTx) error {
		_, err := tx.Exec(context.Background(),
			"insert into rowhouse.member (org_id, person_id, role) values ($1, $2, $3)", org, person, role)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return person
}

// absentIDs returns ids of the same form that do not exist.
func (w *fixture) absentIDs(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, public := range w.ids {
		if name == "recordId" {
			number, _, err := id.ParseRecord(public)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = id.FormatRecord(number, id.New())
			continue
		}
		kind, _, _ := strings.Cut(public, "_")
		out[name] = id.Format(id.Kind(kind), id.New())
	}
	return out
}

var placeholder = regexp.MustCompile(`\$(\w+)`)

// A call is one way to call an operation. Its body may contain placeholders.
type call struct {
	op   *operation.Operation
	body string
}

func allCalls() []call {
	var list []call
	for _, op := range operation.Catalogue() {
		texts := bodies[op.Name]
		if texts == nil {
			texts = []string{""}
		}
		for _, text := range texts {
			list = append(list, call{op, text})
		}
	}
	return list
}

// idPositions lists the ids that a call takes.
func (c *call) idPositions() []string {
	places := c.op.PathParameters()
	for _, match := range placeholder.FindAllStringSubmatch(c.body, -1) {
		if match[1] != "random" {
			places = append(places, match[1])
		}
	}
	return places
}

func fill(text string, ids map[string]string) string {
	return placeholder.ReplaceAllStringFunc(text, func(match string) string {
		if match == "$random" {
			return fmt.Sprintf("r%d", rand.Uint64())
		}
		return ids[match[1:]]
	})
}

// An answer is the response of either surface.
type answer struct {
	status int
	text   string
	code   string
	body   json.RawMessage // for a tool, the structured content
}

var requestID = regexp.MustCompile(`\\?"requestId\\?":\\?"[^"\\]*\\?"`)

// rest sends a call over REST.
func (e *environment) rest(p *process, key string, c call, ids map[string]string) answer {
	path := c.op.Path
	for _, name := range c.op.PathParameters() {
		path = strings.ReplaceAll(path, "{"+name+"}", ids[name])
	}
	body := fill(c.body, ids)
	if c.op.Method == http.MethodGet {
		path += query(body)
		body = ""
	}
	status, raw, err := e.request(p, c.op.Method, "/api/v1"+path, key, body)
	if err != nil {
		return answer{text: err.Error()}
	}
	var problem struct{ Code string }
	_ = json.Unmarshal(raw, &problem) // not every response is a problem document
	return answer{status: status, text: requestID.ReplaceAllString(string(raw), ""), code: problem.Code}
}

// A surfaceCall makes a call over one of the two surfaces.
type surfaceCall = func(p *process, key string, c call, ids map[string]string) answer

// mcp sends the same call over MCP. The status is the status of the problem document.
func (e *environment) mcp(p *process, key string, c call, ids map[string]string) answer {
	arguments := map[string]any{}
	if c.body != "" {
		if err := json.Unmarshal([]byte(fill(c.body, ids)), &arguments); err != nil {
			return answer{text: err.Error()}
		}
	}
	for _, name := range c.op.PathParameters() {
		arguments[name] = ids[name]
	}
	return e.tool(p, key, c.op.Name, arguments)
}

func (e *environment) tool(p *process, key, name string, arguments any) answer {
	message, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0",
		"id":      1,
		"method":  "tools/call",
		"params":  map[string]any{"name": name, "arguments": arguments},
	})
	if err != nil {
		return answer{text: err.Error()}
	}
	status, raw, err := e.requestWith(p, http.MethodPost, "/mcp", key, string(message), map[string]string{
		"Accept": "application/json, text/event-stream",
	})
	if err != nil {
		return answer{text: err.Error()}
	}
	text := string(raw)
	if at := strings.Index(text, "data: "); at >= 0 {
		text = text[at+len("data: "):]
	}
	var reply struct {
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
		Error *struct{ Code int }
	}
	_ = json.Unmarshal([]byte(text), &reply)
	out := answer{status: status, text: requestID.ReplaceAllString(text, "")}
	out.body = reply.Result.StructuredContent
	if reply.Result.IsError {
		var problem struct {
			Status int
			Code   string
		}
		_ = json.Unmarshal(out.body, &problem)
		if problem.Status == 0 && len(reply.Result.Content) > 0 {
			_ = json.Unmarshal([]byte(reply.Result.Content[0].Text), &problem)
		}
		out.status, out.code = problem.Status, problem.Code
	}
	if reply.Error != nil {
		out.status = http.StatusBadRequest
	}
	return out
}

// query encodes the members of an object as a query string.
func query(body string) string {
	if body == "" || body == "{}" {
		return ""
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &members) != nil {
		return ""
	}
	values := make([]string, 0, len(members))
	for name, value := range members {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		values = append(values, escape(name)+"="+escape(text))
	}
	return "?" + strings.Join(values, "&")
}

func (e *environment) testIsolation(t *testing.T) {
	p := e.start(t)
	us := e.fixture(t, p)
	const neighbours = 18
	probes, leaks, different := 0, 0, 0
	perOperation := map[string]int{}
	for range neighbours {
		them := e.fixture(t, p)
		missing := us.absentIDs(t)
		// A record id contains the number of its table. A made-up row of a foreign table must look
		// like an existing one.
		for surface, do := range map[string]surfaceCall{"REST": e.rest, "MCP": e.mcp} {
			for _, c := range allCalls() {
				if surface == "MCP" && c.op.Agent.NotATool != "" {
					continue
				}
				// A refusal proves something only if the same call with the caller's own ids
				// succeeds.
				if c.op.ReadOnly {
					if own := do(p, us.key, c, us.ids); own.status != http.StatusOK {
						t.Errorf("%s %s with the caller's own ids: %d %s", surface, c.op.Name, own.status, own.text)
					}
				}
				for _, place := range c.idPositions() {
					swap := func(with map[string]string) (answer, string) {
						ids := map[string]string{}
						for name, own := range us.ids {
							ids[name] = own
						}
						ids[place] = with[place]
						probes++
						perOperation[c.op.Name]++
						return do(p, us.key, c, ids), with[place]
					}
					foreign, foreignID := swap(them.ids)
					absent, absentID := swap(missing)
					a := strings.ReplaceAll(foreign.text, foreignID, "<id>")
					b := strings.ReplaceAll(absent.text, absentID, "<id>")
					if strings.Contains(foreign.text, them.marker) {
						leaks++
						t.Errorf("%s %s with a foreign %s leaks: %s", surface, c.op.Name, place, foreign.text)
					}
					if comparedOnly[c.op.Name+" "+place] {
						continue
					}
					if foreign.status != absent.status || a != b ||
						foreign.status != http.StatusNotFound && foreign.status != http.StatusBadRequest {
						different++
						t.Errorf("%s %s, %s: foreign is %d %s\nabsent is %d %s",
							surface, c.op.Name, place, foreign.status, a, absent.status, b)
					}
				}
			}
		}
	}
	if probes < 5000 {
		t.Errorf("only %d probes", probes)
	}
	report(t, "Isolation", "%d probes over %d operations on both surfaces against %d foreign organizations: "+
		"%d leaks, %d responses that distinguish a foreign id from an absent one",
		probes, len(perOperation), neighbours, leaks, different)
}

func (e *environment) testAuthorization(t *testing.T) {
	p := e.start(t)
	shared := e.fixture(t, p)
	asserted, wrong := 0, 0
	type holder struct {
		scope authz.Scope
		role  organization.Role
	}
	keys := map[holder]string{}
	for _, role := range organization.Roles {
		for _, scope := range authz.AllScopes() {
			_, keys[holder{scope, role}] = e.newKey(e.member(t, shared.org, role), scope, other(scope))
		}
	}
	for _, op := range operation.Catalogue() {
		c := call{op: op}
		if texts := bodies[op.Name]; texts != nil {
			c.body = texts[0]
		}
		for _, role := range organization.Roles {
			for _, scope := range authz.AllScopes() {
				may := op.Scope == authz.None || scope == op.Scope || other(scope) == op.Scope
				may = may && (op.RequiredRole() == "" || role.AtLeast(op.RequiredRole()))
				for surface, do := range map[string]surfaceCall{"REST": e.rest, "MCP": e.mcp} {
					if surface == "MCP" && op.Agent.NotATool != "" {
						continue
					}
					key, w := keys[holder{scope, role}], shared
					if may && !op.ReadOnly {
						w = e.fixture(t, p) // the call may delete it
						_, key = e.newKey(e.member(t, w.org, role), scope, other(scope))
					}
					got := do(p, key, c, w.ids)
					refused := got.status == http.StatusUnauthorized || got.status == http.StatusForbidden ||
						strings.HasPrefix(got.code, "insufficient")
					asserted++
					if refused == may || got.status >= http.StatusInternalServerError || got.status == 0 {
						wrong++
						t.Errorf("%s %s as %s with %s: %d %s", surface, op.Name, role, scope, got.status, got.text)
					}
				}
			}
		}
		got := e.rest(p, "", c, shared.ids)
		asserted++
		if got.status != http.StatusUnauthorized {
			wrong++
			t.Errorf("%s without a credential: %d", op.Name, got.status)
		}
	}
	report(t, "Authorization coverage", "%d operations × %d scopes × %d roles × 2 surfaces: %d asserted, %d wrong",
		len(operation.Catalogue()), len(authz.AllScopes()), len(organization.Roles), asserted, wrong)
}

// other is a second scope for each key: the one that opens MCP and grants nothing else.
func other(scope authz.Scope) authz.Scope {
	if scope == authz.MCPTools {
		return authz.MembersRead
	}
	return authz.MCPTools
}
