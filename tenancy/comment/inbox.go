package comment

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Notice is an item of a person's inbox.
type Notice struct {
	ID      uuid.UUID
	Reason  Reason
	ReadAt  *time.Time
	Comment Comment
	Title   string // of the record
}

// CreatedAt is when the person was notified.
func (n *Notice) CreatedAt() time.Time { return time.Unix(n.ID.Time().UnixTime()).UTC() }

// An InboxQuery selects notices of a person.
type InboxQuery struct {
	Person uuid.UUID
	Unread bool      // only what was not read
	Before uuid.UUID // the last notice of the page before; uuid.Nil begins with the latest
	Limit  int
	// Reaches reports whether the credential may see a base.
	Reaches func(base uuid.UUID) bool
}

// MaxUnread is up to how many unread notices are counted.
const MaxUnread = 100

// An InboxPage is a part of the inbox of a person in one organization, the latest first.
type InboxPage struct {
	Notices []Notice
	Unread  int       // up to MaxUnread, of the whole inbox
	Next    uuid.UUID // the Before of the next page; uuid.Nil: there is none
}

// Inbox returns a page of notices. It leaves out notices of records that do not exist at present, so a
// page may be short although more follows.
func (s *Store) Inbox(ctx context.Context, org uuid.UUID, q InboxQuery) (InboxPage, error) {
	if q.Before == uuid.Nil {
		q.Before = uuid.Max
	}
	var page InboxPage
	err := s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		tables := reached(snapshot, q.Reaches)
		var found []Notice
		var open []Place
		err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("select n.id, n.reason, n.read_at, c.table_number, "+columns+` from rowhouse.comment_notice n
				join rowhouse.comment c on c.org_id = $1 and c.id = n.comment_id
				where n.org_id = $1 and n.person_id = $2 and n.in_inbox and n.id < $3 and (n.read_at is null or not $4)
					and c.table_number = any ($5) order by n.id desc limit $6`,
				org, q.Person, q.Before, q.Unread, tables, q.Limit).Query(func(rows pgx.Rows) (err error) {
				found, err = readNotices(rows, snapshot)
				return err
			})
			b.Queue(`select c.table_number, c.record_id from rowhouse.comment_notice n
				join rowhouse.comment c on c.org_id = $1 and c.id = n.comment_id
				where n.org_id = $1 and n.person_id = $2 and n.in_inbox and n.read_at is null
					and c.table_number = any ($3) order by n.id desc limit $4`, org, q.Person, tables, MaxUnread).
				Query(func(rows pgx.Rows) (err error) {
					open, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Place])
					return err
				})
		})
		if err != nil {
			return err
		}
		about := append([]Place(nil), open...)
		for i := range found {
			about = append(about, Place{found[i].Comment.Table.Number, found[i].Comment.Record})
		}
		titles, err := s.titles(ctx, snapshot, about)
		if err != nil {
			return err
		}
		page = InboxPage{}
		if len(found) == q.Limit {
			page.Next = found[len(found)-1].ID
		}
		for _, n := range found {
			var there bool
			if n.Title, there = titles[Place{n.Comment.Table.Number, n.Comment.Record}]; there {
				page.Notices = append(page.Notices, n)
			}
		}
		for _, p := range open {
			if _, there := titles[p]; there {
				page.Unread++
			}
		}
		return nil
	})
	if err != nil {
		return InboxPage{}, fmt.Errorf("reading the inbox: %w", err)
	}
	return page, nil
}

// reached lists the numbers of the tables in the bases that a credential reaches.
func reached(snapshot *schema.Snapshot, reaches func(base uuid.UUID) bool) []int32 {
	numbers := []int32{}
	for _, base := range snapshot.Bases {
		if reaches != nil && !reaches(base.ID) {
			continue
		}
		for _, t := range base.Tables {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

func readNotices(rows pgx.Rows, snapshot *schema.Snapshot) ([]Notice, error) {
	var list []Notice
	for rows.Next() {
		var n Notice
		var table int32
		var err error
		if n.Comment, err = scan(rows, &n.ID, &n.Reason, &n.ReadAt, &table); err != nil {
			return nil, err
		}
		if n.Comment.Table = snapshot.TableByNumber(table); n.Comment.Table != nil {
			list = append(list, n)
		}
	}
	return list, rows.Err()
}

// A Place is the record that a comment is about.
type Place struct {
	Table  int32
	Record uuid.UUID
}

// maxTitle bounds the title of a record, in characters.
const maxTitle = 200

// titles returns the titles of the records that exist: the texts of their primary fields.
func (s *Store) titles(ctx context.Context, snapshot *schema.Snapshot, places []Place) (map[Place]string, error) {
	rows := map[int32][]uuid.UUID{}
	for _, p := range places {
		if snapshot.TableByNumber(p.Table) != nil {
			rows[p.Table] = append(rows[p.Table], p.Record)
		}
	}
	titles := map[Place]string{}
	if len(rows) == 0 {
		return titles, nil
	}
	var parts []string
	var args []any
	for number, ids := range rows {
		t := snapshot.TableByNumber(number)
		title := "''"
		if t.Title() != "" {
			title = "coalesce(left(" + t.Title() + ", " + strconv.Itoa(maxTitle) + "), '')"
		}
		args = append(args, ids)
		parts = append(parts, "select "+strconv.Itoa(int(number))+", t.id, "+title+" from "+t.TitleFrom()+
			" where t.id = any ($"+strconv.Itoa(len(args))+"::uuid[])")
	}
	err := s.DB.Read(ctx, snapshot.Org, func(b *pgx.Batch) {
		b.Queue(strings.Join(parts, " union all "), args...).Query(func(rows pgx.Rows) error {
			var p Place
			var title string
			_, err := pgx.ForEachRow(rows, []any{&p.Table, &p.Record, &title}, func() error {
				titles[p] = title
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading what records are called: %w", err)
	}
	return titles, nil
}

// A Reading selects the notices that the actor has read: by ids, by a record, or all.
type Reading struct {
	Notices []uuid.UUID
	Record  *Place
	All     bool
	Reaches func(base uuid.UUID) bool
}

// MarkRead records that the actor has read notices. It skips notices that were read before, and those
// of others.
func (s *Store) MarkRead(ctx context.Context, org uuid.UUID, in Reading) error {
	err := s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		tables := reached(snapshot, in.Reaches)
		var about Place
		if in.Record != nil {
			about = *in.Record
		}
		return s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue(`update rowhouse.comment_notice n set read_at = clock_timestamp() from rowhouse.comment c
				where n.org_id = $1 and n.person_id = $2 and n.read_at is null and c.org_id = $1 and c.id = n.comment_id
					and c.table_number = any ($3)
					and ($4 or n.id = any ($5) or c.table_number = $6 and c.record_id = $7)`,
				org, db.ActorOf(ctx).Person, tables, in.All, in.Notices, about.Table, about.Record)
			audit.Record(ctx, b, org, nil) // reading is private, so the audit log has no event
		})
	})
	if err != nil {
		return fmt.Errorf("marking notices as read: %w", err)
	}
	return nil
}
