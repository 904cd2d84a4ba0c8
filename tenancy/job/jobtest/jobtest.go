// Package jobtest gives each test its own job queue in the shared test database.
package jobtest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Open returns a client of the shared database that runs only its own jobs. It is closed when the
// test ends. Call Start after registering the workers.
func Open(t testing.TB, queues map[string]int) *job.Client {
	t.Helper()
	return OpenAt(t, tenancytest.JobURL(t), queues, nil)
}

// OpenAt is Open for another database, of which it takes the URL of the login for jobs, with a log.
func OpenAt(t testing.TB, databaseURL string, queues map[string]int, log *slog.Logger) *job.Client {
	t.Helper()
	client, err := job.Open(t.Context(), databaseURL, job.Options{
		Queues: queues,
		Prefix: uuid.NewString() + "_",
		Log:    log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		client.Close(ctx)
	})
	return client
}

// Start starts a client.
func Start(t testing.TB, client *job.Client) {
	t.Helper()
	if err := client.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
}
