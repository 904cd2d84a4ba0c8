// Package transfer imports and exports records in jobs: work on behalf of a person that takes longer than a request,
// survives the process that began it, and ends with a report of what came and what did not.
//
// A job is a row of its organization (rowhouse.job). A worker of the queue (package job) leases it, works as its person
// with the rights that the person has then, and renews the lease while it works. When a worker dies, its lease ends,
// and another one goes on. Steps that write records write down in the same transaction that they are done, so that none
// is done twice. The package knows nothing of HTTP or of credentials: callers have checked who may begin a job, and who
// may see one.
package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A Kind is what a job does. It is stored, so it must not change.
type Kind string

// The kinds.
const (
	ExportTable Kind = "export_table"
	ExportBase  Kind = "export_base"
	ImportTable Kind = "import_table" // into a table that is there
	ImportBase  Kind = "import_base"  // into a new table

	ImportAirtable Kind = "import_airtable" // a base, with all that is in it
	ImportProduct  Kind = "import_product"  // the same, from another product
	ImportArchive  Kind = "import_archive"  // a new base

	DuplicateBase  Kind = "duplicate_base"
	DuplicateTable Kind = "duplicate_table"

	BackupBase Kind = "backup_base" // begun by the service, and seen as a Backup and not as a job
)

// action names the beginning and the end of a job in the audit log, as the operation that begins it.
func (k Kind) action() string {
	switch k {
	case ImportAirtable:
		return "start_airtable_import"
	case ImportProduct:
		return "start_product_import"
	case ImportArchive:
		return "start_archive_import"
	case BackupBase:
		return "back_up_base"
	case ExportTable, ExportBase, ImportTable, ImportBase, DuplicateBase, DuplicateTable:
	}
	return string(k)
}

// A State is how far a job is. It is stored, so it must not change.
type State string

// The states. The last three are final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether a state is final.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// Life is how long the file of a job can be fetched, at least.
const Life = 24 * time.Hour

// maxUnfinished bounds the jobs of a person that have not ended.
const maxUnfinished = 20

// A Caller is what of the credential that asked for a job limits what is done.
type Caller struct {
	Kind       string `json:"kind"`
	Credential string `json:"credential"`
	Blind      bool   `json:"blind,omitempty"`    // may not read records
	Nameless   bool   `json:"nameless,omitempty"` // may not read the schema

	Memberless bool `json:"memberless,omitempty"` // may not read who is a member

	View uuid.UUID `json:"view,omitzero"` // the only one that the credential sees; zero means no bound
}

// A Job is work for a person in a base.
type Job struct {
	Org       uuid.UUID
	ID        uuid.UUID
	Kind      Kind
	State     State
	Person    uuid.UUID
	Base      uuid.UUID // zero while an archive is imported whose base is not made yet
	Table     uuid.UUID // zero if the job is not about one
	Caller    Caller
	Request   json.RawMessage
	Done      int64 // rows
	Total     int64 // -1 while it is not known
	Report    *Report
	File      *attachment.File // the result, while it can be fetched
	ChangeSet uuid.UUID        // of what an import writes
	CreatedAt time.Time
	StartedAt *time.Time
	EndedAt   *time.Time
	// Token is of another service, for Begin. It is kept sealed until the job has ended, and is never read back.
	Token string

	step     int
	progress json.RawMessage
	attempts int

	announced announcement // last

	withoutFiles bool // an archive of it leaves attachments out

	stop  bool // somebody wants it to end
	lease uuid.UUID
}

// PublicID returns the identifier of the job, as in job_….
func (j *Job) PublicID() string { return id.Format(id.Job, j.ID) }

// Options are what a Store needs.
type Options struct {
	DB      *db.DB
	Schema  *catalog.Store
	Records *record.Engine
	Files   *attachment.Store
	Jobs    *job.Client
	// Converter makes CSV of files of other forms.
	Converter convert.Converter
	Log       *slog.Logger // nil logs nothing
	Plans     *plan.Tokens // of dry runs
	// Announce, unless nil, is called with a job that people see when its state or its count of rows has changed. It
	// does not wait.
	Announce func(j *Job)

	// Airtable reads bases of Airtable, and Products those of others by their names. Tokens seal what lets them, and
	// Comments takes the comments there.
	Airtable *airtable.Client
	Products map[string]product.Opener
	Tokens   seal.Keys
	Comments *comment.Store

	// Scratch is the engine for the bases in which backups are tested: on a store with the option Scratch, and keeping
	// former members.
	Scratch *record.Engine
	Buckets *bucket.Opener // of organizations
}

