package oauth

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/problem"
)

// Unmodified third-party clients run from discovery at the URL of an MCP server to revocation. The
// MCP server is minimal; the gate before it is the product's.

// withMCP adds an MCP server with two tools at /mcp. whoami requires data:read; list_members requires
// members:read, which no client requests initially.
func withMCP(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "small", Version: "1"}, nil)
	needs := map[string]authz.Scope{"whoami": authz.DataRead, "list_members": authz.MembersRead}
	for name := range needs {
		mcp.AddTool(server, &mcp.Tool{Name: name},
			func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{
					Content: []mcp.Content{&mcp.TextContent{Text: name + " " + principalFrom(ctx).UserID()}},
				}, nil, nil
			})
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true})
	gate, challenge := &authz.Gate{Verifiers: []authz.Verifier{b.s.ForMCP()}}, b.s.Challenger(b.s.MCPResource())
	mux := http.NewServeMux()
	mux.Handle("/", b.s.Routes())
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		p, err := gate.Authenticate(r)
		if err != nil {
			challenge(w.Header(), r, err)
			http.Error(w, err.Error(), statusOf(err))
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var call struct {
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal(body, &call)
		if call.Method == "tools/call" {
			scopes := []authz.Scope{authz.MCPTools, needs[call.Params.Name]}
			if err := p.RequireScope(scopes...); err != nil {
				challenge(w.Header(), r, err)
				w.WriteHeader(http.StatusForbidden)
				return
			}
		}
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, p)))
	})
	b.server.Config.Handler = mux
	return b
}

type principalKey struct{}

func principalFrom(ctx context.Context) *authz.Principal {
	p, _ := ctx.Value(principalKey{}).(*authz.Principal)
	return p
}

func statusOf(err error) int {
	if problem.KindOf(err) == problem.KindUnauthenticated {
		return http.StatusUnauthorized
	}
	return http.StatusBadRequest
}

// browse simulates the person's browser: it opens an authorization URL, grants everything, and
// returns the query of the redirect to the client.
func (b *bundle) browse(address string) url.Values {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.consent(u.Query(), "ada")
}

func TestGoSDKConnects(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	site.serve(`{"client_id":%q,"client_name":"Go SDK","redirect_uris":["http://127.0.0.1:33419/callback"],` +
		`"grant_types":["authorization_code","refresh_token"]}`)
	for name, register := range map[string]func(*auth.AuthorizationCodeHandlerConfig){
		"registered": func(c *auth.AuthorizationCodeHandlerConfig) {
			c.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
				Metadata: &oauthex.ClientRegistrationMetadata{
					ClientName: "Go SDK", RedirectURIs: []string{"http://127.0.0.1:33419/callback"},
					GrantTypes: []string{"authorization_code", "refresh_token"},
				},
			}
		},
		"with a document": func(c *auth.AuthorizationCodeHandlerConfig) {
			c.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: site.id}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withMCP(t)
			b.allowSite(site)
			var asked []string
			refreshes := 0
			config := &auth.AuthorizationCodeHandlerConfig{
				RedirectURL: "http://127.0.0.1:33419/callback", RequestRefreshToken: true,
				AuthorizationCodeFetcher: func(
					_ context.Context,
					args *auth.AuthorizationArgs,
				) (*auth.AuthorizationResult, error) {
					asked = append(asked, args.URL)
					back := b.browse(args.URL)
					return &auth.AuthorizationResult{
						Code:  back.Get("code"),
						State: back.Get("state"),
						Iss:   back.Get("iss"),
					}, nil
				},
				// An expiry in the past makes the client refresh the token before its first use.
				NewTokenSource: func(
					ctx context.Context,
					c *oauth2.Config,
					token *oauth2.Token,
				) (oauth2.TokenSource, error) {
					old := *token
					old.Expiry = time.Now().Add(-time.Minute)
					refreshes++
					return c.TokenSource(ctx, &old), nil
				},
			}
			register(config)
			handler, err := auth.NewAuthorizationCodeHandler(config)
			if err != nil {
				t.Fatal(err)
			}
			client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, nil)
			session, err := client.Connect(t.Context(),
				&mcp.StreamableClientTransport{Endpoint: b.base + "/mcp", OAuthHandler: handler}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range []string{"whoami", "list_members"} {
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
				if err != nil {
					t.Fatalf("%s: %v", tool, err)
				}
				if text := result.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(text, tool+" usr_") {
					t.Fatalf("%s: %s", tool, text)
				}
			}
			if len(asked) != 2 || refreshes != 2 || !strings.Contains(asked[1], "members%3Aread") {
				t.Fatalf("authorized %d times, refreshed %d times: %v", len(asked), refreshes, asked)
			}
			source, err := handler.TokenSource(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			token, err := source.Token()
			if err != nil {
				t.Fatal(err)
			}
			if !b.accepts(token.AccessToken) {
				t.Fatal("the token is rejected")
			}
			if err := b.s.RevokeApps(t.Context(), b.person); err != nil {
				t.Fatal(err)
			}
			if b.accepts(token.AccessToken) {
				t.Fatal("the token is valid after its revocation")
			}
		})
	}
}

