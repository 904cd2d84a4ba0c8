package operation

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// AuditEvent is one change in the audit log.
type AuditEvent struct {
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	UserID   *string   `json:"userId"`   // null for the service itself
	UserName *string   `json:"userName"` // null for a former member
	// One of api_key, oauth and session; absent for the service itself.
	CredentialKind string      `json:"credentialKind,omitempty"`
	CredentialID   string      `json:"credentialId,omitempty"`
	RequestID      string      `json:"requestId,omitempty"`
	Action         string      `json:"action"`
	Subject        string      `json:"subject"`
	Detail         EventDetail `json:"detail"`
	ChangeSet      string      `json:"changeSet,omitempty"` // the group of changes that it belongs to
}

// EventDetail is an object whose members depend on the action.
type EventDetail struct{ jsontext.Value }

// JSONSchema returns the schema of any object.
func (EventDetail) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

func auditEvent(e audit.Entry) AuditEvent {
	out := AuditEvent{
		ID:             id.Format(id.Event, e.ID),
		Time:           e.At,
		UserName:       e.Name,
		CredentialKind: e.CredentialKind,
		CredentialID:   e.Credential,
		RequestID:      e.Request,
		Action:         e.Action,
		Subject:        e.Subject,
		Detail:         EventDetail{jsontext.Value(e.Detail)},
	}
	if e.ChangeSet != nil {
		out.ChangeSet = id.Format(id.ChangeSet, *e.ChangeSet)
	}
	if e.Person != nil {
		user := id.Format(id.User, *e.Person)
		out.UserID = &user
	}
	return out
}

// ListAuditEvents lists the changes in an organization, newest first.
var ListAuditEvents = New(Def{
	Name: "list_audit_events", Method: "GET", Path: "/orgs/{orgId}/audit", Title: "Audit log",
	Summary: "List who changed schemas, shares, members and credentials, newest first.",
	Description: "Also bulk writes. For changes of records, use list_change_sets or get_record_history. Returns " +
		"events, and a cursor for more.",
	Scope: authz.MembersManage, ReadOnly: true, Idempotent: true,
	Agent: Agent{Arguments: Arguments{"until": {}}},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	UserID  string `json:"userId,omitzero"`
	Action  string `json:"action,omitzero"`
	Subject string `json:"subject,omitzero"`
	Since   string `json:"since,omitzero"`
	Until   string `json:"until,omitzero" jsonschema:"RFC 3339"`
	Cursor  string `json:"cursor,omitzero"`
	Limit   int    `json:"limit,omitzero" min:"1" max:"100"`
}) (struct {
	Events     []AuditEvent `json:"events"`
	NextCursor *string      `json:"nextCursor"`
}, error,
) {
	var out struct {
		Events     []AuditEvent `json:"events"`
		NextCursor *string      `json:"nextCursor"`
	}
	filter := audit.Filter{Action: in.Action, Subject: in.Subject, Limit: in.Limit}
	if filter.Limit == 0 {
		filter.Limit = 100
	}
	var err error
	if filter.Since, err = parseTime("since", in.Since); err != nil {
		return out, err
	}
	if filter.Until, err = parseTime("until", in.Until); err != nil {
		return out, err
	}
	if in.UserID != "" {
		if filter.Person, err = id.Parse(id.User, in.UserID); err != nil {
			return out, problem.Invalid("userId", "must be a user id, from list_members")
		}
	}
	if in.Cursor != "" {
		if filter.Before, err = id.Parse(id.Event, in.Cursor); err != nil {
			return out, problem.Invalid("cursor", "must be the nextCursor of an earlier page")
		}
	}
	events, err := audit.List(ctx, c.DB, c.Target.Org, filter)
	if err != nil {
		return out, err
	}
	for _, e := range events {
		out.Events = append(out.Events, auditEvent(e))
	}
	if len(events) == filter.Limit {
		last := out.Events[len(out.Events)-1].ID
		out.NextCursor = &last
	}
	return out, nil
})

// parseTime parses an RFC 3339 time; "" gives the zero time.
func parseTime(path, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, problem.Invalid(path, "must be an RFC 3339 time, such as 2026-05-01T12:00:00Z")
	}
	return t, nil
}
