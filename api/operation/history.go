package operation

import (
	"context"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// HistoryPaging selects a page of a history.
type HistoryPaging struct {
	Limit  *int   `json:"limit,omitzero"  min:"1" max:"100" default:"100"`
	Cursor string `json:"cursor,omitzero"`
}

func (p *HistoryPaging) limit() int {
	if p.Limit == nil {
		return history.MaxPage
	}
	return *p.Limit
}

// HistoryDetail selects the detail of each change.
type HistoryDetail struct {
	Detail string `json:"detail,omitzero" enum:"short,full" jsonschema:"full: with ids and whole values; default short"`
}

const detailFull = "full"

// RecordHistory is a page of the changes of a record.
type RecordHistory struct {
	history.RecordPage
	short [][]byte // the entries in short form, unless the full ones are requested
}

// AppendJSON writes the page with the requested detail.
func (h RecordHistory) AppendJSON(dst []byte) []byte {
	if h.short == nil {
		return h.RecordPage.AppendJSON(dst)
	}
	return h.AppendWith(dst, func(dst []byte, i int) []byte { return append(dst, h.short[i]...) })
}

// JSONSchema describes what AppendJSON writes.
func (RecordHistory) JSONSchema() *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	object := func(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Required: required, Properties: properties}
	}
	person := object([]string{"id", "name"}, map[string]*jsonschema.Schema{
		"id": text, "name": {Types: []string{"string", "null"}},
	})
	person.Type, person.Types = "", []string{"object", "null"}
	change := object([]string{"field", "from", "to"}, map[string]*jsonschema.Schema{
		"field": object([]string{"id", "name"}, map[string]*jsonschema.Schema{"id": text, "name": text}),
		"from":  {}, "to": {},
	})
	kind := &jsonschema.Schema{
		Type: "string", Enum: []any{"created", "updated", "deleted", "linked", "restored"},
	}
	state := &jsonschema.Schema{Types: []string{"object", "null"}}
	full := object(
		[]string{"version", "time", "changeSet", "request", "person", "credential", "kind", "changes"},
		map[string]*jsonschema.Schema{
			"version": {Type: "integer"}, "time": text, "changeSet": text, "request": text, "person": person,
			"credential": text, "kind": kind, "changes": {Type: "array", Items: change}, "state": state,
		},
	)
	short := object([]string{"time", "kind", "changes"}, map[string]*jsonschema.Schema{
		"time": text, "person": text, "credential": text, "kind": kind, "state": state,
		"changes": {
			Type: "object", Description: "short: [from, to] by field, long values cut",
			AdditionalProperties: &jsonschema.Schema{Type: "array"},
		},
		"more": {Type: "integer", Description: "how many further fields were changed"},
	})
	return object([]string{"entries", "complete", "nextCursor"}, map[string]*jsonschema.Schema{
		"entries": {
			Type: "array", Items: eitherOf(part("RecordChange", full), part("ShortRecordChange", short)),
		},
		"complete":   {Type: "boolean"},
		"nextCursor": {Types: []string{"string", "null"}},
	})
}

// GetRecordHistory lists the changes of a record.
var GetRecordHistory = New(Def{
	Name: "get_record_history", Method: "GET", Path: "/records/{recordId}/history", Title: "Record history",
	Summary: "List the changes of one record, even a deleted one, newest first.",
	Description: "Returns who changed which fields from what to what, when and with which key or app. " +
		"revert_changes takes the time. list_change_sets tells of a whole base.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{List: ListCommon},
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	HistoryPaging
	HistoryDetail
	State bool `json:"state,omitzero" jsonschema:"with all fields after each change"`
},
) (RecordHistory, error) {
	page, err := history.OfRecord(ctx, c.DB, c.Records, c.Target.Org, in.RecordID,
		history.RecordRequest{Limit: in.limit(), Cursor: in.Cursor, State: in.State})
	if err != nil || in.Detail == detailFull {
		return RecordHistory{RecordPage: page}, err
	}
	short, err := c.shortHistory(ctx, page.Entries)
	return RecordHistory{page, short}, err
})

