package comment

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// archivePage is how many comments Pages reads at once.
const archivePage = 500

// Pages calls use with the comments on those records of a table that the caller reads, in the order in which they were
// written, a part at a time, until it returns an error.
func (s *Store) Pages(ctx context.Context, t *schema.Table, use func(page []Comment) error) error {
	last, more := uuid.Nil, true
	for more {
		page, err := s.pageAfter(ctx, t, last)
		if err != nil {
			return err
		}
		if more = len(page) == archivePage; len(page) == 0 {
			return nil
		}
		last = page[len(page)-1].ID
		rows := make([]uuid.UUID, 0, len(page))
		for i := range page {
			rows = append(rows, page[i].Record)
		}
		present, err := s.Records.Existing(ctx, t, rows)
		if err != nil {
			return err
		}
		read := page[:0]
		for i := range page {
			if present[page[i].Record] {
				read = append(read, page[i])
			}
		}
		if err := use(read); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) pageAfter(ctx context.Context, t *schema.Table, last uuid.UUID) (page []Comment, err error) {
	err = s.DB.Batch(ctx, t.Org, func(b *pgx.Batch) {
		b.Queue("select "+columns+` from rowhouse.comment c
			where c.org_id = $1 and c.table_number = $2 and c.id > $3 order by c.id limit $4`,
			t.Org, t.Number, last, archivePage).Query(func(rows pgx.Rows) (err error) {
			page, err = read(rows, t)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the comments of a table: %w", err)
	}
	return page, nil
}

// A Restored is a comment that was somewhere else before. Its text is empty if it was deleted.
type Restored struct {
	ID, Record, Thread  uuid.UUID
	Author              uuid.UUID
	Text                string
	CreatedAt           time.Time
	EditedAt, DeletedAt *time.Time
	ResolvedAt          *time.Time // in the first comment of a thread
	ResolvedBy          *uuid.UUID
}

// Check looks whether a text can be that of a comment. It returns an error of kind invalid if not.
func Check(text string) error {
	if _, err := checkText(text); err != nil {
		return err
	}
	_, _, err := mentioned(text)
	return err
}

// Restorable returns those of some comments of a table, in the order in which they were written, that Restore can
// write: their record and their thread are there, and the record has room for them.
func (s *Store) Restorable(ctx context.Context, t *schema.Table, comments []Restored) ([]Restored, error) {
	rows, threads := make([]uuid.UUID, len(comments)), make([]uuid.UUID, len(comments))
	for i := range comments {
		rows[i], threads[i] = comments[i].Record, comments[i].Thread
	}
	there, err := s.Records.Existing(ctx, t, rows)
	if err != nil {
		return nil, err
	}
	about, counts := map[uuid.UUID]uuid.UUID{}, map[uuid.UUID]int{}
	err = s.DB.Batch(ctx, t.Org, func(b *pgx.Batch) {
		b.Queue(`select c.id, c.record_id from rowhouse.comment c
			where c.org_id = $1 and c.table_number = $2 and c.id = any ($3) and c.id = c.thread_id`,
			t.Org, t.Number, threads).Query(func(found pgx.Rows) error {
			var thread, row uuid.UUID
			_, err := pgx.ForEachRow(found, []any{&thread, &row}, func() error {
				about[thread] = row
				return nil
			})
			return err
		})
		b.Queue(`select c.record_id, count(*) from rowhouse.comment c
			where c.org_id = $1 and c.table_number = $2 and c.record_id = any ($3) group by c.record_id`,
			t.Org, t.Number, rows).Query(func(found pgx.Rows) error {
			var row uuid.UUID
			var count int
			_, err := pgx.ForEachRow(found, []any{&row, &count}, func() error {
				counts[row] = count
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for the threads of comments: %w", err)
	}
	kept := make([]Restored, 0, len(comments))
	for i := range comments {
		c := &comments[i]
		if c.ID == c.Thread && there[c.Record] && counts[c.Record] < MaxComments {
			about[c.ID] = c.Record
		}
		if about[c.Thread] == c.Record && counts[c.Record] < MaxComments {
			counts[c.Record]++
			kept = append(kept, *c)
		}
	}
	return kept, nil
}

// Restore writes comments of a table, as written with a credential, all or none. Nobody is notified of them.
func (s *Store) Restore(
	ctx context.Context, actor record.Actor, table int32, credential string, comments []Restored,
) error {
	w := &write{Store: s, actor: actor}
	missing := problem.NotFound("table", fmt.Sprint(table))
	err := s.onTable(ctx, actor.Org, table, missing, func(t *schema.Table) error {
		return s.DB.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
			w.begin(tx, t)
			return w.restore(ctx, credential, comments)
		})
	})
	if err != nil {
		return fmt.Errorf("restoring comments: %w", err)
	}
	return nil
}

// restore writes comments, their entry in the log of changes and their event.
func (w *write) restore(ctx context.Context, credential string, comments []Restored) error {
	batch := &pgx.Batch{}
	changes := make([]changelog.CommentChange, 0, len(comments))
	for i := range comments {
		c := &comments[i]
		mentions, _, err := mentioned(c.Text)
		if err != nil {
			return err
		}
		if mentions == nil {
			mentions = []uuid.UUID{}
		}
		batch.Queue(`insert into rowhouse.comment (org_id, id, table_number, record_id, thread_id, person_id,
				credential, text, mentions, created_at, edited_at, deleted_at, resolved_at, resolved_by)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
			w.actor.Org, c.ID, w.table.Number, c.Record, c.Thread, c.Author, credential,
			c.Text, mentions, c.CreatedAt, c.EditedAt, c.DeletedAt, c.ResolvedAt, c.ResolvedBy)
		changes = append(changes, changelog.CommentChange{
			Comment: c.ID, Thread: c.Thread, Record: c.Record, Does: created,
		})
	}
	changelog.Comment(batch, w.table, changelog.OriginOf(ctx), changes...)
	audit.Record(ctx, batch, w.actor.Org, &audit.Event{
		Action: "import_comments", Subject: w.table.PublicID(), Detail: map[string]any{"count": len(changes)},
	})
	if err := w.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("writing comments: %w", err)
	}
	return nil
}
