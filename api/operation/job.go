package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// maxJobWait is how long get_job waits for the end of a job.
const maxJobWait = 25 * time.Second

// jobPoll is how often a waiting get_job looks.
const jobPoll = 300 * time.Millisecond

// Job is work that goes on after the response that began it.
type Job struct {
	JobProgress

	CreatedAt time.Time        `json:"createdAt"`
	StartedAt *time.Time       `json:"startedAt"`
	EndedAt   *time.Time       `json:"endedAt"`
	Report    *transfer.Report `json:"report,omitzero" jsonschema:"what came, what did not, and why"`
	File      *JobFile         `json:"file,omitzero" jsonschema:"the result, for a day"`
	// AirtableBaseID is for another import from the same place.
	AirtableBaseID string      `json:"airtableBaseId,omitzero" jsonschema:"of an import from Airtable"`
	From           *JobProduct `json:"from,omitzero" jsonschema:"of an import from NocoDB or Baserow, for another one"`
	Changes        string      `json:"changes,omitzero" jsonschema:"the change set of an import, for revert_changes"`
}

// JobProduct is where an import brings a base from.
type JobProduct struct {
	Product       string `json:"product"`
	Address       string `json:"address"`
	ProductBaseID string `json:"productBaseId"`
}

// JobFile is the file that a job has made.
type JobFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Type string `json:"type"`
	URL  string `json:"url" jsonschema:"needs no credential; whoever has it can fetch the file"`
}

// job is what the API says of a job.
func (c *Call) job(j *transfer.Job) Job {
	out := Job{
		JobProgress: progressOf(j), CreatedAt: j.CreatedAt.UTC(), StartedAt: inUTC(j.StartedAt),
		EndedAt: inUTC(j.EndedAt), Report: j.Report,
	}
	if j.Kind == transfer.ImportAirtable {
		out.AirtableBaseID = j.AirtableBase()
	}
	if from := j.Product(); from != nil {
		out.From = &JobProduct{Product: from.Product, Address: from.Address, ProductBaseID: from.Base}
	}
	if j.ChangeSet != uuid.Nil {
		out.Changes = id.Format(id.ChangeSet, j.ChangeSet)
	}
	reads := c.Principal.Has(authz.DataRead)
	if j.File != nil && reads && j.Person == c.Principal.Person {
		out.File = &JobFile{Name: j.File.Name, Size: j.File.Size, Type: j.File.Type, URL: string(
			c.Links.Lasting(transfer.Life).AppendLink(nil, j.Org, j.File.ID, j.File.Name, false))}
	}
	if j.Person != c.Principal.Person && out.Report != nil { // it quotes what the person sees
		out.Report = out.Report.Counts()
	}
	return out
}

// seesJob reports whether a principal, whose snapshot s is, may see the jobs of a person in a base: they are theirs, or
// they are a creator of the base.
func seesJob(p *authz.Principal, s *schema.Snapshot, base, person uuid.UUID) bool {
	own := person == p.Person
	switch {
	case !p.ReachesBase(base):
		return false
	case base == uuid.Nil: // it makes one
		return own
	case s.Base(base) == nil:
		return false
	}
	return own || s.RoleOf(p.Subject(s.Org), base) == schema.BaseCreator
}

// SeesJob reports whether a principal may see the jobs of a person in a base of an organization.
func SeesJob(
	ctx context.Context, deps *Deps, p *authz.Principal, org, base, person uuid.UUID,
) (bool, error) {
	s, err := deps.Schema.Cached(catalog.WithCaller(ctx, p), org)
	if err != nil {
		return false, err
	}
	return seesJob(p, s, base, person), nil
}

// JobProgress is how far a job is.
type JobProgress struct {
	ID      string         `json:"id"`
	Kind    transfer.Kind  `json:"kind" jsonschema:"export_table, export_base, import_table, import_base, import_airtable, import_product, import_archive, duplicate_base or duplicate_table"`
	State   transfer.State `json:"state" jsonschema:"queued, running, done, failed or cancelled"`
	BaseID  string         `json:"baseId,omitzero" jsonschema:"none while the base of an archive is not made"`
	TableID string         `json:"tableId,omitzero"`
	UserID  string         `json:"userId" jsonschema:"whose job it is"`
	Done    int64          `json:"done" jsonschema:"rows"`
	Total   *int64         `json:"total" jsonschema:"rows; null while it is not known"`
}

func progressOf(j *transfer.Job) JobProgress {
	out := JobProgress{
		ID: j.PublicID(), Kind: j.Kind, State: j.State, UserID: id.Format(id.User, j.Person), Done: j.Done,
	}
	if j.Base != uuid.Nil {
		out.BaseID = id.Format(id.Base, j.Base)
	}
	if j.Table != uuid.Nil {
		out.TableID = id.Format(id.Table, j.Table)
	}
	if total := j.Total; total >= 0 {
		out.Total = &total
	}
	return out
}