// RestoreRecordVersion restores an earlier version of a record.
var RestoreRecordVersion = New(Def{
	Name: "restore_record_version", Method: "POST", Path: "/records/{recordId}/restore",
	Title:   "Restore record version",
	Summary: "Set one record's stored fields and links to what they were at a moment or a version.",
	Description: "It takes back what anybody has changed in the record since, as a new change set. With dryRun, says " +
		"what would change. Returns each change and notes on what does not come back. revert_changes takes back " +
		"change sets; restore what was deleted.",
	Whole: ChangesAll,
	Scope: authz.DataWrite, Idempotent: true, Destructive: true, Versioned: true,
}, func(ctx context.Context, c *Call, in struct {
	RecordIn
	AsOf    string `json:"asOf,omitzero" maxLength:"100" jsonschema:"RFC 3339 moment, or a change set: before it"`
	Version *int64 `json:"version,omitzero" min:"1" jsonschema:"of the record, as get_record_history has it"`
	DryRun  bool   `json:"dryRun,omitzero" jsonschema:"answer the plan alone"`
},
) (revert.VersionPlan, error) {
	if (in.AsOf == "") == (in.Version == nil) {
		return revert.VersionPlan{}, problem.Invalid("asOf", "or version is required, one of both")
	}
	demanded, err := c.demandedVersion(ctx, in.RecordID)
	if err != nil {
		return revert.VersionPlan{}, err
	}
	request := revert.VersionRequest{Record: in.RecordID, Demanded: demanded, DryRun: in.DryRun}
	if in.Version != nil {
		request.Moment, err = c.Records.MomentOf(ctx, c.Target.Org, *in.Version)
	} else {
		request.Moment, err = c.Records.Moment(ctx, c.Target.Org, in.AsOf)
	}
	if err != nil {
		return revert.VersionPlan{}, err
	}
	plan, err := revert.New(c.DB, c.Records).RestoreVersion(ctx, c.actor(), c.Target.Table.ID, request)
	if err != nil {
		return plan, err
	}
	c.unwritten, c.version = len(plan.Changes) == 0 && !plan.Restored, &plan.Version
	return plan, nil
})

// ChangePerson is the person who made a change.
type ChangePerson struct {
	ID   string  `json:"id"`
	Name *string `json:"name"` // null for a former member
}

// ChangeCredential is the credential with which a change was made.
type ChangeCredential struct {
	ID   string `json:"id"`
	Kind string `json:"kind,omitempty"` // api_key, oauth, session or form
	Name string `json:"name,omitempty"`
}

// ChangedTable counts the records of a table that a change set changed.
type ChangedTable struct {
	ID       string `json:"id"`
	Name     string `json:"name"` // "" without schema:read
	InTrash  bool   `json:"inTrash,omitzero"`
	Created  int64  `json:"created"`
	Updated  int64  `json:"updated"`
	Deleted  int64  `json:"deleted"`
	Restored int64  `json:"restored"`
	Linked   int64  `json:"linked"`
}

// ChangedObject is a change of the base, a table, a field or a view.
type ChangedObject struct {
	Object  string   `json:"object"           jsonschema:"base, table, field, view, column or record"`
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Does    string   `json:"does"             jsonschema:"created, updated, deleted, restored or purged"`
	Changed []string `json:"changed,omitzero" jsonschema:"properties"`
}

// ChangeSet is a group of changes that belong together.
type ChangeSet struct {
	ID         string            `json:"id"`
	Name       *string           `json:"name"`
	FirstTime  time.Time         `json:"firstTime"`
	LastTime   time.Time         `json:"lastTime"`
	Person     *ChangePerson     `json:"person"`     // null for the service itself
	Credential *ChangeCredential `json:"credential"` // null for the service itself
	Tables     []ChangedTable    `json:"tables"`

	Schema      []ChangedObject `json:"schema"      jsonschema:"the first 20"`
	SchemaCount int             `json:"schemaCount"`

	Reverts    []string `json:"reverts"`    // the change sets that this one reverted
	RevertedBy []string `json:"revertedBy"` // the change sets that reverted it
}

// ChangeSetList is a page of change sets.
type ChangeSetList struct {
	ChangeSets []ChangeSet `json:"changeSets"`
	NextCursor *string     `json:"nextCursor"`
	short      bool
}

// AppendJSON writes the page with the requested detail.
func (l ChangeSetList) AppendJSON(dst []byte) []byte {
	if l.short {
		return appendValue(dst, shortList(&l))
	}
	return appendValue(dst, struct {
		ChangeSets []ChangeSet `json:"changeSets"`
		NextCursor *string     `json:"nextCursor"`
	}{l.ChangeSets, l.NextCursor})
}

// JSONSchema describes what AppendJSON writes.
func (ChangeSetList) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Required: []string{"changeSets", "nextCursor"}, Properties: map[string]*jsonschema.Schema{
			"changeSets": {Type: "array", Items: eitherOf(
				outputSchema[ChangeSet]("list_change_sets"), outputSchema[ShortChangeSet]("list_change_sets"))},
			"nextCursor": {Types: []string{"string", "null"}},
		},
	}
}

