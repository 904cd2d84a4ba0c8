package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A matrixCaller is a column of the matrix.
type matrixCaller struct {
	name   string
	client *apitest.Client
}

// answers are how the matrix calls what an operation says.
var answers = map[string]string{
	problem.CodeInsufficientRole: "role", problem.CodePartialAccess: "partial",
	problem.CodeNarrowedCredential: "narrow", "not_found": "none",
}

// TestRoleMatrix compares who may call which operation with testdata/matrix.txt: each operation of the catalogue, for
// roles in the organization, for guests with a role in the base, for somebody from whom a field is hidden, and for a
// key that is bound to a view. What a group is given is the same as what a person is given. Each refusal is the same
// over REST and as a tool. A new operation is not in the file, so it fails until somebody has looked at its line.
func TestRoleMatrix(t *testing.T) {
	t.Parallel()
	at := mcptest.New(t)
	s := at.REST
	owner, w := newWorld(t, s)
	w.addFile(owner)
	callers, groups := matrixCallers(t, s, owner, w)
	var out strings.Builder
	fmt.Fprintf(&out, "%-26s", "operation")
	for _, one := range callers {
		fmt.Fprintf(&out, "%-10s", one.name)
	}
	out.WriteString("\n")
	for _, op := range s.Operations {
		raw := argumentsOf(t, w, op)
		line := fmt.Sprintf("%-26s", op.Name)
		for _, one := range callers {
			answer := mayCall(t, s, op, one.client, raw)
			line += fmt.Sprintf("%-10s", answer)
			if group := groups[one.name]; group != nil && mayCall(t, s, op, group, raw) != answer {
				t.Errorf("%s: a group with the role %s gives something else than the role", op.Name, one.name)
			}
			if answer != "yes" {
				refusedEverywhere(t, at, op, one, w, raw)
			}
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	path := filepath.Join("testdata", "matrix.txt")
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	had := strings.Split(string(want), "\n")
	for i, line := range strings.Split(out.String(), "\n") {
		if i >= len(had) || line != had[i] {
			t.Fatalf("who may call what has changed; look at it and run with -update:\n%s\nwas\n%s", line,
				strings.Join(had[min(i, len(had)):min(i+1, len(had))], ""))
		}
	}
}

// matrixCallers makes the columns, and for each role in the base a guest who has it through a group.
func matrixCallers(
	t *testing.T, s *apitest.Server, owner *apitest.Client, w world,
) (callers []matrixCaller, groups map[string]*apitest.Client) {
	t.Helper()
	for _, role := range organization.Roles {
		callers = append(callers, matrixCaller{string(role), joined(t, s, owner, role)})
	}
	var grants []string
	groups = map[string]*apitest.Client{}
	for _, role := range schema.BaseRoles {
		guest, member := joined(t, s, owner, organization.Guest), joined(t, s, owner, organization.Guest)
		name := "base " + string(role)[:4]
		callers, groups[name] = append(callers, matrixCaller{name, guest}), member
		group := owner.ID("POST", "/orgs/"+owner.Org()+"/groups",
			`{"name":"`+name+`","members":["`+userOf(member)+`"]}`)
		grants = append(grants, `{"userId":"`+userOf(guest)+`","role":"`+string(role)+`"}`,
			`{"groupId":"`+group+`","role":"`+string(role)+`"}`)
	}
	hidden := owner.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Hidden","type":"text"}`)
	partial := joined(t, s, owner, organization.Editor)
	everybody := owner.ID("POST", "/orgs/"+owner.Org()+"/groups", `{"name":"Reads all","members":[]}`)
	owner.OK("PATCH", "/bases/"+w["baseId"]+"/access", `{"grants":[`+strings.Join(grants, ",")+`]}`)
	// Everybody but the one person reads the field, so that the other columns are of people who see everything.
	var readers []string
	for _, one := range callers {
		readers = append(readers, `"`+userOf(one.client)+`"`)
	}
	for _, one := range groups {
		readers = append(readers, `"`+userOf(one)+`"`)
	}
	owner.OK("PATCH", "/orgs/"+owner.Org()+"/groups/"+everybody, `{"members":[`+strings.Join(readers, ",")+`]}`)
	owner.OK("PATCH", "/tables/"+w["tableId"]+"/permissions", `{"fields":[{"fieldId":"`+hidden+
		`","read":{"role":"creator","groupIds":["`+everybody+`"]}}]}`)
	return append(callers, matrixCaller{"partial", partial},
		matrixCaller{"bound", bound(t, s, owner, w["baseId"], w["viewId"])}), groups
}

// argumentsOf are the arguments of an operation's request.
func argumentsOf(t *testing.T, w world, op *operation.Operation) []byte {
	t.Helper()
	_, _, body := w.request(t, op)
	arguments := map[string]any{}
	if body != "" {
		if err := json.Unmarshal([]byte(body), &arguments); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range op.PathParameters() {
		arguments[name] = w[name]
	}
	query, err := url.ParseQuery(w.fill(t, queries[op.Name]))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range query {
		arguments[name] = values[0]
	}
	return jsonvalue.Must(arguments)
}

// mayCall returns the answer of the checks before an operation, as the matrix has it.
func mayCall(t *testing.T, s *apitest.Server, op *operation.Operation, c *apitest.Client, raw []byte) string {
	t.Helper()
	_, err := op.Check(t.Context(), s.Deps, c.Principal, raw)
	if err == nil {
		return "yes"
	}
	var known *problem.Error
	if !errors.As(err, &known) {
		t.Fatalf("%s: %v", op.Name, err)
	}
	code := known.Code
	if code == "" {
		code = string(known.Kind)
	}
	if answers[code] == "" {
		t.Errorf("%s: %v", op.Name, err)
	}
	return answers[code]
}

// refusedEverywhere checks that REST and the tool refuse what the matrix does.
func refusedEverywhere(
	t *testing.T, at *mcptest.Server, op *operation.Operation, one matrixCaller, w world, raw []byte,
) {
	t.Helper()
	method, path, body := w.request(t, op)
	status, decoded, answer := one.client.Do(method, path, body)
	if status != http.StatusForbidden && status != http.StatusNotFound {
		t.Errorf("%s as %s: REST says %d %s", op.Name, one.name, status, answer)
	}
	if !slices.ContainsFunc(operation.Tools(), func(tool *operation.Operation) bool { return tool.Name == op.Name }) {
		return
	}
	text, failed := at.Dial(t, one.client, mcptest.Stateless, "/mcp/all", nil).CallText(op.Name, json.RawMessage(raw))
	if code, _ := decoded["code"].(string); !failed || code == "" || !strings.Contains(string(text), code) {
		t.Errorf("%s as %s: the tool says %s, and REST %s", op.Name, one.name, text, answer)
	}
}
