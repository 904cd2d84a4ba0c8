package operation

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// Notice is an item of the inbox.
type Notice struct {
	ID        string         `json:"id"`
	Reason    comment.Reason `json:"reason" jsonschema:"mention or reply, of a comment, or backup: one has failed"`
	CreatedAt time.Time      `json:"createdAt"`
	ReadAt    *time.Time     `json:"readAt"`
	OrgID     string         `json:"orgId"`
	Base      Named          `json:"base"`
	// Of a comment.
	Table   *Named   `json:"table,omitzero"`
	Record  *Named   `json:"record,omitzero"` // its name is the text of the primary field
	Comment *Comment `json:"comment,omitzero"`
	Backup  *Backup  `json:"backup,omitzero" jsonschema:"that has failed, for admins"`
}

// backupFailed is the reason of a notice of a backup.
const backupFailed comment.Reason = "backup"

func backupNotice(org uuid.UUID, n *transfer.BackupNotice) Notice {
	backup := backupOf(&n.Backup)
	return Notice{
		ID: id.Format(id.Notice, n.ID), Reason: backupFailed, CreatedAt: n.CreatedAt(), ReadAt: inUTC(n.ReadAt),
		OrgID: id.Format(id.Org, org), Base: backup.Base, Backup: &backup,
	}
}

func (c *Call) notice(org uuid.UUID, n *comment.Notice) Notice {
	t, about := n.Comment.Table, commentOf(&n.Comment)
	return Notice{
		ID: id.Format(id.Notice, n.ID), Reason: n.Reason, CreatedAt: n.CreatedAt(), ReadAt: inUTC(n.ReadAt),
		OrgID: id.Format(id.Org, org), Base: Named{t.Base.PublicID(), c.schemaName(t.Base.Name)},
		Table:  &Named{t.PublicID(), c.schemaName(t.Name)},
		Record: &Named{n.Comment.PublicRecord(), n.Title}, Comment: &about,
	}
}

// Inbox is a page of the inbox.
type Inbox struct {
	Items      []Notice `json:"items"`
	Unread     int      `json:"unread" jsonschema:"at most 100, of all pages"`
	NextCursor *string  `json:"nextCursor"`
}

// ListInbox lists the caller's notifications.
var ListInbox = New(Def{
	Name: "list_inbox", Method: "GET", Path: "/inbox", Title: "Inbox",
	Summary: "List the comments that mention you and the replies to you, the latest first, and failed backups for " +
		"admins.",
	Description: "Those about deleted records are left out; a page may be short although nextCursor is set.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{NotATool: "the inbox is a person's; list_changes tells agents of comments"},
}, func(ctx context.Context, c *Call, in struct {
	Unread bool   `json:"unread,omitzero" jsonschema:"only what you have not read"`
	Limit  int    `json:"limit,omitzero" min:"1" max:"100"`
	Cursor string `json:"cursor,omitzero" maxLength:"100"`
},
) (Inbox, error) {
	query := comment.InboxQuery{
		Person: c.Principal.Person, Unread: in.Unread, Limit: in.Limit, Reaches: c.Principal.ReachesBase,
	}
	if in.Cursor != "" {
		var err error
		if query.Before, err = id.Parse(id.Notice, in.Cursor); err != nil {
			return Inbox{}, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
		}
	}
	if query.Limit == 0 {
		query.Limit = comment.MaxPage
	}
	return c.inbox(ctx, query)
})

