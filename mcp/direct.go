package mcp

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
)

// Most tool calls are handled here instead of by the SDK, which encodes a result four times and
// allocates a 32 KB buffer for each of a dozen decodings; docs/decisions/0010-direct-tool-calls.md
// gives the cost. A direct call is a single message with exactly the headers and members of its
// revision, for a tool that never asks back. All other calls go to the SDK, which also reports what
// is wrong with them. A test sends the same calls both ways and compares the responses.
//
// A directCall is a call that is handled here.
type directCall struct {
	tool      *tool
	id        jsontext.Value
	arguments jsontext.Value
	metaKey   jsontext.Value // idempotency key in _meta
	stateless bool           // the client uses revision 2026-07-28
}

// callParams are the parameters of a direct call. A call with any other parameter is not direct.
type callParams struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
	Meta      callMeta       `json:"_meta"`
}

type callMeta struct {
	Version       jsontext.Value            `json:"io.modelcontextprotocol/protocolVersion"`
	ClientInfo    jsontext.Value            `json:"io.modelcontextprotocol/clientInfo"`
	Capabilities  jsontext.Value            `json:"io.modelcontextprotocol/clientCapabilities"`
	ProgressToken jsontext.Value            `json:"progressToken"`
	Other         map[string]jsontext.Value `json:",inline"`
}

// asDirectCall returns the call that a request makes, and false if the SDK has to handle it.
func (h *handler) asDirectCall(header http.Header, c *caller, messages []message) (*directCall, bool) {
	if h.viaSDK || len(messages) != 1 || messages[0].Method != "tools/call" || !isDirectID(messages[0].ID) ||
		!hasDirectHeaders(header) {
		return nil, false
	}
	m := &messages[0]
	if m.Version != "2.0" || m.Other != nil {
		return nil, false
	}
	var params callParams
	if m.Params.Kind() != '{' || json.Unmarshal(m.Params, &params, json.RejectUnknownMembers(true)) != nil {
		return nil, false
	}
	t := h.tool(params.Name)
	if t == nil || t.confirm != nil || t.form != operation.AnswerJSON || // which may also have an image or a link
		!c.filter.calls(t) || params.Meta.ProgressToken != nil && t.reports() {
		return nil, false
	}
	version := header.Get("Mcp-Protocol-Version")
	call := &directCall{tool: t, id: m.ID, arguments: params.Arguments, metaKey: params.Meta.Other[idempotencyKeyName]}
	switch {
	case version == latestVersion:
		call.stateless = true
		return call, header.Get("Mcp-Method") != "" && header.Get("Mcp-Name") != "" && params.Meta.complete()
	case version == "" || slices.Contains(olderVersions, version):
		return call, params.Meta.Version == nil
	}
	return nil, false
}

const latestVersion = "2026-07-28"

var olderVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// complete reports whether the members that revision 2026-07-28 requires in every request are
// present and valid.
func (m *callMeta) complete() bool {
	var version string
	if m.Version.Kind() != '"' || json.Unmarshal(m.Version, &version) != nil || version != latestVersion ||
		m.Capabilities.Kind() != '{' {
		return false
	}
	var capabilities sdk.ClientCapabilities
	if len(m.Capabilities) > 2 && stdjson.Unmarshal(m.Capabilities, &capabilities) != nil {
		return false
	}
	var info sdk.Implementation
	return m.ClientInfo == nil || m.ClientInfo.Kind() == '{' && stdjson.Unmarshal(m.ClientInfo, &info) == nil
}

// isDirectID reports whether the SDK would return an id exactly as it was sent: a short string
// without escapes, or an integer.
func isDirectID(id jsontext.Value) bool {
	if len(id) == 0 || len(id) > 100 {
		return false
	}
	if id[0] == '"' {
		return !bytes.ContainsAny(id, `\<>&`) && !bytes.ContainsFunc(id, func(r rune) bool { return r > 126 })
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	return len(digits) > 0 && len(digits) < 16 &&
		!bytes.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
}

// hasDirectHeaders reports whether the request sends JSON and accepts events.
func hasDirectHeaders(h http.Header) bool {
	if h.Get("Last-Event-Id") != "" {
		return false
	}
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return false
	}
	accept := strings.Join(h.Values("Accept"), ",")
	return strings.Contains(accept, "application/json") && strings.Contains(accept, "text/event-stream")
}

// serveDirect handles a direct call.
func (h *handler) serveDirect(ctx context.Context, w *stream, c *caller, call *directCall) {
	if !call.stateless {
		// A client of an older revision that loses its connection does not mean to cancel, so a
		// write that has begun continues. The caller's own context stops one that has not.
		ctx = context.WithoutCancel(ctx)
	}
	out := h.callTool(ctx, call.tool, func() (operation.Result, error) {
		input, opts, _, err := h.prepareInput(ctx, call.tool, c, call.arguments, call.metaKey)
		if err != nil {
			return operation.Result{}, err
		}
		return h.execute(ctx, call.tool, c, input, opts)
	})
	if out == nil {
		return // the client has disconnected
	}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	_, _ = w.Write(h.encodeEvent(call, out)) // the client may have disconnected
}

// encodeEvent encodes the response to a direct call as the SDK would.
func (h *handler) encodeEvent(call *directCall, result *output) []byte {
	out := make([]byte, 0, 2*len(result.body)+len(result.body)/4+1024)
	out = append(out, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":"...)
	out = append(out, call.id...)
	out = append(out, `,"result":{`...)
	out = h.appendMeta(out, call, result.meta)
	out = append(out, `"content":[{"type":"text","text":`...)
	if quoted, err := jsontext.AppendQuote(out, result.body); err == nil {
		out = quoted
	} else {
		out = append(out, `""`...) // it was encoded here, so it is valid UTF-8
	}
	out = append(out, `}]`...)
	if result.failed {
		out = append(out, `,"isError":true`...)
	} else {
		out = append(append(out, `,"structuredContent":`...), result.body...)
	}
	if call.stateless {
		out = append(out, `,"resultType":"complete"`...)
	}
	return append(escapeLineEnds(out), "}}\n\n"...)
}

// appendMeta writes _meta as the SDK would: its members in the order of their names.
func (h *handler) appendMeta(dst []byte, call *directCall, names []string) []byte {
	if !call.stateless && len(names) == 0 {
		return dst
	}
	dst = append(dst, `"_meta":{`...)
	if call.stateless {
		dst = append(append(dst, h.meta[1:len(h.meta)-1]...), ',')
	}
	for _, name := range names {
		dst = append(append(append(append(dst, quote(name)...), ':'), quote(metaNotes[name])...), ',')
	}
	return append(dst[:len(dst)-1], `},`...)
}

// lineEnds are characters that some event parsers treat as line breaks, although only CR and LF
// are. JSON may contain them escaped.
var lineEnds = map[string][]byte{"\u0085": []byte(`\u0085`), "\u2028": []byte(`\u2028`), "\u2029": []byte(`\u2029`)}

func escapeLineEnds(event []byte) []byte {
	for end, escaped := range lineEnds {
		if bytes.Contains(event, []byte(end)) {
			event = bytes.ReplaceAll(event, []byte(end), escaped)
		}
	}
	return event
}
