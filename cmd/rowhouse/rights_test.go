package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A longWorld is a service with a base whose table "big" does not fit into the buffers of a connection, and whose
// table "locked" nobody can read or change for the time being.
type longWorld struct {
	*service
	t           *testing.T
	url         string
	database    string
	proxy       *credentialtest.Proxy
	org         uuid.UUID
	owner       string // key
	base        string
	big, locked string
}

func newLongWorld(t *testing.T, database string) *longWorld {
	t.Helper()
	w := &longWorld{t: t, proxy: credentialtest.NewProxy(t)}
	c := testConfig(t)
	c.DatabaseURL, c.RedisURL, c.DatabaseMaxConnections = database, w.proxy.URL(), 16
	c.AttachmentURL, c.AttachmentMB = "file://"+t.TempDir(), 1
	w.database = database
	var err error
	if w.service, err = open(t.Context(), &c, silent(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	l, err := listen(ctx, c.ListenAddr, "LISTEN_ADDR")
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- w.serve(ctx, l, 0) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
		w.close()
	})
	w.url = c.BaseURL
	var owner uuid.UUID
	w.org, owner = tenancytest.Org(t, w.db)
	w.owner = w.key(owner)
	w.base = w.ok("POST", "/bases", `{"name":"Long"}`)
	table := func(name, fields string) string {
		return w.ok("POST", "/bases/"+w.base+"/tables", `{"name":"`+name+`","fields":[`+fields+`]}`)
	}
	w.big = table("Big", `{"name":"Name","type":"text"},{"name":"Text","type":"long_text"}`)
	w.locked = table("Locked", `{"name":"Name","type":"text"}`)
	line := "n," + strings.Repeat("long ", 4000) + "\n"
	for range 2 { // 8 MB
		body, _ := json.Marshal(map[string]any{"csv": "Name,Text\n" + strings.Repeat(line, 200)})
		w.ok("POST", "/tables/"+w.big+"/records/import", string(body))
	}
	return w
}

func (w *longWorld) key(person uuid.UUID) string {
	w.t.Helper()
	_, secret, err := w.keys.Create(context.Background(),
		apikey.Draft{Person: person, Name: "Test", Scopes: authz.AllScopes()})
	if err != nil {
		w.t.Fatal(err)
	}
	return secret
}

