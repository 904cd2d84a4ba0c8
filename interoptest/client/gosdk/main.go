// Command gosdk lists and calls tools with the Go SDK of the module it is built in. `make clients` builds it
// with several versions. Usage: gosdk <url> <API key>. It writes a line of JSON: {"protocol", "tools",
// "called", "refused"}.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withKey string

func (key withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Api-Key", string(key))
	return http.DefaultTransport.RoundTrip(request) //nolint:wrapcheck // the client says what it was doing
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: gosdk <url> <API key>"))
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	_, _ = fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func run(ctx context.Context, url, key string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "rowhouse-clients", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: withKey(key)}}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer func() { _ = session.Close() }()
	tools := 0
	for _, err := range session.Tools(ctx, nil) {
		if err != nil {
			return fmt.Errorf("listing the tools: %w", err)
		}
		tools++
	}
	bases, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "list_bases", Arguments: map[string]any{}})
	if err != nil {
		return fmt.Errorf("listing the bases: %w", err)
	}
	missing, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: "get_record", Arguments: map[string]any{"recordId": "rec_missing"},
	})
	if err != nil {
		return fmt.Errorf("getting a record: %w", err)
	}
	//nolint:wrapcheck // nobody reads the output then
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"protocol": session.InitializeResult().ProtocolVersion, "tools": tools,
		"called": !bases.IsError && len(bases.Content) > 0, "refused": missing.IsError,
	})
}
