package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/internal/id"
)

// join sends a request with the header Change-Set, and returns its status, the change set of the
// response, and the body.
func join(t *testing.T, c *apitest.Client, method, path, body string, sets ...string) (int, string, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, c.URL()+api.Prefix+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", c.Key())
	request.Header.Set("Content-Type", "application/json")
	for _, set := range sets {
		request.Header.Add("Change-Set", set)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Change-Set"), string(answer)
}

func TestRequestsJoinAChangeSet(t *testing.T) {
	t.Parallel()
	c, w := newWorld(t, apitest.New(t))
	path := "/tables/" + w["tableId"] + "/records"
	joined := func(sets ...string) string {
		t.Helper()
		status, set, answer := join(t, c, "POST", path, `{"fields":{"Name":"x"}}`, sets...)
		if status != http.StatusOK || id.KindOf(set) != id.ChangeSet {
			t.Fatalf("%v: %d %s", sets, status, answer)
		}
		return set
	}
	named, alone := joined("Import"), joined()
	if joined("Import") != named || joined("Other") == named || joined(alone) != alone || joined() == alone {
		t.Error("requests joined other change sets than those they named")
	}
	for _, sets := range [][]string{{strings.Repeat("x", 101)}, {"a", "b"}, {"chs_x"}, {""}} {
		if status, set, answer := join(t, c, "POST", path, `{"fields":{"Name":"x"}}`,
			sets...); status != 400 || set != "" {
			t.Errorf("%v: %d %s %s", sets, status, set, answer)
		}
	}
	status, set, _ := join(t, c, "GET", path, "", "Import")
	if status != http.StatusOK || set != "" {
		t.Errorf("a read joins %q: %d", set, status)
	}
	raw, err := json.Marshal(c.OK("GET", "/bases/"+w["baseId"]+"/change-sets?detail=full", "")["changeSets"])
	if err != nil {
		t.Fatal(err)
	}
	var changes []struct {
		ID     string
		Name   *string
		Person struct{ ID, Name string }
		Tables []struct {
			ID      string
			Created int
		}
		Credential struct{ ID, Kind string }
	}
	if err := json.Unmarshal(raw, &changes); err != nil {
		t.Fatal(err)
	}
	found, ofRecords := false, 0
	for _, one := range changes {
		if len(one.Tables) > 0 {
			ofRecords++
		}
		if one.ID != named {
			continue
		}
		found = true
		if one.Name == nil || *one.Name != "Import" || len(one.Tables) != 1 || one.Tables[0].Created != 2 ||
			one.Person.ID != c.UserID() || one.Person.Name != "Test Person" || one.Credential.ID != "key_test" ||
			one.Credential.Kind != "api_key" {
			t.Errorf("%+v", one)
		}
	}
	if !found || ofRecords != 5 {
		t.Errorf("%s", raw)
	}
	if status, set, answer := join(t, c, "POST", "/bases", `{"name":"B"}`, "Import"); status != 200 || set != named {
		t.Errorf("a base in the change set: %d %s %s", status, set, answer)
	}
}

// A request and its change set share one id, so nobody can choose it.
func TestARequestIDNamesNoChangeSet(t *testing.T) {
	t.Parallel()
	c, w := newWorld(t, apitest.New(t))
	request, err := http.NewRequestWithContext(t.Context(), "PATCH", c.URL()+api.Prefix+"/records/"+w["recordId"],
		strings.NewReader(`{"fields":{"Name":"x"}}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", c.Key())
	request.Header.Set("Content-Type", "application/json")
	chosen := id.New()
	request.Header.Set("X-Request-Id", id.Format(id.Request, chosen))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if set := response.Header.Get("Change-Set"); set == "" || set == id.Format(id.ChangeSet, chosen) {
		t.Errorf("the change set is %q", set)
	}
}

// A write that changes nothing names no change set, because the log has none. If it joined a change
// set that other requests have written, it names that.
func TestAWriteThatChangesNothingNamesNoChangeSet(t *testing.T) {
	t.Parallel()
	c, w := newWorld(t, apitest.New(t))
	table := "/tables/" + w["tableId"] + "/records"
	other := c.OK("POST", table, `{"fields":{"Name":"Other"}}`)["records"].([]any)[0].(map[string]any)["id"].(string)
	many := func(first, second string) string {
		return `{"records":[{"id":"` + w["recordId"] + `","fields":{"Name":"` + first + `"}},{"id":"` + other +
			`","fields":{"Name":"` + second + `"}}]}`
	}
	send := func(method, path, body, set string, named bool) string {
		t.Helper()
		var sets []string
		if set != "" {
			sets = []string{set}
		}
		status, header, answer := join(t, c, method, path, body, sets...)
		var out struct{ ChangeSet string }
		if err := json.Unmarshal([]byte(answer), &out); err != nil || status != http.StatusOK {
			t.Fatalf("%s %s %s: %d %s", method, path, body, status, answer)
		}
		if (header != "") != named || out.ChangeSet != header {
			t.Errorf("%s %s %s, joining %q: the header names %q, the body %q", method, path, body, set, header,
				out.ChangeSet)
		}
		return header
	}
	one := "/records/" + w["recordId"]
	send("PATCH", one, `{"fields":{"Name":"First"}}`, "", false)
	send("PATCH", one, `{"fields":{}}`, "", false)
	send("PATCH", table, many("First", "Other"), "", false)
	send("PATCH", table, many("First", "Changed"), "", true)
	send("POST", table, `{"upsertOn":["Name"],"fields":{"Name":"First"}}`, "", false)
	upsert := `{"upsertOn":["Name"],"records":[{"fields":{"Name":"First"}},{"fields":{"Name":"New"}}]}`
	send("POST", table, upsert, "", true)
	send("PATCH", one, `{"fields":{"Name":"First"}}`, "Import", false)
	written := send("PATCH", one, `{"fields":{"Name":"Second"}}`, "Import", true)
	if joined := send("PATCH", one, `{"fields":{"Name":"Second"}}`, "Import", true); joined != written {
		t.Errorf("joined %s, want %s", joined, written)
	}
	// Neither does a revert that leaves everything out.
	send("PATCH", one, `{"fields":{"Name":"Third"}}`, "", true)
	revert := `{"changeSets":["` + written + `"],"onConflict":"skip"}`
	send("POST", "/bases/"+w["baseId"]+"/changes/revert", revert, "", false)
}
