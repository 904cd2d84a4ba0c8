package operation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// TrashItem is something that was deleted and can be restored.
type TrashItem struct {
	ID        string            `json:"id"`
	Kind      catalog.TrashKind `json:"kind" jsonschema:"column: the former column of a field whose type was changed"`
	Name      string            `json:"name" jsonschema:"of a record its primary value"`
	Base      *Named            `json:"base,omitzero"`
	Table     *Named            `json:"table,omitzero"`
	DeletedAt time.Time         `json:"deletedAt"`
	DeletedBy *Named            `json:"deletedBy,omitzero"`
	KeptUntil time.Time         `json:"keptUntil"`
}

func (c *Call) trashItem(i *history.TrashItem) TrashItem {
	out := TrashItem{ID: i.ID, Kind: i.Kind, Name: i.Name, DeletedAt: i.DeletedAt.UTC(), KeptUntil: i.KeptUntil.UTC()}
	if i.Kind != catalog.TrashedBase {
		out.Base = &Named{id.Format(id.Base, i.Base), c.schemaName(i.BaseName)}
	}
	if i.Table != uuid.Nil && i.Kind != catalog.TrashedTable {
		out.Table = &Named{id.Format(id.Table, i.Table), c.schemaName(i.TableName)}
	}
	if i.DeletedBy != uuid.Nil {
		out.DeletedBy = &Named{id.Format(id.User, i.DeletedBy), i.Person}
	}
	return out
}

// TrashPageIn selects a page of the trash.
type TrashPageIn struct {
	Kinds  []string `json:"kinds,omitzero" maxItems:"6" jsonschema:"record, table, field, view, column, base"`
	Cursor string   `json:"cursor,omitzero"`
	Limit  int      `json:"limit,omitzero" min:"1" max:"100"`
}

// TrashPage is a page of the trash.
type TrashPage struct {
	Items      []TrashItem `json:"items"`
	NextCursor *string     `json:"nextCursor"`
}

// listTrash lists what was deleted in a base, or with uuid.Nil in the organization.
func (c *Call) listTrash(ctx context.Context, base uuid.UUID, in TrashPageIn) (TrashPage, error) {
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return TrashPage{}, err
	}
	query := history.TrashQuery{
		Base: base, Cursor: in.Cursor, Limit: in.Limit, Viewer: c.viewer(), Reaches: c.reaches(s),
		SeesAll: func(base uuid.UUID) bool { return !s.IsPartial(base) },
	}
	for _, name := range in.Kinds {
		kind, err := history.ParseTrashKind("kinds", name)
		if err != nil {
			return TrashPage{}, err
		}
		if kind != history.RecordKind {
			if err := c.Principal.RequireScope(authz.SchemaRead); err != nil {
				return TrashPage{}, err
			}
		}
		query.Kinds = append(query.Kinds, kind)
	}
	if !c.namesSchema() {
		query.Kinds = []catalog.TrashKind{history.RecordKind}
	}
	items, next, err := c.Trash.List(ctx, c.Target.Org, query)
	if err != nil {
		return TrashPage{}, err
	}
	out := TrashPage{Items: make([]TrashItem, len(items))}
	for i := range items {
		out.Items[i] = c.trashItem(&items[i])
	}
	if next != "" {
		out.NextCursor = &next
	}
	return out, nil
}

// ListTrash lists what was deleted in a base.
var ListTrash = New(Def{
	Name: "list_trash", Method: "GET", Path: "/bases/{baseId}/trash", Title: "List trash",
	Summary: "List what was deleted in a base, latest first.",
	Description: "Returns records, tables, fields and views with the ids that restore takes, and who deleted " +
		"them when.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	TrashPageIn
},
) (TrashPage, error) {
	return c.listTrash(ctx, c.Target.ID, in.TrashPageIn)
})

// ListOrgTrash lists what was deleted in an organization.
var ListOrgTrash = New(Def{
	Name: "list_org_trash", Method: "GET", Path: "/orgs/{orgId}/trash", Title: "List trash of organization",
	Summary:     "List what was deleted in all bases, and deleted bases, latest first.",
	Description: "Give the ids of bases to restore_bases, and other ids to restore.",
	Scope:       authz.DataRead, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{NotATool: "list_trash lists the trash of a base"},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	TrashPageIn
},
) (TrashPage, error) {
	return c.listTrash(ctx, uuid.Nil, in.TrashPageIn)
})

// TrashItemsIn names items of the trash.
type TrashItemsIn struct {
	Items []string `json:"items" minItems:"1" maxItems:"100" jsonschema:"from list_trash; records of one table, or others"`
}

// RestoreIn names the trash items to restore. DryRun returns what would be restored, with notes.
type RestoreIn struct {
	TrashItemsIn
	DryRun bool `json:"dryRun,omitzero"`
}

// RestoredItem is what came back from the trash.
type RestoredItem struct {
	ID    string            `json:"id"`
	Kind  catalog.TrashKind `json:"kind"`
	Name  string            `json:"name" jsonschema:"changed if it was taken"`
	Notes []string          `json:"notes,omitzero" jsonschema:"what did not come back, and why"`
}

// RestoredItems lists what came back.
type RestoredItems struct {
	DryRun   bool           `json:"dryRun,omitzero"`
	Restored []RestoredItem `json:"restored"`
}

