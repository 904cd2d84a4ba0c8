//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	parts          = 20_000
	orders         = 200_000
	partsOfAnOrder = 5
	computedReader = 5 // callers at once
)

// testComputedReaders has five callers ask by lookups, rollups, counts and formulas of 200,000 records, while all
// records that these read are changed again and again. Every request must be answered.
func (e *environment) testComputedReaders(t *testing.T) {
	p := e.startDirect(t)
	n, person := e.signUpTenant(t, p)
	linked := e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/tables",
		`{"name":"Parts","fields":[{"name":"Name","type":"text"},{"name":"Price","type":"number"}]}`)
	n.table = e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/tables",
		`{"name":"Orders","fields":[{"name":"Name","type":"text"},{"name":"Number","type":"number"}]}`)
	response, text := person.Send(http.MethodPost, "/api/v1/tables/"+n.table+"/fields", "application/json",
		`{"name":"Parts","type":"link","config":{"linkedTableId":"`+linked+`"}}`) // a key may not create links
	if response.StatusCode != http.StatusOK {
		t.Fatalf("creating a link: %d %s", response.StatusCode, text)
	}
	ids := e.createAll(t, p, n, linked, parts, func(i int) string {
		return fmt.Sprintf(`{"Name":"Part %d","Price":%d}`, i, i%1000)
	})
	e.createAll(t, p, n, n.table, orders, func(i int) string {
		list := make([]string, partsOfAnOrder)
		for j := range list {
			list[j] = `"` + ids[(i*7+j*4001)%parts] + `"`
		}
		return fmt.Sprintf(`{"Name":"Order %d","Number":%d,"Parts":[%s]}`, i, i%5000, strings.Join(list, ","))
	})
	for _, field := range []string{
		`{"name":"Total","type":"rollup","config":{"linkFieldId":"Parts","fieldId":"Price","function":"SUM"}}`,
		`{"name":"Many","type":"count","config":{"linkFieldId":"Parts"}}`,
		`{"name":"Prices","type":"lookup","config":{"linkFieldId":"Parts","fieldId":"Price"}}`,
		`{"name":"Twice","type":"formula","config":{"formula":"{Total} * 2"}}`,
	} {
		e.create(t, p, n.key, "/api/v1/tables/"+n.table+"/fields", field)
	}
	list := func(filters, sorts string) crowdRequest {
		return crowdRequest{http.MethodGet, "/api/v1/tables/" + n.table + "/records?limit=100&filters=" +
			url.QueryEscape(filters) + "&sorts=" + url.QueryEscape(sorts), n.key, ""}
	}
	questions := []crowdRequest{
		list(`[{"fieldId":"Total","op":"gt","value":3000}]`, `[]`),
		list(`[]`, `[{"fieldId":"Total","dir":"desc"}]`),
		list(`[{"fieldId":"Twice","op":"lt","value":1000}]`, `[{"fieldId":"Twice","dir":"asc"}]`),
		list(`[{"fieldId":"Many","op":"eq","value":5}]`, `[{"fieldId":"Number","dir":"asc"}]`),
		list(`[{"fieldId":"Prices","op":"has_any","value":[17]}]`, `[]`),
		list(`[]`, `[{"fieldId":"Prices","dir":"asc"}]`),
		{
			http.MethodGet, "/api/v1/tables/" + n.table + "/records/aggregate?aggregates=" +
				url.QueryEscape(`[{"fn":"sum","fieldId":"Total"},{"fn":"max","fieldId":"Twice"}]`), n.key, "",
		},
	}
	asked, slowest := e.askAtOnce(t, p, questions, func() { e.awaitFilled(t, p, questions[:1]) })
	report(t, "Readers of new computed fields", "%d callers asked %d times by lookups, rollups, counts and formulas "+
		"of %d records with %d links each, until their columns were filled; the slowest answer took %.1f s",
		computedReader, asked, orders, partsOfAnOrder, slowest.Seconds())
	var changed int
	asked, slowest = e.askAtOnce(t, p, questions, func() {
		for until := time.Now().Add(time.Duration(*seconds) * time.Second); time.Now().Before(until); changed++ {
			e.reprice(t, p, n, linked, ids, changed)
		}
	})
	report(t, "Readers of computed fields", "%d callers asked %d times, while %d changes of 100 of the %d records "+
		"that these read were made; the slowest answer took %.1f s", computedReader, asked, changed, parts,
		slowest.Seconds())
}

