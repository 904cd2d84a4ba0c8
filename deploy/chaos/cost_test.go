//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz"
)

// How much requests of one organization, or of nobody, may slow down others.
const (
	costRatio  = 1.5
	costMemory = 600 // MB that any process may have for itself
)

// watchProcesses returns a function that stops watching and returns the most memory, in MB, that the service and any
// process of PostgreSQL had for themselves, without what they share.
func (e *environment) watchProcesses(t *testing.T, p *process) func() (service, postgres float64) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(e.dir, "data", "postgres", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	postmaster := strings.TrimSpace(strings.Split(string(file), "\n")[0])
	stop, done := make(chan struct{}), make(chan struct{})
	var peak, peakPostgres float64
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			peak = max(peak, ownMB(strconv.Itoa(p.cmd.Process.Pid)))
			children, _ := os.ReadFile("/proc/" + postmaster + "/task/" + postmaster + "/children")
			for _, child := range strings.Fields(string(children)) {
				peakPostgres = max(peakPostgres, ownMB(child))
			}
		}
	}()
	return func() (service, postgres float64) {
		close(stop)
		<-done
		if peak > costMemory || peakPostgres > costMemory {
			t.Errorf("the service had %.0f MB, and a process of PostgreSQL %.0f MB; %d are allowed", peak, peakPostgres,
				costMemory)
		}
		return peak, peakPostgres
	}
}

// ownMB returns the memory that a process does not share, in MB.
func ownMB(pid string) float64 {
	status, _ := os.ReadFile("/proc/" + pid + "/status") // it may have ended
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kilobytes / 1000
		}
	}
	return 0
}

// crowd has callers repeat something until stop is closed.
func crowd(callers int, stop <-chan struct{}, do func(caller int)) {
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					do(caller)
				}
			}
		})
	}
	all.Wait()
}

// nestedSQL writes steps, each of which uses the column of the one before several times.
func nestedSQL(steps, times int, how string) string {
	text := "with a0 as (select number as x from rows)"
	for i := 1; i <= steps; i++ {
		text += fmt.Sprintf(", a%d as %s (select greatest(%s) as x from a%d)", i, how,
			strings.TrimSuffix(strings.Repeat("x,", times), ","), i-1)
	}
	return text + fmt.Sprintf(" select max(x) from a%d", steps)
}

// testPlanner has two organizations repeat statements that a planner would multiply, and statements
// that are just admitted. A third one runs small statements meanwhile.
func (e *environment) testPlanner(t *testing.T) {
	p := e.startDirect(t)
	calm, third := e.tenant(t, p), e.tenant(t, p)
	attackers := []*tenant{e.tenant(t, p), e.tenant(t, p)}
	statements := []string{
		nestedSQL(8, 6, ""), nestedSQL(9, 6, "not materialized"), nestedSQL(6, 5, ""), nestedSQL(13, 2, ""),
		"select count(*) from rows group by cube(" + strings.Repeat("number, ", 11) + "name)",
		"select count(*) from rows group by cube(" + strings.Repeat("number, ", 9) + "name)",
		"select count(*) from " + strings.TrimSuffix(strings.Repeat("rows, ", 90), ", "),
		"select cardinality(array[" + strings.Repeat("x, ", 200) + "x]) from (select array_agg(name) as x from rows) y",
	}
	run := func(n *tenant, sql string) (int, []byte, error) {
		body, err := json.Marshal(map[string]any{"sql": sql})
		if err != nil {
			t.Error(err)
		}
		return e.request(p, http.MethodPost, "/api/v1/bases/"+n.base+"/sql", n.key, string(body))
	}
	if status, raw, err := run(third, "select count(*) from rows"); status != http.StatusOK {
		t.Fatalf("%d %s %v", status, raw, err)
	}
	var hostile []crowdRequest
	for _, statement := range statements {
		body, err := json.Marshal(map[string]any{"sql": statement + " -- {n}"})
		if err != nil {
			t.Fatal(err)
		}
		for _, attacker := range attackers {
			hostile = append(hostile, crowdRequest{
				http.MethodPost, "/api/v1/bases/" + attacker.base + "/sql", attacker.key, string(body),
			})
		}
	}
	memory := e.watchProcesses(t, p)
	var sent tally
	var small, failed atomic.Int64
	e.compareNeighbour(t, "Statements that a planner multiplies", costRatio, p, calm, func(stop <-chan struct{}) {
		var all sync.WaitGroup
		all.Go(func() { sent.send(t, p, 8, hostile, stop) })
		all.Go(func() {
			crowd(1, stop, func(int) {
				small.Add(1)
				if status, raw, err := run(third, "select count(*) from rows"); status != http.StatusOK {
					failed.Add(1)
					t.Errorf("the third organization: %d %s %v", status, raw, err)
				}
				time.Sleep(200 * time.Millisecond)
			})
		})
		all.Wait()
	}, func() string {
		service, postgres := memory()
		return fmt.Sprintf("two organizations sent %d statements, of which %d ran; of a third one's %d, %d failed; "+
			"the service had %.0f MB and a process of PostgreSQL %.0f MB at most", sent.asked, sent.answered,
			small.Load(), failed.Load(), service, postgres)
	})
}