func (c *Call) restore(ctx context.Context, base uuid.UUID, in RestoreIn) (RestoredItems, error) {
	restored, err := c.Trash.Restore(ctx, c.actor(), base, in.Items, in.DryRun)
	if err != nil {
		return RestoredItems{}, err
	}
	out := RestoredItems{DryRun: in.DryRun, Restored: make([]RestoredItem, len(restored))}
	for i, one := range restored {
		name := one.Name
		if db.ActorOf(ctx).Blind && history.AreRecords([]string{one.ID}) { // the name of a record is one of its values
			name = ""
		}
		out.Restored[i] = RestoredItem{one.ID, one.Kind, name, one.Notes}
	}
	return out, nil
}

// mayRestore checks the rights that schema objects need beyond the rights of records: editors may
// restore views, and admins everything else.
func (c *Call) mayRestore(items []string) error {
	for _, public := range items {
		if history.AreRecords([]string{public}) {
			continue
		}
		if err := c.Principal.RequireScope(authz.SchemaWrite); err != nil {
			return err
		}
		if id.KindOf(public) == id.View {
			continue
		}
		if err := c.may(Def{Scope: authz.SchemaWrite}); err != nil {
			return err
		}
	}
	return nil
}

// Restore restores items of the trash of a base.
var Restore = New(Def{
	Name: "restore", Method: "POST", Path: "/bases/{baseId}/trash/restore", Title: "Restore",
	Summary: "Bring back deleted records, tables, fields or views by their ids, which deletions and list_trash " +
		"return.",
	Description: "All or none. A taken name gets \" (restored)\". A field of an earlier type undoes a change of " +
		"type. Returns what is back, and notes on what is not. All but records needs schema:write too.",
	Whole: ChangesAll,
	Scope: authz.DataWrite,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"items": {Text: "from list_trash; records of one table"}},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	RestoreIn
},
) (RestoredItems, error) {
	if err := c.mayRestore(in.Items); err != nil {
		return RestoredItems{}, err
	}
	return c.restore(ctx, c.Target.ID, in.RestoreIn)
})

// RestoreBases restores bases.
var RestoreBases = New(Def{
	Name: "restore_bases", Method: "POST", Path: "/orgs/{orgId}/trash/restore", Title: "Restore bases",
	Summary:     "Restore deleted bases with their tables and records.",
	Description: "All or none. A public share of a base does not come back.",
	Scope:       authz.SchemaWrite,
	Agent:       Agent{NotATool: "whole bases are restored by people"},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	RestoreIn
},
) (RestoredItems, error) {
	if history.AreRecords(in.Items) {
		return RestoredItems{}, problem.NotFound("item of the trash", in.Items[0])
	}
	return c.restore(ctx, uuid.Nil, in.RestoreIn)
})

// Purged is what was deleted for good.
type Purged struct {
	Purged []string `json:"purged"`
}

// PurgeTrash deletes items of the trash of a base for good.
var PurgeTrash = New(Def{
	Name: "purge_trash", Method: "POST", Path: "/bases/{baseId}/trash/purge", Title: "Purge trash",
	Summary:     "Delete items of the trash for good, at once.",
	Description: "They cannot be restored afterwards.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, Destructive: true,
	Agent: Agent{
		NotATool: "people purge",
		Confirm:  Confirmation{Needed: Always},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	TrashItemsIn
},
) (Purged, error) {
	return Purged{in.Items}, c.Trash.Purge(ctx, c.actor(), c.Target.ID, in.Items)
})

// PurgeBases deletes bases in the trash for good.
var PurgeBases = New(Def{
	Name: "purge_bases", Method: "POST", Path: "/orgs/{orgId}/trash/purge", Title: "Purge bases",
	Summary:     "Delete bases in the trash for good, at once.",
	Description: "They cannot be restored afterwards.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, Destructive: true,
	Agent: Agent{
		NotATool: "people purge",
		Confirm:  Confirmation{Needed: Always},
	},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	TrashItemsIn
},
) (Purged, error) {
	if history.AreRecords(in.Items) {
		return Purged{}, problem.NotFound("item of the trash", in.Items[0])
	}
	return Purged{in.Items}, c.Trash.Purge(ctx, c.actor(), uuid.Nil, in.Items)
})

// Retention is how long deleted objects and history are kept, and how much space the history takes.
type Retention struct {
	TrashDays    int        `json:"trashDays" jsonschema:"how long deleted things can be restored"`
	HistoryDays  int        `json:"historyDays" jsonschema:"how long history is kept at least"`
	HistoryBytes int64      `json:"historyBytes" jsonschema:"what the history takes on disk"`
	HistorySince *time.Time `json:"historySince" jsonschema:"from when the history reaches"`
}

// GetRetention returns how long deleted objects and history are kept.
var GetRetention = New(Def{
	Name: "get_retention", Method: "GET", Path: "/orgs/{orgId}/retention", Title: "Get retention",
	Summary:     "Get how long deleted things and history are kept.",
	Description: "Also returns what the history takes on disk and from when it reaches.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: "it is for the settings of an organization"},
}, func(ctx context.Context, c *Call, _ OrgIn) (Retention, error) {
	usage, err := c.Trash.Usage(ctx, c.Target.Org)
	if err != nil {
		return Retention{}, err
	}
	const day = 24 * time.Hour
	out := Retention{
		TrashDays: int(c.Trash.Keep / day), HistoryDays: int(c.Trash.History / day), HistoryBytes: usage.Bytes,
	}
	if !usage.Since.IsZero() {
		out.HistorySince = &usage.Since
	}
	return out, nil
})
