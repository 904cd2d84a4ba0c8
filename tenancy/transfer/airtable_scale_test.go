//go:build scale

package transfer_test

import (
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A base of 50,000 records with links, 2,000 attachments and 100 formulas comes at the pace of Airtable, and then 500
// changes.
func TestALargeBaseOfAirtable(t *testing.T) {
	base := airtabletest.Shop(50_000, 2_000)
	m := newMover(t, base, airtabletest.Options{Second: time.Second, Penalty: 30 * time.Second})
	fetch := outbound.NewFetcher(outbound.Options{
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, MaxBody: 64 << 20,
	})
	m.s.Airtable = airtable.New(m.fake.URL, product.Options{API: fetch, Files: fetch})
	var most atomic.Uint64
	stop := make(chan struct{})
	defer close(stop)
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Millisecond):
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), now.HeapInuse))
		}
	}()
	measure := func(what string) {
		began := time.Now()
		requests, tooMany, files := m.fake.Requests()
		j := m.bring()
		requests2, tooMany2, files2 := m.fake.Requests()
		t.Logf("%s: %s, %d requests of which %d came too fast, %d files, heap from %d MB to %d MB at most", what,
			time.Since(began).Round(time.Second), requests2-requests, tooMany2-tooMany, files2-files,
			before.HeapInuse>>20, most.Load()>>20)
		formulas := 0
		for _, one := range j.Report.Tables {
			t.Logf("%s: %d rows, %d created, %d updated, %d unchanged, %d gone, %d links, %d files, %d comments, %d "+
				"fields that compute", one.Name, one.Rows, one.Created, one.Updated, one.Unchanged, one.Gone, one.Links,
				one.Files, one.Comments, one.Formulas)
			formulas += one.Formulas
		}
		for _, one := range j.Report.LeftOut {
			t.Logf("left out: %+v", one)
		}
	}
	measure("the whole base")
	measure("nothing new")
	difference := base.Change(500)
	t.Log(difference)
	measure("500 changes")
}