// fill creates records in a tenant's table.
func (e *environment) fill(t *testing.T, p *process, n *tenant, batches int) {
	t.Helper()
	records := strings.TrimSuffix(strings.Repeat(`{"fields":{"Name":"the quick brown fox","Number":7}},`, 100), ",")
	for range batches {
		if status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key,
			`{"records":[`+records+`]}`); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s %v", status, raw, err)
		}
	}
}

// formulas saves formulas until one is refused, and returns how many were saved.
func (e *environment) formulas(t *testing.T, p *process, n *tenant, count int, write func(i int) string) int {
	t.Helper()
	for i := range count {
		body, err := json.Marshal(map[string]any{
			"name": fmt.Sprintf("F%d", i), "type": "formula", "config": map[string]any{"formula": write(i)},
		})
		if err != nil {
			t.Fatal(err)
		}
		status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/fields", n.key, string(body))
		if err != nil || status != http.StatusOK {
			t.Logf("formula %d: %d %.300s %v", i, status, raw, err)
			return i
		}
	}
	return count
}

// testFormulaChains reads a table with the longest chain of formulas that can be saved, each of
// which names the one before five times. The first contains the time, so that none of it is stored.
func (e *environment) testFormulaChains(t *testing.T) {
	p := e.startDirect(t)
	calm, heavy := e.tenant(t, p), e.tenant(t, p)
	e.fill(t, p, heavy, 3)
	saved := e.formulas(t, p, heavy, 100, func(i int) string {
		if i == 0 {
			return "YEAR(NOW()) + {Number}"
		}
		before := fmt.Sprintf("{F%d}", i-1)
		return before + strings.Repeat(" + "+before, 4)
	})
	memory := e.watchProcesses(t, p)
	var sent tally
	list := []crowdRequest{{http.MethodGet, "/api/v1/tables/" + heavy.table + "/records", heavy.key, ""}}
	e.compareNeighbour(t, "Chains of formulas", costRatio, p, calm, func(stop <-chan struct{}) {
		sent.send(t, p, 8, list, stop)
	}, func() string {
		service, postgres := memory()
		return fmt.Sprintf(
			"%d formulas were saved, and read %d times (%d answers); the service had %.0f MB and a process "+
				"of PostgreSQL %.0f MB at most",
			saved,
			sent.asked,
			sent.answered,
			service,
			postgres,
		)
	})
}

// testIdleBodies has connections announce large bodies and send only a part. Another tenant sends
// large ones.
func (e *environment) testIdleBodies(t *testing.T) {
	p := e.start(t)
	calm, idle := e.tenant(t, p), e.tenant(t, p)
	large := `{"fields":{"Name":"` + strings.Repeat("x", 80_000) + `"}}`
	memory := e.watchProcesses(t, p)
	var open atomic.Int64
	_, toolKey := e.newKey(idle.owner, authz.AllScopes()...)
	e.compareAsking(t, "Idle bodies", costRatio, calm, func(key string) (int, []byte, error) {
		return e.request(p, http.MethodPost, "/api/v1/tables/"+calm.table+"/records", key, large)
	}, func(stop <-chan struct{}) {
		crowd(100, stop, func(caller int) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
			if err != nil {
				return
			}
			defer conn.Close()
			open.Add(1)
			path, key, sent := "/api/v1/tables/"+idle.table+"/records", idle.key, 1000
			switch caller % 4 {
			case 1:
				path, key = "/mcp", toolKey
			case 2:
				sent = 1_000_000
			}
			_, _ = io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: "+p.listen+"\r\nX-Api-Key: "+key+
				"\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n"+strings.Repeat(" ", sent))
			closed := make(chan struct{})
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				close(closed)
			}()
			select {
			case <-stop:
			case <-closed: // the service gave up on the body
			case <-time.After(10 * time.Second):
			}
		})
	}, func() string {
		service, postgres := memory()
		return fmt.Sprintf(
			"%d connections announced 5 MB and sent 1 KB or 1 MB, while another tenant sent 80 KB at a time; "+
				"the service had %.0f MB and a process of PostgreSQL %.0f MB at most",
			open.Load(),
			service,
			postgres,
		)
	})
}

