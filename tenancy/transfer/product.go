package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// An AirtableImport is the request of a job that imports a base of Airtable.
type AirtableImport struct {
	AirtableBase string `json:"airtableBaseId"`
}

// A ProductImport is the request of a job that imports a base of a product with many installations.
type ProductImport struct {
	Product string `json:"product"` // as in Options.Products
	Address string `json:"address"` // of the installation
	Base    string `json:"productBaseId"`
}

// Place names the base among those of all products. It is stored, so it must not change.
func (p *ProductImport) Place() string { return p.Product + " " + p.Address + " " + p.Base }

// Product is where a job imports a base from, or nil.
func (j *Job) Product() *ProductImport {
	var in ProductImport
	if j.Kind != ImportProduct || json.Unmarshal(j.Request, &in) != nil {
		return nil
	}
	return &in
}

// AirtableBase is the id of the base that a job imports from Airtable, or "".
func (j *Job) AirtableBase() string {
	var in AirtableImport
	if json.Unmarshal(j.Request, &in) != nil {
		return ""
	}
	return in.AirtableBase
}

// A productPhase is a part of the work of an import. It is stored, so it must not change.
type productPhase string

// The phases, in their order. What a phase needs of those before stands in the id map, so that each goes on where it
// was: a table that has an item is made, and a record with links in its item still needs them.
const (
	phaseTables   productPhase = "" // tables, and the fields with values of their own
	phaseRecords  productPhase = "records"
	phaseLinks    productPhase = "links"
	phaseFiles    productPhase = "files"
	phaseComputed productPhase = "computed"
	phaseViews    productPhase = "views"
	phaseComments productPhase = "comments"
	phaseEnd      productPhase = "end"
)

// productProgress is what a step of an import needs of those before.
type productProgress struct {
	Phase productPhase `json:"phase,omitempty"`
	// Table is the product's id of the table whose records are read, and Offset where its next page begins.
	Table  string `json:"table,omitempty"`
	Offset string `json:"offset,omitempty"`
	Done   int64  `json:"done,omitempty"`
	Total  int64  `json:"total,omitempty"` // of Done; 0 while it is not known
}

// productRun is a run of an import.
type productRun struct {
	stepping[productProgress]

	session product.Session
	tables  []product.Table
	items   productItems
	members map[string]string // public ids of people by e-mail address
}

// productStep is a step of an import.
type productStep = jobStep[productProgress]

func (p productProgress) counts() (done, total int64) { return p.Done, p.Total }

// importProduct brings a base of another product, or what has changed in it since the last import.
func (s *Store) importProduct(ctx context.Context, j *Job) error {
	steps, err := steppingOf[productProgress](s, j)
	if err != nil {
		return err
	}
	r := &productRun{stepping: steps}
	err = r.run(ctx)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errStopped) {
		return errStopped
	}
	j.Report = r.report
	if r.session != nil {
		err = r.session.Problem(err)
	}
	if isRefusal(err) {
		j.Report.noteOnce("Another import into this base goes on where this one was.")
	}
	return err
}

func (r *productRun) run(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	for _, phase := range []struct {
		name productPhase
		do   func(ctx context.Context) error
		next productPhase
	}{
		{phaseTables, r.makeTables, phaseRecords},
		{phaseRecords, r.bringRecords, phaseLinks},
		{phaseLinks, r.bringLinks, phaseFiles},
		{phaseFiles, r.bringFiles, phaseComputed},
		{phaseComputed, r.makeComputed, phaseViews},
		{phaseViews, r.makeViews, phaseComments},
		{phaseComments, r.bringComments, phaseEnd},
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
	if note := r.session.About().Always; note != "" {
		r.report.noteOnce(note)
	}
	r.j.Report = r.report
	return r.finish(ctx, r.j, nil)
}

// open reads the token, what is at the product, and what is here of it.
func (r *productRun) open(ctx context.Context) error {
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	token, err := r.token(ctx)
	if err != nil {
		return err
	}
	var base string
	if r.session, base, err = r.sessionOf(r.j, token); err != nil {
		return err
	}
	if r.tables, err = r.session.Tables(ctx); err != nil {
		return err //nolint:wrapcheck // Problem reads it
	}
	if r.members, err = r.memberIDs(ctx, r.j.Org); err != nil {
		return err
	}
	return r.loadItems(ctx, base)
}

// sessionOf opens a session for a job, and says which base it reads.
func (s *Store) sessionOf(j *Job, token string) (session product.Session, base string, err error) {
	if j.Kind == ImportProduct {
		in := j.Product()
		if in == nil || s.Products[in.Product] == nil {
			return nil, "", fmt.Errorf("an import from a product that is not known: %s", j.Request)
		}
		return s.Products[in.Product].Open(in.Address, token, in.Base), in.Place(), nil
	}
	base = j.AirtableBase()
	return s.Airtable.Open(token, base), base, nil
}

// token opens the token of the job.
func (r *productRun) token(ctx context.Context) (string, error) {
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

func (r *productRun) people(email string) string { return r.members[strings.ToLower(email)] }

// beginFresh is begin for a step that needs the schema as it is now.
func (r *productRun) beginFresh(ctx context.Context) (context.Context, record.Actor, *schema.Snapshot, error) {
	ctx, actor, err := r.begin(ctx)
	if err != nil {
		return nil, actor, nil, err
	}
	snapshot, err := r.snapshot(ctx)
	return ctx, actor, snapshot, err
}

// snapshot is the schema as it is now.
func (r *productRun) snapshot(ctx context.Context) (*schema.Snapshot, error) {
	snapshot, err := r.Schema.Fresh(ctx, r.j.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return snapshot, nil
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
