package plan

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// An Answer is what a person decided about a call of an agent.
type Answer struct {
	Call     Digest    // of the credential, the tool and its arguments
	Question uuid.UUID // that was answered; one question has one answer
	Approved bool
	Expires  time.Time
}

// Use is the one use of the answer.
func (a *Answer) Use() *db.PlanUse { return &db.PlanUse{Token: a.Question[:], Expires: a.Expires} }

// Decide stores an answer, in place of one to an earlier question about the same call. It returns an error of kind
// conflict if the question was answered already, or its answer was used.
func Decide(ctx context.Context, tenantDB *db.DB, org uuid.UUID, a *Answer, event *audit.Event) error {
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.approval where org_id = $1 and expires_at < now() - interval '1 hour'", org)
		b.Queue(`insert into rowhouse.approval as a (org_id, call, question, approved, expires_at)
			select $1, $2::bytea, $3::uuid, $4::boolean, $5::timestamptz
			where not exists (select from rowhouse.used_plan u where u.org_id = $1 and u.token = $6)
			on conflict (org_id, call) do update
			set question = excluded.question, approved = excluded.approved, expires_at = excluded.expires_at
			where a.question <> excluded.question`, org, a.Call[:], a.Question, a.Approved, a.Expires, a.Use().Token).
			Exec(func(tag pgconn.CommandTag) error {
				if tag.RowsAffected() == 0 {
					return problem.Conflict("You have answered this question already.").WithCode(problem.CodeAnswered)
				}
				return nil
			})
		audit.Record(ctx, b, org, event)
	})
	if err != nil {
		return fmt.Errorf("storing an answer: %w", err)
	}
	return nil
}

// FindAnswer returns the valid, unused answer about a call, or nil.
func FindAnswer(
	ctx context.Context, tenantDB *db.DB, org uuid.UUID, call Digest, now time.Time,
) (answer *Answer, err error) {
	err = tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select question, approved, expires_at from rowhouse.approval
			where org_id = $1 and call = $2 and expires_at > $3`, org, call[:], now).
			Query(func(rows pgx.Rows) error {
				a := Answer{Call: call}
				_, err := pgx.ForEachRow(rows, []any{&a.Question, &a.Approved, &a.Expires}, func() error {
					answer = &a
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for an answer: %w", err)
	}
	if answer == nil {
		return nil, nil //nolint:nilnil // nobody has answered
	}
	used, err := WasUsed(ctx, tenantDB, org, answer.Use())
	if err != nil || used {
		return nil, err
	}
	return answer, nil
}
