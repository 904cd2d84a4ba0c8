package transfer

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// commentedRecords is how many records are looked up at once.
const commentedRecords = 100

// bringComments brings the comments on the records that have more or less than came before.
func (r *productRun) bringComments(ctx context.Context) error {
	commenter, has := r.session.(product.Commenter)
	if !has {
		return nil
	}
	for i := range r.tables {
		t := &r.tables[i]
		for {
			stepCtx, _, snapshot, err := r.beginFresh(ctx)
			if err != nil {
				return err
			}
			ours := r.ours(snapshot, t)
			if ours == nil {
				break
			}
			records, err := r.commented(stepCtx, t)
			if err != nil {
				return err
			}
			if len(records) == 0 {
				break
			}
			refused, err := r.commentRecords(ctx, commenter, t, ours, records)
			if err != nil {
				return err
			}
			if refused {
				break // another import, with the scope, brings them
			}
		}
	}
	return nil
}

// commentRecords brings the comments on some records. It reports whether the token may not read them.
func (r *productRun) commentRecords(
	ctx context.Context, from product.Commenter, t *product.Table, ours *schema.Table, records []pendingRecord,
) (refused bool, err error) {
	for _, one := range records {
		err := r.commentRecord(ctx, from, t, ours, one)
		if product.IsForbidden(err) {
			next := r.next()
			next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The comments did not come: " +
				r.session.About().CommentScope + "."})
			return true, r.commit(ctx, next, nil)
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// commented are the next records whose comments have changed.
func (r *productRun) commented(ctx context.Context, t *product.Table) ([]pendingRecord, error) {
	var found []pendingRecord
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select airtable_id, object_id from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and parent = $3 and wanted <> comments order by airtable_id limit $4`,
			r.j.Org, r.j.Base, t.ID, commentedRecords).Query(func(rows pgx.Rows) error {
			var one pendingRecord
			_, err := pgx.ForEachRow(rows, []any{&one.theirs, &one.row}, func() error {
				found = append(found, one)
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for comments that are still to come: %w", err)
	}
	return found, nil
}

// commentRecord brings the comments on a record that have not come.
func (r *productRun) commentRecord(
	ctx context.Context, from product.Commenter, t *product.Table, ours *schema.Table, one pendingRecord,
) error {
	stepCtx, actor, err := r.begin(ctx)
	if err != nil {
		return err
	}
	comments, err := from.Comments(stepCtx, t, one.theirs)
	if product.IsGone(err) && !product.IsForbidden(err) { // the record was deleted meanwhile
		return r.endComments(stepCtx, r.next(), one)
	}
	if err != nil {
		return err //nolint:wrapcheck // Problem reads it
	}
	came, err := r.cameComments(stepCtx, one.theirs)
	if err != nil {
		return err
	}
	for i := range comments {
		if came[comments[i].ID] {
			continue
		}
		if err := r.comment(stepCtx, actor, t, ours, one, &comments[i]); err != nil {
			return err
		}
	}
	next := r.next()
	next.progress.Done++
	return r.endComments(stepCtx, next, one)
}

func (r *productRun) endComments(ctx context.Context, next *productStep, one pendingRecord) error {
	return r.commit(ctx, next, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.airtable_item set comments = wanted
			where org_id = $1 and base_id = $2 and airtable_id = $3`, r.j.Org, r.j.Base, one.theirs)
	})
}

// cameComments are the comments on a record that came before.
func (r *productRun) cameComments(ctx context.Context, record string) (map[string]bool, error) {
	came := map[string]bool{}
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select airtable_id from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and parent = $3 and kind = 'comment'`, r.j.Org, r.j.Base, record).
			Query(func(rows pgx.Rows) error {
				var name string
				_, err := pgx.ForEachRow(rows, []any{&name}, func() error {
					came[name] = true
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking which comments have come: %w", err)
	}
	return came, nil
}

// comment writes a comment. The job's person is its author here, so its text begins with who wrote it, and when.
func (r *productRun) comment(
	ctx context.Context, actor record.Actor, t *product.Table, ours *schema.Table, one pendingRecord,
	in *product.Comment,
) error {
	next := r.next()
	next.table(t.Name, ours.ID).Comments++
	step := r.within(ctx, next, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, parent, object_id)
			values ($1, $2, $3, 'comment', $4, $5)`, r.j.Org, r.j.Base, in.ID, one.theirs, one.row)
	})
	_, err := r.Comments.Create(db.WithoutSnapshot(step), actor, ours.Number, comment.Draft{
		Record: one.row, Text: commentText(in),
	})
	if isRefusal(err) {
		next = r.next()
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "A comment was refused: " + whyRefused(err)})
		return r.commit(ctx, next, nil)
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return nil
}

// commentText is a comment with its author and its day. The people in it get no notice.
func commentText(in *product.Comment) string {
	author := in.Author.Name
	if author == "" {
		author = in.Author.Email
	}
	day := in.CreatedTime
	if at, err := time.Parse(time.RFC3339, in.CreatedTime); err == nil {
		day = at.Format(dayOfComment)
	}
	return signed(author, day, withoutNUL(in.Text))
}

const dayOfComment = "2 January 2006"

// signed is the text of a comment that stands under another name than that of its author.
func signed(author, day, text string) string {
	text = withoutNUL(author) + ", " + withoutNUL(day) + ":\n" + text
	if utf8.RuneCountInString(text) > comment.MaxText {
		text = string([]rune(text)[:comment.MaxText-1]) + "…"
	}
	return text
}
