package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/rowhouse/rowhouse/interoptest"
)

// A browserPerson allows authorization requests on the consent page, in a real browser.
type browserPerson struct {
	t   *testing.T
	url string // of interoptest/approve.mjs
}

// openBrowser starts a browser and signs the visitor in.
func (v *visitor) openBrowser() *browserPerson {
	v.t.Helper()
	input, err := json.Marshal(map[string]any{
		"executable": interoptest.Browser(v.t), "base": v.base, "email": v.email, "password": v.password,
	})
	if err != nil {
		v.t.Fatal(err)
	}
	command := exec.CommandContext(v.t.Context(), "node", "approve.mjs")
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	command.Dir, command.Stdin = interoptest.Dir(v.t), bytes.NewReader(input)
	var failure bytes.Buffer
	command.Stderr = &failure
	output, err := command.StdoutPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = command.Wait() }) // the test's context has ended by then
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		v.t.Fatalf("starting a browser: %v\n%s", err, failure.String())
	}
	return &browserPerson{t: v.t, url: strings.TrimSpace(line)}
}

// A consent is what the person saw and what the client got.
type consent struct {
	Code, State, Iss string
	Offered          []struct {
		Scope   string
		Checked bool
	}
}

func (p *browserPerson) allow(ctx context.Context, address string, untick ...string) (*consent, error) {
	body, err := json.Marshal(map[string]any{"url": address, "untick": untick})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the person could not allow %s: %s", address, text)
	}
	var saw consent
	return &saw, json.Unmarshal(text, &saw)
}

// mcpAddresses are addresses of the MCP server that have to work for every client.
var mcpAddresses = []string{"/mcp", "/mcp/", "/mcp/all", "/mcp?toolsets=core"}

// Clients connect with their own defaults: no test names a scope. A person allows the request in a browser, and
// the client writes a record. Where the person takes writing away, the client is refused, steps up in its own
// way, and writes.
func TestClientsGetRightsToWrite(t *testing.T) {
	t.Parallel()
	v := visit(t)
	person := v.openBrowser()
	for _, address := range mcpAddresses {
		for _, client := range []string{"TypeScript SDK 1", "TypeScript SDK 2", "strict", "mcp-remote"} {
			for _, mode := range modesAt(address) {
				t.Run(strings.Join([]string{client, address, mode}, " "), func(t *testing.T) {
					steps := runClient(t, client, v.base+address, person.url, baseName(t), mode)
					allowed := steps["allowed"]
					want := 1
					if mode == "untick" {
						want = 2
					}
					if len(allowed) != want || len(steps["written"]) != 1 {
						t.Fatalf("allowed %d times, want %d: %v", len(allowed), want, steps)
					}
					if client == "mcp-remote" && mode == "untick" && (len(steps["asked again"]) != 1 ||
						!strings.Contains(fmt.Sprint(steps["asked again"][0]["scope"]), "data:write")) {
						t.Errorf("it did not act on the challenge: %v", steps)
					}
					if first := allowed[0]; !slices.Equal(offered(first), []string{
						"data:read true", "schema:read true", "mcp:tools true", "data:write true", "schema:write true",
					}) {
						t.Errorf("the page offered %v", offered(first))
					}
				})
			}
		}
		for _, mode := range modesAt(address) {
			t.Run("Go SDK "+address+" "+mode, func(t *testing.T) {
				writeWithGoSDK(t, v.base+address, person, mode == "untick")
			})
		}
	}
}

// modesAt returns what the person does. The steps after a challenge do not depend on the address.
func modesAt(address string) []string {
	if address == "/mcp" {
		return []string{"", "untick"}
	}
	return []string{""}
}

// baseName returns a name for the test's base. A slash would separate it from a table.
func baseName(t *testing.T) string {
	t.Helper()
	return strings.NewReplacer("/", "-", "?", " ").Replace(t.Name())
}

func offered(step map[string]any) (list []string) {
	boxes, _ := step["offered"].([]any)
	for _, box := range boxes {
		b, _ := box.(map[string]any)
		list = append(list, fmt.Sprint(b["scope"], " ", b["checked"]))
	}
	return list
}

// runClient runs interoptest/rights.mjs and returns its steps by name.
func runClient(t *testing.T, args ...string) map[string][]map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "node", append([]string{"rights.mjs"}, args...)...)
	command.Dir = interoptest.Dir(t)
	var output, failure bytes.Buffer
	command.Stdout, command.Stderr = &output, &failure
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, output.String(), failure.String())
	}
	steps := map[string][]map[string]any{}
	for line := range strings.Lines(output.String()) {
		var step map[string]any
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		name, _ := step["step"].(string)
		steps[name] = append(steps[name], step)
	}
	return steps
}

func writeWithGoSDK(t *testing.T, address string, person *browserPerson, untick bool) {
	t.Helper()
	allowed := 0
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: "http://127.0.0.1:7788/callback",
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName: "Go SDK", RedirectURIs: []string{"http://127.0.0.1:7788/callback"},
				GrantTypes: []string{"authorization_code", "refresh_token"},
			},
		},
		AuthorizationCodeFetcher: func(
			ctx context.Context, args *auth.AuthorizationArgs,
		) (*auth.AuthorizationResult, error) {
			allowed++
			var unticked []string
			if untick && allowed == 1 {
				unticked = []string{"data:write"}
			}
			saw, err := person.allow(ctx, args.URL, unticked...)
			if err != nil {
				return nil, err
			}
			return &auth.AuthorizationResult{Code: saw.Code, State: saw.State, Iss: saw.Iss}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "interop", Version: "1"}, nil)
	session, err := client.Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: address, OAuthHandler: handler}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	base := baseName(t)
	for _, call := range []*sdk.CallToolParams{
		{Name: "list_bases", Arguments: map[string]any{}},
		{Name: "create_base", Arguments: map[string]any{"name": base}},
		{Name: "create_table", Arguments: map[string]any{"baseId": base, "name": "Things"}},
		{Name: "create_records", Arguments: map[string]any{
			"tableId": base + "/Things", "records": []any{map[string]any{"fields": map[string]any{"Name": "written"}}},
		}},
	} {
		result, err := session.CallTool(t.Context(), call)
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %v", call.Name, err, result)
		}
	}
	if want := map[bool]int{false: 1, true: 2}[untick]; allowed != want {
		t.Errorf("the person was asked %d times, want %d", allowed, want)
	}
}
