package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type event struct {
	id, name string
	data     map[string]any
}

// watch opens a stream, and sends its events to the channel until it ends.
func watch(t *testing.T, c *apitest.Client, base, last string) <-chan event {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL()+api.Prefix+"/bases/"+base+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", c.Key())
	if last != "" {
		request.Header.Set("Last-Event-Id", last)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, %v", response.StatusCode, response.Header)
	}
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		var one event
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case name == "id":
				one.id = value
			case name == "event":
				one.name = value
			case name == "data":
				_ = json.Unmarshal([]byte(value), &one.data)
			case lines.Text() == "" && one.name != "":
				events <- one
				one = event{}
			}
		}
	}()
	return events
}

func next(t *testing.T, events <-chan event, name string) event {
	t.Helper()
	select {
	case got, open := <-events:
		if !open || got.name != name {
			t.Fatalf("the event is %+v, and not %s", got, name)
		}
		return got
	case <-time.After(10 * time.Second):
		t.Fatalf("there is no event %s", name)
	}
	return event{}
}

func TestWatchersGetChanges(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	rename := func(name string) { c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"`+name+`"}}`) }
	one, two := watch(t, c, w["baseId"], ""), watch(t, c, w["baseId"], "")
	begin := next(t, one, "ready")
	next(t, two, "ready")
	if begin.data["cursor"] != begin.id || begin.id == "" {
		t.Errorf("the first event is %+v", begin)
	}
	rename("Second")
	for _, events := range []<-chan event{one, two} {
		got := next(t, events, "change")
		if got.data["kind"] != "updated" || got.data["cursor"] != got.id || got.data["record"] != w["recordId"] ||
			got.data["after"].(map[string]any)["Name"] != "Second" {
			t.Errorf("told of %+v", got)
		}
	}
	rename("Third")
	third := next(t, one, "change")
	rename("Fourth")
	// A watcher that was away gets what it missed, once, and then new changes.
	for last, names := range map[string][]string{
		begin.id: {"Second", "Third", "Fourth"}, third.id: {"Fourth"},
	} {
		back := watch(t, c, w["baseId"], last)
		if ready := next(t, back, "ready"); ready.id != last {
			t.Errorf("resumed from %s", ready.id)
		}
		for _, name := range names {
			if got := next(t, back, "change"); got.data["after"].(map[string]any)["Name"] != name {
				t.Errorf("after %s, told of %+v, and not %s", last, got, name)
			}
		}
	}
	// Watchers of other bases get nothing.
	other := c.ID("POST", "/bases", `{"name":"Other"}`)
	elsewhere := watch(t, c, other, "")
	next(t, elsewhere, "ready")
	rename("Fifth")
	c.OK("PATCH", "/bases/"+other, `{"name":"Renamed"}`)
	if got := next(t, elsewhere, "change"); got.data["kind"] != "schema" || got.data["name"] != "Renamed" {
		t.Errorf("another base is told of %+v", got)
	}
	c.OK("DELETE", "/bases/"+other, "")
	for got := range elsewhere {
		if got.name == "end" {
			return
		}
	}
	t.Error("the watcher of a deleted base was not told")
}

func TestPersonalViewsStayHiddenFromOthers(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	editor := s.As(t, apitest.Principal(w.user(t), c.Orgs[0].Org, organization.Editor))
	reader := apitest.Principal(c.Person, c.Orgs[0].Org, organization.Owner)
	reader.Scopes = []authz.Scope{authz.DataRead}
	own, theirs, records := watch(t, c, w["baseId"], ""), watch(t, editor, w["baseId"], ""),
		watch(t, s.As(t, reader), w["baseId"], "")
	for _, events := range []<-chan event{own, theirs, records} {
		next(t, events, "ready")
	}
	c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"grid","name":"Mine","access":"personal"}`)
	c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"grid","name":"Ours"}`)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	for _, name := range []string{"Mine", "Ours"} {
		if got := next(t, own, "change"); got.data["name"] != name {
			t.Errorf("its maker is told of %+v", got)
		}
	}
	if got := next(t, theirs, "change"); got.data["name"] != "Ours" {
		t.Errorf("others are told of %+v", got)
	}
	for _, events := range []<-chan event{own, theirs, records} {
		if got := next(t, events, "change"); got.data["kind"] != "updated" {
			t.Errorf("told of %+v", got)
		}
	}
}

func TestOnlyReadersWatchABase(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	_, theirs := newWorld(t, s)
	org := c.Orgs[0].Org
	path := func(base string) string { return "/bases/" + base + "/live" }
	c.Anonymous(t).Refused(401, "GET", path(w["baseId"]), "")
	for _, scope := range authz.AllScopes() {
		if scope != authz.DataRead {
			p := apitest.Principal(c.Person, org, organization.Owner)
			p.Scopes = []authz.Scope{scope}
			s.As(t, p).Refused(403, "GET", path(w["baseId"]), "", "insufficient_scope", "data:read")
		}
	}
	c.Refused(404, "GET", path(theirs["baseId"]), "", "not_found")
	c.Refused(404, "GET", path(id.Format(id.Base, id.New())), "", "not_found")
	narrowed := apitest.Principal(c.Person, org, organization.Owner)
	narrowed.Bases = []uuid.UUID{id.New()}
	s.As(t, narrowed).Refused(404, "GET", path(w["baseId"]), "", "not_found")
	s.As(t, apitest.Principal(tenancytest.Person(t, s.Deps.DB), id.New(), organization.Owner)).
		Refused(404, "GET", path(w["baseId"]), "", "not_found")
	c.Refused(400, "GET", path(w["baseId"])+"?cursor=x", "", "cursor")
	c.Refused(400, "GET", path(w["baseId"])+"?tables=x", "", "tables")
}

func TestWhoLosesTheRightIsCutOffWithinASecond(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	for name, lose := range map[string]func(c *apitest.Client){
		"a revoked credential": func(c *apitest.Client) { s.Revoke(c) },
		"a removed member":     func(c *apitest.Client) { s.Set(c, &authz.Principal{Scopes: authz.AllScopes()}) },
		"a weaker scope": func(c *apitest.Client) {
			p := *c.Principal
			p.Scopes = []authz.Scope{authz.DataRead}
			s.Set(c, &p)
		},
		"another base": func(c *apitest.Client) {
			p := *c.Principal
			p.Bases = []uuid.UUID{id.New()}
			s.Set(c, &p)
		},
	} {
		c := s.As(t, apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Viewer))
		events := watch(t, c, w["baseId"], "")
		next(t, events, "ready")
		lose(c)
		begun := time.Now()
		got := next(t, events, "end")
		if took := time.Since(begun); got.data["reason"] != "rights" || took > time.Second {
			t.Errorf("%s is cut off after %s, with %v", name, took, got.data)
		}
		owner.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Secret"}}`)
		if more, open := <-events; open {
			t.Errorf("%s is told of %+v", name, more)
		}
	}
}

