package job_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type sweep struct{}

func (sweep) Kind() string { return "test_sweep" }

// openRecurring opens a client of a database in which it may become the leader that queues
// recurring jobs.
func openRecurring(t *testing.T, databaseURL string, log *slog.Logger) *job.Client {
	t.Helper()
	client, err := job.Open(t.Context(), tenancytest.LoginURL(t, databaseURL, migrations.Job), job.Options{
		Queues: queues,
		Log:    log,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func closeClient(client *job.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	client.Close(ctx)
}

func awaitRuns(t *testing.T, runs <-chan int, n int) (by []int) {
	t.Helper()
	for range n {
		select {
		case process := <-runs:
			by = append(by, process)
		case <-time.After(time.Minute):
			t.Fatalf("%d runs were expected, %v came", n, by)
		}
	}
	return by
}

func TestARecurringJobRunsInOneProcessAtATimeAndOutlivesAProcess(t *testing.T) {
	t.Parallel()
	fresh := tenancytest.FreshDatabaseURL(t)
	runs := make(chan int, 100)
	var active, overlaps atomic.Int64
	clients := make([]*job.Client, 2)
	for i := range clients {
		clients[i] = openRecurring(t, fresh, nil)
		job.Every[sweep](clients[i], time.Second, time.Minute, func(context.Context) error {
			if active.Add(1) > 1 {
				overlaps.Add(1)
			}
			time.Sleep(1500 * time.Millisecond) // longer than the interval
			active.Add(-1)
			runs <- i
			return nil
		})
		if err := clients[i].Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	defer closeClient(clients[1])
	awaitRuns(t, runs, 3)
	closeClient(clients[0]) // it queued the jobs
	for len(runs) > 0 {
		<-runs
	}
	if by := awaitRuns(t, runs, 2); by[1] != 1 {
		t.Errorf("after the first process ended, the jobs ran in %v", by)
	}
	if overlaps.Load() > 0 {
		t.Errorf("%d runs overlapped", overlaps.Load())
	}
}

func TestARecurringJobThatFailsIsReportedAndRetried(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	client := openRecurring(t, tenancytest.FreshDatabaseURL(t), slog.New(slog.NewTextHandler(&log, nil)))
	runs := make(chan int, 10)
	var attempts atomic.Int64
	job.Every[sweep](client, time.Hour, time.Minute, func(context.Context) error {
		defer func() { runs <- 0 }()
		if attempts.Add(1) == 1 {
			return errors.New("the table is locked")
		}
		return nil
	})
	if err := client.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitRuns(t, runs, 2)
	closeClient(client)
	if done, failed, dead := client.Counts(); done != 1 || failed != 1 || dead != 0 {
		t.Errorf("%d done, %d failed, %d given up", done, failed, dead)
	}
	if !strings.Contains(log.String(), "the table is locked") || !strings.Contains(log.String(), "kind=test_sweep") {
		t.Errorf("the log does not report the failure: %s", log.String())
	}
}