// NewTokens derives the keys of Options.Tokens from the service's secrets.
func NewTokens(secrets [][]byte) (seal.Keys, error) {
	keys, err := seal.New(secrets, "rowhouse job token", "rowhouse job token authentication")
	if err != nil {
		return keys, fmt.Errorf("preparing the tokens of jobs: %w", err)
	}
	return keys, nil
}

// tokenLabel binds a sealed token to its job.
func (j *Job) tokenLabel() string { return "the token of the job " + j.PublicID() }

// A Store begins jobs, shows them and works on them. It is safe for concurrent use.
type Store struct {
	Options

	leaseTime time.Duration
}

// New returns a store. Its jobs run when the client of the queue starts, if Work was called before.
func New(options Options) *Store {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{Options: options, leaseTime: leaseTime}
}

// columns of rowhouse.job in the order of scan.
const columns = `j.org_id, j.id, j.kind, j.state, j.person_id,
	coalesce(j.base_id, '` + noUUID + `'), coalesce(j.table_id, '` + noUUID + `'),
	j.caller, j.request, j.step, j.progress, j.done, coalesce(j.total, -1), j.report,
	coalesce(j.change_set, '` + noUUID + `'),
	j.cancelled, j.attempts, j.created_at, j.started_at, j.ended_at, j.file_id`

const noUUID = "00000000-0000-0000-0000-000000000000"

// fileColumns are those of the file of a job, which is null when it has ended.
const fileColumns = ", f.name, f.size, f.type"

const fromJobs = ` from rowhouse.job j left join rowhouse.attachment f
	on f.org_id = j.org_id and f.id = j.file_id and f.state = 'ready' `

func scan(row pgx.Row) (*Job, error) {
	var j Job
	var caller, report []byte
	var file *uuid.UUID
	var name, kind *string
	var size *int64
	err := row.Scan(&j.Org, &j.ID, &j.Kind, &j.State, &j.Person, &j.Base, &j.Table, &caller, &j.Request, &j.step,
		&j.progress, &j.Done, &j.Total, &report, &j.ChangeSet, &j.stop, &j.attempts, &j.CreatedAt, &j.StartedAt,
		&j.EndedAt, &file, &name, &size, &kind)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(caller, &j.Caller); err != nil {
		return nil, fmt.Errorf("reading the caller of a job: %w", err)
	}
	if report != nil {
		j.Report = &Report{}
		if err := json.Unmarshal(report, j.Report); err != nil {
			return nil, fmt.Errorf("reading the report of a job: %w", err)
		}
	}
	if file != nil && name != nil {
		j.File = &attachment.File{ID: *file, Name: *name, Size: *size, Type: *kind}
	}
	return &j, nil
}

// find reads the jobs that a statement after "select columns from" finds.
func (s *Store) find(ctx context.Context, org uuid.UUID, where string, args ...any) ([]*Job, error) {
	var found []*Job
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+fileColumns+fromJobs+where, args...).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Job, error) { return scan(row) })
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading jobs: %w", err)
	}
	return found, nil
}

// Get returns a job of the organization, or an error of kind not_found.
func (s *Store) Get(ctx context.Context, org, job uuid.UUID) (*Job, error) {
	found, err := s.find(ctx, org, "where j.org_id = $1 and j.id = $2", org, job)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, problem.NotFound("job", id.Format(id.Job, job))
	}
	return found[0], nil
}

