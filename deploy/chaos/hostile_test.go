//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest/attack/attacktest"
)

// on returns an environment whose service uses the database of a world of attacks.
func (e *environment) on(t *testing.T, w *attacktest.World) *environment {
	t.Helper()
	tenantDB, err := db.Open(t.Context(), w.URL(), db.Options{
		Secrets:  [][]byte{[]byte(attacktest.SecretKey)},
		MaxConns: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	cache := credential.New(e.redisConn, credential.Options{Log: log})
	other := &environment{
		t:         t,
		dir:       e.dir,
		binary:    e.binary,
		admin:     e.admin,
		direct:    w.URL(),
		redisURL:  e.redisURL,
		postgres:  e.postgres,
		redis:     e.redis,
		db:        tenantDB,
		redisConn: e.redisConn,
		client:    e.client,
		issued:    map[string]string{},
		keys:      apikey.New(apikey.Deps{DB: tenantDB, Cache: cache, Log: log}),
	}
	t.Cleanup(func() {
		other.keys.Close(context.Background())
		cache.Close()
		tenantDB.Close()
	})
	return other
}

// busy are the tables that the service itself changes while it serves others.
var busy = []string{"river.", "rowhouse.api_key "}

// testHostileSQL attacks the database of a busy service with SQL of an attacker's own, through the
// login for requests. The victim reads its records meanwhile, and other organizations write.
func (e *environment) testHostileSQL(t *testing.T) {
	w, err := attacktest.New(t.Context(), e.admin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Drop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	at := e.on(t, w)
	p := at.start(t, "SECRET_KEY="+attacktest.SecretKey)
	_, victim := at.newKey(w.Victim.Owner, authz.AllScopes()...)
	attacks, err := attacktest.Corpus()
	if err != nil {
		t.Fatal(err)
	}

	var all sync.WaitGroup
	var reads, writes, failed atomic.Int64
	stop := make(chan struct{})
	repeat := func(count *atomic.Int64, method, path, key string, body func(n int64) string) {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := count.Add(1)
				if status, raw, err := at.request(p, method, path, key, body(n)); status != http.StatusOK {
					failed.Add(1)
					t.Errorf("%s %s: %d %s %v", method, path, status, raw, err)
					return
				}
			}
		})
	}
	none := func(int64) string { return "" }
	repeat(&reads, http.MethodGet, "/api/v1/tables/"+w.Victim.Table.PublicID()+"/records?limit=10", victim, none)
	for range 3 {
		n := at.tenant(t, p)
		records := "/api/v1/tables/" + n.table + "/records"
		repeat(&writes, http.MethodPost, records, n.key, func(n int64) string {
			return fmt.Sprintf(`{"fields":{"Name":"row %d"}}`, n)
		})
		repeat(&reads, http.MethodGet, records+"?limit=10", n.key, none)
	}
	before, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	outcome, attackErr := w.Run(t.Context(), attacktest.Request, attacks, attacktest.Options{Commit: true})
	after, stateErr := w.State(t.Context())
	close(stop)
	all.Wait()
	if attackErr != nil || stateErr != nil {
		t.Fatal(attackErr, stateErr)
	}
	for _, found := range outcome.Findings {
		t.Error(found)
	}
	damage := 0
	for _, line := range attacktest.Damage(before, after) {
		_, what, _ := strings.Cut(line, ": ")
		if !slices.ContainsFunc(busy, func(table string) bool { return strings.HasPrefix(what, table) }) {
			damage++
			t.Error("changed", line)
		}
	}
	if reads.Load() < 100 || writes.Load() < 100 {
		t.Errorf("only %d reads and %d writes went on beside the attacks", reads.Load(), writes.Load())
	}
	report(t, "Hostile SQL", "%d attacks through the request login of a service that answered %d reads and %d writes "+
		"meanwhile (%d failed): "+
		"%d ran without an error, %d findings, %d changes to the victim or to what protects it",
		outcome.Ran, reads.Load(), writes.Load(), failed.Load(), len(outcome.Answered), len(outcome.Findings), damage)
}
