package mcp_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var update = flag.Bool("update", false, "write the golden files again")

func names(tools []*sdk.Tool) []string {
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = t.Name
	}
	return list
}

func TestToolsFollowCatalogueOrder(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	tools := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil).Tools()
	var want []string
	for _, op := range mcptest.Listed() {
		want = append(want, op.Name)
	}
	want = append(want, "search", "fetch")
	if got := names(tools); !slices.Equal(got, want) {
		t.Errorf("listed %v\nand not %v", got, want)
	}
}

func TestToolListSize(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	_, body := s.Post(t, s.REST.Owner(t), "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
	var message struct{ Result json.RawMessage }
	if err := json.Unmarshal([]byte(body[strings.Index(body, "{"):]), &message); err != nil {
		t.Fatal(err)
	}
	if size := len(message.Result); size > 70_000 || size < 10_000 {
		t.Errorf("the list is %d bytes", size)
	} else {
		t.Logf("the list is %d bytes", size)
	}
}

func TestToolAnnotations(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	for _, tool := range s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil).Tools() {
		a := tool.Annotations
		if tool.Title == "" || tool.Description == "" || a == nil || a.DestructiveHint == nil ||
			a.OpenWorldHint == nil {
			t.Errorf("%s lacks a title, a description or an annotation", tool.Name)
			continue
		}
		if a.ReadOnlyHint && *a.DestructiveHint {
			t.Errorf("%s says that it both reads only and destroys", tool.Name)
		}
		for what, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			var parsed jsonschema.Schema
			encoded, err := json.Marshal(schema)
			if err == nil {
				err = json.Unmarshal(encoded, &parsed)
			}
			if err != nil || parsed.Type != "object" {
				t.Errorf("%s: the %s schema is no object: %v", tool.Name, what, err)
				continue
			}
			if _, err := parsed.Resolve(nil); err != nil {
				t.Errorf("%s: the %s schema: %v", tool.Name, what, err)
			}
			if what == "input" && (parsed.AdditionalProperties == nil || parsed.AdditionalProperties.Not == nil) {
				t.Errorf("%s takes arguments that it does not know", tool.Name)
			}
		}
	}
}

// Each tool has a file with what clients see of it, so that reviews see changes of the public
// contract. Rewrite the files with go test ./mcp -run Golden -update.
func TestToolGoldenFiles(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	kept := map[string]bool{}
	for _, tool := range s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp/all", nil).Tools() {
		got, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "tool", tool.Name+".json")
		kept[path] = true
		if *update {
			if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if string(want) != string(got)+"\n" {
			t.Errorf("%s differs from %s:\n%s", tool.Name, path, got)
		}
	}
	files, err := filepath.Glob("testdata/tool/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if !kept[path] {
			t.Errorf("%s is of no tool", path)
		}
	}
}

