package comment

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Reason says why somebody is notified of a comment.
type Reason string

// The reasons.
const (
	Mention Reason = "mention"
	Reply   Reason = "reply" // in a thread in which the person has written
)

// Announce queues the mail of a notice. Its transaction has not committed yet, and may still fail.
type Announce func(ctx context.Context, org, notice uuid.UUID) error

// notifyComment notifies those whom a new comment mentions, and those who have written in its thread.
func (w *write) notifyComment(
	ctx context.Context, comment, thread uuid.UUID, mentions []uuid.UUID,
) ([]uuid.UUID, error) {
	notices, err := w.notify(ctx, comment, mentions, Mention)
	if err != nil || thread == comment {
		return notices, err
	}
	rows, err := w.tx.Query(ctx, `select distinct c.person_id from rowhouse.comment c
		where c.org_id = $1 and c.thread_id = $2 and c.deleted_at is null and c.person_id <> all ($3)
		order by c.person_id`, w.actor.Org, thread, mentions)
	if err != nil {
		return nil, fmt.Errorf("looking for those who wrote in the thread: %w", err)
	}
	writers, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("looking for those who wrote in the thread: %w", err)
	}
	replies, err := w.notify(ctx, comment, writers, Reply)
	return append(notices, replies...), err
}

// notify notifies members other than the actor of a comment, each once, as they chose. A mention that
// was removed and is added again returns to the inbox, and is not mailed again. It returns the notices
// to mail.
func (w *write) notify(ctx context.Context, comment uuid.UUID, people []uuid.UUID, reason Reason) ([]uuid.UUID, error) {
	readers, err := w.readers(ctx, people)
	if err != nil || len(readers) == 0 {
		return nil, err
	}
	people = make([]uuid.UUID, len(readers))
	for i := range readers {
		people[i] = readers[i].Person
	}
	ids := make([]uuid.UUID, len(people))
	for i := range ids {
		ids[i] = id.New()
	}
	rows, err := w.tx.Query(ctx, `insert into rowhouse.comment_notice
			(org_id, id, person_id, comment_id, reason, in_inbox, by_mail)
		select $1, n.id, n.person, $4, $5, coalesce(s.inbox, true), coalesce(s.mail, true)
		from unnest($2::uuid[], $3::uuid[]) as n(id, person)
		join rowhouse.member m on m.org_id = $1 and m.person_id = n.person
		left join rowhouse.notification_setting s on s.org_id = $1 and s.person_id = n.person
		where n.person <> $6 and (coalesce(s.inbox, true) or coalesce(s.mail, true))
		on conflict (org_id, comment_id, person_id) do update set in_inbox = excluded.in_inbox
			where not comment_notice.in_inbox and not comment_notice.by_mail
		returning id, by_mail`, w.actor.Org, ids, people, comment, reason, w.actor.Person)
	if err != nil {
		return nil, fmt.Errorf("notifying people: %w", err)
	}
	var mailed []uuid.UUID
	var notice uuid.UUID
	var byMail bool
	_, err = pgx.ForEachRow(rows, []any{&notice, &byMail}, func() error {
		if byMail {
			mailed = append(mailed, notice)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("notifying people: %w", err)
	}
	return mailed, nil
}

// mail queues the mails of notices.
func (w *write) mail(ctx context.Context, notices []uuid.UUID) error {
	if w.announce == nil {
		return nil
	}
	for _, notice := range notices {
		if err := w.announce(ctx, w.actor.Org, notice); err != nil {
			return err
		}
	}
	return nil
}

// A Letter is the content of a mail about a comment. It has no text of the comment.
type Letter struct {
	Person                            uuid.UUID // who gets it
	Reason                            Reason
	Author, Organization, Base, Table string // names
	Title                             string // what the record is called
	BaseID, TableID, Record, Comment  string // public ids
}

// Letter returns what to write in the mail of a notice. It is nil if there is nothing to mail any more:
// the comment, its record or the membership is gone, the person may not read the record, has read the comment, or wants
// no mail.
func (s *Store) Letter(ctx context.Context, org, notice uuid.UUID) (*Letter, error) {
	var letter *Letter
	var reader catalog.Member
	var table int32
	var row uuid.UUID
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select n.person_id, m.role, o.permission_version, n.reason, c.table_number, c.record_id, c.id, o.name,
				coalesce((select p.name from rowhouse.person p where p.id = c.person_id), '')
			from rowhouse.comment_notice n join rowhouse.comment c on c.org_id = $1 and c.id = n.comment_id
			join rowhouse.organization o on o.org_id = $1
			join rowhouse.member m on m.org_id = $1 and m.person_id = n.person_id
			left join rowhouse.notification_setting s on s.org_id = $1 and s.person_id = n.person_id
			where n.org_id = $1 and n.id = $2 and n.by_mail and n.read_at is null and coalesce(s.mail, true)`,
			org, notice).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				letter = &Letter{}
				var comment uuid.UUID
				if err := rows.Scan(&letter.Person, &reader.Role, &reader.Version, &letter.Reason, &table, &row,
					&comment, &letter.Organization, &letter.Author); err != nil {
					return err
				}
				reader.Person = letter.Person
				letter.Comment = id.FormatComment(table, comment)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading a notice: %w", err)
	}
	if letter == nil {
		return nil, nil //nolint:nilnil // by the contract above
	}
	err = s.Records.OnSchema(catalog.WithCaller(ctx, reader), org, func(snapshot *schema.Snapshot) error {
		titles, err := s.titles(ctx, snapshot, []Place{{table, row}})
		if err != nil {
			return err
		}
		title, there := titles[Place{table, row}]
		if !there {
			letter = nil
			return nil
		}
		t := snapshot.TableByNumber(table)
		letter.Title, letter.Record = title, id.FormatRecord(table, row)
		letter.Base, letter.BaseID = t.Base.Name, t.Base.PublicID()
		letter.Table, letter.TableID = t.Name, t.PublicID()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading what a notice is about: %w", err)
	}
	return letter, nil
}

// Settings are what a member wants to be notified of.
type Settings struct {
	Inbox bool // in the application
	Mail  bool
}

// Settings returns what a member wants to be notified of: everything, unless they chose otherwise.
func (s *Store) Settings(ctx context.Context, org, person uuid.UUID) (Settings, error) {
	settings := Settings{true, true}
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select inbox, mail from rowhouse.notification_setting where org_id = $1 and person_id = $2",
			org, person).QueryRow(func(row pgx.Row) error {
			err := row.Scan(&settings.Inbox, &settings.Mail)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			return err
		})
	})
	if err != nil {
		return Settings{}, fmt.Errorf("reading the settings of notifications: %w", err)
	}
	return settings, nil
}

// SetSettings changes what the actor wants to be notified of. What is nil stays.
func (s *Store) SetSettings(ctx context.Context, org uuid.UUID, inbox, mail *bool) (Settings, error) {
	var settings Settings
	person := db.ActorOf(ctx).Person
	err := s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `insert into rowhouse.notification_setting as s (org_id, person_id, inbox, mail)
			values ($1, $2, coalesce($3, true), coalesce($4, true))
			on conflict (org_id, person_id) do update set inbox = coalesce($3, s.inbox), mail = coalesce($4, s.mail)
			returning inbox, mail`, org, person, inbox, mail).Scan(&settings.Inbox, &settings.Mail)
		if err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, org, &audit.Event{
			Action: "set_notifications", Subject: id.Format(id.User, person),
			Detail: map[string]bool{"inbox": settings.Inbox, "mail": settings.Mail},
		})
	})
	if err != nil {
		return Settings{}, fmt.Errorf("changing the settings of notifications: %w", err)
	}
	return settings, nil
}