// List returns jobs of the organization without dry runs, the latest first: those of a person in the bases of seen,
// with uuid.Nil among them also in none, and those of anybody in the bases of all.
func (s *Store) List(
	ctx context.Context, org, person uuid.UUID, seen, all []uuid.UUID, before uuid.UUID, limit int,
) ([]*Job, error) {
	return s.find(ctx, org, `where j.org_id = $1
			and not `+fmt.Sprintf(isDry, "j")+` and j.kind <> 'backup_base'
			and (j.person_id = $2 and coalesce(j.base_id, '`+noUUID+`') = any ($6) or j.base_id = any ($3))
		and ($4::uuid = '`+noUUID+`' or j.id < $4::uuid) order by j.id desc limit $5`,
		org, person, all, before, limit, seen)
}

// Begin queues a job in the transaction that records its event. It returns an error of kind conflict if the person has
// too many.
func (s *Store) Begin(ctx context.Context, in *Job) (*Job, error) {
	in.ID, in.State, in.CreatedAt, in.Total = id.New(), Queued, time.Now().UTC(), -1
	caller, err := json.Marshal(in.Caller)
	if err != nil {
		return nil, fmt.Errorf("encoding the caller of a job: %w", err)
	}
	var base, table, set *uuid.UUID
	subject := in.PublicID()
	if in.Base != uuid.Nil {
		base, subject = &in.Base, id.Format(id.Base, in.Base)
	}
	if in.Table != uuid.Nil {
		table, subject = &in.Table, id.Format(id.Table, in.Table)
	}
	if in.ChangeSet != uuid.Nil {
		set = &in.ChangeSet
	}
	var secret []byte
	if in.Token != "" {
		secret = s.Tokens.Seal([]byte(in.Token), in.tokenLabel())
	}
	unfinished := 0
	err = s.DB.Batch(ctx, in.Org, func(b *pgx.Batch) {
		b.Queue(`select count(*) from rowhouse.job where org_id = $1 and person_id = $2 and kind <> 'backup_base'
			and state in ('queued', 'running')`, in.Org, in.Person).
			QueryRow(func(row pgx.Row) error {
				if err := row.Scan(&unfinished); err != nil || unfinished < maxUnfinished {
					return err
				}
				return problem.Conflict("You have %d jobs that have not ended; wait for one, or cancel one.",
					unfinished)
			})
		b.Queue(`insert into rowhouse.job
			(org_id, id, kind, person_id, base_id, table_id, caller, request, change_set, created_at, secret)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			in.Org, in.ID, in.Kind, in.Person, base, table, caller, in.Request, set, in.CreatedAt, secret)
		audit.Record(ctx, b, in.Org, &audit.Event{
			Action: in.Kind.action(), Subject: subject, Detail: map[string]any{"job": in.PublicID()},
		})
	})
	if err != nil {
		return nil, fmt.Errorf("beginning a job: %w", err)
	}
	if err := s.queue(context.WithoutCancel(ctx), []waitingJob{{in.Org, in.ID, in.Kind}}); err != nil {
		s.Log.WarnContext(ctx, "a job waits for the next sweep", slog.Any("error", err))
	}
	s.announce(in, 0, in.Total)
	return in, nil
}

// Cancel ends a job that waits, and lets one that runs end after its present step. What an import has written stays;
// its change set undoes it. A job that has ended stays as it is.
func (s *Store) Cancel(ctx context.Context, j *Job) (*Job, error) {
	err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.job set cancelled = true,
				state = case when leased_until > now() then state else 'cancelled' end,
				ended_at = case when leased_until > now() then null else now() end,
				secret = case when leased_until > now() then secret end
			where org_id = $1 and id = $2 and state in ('queued', 'running')`, j.Org, j.ID)
		audit.Record(ctx, b, j.Org, &audit.Event{Action: "cancel_job", Subject: j.PublicID()})
	})
	if err != nil {
		return nil, fmt.Errorf("cancelling a job: %w", err)
	}
	j, err = s.Get(ctx, j.Org, j.ID)
	if err == nil {
		s.announce(j, j.Done, j.Total)
	}
	return j, err
}

// errStopped ends the work on a job that was cancelled, or that another worker goes on with.
var errStopped = errors.New("the job was stopped")

// errLater ends a run of a job that goes on in another one.
var errLater = errors.New("the job goes on in another run")
