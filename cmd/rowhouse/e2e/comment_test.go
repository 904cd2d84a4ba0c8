package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// testComments has two people talk about a record, from the mention and its mail to the end.
func testComments(t *testing.T, w *world) {
	f := w.newFleet(t)
	ola, stranger := w.signUp(t), w.signUp(t)
	w.confirm(t, ola)
	w.join(t, w.owner, ola, "editor")
	of := "/records/" + f.records["Solveig"] + "/comments"
	now := f.ok("GET", "/bases/"+f.base+"/changes", "").text("cursor")

	text := fmt.Sprintf("Is @[Ola](%s) sure of the tons?", ola.id)
	first := f.ok("POST", of, fmt.Sprintf(`{"text":%q}`, text))
	if first.text("threadId") != first.text("id") || first.text("mentions.0.id") != ola.id ||
		!strings.Contains(first.text("text"), first.text("mentions.0.name")) {
		t.Error(first.raw)
	}
	mail := w.service.Mail.Await(t, ola.email, "record="+f.records["Solveig"])
	if !strings.Contains(mail, "comment="+first.text("id")) || strings.Contains(mail, "sure of the tons") {
		t.Errorf("the mail says %s", mail)
	}

	theirs := ola.caller.in(t)
	inbox := theirs.ok("GET", "/inbox?unread=true", "")
	if inbox.get("unread") != 1.0 || inbox.text("items.0.comment.id") != first.text("id") ||
		inbox.text("items.0.record.name") != "Solveig" || inbox.text("items.0.reason") != "mention" {
		t.Error(inbox.raw)
	}
	reply := theirs.ok("POST", of, fmt.Sprintf(`{"text":"Yes.","replyTo":%q}`, first.text("id")))
	read := fmt.Sprintf(`{"items":[%q]}`, inbox.text("items.0.id"))
	theirs.ok("POST", "/orgs/"+w.owner.org+"/inbox/read", read)
	if left := theirs.ok("GET", "/inbox", ""); left.get("unread") != 0.0 || left.text("items.0.readAt") == "" {
		t.Error(left.raw)
	}
	if inbox := f.ok("GET", "/inbox?limit=1", ""); inbox.text("items.0.reason") != "reply" {
		t.Error(inbox.raw)
	}

	counts := f.ok("GET", f.path("comments/count")+"?records="+f.records["Solveig"], "")
	if one, _ := asList(counts.get("counts"))[0].(map[string]any); one["recordId"] != f.records["Solveig"] ||
		one["threadId"] != first.text("threadId") || one["threads"] != 1.0 || counts.get("any") != true {
		t.Errorf("counted %s", counts.raw)
	}
	f.refused(http.StatusBadRequest, "GET", f.path("comments/count")+"?records=rec_1", "", "records[0]")
	comment := "/comments/" + first.text("id")
	theirs.refused(403, "PATCH", comment, `{"text":"No."}`, "author")
	theirs.refused(403, "DELETE", comment, "", "author")
	f.ok("PATCH", comment, `{"text":"Who is sure of the tons?"}`)
	theirs.ok("PUT", comment+"/resolution", `{"resolved":true}`)
	if got := theirs.ok("GET", comment, ""); got.text("resolvedBy.id") != ola.id || got.text("editedAt") == "" {
		t.Error(got.raw)
	}
	f.ok("DELETE", "/comments/"+reply.text("id"), "")
	list := f.ok("GET", of+"?limit=1", "")
	if list.text("comments.0.text") != "Who is sure of the tons?" || list.get("nextCursor") != nil {
		t.Error(list.raw)
	}
	var actions []string
	page := f.ok("GET", "/bases/"+f.base+"/changes?kinds=commented&cursor="+now, "")
	for _, change := range asList(page.get("changes")) {
		action, _ := at(change, "action").(string)
		actions = append(actions, action)
	}
	if got := strings.Join(actions, " "); got != "created created edited resolved deleted" {
		t.Errorf("the feed tells %s", got)
	}

	settings := "/orgs/" + w.owner.org + "/notifications"
	theirs.ok("PATCH", settings, `{"mail":false}`)
	if got := theirs.ok("GET", settings, ""); got.get("mail") != false || got.get("inbox") != true {
		t.Error(got.raw)
	}
	f.refused(400, "POST", of, fmt.Sprintf(`{"text":"@[Kari](%s)"}`, stranger.id), "text", "Kari", "not a member")
	stranger.caller.in(t).refused(404, "GET", comment, "")
	f.ok("PATCH", "/orgs/"+w.owner.org+"/members/"+ola.id, `{"role":"viewer"}`)
	theirs.refused(403, "POST", of, `{"text":"x"}`, "editor")
	theirs.ok("GET", of, "")
	f.ok("DELETE", "/orgs/"+w.owner.org+"/members/"+ola.id, "")
	theirs.refused(http.StatusNotFound, "GET", of, "")
	if got := theirs.ok("GET", "/inbox", ""); len(asList(got.get("items"))) != 0 {
		t.Errorf("who has left still has an inbox: %s", got.raw)
	}
}
