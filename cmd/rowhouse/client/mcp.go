package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type mcpCommand struct {
	connection `embed:""`

	Tools string `enum:",all,core,readonly,records,schema,members" default:"" placeholder:"LIST" help:"Which tools: all, core, readonly, records, schema or members. Default: those that most tasks need."`
}

func (mcpCommand) Help() string {
	return `Examples:

  rowhouse login https://rowhouse.example.com --mcp
  claude mcp add rowhouse -- rowhouse mcp
  {"mcpServers": {"rowhouse": {"command": "rowhouse", "args": ["mcp", "--tools", "readonly"]}}}

It passes the messages of the Model Context Protocol between the standard input and output and /mcp of the service,
with the sign-in that is there, or with ROWHOUSE_URL and ROWHOUSE_TOKEN. Clients that know neither OAuth nor HTTP
need nothing else.`
}

// Run passes messages on until the client closes the standard input.
func (c *mcpCommand) Run(ctx context.Context, to Streams) error {
	session, err := c.session(mcpAudience)
	if err != nil {
		return err
	}
	b := &bridge{
		address: strings.TrimSuffix(session.url+"/mcp/"+c.Tools, "/"),
		token:   session.token, http: httpClient(session.url), out: to.Out, cancels: map[string]context.CancelFunc{},
	}
	return b.run(ctx, to.In)
}

// A bridge passes JSON-RPC messages from lines to HTTP and back (the transports stdio and Streamable HTTP of
// the protocol). Requests run at the same time, as the client sends them.
type bridge struct {
	address string
	token   func(context.Context) (string, error)
	http    *http.Client

	running sync.WaitGroup

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	version string // that was agreed upon, or ""
	cancels map[string]context.CancelFunc
}

// A message has what the bridge has to know of one.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string          `json:"name"`
		URI             string          `json:"uri"`
		RequestID       json.RawMessage `json:"requestId"`
		ProtocolVersion string          `json:"protocolVersion"`
		Meta            struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// farewell is how long requests have that still run when the client has gone.
const farewell = 5 * time.Second

func (b *bridge) run(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan []byte)
	ended := make(chan error, 1)
	go func() {
		reader := bufio.NewReader(in)
		for {
			line, err := reader.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) > 0 {
				select {
				case lines <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for {
		select {
		case line := <-lines:
			b.handle(ctx, line)
		case err := <-ended:
			// Requests that are under way get their responses; streams would go on for ever.
			timer := time.AfterFunc(farewell, cancel)
			b.running.Wait()
			timer.Stop()
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("reading messages: %w", err)
			}
			return nil
		case <-ctx.Done():
			return nil // an interrupt is how clients end it, too
		}
	}
}

// handle sends one message. The response to initialize decides the version of what follows, so that one is
// waited for.
func (b *bridge) handle(ctx context.Context, line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		b.fail(nil, parseError, "the line is not a JSON-RPC message: "+err.Error())
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if m.Method == "notifications/cancelled" {
		b.mu.Lock()
		stop := b.cancels[string(m.Params.RequestID)]
		b.mu.Unlock()
		if stop != nil {
			stop() // over HTTP, a request is cancelled by closing its connection
		}
	}
	if m.ID != nil && m.Method != "" {
		b.mu.Lock()
		b.cancels[string(m.ID)] = cancel
		b.mu.Unlock()
	}
	send := func() {
		defer cancel()
		err := b.send(ctx, line, &m)
		b.mu.Lock()
		delete(b.cancels, string(m.ID))
		b.mu.Unlock()
		if err != nil && m.ID != nil && ctx.Err() == nil {
			b.fail(m.ID, internalError, Message(err))
		}
	}
	if m.Method == "initialize" {
		send()
		return
	}
	b.running.Go(send)
}

// The codes of JSON-RPC errors.
const (
	parseError    = -32700
	internalError = -32603
)

// fail answers a request in place of the service.
func (b *bridge) fail(id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text},
	})
	if err == nil {
		b.write(answer)
	}
}

// write prints a message as one line.
func (b *bridge) write(message []byte) {
	var line bytes.Buffer
	if json.Compact(&line, message) != nil {
		return // no message of the protocol
	}
	line.WriteByte('\n')
	b.writing.Lock()
	defer b.writing.Unlock()
	_, _ = b.out.Write(line.Bytes()) // a client that has gone closes the input as well
}

func (b *bridge) send(ctx context.Context, line []byte, m *message) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.address, bytes.NewReader(line))
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	token, err := b.token(ctx)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("User-Agent", userAgent)
	b.setHeaders(request.Header, m)
	response, err := b.http.Do(request)
	if err != nil {
		return &rowhouse.ConnectionError{Err: err}
	}
	defer response.Body.Close()
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return b.stream(response.Body)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("reading the response: %w", err)
	}
	var answer struct {
		Version string `json:"jsonrpc"`
		Detail  string `json:"detail"`
		Result  struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"result"`
	}
	isJSON := json.Unmarshal(body, &answer) == nil
	switch {
	case isJSON && answer.Version != "":
		if m.Method == "initialize" && answer.Result.ProtocolVersion != "" {
			b.mu.Lock()
			b.version = answer.Result.ProtocolVersion
			b.mu.Unlock()
		}
		b.write(body)
	case response.StatusCode == http.StatusUnauthorized:
		return fail(StatusSignedOut, "the service does not accept the credential: sign in with rowhouse login --mcp")
	case response.StatusCode >= http.StatusBadRequest && answer.Detail != "":
		return fail(statusOf(response.StatusCode), "%s", answer.Detail)
	case response.StatusCode >= http.StatusBadRequest:
		return fail(statusOf(response.StatusCode), "the service answered %s", response.Status)
	}
	return nil
}

// standardHeaders is the version of the protocol from which headers repeat what is in the message.
const standardHeaders = "2026-07-28"

// setHeaders sets the headers of the message's version of the protocol.
func (b *bridge) setHeaders(header http.Header, m *message) {
	b.mu.Lock()
	version := b.version
	b.mu.Unlock()
	if m.Params.Meta.Version != "" {
		version = m.Params.Meta.Version
	}
	if version == "" {
		return
	}
	header.Set("Mcp-Protocol-Version", version)
	if version < standardHeaders || m.Method == "" {
		return
	}
	header.Set("Mcp-Method", m.Method)
	switch m.Method {
	case "tools/call", "prompts/get":
		header.Set("Mcp-Name", headerValue(m.Params.Name))
	case "resources/read":
		header.Set("Mcp-Name", headerValue(m.Params.URI))
	}
}

// headerValue is a text as a header has it, encoded if a header could not have it as it is.
func headerValue(text string) string {
	plain := text == strings.TrimSpace(text) && !strings.HasPrefix(text, "=?base64?") &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	if plain {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// stream passes the messages of server-sent events on as they come.
func (b *bridge) stream(body io.Reader) error {
	for event, err := range rowhouse.Events(body) {
		if err != nil {
			return err
		}
		if len(event.Data) > 0 {
			b.write(event.Data)
		}
	}
	return nil
}
