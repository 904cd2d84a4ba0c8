package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func kindsOf(page map[string]any) string {
	var kinds []string
	for _, c := range page["changes"].([]any) {
		kinds = append(kinds, c.(map[string]any)["kind"].(string))
	}
	return strings.Join(kinds, " ")
}

func TestChangesAreReadFromACursorOn(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/bases/" + w["baseId"] + "/changes"
	begin := c.OK("GET", path, "")
	if kindsOf(begin) != "" || begin["hasMore"] != false {
		t.Errorf("now, read %v", begin)
	}
	cursor := begin["cursor"].(string)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	page := c.OK("GET", path+"?cursor="+cursor, "")
	if kindsOf(page) != "updated" {
		t.Fatalf("read %v", page)
	}
	change := page["changes"].([]any)[0].(map[string]any)
	if change["before"].(map[string]any)["Name"] != "First" || change["after"].(map[string]any)["Name"] != "Second" ||
		change["record"] != w["recordId"] || change["credential"] != "key_test" {
		t.Errorf("read %v", change)
	}
	next := c.OK("GET", path+"?cursor="+page["cursor"].(string), "")
	if kindsOf(next) != "" || next["cursor"] == cursor {
		t.Errorf("then read %v", next)
	}
	all := c.OK("GET", path+"?cursor=earliest&kinds=created&kinds=updated", "")
	if kindsOf(all) != "created updated" {
		t.Errorf("from the start, read %v", all)
	}
	c.Refused(400, "GET", path+"?cursor=x", "", "earlier answer")
	c.Refused(400, "GET", path+"?kinds=update", "", "did you mean", "updated")
	c.Refused(400, "GET", path+"?tables=tbl_00000000000000000000000000", "", "tables[0]")
	c.Refused(400, "GET", path+"?wait=26", "", "wait")
	c.Refused(400, "GET", path+"?limit=101", "", "limit")
	them, theirs := newWorld(t, s)
	them.Refused(404, "GET", path+"?cursor="+cursor, "")
	them.Refused(400, "GET", "/bases/"+theirs["baseId"]+"/changes?tables="+w["tableId"], "", "tables[0]")
	got := them.OK("GET", "/bases/"+theirs["baseId"]+"/changes?kinds=updated&cursor="+cursor, "")
	if kindsOf(got) != "" {
		t.Errorf("with a foreign cursor, read %v", got)
	}
}

func TestChangesOfTheSchemaNeedTheRightToReadIt(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	reader := apitest.Principal(c.Person, c.Orgs[0].Org, organization.Owner)
	reader.Scopes = []authz.Scope{authz.DataRead}
	path := "/bases/" + w["baseId"] + "/changes?cursor=earliest"
	if got := kindsOf(c.OK("GET", path, "")); !strings.Contains(got, "schema") {
		t.Errorf("read %s", got)
	}
	if got := kindsOf(s.As(t, reader).OK("GET", path, "")); got != "created commented" {
		t.Errorf("with data:read alone, read %s", got)
	}
	s.As(t, reader).Refused(403, "GET", path+"&kinds=schema", "", "schema:read")
}

func TestWaitingForChanges(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/bases/" + w["baseId"] + "/changes"
	cursor := c.OK("GET", path, "")["cursor"].(string)
	begun := time.Now()
	empty := c.OK("GET", path+"?wait=1&cursor="+cursor, "")
	if took := time.Since(begun); kindsOf(empty) != "" || took < time.Second {
		t.Errorf("after %s, read %v", took, empty)
	}
	answer := make(chan map[string]any, 1)
	go func() {
		_, page, _ := c.Do("GET", path+"?wait=25&cursor="+empty["cursor"].(string), "")
		answer <- page
	}()
	select {
	case page := <-answer:
		t.Fatalf("did not wait: %v", page)
	case <-time.After(100 * time.Millisecond):
	}
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	select {
	case page := <-answer:
		if kindsOf(page) != "updated" {
			t.Errorf("read %v", page)
		}
	case <-time.After(20 * time.Second):
		t.Error("the write did not end the wait")
	}
}

// places admits one call at a time.
type places chan struct{}

func (p places) EnterHeavy(context.Context, uuid.UUID) (func(), error) { return func() {}, nil }

func (p places) EnterStatement(uuid.UUID) (func(), error) { return func() {}, nil }

func (p places) Enter(ctx context.Context, _, _ uuid.UUID) (func(), error) {
	select {
	case p <- struct{}{}:
		return func() { <-p }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestWhoWaitsForChangesTakesNoPlace(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	s.Deps.Admission = make(places, 1)
	path := "/bases/" + w["baseId"] + "/changes"
	cursor := c.OK("GET", path, "")["cursor"].(string)
	answers := make(chan string, 3)
	for range 3 {
		go func() {
			_, page, _ := c.Do("GET", path+"?wait=25&cursor="+cursor, "")
			answers <- kindsOf(page)
		}()
	}
	time.Sleep(200 * time.Millisecond)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	for range 3 {
		if got := <-answers; got != "updated" {
			t.Errorf("read %q", got)
		}
	}
	if places := s.Deps.Admission.(places); len(places) != 0 {
		t.Errorf("%d places are still taken", len(places))
	}
}

func TestWaitersThatLoseRightsGetNothing(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	guest := s.As(t, c.Principal)
	path := "/bases/" + w["baseId"] + "/changes"
	cursor := c.OK("GET", path, "")["cursor"].(string)
	answer := make(chan int, 1)
	go func() {
		status, _, _ := guest.Do("GET", path+"?wait=25&cursor="+cursor, "")
		answer <- status
	}()
	time.Sleep(200 * time.Millisecond)
	s.Revoke(guest)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Name":"Second"}}`)
	if status := <-answer; status != http.StatusUnauthorized {
		t.Errorf("answered %d", status)
	}
}
