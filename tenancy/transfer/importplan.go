package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/plan"
)

// A dry run of an import is a plan. Its token is bound to the request, to the content of the file, and to the fields of
// the table. Which records an upsert would update is no part of it.

// An AppliedPlan is what an import needs of the plan that it applies.
type AppliedPlan struct {
	Seen string `json:"seen"` // the digest, in hexadecimal digits
	Rows int    `json:"rows"`
}

// planState is what a plan depends on. It is the progress of the dry run, so that a refusal says what has changed.
type planState struct {
	Seen   string         `json:"seen"`
	File   string         `json:"file"` // SHA-256 of the content as it is read
	Fields []plannedField `json:"fields"`
}

type plannedField struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Config string `json:"config"`
}

// asked is the digest of the request of an import, whatever file it names: the content is compared.
func (in *Import) asked(kind Kind, about uuid.UUID) plan.Digest {
	request := *in
	request.File, request.DryRun, request.Applied = uuid.Nil, false, nil
	text, _ := json.Marshal(request) // it came out of JSON
	return plan.NewHash(string(kind), string(about[:]), string(text)).Digest()
}

// AcceptPlan takes the token of a dry run for an import that a credential begins about a table or a base. It returns a
// context for Begin, which records that the plan was used, and an error of kind conflict if the plan does not fit the
// table any more. The job compares the file.
func (s *Store) AcceptPlan(ctx context.Context, j *Job, in *Import, token string) (context.Context, error) {
	if in.DryRun {
		return nil, problem.Invalid("apply", "cannot be given together with dryRun")
	}
	p, acting, err := s.Plans.Accept(ctx, s.DB, j.Org, &plan.Request{
		Apply: token, Credential: j.Caller.Credential, Asked: in.asked(j.Kind, j.about()),
	}, time.Now())
	if err != nil {
		return nil, err //nolint:wrapcheck // it is for the person
	}
	in.Applied = &AppliedPlan{Seen: hex.EncodeToString(p.Seen[:]), Rows: p.Count}
	then, err := s.plannedState(ctx, j, in.Applied)
	if err != nil {
		return nil, err
	}
	now, err := s.stateOf(ctx, j, then.File)
	if err != nil {
		return nil, err
	}
	return acting, in.Applied.check(then, now, p.Count)
}

// about is the table of the job, or its base.
func (j *Job) about() uuid.UUID {
	if j.Kind == ImportTable {
		return j.Table
	}
	return j.Base
}

// fileDigest is the digest of the file as it is read.
func (s *source) fileDigest() string {
	sum := sha256.Sum256(s.content)
	return hex.EncodeToString(sum[:])
}

// stateOf is what a plan of an import of a file with a digest depends on now.
func (s *Store) stateOf(ctx context.Context, j *Job, file string) (*planState, error) {
	state := &planState{File: file, Fields: []plannedField{}}
	h := plan.NewHash("import job", file)
	if j.Kind == ImportTable {
		snapshot, err := s.Schema.Fresh(ctx, j.Org)
		if err != nil {
			return nil, fmt.Errorf("reading the schema: %w", err)
		}
		t := snapshot.Table(j.Table)
		if t == nil {
			return nil, problem.NotFound("table", id.Format(id.Table, j.Table))
		}
		for _, f := range t.Fields {
			config := f.Config
			config.Options = nil // an import may add some
			text, _ := json.Marshal(config)
			one := plannedField{f.PublicID(), f.Name, string(f.Type()), string(text)}
			state.Fields = append(state.Fields, one)
			h.Write(one.ID, one.Name, one.Type, one.Config)
		}
	}
	digest := h.Digest()
	state.Seen = hex.EncodeToString(digest[:])
	return state, nil
}

// offer makes the plan of a dry run.
func (s *Store) offer(ctx context.Context, j *Job, in *Import, src *source, rows int) (offer plan.Offer, err error) {
	state, err := s.stateOf(ctx, j, src.fileDigest())
	if err != nil {
		return offer, err
	}
	if j.progress, err = json.Marshal(state); err != nil {
		return offer, fmt.Errorf("encoding the state of a plan: %w", err)
	}
	p := plan.Plan{
		Credential: j.Caller.Credential, Asked: in.asked(j.Kind, j.about()), Count: rows,
		Made: time.Now().Truncate(time.Microsecond),
	}
	if _, err := hex.Decode(p.Seen[:], []byte(state.Seen)); err != nil {
		return offer, fmt.Errorf("reading a digest: %w", err)
	}
	return s.Plans.Offer(&p) //nolint:wrapcheck // it says what failed
}

// plannedState finds what a plan depended on, in the dry run that made it.
func (s *Store) plannedState(ctx context.Context, j *Job, applied *AppliedPlan) (*planState, error) {
	state := &planState{}
	err := s.DB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue(`select progress from rowhouse.job where org_id = $1 and person_id = $2 and progress->>'seen' = $3
			order by id desc limit 1`, j.Org, j.Person, applied.Seen).
			Query(func(rows pgx.Rows) error {
				_, err := pgx.ForEachRow(rows, []any{state}, func() error { return nil })
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for a plan: %w", err)
	}
	return state, nil
}

// checkPlan refuses an import whose plan does not fit the file or the table any more.
func (s *Store) checkPlan(ctx context.Context, j *Job, in *Import, src *source, rows int) error {
	now, err := s.stateOf(ctx, j, src.fileDigest())
	if err != nil || now.Seen == in.Applied.Seen {
		return err
	}
	then, err := s.plannedState(ctx, j, in.Applied)
	if err != nil {
		return err
	}
	return in.Applied.check(then, now, rows)
}

// check returns an error that says what has changed since a plan.
func (a *AppliedPlan) check(then, now *planState, rows int) error {
	if now.Seen == a.Seen {
		return nil
	}
	var what []string
	if then.File != now.File {
		what = append(what, "another file was given")
	}
	for _, f := range now.Fields {
		at := slices.IndexFunc(then.Fields, func(one plannedField) bool { return one.ID == f.ID })
		switch {
		case at < 0:
			what = append(what, fmt.Sprintf("the field %q was made", f.Name))
		case then.Fields[at].Name != f.Name:
			what = append(what, fmt.Sprintf("the field %q was renamed %q", then.Fields[at].Name, f.Name))
		case then.Fields[at].Type != f.Type:
			what = append(what, fmt.Sprintf("the field %q became %s", f.Name, f.Type))
		case then.Fields[at].Config != f.Config:
			what = append(what, fmt.Sprintf("the settings of the field %q were changed", f.Name))
		}
	}
	for _, f := range then.Fields {
		if !slices.ContainsFunc(now.Fields, func(one plannedField) bool { return one.ID == f.ID }) {
			what = append(what, fmt.Sprintf("the field %q went away", f.Name))
		}
	}
	if len(what) == 0 {
		what = append(what, "the order of the fields was changed")
	}
	return plan.Moved(a.Rows, rows, strings.Join(what, ", ")) //nolint:wrapcheck // it is for the person
}