// run starts a program and returns a channel of its output lines, and a function that waits for its
// exit.
func run(t *testing.T, dir, program string, args ...string) (lines <-chan string, wait func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = dir
	output, writer := io.Pipe()
	command.Stdout, command.Stderr = writer, writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		_ = writer.Close()
		ended <- err
	}()
	out := make(chan string, 1000)
	go func() {
		defer close(out)
		scanner := bufio.NewScanner(output)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			out <- scanner.Text()
		}
	}()
	return out, func() error { return <-ended }
}

func TestTypeScriptSDKConnects(t *testing.T) {
	t.Parallel()
	dir := interoptest.Dir(t)
	b := withMCP(t)
	lines, wait := run(t, dir, "node", "oauth.mjs", b.base+"/mcp", "session=ada")
	steps := map[string][]map[string]any{}
	var all strings.Builder
	for line := range lines {
		_, _ = fmt.Fprintln(&all, line)
		var step map[string]any
		if json.Unmarshal([]byte(line), &step) == nil {
			name, _ := step["step"].(string)
			steps[name] = append(steps[name], step)
		}
	}
	if err := wait(); err != nil {
		t.Fatalf("%v\n%s", err, all.String())
	}
	check := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s:\n%s", what, all.String())
		}
	}
	check("registered once", len(steps["registered"]) == 1)
	check("authorized twice, with resource and iss", len(steps["authorized"]) == 2 &&
		steps["authorized"][0]["resource"] == b.base+"/mcp" && steps["authorized"][1]["iss"] == b.base)
	check("asked again for the scopes it had and the missing one", steps["authorized"][1]["scope"] ==
		"data:read data:write schema:read schema:write members:read mcp:tools")
	check(
		"stepped up",
		len(steps["stepped up"]) == 1 &&
			strings.HasPrefix(fmt.Sprint(steps["stepped up"][0]["text"]), "list_members usr_"),
	)
	check("refreshed", len(steps["refreshed"]) == 1 && steps["refreshed"][0]["result"] == "AUTHORIZED" &&
		steps["refreshed"][0]["rotated"] == true)
	check("called again", len(steps["called"]) == 2)
	check("revoked",
		len(steps["revoked"]) == 1 && steps["revoked"][0]["status"] == 200.0 && steps["revoked"][0]["after"] == 401.0 &&
			strings.Contains(fmt.Sprint(steps["revoked"][0]["challenge"]), `error="invalid_token"`))
}

var authorizeURL = regexp.MustCompile(`https?://\S+/oauth/authorize\?\S+`)

// The conformance suite prints an authorization URL and waits for the browser at its own callback.
func TestConformanceSuitePasses(t *testing.T) {
	t.Parallel()
	dir := interoptest.Dir(t)
	b := withMCP(t)
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(free.Addr().(*net.TCPAddr).Port)
	_ = free.Close()
	b.callback = "http://127.0.0.1:" + port + "/callback"
	client := b.registerClient(nil).str(t, "client_id")
	lines, wait := run(t, dir, interoptest.Node(t), "node_modules/@modelcontextprotocol/conformance/dist/index.js",
		"authorization", "--url", b.base, "--client-id", client, "--resource", b.base+"/mcp", "--port", port)
	var all strings.Builder
	for line := range lines {
		_, _ = fmt.Fprintln(&all, line)
		if address := authorizeURL.FindString(line); address != "" {
			go func() {
				back := b.browse(strings.TrimRight(address, `"',`))
				// The suite prints the URL before it listens.
				response, err := noRedirects.Get(b.callback + "?" + back.Encode())
				for errors.Is(err, syscall.ECONNREFUSED) && t.Context().Err() == nil {
					time.Sleep(50 * time.Millisecond)
					response, err = noRedirects.Get(b.callback + "?" + back.Encode())
				}
				if err != nil {
					t.Error(err)
					return
				}
				_ = response.Body.Close()
			}()
		}
	}
	if err := wait(); err != nil {
		t.Fatalf("%v\n%s", err, all.String())
	}
	t.Log(all.String())
}
