package webhook_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// A world is an organization with a base, a table and a worker.
type world struct {
	t      *testing.T
	ctx    context.Context //nolint:containedctx // of what the test writes
	db     *db.DB
	store  *webhook.Store
	worker *webhook.Worker
	schema *catalog.Store
	engine *record.Engine
	actor  record.Actor
	base   uuid.UUID
	table  *schema.Table
	jobURL string // of the database, for the login that runs jobs

	deps      webhook.Deps
	announced []webhook.Announced

	mu      sync.Mutex
	noticed []uuid.UUID // who got a mail
}

func setup(t *testing.T) *world {
	t.Helper()
	return setupIn(t, tenancytest.DB(t), tenancytest.JobURL(t))
}

// setupAlone makes a world in a database of its own. A dispatcher looks at all webhooks of its database, so it would
// deliver what other tests deliver themselves, and whoever disables a webhook mails about every disabled one.
func setupAlone(t *testing.T) *world {
	t.Helper()
	address := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), address, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return setupIn(t, database, tenancytest.LoginURL(t, address, migrations.Job))
}

func setupIn(t *testing.T, database *db.DB, jobURL string) *world {
	t.Helper()
	org, owner := tenancytest.Org(t, database)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner, Credential: "key_hook", ChangeSet: id.New()})
	tables := catalog.NewStore(database, catalog.Options{})
	base, err := tables.CreateBase(ctx, org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	engine := record.New(database, tables)
	w := &world{
		t: t, ctx: ctx, db: database, schema: tables, engine: engine,
		actor: record.Actor{Org: org, Person: owner}, base: base.ID,
		jobURL: jobURL,
	}
	sender := outbound.NewSender(outbound.Options{
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Timeout: time.Minute,
	})
	w.deps = webhook.Deps{
		DB: database, Schema: tables, Feed: &feed.Reader{DB: database, Records: engine}, Sender: sender,
		Secrets: tenancytest.Secrets(),
		Announce: func(_ context.Context, _ uuid.UUID, name string, of webhook.Announced) error {
			if name == "" {
				t.Error("a webhook without a name")
			}
			w.announced = append(w.announced, of)
			return nil
		},
	}
	w.store, err = webhook.NewStore(w.deps)
	w.must(err)
	jobs := jobtest.OpenAt(t, jobURL, webhook.Queues(), nil)
	w.worker = webhook.NewWorker(w.store, jobs, webhook.WorkerOptions{
		Log: slog.New(slog.DiscardHandler), Notify: w.notice,
	})
	w.worker.Tune(make([]time.Duration, 9), 5*24*time.Hour, 0, 45*time.Second)
	made, err := tables.CreateTable(ctx, org, base.ID, "Table", []catalog.FieldSpec{
		{Name: "Note", Type: "text"}, {Name: "Other", Type: "text"},
	})
	w.must(err)
	snapshot, err := tables.Fresh(ctx, org)
	w.must(err)
	w.table = snapshot.Table(made.ID)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func object(o string) jsonvalue.ParsedObject { return jsonvaluetest.ParseObject([]byte(o)) }

func (w *world) create(fields string) string {
	w.t.Helper()
	in := record.Creation{Records: []jsonvalue.ParsedObject{object(fields)}}
	written, err := w.engine.Create(w.ctx, w.actor, w.table.ID, in)
	w.must(err)
	var made struct{ ID string }
	w.must(json.Unmarshal(written.Records[0], &made))
	return made.ID
}

func (w *world) update(one, fields string) {
	w.t.Helper()
	_, err := w.engine.UpdateOne(w.ctx, w.actor, one, object(fields), false)
	w.must(err)
}

// hook makes a webhook.
func (w *world) hook(url string, of webhook.Subscription) (uuid.UUID, string) {
	w.t.Helper()
	creation := webhook.Creation{URL: url, Subscription: of}
	made, secret, err := w.store.Create(w.ctx, w.actor.Org, w.base, creation)
	w.must(err)
	return made.ID, secret
}

func (w *world) run(hook uuid.UUID) {
	w.t.Helper()
	w.must(w.worker.Run(w.ctx, w.actor.Org, hook))
}

func (w *world) get(hook uuid.UUID) *webhook.Webhook {
	w.t.Helper()
	one, err := w.store.Get(w.ctx, w.actor.Org, w.base, hook)
	w.must(err)
	return one
}

func (w *world) deliveries(hook uuid.UUID) []webhook.Delivery {
	w.t.Helper()
	all, _, err := w.store.Deliveries(w.ctx, w.actor.Org, w.base, hook, uuid.Nil, "", 100)
	w.must(err)
	return all
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	w.must(w.db.Batch(w.ctx, w.actor.Org, func(b *pgx.Batch) { b.Queue(sql, args...) }))
}

// A message is what a receiver got.
type message struct {
	header http.Header
	body   []byte
	Type   string
	Data   struct {
		Webhook, Base, Cursor string
		Changes               []struct {
			Kind, Table, Record, ChangeSet string
			Before, After                  map[string]any
			FieldIDs                       map[string]string
			Object                         string
			ValuesOmitted                  bool
		}
	}
}

// A receiver is a server that webhooks send to.
type receiver struct {
	*httptest.Server

	mu       sync.Mutex
	got      []message
	statuses []int // of the next answers; then 204
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		one := message{header: request.Header, body: body}
		if err := json.Unmarshal(body, &one); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		r.mu.Lock()
		r.got = append(r.got, one)
		status := http.StatusNoContent
		if len(r.statuses) > 0 {
			status, r.statuses = r.statuses[0], r.statuses[1:]
		}
		r.mu.Unlock()
		if status == http.StatusFound {
			rw.Header().Set("Location", "/elsewhere")
		}
		rw.WriteHeader(status)
		if status != http.StatusNoContent {
			_, _ = fmt.Fprint(rw, "answer ", status)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(statuses ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses = statuses
}

// messages returns what has arrived since the last call.
func (r *receiver) messages() []message {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.got = nil
	return got
}

// keyOf decodes a secret.
func (w *world) keyOf(secret string) []byte {
	w.t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	w.must(err)
	return key
}

// signedWith reports whether a message has a signature with a secret.
func signedWith(t *testing.T, m *message, secret string) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	var seconds int64
	if _, err := fmt.Sscan(m.header.Get("webhook-timestamp"), &seconds); err != nil {
		t.Fatal(err)
	}
	want := webhook.Sign(m.header.Get("webhook-id"), time.Unix(seconds, 0), m.body, key)["webhook-signature"]
	for one := range strings.SplitSeq(m.header.Get("webhook-signature"), " ") {
		if one == want {
			return true
		}
	}
	return false
}

// notice notes who gets a mail.
func (w *world) notice(_ context.Context, _ pgx.Tx, person uuid.UUID, _ string, _ webhook.Reason) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noticed = append(w.noticed, person)
	return nil
}
