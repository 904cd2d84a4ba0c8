package operation

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Comment is a comment on a record.
type Comment struct {
	ID         string         `json:"id"`
	ThreadID   string         `json:"threadId"` // of the thread's first comment
	RecordID   string         `json:"recordId"`
	Author     ChangePerson   `json:"author"`
	Credential string         `json:"credential"` // that it was written with
	Text       string         `json:"text"`       // "" of a deleted one
	Mentions   []ChangePerson `json:"mentions"`
	CreatedAt  time.Time      `json:"createdAt"`
	EditedAt   *time.Time     `json:"editedAt,omitzero"`
	DeletedAt  *time.Time     `json:"deletedAt,omitzero"`
	ResolvedAt *time.Time     `json:"resolvedAt,omitzero"` // of the thread, in its first comment
	ResolvedBy *ChangePerson  `json:"resolvedBy,omitzero"`
}

func commentPerson(p comment.Person) ChangePerson {
	return ChangePerson{id.Format(id.User, p.ID), p.Name}
}

func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

func commentOf(c *comment.Comment) Comment {
	out := Comment{
		ID: c.PublicID(), ThreadID: c.PublicThread(), RecordID: c.PublicRecord(), Author: commentPerson(c.Author),
		Credential: c.Credential, Text: c.Text, Mentions: make([]ChangePerson, len(c.Mentions)),
		CreatedAt: c.CreatedAt.UTC(), EditedAt: inUTC(c.EditedAt),
		DeletedAt: inUTC(c.DeletedAt), ResolvedAt: inUTC(c.ResolvedAt),
	}
	for i, person := range c.Mentions {
		out.Mentions[i] = commentPerson(person)
	}
	if c.ResolvedBy != nil {
		by := commentPerson(*c.ResolvedBy)
		out.ResolvedBy = &by
	}
	return out
}

// CommentPage is a page of the comments of a record.
type CommentPage struct {
	Comments   []Comment `json:"comments"`
	NextCursor *string   `json:"nextCursor"`
}

// commentCursor is the cursor behind a comment.
func commentCursor(c *comment.Comment) string {
	return base64.RawURLEncoding.EncodeToString(append(c.Thread[:], c.ID[:]...))
}

func parseCommentCursor(cursor string) (*comment.Position, error) {
	if cursor == "" {
		return nil, nil //nolint:nilnil // the first page
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) != 32 {
		return nil, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
	}
	return &comment.Position{Thread: uuid.UUID(raw[:16]), Comment: uuid.UUID(raw[16:])}, nil
}

// ListComments lists the comments of a record.
var ListComments = New(Def{
	Name: "list_comments", Method: "GET", Path: "/records/{recordId}/comments", Title: "List comments",
	Summary: "List the comments on a record, the latest thread first.",
	Description: "Returns texts, authors and moments; those of a thread have one threadId. Answer with " +
		"create_comment.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	Limit  int    `json:"limit,omitzero" min:"1" max:"100"`
	Cursor string `json:"cursor,omitzero" maxLength:"100"`
},
) (CommentPage, error) {
	after, err := parseCommentCursor(in.Cursor)
	if err != nil {
		return CommentPage{}, err
	}
	if in.Limit == 0 {
		in.Limit = comment.MaxPage
	}
	page, err := c.Comments.List(ctx, c.Target.Org, c.Target.Table.Number, c.Target.ID, after, in.Limit)
	if err != nil {
		return CommentPage{}, err
	}
	out := CommentPage{Comments: make([]Comment, len(page.Comments))}
	for i := range page.Comments {
		out.Comments[i] = commentOf(&page.Comments[i])
	}
	if page.More {
		cursor := commentCursor(&page.Comments[len(page.Comments)-1])
		out.NextCursor = &cursor
	}
	return out, nil
})