func TestStreamsOfAPersonAndOfAnOrganizationAreBounded(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	s.Live.Limits = live.Limits{Person: 1, Organization: 2}
	path := "/bases/" + w["baseId"] + "/live"
	next(t, watch(t, c, w["baseId"], ""), "ready")
	again := s.As(t, apitest.Principal(c.Person, c.Orgs[0].Org, organization.Owner)) // another credential
	again.Refused(429, "GET", path, "", "rate_limited", "over 1 connections")
	second := s.As(t, apitest.Principal(w.user(t), c.Orgs[0].Org, organization.Viewer))
	next(t, watch(t, second, w["baseId"], ""), "ready")
	third := s.As(t, apitest.Principal(tenancytest.Person(t, s.Deps.DB), c.Orgs[0].Org, organization.Viewer))
	third.Refused(429, "GET", path, "", "rate_limited", "organization", "over 2 connections")
	theirs, v := newWorld(t, s) // of another organization
	next(t, watch(t, theirs, v["baseId"], ""), "ready")
}

// present waits until a stream reports so many people as present, and returns them.
func present(t *testing.T, events <-chan event, count int) []any {
	t.Helper()
	for {
		list := next(t, events, "presence").data["present"].([]any)
		if len(list) == count {
			return list
		}
	}
}

