package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// testIsolation names a stranger's objects wherever a request can name one outside its path, which
// testRows covers. The response must equal the response to a random id, so that nobody learns what
// exists elsewhere.
func testIsolation(t *testing.T, w *world) {
	other := w.signUp(t)
	w.confirm(t, other)
	theirs, ours := other.caller.newFleet(t), w.newFleet(t)
	theirQuays := other.caller.in(t).ok("POST", "/bases/"+theirs.base+"/tables", `{"name":"Quays"}`).text("id")
	theirView := theirs.ok("POST", theirs.path("views"), `{"type":"grid"}`).text("id")
	theirWorkspace := other.caller.in(t).ok("GET", "/orgs/"+other.org+"/workspaces", "").text("workspaces.0.id")
	session := &fleet{
		caller:  w.owner.session.in(t),
		base:    ours.base,
		table:   ours.table,
		fields:  ours.fields,
		records: ours.records,
	}
	quays := ours.ok("POST", "/bases/"+ours.base+"/tables", `{"name":"Quays"}`).text("id")
	session.ok("POST", ours.path("fields"),
		fmt.Sprintf(`{"name":"Quay","type":"link","config":{"linkedTableId":%q}}`, quays))
	theirQuay := other.caller.in(t).ok("POST", "/tables/"+theirQuays+"/records", `{"fields":{"Name":"South"}}`).
		text("records.0.id")
	ours.ok("POST", ours.path("fields"), `{"name":"Master","type":"user"}`)
	ours.ok("POST", ours.path("fields"), `{"name":"Plans","type":"attachment"}`)
	theirFile := theirs.ok("POST", theirs.path("attachments"), `{"name":"plan.txt","content":"aGVsbG8="}`).text("id")
	quayFile := ours.ok("POST", "/tables/"+quays+"/attachments", `{"name":"plan.txt","content":"aGVsbG8="}`).text("id")
	ours.ok("POST", ours.path("views"), `{"type":"grid","name":"V"}`)
	view := ours.ok("GET", ours.path("views"), "").text("views.1.id")

	comment := "/records/" + ours.records["Aase"] + "/comments"
	own := ours.ok("POST", comment, `{"text":"First"}`).text("id")
	theirComment := theirs.ok("POST", "/records/"+theirs.records["Aase"]+"/comments", `{"text":"Theirs"}`).text("id")

	filter := func(id string) string {
		return query("filters", fmt.Sprintf(`[{"fieldId":%q,"op":"is_empty"}]`, id))
	}
	for name, test := range map[string]struct {
		caller       *fleet
		method, path string
		body         string // {id} is theirs or a random one, as in path
		id           string
	}{
		"filter":                {ours, "GET", ours.path("records") + "?filters={filter}", "", theirs.fields["Tons"]},
		"filter by a linked id": {ours, "GET", ours.path("records") + "?filters={link}", "", theirQuay},
		"sort":                  {ours, "GET", ours.path("records") + "?sorts={sort}", "", theirs.fields["Tons"]},
		"changes of a table":    {ours, "GET", "/bases/" + ours.base + "/change-sets?table={id}", "", theirs.table},
		"view":                  {ours, "GET", ours.path("records") + "?view={id}", "", theirView},
		"fields":                {ours, "GET", ours.path("records") + "?fields={id}", "", theirs.fields["Tons"]},
		"link value":            {ours, "POST", ours.path("records"), `{"fields":{"Quay":["{id}"]}}`, theirQuay},
		"link value, one record": {
			ours, "PATCH", "/records/" + ours.records["Aase"], `{"fields":{"Quay":["{id}"]}}`, theirQuay,
		},
		"user value":            {ours, "POST", ours.path("records"), `{"fields":{"Master":"{id}"}}`, other.id},
		"file value":            {ours, "POST", ours.path("records"), `{"fields":{"Plans":["{id}"]}}`, theirFile},
		"file of another table": {ours, "POST", ours.path("records"), `{"fields":{"Plans":["{id}"]}}`, quayFile},
		"file value, one record": {
			ours, "PATCH", "/records/" + ours.records["Aase"], `{"fields":{"Plans":[{"id":"{id}"}]}}`, theirFile,
		},
		"upsert": {
			ours, "POST", ours.path("records"), `{"upsertOn":["{id}"],"fields":{"Name":"x"}}`, theirs.fields["Name"],
		},
		"update of many": {
			ours, "PATCH", ours.path("records"), `{"records":[{"id":"{id}","fields":{}}]}`, theirs.records["Aase"],
		},
		"removal of many":      {ours, "DELETE", ours.path("records"), `{"ids":["{id}"]}`, theirs.records["Aase"]},
		"placement in an org":  {ours, "POST", "/bases", `{"name":"x","orgId":"{id}"}`, other.org},
		"placement in a space": {ours, "POST", "/bases", `{"name":"x","workspaceId":"{id}"}`, theirWorkspace},
		"workspace in an org":  {ours, "POST", "/workspaces", `{"name":"x","orgId":"{id}"}`, other.org},
		"move of a base":       {ours, "PATCH", "/bases/" + ours.base, `{"workspaceId":"{id}"}`, theirWorkspace},
		"linked table": {
			session, "POST", ours.path("fields"), `{"name":"x","type":"link","config":{"linkedTableId":"{id}"}}`,
			theirQuays,
		},
		"view config, filter": {
			ours, "PATCH", "/views/" + view, `{"config":{"filters":[{"fieldId":"{id}","op":"is_empty"}]}}`,
			theirs.fields["Tons"],
		},
		"view config, hidden": {
			ours, "PATCH", "/views/" + view, `{"config":{"hiddenFields":["{id}"]}}`, theirs.fields["Tons"],
		},
		"comment":              {ours, "GET", "/comments/{id}", "", theirComment},
		"change of a comment":  {ours, "PATCH", "/comments/{id}", `{"text":"x"}`, theirComment},
		"removal of a comment": {ours, "DELETE", "/comments/{id}", "", theirComment},
		"end of a thread":      {ours, "PUT", "/comments/{id}/resolution", `{"resolved":true}`, theirComment},
		"reply":                {ours, "POST", comment, `{"text":"x","replyTo":"{id}"}`, theirComment},
		"mention":              {ours, "POST", comment, `{"text":"@[x]({id})"}`, other.id},
		"mention in a change":  {ours, "PATCH", "/comments/" + own, `{"text":"@[x]({id})"}`, other.id},
		"comments of a record": {ours, "GET", "/records/{id}/comments", "", theirs.records["Aase"]},
		"count of comments":    {ours, "GET", "/tables/{id}/comments/count", "", theirs.table},
		"comment on a record":  {ours, "POST", "/records/{id}/comments", `{"text":"x"}`, theirs.records["Aase"]},
		"inbox of an org": {
			ours, "POST", "/orgs/{id}/inbox/read", `{"all":true}`, other.org,
		},
		"role of a member": {
			ours, "PATCH", "/orgs/" + w.owner.org + "/members/{id}", `{"role":"viewer"}`, other.id,
		},
		"removal of a member": {ours, "DELETE", "/orgs/" + w.owner.org + "/members/{id}", "", other.id},
		"revocation of an invite": {
			ours, "DELETE", "/orgs/" + w.owner.org + "/invitations/{id}", "",
			other.caller.in(t).ok("POST", "/orgs/"+other.org+"/invitations", `{"email":"x@example.com"}`).text("id"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(id string) (int, string) {
				path := strings.NewReplacer(
					"?filters={filter}", filter(id), "?filters={link}",
					query("filters", fmt.Sprintf(`[{"fieldId":"Quay","op":"has_any","value":[%q]}]`, id)),
					"?sorts={sort}", query("sorts", fmt.Sprintf(`[{"fieldId":%q,"dir":"asc"}]`, id)), "{id}", id,
				).Replace(test.path)
				a := test.caller.caller.in(t).do(test.method, path, strings.ReplaceAll(test.body, "{id}", id))
				return a.status, strings.NewReplacer(id, "ID", a.text("requestId"), "").Replace(a.raw)
			}
			status, foreign := ask(test.id)
			missing, random := ask(random(test.id))
			if status != missing || foreign != random {
				t.Errorf("a stranger's id gets %d %s\nand a random one %d %s", status, foreign, missing, random)
			}
			if status != http.StatusBadRequest && status != http.StatusNotFound &&
				!strings.Contains(foreign, `"records":[]`) {
				t.Errorf("%d %s", status, foreign)
			}
		})
	}
	if got := theirs.ok("GET", theirs.path("records"), ""); got.get("total") != 5.0 {
		t.Errorf("the stranger has %v records left", got.get("total"))
	}
}
