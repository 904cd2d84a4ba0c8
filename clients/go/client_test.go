package rowhouse_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

func serve(t *testing.T, handler http.HandlerFunc) *rowhouse.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return rowhouse.New(server.URL, rowhouse.WithToken("rhk_test"))
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"type":"about:blank","title":"T","status":%d,"code":%q,"detail":"why","requestId":"req_1"}`,
		status, code)
}

// A creation whose response was lost, and one that was refused for now, are sent again with the same key.
func TestRequestsAreRepeatedWithOneKey(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var keys []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		switch len(keys) {
		case 1:
			panic(http.ErrAbortHandler) // the connection ends without a response
		case 2:
			refuse(w, http.StatusServiceUnavailable, "unavailable")
		case 3:
			refuse(w, http.StatusConflict, "write_conflict")
		case 4: // the connection ends within the response
			fmt.Fprint(w, `{"records":[`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		default:
			fmt.Fprint(w, `{"records":[{"id":"rec_1","fields":{"Name":"Aase"}}],"changeSet":"chs_1"}`)
		}
	})
	written, err := client.Create(t.Context(), "tbl_1", rowhouse.Write{Records: []rowhouse.Values{{"Name": "Aase"}}})
	if err != nil {
		t.Fatal(err)
	}
	if written.Records[0].ID != "rec_1" || written.ChangeSet != "chs_1" {
		t.Errorf("read %+v", written)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(keys) != 5 || keys[0] == "" || len(slices.Compact(keys)) != 1 {
		t.Errorf("sent the keys %q", keys)
	}
}

// A second update under a condition would fail where the first one succeeded, so a lost response is an
// error.
func TestConditionalUpdateIsNotRepeated(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	client := serve(t, func(http.ResponseWriter, *http.Request) {
		sent.Add(1)
		panic(http.ErrAbortHandler)
	})
	if _, err := client.Update(t.Context(), "rec_1", rowhouse.Values{"Tons": 1}, 7); err == nil || sent.Load() != 1 {
		t.Errorf("sent %d times: %v", sent.Load(), err)
	}
}

func TestRefusalIsAProblemWithItsCode(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusConflict, "name_taken")
	})
	err := client.Send(t.Context(), rowhouse.Request{Path: "/me"}, nil)
	if !rowhouse.HasCode(err, rowhouse.ProblemCodeNameTaken) || rowhouse.HasCode(err, rowhouse.ProblemCodeBusy) {
		t.Errorf("got %v", err)
	}
	client = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>a proxy's page</html>", http.StatusForbidden)
	})
	err = client.Send(t.Context(), rowhouse.Request{Path: "/me"}, nil)
	if err == nil || err.Error() != "403 Forbidden" {
		t.Errorf("got %v", err)
	}
}

// paged serves n records in pages.
func paged(t *testing.T, n int, asked *[]string) *rowhouse.Client {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.RawQuery)
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
		end := min(from+limit, n)
		page := map[string]any{"total": n, "hasMore": end < n, "cursor": strconv.Itoa(end)}
		var records []map[string]any
		for i := from; i < end; i++ {
			records = append(records, map[string]any{"id": fmt.Sprint("rec_", i), "fields": map[string]any{}})
		}
		page["records"] = records
		if err := json.NewEncoder(w).Encode(page); err != nil {
			t.Error(err)
		}
	})
}

func TestRecordsReadsPagesUpToTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ limit, want, pages int }{{0, 250, 3}, {120, 120, 2}, {100, 100, 1}, {900, 250, 3}} {
		var asked []string
		client := paged(t, 250, &asked)
		seen := 0
		for record, err := range client.Records(t.Context(), "tbl_1", rowhouse.Query{
			Limit: c.limit, Fields: []string{"Name"},
		}) {
			if err != nil {
				t.Fatal(err)
			}
			if record.ID != fmt.Sprint("rec_", seen) {
				t.Fatalf("record %d is %s", seen, record.ID)
			}
			seen++
		}
		if seen != c.want || len(asked) != c.pages || asked[0] != "fields=%5B%22Name%22%5D&limit=100" {
			t.Errorf("limit %d: %d records by %q", c.limit, seen, asked)
		}
	}
}

// A stream that breaks is continued behind the last change that arrived.
func TestWatchResumes(t *testing.T) {
	t.Parallel()
	var cursors []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cursors = append(cursors, r.URL.Query().Get("cursor"))
		w.Header().Set("Content-Type", "text/event-stream")
		change := func(n int) string {
			return fmt.Sprintf("id: c%[1]d\nevent: change\ndata: {\"cursor\":\"c%[1]d\",\"version\":%[1]d}\n\n", n)
		}
		switch len(cursors) {
		case 1: // the second change does not arrive whole
			fmt.Fprint(w, "retry: 1000\nid: c0\nevent: ready\ndata: {\"cursor\":\"c0\"}\n\n: heartbeat\n\n"+change(1)+
				"id: c2\nevent: change\ndata: {\"cur")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case 2:
			fmt.Fprint(w, change(2)+"event: end\ndata: {\"reason\":\"shutdown\"}\n\n")
		case 3:
			fmt.Fprint(w, change(3))
		default:
			refuse(w, http.StatusGone, "cursor_expired")
		}
	})
	var seen []int
	var last error
	for change, err := range client.Watch(t.Context(), "bas_1", rowhouse.Feed{}) {
		if last = err; err == nil {
			seen = append(seen, change.Version)
		}
	}
	if !slices.Equal(seen, []int{1, 2, 3}) || !slices.Equal(cursors, []string{"", "c1", "c2", "c3"}) {
		t.Errorf("saw %d by %q", seen, cursors)
	}
	if !rowhouse.HasCode(last, rowhouse.ProblemCodeCursorExpired) {
		t.Errorf("ended with %v", last)
	}
}
