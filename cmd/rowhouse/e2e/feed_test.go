package e2e

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// testFeed reads the changes of a base, and watches them.
func testFeed(t *testing.T, w *world) {
	// The library that holds answers against the document knows no body of this type.
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder)
	f := w.newFleet(t)
	path := "/bases/" + f.base + "/changes"

	t.Run("changes come after the cursor, in their order", func(t *testing.T) {
		f := f.in(t)
		now := f.ok("GET", path, "").text("cursor")
		f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Ferry"}}`)
		f.ok("DELETE", "/records/"+f.records["Aase"], "")
		changes := f.ok("GET", path+"?wait=5&cursor="+now, "")
		if changes.get("changes.0.kind") != "updated" || changes.get("changes.0.after.Kind") != "Ferry" ||
			changes.get("changes.1.kind") != "deleted" || changes.get("changes.1.before.Name") != "Aase" {
			t.Error(changes.raw)
		}
	})

	t.Run("changes are told to who watches the base", func(t *testing.T) {
		f := f.in(t)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			f.baseURL+"/api/v1/bases/"+f.base+"/live", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range f.header {
			request.Header[name] = values
		}
		response, err := f.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		ends := time.AfterFunc(20*time.Second, func() { _ = response.Body.Close() })
		defer ends.Stop()
		var received strings.Builder
		lines := bufio.NewScanner(response.Body)
		until := func(word string) {
			for !strings.Contains(received.String(), word) && lines.Scan() {
				received.WriteString(lines.Text() + "\n")
			}
			if !strings.Contains(received.String(), word) {
				t.Fatalf("%q is not in %s", word, received.String())
			}
		}
		until("event: ready")
		name := fmt.Sprintf("Seen %d", time.Now().UnixNano())
		f.ok("PATCH", "/records/"+f.records["Ingrid"], fmt.Sprintf(`{"fields":{"Name":%q}}`, name))
		until(name)
		f.ok("PUT", "/bases/"+f.base+"/presence", `{"page":"of a test"}`)
		until("event: presence")
		until("of a test")
		if err := w.contract.judge(request, nil, response, []byte(received.String())); err != nil {
			t.Error(err)
		}
	})
}
