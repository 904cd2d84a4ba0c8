package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The list of tools is in the context of every conversation, so it uses as few tokens as possible:
// it leaves out the protocol's defaults.

// A toolList is a list of encoded tools.
type toolList struct {
	*sdk.ListToolsResult
	tools []json.RawMessage
}

// MarshalJSON encodes the list as the SDK would, with its tools as they are.
func (l *toolList) MarshalJSON() ([]byte, error) {
	around := *l.ListToolsResult
	around.Tools = []*sdk.Tool{}
	encoded, err := json.Marshal(&around)
	if err != nil {
		return nil, err
	}
	empty := []byte(`"tools":[]`)
	at := bytes.LastIndex(encoded, empty)
	if at < 0 {
		return nil, fmt.Errorf("mcp: a list of tools is encoded as %s", encoded)
	}
	rest := encoded[at+len(empty):]
	var out bytes.Buffer
	out.Write(encoded[:at])
	out.WriteString(`"tools":[`)
	for i, tool := range l.tools {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(tool)
	}
	out.WriteByte(']')
	out.Write(rest)
	return out.Bytes(), nil
}

// listFor returns the tools that a caller is offered, in the order of the catalogue. Tools from
// Options.Extend are at the end.
func (s *server) listFor(c *caller, list *sdk.ListToolsResult) *toolList {
	out := &toolList{ListToolsResult: list, tools: []json.RawMessage{}}
	list.Tools = slices.DeleteFunc(list.Tools, func(listed *sdk.Tool) bool {
		t := s.tool(listed.Name)
		return t != nil && !c.offers(t)
	})
	slices.SortStableFunc(list.Tools, func(a, b *sdk.Tool) int { return s.toolIndex(a.Name) - s.toolIndex(b.Name) })
	for i, listed := range list.Tools {
		t := s.tool(listed.Name)
		if t == nil {
			out.tools = append(out.tools, encodeTool(listed))
			continue
		}
		list.Tools[i] = t.listed
		out.tools = append(out.tools, t.encoded)
	}
	return out
}

// encodeTool encodes a tool. It always writes three of the annotations, as directories of servers
// require; a tool is not idempotent unless it says so.
func encodeTool(t *sdk.Tool) json.RawMessage {
	type annotations struct {
		ReadOnly    bool  `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint,omitempty"`
		Idempotent  bool  `json:"idempotentHint,omitempty"`
		OpenWorld   *bool `json:"openWorldHint,omitempty"`
	}
	out := struct {
		Name         string       `json:"name"`
		Title        string       `json:"title,omitempty"`
		Description  string       `json:"description,omitempty"`
		InputSchema  any          `json:"inputSchema"`
		OutputSchema any          `json:"outputSchema,omitempty"`
		Annotations  *annotations `json:"annotations,omitempty"`
		Meta         sdk.Meta     `json:"_meta,omitempty"`
	}{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
		OutputSchema: t.OutputSchema, Meta: t.Meta,
	}
	if a := t.Annotations; a != nil {
		out.Annotations = &annotations{a.ReadOnlyHint, a.DestructiveHint, a.IdempotentHint, a.OpenWorldHint}
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		panic(fmt.Sprintf("mcp: encoding the tool %s: %v", t.Name, err)) // it depends only on the catalogue
	}
	return bytes.TrimSpace(buffer.Bytes())
}
