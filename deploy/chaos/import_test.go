//go:build chaos

package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const importedRows = 200_000

// testImports has an organization import a file into a new table, again and again, while another one reads.
func (e *environment) testImports(t *testing.T) {
	p := e.startDirect(t)
	calm, heavy := e.tenant(t, p), e.tenant(t, p)
	memory := e.watchProcesses(t, p)
	var csv strings.Builder
	csv.WriteString("Name,Amount,Day,Count,Mail,Done,Note,Code\n")
	for i := range importedRows {
		fmt.Fprintf(&csv, "row %d,%d.25,2026-%02d-%02d,%d,p%d@example.com,%t,a longer note about row %d,K%06x\n",
			i, i%9000, i%12+1, i%28+1, i, i%500, i%2 == 0, i, i)
	}
	var rows atomic.Int64
	e.compareNeighbour(t, "Imports", costRatio, p, calm, func(stop <-chan struct{}) {
		for {
			select {
			case <-stop:
				return
			default:
			}
			rows.Add(e.importUntil(t, p, heavy, csv.String(), stop))
		}
	}, func() string {
		service, postgres := memory()
		return fmt.Sprintf("%d rows of 8 fields were imported; the service had %.0f MB and a process of PostgreSQL "+
			"%.0f MB at most", rows.Load(), service, postgres)
	})
}

// importUntil imports a file into a new table, cancels the job at the stop, and returns how many rows came.
func (e *environment) importUntil(t *testing.T, p *process, n *tenant, csv string, stop <-chan struct{}) int64 {
	t.Helper()
	file := e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/uploads?name=rows.csv", csv)
	var job struct{ ID string }
	status, raw, err := e.request(p, http.MethodPost, "/api/v1/bases/"+n.base+"/imports", n.key, `{"file":"`+file+`"}`)
	if err != nil || status != http.StatusAccepted || json.Unmarshal(raw, &job) != nil {
		t.Errorf("%d %s %v", status, raw, err)
		return 0
	}
	for {
		select {
		case <-stop:
			_, _, _ = e.request(p, http.MethodPost, "/api/v1/jobs/"+job.ID+"/cancel", n.key, "{}")
			stop = nil
		case <-time.After(200 * time.Millisecond):
		}
		status, raw, err := e.request(p, http.MethodGet, "/api/v1/jobs/"+job.ID, n.key, "")
		var read struct {
			State   string
			Done    int64
			EndedAt *time.Time
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(raw, &read) != nil || read.State == "failed" {
			t.Errorf("%d %s %v", status, raw, err)
			return 0
		}
		if read.EndedAt != nil {
			return read.Done
		}
	}
}