func TestWatchersGetPresence(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	other := s.As(t, apitest.Principal(w.user(t), c.Orgs[0].Org, organization.Viewer))
	path := "/bases/" + w["baseId"] + "/presence"
	events := watch(t, c, w["baseId"], "")
	next(t, events, "ready")
	answer := other.OK("PUT", path, `{"page":"one","table":"`+w["tableId"]+`","record":"`+w["recordId"]+
		`","field":"`+w["fieldId"]+`"}`)
	if answer["expiresIn"].(float64) < 10 {
		t.Errorf("answered %v", answer)
	}
	there := present(t, events, 1)[0].(map[string]any)
	if there["person"] != w["userId"] || there["page"] != "one" || there["table"] != w["tableId"] ||
		there["record"] != w["recordId"] || there["field"] != w["fieldId"] {
		t.Errorf("told of %v", there)
	}
	// A later watcher gets the state too, but not the state of other bases.
	elsewhere := c.ID("POST", "/bases", `{"name":"Other"}`)
	c.OK("PUT", "/bases/"+elsewhere+"/presence", `{"page":"two"}`)
	late := watch(t, c, w["baseId"], "")
	next(t, late, "ready")
	if got := present(t, late, 1)[0]; got.(map[string]any)["page"] != "one" {
		t.Errorf("told of %v", got)
	}
	// Deleted objects are left out. The change itself may come before or after.
	events = skip(t, events, "change")
	c.OK("DELETE", "/tables/"+w["tableId"], "")
	c.OK("PUT", path, `{"page":"three"}`)
	for _, got := range present(t, events, 2) {
		if one := got.(map[string]any); one["table"] != nil || one["record"] != nil || one["field"] != nil {
			t.Errorf("of a deleted table, told of %v", one)
		}
	}
	other.OK("PUT", path, `{"page":"one","left":true}`)
	if got := present(t, events, 1)[0]; got.(map[string]any)["page"] != "three" {
		t.Errorf("after one has left, told of %v", got)
	}
}

// skip leaves out events of one name.
func skip(t *testing.T, events <-chan event, name string) <-chan event {
	t.Helper()
	rest := make(chan event)
	go func() {
		for {
			select {
			case <-t.Context().Done():
				return
			case one, open := <-events:
				if !open {
					close(rest)
					return
				}
				if one.name == name {
					continue
				}
				select {
				case rest <- one:
				case <-t.Context().Done():
					return
				}
			}
		}
	}()
	return rest
}

func TestPresenceIsOfCellsOfTheBase(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/bases/" + w["baseId"] + "/presence"
	elsewhere := c.ID("POST", "/bases", `{"name":"Other"}`)
	table := c.ID("POST", "/bases/"+elsewhere+"/tables", `{"name":"Table"}`)
	for body, member := range map[string]string{
		`{}`:                                     "page",
		`{"page":""}`:                            "page",
		`{"page":"a\nb"}`:                        "page",
		`{"page":"one","record":"rec_1"}`:        "table",
		`{"page":"one","table":"` + table + `"}`: "table",
		`{"page":"one","table":"` + w["tableId"] + `","field":"fld_1"}`:  "field",
		`{"page":"one","table":"` + w["tableId"] + `","record":"rec_1"}`: "record",
	} {
		c.Refused(400, "PUT", path, body, member)
	}
}

func TestPresenceIsOptional(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	s.Deps.Presence = live.NewPresenceStore(
		redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}),
		slog.New(slog.DiscardHandler),
	)
	if got := c.OK("PUT", "/bases/"+w["baseId"]+"/presence", `{"page":"one"}`); got["expiresIn"] != 0.0 {
		t.Errorf("without Redis, answered %v", got)
	}
	s.Deps.Presence = nil
	if got := c.OK("PUT", "/bases/"+w["baseId"]+"/presence", `{"page":"one"}`); got["expiresIn"] != 0.0 {
		t.Errorf("without presence, answered %v", got)
	}
}

// Watchers get the values that come back with a field, and the values of a counting field.
func TestWatchersGetRestoredValues(t *testing.T) {
	t.Parallel()
	c, w := newWorld(t, apitest.New(t))
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Spare":"kept"}}`)
	events := watch(t, c, w["baseId"], "")
	next(t, events, "ready")
	expect := func(name string, want any) {
		t.Helper()
		for {
			got := next(t, events, "change")
			if got.data["kind"] == "schema" {
				continue
			}
			after, _ := got.data["after"].(map[string]any)
			if got.data["kind"] != "updated" || got.data["record"] != w["recordId"] || after[name] != want {
				t.Errorf("told of %+v", got)
			}
			return
		}
	}
	c.OK("DELETE", "/fields/"+w["fieldId"], "")
	c.OK("POST", "/bases/"+w["baseId"]+"/trash/restore", `{"items":["`+w["fieldId"]+`"]}`)
	expect("Spare", "kept")
	c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"No","type":"auto_number"}`)
	expect("No", 1.0)
}
