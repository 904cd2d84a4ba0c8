package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
)

// changeSetOf sends a write and returns its change set.
func changeSetOf(t *testing.T, c *apitest.Client, method, path, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.URL()+api.Prefix+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("x-api-key", c.Key())
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	set := response.Header.Get("Change-Set")
	if response.StatusCode != http.StatusOK || set == "" {
		t.Fatalf("%d, change set %q", response.StatusCode, set)
	}
	return set
}

func TestRevertAnswersPlanAndConflicts(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/bases/" + w["baseId"] + "/changes/revert"
	set := changeSetOf(t, c, "PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	body := func(rest string) string { return fmt.Sprintf(`{"changeSets":[%q]%s}`, set, rest) }
	plan := c.OK("POST", path, body(`,"dryRun":true`))
	if plan["records"] != 1.0 || plan["dryRun"] != true || plan["conflictCount"] != 0.0 {
		t.Errorf("the plan is %v", plan)
	}
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Third"}}`)
	c.Refused(http.StatusConflict, "POST", path, body(""), "revert_conflict", `"value":"First"`, `"present":"Third"`,
		w["recordId"], c.UserID(), "key_test", `"changeSet":"chs_`)
	plan = c.OK("POST", path, body(`,"onConflict":"skip"`))
	if plan["records"] != 0.0 || plan["conflictCount"] != 1.0 {
		t.Errorf("skipped: %v", plan)
	}
	c.OK("POST", path, body(`,"onConflict":"overwrite"`))
	if got := c.OK("GET", "/records/"+w["recordId"], "")["fields"].(map[string]any)["Name"]; got != "First" {
		t.Errorf("the record is called %v", got)
	}
	// A base does not show the changes of another base.
	other := c.ID("POST", "/bases", `{"name":"Other"}`)
	c.Refused(http.StatusNotFound, "POST", "/bases/"+other+"/changes/revert", body(""), set)
	for input, word := range map[string]string{
		`{}`:                               "changeSets",
		`{"changeSets":["chs_x"]}`:         "changeSets[0]",
		`{"credential":"key_test"}`:        "since",
		`{"since":"2026-01-01T00:00:00Z"}`: "credential",
		`{"credential":"key_test","since":"yesterday"}`:                                   "RFC 3339",
		`{"changeSets":["chs_x"],"credential":"key_test","since":"2026-01-01T00:00:00Z"}`: "conflicts with",
		`{"changeSets":["chs_x"],"onConflict":"merge"}`:                                   "onConflict",
	} {
		c.Refused(http.StatusBadRequest, "POST", path, input, word)
	}
}
