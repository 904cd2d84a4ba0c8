package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// restored notes which records it was asked to restore.
type restored struct{ records []string }

func (r *restored) Restore(
	_ context.Context, _ record.Actor, _ uuid.UUID, records []string, _ bool,
) (map[string][]string, error) {
	r.records = append(r.records, records...)
	return nil, nil
}

func names(items any) []string {
	var list []string
	for _, item := range items.([]any) {
		item := item.(map[string]any)
		list = append(list, item["kind"].(string)+" "+item["name"].(string))
	}
	return list
}

func items(ids ...string) string {
	encoded, err := json.Marshal(map[string][]string{"items": ids})
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func TestTrashOfBase(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	records := &restored{}
	s.Deps.Trash.Restorer = records
	c, w := newWorld(t, s)
	list := func() []string { return names(c.OK("GET", "/bases/"+w["baseId"]+"/trash", "")["items"]) }
	c.OK("DELETE", "/fields/"+w["fieldId"], "")
	c.OK("DELETE", "/records/"+w["recordId"], "")
	if got := list(); !slices.Equal(got, []string{"record First", "field Spare", "view Gallery"}) {
		t.Errorf("the trash has %q", got)
	}
	page := c.OK("GET", "/bases/"+w["baseId"]+"/trash?kinds=field&kinds=record&limit=1", "")
	first := page["items"].([]any)[0].(map[string]any)
	if first["base"].(map[string]any)["name"] != "Base" || first["table"].(map[string]any)["id"] != w["tableId"] ||
		first["deletedBy"].(map[string]any)["name"] != "Test Person" || first["id"] != w["recordId"] {
		t.Errorf("the item says %v", first)
	}
	next := c.OK("GET", "/bases/"+w["baseId"]+"/trash?kinds=field&kinds=record&cursor="+page["nextCursor"].(string), "")
	if got := names(next["items"]); !slices.Equal(got, []string{"field Spare"}) || next["nextCursor"] != nil {
		t.Errorf("the next page has %q", got)
	}
	c.Refused(http.StatusBadRequest, "GET", "/bases/"+w["baseId"]+"/trash?kinds=fields", "", "field")

	restore := "/bases/" + w["baseId"] + "/trash/restore"
	owner, base := c.Orgs[0].Org, w["baseId"]
	editor := apitest.Principal(tenancytest.Person(t, s.Deps.DB), owner, organization.Editor)
	s.As(t, editor).Refused(http.StatusForbidden, "POST", restore, items(w["fieldId"]), "insufficient_role")
	writer := apitest.Principal(c.Person, owner, organization.Owner)
	writer.Scopes = []authz.Scope{authz.DataWrite}
	s.As(t, writer).Refused(http.StatusForbidden, "POST", restore, items(w["trashedViewId"]), "insufficient_scope",
		"schema:write")
	s.As(t, editor).OK("POST", restore, items(w["trashedViewId"]))
	s.As(t, writer).OK("POST", restore, items(w["recordId"]))
	if !slices.Equal(records.records, []string{w["recordId"]}) {
		t.Errorf("restored were %v", records.records)
	}
	got := c.OK("POST", restore, items(w["fieldId"]))["restored"].([]any)[0].(map[string]any)
	if got["id"] != w["fieldId"] || got["name"] != "Spare" || got["kind"] != "field" {
		t.Errorf("restored was %v", got)
	}
	if got := list(); !slices.Equal(got, []string{"record First"}) {
		t.Errorf("the trash has %q", got)
	}
	c.OK("DELETE", "/tables/"+w["tableId"], "")
	purge := "/bases/" + base + "/trash/purge"
	s.As(t, editor).Refused(http.StatusForbidden, "POST", purge, items(w["tableId"]), "insufficient_role")
	c.OK("POST", purge, items(w["tableId"]))
	c.Refused(http.StatusNotFound, "POST", restore, items(w["tableId"]))
	if got := list(); len(got) > 0 {
		t.Errorf("the trash has %q", got)
	}
}

func TestTrashOfOrganization(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/orgs/" + c.Org() + "/trash"
	if got := names(c.OK("GET", path, "")["items"]); !slices.Equal(got, []string{"base Former", "view Gallery"}) {
		t.Errorf("the trash has %q", got)
	}
	restricted := apitest.Principal(c.Person, c.Orgs[0].Org, organization.Owner)
	base, err := id.Parse(id.Base, w["baseId"])
	if err != nil {
		t.Fatal(err)
	}
	restricted.Bases = []uuid.UUID{base}
	if got := names(s.As(t, restricted).OK("GET", path, "")["items"]); !slices.Equal(got, []string{"view Gallery"}) {
		t.Errorf("a restricted credential sees %q", got)
	}
	s.As(t, restricted).Refused(http.StatusForbidden, "POST", path+"/restore", items(w["trashedBaseId"]))
	c.Refused(http.StatusNotFound, "POST", path+"/restore", items(w["trashedViewId"]))
	c.OK("POST", path+"/restore", items(w["trashedBaseId"]))
	c.OK("GET", "/bases/"+w["trashedBaseId"], "")
	c.OK("DELETE", "/bases/"+w["trashedBaseId"], "")
	c.OK("POST", path+"/purge", items(w["trashedBaseId"]))
	c.Refused(http.StatusNotFound, "POST", path+"/restore", items(w["trashedBaseId"]))
	kept := c.OK("GET", "/orgs/"+c.Org()+"/retention", "")
	if kept["trashDays"] != 30.0 || kept["historyDays"] != 90.0 || kept["historyBytes"].(float64) < 1 ||
		!strings.HasPrefix(kept["historySince"].(string), "20") {
		t.Errorf("kept is %v", kept)
	}
	events := c.OK("GET", "/orgs/"+c.Org()+"/audit?action=restore_bases", "")["events"].([]any)
	if len(events) != 1 || !strings.HasPrefix(events[0].(map[string]any)["changeSet"].(string), "chs_") {
		t.Errorf("the audit log tells %v", events)
	}
}
