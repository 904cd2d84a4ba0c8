package mcp_test

import (
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// A page that is linked from a tool is listed, and is a document of the type that clients ask for.
func TestAnswerPage(t *testing.T) {
	t.Parallel()
	const uri = "ui://rowhouse/answer"
	linked := func(c *mcptest.Client) []string {
		t.Helper()
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			if ui, ok := tool.Meta["ui"].(map[string]any); ok && ui["resourceUri"] == uri {
				names = append(names, tool.Name)
			}
		}
		return names
	}
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for _, era := range []string{"2026-07-28", "2025-11-25"} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		if names := linked(c); !slices.Contains(names, "query_records") || !slices.Contains(names, "import_records") ||
			slices.Contains(names, "get_me") {
			t.Errorf("%s: the page is linked from %v", era, names)
		}
		listed, err := c.ListResources(t.Context(), nil)
		if err != nil || !slices.ContainsFunc(listed.Resources, func(r *sdk.Resource) bool { return r.URI == uri }) {
			t.Errorf("%s: the page is not among the resources: %v", era, err)
		}
		read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		page := read.Contents[0]
		if page.Text != mcptest.AnswerPage || page.MIMEType != "text/html;profile=mcp-app" || page.Meta["ui"] == nil {
			t.Errorf("%s: the page is %+v", era, page)
		}
	}
	none := mcptest.New(t, func(o *mcp.Options) { o.AnswerPage = "" })
	c := none.Dial(t, none.REST.Owner(t), "2026-07-28", "/mcp", nil)
	if names := linked(c); len(names) > 0 {
		t.Errorf("without a page, it is linked from %v", names)
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
		t.Error("without a page, it can be read")
	}
}
