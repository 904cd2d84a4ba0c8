// Package agent contains the tests that use the started binary as agents do: over MCP, with the
// official clients, with API keys and with the tokens that the clients get by themselves. Package
// mcp proves what the tools do; this package proves that all parts, built into one program, let an
// agent do everything that a program does over REST.
package agent

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestMain(m *testing.M) { os.Exit(rowhousetest.Main(m)) }

func everyScope() []string {
	var list []string
	for _, scope := range authz.AllScopes() {
		list = append(list, string(scope))
	}
	return list
}

// world signs up a person with a colleague, for the steps to work with.
func world(t *testing.T, s *rowhousetest.Service) (*rowhousetest.Person, map[string]string) {
	t.Helper()
	person := rowhousetest.SignUp(t, s.BaseURL, "Kari", "House")
	colleague := rowhousetest.SignUp(t, s.BaseURL, "Ola", "Hut")
	s.Join(t, person, colleague, "editor")
	_, org := person.Me()
	id, _ := colleague.Me()
	return person, map[string]string{"org": org, "colleague": id}
}

// overHTTP calls operations at the binary with a credential.
func overHTTP(t *testing.T, s *rowhousetest.Service, header, credential string) mcptest.Caller {
	return mcptest.HTTPCaller(t, func(method, path, body string) (int, string) {
		request, err := http.NewRequestWithContext(context.Background(), method, s.BaseURL+"/api/v1"+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(header, credential)
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(raw)
	})
}

// steppingUp removes from results what differs for a client that begins with few scopes and asks
// for more as it goes along: the scopes that it has, and in the audit log its connection, which is
// new each time.
func steppingUp(way mcptest.Caller) mcptest.Caller {
	return func(op *operation.Operation, arguments map[string]json.RawMessage) (int, []byte) {
		status, answer := way(op, arguments)
		var members map[string]any
		if op.Name != "list_audit_events" && op.Name != "get_me" || json.Unmarshal(answer, &members) != nil {
			return status, answer
		}
		delete(members, "scopes")
		if events, ok := members["events"].([]any); ok {
			members["events"] = slices.DeleteFunc(events, func(event any) bool {
				delete(event.(map[string]any), "credentialId")
				return event.(map[string]any)["action"] == "approve_grant"
			})
		}
		shown, err := json.Marshal(members)
		if err != nil {
			return status, answer
		}
		return status, shown
	}
}

// goOAuth is the authorization of the Go SDK, for a person who allows everything.
func goOAuth(t *testing.T, person *rowhousetest.Person, asked *int) auth.OAuthHandler {
	t.Helper()
	const callback = "http://127.0.0.1:33419/callback"
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: callback, RequestRefreshToken: true,
		AuthorizationCodeFetcher: func(
			_ context.Context,
			args *auth.AuthorizationArgs,
		) (*auth.AuthorizationResult, error) {
			*asked++
			back := person.Allow(args.URL)
			return &auth.AuthorizationResult{
				Code:  back.Get("code"),
				State: back.Get("state"),
				Iss:   back.Get("iss"),
			}, nil
		},
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName: "Go SDK", RedirectURIs: []string{callback},
				GrantTypes: []string{"authorization_code", "refresh_token"},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func TestAgentMatchesRESTWithKeysAndTokens(t *testing.T) {
	t.Parallel()
	s := rowhousetest.Start(t)
	one, kept := world(t, s)
	withKey := mcptest.RunSteps(t, overHTTP(t, s, "x-api-key", one.Mint(everyScope()...)), kept)
	two, kept := world(t, s)
	withToken := mcptest.RunSteps(t, steppingUp(
		overHTTP(t, s, "Authorization", "Bearer "+two.Connect("/api/v1", strings.Join(everyScope(), " ")).Access),
	), kept)

	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		t.Run("Go, key, "+era, func(t *testing.T) {
			person, kept := world(t, s)
			client := mcptest.Connect(t, s.BaseURL+"/mcp", era,
				mcptest.HTTPWithKey(person.Mint(everyScope()...)), nil, nil)
			mcptest.Compare(t, "Go", withKey, mcptest.RunSteps(t, mcptest.MCPCaller(client.CallText), kept))
		})
		t.Run("Go, token, "+era, func(t *testing.T) {
			person, kept := world(t, s)
			asked := 0
			client := mcptest.Connect(t, s.BaseURL+"/mcp", era, nil, goOAuth(t, person, &asked), nil)
			mcptest.Compare(t, "Go", withToken,
				mcptest.RunSteps(t, steppingUp(mcptest.MCPCaller(client.CallText)), kept))
			if asked < 2 {
				t.Errorf("the person was asked %d times, and the first scopes do not suffice", asked)
			}
		})
	}
	for kind, era := range map[string]string{"v1": mcptest.Initialize, "v2": mcptest.Stateless} {
		for _, credential := range []string{"key", "token"} {
			t.Run("TypeScript "+kind+", "+credential, func(t *testing.T) {
				person, kept := world(t, s)
				var client *interoptest.Client
				want := withKey
				if credential == "key" {
					client = interoptest.Dial(t, kind, s.BaseURL+"/mcp", "x-api-key", person.Mint(everyScope()...))
				} else {
					client, want = interoptest.Dial(t, kind, s.BaseURL+"/mcp", "oauth", person.Cookie()), withToken
				}
				if client.Era != era || client.Tools != len(mcptest.Listed())+2 {
					t.Errorf("the client speaks %q and lists %d tools", client.Era, client.Tools)
				}
				way := mcptest.MCPCaller(client.Call)
				if credential == "token" {
					way = steppingUp(way)
				}
				mcptest.Compare(t, kind, want, mcptest.RunSteps(t, way, kept))
			})
		}
	}
}

// The binary passes the part of the official suite that needs no fixture.
func TestBinaryPassesConformanceSuite(t *testing.T) {
	t.Parallel()
	s := rowhousetest.Start(t)
	address := interoptest.WithKey(t, s.BaseURL,
		rowhousetest.SignUp(t, s.BaseURL, "Kari", "House").Mint(everyScope()...))
	for revision, scenarios := range map[string][]string{
		"2026-07-28": {
			"tools-list", "resources-list", "prompts-list", "sep-2164-resource-not-found", "dns-rebinding-protection",
			"input-required-result-unsupported-methods",
		},
		"2025-11-25": {
			"server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection",
		},
	} {
		for _, scenario := range scenarios {
			said, err := interoptest.Suite(t, "server", "--url", address+"/mcp", "--spec-version", revision,
				"--scenario", scenario)
			if err != nil {
				t.Errorf("%s of %s failed: %v\n%s", scenario, revision, err, said)
			}
		}
	}
}
