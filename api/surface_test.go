package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// FieldCount is the output of countFields.
type FieldCount struct {
	Count int `json:"count"`
}

// Only this file defines countFields, with everything that the surfaces need of it.
var countFields = operation.New(operation.Def{
	Name: "count_fields", Method: "GET", Path: "/tables/{tableId}/field-count", Title: "Count fields",
	Summary:     "Count the fields of a table.",
	Description: "Returns the number; list_fields has the names.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
	Agent: operation.Agent{
		List: operation.ListCommon, WithRecords: true, Large: true, AnswerPage: true,
		Arguments: operation.Arguments{"type": {Text: "as in create_field"}, "hidden": {Hidden: true}},
		Resource: &operation.Resource{
			Path: "tables/{tableId}/field-count", Query: []string{"type"},
			Name: "field-count", Title: "Number of fields", Description: "How many fields a table has.",
		},
	},
}, func(ctx context.Context, c *operation.Call, in struct {
	operation.TableIn
	Type   string `json:"type,omitzero" jsonschema:"only fields of this type"`
	Hidden bool   `json:"hidden,omitzero" jsonschema:"also hidden fields"`
},
) (FieldCount, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return FieldCount{}, err
	}
	var out FieldCount
	for _, f := range snapshot.Table(c.Target.ID).Fields {
		if (in.Type == "" || string(f.Type()) == in.Type) && (in.Hidden || !f.Hidden) {
			out.Count++
		}
	}
	return out, nil
})

func TestAnOperationIsOneValue(t *testing.T) {
	t.Parallel()
	s := apitest.New(t, countFields)
	owner, w := newWorld(t, s)
	w.addFile(owner) // a field of attachments

	t.Run("it is an endpoint of REST", func(t *testing.T) {
		t.Parallel()
		path := w.fill(t, countFields.Path)
		if got := owner.OK("GET", path+"?type=attachment", "")["count"]; got != 1.0 {
			t.Errorf("REST counts %v fields", got)
		}
		owner.Refused(http.StatusBadRequest, "GET", path+"?hidden=maybe", "", "hidden")
	})
	t.Run("it is in the OpenAPI document, which the reference at /docs shows", func(t *testing.T) {
		t.Parallel()
		got := describedOperation(t, s, countFields)
		answer := got.Responses["200"].Content["application/json"].Schema
		if got.OperationID != countFields.Name || got.Summary != countFields.Summary ||
			got.Description != countFields.Description || !slices.Equal(got.Tags, []string{countFields.Tag()}) ||
			got.Scope != string(authz.SchemaRead) || len(got.Parameters) != 3 ||
			answer.Ref != "#/components/schemas/FieldCount" {
			t.Errorf("it is described as %+v", got)
		}
	})
	t.Run("it is a tool and a resource", func(t *testing.T) {
		t.Parallel()
		server := mcptest.NewReplica(t, &mcptest.Server{REST: s})
		c := server.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
		isTool(t, c)
		records := server.Dial(t, owner, mcptest.Stateless, "/mcp/records", nil).Tools()
		if !slices.ContainsFunc(records, func(tool *sdk.Tool) bool { return tool.Name == countFields.Name }) {
			t.Error("it is not among the tools for records")
		}
		read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{
			URI: "rowhouse://tables/" + w["tableId"] + "/field-count?type=attachment",
		})
		if err != nil || read.Contents[0].Text != `{"count":1}` {
			t.Errorf("the resource is %+v: %v", read, err)
		}
	})
	t.Run("the probes of isolation call it", func(t *testing.T) {
		t.Parallel()
		if !slices.Contains(s.Operations, countFields) {
			t.Fatal("it is not among the operations that are probed")
		}
		rejectsUnauthorized(t, s, owner, w, countFields)
		theirs, missing := strangers(t, s, w)
		hidesForeign(t, owner, countFields, w, theirs, missing)
	})
}

// isTool checks what an agent sees of the tool of countFields, and calls it by names.
func isTool(t *testing.T, c *mcptest.Client) {
	t.Helper()
	tools := c.Tools()
	at := slices.IndexFunc(tools, func(tool *sdk.Tool) bool { return tool.Name == countFields.Name })
	if at < 0 {
		t.Fatal("it is not listed")
	}
	listed, err := json.Marshal(tools[at])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"as in create_field", "maxTokens", "ui://rowhouse/answer", countFields.Summary} {
		if !strings.Contains(string(listed), part) {
			t.Errorf("the tool lacks %q: %s", part, listed)
		}
	}
	if strings.Contains(string(listed), `"hidden"`) {
		t.Errorf("the tool shows an argument that it hides: %s", listed)
	}
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{
		Name: countFields.Name, Arguments: map[string]any{"tableId": "Base/Table", "type": "attachment"},
	})
	if err != nil || result.IsError || result.Content[0].(*sdk.TextContent).Text != `{"count":1}` {
		t.Errorf("the tool answers %+v: %v", result, err)
	}
}

// A described is an operation of the OpenAPI document.
type described struct {
	OperationID string   `json:"operationId"`
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Scope       string   `json:"x-required-scope"`
	Parameters  []any    `json:"parameters"`
	Responses   map[string]struct {
		Content map[string]struct {
			Schema struct {
				Ref string `json:"$ref"`
			} `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

func describedOperation(t *testing.T, s *apitest.Server, op *operation.Operation) described {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+api.Prefix+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]described `json:"paths"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	return document.Paths[api.Prefix+op.Path][strings.ToLower(op.Method)]
}
