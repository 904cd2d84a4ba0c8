//go:build chaos

package chaos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/tenancy/id"
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
	fits, never string // records that fit the webhook's filter at times, and never
}

// A reader may read one base, and is told of its changes in one way. It counts what it is told.
type reader struct {
	what     string
	base     *liveBase
	admin    bool
	filtered bool
	told     *atomic.Int64
	own      atomic.Int64 // marks of the base
	ended    chan time.Time
}

// look checks what a reader is told.
func (r *reader) look(t *testing.T, text string) {
	r.told.Add(1)
	for _, found := range mark.FindAllStringSubmatch(text, -1) {
		if found[1] != r.base.mark || found[2] == "p" && !r.admin || found[2] == "n" && r.filtered {
			t.Errorf("%s is told of %s: %s", r.what, found[0], text)
		}
		r.own.Add(1)
	}
}

// stream opens a stream of a base, and looks at its events until it ends.
func (r *reader) stream(t *testing.T, e *environment, p *process, key string) {
	t.Helper()
	r.ended = make(chan time.Time, 1)
	path := p.base + "/api/v1/bases/" + r.base.id + "/live"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", key)
	response, err := (&http.Client{Transport: e.client.Transport}).Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", r.what, response, err)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() && lines.Text() != "event: ready" {
	}
	go func() {
		defer response.Body.Close()
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				r.look(t, text)
			}
			if lines.Text() == "event: end" {
				r.ended <- time.Now()
			}
		}
	}()
}

// A caller is a credential with the bases that it may read.
type caller struct {
	what, key string
	may       []*liveBase
	admin     bool
}

// A livePlay is a few organizations, whose bases are written and watched at random.
type livePlay struct {
	*environment

	t       *testing.T
	p       *process
	bases   []*liveBase
	callers []caller
	readers []*reader
	told    atomic.Int64
	slowest time.Duration // until a member who was removed was cut off
	removed int
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
	var both []*liveBase
	for range 2 {
		b := &liveBase{org: n.org, key: n.key, mark: strings.ReplaceAll(uuid.NewString(), "-", "")}
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
	_, viewer := l.newKey(l.member(l.t, n.org, organization.Viewer), authz.DataRead)
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
		caller{what: "the owner", key: n.key, may: both, admin: true}, caller{what: "a viewer", key: viewer, may: both},
		caller{what: "a key for one base", key: narrow, may: both[:1], admin: true},
		caller{what: "a key that may not read", key: writer})
}

// receive sets up a webhook of a base, and looks at its messages.
func (l *livePlay) receive(b *liveBase, body string, filtered bool) {
	r := &reader{what: "a webhook", base: b, admin: true, filtered: filtered, told: &l.told}
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
func (l *livePlay) write(b *liveBase) {
	own := "mk" + b.mark
	switch rand.IntN(8) {
	case 0:
		l.send(http.MethodDelete, "/records/"+l.record(b, own, 1), b.key, "")
	case 1, 2: // comes into the filter, or leaves it
		l.send(http.MethodPatch, "/records/"+b.fits, b.key, fmt.Sprintf(`{"fields":{"Name":%q,"Number":%d}}`,
			own+fmt.Sprint(" ", rand.Int()), rand.IntN(3)-1))
	case 3:
		l.send(http.MethodPatch, "/records/"+b.never, b.key, fmt.Sprintf(`{"fields":{"Name":%q}}`,
			own+"n"+fmt.Sprint(" ", rand.Int())))
	case 4:
		l.send(http.MethodDelete, "/records/"+l.record(b, own+"n", -2), b.key, "")
	case 5:
		l.send(http.MethodPost, "/records/"+b.fits+"/comments", b.key, `{"text":"`+own+`"}`)
	case 6:
		l.send(http.MethodPut, "/bases/"+b.id+"/presence", b.key, `{"page":"`+own+`","table":"`+b.table+`"}`)
	case 7:
		view := l.create(l.t, l.p, b.key, "/api/v1/tables/"+b.table+"/views",
			`{"type":"grid","name":"`+own+`p`+fmt.Sprint(rand.Int())+`","access":"personal"}`)
		l.send(http.MethodDelete, "/views/"+view, b.key, "")
	}
}

// probe asks for something of a base with every credential that may not read it.
func (l *livePlay) probe(b *liveBase) {
	for _, c := range l.callers {
		may := false
		for _, one := range c.may {
			may = may || one == b
		}
		if may {
			continue
		}
		what := []string{"/live", "/changes?cursor=earliest", "/presence", "/webhooks"}[rand.IntN(4)]
		path := "/api/v1/bases/" + b.id + what
		method, body := http.MethodGet, ""
		if strings.HasSuffix(path, "/presence") {
			method, body = http.MethodPut, `{"page":"probe"}`
		}
		status, raw, err := l.request(l.p, method, path, c.key, body)
		l.told.Add(1)
		if err != nil || status != http.StatusNotFound && status != http.StatusForbidden || mark.Match(raw) {
			l.t.Errorf("%s asks %s %s: %d %s %v", c.what, method, path, status, raw, err)
		}
	}
}

// remove has somebody watch a base, removes them from the organization, and goes on writing.
func (l *livePlay) remove(b *liveBase) {
	person := l.member(l.t, b.org, organization.Editor)
	_, key := l.newKey(person, authz.DataRead)
	r := &reader{what: "a removed member", base: b, told: &l.told}
	r.stream(l.t, l.environment, l.p, key)
	began := time.Now()
	l.send(http.MethodDelete, "/orgs/"+id.Format(id.Org, b.org)+"/members/"+id.Format(id.User, person), b.key, "")
	for {
		select {
		case at := <-r.ended:
			before := r.own.Load()
			l.write(b)
			time.Sleep(50 * time.Millisecond)
			if r.own.Load() != before {
				l.t.Errorf("a member who was cut off is told more")
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

// testLiveIsolation shows that no event, presence or delivery reaches anybody who may not read what it
// tells of.
func (e *environment) testLiveIsolation(t *testing.T) {
	l := &livePlay{environment: e, t: t, p: e.start(t)}
	for range 3 {
		l.organize()
	}
	for _, c := range l.callers {
		for _, b := range c.may {
			r := &reader{what: c.what + "'s stream", base: b, admin: c.admin, told: &l.told}
			r.stream(t, e, l.p, c.key)
			l.readers = append(l.readers, r)
		}
	}
	for i := 0; l.told.Load() < int64(*liveProbes); i++ {
		b := l.bases[rand.IntN(len(l.bases))]
		l.write(b)
		l.probe(b)
		if i%40 == 0 {
			l.remove(b)
		}
	}
	var quiet sync.WaitGroup
	for _, r := range l.readers {
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
	report(t, "Live isolation", "%d events, presences, deliveries and refused requests looked at, of %d readers in 3 "+
		"organizations with 6 bases; %d members removed while they watched, the slowest cut off after %d ms",
		l.told.Load(), len(l.readers), l.removed, l.slowest.Milliseconds())
}
