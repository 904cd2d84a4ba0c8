package mcp_test

import (
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestToolsJoinAChangeSet(t *testing.T) {
	t.Parallel()
	for _, indirect := range []bool{false, true} {
		s := mcptest.New(t, func(o *mcp.Options) {
			if indirect {
				mcp.ViaSDK(o)
			}
		})
		owner := s.REST.Owner(t)
		base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
		table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Deals"}`)
		for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
			c := s.Dial(t, owner, era, "/mcp", nil)
			write := func(set string) object {
				return object{"tableId": table, "fields": object{"Name": "x"}, "changeSet": set}
			}
			first := c.OK("create_records", write("of "+era))["changeSet"].(string)
			if !strings.HasPrefix(first, "chs_") || c.OK("create_records", write("of "+era))["changeSet"] != first ||
				c.OK("create_records", write(first))["changeSet"] != first {
				t.Errorf("%s: the change set is not %s", era, first)
			}
			c.Refused("create_records", write("chs_x"), "changeSet", "that you began")
			c.Refused("create_records", object{"tableId": table, "fields": object{}, "changeSet": 5}, "changeSet",
				"string")
			c.Refused("query_records", object{"tableId": table, "changeSet": "x"}, "changeSet")
			// A plan changes nothing, and names no change set.
			planned := c.OK("delete_records_where", object{
				"tableId": table, "filters": []any{object{"fieldId": "Name", "op": "eq", "value": "x"}}, "plan": true,
			})
			if planned["planToken"] == nil || planned["changeSet"] != nil {
				t.Errorf("%s: the plan is %v", era, planned)
			}
			in := object{"baseId": base, "table": "Deals", "limit": 1, "detail": "full"}
			changes := c.OK("list_change_sets", in)["changeSets"].([]any)
			if got := changes[0].(object); got["id"] != first || got["name"] != "of "+era {
				t.Errorf("%s: %v", era, got)
			}
		}
	}
}
