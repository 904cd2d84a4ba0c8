//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// maxMemory is the largest resident memory, in MB, that the process may reach while it sends the
// largest responses.
const maxMemory = 400

// testMemory runs six readers of the largest pages and records, through every way to read records.
// Records are 1 MB, the present limit, and 4.75 MB, which older versions accepted. Two more readers
// read slowly.
func (e *environment) testMemory(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	former := e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/tables",
		`{"name":"Former","fields":[{"name":"Name","type":"text"}]}`)
	e.create(t, p, n.key, "/api/v1/tables/"+n.table+"/fields", `{"name":"Long","type":"long_text"}`)
	e.create(t, p, n.key, "/api/v1/tables/"+n.table+"/fields", `{"name":"Data","type":"json"}`)
	records := "/api/v1/tables/" + n.table + "/records"
	fill := func(body string) {
		t.Helper()
		if status, raw, err := e.request(p, http.MethodPost, records, n.key, body); err != nil ||
			status != http.StatusOK {
			t.Fatalf("%d %.300s %v", status, raw, err)
		}
	}
	for range 20 {
		one := `{"fields":{"Name":"large","Long":"` + strings.Repeat("lorem ip", 124_000) + `"}}`
		fill(`{"records":[` + one + `,` + one + `,` + one + `]}`)
	}
	fill(`{"fields":{"Name":"escaped","Long":"` + strings.Repeat(`\u0001`, 800_000) + `"}}`)
	fill(`{"fields":{"Name":"numbers","Data":[` + strings.Repeat("1e308,", 160_000) + `1]}}`)
	e.fillOldRecords(t, p, n, former)

	share := e.share(t, p, n)
	var list struct{ Records []struct{ ID string } }
	e.read(t, p, n, http.MethodGet, records+"?limit=8&fields=Name", "", &list)
	changes := make([]string, 0, 8)
	for _, r := range list.Records[:7] {
		changes = append(changes, `{"id":"`+r.ID+`","fields":{"Number":1}}`)
	}
	old := "/api/v1/tables/" + former + "/records"
	asks := []func() (int, []byte, error){
		func() (int, []byte, error) { return e.request(p, http.MethodGet, records, n.key, "") },
		func() (int, []byte, error) { return e.request(p, http.MethodGet, old, n.key, "") },
		func() (int, []byte, error) { return e.request(p, http.MethodGet, records+"/search?q=lorem", n.key, "") },
		func() (int, []byte, error) {
			return e.request(p, http.MethodGet, records+"?sorts="+escape(`[{"fieldId":"Name","dir":"asc"}]`), n.key, "")
		},
		func() (int, []byte, error) {
			return e.request(p, http.MethodGet, "/api/v1/records/"+list.Records[0].ID, n.key, "")
		},
		func() (int, []byte, error) {
			return e.request(p, http.MethodGet, "/share/"+share+"/tables/"+n.table+"/records", "", "")
		},
		func() (int, []byte, error) {
			return e.request(p, http.MethodPatch, records, n.key, `{"records":[`+strings.Join(changes, ",")+`]}`)
		},
		func() (int, []byte, error) {
			got := e.tool(p, n.key, "query_records", map[string]any{"tableId": former})
			if got.status == http.StatusOK && len(got.text) > 100_000 {
				return 0, nil, fmt.Errorf("an agent receives %d bytes", len(got.text))
			}
			return http.StatusOK, nil, nil // a result, or an error that it is too large
		},
	}
	before, grownBy := watchMemory(t, p)
	var all sync.WaitGroup
	var answers, later, largest atomic.Int64
	until := time.Now().Add(time.Duration(*seconds) * time.Second)
	for reader := range 6 {
		all.Go(func() {
			for i := reader; time.Now().Before(until); i++ {
				status, raw, err := asks[i%len(asks)]()
				switch {
				case err == nil && status == http.StatusOK:
					answers.Add(1)
				case err == nil && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests):
					later.Add(1)
				default:
					t.Errorf("%d: %d %.300s %v", i%len(asks), status, raw, err)
				}
				for size := int64(len(raw)); ; {
					if seen := largest.Load(); size <= seen || largest.CompareAndSwap(seen, size) {
						break
					}
				}
			}
		})
	}
	for range 2 {
		all.Go(func() { e.slowReader(t, p, n, records, until) })
	}
	all.Wait()
	peak := before + grownBy()
	if peak > maxMemory || answers.Load() == 0 {
		t.Errorf("the process used %.0f MB, at most %d are allowed; %d responses", peak, maxMemory, answers.Load())
	}
	report(t, "Six readers of the largest pages", "%d responses of up to %.1f MB, %d refused for now; "+
		"resident memory %.0f MB before and %.0f MB at most (wanted: at most %d)",
		answers.Load(), float64(largest.Load())/1e6, later.Load(), before, peak, maxMemory)
}

// fillOldRecords writes 20 records of 4.75 MB directly to the database, because the service would
// refuse them.
func (e *environment) fillOldRecords(t *testing.T, p *process, n *tenant, table string) {
	t.Helper()
	body := `{"records":[` + strings.TrimSuffix(strings.Repeat(`{"fields":{"Name":"former"}},`, 20), ",") + `]}`
	if status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+table+"/records", n.key, body); err != nil ||
		status != http.StatusOK {
		t.Fatalf("%d %.300s %v", status, raw, err)
	}
	config, err := pgx.ParseConfig(e.admin)
	if err != nil {
		t.Fatal(err)
	}
	config.Database = database
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var relation, column string
	err = conn.QueryRow(context.Background(), `select c.oid::regclass::text, 'f_' || f.number from rowhouse.data_table d
		join pg_class c on c.relname = 't_' || d.number join rowhouse.field f on f.org_id = d.org_id
		and f.table_id = d.id and f.name = 'Name'
		where d.name = 'Former' and d.org_id = $1`, n.org).Scan(&relation, &column)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(
		context.Background(), "update "+relation+" set "+column+" = repeat('4.75', 1187500)",
	); err != nil {
		t.Fatal(err)
	}
}

// share shares a tenant's base and returns the id of the share.
func (e *environment) share(t *testing.T, p *process, n *tenant) string {
	t.Helper()
	var shared struct{ PublicShareID string }
	e.read(t, p, n, http.MethodPut, "/api/v1/bases/"+n.base+"/share", "{}", &shared)
	return shared.PublicShareID
}

// read sends a request that must succeed, and decodes the response.
func (e *environment) read(t *testing.T, p *process, n *tenant, method, path, body string, into any) {
	t.Helper()
	status, raw, err := e.request(p, method, path, n.key, body)
	if err == nil && status == http.StatusOK {
		err = json.Unmarshal(raw, into)
	}
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s %s: %d %.300s %v", method, path, status, raw, err)
	}
}

// slowReader requests a large page again and again, and reads it slowly.
func (e *environment) slowReader(t *testing.T, p *process, n *tenant, path string, until time.Time) {
	for time.Now().Before(until) {
		request, err := http.NewRequest(http.MethodGet, p.base+path, nil)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("x-api-key", n.key)
		response, err := e.client.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		for time.Now().Before(until) {
			if _, err := io.CopyN(io.Discard, response.Body, 64<<10); err != nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		_ = response.Body.Close()
	}
}