// CommentCount is the number of threads and comments of a record.
type CommentCount struct {
	RecordID string `json:"recordId"`
	Threads  int    `json:"threads" jsonschema:"that are not resolved"`
	Comments int    `json:"comments" jsonschema:"in these threads, without deleted ones"`
	ThreadID string `json:"threadId" jsonschema:"the latest of these threads"`
}

// CommentCounts counts the comments of some records of a table.
type CommentCounts struct {
	Any    bool           `json:"any" jsonschema:"whether any record of the table has comments"`
	Counts []CommentCount `json:"counts"`
}

// CountComments counts the comments on records of a table.
var CountComments = New(Def{
	Name: "count_comments", Method: "GET", Path: "/tables/{tableId}/comments/count", Title: "Count comments",
	Summary: "Count the comments on records of a table.",
	Description: "records are ids of the table, up to 100. Records without a thread that is not resolved are left " +
		"out. Without records, it says whether any record of the table has comments.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: "it is for a page that marks records; agents read them with list_comments"},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Records []string `json:"records,omitzero" maxItems:"100"`
},
) (CommentCounts, error) {
	rows := make([]uuid.UUID, len(in.Records))
	for i, public := range in.Records {
		table, row, err := id.ParseRecord(public)
		if err != nil || table != c.Target.Table.Number {
			return CommentCounts{}, problem.Invalid(fmt.Sprintf("records[%d]", i), "%q is not the id of a record of "+
				"this table", public)
		}
		rows[i] = row
	}
	counts, some, err := c.Comments.Count(ctx, c.Target.Org, c.Target.Table.Number, rows)
	if err != nil {
		return CommentCounts{}, err
	}
	out := CommentCounts{Any: some, Counts: make([]CommentCount, len(counts))}
	for i, one := range counts {
		out.Counts[i] = CommentCount{
			RecordID: id.FormatRecord(c.Target.Table.Number, one.Record), Threads: one.Threads, Comments: one.Comments,
			ThreadID: id.FormatComment(c.Target.Table.Number, one.Latest),
		}
	}
	return out, nil
})

// announceComment returns the function that mails the notices of a comment, or nil if the service
// sends no mail.
func (c *Call) announceComment() comment.Announce {
	if c.Mailer == nil {
		return nil
	}
	return c.Mailer.Comment
}

// CreateComment writes a comment.
var CreateComment = New(Def{
	Name: "create_comment", Method: "POST", Path: "/records/{recordId}/comments", Title: "Comment",
	Summary: "Comment on a record, or reply to a comment.",
	Description: "@[Name](usr_…) mentions and notifies a member. To change values, use update_records. Returns " +
		"the comment.",
	Base:     schema.BaseCommenter,
	Scope:    authz.DataWrite,
	Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	Text    string `json:"text" maxLength:"10000"`
	ReplyTo string `json:"replyTo,omitzero" maxLength:"100"`
},
) (Comment, error) {
	made, err := c.Comments.Create(ctx, c.actor(), c.Target.Table.Number, comment.Draft{
		Record: c.Target.ID, Text: in.Text, ReplyTo: in.ReplyTo, Announce: c.announceComment(),
	})
	if err != nil {
		return Comment{}, err
	}
	return commentOf(&made), nil
})

// CommentIn identifies a comment.
type CommentIn struct {
	CommentID string `json:"commentId"`
}

// GetComment returns one comment.
var GetComment = New(Def{
	Name: "get_comment", Method: "GET", Path: "/comments/{commentId}", Title: "Get comment",
	Summary:     "Get one comment.",
	Description: "Changes of a base name comments by their ids.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: "list_comments has it"},
}, func(ctx context.Context, c *Call, _ CommentIn) (Comment, error) {
	found, err := c.Comments.Get(ctx, c.Target.Org, c.Target.Table.Number, c.Target.ID)
	if err != nil {
		return Comment{}, err
	}
	return commentOf(&found), nil
})