// askAtOnce has several callers ask until something is done, and returns how often they asked and how long they waited
// at most. Each answer must be one.
func (e *environment) askAtOnce(
	t *testing.T, p *process, questions []crowdRequest, until func(),
) (asked int64, slowest time.Duration) {
	t.Helper()
	var count, longest atomic.Int64
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		crowd(computedReader, stop, func(caller int) {
			one := questions[(int(count.Add(1))+caller)%len(questions)]
			began := time.Now()
			status, raw, err := e.request(p, one.Method, one.Path, one.Key, one.Body)
			took := time.Since(began)
			for was := longest.Load(); int64(took) > was && !longest.CompareAndSwap(was, int64(took)); {
				was = longest.Load()
			}
			if err != nil || status != http.StatusOK {
				t.Errorf("%s: %d %.200s %v after %s", one.Path, status, raw, err, took)
			}
		})
	})
	until()
	close(stop)
	all.Wait()
	return count.Load(), time.Duration(longest.Load())
}

// awaitFilled waits until the columns of new fields are filled, so that a question is answered at once.
func (e *environment) awaitFilled(t *testing.T, p *process, questions []crowdRequest) {
	t.Helper()
	for until := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Second) {
		began := time.Now()
		for _, one := range questions {
			_, _, _ = e.request(p, one.Method, one.Path, one.Key, one.Body) // the others say whether it is answered
		}
		if time.Since(began) < 100*time.Millisecond {
			return
		}
		if time.Now().After(until) {
			t.Fatal("the columns are not filled")
		}
	}
}

// createAll creates records in batches, several at once, and returns their ids.
func (e *environment) createAll(
	t *testing.T, p *process, n *tenant, table string, count int, fields func(i int) string,
) []string {
	t.Helper()
	ids := make([]string, count)
	const batch = 100
	var next atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				from := int(next.Add(batch)) - batch
				if from >= count || t.Failed() {
					return
				}
				records := make([]string, batch)
				for i := range records {
					records[i] = `{"fields":` + fields(from+i) + `}`
				}
				status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+table+"/records", n.key,
					`{"records":[`+strings.Join(records, ",")+`]}`)
				var made struct{ Records []struct{ ID string } }
				if err == nil && status == http.StatusOK {
					err = json.Unmarshal(raw, &made)
				}
				if err != nil || len(made.Records) != batch {
					t.Errorf("creating records: %d %.300s %v", status, raw, err)
					return
				}
				for i, one := range made.Records {
					ids[from+i] = one.ID
				}
			}
		})
	}
	if all.Wait(); t.Failed() {
		t.FailNow()
	}
	return ids
}

// reprice changes a number of 100 records of a table, others in each round.
func (e *environment) reprice(t *testing.T, p *process, n *tenant, table string, ids []string, round int) {
	t.Helper()
	changes := make([]string, 100)
	from := round * len(changes) % len(ids)
	for i := range changes {
		changes[i] = fmt.Sprintf(`{"id":%q,"fields":{"Price":%d}}`, ids[from+i], (from+i*7+round*31)%1000)
	}
	if status, raw, err := e.request(p, http.MethodPatch, "/api/v1/tables/"+table+"/records", n.key,
		`{"records":[`+strings.Join(changes, ",")+`]}`); err != nil || status != http.StatusOK {
		t.Errorf("changing records: %d %.200s %v", status, raw, err)
	}
}