// inbox merges the inboxes of the caller's organizations.
func (c *Call) inbox(ctx context.Context, query comment.InboxQuery) (Inbox, error) {
	type item struct {
		id     uuid.UUID
		notice func() Notice
	}
	var items []item
	var next uuid.UUID // before that, some organization has more
	out := Inbox{Items: []Notice{}}
	for _, m := range c.Principal.Orgs {
		page, err := c.Comments.Inbox(ctx, m.Org, query)
		if err != nil {
			return Inbox{}, err
		}
		out.Unread = min(out.Unread+page.Unread, comment.MaxUnread)
		if bytes.Compare(page.Next[:], next[:]) > 0 {
			next = page.Next
		}
		for i := range page.Notices {
			n := &page.Notices[i]
			items = append(items, item{n.ID, func() Notice { return c.notice(m.Org, n) }})
		}
		if c.mayBackUp(m.Org) {
			backups, err := c.Jobs.BackupNotices(ctx, m.Org, query.Person, query.Unread, query.Before, query.Limit)
			if err != nil {
				return Inbox{}, err
			}
			out.Unread = min(out.Unread+backups.Unread, comment.MaxUnread)
			if bytes.Compare(backups.Next[:], next[:]) > 0 {
				next = backups.Next
			}
			for i := range backups.Notices {
				n := &backups.Notices[i]
				items = append(items, item{n.ID, func() Notice { return backupNotice(m.Org, n) }})
			}
		}
	}
	slices.SortFunc(items, func(a, b item) int { return bytes.Compare(b.id[:], a.id[:]) })
	if len(items) > query.Limit {
		items = items[:query.Limit]
		if last := items[query.Limit-1].id; bytes.Compare(last[:], next[:]) > 0 {
			next = last
		}
	}
	for _, one := range items {
		if bytes.Compare(one.id[:], next[:]) >= 0 {
			out.Items = append(out.Items, one.notice())
		}
	}
	if next != uuid.Nil {
		cursor := id.Format(id.Notice, next)
		out.NextCursor = &cursor
	}
	return out, nil
}

// mayBackUp reports whether the caller is notified of the backups of an organization: an admin with a credential that
// reaches all bases and may read what is there.
func (c *Call) mayBackUp(org uuid.UUID) bool {
	return c.Jobs != nil && c.Principal.Role(org).AtLeast(organization.Admin) && c.Principal.Bases == nil &&
		c.Principal.Has(authz.MembersRead)
}

// MarkedRead says in which organization items were marked as read.
type MarkedRead struct {
	OrgID string `json:"orgId"`
}

// MarkInboxRead marks items of the inbox as read.
var MarkInboxRead = New(Def{
	Name: "mark_inbox_read", Method: "POST", Path: "/orgs/{orgId}/inbox/read", Title: "Mark inbox as read",
	Summary:     "Mark items of your inbox as read: those with ids, those about a record, or all.",
	Description: "What is read already, or not there, is passed over.",
	Scope:       authz.DataWrite, Role: organization.Viewer, Idempotent: true, BaseFiltered: true,
	Agent: Agent{NotATool: "an agent that reads the inbox has not told the person"},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Items    []string `json:"items,omitzero" maxItems:"100"`
	RecordID string   `json:"recordId,omitzero"`
	All      bool     `json:"all,omitzero"`
},
) (MarkedRead, error) {
	reading := comment.Reading{All: in.All, Notices: []uuid.UUID{}, Reaches: c.Principal.ReachesBase}
	for i, public := range in.Items {
		u, err := id.Parse(id.Notice, public)
		if err != nil {
			return MarkedRead{}, problem.Invalid(fmt.Sprintf("items[%d]", i),
				"%q is not the id of an item of the inbox", public)
		}
		reading.Notices = append(reading.Notices, u)
	}
	if in.RecordID != "" {
		table, row, err := id.ParseRecord(in.RecordID)
		if err != nil {
			return MarkedRead{}, problem.Invalid("recordId", "%q is not the id of a record", in.RecordID)
		}
		reading.Record = &comment.Place{Table: table, Record: row}
	}
	if len(in.Items) == 0 && in.RecordID == "" && !in.All {
		return MarkedRead{}, problem.Invalid("items", "is required; give items, recordId or all")
	}
	if c.mayBackUp(c.Target.Org) && in.RecordID == "" {
		err := c.Jobs.MarkBackupNoticesRead(ctx, c.Target.Org, c.Principal.Person, reading.Notices, in.All)
		if err != nil {
			return MarkedRead{}, err
		}
	}
	return MarkedRead{in.OrgID}, c.Comments.MarkRead(ctx, c.Target.Org, reading)
})