// Seen to fail with a server that knows only the query.
func TestPathsFilterTools(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	list := func(path string) []string { return names(s.Dial(t, owner, mcptest.Stateless, path, nil).Tools()) }
	for path, query := range map[string]string{
		"/mcp/": "/mcp", "/mcp/core": "/mcp?toolsets=core", "/mcp/core/": "/mcp?toolsets=core",
		"/mcp/readonly": "/mcp?readonly=1", "/mcp/members": "/mcp?toolsets=members",
		"/mcp/records?readonly=1": "/mcp?toolsets=records&readonly=1", "/mcp/all": "/mcp?toolsets=all",
	} {
		if got, want := list(path), list(query); !slices.Equal(got, want) {
			t.Errorf("%s lists %v\nand %s %v", path, got, query, want)
		}
	}
	if got, want := len(list("/mcp/all")), len(operation.Tools())+2; got != want {
		t.Errorf("/mcp/all lists %d tools, want %d", got, want)
	}
	for path, status := range map[string]int{
		"/mcp/cor": 404, "/mcp//": 404, "/mcp/core/x": 404, "/mcp/core?toolsets=records": 400, "/mcp/all?x=1": 400,
	} {
		response, body := s.Post(t, owner, path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
		if response.StatusCode != status {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

// A client requests these scopes first.
func TestAddressesNameTheScopesOfTheirTools(t *testing.T) {
	t.Parallel()
	addresses := mcp.Addresses()
	data := "mcp:tools data:read data:write schema:read schema:write"
	for rest, want := range map[string]string{
		"": data, "/": data, "/all": data, "/core": data, "?toolsets=core": data, "?toolsets=all": data,
		"/readonly": "mcp:tools data:read schema:read", "/records?readonly=1": "mcp:tools data:read schema:read",
		"/schema": "mcp:tools data:read schema:read schema:write", "/members": "mcp:tools members:read members:manage",
	} {
		got, ok := addresses(rest)
		if !ok || authz.JoinScopes(got, " ") != want {
			t.Errorf("%q: %v %v", rest, got, ok)
		}
	}
	for _, rest := range []string{"/cor", "?x=1", "/core?toolsets=core", "x"} {
		if _, ok := addresses(rest); ok {
			t.Errorf("%q is an address", rest)
		}
	}
}

func TestQueryParametersFilterTools(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	readers := s.Dial(t, owner, mcptest.Stateless, "/mcp?readonly=1", nil)
	for _, tool := range readers.Tools() {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("?readonly=1 lists %s", tool.Name)
		}
	}
	if _, err := readers.CallTool(t.Context(), &sdk.CallToolParams{
		Name:      "create_base",
		Arguments: map[string]any{"name": "No"},
	}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("?readonly=1 let create_base through: %v", err)
	}
	got := names(s.Dial(t, owner, mcptest.Initialize, "/mcp?toolsets=members", nil).Tools())
	if !slices.Contains(got, "get_me") || !slices.Contains(got, "list_members") || slices.Contains(got, "list_bases") {
		t.Errorf("?toolsets=members lists %v", got)
	}
	for _, path := range []string{"/mcp?toolsets=recrods", "/mcp?readonly=yes", "/mcp?readnly=1"} {
		response, body := s.Post(t, owner, path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
		if response.StatusCode != 400 || !strings.Contains(body, "problem") && !strings.Contains(body, "valid ones") &&
			!strings.Contains(body, "must be") {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

// The toolset core is for clients that use many servers.
func TestCoreToolsetIsEnoughForRecords(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	c := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp?toolsets=core", nil)
	got := names(c.Tools())
	if len(got) < 10 || len(got) > 16 || slices.Contains(got, "create_org") ||
		!strings.Contains(c.InitializeResult().Instructions, "Start with list_bases") {
		t.Errorf("?toolsets=core lists %v and says %s", got, c.InitializeResult().Instructions)
	}
	c.OK("create_base", object{"name": "Core"})
	c.OK("create_table", object{"baseId": "Core", "name": "Things"})
	c.OK("create_records", object{"tableId": "Things", "fields": object{"Name": "One"}})
	if results := c.OK("search", object{"query": "one"})["results"].([]any); len(results) != 1 {
		t.Errorf("found %v", results)
	}
	both := names(s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp?toolsets=core,members", nil).Tools())
	if !slices.Contains(both, "query_records") || !slices.Contains(both, "list_members") ||
		slices.Contains(both, "delete_view") {
		t.Errorf("?toolsets=core,members lists %v", both)
	}
}

// A tool that few tasks need is not listed, and can still be called.
func TestUnlistedToolsCanBeCalled(t *testing.T) {
	t.Parallel()
	s, owner, _, _ := setup(t)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		if got := c.OK("get_field", object{"fieldId": "CRM/Deals/Amount"})["name"]; got != "Amount" {
			t.Errorf("the field is %v", got)
		}
		if listed := names(c.Tools()); slices.Contains(listed, "get_field") {
			t.Errorf("listed %v", listed)
		}
	}
	weak := *owner.Principal
	weak.Scopes = []authz.Scope{authz.MCPTools}
	s.Dial(t, s.REST.As(t, &weak), mcptest.Stateless, "/mcp", nil).
		Refused("get_field", object{"fieldId": "Amount"}, "schema:read")
}

func TestKeyListsToolsItsScopesAllow(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	org, person := tenancytest.Org(t, s.REST.Deps.DB)
	key := apitest.Principal(person, org, organization.Owner)
	key.Scopes = []authz.Scope{authz.SchemaRead, authz.MCPTools}
	c := s.Dial(t, s.REST.As(t, key), mcptest.Stateless, "/mcp", nil)
	got := names(c.Tools())
	if !slices.Contains(got, "list_bases") || !slices.Contains(got, "get_me") || slices.Contains(got, "create_base") ||
		slices.Contains(got, "list_members") {
		t.Errorf("the key is shown %v", got)
	}
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{
		Name:      "create_base",
		Arguments: map[string]any{"name": "No"},
	})
	if err != nil || !result.IsError || !strings.Contains(result.Content[0].(*sdk.TextContent).Text, "schema:write") {
		t.Errorf("calling without the scope: %v %v", result, err)
	}

	token := *key
	token.Kind, token.ClientID = authz.OAuth, "client"
	as := s.REST.As(t, &token)
	if got := names(s.Dial(t, as, mcptest.Stateless, "/mcp", nil).Tools()); !slices.Contains(got, "create_base") {
		t.Errorf("the token is shown %v", got)
	}
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_base",` +
			`"arguments":{"name":"No"}}}`: "schema:write",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_members",` +
			`"arguments":{}}}`: "members:read",
	} {
		response, text := s.Post(t, as, "/mcp", body, nil)
		if response.StatusCode != 403 || !strings.Contains(text, want) || !strings.Contains(text, "mcp:tools") ||
			!strings.Contains(response.Header.Get("WWW-Authenticate"), "insufficient_scope") {
			t.Errorf("%s: %d %s %s", body, response.StatusCode, text, response.Header.Get("WWW-Authenticate"))
		}
	}
}

func TestRegistryEntryMatchesServer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("server.json")
	if err != nil {
		t.Fatal(err)
	}
	var entry struct {
		Version     string
		Description string
		Remotes     []struct{ Type, URL string }
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Version != mcp.Version || len(entry.Description) > 100 || len(entry.Remotes) != 1 ||
		entry.Remotes[0].Type != "streamable-http" || !strings.HasSuffix(entry.Remotes[0].URL, mcp.Path) {
		t.Errorf("server.json says %+v", entry)
	}
}

func TestFieldTypeDocumentListsEveryType(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc/field-types.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range field.All() {
		info := kind.Info()
		row := regexp.MustCompile(`(?m)^\| [^|]*\b` + string(info.Type) + `\b[^|]*\|.*$`).Find(text)
		if row == nil {
			t.Errorf("the document has no row of %s", info.Type)
		}
		for _, key := range info.Keys {
			if !info.ApplicationOnly && !info.ReadOnly && !strings.Contains(string(row), "`"+key.Name+"`") {
				t.Errorf("the row of %s does not name the key %s: %s", info.Type, key.Name, row)
			}
		}
	}
}
