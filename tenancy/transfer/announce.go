package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// announceEvery is how often those who watch get how far a job is, at most, while its state stays the same.
const announceEvery = 250 * time.Millisecond

// An announcement is what those who watch a job got last.
type announcement struct {
	state State
	at    time.Time
}

// announce shows those who watch how far a job is, after what it says is committed. A total of -1 is not known.
func (s *Store) announce(j *Job, done, total int64) {
	j.Done, j.Total = done, total
	now := time.Now()
	lately := j.State == j.announced.state && now.Sub(j.announced.at) < announceEvery
	if s.Announce == nil || j.Kind == BackupBase || lately {
		return
	}
	j.announced = announcement{j.State, now}
	if !j.isDry() {
		s.Announce(j)
	}
}

// isDry reports whether a job is the dry run of an import, for which somebody waits.
func (j *Job) isDry() bool {
	var in struct {
		DryRun bool `json:"dryRun"`
	}
	return json.Unmarshal(j.Request, &in) == nil && in.DryRun
}

// note writes down how many rows are done, for those who watch. It is no step.
func (s *Store) note(ctx context.Context, j *Job, done, total int64) error {
	err := s.DB.Batch(db.WithoutSnapshot(ctx), j.Org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.job set done = $4, total = $5 where org_id = $1 and id = $2 and lease = $3",
			j.Org, j.ID, j.lease, done, total)
	})
	if err != nil {
		return fmt.Errorf("noting the progress of a job: %w", err)
	}
	s.announce(j, done, total)
	return nil
}