func (w *longWorld) request(method, path, key string, body io.Reader) *http.Request {
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, body)
	if err != nil {
		w.t.Error(err)
		return nil
	}
	if strings.HasPrefix(key, "rhk_") {
		r.Header.Set("X-Api-Key", key)
	} else {
		r.Header.Set("Cookie", key)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// ok sends a request of the owner and returns the id in the answer.
func (w *longWorld) ok(method, path, body string) string {
	w.t.Helper()
	response, err := http.DefaultClient.Do(w.request(method, "/api/v1"+path, w.owner, strings.NewReader(body)))
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	var made struct{ ID string }
	if err := json.Unmarshal(text, &made); err != nil || response.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	return made.ID
}

// send sends a request and ignores the answer.
func (w *longWorld) send(method, path, key string) {
	response, err := http.DefaultClient.Do(w.request(method, "/api/v1"+path, key, nil))
	if err != nil {
		w.t.Error(err)
		return
	}
	_ = response.Body.Close()
}

// lock takes a table from everybody until the function that it returns is called.
func (w *longWorld) lock(table string) (unlock func()) {
	w.t.Helper()
	snapshot, err := w.operations.Schema.Fresh(w.t.Context(), w.org)
	if err != nil {
		w.t.Fatal(err)
	}
	u, _ := id.Parse(id.Table, table)
	admin, err := pgx.Connect(w.t.Context(), tenancytest.AdminURLOf(w.t, w.database))
	if err != nil {
		w.t.Fatal(err)
	}
	tx, err := admin.Begin(w.t.Context())
	if err == nil {
		_, err = tx.Exec(w.t.Context(), "lock table "+snapshot.Table(u).Relation()+" in access exclusive mode")
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return func() {
		_ = tx.Rollback(context.Background())
		_ = admin.Close(context.Background())
	}
}

func (w *longWorld) feedCursor() string {
	response, err := http.DefaultClient.Do(w.request("GET", "/api/v1/bases/"+w.base+"/changes", w.owner, nil))
	if err != nil {
		w.t.Error(err)
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	var page struct{ Cursor string }
	_ = json.NewDecoder(response.Body).Decode(&page)
	return page.Cursor
}

// running is a long answer that has begun.
type running struct {
	name string
	lose func()
	end  func() (bool, string)
}

// signedIn is a live stream of an application whose person signs out.
func (w *longWorld) signedIn(before func(w *longWorld, person uuid.UUID)) running {
	w.t.Helper()
	person := rowhousetest.SignUp(w.t, w.url, "Ida", "Own")
	_, text := person.Send("POST", "/api/v1/bases", "application/json", `{"name":"Own"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.ID == "" {
		w.t.Fatalf("making a base: %s", text)
	}
	public, _ := person.Me()
	u, _ := id.Parse(id.User, public)
	if before != nil {
		before(w, u)
	}
	end := stream("GET", func(*longWorld) string { return "/api/v1/bases/" + made.ID + "/live" }, "", nil,
		`"reason":"rights"`)(w, person.Cookie())
	return running{"live stream, signing out", func() {
		if response, text := person.Submit("/sign-out", url.Values{}); response.StatusCode >= 400 {
			w.t.Errorf("signing out: %d %s", response.StatusCode, text)
		}
	}, end}
}

// Whatever the cache of credentials can say, a long answer ends when its caller loses its rights.
func TestLongAnswersEndWithTheRightsOfTheirCaller(t *testing.T) {
	t.Parallel()
	database := tenancytest.FreshDatabaseURL(t) // others must not wait for the lock
	for _, state := range []struct {
		name            string
		before, started func(w *longWorld, person uuid.UUID)
	}{
		{name: "cached"},
		{name: "just changed", before: func(w *longWorld, person uuid.UUID) {
			w.cache.InvalidatePerson(w.t.Context(), person)
		}},
		{name: "Redis refuses", before: func(w *longWorld, _ uuid.UUID) { w.proxy.Cut() }},
		{name: "Redis is silent", before: func(w *longWorld, _ uuid.UUID) { w.proxy.Stall() }},
		{name: "Redis goes", started: func(w *longWorld, _ uuid.UUID) { w.proxy.Cut() }},
		{
			name: "Redis returns", before: func(w *longWorld, _ uuid.UUID) { w.proxy.Cut() },
			started: func(w *longWorld, _ uuid.UUID) { w.proxy.Restore(w.t) },
		},
	} {
		t.Run(state.name, func(t *testing.T) {
			w := newLongWorld(t, database)
			unlock := w.lock(w.locked)
			defer unlock()
			check := func(one running) {
				t.Helper()
				if state.started != nil {
					state.started(w, uuid.Nil)
				}
				one.lose()
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					if lost, how := one.end(); !lost {
						t.Errorf("%s did not end it: %s", one.name, how)
					}
				}()
				select {
				case <-ended:
				case <-time.After(time.Minute):
					t.Errorf("%s did not end it", one.name)
				}
			}
			check(w.signedIn(state.before))
			for _, loss := range []string{"a revoked key", "a removed member", "a lower role"} {
				for _, answer := range longAnswers() {
					if answer.name == "SQL" && tenancytest.DB(t).Distributed() {
						continue // it is off on Citus
					}
					if loss != "a revoked key" && answer.locks != (answer.name == "import") ||
						loss == "a lower role" && !answer.writes {
						continue // few connections wait for the table, and a viewer may read
					}
					person := tenancytest.Person(t, w.db)
					if err := tenancytest.Join(t, w.db, w.org, person, organization.Editor); err != nil {
						t.Fatal(err)
					}
					one := running{name: answer.name + ", " + loss}
					key := w.key(person)
					member := "/api/v1/orgs/" + id.Format(id.Org, w.org) + "/members/" + id.Format(id.User, person)
					send := func(method, body string) {
						response, err := http.DefaultClient.Do(
							w.request(method, member, w.owner, strings.NewReader(body)),
						)
						if err != nil || response.StatusCode != http.StatusOK {
							t.Errorf("%s %s: %v %v", method, member, response, err)
							return
						}
						_ = response.Body.Close()
					}
					switch loss {
					case "a revoked key":
						one.lose = func() {
							keys, err := w.keys.List(t.Context(), person)
							if err == nil {
								err = w.keys.Revoke(t.Context(), person, keys[0].ID)
							}
							if err != nil {
								t.Error(err)
							}
						}
					case "a removed member":
						one.lose = func() { send("DELETE", "") }
					case "a lower role":
						one.lose = func() { send("PATCH", `{"role":"viewer"}`) }
					}
					w.proxy.Restore(t)
					w.send("GET", "/me", key) // which caches the key
					if state.before != nil {
						state.before(w, person)
					}
					one.end = answer.begin(w, key)
					check(one)
				}
			}
		})
	}
}
