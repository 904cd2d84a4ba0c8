package mcp

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBatch is the maximum number of messages in a request. Only revision 2025-03-26 allows more
// than one.
const maxBatch = 20

// A message is the part of a JSON-RPC message that handler needs to authorize it.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params,omitzero"`

	Other map[string]jsontext.Value `json:",inline"`
}

// name returns the tool, prompt or resource that the message names, or "".
func (m *message) name() string {
	var params struct {
		Name jsontext.Value `json:"name"`
		URI  jsontext.Value `json:"uri"`
	}
	if m.Params.Kind() != '{' || json.Unmarshal(m.Params, &params) != nil {
		return ""
	}
	value := params.Name
	if m.Method == "resources/read" {
		value = params.URI
	}
	var name string
	if value.Kind() != '"' || json.Unmarshal(value, &name) != nil {
		return ""
	}
	return name
}

// A protocolError is a JSON-RPC error that is sent before the transport sees the message.
type protocolError struct {
	id      jsontext.Value
	code    int64
	message string
	status  int // HTTP status; 0 means 400
}

// knownMethods are the methods that the transport handles, if only to report a missing capability.
var knownMethods = []string{
	"initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "resources/templates/list",
	"resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get",
	"completion/complete", "logging/setLevel",
}

// unknownMethodError returns the error for an unknown method from a client of an older revision.
// The transport would reject it with plain text, which such clients treat as a broken connection.
// The error is a regular JSON-RPC response, so the HTTP status is 200.
func unknownMethodError(version string, messages []message) *protocolError {
	if len(messages) != 1 || version == latestVersion {
		return nil
	}
	m := &messages[0]
	if m.ID == nil || m.Method == "" || slices.Contains(knownMethods, m.Method) ||
		strings.HasPrefix(m.Method, "notifications/") {
		return nil
	}
	return &protocolError{
		id:      m.ID,
		code:    jsonrpc.CodeMethodNotFound,
		message: fmt.Sprintf("there is no method %q", m.Method),
		status:  http.StatusOK,
	}
}

func (f *protocolError) write(w http.ResponseWriter) {
	id := f.id
	if id == nil {
		id = jsontext.Value("null")
	}
	body, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Error   any            `json:"error"`
	}{"2.0", id, struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}{f.code, f.message}})
	if err != nil {
		body = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	if f.status == 0 {
		f.status = http.StatusBadRequest
	}
	w.WriteHeader(f.status)
	_, _ = w.Write(body) // the client may have disconnected
}

// parseMessages parses the messages of a body. It rejects input that two parsers could interpret
// differently, such as duplicate names.
func parseMessages(body []byte) ([]message, *protocolError) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return nil, &protocolError{
			code:    jsonrpc.CodeInvalidRequest,
			message: "the body is empty; send one JSON-RPC message",
		}
	}
	if !jsontext.Value(body).IsValid() {
		var v jsontext.Value
		return nil, &protocolError{
			code:    jsonrpc.CodeParseError,
			message: fmt.Sprintf("the body is not JSON: %v", json.Unmarshal(body, &v)),
		}
	}
	if body[0] != '[' {
		m, f := parseMessage(body)
		return []message{m}, f
	}
	var parts []jsontext.Value
	if err := json.Unmarshal(body, &parts); err != nil || len(parts) == 0 || len(parts) > maxBatch {
		return nil, &protocolError{
			code:    jsonrpc.CodeInvalidRequest,
			message: fmt.Sprintf("a batch must contain 1 to %d messages", maxBatch),
		}
	}
	messages := make([]message, len(parts))
	for i, part := range parts {
		m, f := parseMessage(part)
		if f != nil {
			return nil, f
		}
		if m.ID != nil &&
			slices.ContainsFunc(messages[:i], func(other message) bool { return bytes.Equal(other.ID, m.ID) }) {
			return nil, &protocolError{
				code:    jsonrpc.CodeInvalidRequest,
				message: fmt.Sprintf("two messages of the batch have the id %s; give each its own", m.ID),
			}
		}
		messages[i] = m
	}
	return messages, nil
}

func parseMessage(body jsontext.Value) (message, *protocolError) {
	var m message
	if body.Kind() != '{' {
		return m, &protocolError{code: jsonrpc.CodeInvalidRequest, message: "a message must be a JSON object"}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, &protocolError{
			code:    jsonrpc.CodeInvalidRequest,
			message: fmt.Sprintf("this is not a JSON-RPC message: %v", err),
		}
	}
	return m, nil
}

// matchHeaders rejects headers that name another method or tool than the body, because proxies
// decide by the headers. The transport requires them from clients of revision 2026-07-28; here they
// must not be wrong for older clients either.
func matchHeaders(h http.Header, messages []message) *protocolError {
	for header, valueOf := range map[string]func(*message) string{
		"Mcp-Method": func(m *message) string { return m.Method },
		"Mcp-Name":   (*message).name,
	} {
		values := h.Values(header)
		if len(values) == 0 {
			continue
		}
		if len(values) > 1 || len(messages) != 1 {
			return &protocolError{
				code:    sdk.CodeHeaderMismatch,
				message: "the header " + header + " must be sent once, with a single message",
			}
		}
		m := &messages[0]
		if want := valueOf(m); values[0] != want && (want != "" || header == "Mcp-Method") {
			return &protocolError{
				id:      m.ID,
				code:    sdk.CodeHeaderMismatch,
				message: fmt.Sprintf("the header %s says %q and the body %q", header, values[0], want),
			}
		}
	}
	return nil
}