// ListChangeSets lists the recent changes of a base.
var ListChangeSets = New(Def{
	Name: "list_change_sets", Method: "GET", Path: "/bases/{baseId}/change-sets", Title: "Recent changes",
	Summary: "List what was changed in a base, newest first.",
	Description: "Returns for each change set who, when, with which key or app, and what: how many records of which " +
		"tables, which fields and views. revert_changes takes the time. list_changes has every value.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"until": {}},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	HistoryPaging
	HistoryDetail
	Person     string `json:"person,omitzero"`
	Credential string `json:"credential,omitzero" maxLength:"100"`
	Table      string `json:"table,omitzero"`
	Since      string `json:"since,omitzero"`
	Until      string `json:"until,omitzero" jsonschema:"RFC 3339"`
},
) (ChangeSetList, error) {
	if _, err := c.Schema.Fresh(ctx, c.Target.Org); err != nil { // so that a new table is among those of the base
		return ChangeSetList{}, err
	}
	request := history.BaseRequest{
		Limit: in.limit(), Cursor: in.Cursor, Credential: in.Credential, By: c.viewer(),
		Nameless: !c.namesSchema(),
	}
	var err error
	if request.Since, err = parseTime("since", in.Since); err != nil {
		return ChangeSetList{}, err
	}
	if request.Until, err = parseTime("until", in.Until); err != nil {
		return ChangeSetList{}, err
	}
	if in.Person != "" {
		if request.Person, err = id.Parse(id.User, in.Person); err != nil {
			return ChangeSetList{}, problem.Invalid("person", "must be a user id, from list_members")
		}
	}
	if in.Table != "" {
		if request.Table, err = id.Parse(id.Table, in.Table); err != nil || request.Table == uuid.Nil {
			return ChangeSetList{}, problem.Invalid("table", "no table of this base has the id %q", in.Table)
		}
	}
	var page history.BasePage
	err = c.Records.OnSchema(ctx, c.Target.Org, func(s *schema.Snapshot) (err error) {
		page, err = history.OfBase(ctx, c.DB, s, c.Target.Base, request)
		return err
	})
	if err != nil {
		return ChangeSetList{}, err
	}
	list, err := c.changeSetList(ctx, page)
	list.short = in.Detail != detailFull
	return list, err
})

func (c *Call) changeSetList(ctx context.Context, page history.BasePage) (ChangeSetList, error) {
	credentials := make([]string, len(page.Sets))
	for i := range page.Sets {
		credentials[i] = page.Sets[i].Credential
	}
	names, err := history.CredentialNames(ctx, c.DB, c.viewer(), credentials)
	if err != nil {
		return ChangeSetList{}, err
	}
	list := ChangeSetList{ChangeSets: make([]ChangeSet, len(page.Sets))}
	for i := range page.Sets {
		list.ChangeSets[i] = c.changeSetOf(&page.Sets[i], names)
	}
	if page.Cursor != "" {
		list.NextCursor = &page.Cursor
	}
	return list, nil
}

func (c *Call) changeSetOf(s *history.ChangeSet, credentials map[string]string) ChangeSet {
	out := ChangeSet{
		ID: id.Format(id.ChangeSet, s.ID), Name: s.Name, FirstTime: s.First, LastTime: s.Last,
		Tables: make([]ChangedTable, len(s.Tables)), Reverts: changeSetIDs(s.Reverts),
		RevertedBy: changeSetIDs(s.RevertedBy),
	}
	if s.Person != nil {
		out.Person = &ChangePerson{id.Format(id.User, *s.Person), s.PersonName}
	}
	if s.Credential != "" {
		out.Credential = &ChangeCredential{s.Credential, credentialKind(s.Credential), credentials[s.Credential]}
	}
	for i, t := range s.Tables {
		out.Tables[i] = ChangedTable{
			t.Table.PublicID(),
			c.schemaName(t.Table.Name),
			t.InTrash,
			t.Created,
			t.Updated,
			t.Deleted,
			t.Restored,
			t.Linked,
		}
	}
	out.Schema, out.SchemaCount = make([]ChangedObject, len(s.Objects)), s.ObjectCount
	for i := range s.Objects {
		o := &s.Objects[i]
		out.Schema[i] = ChangedObject{o.Object, o.ID, o.Name, o.Does, o.Changed}
	}
	return out
}

func changeSetIDs(sets []uuid.UUID) []string {
	ids := make([]string, len(sets))
	for i, set := range sets {
		ids[i] = id.Format(id.ChangeSet, set)
	}
	return ids
}

// credentialKind returns the kind of a credential by its public id, or "".
func credentialKind(public string) string {
	switch id.KindOf(public) { //nolint:exhaustive // the credentials
	case id.Key:
		return string(authz.APIKey)
	case id.Grant:
		return string(authz.OAuth)
	case id.Session:
		return string(authz.Session)
	case id.View: // of those who answer a public form, who have none
		return "form"
	}
	return ""
}
