package operation

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// AuditEvent is one change, as the audit log tells it.
type AuditEvent struct {
	ID             string         `json:"id"`
	Time           time.Time      `json:"time"`
	UserID         *string        `json:"userId" jsonschema:"who did it, or null when the service itself did"`
	UserName       *string        `json:"userName" jsonschema:"null when the person is no longer a member"`
	CredentialKind string         `json:"credentialKind" jsonschema:"api_key, oauth or session; empty when the service itself did it"`
	CredentialID   string         `json:"credentialId" jsonschema:"the key, grant or session it was done with"`
	RequestID      string         `json:"requestId" jsonschema:"the X-Request-Id of the request"`
	Action         string         `json:"action" jsonschema:"the name of the operation, as create_table; or as create_api_key, sign_in"`
	Subject        string         `json:"subject" jsonschema:"the id of what was changed"`
	Detail         jsontext.Value `json:"detail" jsonschema:"what was asked for, or what was changed"`
}

func auditEvent(e tenancy.Recorded) AuditEvent {
	out := AuditEvent{
		ID: id.Format(id.Event, e.ID), Time: e.At, UserName: e.Name, CredentialKind: e.CredentialKind, CredentialID: e.Credential,
		RequestID: e.Request, Action: e.Action, Subject: e.Subject, Detail: jsontext.Value(e.Detail),
	}
	if e.Person != nil {
		user := id.Format(id.User, *e.Person)
		out.UserID = &user
	}
	return out
}

// ListAuditEvents lists what was changed in an organization.
var ListAuditEvents = New(Def{
	Name: "list_audit_events", Method: "GET", Path: "/orgs/{orgId}/audit", Title: "List audit events",
	Summary:     "Who changed what in an organization, newest first.",
	Description: "Holds every change of schemas, shares, members, keys, grants and sessions, and every write of several records at once. Give nextCursor as cursor for the page after.",
	Scope:       authz.MembersManage, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	UserID  string `json:"userId,omitzero" jsonschema:"only what this person did"`
	Action  string `json:"action,omitzero" maxLength:"100" jsonschema:"only this action, as delete_table"`
	Subject string `json:"subject,omitzero" maxLength:"100" jsonschema:"only what was done to this id"`
	Since   string `json:"since,omitzero" jsonschema:"from this moment on, RFC 3339"`
	Until   string `json:"until,omitzero" jsonschema:"before this moment, RFC 3339"`
	Cursor  string `json:"cursor,omitzero" jsonschema:"nextCursor of the page before"`
	Limit   int    `json:"limit,omitzero" min:"1" max:"100" jsonschema:"default 100"`
}) (struct {
	Events     []AuditEvent `json:"events"`
	NextCursor *string      `json:"nextCursor" jsonschema:"null on the last page"`
}, error) {
	var out struct {
		Events     []AuditEvent `json:"events"`
		NextCursor *string      `json:"nextCursor" jsonschema:"null on the last page"`
	}
	filter := tenancy.EventFilter{Action: in.Action, Subject: in.Subject, Limit: in.Limit}
	if filter.Limit == 0 {
		filter.Limit = 100
	}
	var err error
	if filter.Since, err = moment("since", in.Since); err != nil {
		return out, err
	}
	if filter.Until, err = moment("until", in.Until); err != nil {
		return out, err
	}
	if in.UserID != "" {
		if filter.Person, err = id.Parse(id.User, in.UserID); err != nil {
			return out, tenancy.Invalid("userId", "must be a user id, from list_members")
		}
	}
	if in.Cursor != "" {
		if filter.Before, err = id.Parse(id.Event, in.Cursor); err != nil {
			return out, tenancy.Invalid("cursor", "must be nextCursor of an earlier page")
		}
	}
	found, err := c.DB.ListEvents(ctx, c.Target.Org, filter)
	if err != nil {
		return out, err
	}
	for _, e := range found {
		out.Events = append(out.Events, auditEvent(e))
	}
	if len(found) == filter.Limit {
		last := out.Events[len(out.Events)-1].ID
		out.NextCursor = &last
	}
	return out, nil
})

// moment reads a time; "" is the zero one.
func moment(path, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, tenancy.Invalid(path, "must be a moment in the form of RFC 3339, as 2026-05-01T12:00:00Z")
	}
	return t, nil
}
