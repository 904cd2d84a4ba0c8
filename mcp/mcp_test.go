package mcp_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestBuildBaseWithBothProtocolVersions(t *testing.T) {
	t.Parallel()
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize, "2025-06-18", "2025-03-26"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			s := mcptest.New(t)
			c := s.Dial(t, s.REST.Owner(t), era, "/mcp", nil)
			base := c.ID("create_base", map[string]any{"name": "Trips"})
			c.ID("create_table", map[string]any{"baseId": "Trips", "name": "Cities", "fields": []any{
				map[string]any{"name": "City", "type": "text"},
				map[string]any{
					"name":   "Kind",
					"type":   "single_select",
					"config": map[string]any{"options": []string{"port", "capital"}},
				},
			}})
			c.OK("update_field", map[string]any{"fieldId": "Cities/Kind", "name": "Sort"})
			described := c.OK("describe_base", map[string]any{"baseId": base})
			fields := described["tables"].([]any)[0].(map[string]any)["fields"].([]any)
			if fields[1].(map[string]any)["name"] != "Sort" {
				t.Errorf("described %v", described)
			}
			c.Refused("delete_base", map[string]any{"baseId": base}, "confirm", "Trips", "tables (1)")
			c.OK("delete_base", map[string]any{"baseId": base, "confirm": true})
			c.Refused("describe_base", map[string]any{"baseId": base}, "not_found")
		})
	}
}
