package comment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The changes of a comment in the log.
const (
	created  = "created"
	edited   = "edited"
	deleted  = "deleted"
	resolved = "resolved"
	reopened = "reopened"
)

// A Draft is a comment to write.
type Draft struct {
	Record  uuid.UUID // the row
	Text    string
	ReplyTo string // public id of a comment of the thread; "" begins a thread
	// Announce queues the mails; nil sends none.
	Announce Announce
}

// Create writes a comment. A reply to a resolved thread opens it again.
func (s *Store) Create(ctx context.Context, actor record.Actor, table int32, in Draft) (Comment, error) {
	missing := problem.NotFound("record", id.FormatRecord(table, in.Record))
	text, err := checkText(in.Text)
	if err != nil {
		return Comment{}, err
	}
	w := &write{Store: s, actor: actor, announce: in.Announce}
	err = s.onTable(ctx, actor.Org, table, missing, func(t *schema.Table) error {
		return s.DB.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
			w.begin(tx, t)
			if there, err := w.holdRecord(ctx, in.Record); err != nil || !there {
				return errOr(err, missing)
			}
			return w.create(ctx, in, text)
		})
	})
	if err != nil {
		return Comment{}, fmt.Errorf("writing a comment: %w", err)
	}
	return w.comment, nil
}

func errOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// A write is a transaction that writes comments.
type write struct {
	*Store

	actor    record.Actor
	announce Announce
	tx       pgx.Tx
	table    *schema.Table
	row      uuid.UUID // the record of the comment
	comment  Comment
}

func (w *write) begin(tx pgx.Tx, t *schema.Table) { w.tx, w.table = tx, t }

// holdRecord prevents the deletion of a record until the transaction ends, and reports whether the
// record exists.
func (w *write) holdRecord(ctx context.Context, row uuid.UUID) (bool, error) {
	err := w.tx.QueryRow(ctx, "select t.id from "+w.table.Relation()+" t where t.id = $1 for key share of t",
		row).Scan(&row)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for the record: %w", err)
	}
	return true, nil
}

