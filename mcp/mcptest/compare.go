package mcptest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var (
	anID = regexp.MustCompile(
		`\b(?:[a-z]{3}_[0-9a-hjkmnp-tv-z]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`,
	)
	aVersion  = regexp.MustCompile(`\b1[5-9]\d{14}\b`) // microseconds
	aMoment   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	aDuration = regexp.MustCompile(`"milliseconds":\d+`)
	anOpaque  = regexp.MustCompile(`"(requestId|cursor|nextCursor|url|thumbnailUrl|Manual order)":"[^"]*"`)
)

// normalize returns JSON with ids, moments and other things that always differ replaced.
func normalize(answer []byte, seen map[string]string) string {
	text := anID.ReplaceAllStringFunc(strings.TrimSpace(string(answer)), func(found string) string {
		if strings.HasPrefix(found, "grt_") {
			return "GRANT" // an agent gets another one when it asks for more scopes
		}
		if seen[found] == "" {
			seen[found] = fmt.Sprintf("%.3s#%d", found, len(seen))
			if id.KindOf(found) == id.Record {
				seen[id.Short(found)] = "short " + seen[found]
			}
			if !strings.Contains(found, "_") {
				seen[found] = fmt.Sprintf("uuid#%d", len(seen))
			}
		}
		return seen[found]
	})
	for found, shown := range seen {
		if strings.HasPrefix(shown, "short ") {
			text = strings.ReplaceAll(text, `"`+found+`"`, `"`+shown+`"`)
		}
	}
	text = aVersion.ReplaceAllString(aMoment.ReplaceAllString(text, "MOMENT"), "VERSION")
	text = aClient.ReplaceAllString(text, `"kind":"oauth","name":"CLIENT"`)
	text = aCredential.ReplaceAllString(text, `"credential":"CREDENTIAL"`)
	text = aDuration.ReplaceAllString(text, `"milliseconds":0`)
	return anOpaque.ReplaceAllString(text, `"$1":"…"`)
}

// aClient is the name of the program with which an agent's credential was granted.
var aClient = regexp.MustCompile(`"kind":"oauth","name":"[^"]*"`)

// aCredential matches the credential, or the key's name, in short histories.
var aCredential = regexp.MustCompile(`"credential":"[^"]*"`)

// Compare reports each step whose results differ.
func Compare(t testing.TB, name string, want, got []string) {
	t.Helper()
	for i := range want {
		if strings.HasPrefix(want[i], "query_sql ") && tenancytest.DB(t).Distributed() {
			continue // SQL is off on Citus
		}
		if want[i] != got[i] {
			t.Errorf("step %d of %s differs:\nREST %s\nMCP  %s", i, name, want[i], got[i])
		}
	}
}
