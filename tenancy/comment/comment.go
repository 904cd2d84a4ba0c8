// Package comment keeps what people write about records: threads of comments, whom they mention, and
// the notices that members get of them. Comments are in one table for all organizations and name the
// record that they are about. They exist as long as the record does, come back with it from the trash,
// and end when it is purged.
//
// The package knows nothing of scopes and roles, of HTTP or of mail servers: callers have checked that
// the caller may read or write the records of the base.
package comment

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of comments.
const (
	MaxText     = 10_000 // characters of one comment
	MaxMentions = 50     // people in one comment
	MaxComments = record.MaxComments
	MaxPage     = 100 // comments or notices
)

// A Store has the comments of every organization.
type Store struct {
	DB      *db.DB
	Records *record.Engine
}

// New returns a store.
func New(tenantDB *db.DB, records *record.Engine) *Store {
	return &Store{DB: tenantDB, Records: records}
}

// A Person is somebody whom a comment names.
type Person struct {
	ID   uuid.UUID
	Name *string // nil: a former member
}

// A Comment is one comment. The first comment of a thread has no text if it was deleted and has
// replies.
type Comment struct {
	ID     uuid.UUID
	Table  *schema.Table
	Record uuid.UUID
	Thread uuid.UUID // the thread's first comment, which may be this one
	Author Person
	// Credential is the public id of the credential that wrote it: an agent's key or grant, or a
	// session.
	Credential string
	Text       string
	Mentions   []Person
	CreatedAt  time.Time
	EditedAt   *time.Time
	DeletedAt  *time.Time
	// Only for the first comment of a thread.
	ResolvedAt *time.Time
	ResolvedBy *Person
}

// PublicID is the comment's id in the API.
func (c *Comment) PublicID() string { return id.FormatComment(c.Table.Number, c.ID) }

// PublicThread is the id of the thread's first comment in the API.
func (c *Comment) PublicThread() string { return id.FormatComment(c.Table.Number, c.Thread) }

// PublicRecord is the id of the record in the API.
func (c *Comment) PublicRecord() string { return id.FormatRecord(c.Table.Number, c.Record) }

// columns are the columns that read scans, for a comment under the alias c.
const columns = `c.id, c.record_id, c.thread_id, c.person_id,
	(select p.name from rowhouse.person p where p.id = c.person_id), c.credential, c.text,
	c.mentions,
	array(select p.name from unnest(c.mentions) with ordinality as m(id, place)
		left join rowhouse.person p on p.id = m.id order by m.place),
	c.created_at, c.edited_at, c.deleted_at, c.resolved_at, c.resolved_by,
	(select p.name from rowhouse.person p where p.id = c.resolved_by)`

// read scans comments of a table.
func read(rows pgx.Rows, t *schema.Table) ([]Comment, error) {
	var list []Comment
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return nil, err
		}
		c.Table = t
		list = append(list, c)
	}
	return list, rows.Err()
}

// scan reads columns, after those that head points to.
func scan(rows pgx.Rows, head ...any) (Comment, error) {
	var c Comment
	var mentions []uuid.UUID
	var names []*string
	var resolver *uuid.UUID
	var resolverName *string
	err := rows.Scan(append(head, &c.ID, &c.Record, &c.Thread, &c.Author.ID, &c.Author.Name, &c.Credential, &c.Text,
		&mentions, &names, &c.CreatedAt, &c.EditedAt, &c.DeletedAt, &c.ResolvedAt, &resolver, &resolverName)...)
	if err != nil {
		return Comment{}, fmt.Errorf("reading a comment: %w", err)
	}
	for i, person := range mentions {
		c.Mentions = append(c.Mentions, Person{person, names[i]})
	}
	if resolver != nil {
		c.ResolvedBy = &Person{*resolver, resolverName}
	}
	return c, nil
}

// notFound says that there is no comment.
func notFound(table int32, comment uuid.UUID) error {
	return problem.NotFound("comment", id.FormatComment(table, comment))
}

// onTable runs fn with a table of the schema, and again if the schema changes meanwhile.
func (s *Store) onTable(
	ctx context.Context, org uuid.UUID, number int32, missing error, fn func(t *schema.Table) error,
) error {
	return s.Records.OnSchema(ctx, org, func(snapshot *schema.Snapshot) error {
		t := snapshot.TableByNumber(number)
		if t == nil {
			return missing
		}
		return fn(t)
	})
}

// exists is the SQL condition that a record of a table exists.
func exists(t *schema.Table, row string) string {
	return "exists (select from " + t.Relation() + " r where r.id = " + row + ")"
}

// A Page is a part of the comments of a record.
type Page struct {
	Comments []Comment
	More     bool
}

// A Position is the last comment of a page.
type Position struct{ Thread, Comment uuid.UUID }

// List returns the comments of a record after a position, which is nil at first: the latest thread
// first, and the comments of each in the order in which they were written.
func (s *Store) List(
	ctx context.Context, org uuid.UUID, table int32, row uuid.UUID, after *Position, limit int,
) (Page, error) {
	missing := problem.NotFound("record", id.FormatRecord(table, row))
	if after == nil {
		after = &Position{uuid.Max, uuid.Max}
	}
	var page Page
	err := s.onTable(ctx, org, table, missing, func(t *schema.Table) error {
		there := false
		err := s.DB.Read(ctx, org, func(b *pgx.Batch) {
			b.Queue("select "+exists(t, "$1"), row).QueryRow(func(r pgx.Row) error { return r.Scan(&there) })
			b.Queue("select "+columns+` from rowhouse.comment c
				where c.org_id = $1 and c.table_number = $2 and c.record_id = $3
					and (c.thread_id < $4 or c.thread_id = $4 and c.id > $5)
				order by c.thread_id desc, c.id limit $6`, org, t.Number, row, after.Thread, after.Comment, limit+1).
				Query(func(rows pgx.Rows) (err error) {
					page.Comments, err = read(rows, t)
					return err
				})
		})
		if err == nil && !there {
			return missing
		}
		return err
	})
	if err != nil {
		return Page{}, fmt.Errorf("listing comments: %w", err)
	}
	if len(page.Comments) > limit {
		page.Comments, page.More = page.Comments[:limit], true
	}
	return page, nil
}

// Get returns a comment of an existing record.
func (s *Store) Get(ctx context.Context, org uuid.UUID, table int32, comment uuid.UUID) (Comment, error) {
	var found []Comment
	err := s.onTable(ctx, org, table, notFound(table, comment), func(t *schema.Table) error {
		err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
			b.Queue("select "+columns+` from rowhouse.comment c
				where c.org_id = $1 and c.table_number = $2 and c.id = $3`, org, t.Number, comment).
				Query(func(rows pgx.Rows) (err error) {
					found, err = read(rows, t)
					return err
				})
		})
		if err != nil || len(found) == 0 {
			return err
		}
		there := false
		err = s.DB.Read(ctx, org, func(b *pgx.Batch) {
			b.Queue("select "+exists(t, "$1"), found[0].Record).
				QueryRow(func(r pgx.Row) error { return r.Scan(&there) })
		})
		if !there {
			found = nil
		}
		return err
	})
	if err != nil {
		return Comment{}, fmt.Errorf("reading a comment: %w", err)
	}
	if len(found) == 0 {
		return Comment{}, notFound(table, comment)
	}
	return found[0], nil
}
