package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Operations that a credential restricted to one base may call although the path names no base.
// Their responses contain nothing else.
var withinBases = []string{
	"get_me", "list_orgs", "get_org", "list_members", "list_workspaces", "list_bases", "list_field_types",
	"list_org_trash", "list_inbox", "mark_inbox_read", "get_notifications", "list_jobs", "list_templates",
}

func TestRestrictedCredentialReadsOnlyItsBases(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, ours := newWorld(t, s)
	ours.addFile(owner)
	base, err := id.Parse(id.Base, ours["baseId"])
	if err != nil {
		t.Fatal(err)
	}

	// Another base in its own workspace. Its name and the names of everything in it must not be
	// revealed.
	hidden := world{"orgId": owner.Org(), "userId": ours["userId"], "deletedOrgId": ours["deletedOrgId"]}
	hidden["workspaceId"] = owner.ID("POST", "/workspaces", `{"orgId":"`+owner.Org()+`","name":"Hidden workspace"}`)
	hidden["baseId"] = owner.ID("POST", "/bases", `{"name":"Hidden base","workspaceId":"`+hidden["workspaceId"]+`"}`)
	hidden["tableId"] = owner.ID("POST", "/bases/"+hidden["baseId"]+"/tables", `{"name":"Hidden table"}`)
	hidden["fieldId"] = owner.ID("POST", "/tables/"+hidden["tableId"]+"/fields",
		`{"name":"Hidden field","type":"text"}`)
	hidden["dateFieldId"], hidden["linkFieldId"] = hidden["fieldId"], hidden["fieldId"]
	hidden["viewId"] = owner.ID("POST", "/tables/"+hidden["tableId"]+"/views",
		`{"type":"gallery","name":"Hidden view"}`)
	hidden["dashboardId"] = owner.ID("POST", "/bases/"+hidden["baseId"]+"/dashboards", `{"name":"Hidden dashboard"}`)
	made := owner.OK("POST", "/tables/"+hidden["tableId"]+"/records", `{"fields":{"Hidden field":"Hidden x"}}`)
	hidden["recordId"] = made["records"].([]any)[0].(map[string]any)["id"].(string)
	member := s.As(t, apitest.Principal(ours.user(t), owner.Orgs[0].Org, organization.Editor))
	hidden["commentId"] = member.ID("POST", "/records/"+hidden["recordId"]+"/comments",
		`{"text":"Hidden text for @[me](`+owner.UserID()+`)"}`)
	hidden["groupId"] = owner.ID("POST", "/orgs/"+owner.Org()+"/groups", `{"name":"Hidden group"}`)
	hidden["invitationId"] = owner.ID("POST", "/orgs/"+owner.Org()+"/invitations", `{"email":"hidden@example.com"}`)
	owner.OK("PUT", "/bases/"+hidden["baseId"]+"/share", `{}`)
	hidden["trashedViewId"] = owner.ID("POST", "/tables/"+hidden["tableId"]+"/views", `{"type":"gallery",`+
		`"name":"Hidden former view"}`)
	owner.OK("DELETE", "/views/"+hidden["trashedViewId"], "")
	hidden["trashedBaseId"] = owner.ID("POST", "/bases", `{"name":"Hidden former base"}`)
	owner.OK("DELETE", "/bases/"+hidden["trashedBaseId"], "")
	hidden["jobId"] = owner.ID("POST", "/tables/"+hidden["tableId"]+"/exports", `{"format":"csv"}`)
	hidden.addFile(owner)
	hidden.addWebhook(t, s, owner, `{"url":"https://hidden.example/","name":"Hidden webhook"}`)
	// Another organization of the same person, which contains none of the bases.
	other, err := organization.Create(t.Context(), s.Deps.DB, owner.Person, "Hidden organization")
	if err != nil {
		t.Fatal(err)
	}
	otherOrg := id.Format(id.Org, other.ID)

	p := *owner.Principal
	p.Orgs = append(slices.Clone(p.Orgs), authz.Membership{Org: other.ID, Role: organization.Owner})
	p.Bases = []uuid.UUID{base}
	narrow := s.As(t, &p)
	secrets := []string{"Hidden", "hidden@", otherOrg}
	for name, public := range hidden {
		if name != "orgId" && name != "userId" {
			secrets = append(secrets, public)
		}
	}
	for _, op := range operation.Catalogue() {
		if op.Method != http.MethodGet {
			continue
		}
		method, path, body := ours.request(t, op)
		status, decoded, raw := narrow.Do(method, path, body)
		named := slices.ContainsFunc(
			[]string{"baseId", "tableId", "fieldId", "viewId", "recordId", "commentId", "jobId"},
			func(name string) bool { return strings.Contains(op.Path, "{"+name+"}") })
		switch {
		case named || slices.Contains(withinBases, op.Name):
			if status != http.StatusOK {
				t.Errorf("%s in the base itself: %d %s", op.Name, status, raw)
			}
		case status != http.StatusForbidden || decoded["code"] != "narrowed_credential":
			t.Errorf("%s is neither of the base nor refused: %d %s", op.Name, status, raw)
		}
		for _, secret := range secrets {
			if strings.Contains(raw, secret) {
				t.Errorf("%s tells %q: %s", op.Name, secret, raw)
			}
		}
	}
	for _, op := range operation.Catalogue() {
		if slices.Contains(withinBases, op.Name) || op.Name == "list_audit_events" || op.Name == "list_invitations" {
			continue
		}
		method, path, body := hidden.request(t, op)
		status, _, raw := narrow.Do(method, path, strings.ReplaceAll(body, `"Name"`, `"Hidden field"`))
		if status != http.StatusNotFound && status != http.StatusForbidden {
			t.Errorf("%s beyond the base: %d %s", op.Name, status, raw)
		}
		for _, secret := range secrets {
			if echo := strings.Contains(path+body, secret); !echo && strings.Contains(raw, secret) {
				t.Errorf("%s beyond the base tells %q: %s", op.Name, secret, raw)
			}
		}
	}
	narrow.Refused(http.StatusNotFound, "GET", "/orgs/"+otherOrg, "", "organization")
	narrow.Refused(http.StatusForbidden, "PATCH", "/bases/"+ours["baseId"],
		`{"workspaceId":"`+hidden["workspaceId"]+`"}`, "narrowed_credential")
}

func TestRestrictedKeyCannotReadAuditLog(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	base, err := id.Parse(id.Base, w["baseId"])
	if err != nil {
		t.Fatal(err)
	}
	p := apitest.Principal(tenancytest.Person(t, s.Deps.DB), owner.Orgs[0].Org, organization.Admin)
	p.Scopes, p.Bases = []authz.Scope{authz.MembersManage}, []uuid.UUID{base}
	s.As(t, p).Refused(http.StatusForbidden, "GET", "/orgs/"+owner.Org()+"/audit", "", "narrowed_credential")
	s.As(t, p).Refused(http.StatusForbidden, "GET", "/orgs/"+owner.Org()+"/invitations", "", "narrowed_credential")
}