// AnnounceJobs returns a function that reports how far a job is.
func AnnounceJobs(pass func(org uuid.UUID, e live.JobEvent)) func(j *transfer.Job) {
	return func(j *transfer.Job) {
		text, err := json.Marshal(progressOf(j))
		if err != nil {
			return // strings and numbers can be encoded
		}
		pass(j.Org, live.JobEvent{ID: j.ID, Base: j.Base, Person: j.Person, Text: text})
	}
}

// resolveJob finds a job among those of the caller's organizations that the caller may see.
func (o *Operation) resolveJob(ctx context.Context, call *Call, value string) error {
	which, err := id.Parse(id.Job, value)
	if err != nil || call.Jobs == nil {
		return problem.NotFound("job", value)
	}
	for _, membership := range call.Principal.Orgs {
		j, err := call.Jobs.Get(ctx, membership.Org, which)
		if problem.KindOf(err) == problem.KindNotFound {
			continue
		}
		if err != nil {
			return err
		}
		snapshot, err := call.Schema.Fresh(ctx, membership.Org)
		if err != nil {
			return err
		}
		if j.Kind == transfer.BackupBase || // admins list backups
			!seesJob(call.Principal, snapshot, j.Base, j.Person) {
			break
		}
		call.Target = Target{Org: membership.Org, ID: which, Base: j.Base}
		call.Target.setRole(call.Principal, snapshot)
		return o.authorizeTarget(call)
	}
	return problem.NotFound("job", value)
}

// JobIn names a job.
type JobIn struct {
	JobID string `json:"jobId"`
}

// GetJob returns a job, and can wait for its end.
var GetJob = New(Def{
	Name: "get_job", Method: "GET", Path: "/jobs/{jobId}", Title: "Get job",
	Summary: "See how far an import or an export is, and its report and file when it has ended.",
	Description: "You see your own jobs, and all of a base that you are a creator of; the file is for the person of " +
		"the job. Returns the job; with wait, once it has ended or the time is over.",
	Scope: authz.None, ReadOnly: true, Idempotent: true, Waits: maxJobWait, Secret: true, BaseFiltered: true,
}, func(ctx context.Context, c *Call, in struct {
	JobIn
	Wait int `json:"wait,omitzero" min:"0" max:"25" jsonschema:"seconds"`
},
) (Job, error) {
	until := time.Now().Add(time.Duration(in.Wait) * time.Second)
	for {
		j, err := c.Jobs.Get(ctx, c.Target.Org, c.Target.ID)
		if err != nil {
			return Job{}, err
		}
		if j.State.Ended() || !time.Now().Before(until) {
			return c.job(j), nil
		}
		if err := c.idle(ctx, func() {
			select {
			case <-ctx.Done():
			case <-time.After(jobPoll):
			}
		}); err != nil {
			return Job{}, err
		}
		if ctx.Err() != nil {
			return Job{}, callerGoneError(ctx.Err())
		}
	}
})

// JobList is a page of jobs.
type JobList struct {
	Jobs       []Job   `json:"jobs"`
	NextCursor *string `json:"nextCursor"`
}

// ListJobs lists the jobs of an organization that the caller may see.
var ListJobs = New(Def{
	Name: "list_jobs", Method: "GET", Path: "/orgs/{orgId}/jobs", Title: "List jobs",
	Summary:     "List imports and exports of the last 30 days, the latest first.",
	Description: "You see your own jobs, and all of a base that you are a creator of. Returns a page of jobs.",
	Scope:       authz.None, ReadOnly: true, Idempotent: true, Secret: true, BaseFiltered: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Limit  *int   `json:"limit,omitzero" min:"1" max:"100" default:"20"`
	Cursor string `json:"cursor,omitzero" maxLength:"100"`
},
) (JobList, error) {
	limit, before := 20, uuid.Nil
	if in.Limit != nil {
		limit = *in.Limit
	}
	if in.Cursor != "" {
		var err error
		if before, err = id.Parse(id.Job, in.Cursor); err != nil {
			return JobList{}, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
		}
	}
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return JobList{}, err
	}
	seen, created := []uuid.UUID{}, []uuid.UUID{}
	if c.Principal.ReachesBase(uuid.Nil) { // those that have no base yet
		seen = append(seen, uuid.Nil)
	}
	for _, b := range snapshot.Bases {
		if !c.Principal.ReachesBase(b.ID) {
			continue
		}
		seen = append(seen, b.ID)
		if snapshot.RoleOf(c.Principal.Subject(c.Target.Org), b.ID) == schema.BaseCreator {
			created = append(created, b.ID)
		}
	}
	found, err := c.Jobs.List(ctx, c.Target.Org, c.Principal.Person, seen, created, before, limit+1)
	if err != nil {
		return JobList{}, err
	}
	out := JobList{Jobs: []Job{}}
	if len(found) > limit {
		found = found[:limit]
		next := found[limit-1].PublicID()
		out.NextCursor = &next
	}
	for _, j := range found {
		out.Jobs = append(out.Jobs, c.job(j))
	}
	return out, nil
})

