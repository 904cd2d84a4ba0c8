package mcp_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// An export through a tool stays within its tokens, says what was cut, and continues to the end.
func TestExportIsBudgeted(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"People","fields":[{"name":"Name","type":"text"},{"name":"Note","type":"text"}]}`)
	var text strings.Builder
	text.WriteString("Name,Note\n")
	for i := range 900 {
		fmt.Fprintf(&text, "Person %d,\"says \"\"hello\"\", and more %d\"\n", i, i*i)
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	c.OK("import_records", object{"tableId": table, "csv": text.String()})
	var rows [][]string
	in := object{"tableId": table, "maxTokens": 5000}
	calls := 0
	for calls = 1; calls < 30; calls++ {
		got := c.OK("export_records", in)
		part, err := csv.NewReader(strings.NewReader(got["csv"].(string))).ReadAll()
		if err != nil || len(part) != int(got["rows"].(float64))+1 || part[0][0] != "Name" {
			t.Fatal(err, len(part), got["rows"])
		}
		rows = append(rows, part[1:]...)
		note, _ := got["note"].(string)
		if got["hasMore"] != true {
			if strings.Contains(note, "cursor") {
				t.Errorf("the last part says %q", note)
			}
			break
		}
		if !strings.Contains(note, fmt.Sprintf("Rows: %d of 900. Continue with the cursor", len(part)-1)) {
			t.Errorf("a part says %q", note)
		}
		in["cursor"] = got["cursor"]
	}
	if len(rows) != 900 || rows[899][0] != "Person 899" || calls < 3 {
		t.Errorf("%d rows in %d calls", len(rows), calls)
	}
	linked, err := c.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "export_records", Arguments: object{"tableId": table, "fields": []string{"Name"}, "maxTokens": 1000},
	})
	if err != nil || len(linked.Content) != 2 {
		t.Fatal(err, linked)
	}
	link := linked.Content[1].(*sdk.ResourceLink)
	if part, ok := strings.CutPrefix(link.URI, s.URL); !ok || link.MIMEType != "text/csv" {
		t.Errorf("the link is %+v", link)
	} else if text := download(t, s.REST.URL+part); strings.Count(text, "\r\n") != 901 ||
		!strings.HasSuffix(text, "\nPerson 899\r\n") {
		t.Errorf("the link has %d lines: %.50q", strings.Count(text, "\r\n"), text)
	}
	whole := c.OK("export_records", object{"tableId": table, "fields": []string{"Name"}, "maxTokens": 25000})
	if whole["rows"] != 900.0 || whole["hasMore"] != false {
		t.Errorf("%v rows, more %v", whole["rows"], whole["hasMore"])
	}
}

// download fetches an address without a credential.
func download(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(err, response.StatusCode, string(text))
	}
	return string(text)
}
