package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// longCalls are calls of all tools that report their progress, and a part of their notifications.
// Each is about the records of the one before; the last takes it back, and still lacks its change
// set.
func longCalls(table, base string) []struct {
	tool, says string
	arguments  object
} {
	var csv strings.Builder
	csv.WriteString("Name,Amount\n")
	for i := range 4000 {
		fmt.Fprintf(&csv, "Deal %d,%d\n", i, i)
	}
	amounts := []any{object{"fieldId": "Amount", "op": "gte", "value": 0}}
	return []struct {
		tool, says string
		arguments  object
	}{
		{"import_records", "Writing 4000 records", object{"tableId": table, "csv": csv.String()}},
		{"update_records_where", "Updating 4000 records", object{
			"tableId": table, "filters": amounts, "fields": object{"Name": "Same"}, "confirm": true,
		}},
		{"export_records", "of 4000 records", object{"tableId": table, "maxTokens": 25000}},
		{"delete_records_where", "Deleting 4000 records", object{
			"tableId": table, "filters": amounts, "confirm": true,
		}},
		{"revert_changes", "of 4000 records", object{"baseId": base}},
	}
}

func TestLongToolsReportProgress(t *testing.T) {
	t.Parallel()
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			s := mcptest.New(t, mcp.EagerProgress)
			owner := s.REST.Owner(t)
			base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
			table := owner.ID("POST", "/bases/"+base+"/tables",
				`{"name":"Deals","fields":[{"name":"Name","type":"text"},{"name":"Amount","type":"number"}]}`)
			var mu sync.Mutex
			notes := map[any][]*sdk.ProgressNotificationParams{}
			c := s.Dial(t, owner, era, "/mcp", &sdk.ClientOptions{
				Capabilities: &sdk.ClientCapabilities{},
				ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
					mu.Lock()
					defer mu.Unlock()
					notes[r.Params.ProgressToken] = append(notes[r.Params.ProgressToken], r.Params)
				},
			})
			var set any
			for _, call := range longCalls(table, base) {
				if call.tool == "revert_changes" {
					call.arguments["changeSets"] = []any{set}
				}
				params := &sdk.CallToolParams{Name: call.tool, Arguments: call.arguments}
				params.SetProgressToken(call.tool)
				result, err := c.CallTool(t.Context(), params)
				if err != nil || result.IsError {
					text, _ := json.Marshal(result)
					t.Fatalf("%s: %v %s", call.tool, err, text)
				}
				set = result.StructuredContent.(object)["changeSet"]
				mu.Lock()
				got := notes[call.tool]
				mu.Unlock()
				said, last := "", -1.0
				for _, note := range got {
					if note.Progress <= last || note.Total > 0 && note.Progress > note.Total {
						t.Errorf("%s: %v of %v after %v", call.tool, note.Progress, note.Total, last)
					}
					last = note.Progress
					said += note.Message + "\n"
				}
				if !strings.Contains(said, call.says) {
					t.Errorf("%s: %q was reported, not %q", call.tool, said, call.says)
				}
			}
			c.OK("export_records", object{"tableId": table})
			if len(notes) != len(longCalls(table, base)) {
				t.Errorf("a call without a token has notified: %v", notes)
			}
		})
	}
}

// A notification is an event before the response, on the stream of the call, and has the token
// unchanged.
func TestProgressIsSentAsEvents(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t, mcp.EagerProgress)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"Deals","fields":[{"name":"Name","type":"text"},{"name":"Amount","type":"number"}]}`)
	arguments, err := json.Marshal(longCalls(table, base)[0].arguments)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{"7": "7", `"a"`: `"a"`, "null": "", "{}": ""} {
		for _, version := range []string{"2025-06-18", "2026-07-28"} {
			meta, header := `"progressToken":`+token, map[string]string{"Mcp-Protocol-Version": version}
			if version == "2026-07-28" {
				header["Mcp-Method"], header["Mcp-Name"] = "tools/call", "import_records"
				meta += `,"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
					`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
					`"io.modelcontextprotocol/clientCapabilities":{}`
			}
			response, body := s.Post(t, owner, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+
				`"name":"import_records","arguments":`+string(arguments)+`,"_meta":{`+meta+`}}}`, header)
			if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%s with %s: %d %s", version, token, response.StatusCode, body)
			}
			events := strings.Split(strings.TrimSpace(body), "\n\n")
			if !strings.Contains(events[len(events)-1], `"created":4000`) {
				t.Errorf("%s with %s: the last event is %s", version, token, events[len(events)-1])
			}
			if notes := events[:len(events)-1]; (len(notes) == 0) != (want == "") {
				t.Errorf("%s with %s: %d notifications", version, token, len(notes))
			}
			for _, event := range events[:len(events)-1] {
				if !strings.Contains(event, `"method":"notifications/progress"`) ||
					!strings.Contains(event, `"progressToken":`+want) || !strings.Contains(event, `"total":3`) {
					t.Errorf("%s with %s: %s", version, token, event)
				}
			}
		}
	}
}
