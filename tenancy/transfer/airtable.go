package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/airtable"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An AirtableImport is the request of a job that imports a base of Airtable.
type AirtableImport struct {
	AirtableBase string `json:"airtableBaseId"`
}

// AirtableBase is the id of the base that a job imports from Airtable, or "".
func (j *Job) AirtableBase() string {
	var in AirtableImport
	if json.Unmarshal(j.Request, &in) != nil {
		return ""
	}
	return in.AirtableBase
}

// An airtablePhase is a part of the work of an import. It is stored, so it must not change.
type airtablePhase string

// The phases, in their order. What a phase needs of those before stands in the id map, so that each goes on where it
// was: a table that has an item is made, and a record with links in its item still needs them.
const (
	airtableTables   airtablePhase = "" // tables, and the fields with values of their own
	airtableRecords  airtablePhase = "records"
	airtableLinks    airtablePhase = "links"
	airtableFiles    airtablePhase = "files"
	airtableComputed airtablePhase = "computed"
	airtableViews    airtablePhase = "views"
	airtableComments airtablePhase = "comments"
	airtableEnd      airtablePhase = "end"
)

// airtableProgress is what a step of an import needs of those before.
type airtableProgress struct {
	Phase airtablePhase `json:"phase,omitempty"`
	// Table is the Airtable id of the table whose records are read, and Offset where its next page begins.
	Table  string `json:"table,omitempty"`
	Offset string `json:"offset,omitempty"`
	Done   int64  `json:"done,omitempty"`
	Total  int64  `json:"total,omitempty"` // of Done; 0 while it is not known
}

// airtableRun is a run of an import.
type airtableRun struct {
	*Store

	j       *Job
	session *airtable.Session
	tables  []airtable.Table
	items   airtableItems
	members map[string]string // public ids of people by e-mail address

	began    time.Time
	progress airtableProgress
	report   *Report
}

// airtablePause is after which time a run makes room for others. The job goes on in another run.
const airtablePause = runTime / 2

// importAirtable brings a base of Airtable, or what has changed in it since the last import.
func (s *Store) importAirtable(ctx context.Context, j *Job) error {
	r := &airtableRun{Store: s, j: j, began: time.Now(), report: &Report{}}
	if j.Report != nil {
		r.report = j.Report
	}
	if err := json.Unmarshal(j.progress, &r.progress); err != nil {
		return fmt.Errorf("reading the progress of a job: %w", err)
	}
	err := r.run(ctx)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errStopped) {
		return errStopped
	}
	j.Report = r.report
	err = airtable.Problem(err)
	if isRefusal(err) {
		j.Report.noteOnce("Another import into this base goes on where this one was.")
	}
	return err
}

func (r *airtableRun) run(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	for _, phase := range []struct {
		name airtablePhase
		do   func(ctx context.Context) error
		next airtablePhase
	}{
		{airtableTables, r.makeTables, airtableRecords},
		{airtableRecords, r.bringRecords, airtableLinks},
		{airtableLinks, r.bringLinks, airtableFiles},
		{airtableFiles, r.bringFiles, airtableComputed},
		{airtableComputed, r.makeComputed, airtableViews},
		{airtableViews, r.makeViews, airtableComments},
		{airtableComments, r.bringComments, airtableEnd},
	} {
		if r.progress.Phase != phase.name {
			continue
		}
		if err := phase.do(ctx); err != nil {
			return err
		}
		next := r.next()
		next.progress.Phase, next.progress.Table, next.progress.Offset = phase.next, "", ""
		if err := r.commit(ctx, next, nil); err != nil {
			return err
		}
	}
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	r.j.Report = r.report
	return r.finish(ctx, r.j, nil)
}

// open reads the token, what is at Airtable, and what is here of it.
func (r *airtableRun) open(ctx context.Context) error {
	var in AirtableImport
	if err := json.Unmarshal(r.j.Request, &in); err != nil {
		return fmt.Errorf("reading the request of a job: %w", err)
	}
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	token, err := r.token(ctx)
	if err != nil {
		return err
	}
	r.session = r.Airtable.Open(token, in.AirtableBase)
	if r.tables, err = r.session.Tables(ctx); err != nil {
		return err //nolint:wrapcheck // Problem reads it
	}
	if r.members, err = r.memberIDs(ctx); err != nil {
		return err
	}
	return r.loadItems(ctx, in.AirtableBase)
}

// token opens the token of the job.
func (r *airtableRun) token(ctx context.Context) (string, error) {
	var sealed []byte
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue("select secret from rowhouse.job where org_id = $1 and id = $2", r.j.Org, r.j.ID).
			QueryRow(func(row pgx.Row) error { return row.Scan(&sealed) })
	})
	if err != nil {
		return "", fmt.Errorf("reading the token of a job: %w", err)
	}
	token, err := r.Tokens.Open(sealed, r.j.tokenLabel())
	if err != nil {
		return "", problem.Invalid("token", "cannot be read any more; import again with it")
	}
	return string(token), nil
}

