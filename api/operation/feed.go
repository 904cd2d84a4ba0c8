package operation

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxWait is the maximum time that list_changes waits for something to happen.
const maxWait = 25 * time.Second

// ChangePage is a page of the feed.
type ChangePage struct {
	changes [][]byte // each finished JSON
	cursor  feed.Position
	more    bool
}

// AppendJSON writes {changes, cursor, hasMore}.
func (p ChangePage) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"changes":[`...)
	for i, change := range p.changes {
		dst = append(append(dst, ","[:min(i, 1)]...), change...)
	}
	dst = append(append(append(dst, `],"cursor":"`...), p.cursor.String()...), `","hasMore":`...)
	return append(strconv.AppendBool(dst, p.more), '}')
}

// JSONSchema describes what AppendJSON writes.
func (ChangePage) JSONSchema() *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	nullable := func(kind string) *jsonschema.Schema { return &jsonschema.Schema{Types: []string{kind, "null"}} }
	person := nullable("object")
	person.Required = []string{"id", "name"}
	person.Properties = map[string]*jsonschema.Schema{"id": text, "name": nullable("string")}
	kinds := make([]any, len(feed.Kinds()))
	for i, k := range feed.Kinds() {
		kinds[i] = k.Name()
	}
	change := &jsonschema.Schema{
		Type: "object",
		Required: []string{
			"cursor", "version", "time", "kind", "changeSet", "request", "person", "credential", "table",
			"before", "after",
		},
		Properties: map[string]*jsonschema.Schema{
			"cursor": text, "version": {Type: "integer"}, "time": text, "kind": {Type: "string", Enum: kinds},
			"returned": {
				Type:        "boolean",
				Description: "the values came back with their field or table; the version of the record stayed",
			},
			"changeSet": text, "request": text, "person": person, "credential": text, "table": nullable("string"),
			"record": text, "before": nullable("object"), "after": nullable("object"),
			"links":    {Type: "object", Description: "by field; added and removed from the other side"},
			"fieldIds": {Type: "object", Description: "of the fields named"},
			"object":   {Type: "string", Enum: []any{"base", "table", "field", "view"}}, "id": text, "name": text,
			"comment": text, "thread": text, "action": text,
		},
	}
	return &jsonschema.Schema{
		Type: "object", Required: []string{"changes", "cursor", "hasMore"},
		Properties: map[string]*jsonschema.Schema{
			"changes": {Type: "array", Items: part("Change", change)}, "cursor": text, "hasMore": {Type: "boolean"},
		},
	}
}

// ListChanges reads the feed of a base.
var ListChanges = New(Def{
	Name: "list_changes", Method: "GET", Path: "/bases/{baseId}/changes", Title: "Changes",
	Summary: "List every change of a base since a cursor, oldest first, with before and after.",
	Description: "Use it to follow a base; list_change_sets sums up. Without a cursor you get that of now. Kind " +
		"schema needs schema:read.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Waits: maxWait, Expires: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Cursor string   `json:"cursor,omitzero" maxLength:"100" jsonschema:"or earliest"`
	Tables []string `json:"tables,omitzero" maxItems:"100"`
	Kinds  []string `json:"kinds,omitzero" maxItems:"7"`
	Limit  *int     `json:"limit,omitzero" min:"1" max:"100" default:"100"`
	Wait   int      `json:"wait,omitzero" min:"0" max:"25" jsonschema:"seconds"`
},
) (ChangePage, error) {
	filter, err := c.feedFilter(ctx, in.Tables, in.Kinds)
	if err != nil {
		return ChangePage{}, err
	}
	reader, from := c.feed(), feed.Position{}
	switch in.Cursor {
	case "earliest":
	case "":
		if from, err = reader.Now(ctx, c.Target.Org); err != nil {
			return ChangePage{}, err
		}
	default:
		if from, err = feed.ParsePosition("cursor", in.Cursor); err != nil {
			return ChangePage{}, err
		}
	}
	limit := feed.MaxPage
	if in.Limit != nil {
		limit = *in.Limit
	}
	return c.waitForChanges(ctx, reader, from, limit, filter, time.Duration(in.Wait)*time.Second)
})

func (c *Call) feed() *feed.Reader { return &feed.Reader{DB: c.DB, Records: c.Records} }

// FeedViewer returns what a principal may see in the feeds of an organization's bases.
func FeedViewer(p *authz.Principal, org uuid.UUID) feed.Viewer {
	return feed.Viewer{Viewer: Viewer(p, org), Schema: p.RequireScope(authz.SchemaRead) == nil}
}

// SightOf returns what a principal sees of the base of a target.
func SightOf(p *authz.Principal, target Target) live.Sight {
	if !target.partial {
		return live.Sight{}
	}
	sight := live.Sight{Rights: target.Rights, Caller: p}
	if target.ruled {
		sight.Person = p.Person
	}
	return sight
}

// feedFilter reads which changes the caller wants.
func (c *Call) feedFilter(ctx context.Context, tables, kinds []string) (feed.Filter, error) {
	viewer := FeedViewer(c.Principal, c.Target.Org)
	filter := feed.Filter{Viewer: &viewer}
	if len(tables) > 0 {
		s, err := c.Schema.Fresh(ctx, c.Target.Org)
		if err != nil {
			return filter, err
		}
		for i, public := range tables {
			t := tableIn(s, c.Target.Base, public)
			if t == nil {
				return filter, problem.Invalid(fmt.Sprintf("tables[%d]", i),
					"no table of this base has the id %q", public)
			}
			filter.Tables = append(filter.Tables, t.ID)
		}
	}
	for i, name := range kinds {
		kind, err := feed.ParseKind(fmt.Sprintf("kinds[%d]", i), name)
		if err != nil {
			return filter, err
		}
		if kind == changelog.Schema {
			if err := c.Principal.RequireScope(authz.SchemaRead); err != nil {
				return filter, err
			}
		}
		filter.Kinds = append(filter.Kinds, kind)
	}
	return filter, nil
}

// waitForChanges reads a page, and reads again while it is empty and there is time.
func (c *Call) waitForChanges(
	ctx context.Context, reader *feed.Reader, from feed.Position, limit int, filter feed.Filter, wait time.Duration,
) (ChangePage, error) {
	until := time.Now().Add(wait)
	var rung <-chan struct{}
	look := func() time.Duration { return 0 }
	if wait > 0 {
		listener := c.Notifier.Listen(c.Target.Org)
		defer listener.Close()
		rung, look = listener.C, listener.LookAfter
	}
	for {
		page, err := reader.Read(ctx, c.Target.Org, c.Target.Base, from, limit, filter)
		if err != nil {
			return ChangePage{}, err
		}
		from = page.Next
		out := ChangePage{cursor: page.Next, more: page.More}
		for i := range page.Changes {
			if text, seen := page.Changes[i].For(*filter.Viewer); seen {
				out.changes = append(out.changes, text)
			}
		}
		left := time.Until(until)
		if len(page.Changes) > 0 || page.More || left <= 0 {
			return out, nil
		}
		err = c.idle(ctx, func() {
			select {
			case <-ctx.Done():
			case <-rung:
			case <-time.After(min(left, look())):
			}
		})
		if problem.KindOf(err) == problem.KindRateLimited && err != nil {
			return out, nil // the caller asks again later
		}
		if err != nil {
			return ChangePage{}, err
		}
	}
}

// tableIn returns the table of a base with a public id, or nil.
func tableIn(s *schema.Snapshot, base uuid.UUID, public string) *schema.Table {
	u, err := id.Parse(id.Table, public)
	if err != nil {
		return nil
	}
	t := s.Table(u)
	if t == nil || t.Base.ID != base {
		return nil
	}
	return t
}
