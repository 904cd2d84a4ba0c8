//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A mark stands in everything that is written to a base. What ends in p is the name of a personal view,
// which its maker and administrators may see, and what ends in n fits no filter.
var mark = regexp.MustCompile(`mk([0-9a-f]{32})([pn]?)`)

// A liveBase is a base that people watch.
type liveBase struct {
	org         uuid.UUID
	id, table   string
	mark        string
	key         string // of the owner, who writes
	editor      string // key of an editor, who comments
	members     string // mentions of members whose inboxes are read
	stranger    string // a mention of a person of another organization, if there is one
	fits, never string // records that fit the webhook's filter at times, and never
}

// A livePlay is several organizations, whose bases are written and watched at random.
type livePlay struct {
	*environment

	t        *testing.T
	p        *process
	other    *process // where members are removed
	bases    []*liveBase
	callers  []caller
	readers  []*reader
	received atomic.Int64  // events, messages and items of inboxes, to those who may read them
	refused  int           // requests of those who may not
	slowest  time.Duration // from the request that removed a member until they were cut off
	removed  int
}

func (l *livePlay) send(method, path, key, body string) []byte {
	l.t.Helper()
	status, raw, err := l.request(l.p, method, "/api/v1"+path, key, body)
	if err != nil || status != http.StatusOK {
		l.t.Fatalf("%s %s: %d %s %v", method, path, status, raw, err)
	}
	return raw
}

func (l *livePlay) record(b *liveBase, name string, number int) string {
	l.t.Helper()
	var made struct{ Records []struct{ ID string } }
	raw := l.send(http.MethodPost, "/tables/"+b.table+"/records", b.key,
		fmt.Sprintf(`{"fields":{"Name":%q,"Number":%d}}`, name, number))
	if err := json.Unmarshal(raw, &made); err != nil || len(made.Records) != 1 {
		l.t.Fatalf("%s %v", raw, err)
	}
	return made.Records[0].ID
}