// UpdateComment changes the text of a comment.
var UpdateComment = New(Def{
	Name: "update_comment", Method: "PATCH", Path: "/comments/{commentId}", Title: "Update comment",
	Summary:     "Change the text of your own comment.",
	Description: "Notifies those whom it mentions for the first time.",
	Base:        schema.BaseCommenter,
	Scope:       authz.DataWrite, Idempotent: true,
	Agent: Agent{NotATool: "people correct what they wrote; an agent writes another comment"},
}, func(ctx context.Context, c *Call, in struct {
	CommentIn
	Text string `json:"text" maxLength:"10000"`
},
) (Comment, error) {
	changed, err := c.Comments.Edit(ctx, c.actor(), c.Target.Table.Number, c.Target.ID, in.Text, c.announceComment())
	if err != nil {
		return Comment{}, err
	}
	return commentOf(&changed), nil
})

// DeleteComment deletes a comment.
var DeleteComment = New(Def{
	Name: "delete_comment", Method: "DELETE", Path: "/comments/{commentId}", Title: "Delete comment",
	Summary: "Delete a comment for good.",
	Description: "Its author and admins may. The first comment of a thread that has replies leaves an empty place, " +
		"with deletedAt.",
	Base:  schema.BaseCommenter,
	Scope: authz.DataWrite, Destructive: true, Idempotent: true,
	Agent: Agent{NotATool: "a comment is deleted for good, by people"},
}, func(ctx context.Context, c *Call, in CommentIn) (Deleted, error) {
	return Deleted{in.CommentID}, c.Comments.Delete(ctx, c.actor(), c.Target.Table.Number, c.Target.ID)
})

// ResolveComment resolves a thread, or opens it again.
var ResolveComment = New(Def{
	Name: "resolve_comment", Method: "PUT", Path: "/comments/{commentId}/resolution", Title: "Resolve thread",
	Summary:     "Resolve the thread of a comment, or open it again.",
	Description: "Returns the first comment of the thread, with resolvedAt and resolvedBy if it is resolved.",
	Base:        schema.BaseCommenter,
	Scope:       authz.DataWrite, Idempotent: true,
	Agent: Agent{NotATool: "people decide when they are done with a thread"},
}, func(ctx context.Context, c *Call, in struct {
	CommentIn
	Resolved bool `json:"resolved"`
},
) (Comment, error) {
	first, err := c.Comments.Resolve(ctx, c.actor(), c.Target.Table.Number, c.Target.ID, in.Resolved)
	if err != nil {
		return Comment{}, err
	}
	return commentOf(&first), nil
})

// Notifications are a member's settings for notifications of comments.
type Notifications struct {
	Inbox bool `json:"inbox" jsonschema:"in the application"`
	Mail  bool `json:"mail"`
}

// GetNotifications returns the caller's notification settings.
var GetNotifications = New(Def{
	Name: "get_notifications", Method: "GET", Path: "/orgs/{orgId}/notifications", Title: "Get notifications",
	Summary:     "Get how you are told of comments that mention you and of replies to you.",
	Description: "Both are on unless you have turned them off.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{NotATool: "a setting of a person"},
}, func(ctx context.Context, c *Call, _ OrgIn) (Notifications, error) {
	settings, err := c.Comments.Settings(ctx, c.Target.Org, c.Principal.Person)
	return Notifications(settings), err
})

// SetNotifications changes the caller's notification settings.
var SetNotifications = New(Def{
	Name: "set_notifications", Method: "PATCH", Path: "/orgs/{orgId}/notifications", Title: "Set notifications",
	Summary:     "Choose how you are told of comments that mention you and of replies to you.",
	Description: "What is not given stays as it is.",
	Scope:       authz.DataWrite, Role: organization.Viewer, Idempotent: true,
	Agent: Agent{NotATool: "a setting of a person"},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Inbox *bool `json:"inbox,omitzero" jsonschema:"in the application"`
	Mail  *bool `json:"mail,omitzero"`
},
) (Notifications, error) {
	settings, err := c.Comments.SetSettings(ctx, c.Target.Org, in.Inbox, in.Mail)
	return Notifications(settings), err
})
