package form

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Closed is the error of a form that takes no more answers.
func (f *Form) closed() error {
	message := f.ClosedMessage
	if message == "" {
		message = "This form takes no more answers."
	}
	return problem.Conflict("%s", message).WithCode(problem.CodeFormClosed)
}

// CheckOpen returns an error of kind conflict if the form takes no more answers, of which it has had some.
func (f *Form) CheckOpen(now time.Time, answers int64) error {
	if !f.ClosesAt.IsZero() && !now.Before(f.ClosesAt) || f.MaxAnswers > 0 && answers >= f.MaxAnswers {
		return f.closed()
	}
	return nil
}

// Find returns the form of a view of a snapshot, or an error of kind not_found or invalid.
func Find(s *schema.Snapshot, view uuid.UUID) (*Form, error) {
	v := s.View(view)
	switch {
	case v == nil:
		return nil, problem.NotFound("view", id.Format(id.View, view))
	case v.Type != schema.Form:
		return nil, problem.Invalid("viewId", "%q is no form but a %s; use create_records", v.Name, v.Type)
	}
	return Of(v), nil
}

// Answer checks an answer, fields by name, and writes it as a new record with the record engine, for an actor. With
// typecast, texts become values of their fields, but no option is added. Its errors have the paths and kinds of
// record.Engine.Create; one of kind conflict with the code form_closed says that the form takes no more answers.
func (f *Form) Answer(
	ctx context.Context, records *record.Engine, actor record.Actor, answer jsonvalue.ParsedObject, typecast bool,
) (record.Written, error) {
	if err := f.CheckOpen(time.Now(), 0); err != nil {
		return record.Written{}, err
	}
	if items := f.check(answer, typecast); len(items) > 0 {
		return record.Written{}, problem.InvalidItems(items)
	}
	writer := db.ActorOf(ctx)
	if f.View.Type == schema.Form {
		writer.Step = f.count(actor.Org)
	}
	written, err := records.Create(db.WithActor(ctx, writer), actor, f.View.Table.ID, record.Creation{
		Records: []jsonvalue.ParsedObject{answer}, Single: true, Typecast: typecast,
	})
	switch {
	case pgerror.Is(err, db.StateFormFull):
		return written, f.closed()
	case err != nil:
		return written, fmt.Errorf("writing an answer: %w", err)
	}
	return written, nil
}

// count queues the count of one more answer. Its row makes answers to one form wait for each other, so that none is
// above the limit.
func (f *Form) count(org uuid.UUID) func(b *pgx.Batch) {
	return func(b *pgx.Batch) {
		b.Queue(`with counted as (
				insert into rowhouse.form_answer as a (org_id, view_id, answers) values ($1, $2, 1)
				on conflict (org_id, view_id) do update set answers = a.answers + 1
					where $3::bigint = 0 or a.answers < $3
				returning 1)
			select gate.assert(exists (select from counted), '`+db.StateFormFull+`')`, org, f.View.ID, f.MaxAnswers)
	}
}

// Required is the message of an error that says that a required answer is missing.
const Required = "is required"

// check lists what is wrong with an answer: fields that the form does not ask for, or not after these answers, and
// required ones that are empty. Values that cannot be read are left to the record engine, but for options, which it
// would add.
func (f *Form) check(answer jsonvalue.ParsedObject, typecast bool) []problem.Item {
	var items []problem.Item
	fail := func(name, format string, args ...any) {
		items = append(items, problem.Item{Path: "fields." + name, Message: fmt.Sprintf(format, args...)})
	}
	if answer.Invalid != nil {
		return []problem.Item{{Path: "fields", Message: answer.Invalid.Error()}}
	}
	t := f.View.Table
	given := map[*schema.Field][]byte{}
	for _, one := range answer.Members() {
		asked := t.FieldByName(one.Name)
		if !slices.ContainsFunc(f.Questions, func(q Question) bool { return q.Field == asked }) {
			fail(one.Name, "is nothing that this form asks for")
			continue
		}
		given[asked] = one.Value
	}
	answers := map[*schema.Field][]string{}
	asked := f.asker(answers)
	for i := range f.Questions {
		q := &f.Questions[i]
		raw, answered := given[q.Field]
		if !asked(q) {
			if answered {
				fail(q.Field.Name, "is not asked for after these answers")
			}
			continue
		}
		var value field.Value
		if answered {
			var err error
			input := field.Input{Field: &q.Field.Field, Typecast: typecast}
			if value, err = input.Decode(raw); err != nil {
				fail(q.Field.Name, "%s", err)
				continue
			}
		}
		answers[q.Field] = texts(value)
		if files, are := value.(field.Files); are && len(files) > q.Files.Max {
			fail(q.Field.Name, "must be at most %d files", q.Files.Max)
		}
		if value == q.Field.Info().Unset {
			answers[q.Field] = nil
			if q.Required {
				fail(q.Field.Name, Required)
			}
		}
	}
	return items
}

// asker returns a function that reports whether a question is asked after the answers so far. It is called for each
// question in their order; the answers to a page do not change whether it is asked.
func (f *Form) asker(answers map[*schema.Field][]string) func(q *Question) bool {
	page, open := -1, true
	return func(q *Question) bool {
		if q.Page != page {
			page, open = q.Page, f.Pages[q.Page].holds(answers)
		}
		return q.Always || open && q.holds(answers)
	}
}

// Answers returns how many answers a form has had.
func Answers(ctx context.Context, tenantDB *db.DB, org, view uuid.UUID) (n int64, err error) {
	err = tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select coalesce(max(answers), 0) from rowhouse.form_answer where org_id = $1 and view_id = $2", org,
			view).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	if err != nil {
		return 0, fmt.Errorf("counting the answers of a form: %w", err)
	}
	return n, nil
}
