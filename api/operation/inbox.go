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
)

// Notice is an item of the inbox.
type Notice struct {
	ID        string         `json:"id"`
	Reason    comment.Reason `json:"reason" jsonschema:"mention or reply"`
	CreatedAt time.Time      `json:"createdAt"`
	ReadAt    *time.Time     `json:"readAt"`
	OrgID     string         `json:"orgId"`
	Base      Named          `json:"base"`
	Table     Named          `json:"table"`
	Record    Named          `json:"record"` // its name is the text of the primary field
	Comment   Comment        `json:"comment"`
}

func (c *Call) notice(org uuid.UUID, n *comment.Notice) Notice {
	t := n.Comment.Table
	return Notice{
		ID: id.Format(id.Notice, n.ID), Reason: n.Reason, CreatedAt: n.CreatedAt(), ReadAt: inUTC(n.ReadAt),
		OrgID: id.Format(id.Org, org), Base: Named{t.Base.PublicID(), c.schemaName(t.Base.Name)},
		Table:  Named{t.PublicID(), c.schemaName(t.Name)},
		Record: Named{n.Comment.PublicRecord(), n.Title}, Comment: commentOf(&n.Comment),
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
	Summary:     "List the comments that mention you and the replies to you, the latest first.",
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
		org uuid.UUID
		*comment.Notice
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
			items = append(items, item{m.Org, &page.Notices[i]})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return bytes.Compare(b.ID[:], a.ID[:]) })
	if len(items) > query.Limit {
		items = items[:query.Limit]
		if last := items[query.Limit-1].ID; bytes.Compare(last[:], next[:]) > 0 {
			next = last
		}
	}
	for _, one := range items {
		if bytes.Compare(one.ID[:], next[:]) >= 0 {
			out.Items = append(out.Items, c.notice(one.org, one.Notice))
		}
	}
	if next != uuid.Nil {
		cursor := id.Format(id.Notice, next)
		out.NextCursor = &cursor
	}
	return out, nil
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
	return MarkedRead{in.OrgID}, c.Comments.MarkRead(ctx, c.Target.Org, reading)
})