// organize makes an organization with two bases, and everybody who may read them.
func (l *livePlay) organize() {
	n := l.tenant(l.t, l.p)
	watcher, author := l.member(l.t, n.org, organization.Viewer), l.member(l.t, n.org, organization.Editor)
	_, viewer := l.newKey(watcher, authz.DataRead)
	_, reader := l.newKey(watcher, authz.DataRead, authz.SchemaRead, authz.MCPTools)
	_, editor := l.newKey(author, authz.DataRead, authz.DataWrite)
	var both []*liveBase
	for range 2 {
		b := &liveBase{org: n.org, key: n.key, editor: editor, mark: strings.ReplaceAll(uuid.NewString(), "-", "")}
		b.members = mentionOf(n.owner) + mentionOf(watcher)
		if len(l.bases) > 0 {
			b.stranger = l.bases[0].members
		}
		b.id = l.create(l.t, l.p, n.key, "/api/v1/bases", `{"name":"mk`+b.mark+`"}`)
		b.table = l.create(l.t, l.p, n.key, "/api/v1/bases/"+b.id+"/tables",
			`{"name":"Rows","fields":[{"name":"Name","type":"text"},{"name":"Number","type":"number"}]}`)
		b.fits, b.never = l.record(b, "mk"+b.mark, 1), l.record(b, "mk"+b.mark+"n", -1)
		both = append(both, b)
		l.receive(b, `{"url":%q,"includeValues":true}`, false)
		l.receive(b, `{"url":%q,"includeValues":true,"tables":["`+b.table+`"],"kinds":["created","updated","deleted",`+
			`"restored"],"filters":[{"fieldId":"Number","op":"gte","value":0}]}`, true)
	}
	l.bases = append(l.bases, both...)
	_, writer := l.newKey(n.owner, authz.DataWrite, authz.SchemaRead)
	base, err := id.Parse(id.Base, both[0].id)
	if err != nil {
		l.t.Fatal(err)
	}
	_, narrow, err := l.keys.Create(l.t.Context(), apikey.Draft{
		Person: n.owner, Name: "Narrow", Scopes: authz.AllScopes(), Org: n.org, Bases: []uuid.UUID{base},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.recordSecret("API key", narrow)
	l.callers = append(l.callers,
		caller{what: "the owner", key: n.key, may: both, admin: true, schema: true},
		caller{what: "a viewer", key: viewer, may: both},
		caller{what: "a viewer of schemas", key: reader, may: both, schema: true},
		caller{what: "a key for one base", key: narrow, may: both[:1], admin: true, schema: true},
		caller{what: "a key that may not read", key: writer})
}

func mentionOf(person uuid.UUID) string { return " @[Somebody](" + id.Format(id.User, person) + ")" }

// receive sets up a webhook of a base, and looks at its messages.
func (l *livePlay) receive(b *liveBase, body string, filtered bool) {
	r := &reader{what: "a webhook", base: b, admin: true, filtered: filtered, received: &l.received}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		text, err := io.ReadAll(request.Body)
		if err == nil {
			r.look(l.t, string(text))
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	l.t.Cleanup(server.Close)
	l.readers = append(l.readers, r)
	l.create(l.t, l.p, b.key, "/api/v1/bases/"+b.id+"/webhooks", fmt.Sprintf(body, server.URL))
}

// write changes something of a base at random.
func (l *livePlay) write(b *liveBase) { l.change(b, rand.IntN(changeKinds)) }

const changeKinds = 8

// change makes a change of one kind.
func (l *livePlay) change(b *liveBase, kind int) {
	own := "mk" + b.mark
	switch kind {
	case 0:
		l.send(http.MethodDelete, "/records/"+l.record(b, own, 1), b.key, "")
	case 1, 2: // moves a record into the filter, or out of it
		l.send(http.MethodPatch, "/records/"+b.fits, b.key, fmt.Sprintf(`{"fields":{"Name":%q,"Number":%d}}`,
			own+fmt.Sprint(" ", rand.Int()), rand.IntN(3)-1))
	case 3:
		l.send(http.MethodPatch, "/records/"+b.never, b.key, fmt.Sprintf(`{"fields":{"Name":%q}}`,
			own+"n"+fmt.Sprint(" ", rand.Int())))
	case 4:
		l.send(http.MethodDelete, "/records/"+l.record(b, own+"n", -2), b.key, "")
	case 5:
		l.send(http.MethodPost, "/records/"+b.fits+"/comments", b.editor, `{"text":"`+own+b.members+`"}`)
	case 6:
		l.send(http.MethodPut, "/bases/"+b.id+"/presence", b.key, `{"page":"`+own+`","table":"`+b.table+`"}`)
	case 7:
		view := l.create(l.t, l.p, b.key, "/api/v1/tables/"+b.table+"/views",
			`{"type":"grid","name":"`+own+`p`+fmt.Sprint(rand.Int())+`","access":"personal"}`)
		l.send(http.MethodDelete, "/views/"+view, b.key, "")
	}
}

// probe requests data of a base with every credential that may not read it, and has an editor
// mention somebody who may not.
func (l *livePlay) probe(b *liveBase) {
	for _, c := range l.callers {
		if slices.Contains(c.may, b) {
			continue
		}
		path, method, body, header := "/api/v1/bases/"+b.id, http.MethodGet, "", map[string]string(nil)
		switch rand.IntN(7) {
		case 0:
			path += "/live"
		case 1:
			path += "/changes?cursor=earliest"
		case 2:
			path += "/webhooks"
		case 3:
			path, method, body = path+"/presence", http.MethodPut, `{"page":"probe"}`
		case 4:
			path = "/api/v1/records/" + b.fits + "/comments"
		case 5:
			path, method = "/mcp", http.MethodPost
			body, header = listenRequest("rowhouse://tables/" + b.table + "/records")
		case 6:
			path, method = "/mcp", http.MethodPost
			body, header = listenRequest("rowhouse://bases/" + b.id + "/schema")
		}
		l.forbidden(c.what, c.key, method, path, body, header)
	}
	if b.stranger != "" {
		l.forbidden("an editor who mentions a stranger", b.editor, http.MethodPost,
			"/api/v1/records/"+b.fits+"/comments",
			`{"text":"`+b.stranger+`"}`, nil)
	}
}

// forbidden sends a request that has to be refused.
func (l *livePlay) forbidden(what, key, method, path, body string, header map[string]string) {
	status, raw, err := l.requestWith(l.p, method, path, key, body, header)
	refused := status == http.StatusNotFound || status == http.StatusForbidden
	switch {
	case path == "/mcp" && status == http.StatusOK:
		refused = strings.Contains(string(raw), `"error"`) && !strings.Contains(string(raw), "acknowledged")
	case strings.HasSuffix(path, "/comments") && method == http.MethodPost:
		refused = status == http.StatusBadRequest
	}
	l.refused++
	if err != nil || !refused || mark.Match(raw) {
		l.t.Errorf("%s asks %s %s %s: %d %s %v", what, method, path, body, status, raw, err)
	}
}

// readInboxes checks that inboxes show only bases that their readers may read.
func (l *livePlay) readInboxes() {
	for _, c := range l.callers {
		if c.may == nil {
			l.forbidden(c.what, c.key, http.MethodGet, "/api/v1/inbox", "", nil)
			continue
		}
		for _, item := range l.inbox(c.key) {
			l.received.Add(1)
			for _, found := range mark.FindAllStringSubmatch(string(item), -1) {
				if !slices.ContainsFunc(c.may, func(b *liveBase) bool { return b.mark == found[1] }) {
					l.t.Errorf("the inbox of %s tells of %s: %s", c.what, found[0], item)
				}
			}
		}
	}
}

func (l *livePlay) inbox(key string) []json.RawMessage {
	l.t.Helper()
	var page struct{ Items []json.RawMessage }
	if raw := l.send(http.MethodGet, "/inbox?limit=5", key, ""); json.Unmarshal(raw, &page) != nil {
		l.t.Fatalf("%s", raw)
	}
	return page.Items
}

// remove has somebody watch a base, removes them from the organization in another process, and
// continues writing.
func (l *livePlay) remove(b *liveBase) {
	person := l.member(l.t, b.org, organization.Editor)
	_, key := l.newKey(person, authz.DataRead, authz.MCPTools)
	r := &reader{what: "a removed member", base: b, received: &l.received}
	if l.removed%2 == 0 {
		r.stream(l.t, l.environment, l.p, key)
	} else {
		r.listen(l.t, l.environment, l.p, key, "rowhouse://tables/"+b.table+"/records")
	}
	l.send(http.MethodPost, "/records/"+b.fits+"/comments", b.editor, `{"text":"mk`+b.mark+mentionOf(person)+`"}`)
	if len(l.inbox(key)) != 1 {
		l.t.Error("a member who was mentioned is not told")
	}
	began := time.Now()
	status, raw, err := l.request(l.other, http.MethodDelete, "/api/v1/orgs/"+id.Format(id.Org, b.org)+"/members/"+
		id.Format(id.User, person), b.key, "")
	if err != nil || status != http.StatusOK {
		l.t.Fatalf("removing a member: %d %s %v", status, raw, err)
	}
	for {
		select {
		case at := <-r.ended:
			before := r.own.Load()
			l.write(b)
			time.Sleep(50 * time.Millisecond)
			if r.own.Load() != before {
				l.t.Errorf("a member who was cut off is told more")
			}
			if left := l.inbox(key); len(left) > 0 {
				l.t.Errorf("the inbox of a removed member has %s", left)
			}
			if took := at.Sub(began); took > time.Second {
				l.t.Errorf("a removed member is cut off after %s, uri %q", took, r.uri)
			}
			l.slowest, l.removed = max(l.slowest, at.Sub(began)), l.removed+1
			return
		case <-time.After(20 * time.Millisecond):
			l.write(b)
		}
		if time.Since(began) > time.Minute {
			l.t.Fatal("a removed member goes on watching")
		}
	}
}

// watch has a caller watch a base in every way.
func (l *livePlay) watch(c caller, b *liveBase) {
	r := &reader{what: c.what + "'s stream", base: b, admin: c.admin, received: &l.received}
	r.stream(l.t, l.environment, l.p, c.key)
	l.readers = append(l.readers, r)
	if !c.schema {
		return
	}
	// The schema changes only by personal views, of which a viewer sees none.
	for uri, silent := range map[string]bool{
		"rowhouse://tables/" + b.table + "/records": false, "rowhouse://bases/" + b.id + "/schema": !c.admin,
	} {
		r := &reader{what: c.what + "'s MCP client", base: b, admin: c.admin, silent: silent, received: &l.received}
		r.listen(l.t, l.environment, l.p, c.key, uri)
		l.readers = append(l.readers, r)
	}
}

// testLiveIsolation shows that no event, presence, delivery or notice reaches anybody who may not
// read what it is about.
func (e *environment) testLiveIsolation(t *testing.T) {
	l := &livePlay{environment: e, t: t, p: e.start(t), other: e.start(t)}
	for range 3 {
		l.organize()
	}
	for _, c := range l.callers {
		for _, b := range c.may {
			l.watch(c, b)
		}
	}
	for i := 0; l.received.Load()+int64(l.refused) < int64(*liveProbes); i++ {
		b := l.bases[rand.IntN(len(l.bases))]
		l.write(b)
		l.probe(b)
		if i%10 == 0 {
			l.remove(b)
		}
		if i%20 == 0 {
			l.readInboxes()
		}
	}
	for _, b := range l.bases { // so that there is something to send to everybody
		for kind := range changeKinds {
			l.change(b, kind)
		}
	}
	var quiet sync.WaitGroup
	for _, r := range l.readers {
		if r.silent {
			continue
		}
		quiet.Go(func() {
			for begun := time.Now(); r.own.Load() == 0; time.Sleep(100 * time.Millisecond) {
				if time.Since(begun) > 30*time.Second {
					t.Errorf("%s of %s was told nothing of its base", r.what, r.base.id)
					return
				}
			}
		})
	}
	quiet.Wait()
	report(t, "Live isolation", "%d looked at: %d events, messages and items of inboxes for those who may read them, "+
		"and "+
		"%d forbidden requests; %d readers (streams, webhooks, MCP clients) in 3 organizations with 6 bases; %d "+
		"members removed while they watched, the slowest cut off %d ms after the request",
		l.received.Load()+int64(l.refused), l.received.Load(), l.refused, len(l.readers), l.removed,
		l.slowest.Milliseconds())
}