// CancelJob ends a job.
var CancelJob = New(Def{
	Name: "cancel_job", Method: "POST", Path: "/jobs/{jobId}/cancel", Title: "Cancel job",
	Summary: "End an import or an export that has not ended.",
	Description: "What an import has written stays; its change set undoes it. A job that runs ends within seconds. " +
		"Returns the job.",
	Scope: authz.None, Idempotent: true, Unlogged: true, Secret: true, BaseFiltered: true,
}, func(ctx context.Context, c *Call, _ JobIn) (Job, error) {
	j, err := c.Jobs.Get(ctx, c.Target.Org, c.Target.ID)
	if err != nil {
		return Job{}, err
	}
	c.unwritten = true
	if !j.State.Ended() {
		if j, err = c.Jobs.Cancel(ctx, j); err != nil {
			return Job{}, err
		}
	}
	return c.job(j), nil
})

// begin begins a job about the target.
func (c *Call) begin(ctx context.Context, kind transfer.Kind, request any, set uuid.UUID) (Job, error) {
	return c.beginWith(ctx, kind, request, set, "")
}

// beginWith is begin with a token of another service.
func (c *Call) beginWith(
	ctx context.Context, kind transfer.Kind, request any, set uuid.UUID, token string,
) (Job, error) {
	if err := c.Files.CheckConfigured(); err != nil {
		return Job{}, err
	}
	encoded, err := json.Marshal(request)
	if err != nil {
		return Job{}, fmt.Errorf("encoding the request of a job: %w", err)
	}
	j := &transfer.Job{
		Org: c.Target.Org, Kind: kind, Person: c.Principal.Person, Base: c.Target.Base, Request: encoded,
		ChangeSet: set, Token: token,
		Caller: transfer.Caller{
			Kind: string(c.Principal.Kind), Credential: c.Principal.Credential,
			Blind: !c.Principal.Has(authz.DataRead), Nameless: !c.Principal.Has(authz.SchemaRead),
			Memberless: !c.Principal.Has(authz.MembersRead),
			View:       c.Principal.View,
		},
	}
	if c.Target.Table != nil {
		j.Table = c.Target.ID
	}
	c.unwritten = true // what an import writes has the change set of the job
	j, err = c.Jobs.Begin(ctx, j)
	if err != nil {
		return Job{}, err
	}
	return c.job(j), nil
}

// ExportTable begins an export of a table.
var ExportTable = New(Def{
	Name: "export_table", Method: "POST", Path: "/tables/{tableId}/exports", Title: "Export a table to a file",
	Summary: "Begin a job that writes the records of a table, a view or a filter into a file.",
	Description: "The file is of one moment, has no bound, and can be fetched for a day. xlsx and parquet keep " +
		"numbers and dates as such, parquet also lists; ndjson has the records as the API returns them. Returns the " +
		"job; get_job has the file. For a " +
		"text of up to 5 MB at once, use export_records.",
	Scope: authz.DataRead, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Format  transfer.Format `json:"format" enum:"csv,xlsx,ndjson,parquet"`
	View    string          `json:"view,omitzero" jsonschema:"view id"`
	Search  string          `json:"search,omitzero" maxLength:"1000"`
	Filters Filters         `json:"filters,omitzero"`
	Sorts   Sorts           `json:"sorts,omitzero"`
	Fields  []string        `json:"fields,omitzero" maxItems:"500" jsonschema:"names or ids; default all"`
	BOM     bool            `json:"bom,omitzero" jsonschema:"begin csv with a byte order mark, for spreadsheets"`
},
) (Job, error) {
	request := transfer.Export{
		Format: in.Format, View: in.View, Search: in.Search, Filters: json.RawMessage(in.Filters.Value),
		Sorts: json.RawMessage(in.Sorts.Value), Fields: in.Fields, Mark: in.BOM,
	}
	if err := c.Jobs.CheckExport(ctx, c.actor(), c.Target.ID, &request); err != nil {
		return Job{}, err
	}
	return c.begin(ctx, transfer.ExportTable, request, uuid.Nil)
})

// ExportBase begins an export of a base.
var ExportBase = New(Def{
	Name: "export_base", Method: "POST", Path: "/bases/{baseId}/exports", Title: "Export a base to a file",
	Summary: "Begin a job that writes all tables of a base into a file.",
	Description: "xlsx has a sheet for each table. archive is a zip of the structure, the records of each table as " +
		"NDJSON, their files, and a manifest with counts and SHA-256, of which start_archive_import makes a base. " +
		"All is of one moment, and what you do not see is left out. Returns the job; get_job has the file.",
	Scope: authz.DataRead, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Format transfer.Format `json:"format" enum:"xlsx,archive"`
},
) (Job, error) {
	return c.begin(ctx, transfer.ExportBase, transfer.Export{Format: in.Format}, uuid.Nil)
})