func (w *write) create(ctx context.Context, in Draft, text string) error {
	w.row = in.Record
	text, mentions, err := w.resolveMentions(ctx, text)
	if err != nil {
		return err
	}
	var count int
	err = w.tx.QueryRow(ctx, `select count(*) from rowhouse.comment
		where org_id = $1 and table_number = $2 and record_id = $3`, w.actor.Org, w.table.Number, in.Record).
		Scan(&count)
	if err != nil {
		return fmt.Errorf("counting the comments of a record: %w", err)
	}
	if count >= MaxComments {
		return problem.Conflict("This record has %d comments and takes no more.", count).
			WithCode(problem.CodeTooManyComments)
	}
	made := id.New()
	thread := made
	if in.ReplyTo != "" {
		if thread, err = w.reopenThread(ctx, in); err != nil {
			return err
		}
	}
	_, err = w.tx.Exec(ctx, `insert into rowhouse.comment
		(org_id, id, table_number, record_id, thread_id, person_id, credential, text, mentions)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		w.actor.Org, made, w.table.Number, in.Record, thread, w.actor.Person, db.ActorOf(ctx).Credential, text,
		mentions)
	if err != nil {
		return fmt.Errorf("inserting the comment: %w", err)
	}
	notices, err := w.notifyComment(ctx, made, thread, mentions)
	if err != nil {
		return err
	}
	detail := map[string]any{"record": id.FormatRecord(w.table.Number, in.Record), "thread": w.public(thread)}
	if len(mentions) > 0 {
		detail["mentions"] = publicPeople(mentions)
	}
	change := changelog.CommentChange{Comment: made, Thread: thread, Record: in.Record, Does: created}
	if err := w.end(ctx, change, "create_comment", detail); err != nil {
		return err
	}
	return w.mail(ctx, notices)
}

func (w *write) public(comment uuid.UUID) string { return id.FormatComment(w.table.Number, comment) }

func publicPeople(people []uuid.UUID) []string {
	public := make([]string, len(people))
	for i, person := range people {
		public[i] = id.Format(id.User, person)
	}
	return public
}

// reopenThread returns the thread of the comment that a draft replies to, after opening it again.
func (w *write) reopenThread(ctx context.Context, in Draft) (uuid.UUID, error) {
	unknown := problem.Invalid("replyTo", "no comment of this record has the id %q", in.ReplyTo)
	number, comment, err := id.ParseComment(in.ReplyTo)
	if err != nil || number != w.table.Number {
		return uuid.Nil, unknown
	}
	var thread uuid.UUID
	// The lock prevents the deletion of the first comment meanwhile.
	err = w.tx.QueryRow(ctx, `update rowhouse.comment h set resolved_at = null, resolved_by = null
		from rowhouse.comment c where c.org_id = $1 and c.id = $2 and c.table_number = $3 and c.record_id = $4
			and h.org_id = $1 and h.id = c.thread_id returning h.id`,
		w.actor.Org, comment, number, in.Record).Scan(&thread)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, unknown
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("looking for the thread: %w", err)
	}
	return thread, nil
}

// end records the change in the logs, and reads the comment as it is now unless it is gone.
func (w *write) end(ctx context.Context, change changelog.CommentChange, action string, detail any) error {
	batch := &pgx.Batch{}
	changelog.Comment(batch, w.table, changelog.OriginOf(ctx), change)
	audit.Record(ctx, batch, w.actor.Org, &audit.Event{
		Action: action, Subject: w.public(change.Comment), Detail: detail,
	})
	batch.Queue("select "+columns+" from rowhouse.comment c where c.org_id = $1 and c.id = $2", w.actor.Org,
		change.Comment).Query(func(rows pgx.Rows) error {
		found, err := read(rows, w.table)
		if err == nil && len(found) > 0 {
			w.comment = found[0]
		}
		return err
	})
	if err := w.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("recording the change of a comment: %w", err)
	}
	return nil
}

// change runs fn on a comment, which may be deleted, in a transaction. It locks the first comment of
// the thread, and then the comment.
func (s *Store) change(
	ctx context.Context, actor record.Actor, table int32, comment uuid.UUID, announce Announce,
	fn func(w *write, c *Comment) error,
) (Comment, error) {
	missing := notFound(table, comment)
	w := &write{Store: s, actor: actor, announce: announce}
	err := s.onTable(ctx, actor.Org, table, missing, func(t *schema.Table) error {
		return s.DB.TableTx(ctx, actor.Org, t.Ref(), func(tx pgx.Tx) error {
			w.begin(tx, t)
			c, err := w.lock(ctx, comment)
			if err != nil || c == nil {
				return errOr(err, missing)
			}
			if there, err := w.holdRecord(ctx, c.Record); err != nil || !there {
				return errOr(err, missing)
			}
			return fn(w, c)
		})
	})
	return w.comment, err
}

// lock returns a comment, or nil, and locks it and the first comment of its thread.
func (w *write) lock(ctx context.Context, comment uuid.UUID) (*Comment, error) {
	var found []Comment
	batch := &pgx.Batch{}
	batch.Queue(`select from rowhouse.comment h where h.org_id = $1 and h.id = (select c.thread_id
		from rowhouse.comment c where c.org_id = $1 and c.table_number = $2 and c.id = $3) for update`,
		w.actor.Org, w.table.Number, comment)
	batch.Queue("select "+columns+` from rowhouse.comment c where c.org_id = $1 and c.table_number = $2 and c.id = $3
		for update of c`, w.actor.Org, w.table.Number, comment).Query(func(rows pgx.Rows) (err error) {
		found, err = read(rows, w.table)
		return err
	})
	if err := w.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("locking the comment: %w", err)
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // by the contract above
	}
	return &found[0], nil
}

// Edit changes the text of a comment. Only its author may. It notifies those who are mentioned for the
// first time, and removes the notices of those who are no longer mentioned.
func (s *Store) Edit(
	ctx context.Context, actor record.Actor, table int32, comment uuid.UUID, text string, announce Announce,
) (Comment, error) {
	text, err := checkText(text)
	if err != nil {
		return Comment{}, err
	}
	out, err := s.change(ctx, actor, table, comment, announce, func(w *write, c *Comment) error {
		switch {
		case c.DeletedAt != nil:
			return notFound(table, comment)
		case c.Author.ID != actor.Person:
			return problem.Forbidden("Only the author of a comment may change it.").WithCode(problem.CodeNotTheAuthor)
		}
		w.row = c.Record
		text, mentions, err := w.resolveMentions(ctx, text)
		if err != nil {
			return err
		}
		_, err = w.tx.Exec(ctx, `update rowhouse.comment set text = $3, mentions = $4, edited_at = clock_timestamp()
			where org_id = $1 and id = $2`, actor.Org, c.ID, text, mentions)
		if err != nil {
			return fmt.Errorf("changing the text: %w", err)
		}
		// The notice stays, so that a mention that is added again is not mailed again.
		_, err = w.tx.Exec(ctx, `update rowhouse.comment_notice set in_inbox = false, by_mail = false
			where org_id = $1 and comment_id = $2 and reason = 'mention' and person_id <> all ($3)`,
			actor.Org, c.ID, mentions)
		if err != nil {
			return fmt.Errorf("taking back notices: %w", err)
		}
		fresh := slices.DeleteFunc(slices.Clone(mentions), func(person uuid.UUID) bool {
			return slices.ContainsFunc(c.Mentions, func(p Person) bool { return p.ID == person })
		})
		notices, err := w.notify(ctx, c.ID, fresh, Mention)
		if err != nil {
			return err
		}
		detail := map[string]any{"record": c.PublicRecord()}
		if len(fresh) > 0 {
			detail["mentions"] = publicPeople(fresh)
		}
		change := changelog.CommentChange{Comment: c.ID, Thread: c.Thread, Record: c.Record, Does: edited}
		if err := w.end(ctx, change, "update_comment", detail); err != nil {
			return err
		}
		return w.mail(ctx, notices)
	})
	if err != nil {
		return Comment{}, fmt.Errorf("changing a comment: %w", err)
	}
	return out, nil
}

// Delete deletes a comment for good. Its author and admins may. The first comment of a thread with
// replies stays as an empty comment.
func (s *Store) Delete(ctx context.Context, actor record.Actor, table int32, comment uuid.UUID) error {
	_, err := s.change(ctx, actor, table, comment, nil, func(w *write, c *Comment) error {
		switch {
		case c.DeletedAt != nil:
			return notFound(table, comment)
		case c.Author.ID != actor.Person && !actor.Admin:
			return problem.Forbidden("Only the author of a comment and admins may delete it.").
				WithCode(problem.CodeNotTheAuthor)
		}
		batch := &pgx.Batch{}
		if c.ID == c.Thread {
			batch.Queue(`update rowhouse.comment set text = '', mentions = '{}', deleted_at = clock_timestamp()
				where org_id = $1 and id = $2`, actor.Org, c.ID)
			batch.Queue("delete from rowhouse.comment_notice where org_id = $1 and comment_id = $2", actor.Org, c.ID)
		} else {
			batch.Queue("delete from rowhouse.comment where org_id = $1 and id = $2", actor.Org, c.ID)
		}
		// An empty first comment without replies is deleted too.
		batch.Queue(`delete from rowhouse.comment h where h.org_id = $1 and h.id = $2 and h.deleted_at is not null
			and not exists (select from rowhouse.comment c where c.org_id = $1 and c.thread_id = $2 and c.id <> $2)`,
			actor.Org, c.Thread)
		if err := w.tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return w.end(ctx, changelog.CommentChange{Comment: c.ID, Thread: c.Thread, Record: c.Record, Does: deleted},
			"delete_comment", map[string]any{"record": c.PublicRecord(), "author": id.Format(id.User, c.Author.ID)})
	})
	if err != nil {
		return fmt.Errorf("deleting a comment: %w", err)
	}
	return nil
}

// Resolve resolves a thread, or opens it again. It returns the thread's first comment.
func (s *Store) Resolve(
	ctx context.Context, actor record.Actor, table int32, comment uuid.UUID, done bool,
) (Comment, error) {
	out, err := s.change(ctx, actor, table, comment, nil, func(w *write, c *Comment) error {
		tag, err := w.tx.Exec(ctx, `update rowhouse.comment
			set resolved_at = case when $3 then clock_timestamp() end, resolved_by = case when $3 then $4::uuid end
			where org_id = $1 and id = $2 and (resolved_at is not null) <> $3`, actor.Org, c.Thread, done, actor.Person)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 { // it is as it should be
			return w.unchanged(ctx, c.Thread)
		}
		does := reopened
		if done {
			does = resolved
		}
		return w.end(ctx, changelog.CommentChange{Comment: c.Thread, Thread: c.Thread, Record: c.Record, Does: does},
			"resolve_comment", map[string]any{"record": c.PublicRecord(), "resolved": done})
	})
	if err != nil {
		return Comment{}, fmt.Errorf("resolving a thread: %w", err)
	}
	return out, nil
}

// unchanged ends a write that has nothing to do.
func (w *write) unchanged(ctx context.Context, comment uuid.UUID) error {
	if err := audit.RecordTx(ctx, w.tx, w.actor.Org, nil); err != nil {
		return err
	}
	c, err := w.lock(ctx, comment)
	if c != nil {
		w.comment = *c
	}
	return err
}
