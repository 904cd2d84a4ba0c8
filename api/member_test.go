package api_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// The plan of removing a member, and the response, say what ends with the person and what goes on
// naming them.
func TestRemovingAMemberListsWhatItChanges(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	user, table := w["userId"], "/tables/"+w["tableId"]
	person, err := id.Parse(id.User, user)
	if err != nil {
		t.Fatal(err)
	}
	leaver := s.As(t, apitest.Principal(person, c.Orgs[0].Org, organization.Admin))
	who := c.ID("POST", table+"/fields", `{"name":"Who","type":"user","config":{"default":"`+user+`"}}`)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Who":"`+user+`"}}`)
	filter := `[{"fieldId":"` + who + `","op":"has_any","value":["` + user + `"]}]`
	filtered := c.ID("POST", table+"/views", `{"type":"grid","name":"Theirs"}`)
	c.OK("PATCH", "/views/"+filtered, `{"config":{"filters":`+filter+`}}`)
	own := leaver.ID("POST", table+"/views", `{"type":"grid","name":"Mine","access":"personal"}`)
	compares := c.ID("POST", "/bases/"+w["baseId"]+"/webhooks",
		`{"url":"https://example.com/a","name":"A","tables":["`+w["tableId"]+`"],"filters":`+filter+`}`)
	owned := leaver.ID("POST", "/bases/"+w["baseId"]+"/webhooks", `{"url":"https://example.com/b","name":"B"}`)
	hash := make([]byte, 32)
	_, _ = rand.Read(hash)
	if _, err := tenancytest.Admin(t).Exec(t.Context(), `insert into rowhouse.api_key
		(id, person_id, name, secret_hash, prefix, last_four, scopes)
		values ($1, $2, 'Key', $3, 'p', 'abcd', '{data:read}')`, id.New(), person, hash); err != nil {
		t.Fatal(err)
	}
	want := [][2]string{
		{user, "1 API key"},
		{filtered, `the view "Theirs" would name somebody who is no longer a member`},
		{own, `the view "Mine", which is personal, would be seen by administrators only`},
		{who, `the field "Who" would still give the person to new records`},
		{compares, `the filter of the webhook "A"`},
		{owned, `the webhook "B" would be disabled`},
	}
	counted := [2]string{who, "would still name the person in 1 record"}
	lists := func(what string, answer map[string]any, want ...[2]string) {
		t.Helper()
		losses, _ := answer["losses"].([]any)
		for _, one := range want {
			found := false
			for _, loss := range losses {
				item := loss.(map[string]any)
				found = found || item["path"] == one[0] && strings.Contains(item["message"].(string), one[1])
			}
			if !found {
				t.Errorf("%s lists no %q of %s: %v", what, one[1], one[0], losses)
			}
		}
		if len(losses) != len(want) {
			t.Errorf("%s lists %d losses, want %d: %v", what, len(losses), len(want), losses)
		}
	}
	path := "/orgs/" + w["orgId"] + "/members/" + user
	lists("the plan", c.OK("DELETE", path+"?plan=true", ""), append(want, counted)...)
	blind := apitest.Principal(c.Person, c.Orgs[0].Org, organization.Owner)
	blind.Scopes = []authz.Scope{authz.MembersManage}
	if plan := fmt.Sprint(s.As(t, blind).OK("DELETE", path+"?plan=true", "")); strings.Contains(plan, "Theirs") ||
		strings.Contains(plan, "Who") || strings.Contains(plan, "Mine") || !strings.Contains(plan, filtered) {
		t.Errorf("whoever may not read the schema is told %s", plan)
	}
	if members := fmt.Sprint(c.OK("GET", "/orgs/"+w["orgId"]+"/members", "")); !strings.Contains(members, user) {
		t.Error("a plan has removed the member")
	}
	token := c.OK("DELETE", path+"?plan=true", "")["planToken"].(string)
	c.OK("POST", table+"/records", `{"fields":{"Name":"Later"}}`) // the default names the person
	c.Refused(http.StatusConflict, "DELETE", path+"?apply="+token, "")
	token = c.OK("DELETE", path+"?plan=true", "")["planToken"].(string)
	lists("the answer", c.OK("DELETE", path+"?apply="+token, ""), append(want,
		[2]string{who, "would still name the person in 2 records"})...)
	c.Refused(http.StatusNotFound, "DELETE", path+"?plan=true", "")
}
