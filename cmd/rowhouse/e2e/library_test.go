package e2e

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// A program writes 10,000 records and watches the base while the service is killed twice. Nothing is lost or
// written twice, and the stream has every change once.
func TestLibraryGetsThroughKills(t *testing.T) {
	t.Parallel()
	service := rowhousetest.Start(t)
	person := rowhousetest.SignUp(t, service.BaseURL, "Kari", "Harbour")
	key := person.Mint("data:read", "data:write", "schema:read", "schema:write")
	client := rowhouse.New(service.BaseURL, rowhouse.WithToken(key), rowhouse.WithAttempts(30))
	create := func(path string, body map[string]any) string {
		var made rowhouse.Named
		request := rowhouse.Request{Method: "POST", Path: path, Body: body}
		if err := client.Send(t.Context(), request, &made); err != nil {
			t.Fatal(err)
		}
		return made.ID
	}
	base := create("/bases", map[string]any{"name": "Harbour"})
	table := create("/bases/"+base+"/tables", map[string]any{"name": "Ships"})

	const batches, size = 100, 100
	seen := map[string]int{}
	watched := sync.WaitGroup{}
	watched.Go(func() {
		for change, err := range client.Watch(t.Context(), base, rowhouse.Feed{
			Cursor: rowhouse.Earliest,
			Kinds:  []rowhouse.ChangeKind{rowhouse.ChangeKindCreated, rowhouse.ChangeKindUpdated},
		}) {
			if err != nil {
				t.Errorf("watching: %v", err)
				return
			}
			seen[fmt.Sprint(change.Kind, " ", change.Record)]++
			if len(seen) == batches*size {
				return
			}
		}
	})
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for batch := next.Add(1) - 1; batch < batches; batch = next.Add(1) - 1 {
				write := rowhouse.Write{UpsertOn: []string{"Name"}}
				for i := range int64(size) {
					write.Records = append(write.Records, rowhouse.Values{"Name": fmt.Sprint("Ship ", batch*size+i)})
				}
				if _, err := client.Create(t.Context(), table, write); err != nil {
					t.Errorf("batch %d: %v", batch, err)
				}
				if n := done.Add(1); n == 20 || n == 60 {
					service.Kill(t)
				}
			}
		})
	}
	workers.Wait()
	names := map[string]int{}
	for record, err := range client.Records(t.Context(), table, rowhouse.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		names[fmt.Sprint(record.Fields["Name"])]++
	}
	if len(names) != batches*size {
		t.Errorf("%d of %d records are there", len(names), batches*size)
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	watched.Wait()
	for change, n := range seen {
		if n != 1 {
			t.Errorf("%s was seen %d times", change, n)
		}
	}
}