// testAnonymousShares reads a shared page with many formulas and links without signing in.
func (e *environment) testAnonymousShares(t *testing.T) {
	p := e.startDirect(t)
	calm := e.tenant(t, p)
	heavy, person := e.signUpTenant(t, p)
	heavy.table = e.create(t, p, heavy.key, "/api/v1/bases/"+heavy.base+"/tables",
		`{"name":"Rows","fields":[{"name":"Name","type":"text"},{"name":"Number","type":"number"}]}`)
	e.fill(t, p, heavy, 10)
	saved := e.formulas(t, p, heavy, 70, func(i int) string {
		return fmt.Sprintf(
			`IF(YEAR(NOW()) > %d, UPPER(SUBSTITUTE({Name} & " %d", "o", "0")), LEN({Name}) & "")`,
			1000+i,
			i,
		)
	})
	other := e.create(t, p, heavy.key, "/api/v1/bases/"+heavy.base+"/tables",
		`{"name":"Other","fields":[{"name":"Name","type":"text"}]}`)
	response, text := person.Send(http.MethodPost, "/api/v1/tables/"+heavy.table+"/fields", "application/json",
		`{"name":"Links","type":"link","config":{"linkedTableId":"`+other+`"}}`) // a key may not create links
	if response.StatusCode != http.StatusOK {
		t.Fatalf("creating a link: %d %s", response.StatusCode, text)
	}
	e.link(t, p, heavy, other)
	var shared struct{ PublicShareID string }
	_, text = person.Send(http.MethodPut, "/api/v1/bases/"+heavy.base+"/share", "application/json", "{}")
	if err := json.Unmarshal([]byte(text), &shared); err != nil || shared.PublicShareID == "" {
		t.Fatalf("sharing a base: %s %v", text, err)
	}
	share := shared.PublicShareID
	memory := e.watchProcesses(t, p)
	var sent tally
	var pages []crowdRequest
	for i := range 10 {
		path := "/share/" + share + "?offset=" + strconv.Itoa(100*i)
		pages = append(pages, crowdRequest{http.MethodGet, path, "", ""})
	}
	e.compareNeighbour(t, "Anonymous readers of a share", costRatio, p, calm, func(stop <-chan struct{}) {
		sent.send(t, p, 16, pages, stop)
	}, func() string {
		service, postgres := memory()
		return fmt.Sprintf("16 readers asked %d times for pages of 100 records with %d formulas and 50 links each: "+
			"%d answers, %d refused for now; the service had %.0f MB and a process of PostgreSQL %.0f MB at most",
			sent.asked, saved, sent.answered, sent.refused, service, postgres)
	})
}

// link links each of the first 100 records of a tenant's table with 50 records of another table.
func (e *environment) link(t *testing.T, p *process, n *tenant, other string) {
	t.Helper()
	records := strings.TrimSuffix(strings.Repeat(`{"fields":{"Name":"linked"}},`, 50), ",")
	var linked, own struct{ Records []struct{ ID string } }
	e.read(t, p, n, http.MethodPost, "/api/v1/tables/"+other+"/records", `{"records":[`+records+`]}`, &linked)
	e.read(t, p, n, http.MethodGet, "/api/v1/tables/"+n.table+"/records?limit=100&fields=Name", "", &own)
	ids := make([]string, len(linked.Records))
	for i, r := range linked.Records {
		ids[i] = `"` + r.ID + `"`
	}
	changes := make([]string, len(own.Records))
	for i, r := range own.Records {
		changes[i] = `{"id":"` + r.ID + `","fields":{"Links":[` + strings.Join(ids, ",") + `]}}`
	}
	var done struct{}
	e.read(t, p, n, http.MethodPatch, "/api/v1/tables/"+n.table+"/records",
		`{"records":[`+strings.Join(changes, ",")+`]}`, &done)
}