// memberIDs are the members of the organization by their e-mail addresses.
func (r *airtableRun) memberIDs(ctx context.Context) (map[string]string, error) {
	members := map[string]string{}
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select p.id, p.email from rowhouse.member m join rowhouse.person p on p.id = m.person_id
			where m.org_id = $1`, r.j.Org).
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

func (r *airtableRun) people(email string) string { return r.members[strings.ToLower(email)] }

// begin begins a step: it looks whether the work goes on, and returns a context in which the person of the job works
// with the rights that they have now.
func (r *airtableRun) begin(ctx context.Context) (context.Context, record.Actor, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, record.Actor{}, err //nolint:wrapcheck // errStopped, or that of the context
	}
	if time.Since(r.began) > airtablePause {
		return nil, record.Actor{}, errLater
	}
	return r.asPerson(ctx, r.j, schema.BaseCreator, nil)
}

// beginFresh is begin for a step that needs the schema as it is now.
func (r *airtableRun) beginFresh(ctx context.Context) (context.Context, record.Actor, *schema.Snapshot, error) {
	ctx, actor, err := r.begin(ctx)
	if err != nil {
		return nil, actor, nil, err
	}
	snapshot, err := r.snapshot(ctx)
	return ctx, actor, snapshot, err
}

// snapshot is the schema as it is now.
func (r *airtableRun) snapshot(ctx context.Context) (*schema.Snapshot, error) {
	snapshot, err := r.Schema.Fresh(ctx, r.j.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return snapshot, nil
}

// An airtableStep is how far the work is after a step.
type airtableStep struct {
	progress airtableProgress
	report   *Report
}

// next is the present step, to be changed.
func (r *airtableRun) next() *airtableStep {
	return &airtableStep{progress: r.progress, report: r.report.clone()}
}

// table is the part of the report about a table, whose id here is zero while it is not known.
func (n *airtableStep) table(t *airtable.Table, ours uuid.UUID) *TableReport {
	at := slices.IndexFunc(n.report.Tables, func(one TableReport) bool { return one.Name == t.Name })
	if at < 0 {
		at = len(n.report.Tables)
		n.report.Tables = append(n.report.Tables, TableReport{Name: t.Name})
	}
	report := &n.report.Tables[at]
	if ours != uuid.Nil {
		report.ID = id.Format(id.Table, ours)
	}
	return report
}

// within returns a context whose next change is a step: its transaction also runs what is queued, and notes how far
// the work is. After the change, call took.
func (r *airtableRun) within(ctx context.Context, next *airtableStep, queue func(b *pgx.Batch)) context.Context {
	actor := db.ActorOf(ctx)
	actor.Step = func(b *pgx.Batch) {
		if queue != nil {
			queue(b)
		}
		r.queueNext(b, next)
	}
	return db.WithActor(ctx, actor)
}

func (r *airtableRun) queueNext(b *pgx.Batch, next *airtableStep) {
	progress, err := json.Marshal(next.progress)
	if err != nil {
		progress = nil // the statement fails
	}
	report, err := json.Marshal(next.report)
	if err != nil {
		report = nil
	}
	var total *int64
	if next.progress.Total > 0 {
		total = &next.progress.Total
	}
	r.queueStep(b, r.j, "progress = $5, report = $6, done = $7, total = $8", progress, report,
		next.progress.Done, total)
}

// took takes a step over that is done.
func (r *airtableRun) took(next *airtableStep) {
	r.j.step, r.progress, r.report = r.j.step+1, next.progress, next.report
}

// commit is a step that changes only what is queued.
func (r *airtableRun) commit(ctx context.Context, next *airtableStep, queue func(b *pgx.Batch)) error {
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

// whyRefused is what is wrong, without where it stands in a request.
func whyRefused(err error) string {
	var wrong *problem.Error
	if !errors.As(err, &wrong) || len(wrong.Items) == 0 {
		return err.Error()
	}
	texts := make([]string, len(wrong.Items))
	for i, item := range wrong.Items {
		texts[i] = item.Message
	}
	return withoutNUL(strings.Join(texts, "; "))
}

// isRefusal reports whether an error is about what was to be written, so that trying again is of no use.
func isRefusal(err error) bool {
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Code == problem.CodeSchemaChanged {
		return false
	}
	switch wrong.Kind {
	case problem.KindInvalid, problem.KindConflict, problem.KindTooLarge, problem.KindImpossible,
		problem.KindNotFound:
		return true
	case problem.KindUnauthenticated, problem.KindForbidden, problem.KindMismatch, problem.KindPrecondition,
		problem.KindGone, problem.KindRateLimited, problem.KindUnavailable, problem.KindInternal:
	}
	return false
}
