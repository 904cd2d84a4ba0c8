package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// runPause is after which time a run makes room for others. The job goes on in another run.
const runPause = runTime / 2

// stepProgress is what a step of a job needs of those before, and what of it people see.
type stepProgress interface {
	counts() (done, total int64) // a total of 0 is not known yet
}

// stepping is a run of a job that writes in steps, each in one transaction with the note that it is done.
type stepping[P stepProgress] struct {
	*Store

	j        *Job
	began    time.Time
	progress P
	report   *Report
}

// steppingOf goes on where the last step of a job was.
func steppingOf[P stepProgress](s *Store, j *Job) (stepping[P], error) {
	r := stepping[P]{Store: s, j: j, began: time.Now(), report: &Report{}}
	if j.Report != nil {
		r.report = j.Report
	}
	if err := json.Unmarshal(j.progress, &r.progress); err != nil {
		return r, fmt.Errorf("reading the progress of a job: %w", err)
	}
	return r, nil
}

// begin begins a step: it looks whether the work goes on, and returns a context in which the person of the job works
// with the rights that they have now.
func (r *stepping[P]) begin(ctx context.Context) (context.Context, record.Actor, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, record.Actor{}, err //nolint:wrapcheck // errStopped, or that of the context
	}
	if time.Since(r.began) > runPause {
		return nil, record.Actor{}, errLater
	}
	return r.asPerson(ctx, r.j, schema.BaseCreator, nil)
}

// A jobStep is how far the work is after a step.
type jobStep[P stepProgress] struct {
	progress P
	report   *Report
}

// next is the present step, to be changed.
func (r *stepping[P]) next() *jobStep[P] {
	return &jobStep[P]{progress: r.progress, report: r.report.clone()}
}

// followed is the step after one.
func (r *stepping[P]) followed(done *jobStep[P]) *jobStep[P] {
	return &jobStep[P]{progress: done.progress, report: done.report.clone()}
}

// table is the part of the report about a table by its name, whose id here is zero while it is not known.
func (n *jobStep[P]) table(name string, ours uuid.UUID) *TableReport {
	at := slices.IndexFunc(n.report.Tables, func(one TableReport) bool { return one.Name == name })
	if at < 0 {
		at = len(n.report.Tables)
		n.report.Tables = append(n.report.Tables, TableReport{Name: name})
	}
	report := &n.report.Tables[at]
	if ours != uuid.Nil {
		report.ID = id.Format(id.Table, ours)
	}
	return report
}

// within returns a context whose next change is a step: its transaction also runs what is queued, and notes how far
// the work is. After the change, call took.
func (r *stepping[P]) within(ctx context.Context, next *jobStep[P], queue func(b *pgx.Batch)) context.Context {
	actor := db.ActorOf(ctx)
	actor.Step = func(b *pgx.Batch) {
		if queue != nil {
			queue(b)
		}
		r.queueNext(b, next)
	}
	return db.WithActor(ctx, actor)
}

func (r *stepping[P]) queueNext(b *pgx.Batch, next *jobStep[P]) {
	progress, err := json.Marshal(next.progress)
	if err != nil {
		progress = nil // the statement fails
	}
	report, err := json.Marshal(next.report)
	if err != nil {
		report = nil
	}
	done, all := next.counts()
	var total *int64
	if all >= 0 {
		total = &all
	}
	r.queueStep(b, r.j, "progress = $5, report = $6, done = $7, total = $8", progress, report, done, total)
}

// counts are those of people: a total of -1 is not known.
func (n *jobStep[P]) counts() (done, total int64) {
	if done, total = n.progress.counts(); total == 0 {
		total = -1
	}
	return done, total
}

// took takes a step over that is done.
func (r *stepping[P]) took(next *jobStep[P]) {
	r.j.step, r.progress, r.report = r.j.step+1, next.progress, next.report
	done, total := next.counts()
	r.announce(r.j, done, total)
}

// commit is a step that changes only what is queued.
func (r *stepping[P]) commit(ctx context.Context, next *jobStep[P], queue func(b *pgx.Batch)) error {
	err := r.DB.Batch(db.WithoutSnapshot(ctx), r.j.Org, func(b *pgx.Batch) {
		if queue != nil {
			queue(b)
		}
		r.queueNext(b, next)
	})
	if err != nil {
		return fmt.Errorf("noting a step of an import: %w", err)
	}
	r.took(next)
	return nil
}

// memberIDs are the members of an organization by their e-mail addresses.
func (s *Store) memberIDs(ctx context.Context, org uuid.UUID) (map[string]string, error) {
	members := map[string]string{}
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select p.id, p.email from rowhouse.member m join rowhouse.person p on p.id = m.person_id
			where m.org_id = $1`, org).
			Query(func(rows pgx.Rows) error {
				var person uuid.UUID
				var email string
				_, err := pgx.ForEachRow(rows, []any{&person, &email}, func() error {
					members[strings.ToLower(email)] = id.Format(id.User, person)
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the members: %w", err)
	}
	return members, nil
}
