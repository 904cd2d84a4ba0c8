package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

const noWebhookTool = "people set up webhooks; agents read list_changes"

// Webhook is an address that receives the changes of a base.
type Webhook struct {
	ID            string     `json:"id"`
	Name          string     `json:"name"`
	URL           string     `json:"url"`
	Tables        []string   `json:"tables" jsonschema:"ids; empty: all, and the base itself"`
	Kinds         []string   `json:"kinds" jsonschema:"empty: all"`
	Fields        []string   `json:"fields" jsonschema:"ids; empty: all"`
	Filters       Filters    `json:"filters" jsonschema:"of records, before or after the change; empty: none"`
	IncludeValues bool       `json:"includeValues"`
	Owner         Named      `json:"owner" jsonschema:"who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks"`
	CreatedAt     time.Time  `json:"createdAt"`
	Cursor        string     `json:"cursor" jsonschema:"up to where changes were told or wait in a delivery"`
	Enabled       bool       `json:"enabled"`
	Reason        *string    `json:"disabledReason" jsonschema:"paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table)"`
	FailingSince  *time.Time `json:"failingSince"`
	NextAttempt   *time.Time `json:"nextAttemptAt" jsonschema:"when a delivery that failed is tried again"`
	OldSecret     *time.Time `json:"oldSecretUntil" jsonschema:"until when the former secret signs as well"`
}

func webhookOf(w *webhook.Webhook) Webhook {
	out := Webhook{
		ID: w.PublicID(), Name: w.Name, URL: w.URL, Tables: []string{}, Kinds: []string{}, Fields: []string{},
		IncludeValues: w.Values, Owner: Named{id.Format(id.User, w.Owner), w.OwnerName}, CreatedAt: w.CreatedAt.UTC(),
		Cursor: w.Position.String(), Enabled: w.Enabled, FailingSince: inUTC(w.FailingSince),
		NextAttempt: inUTC(w.NextAttempt), OldSecret: inUTC(w.OldSecretUntil), Filters: Filters{jsontext.Value("[]")},
	}
	if w.Filter != nil {
		out.Filters.Value = w.Filter
	}
	if w.Reason != "" {
		reason := string(w.Reason)
		out.Reason = &reason
	}
	for _, u := range w.Tables {
		out.Tables = append(out.Tables, id.Format(id.Table, u))
	}
	for _, k := range w.Kinds {
		out.Kinds = append(out.Kinds, k.Name())
	}
	for _, u := range w.Fields {
		out.Fields = append(out.Fields, id.Format(id.Field, u))
	}
	return out
}

// WebhookIn names a webhook of a base.
type WebhookIn struct {
	BaseIn
	WebhookID string `json:"webhookId"`
}

func (in WebhookIn) parse() (uuid.UUID, error) {
	u, err := id.Parse(id.Webhook, in.WebhookID)
	if err != nil {
		return u, problem.NotFound("webhook", in.WebhookID)
	}
	return u, nil
}

// parseIDs parses ids of a list that the input names.
func parseIDs(path, what string, kind id.Kind, public []string) ([]uuid.UUID, error) {
	parsed := make([]uuid.UUID, len(public))
	for i, text := range public {
		u, err := id.Parse(kind, text)
		if err != nil {
			return nil, problem.Invalid(fmt.Sprintf("%s[%d]", path, i), "no %s of this base has the id %q", what, text)
		}
		parsed[i] = u
	}
	return parsed, nil
}

func parseKinds(names []string) ([]changelog.Kind, error) {
	kinds := make([]changelog.Kind, len(names))
	for i, name := range names {
		kind, err := feed.ParseKind(fmt.Sprintf("kinds[%d]", i), name)
		if err != nil {
			return nil, err
		}
		kinds[i] = kind
	}
	return kinds, nil
}

// webhookCursor parses the position at which a webhook begins, or returns nil.
func (c *Call) webhookCursor(ctx context.Context, cursor string) (*feed.Position, error) {
	var at feed.Position
	var err error
	switch cursor {
	case "":
		return nil, nil //nolint:nilnil // by the contract above
	case "earliest":
	case "now":
		at, err = c.feed().Now(ctx, c.Target.Org)
	default:
		at, err = feed.ParsePosition("cursor", cursor)
	}
	if err != nil {
		return nil, err
	}
	now, err := c.feed().Now(ctx, c.Target.Org)
	if err != nil {
		return nil, err
	}
	if at.Compare(now) > 0 {
		at = now // the cursor is invented: the webhook would never send anything
	}
	return &at, nil
}

// WebhookList is a list of webhooks.
type WebhookList struct {
	Webhooks []Webhook `json:"webhooks"`
}

// ListWebhooks lists the webhooks of a base.
var ListWebhooks = New(Def{
	Name: "list_webhooks", Method: "GET", Path: "/bases/{baseId}/webhooks", Title: "List webhooks",
	Summary:     "List the webhooks of a base.",
	Description: "A webhook sends the changes of a base to a URL.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, _ BaseIn) (WebhookList, error) {
	found, err := c.Webhooks.List(ctx, c.Target.Org, c.Target.ID)
	out := WebhookList{Webhooks: make([]Webhook, len(found))}
	for i, w := range found {
		out.Webhooks[i] = webhookOf(w)
	}
	return out, err
})

// mayReadChanges returns an error unless the credential may read what a webhook sends.
func (c *Call) mayReadChanges() error {
	return c.Principal.RequireScope(authz.DataRead, authz.SchemaRead)
}

// CreatedWebhook is a new webhook with its secret.
type CreatedWebhook struct {
	Webhook
	Secret string `json:"secret,omitzero" jsonschema:"verifies messages; it is shown this once"`
}

// CreateWebhook makes a webhook.
var CreateWebhook = New(Def{
	Name: "create_webhook", Method: "POST", Path: "/bases/{baseId}/webhooks", Title: "Create webhook",
	Summary: "Have the changes of a base sent to a URL.",
	Description: "Messages follow Standard Webhooks 1.0: verify them with the secret, which is shown once. Changes " +
		"come at least once, and those of a record in order. Without values, read the records that changed. The " +
		"credential needs data:read and schema:read too.",
	Scope: authz.SchemaWrite, Role: organization.Admin, OpenWorld: true, Secret: true, ShownOnce: "secret",
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	URL           string   `json:"url" minLength:"1" maxLength:"2000" jsonschema:"https"`
	Name          string   `json:"name,omitzero" maxLength:"100"`
	Tables        []string `json:"tables,omitzero" maxItems:"100" jsonschema:"ids; default all, and the base itself"`
	Kinds         []string `json:"kinds,omitzero" maxItems:"7" jsonschema:"created, updated, deleted, linked, restored, schema, commented; default all"`
	Fields        []string `json:"fields,omitzero" maxItems:"500" jsonschema:"ids of fields of which updates and values are told; default all"`
	Filters       Filters  `json:"filters,omitzero" maxItems:"50"`
	IncludeValues bool     `json:"includeValues,omitzero" jsonschema:"send before and after"`
	Cursor        string   `json:"cursor,omitzero" maxLength:"100" jsonschema:"where to begin, earliest, or now; default now"`
},
) (CreatedWebhook, error) {
	var out CreatedWebhook
	if err := c.mayReadChanges(); err != nil {
		return out, err
	}
	creation := webhook.Creation{Name: in.Name, URL: in.URL}
	creation.Values, creation.Filter = in.IncludeValues, in.Filters.Value
	var err error
	if creation.Tables, err = parseIDs("tables", "table", id.Table, in.Tables); err != nil {
		return out, err
	}
	if creation.Fields, err = parseIDs("fields", "field", id.Field, in.Fields); err != nil {
		return out, err
	}
	if creation.Kinds, err = parseKinds(in.Kinds); err != nil {
		return out, err
	}
	if creation.From, err = c.webhookCursor(ctx, in.Cursor); err != nil {
		return out, err
	}
	made, secret, err := c.Webhooks.Create(ctx, c.Target.Org, c.Target.ID, creation)
	if err != nil {
		return out, err
	}
	return CreatedWebhook{webhookOf(made), secret}, nil
})

// GetWebhook returns a webhook.
var GetWebhook = New(Def{
	Name: "get_webhook", Method: "GET", Path: "/bases/{baseId}/webhooks/{webhookId}", Title: "Get webhook",
	Summary:     "Get a webhook, and whether it works.",
	Description: "It has no secret; replace a lost one with rotate_webhook_secret.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in WebhookIn) (Webhook, error) {
	u, err := in.parse()
	if err != nil {
		return Webhook{}, err
	}
	w, err := c.Webhooks.Get(ctx, c.Target.Org, c.Target.ID, u)
	if err != nil {
		return Webhook{}, err
	}
	return webhookOf(w), nil
})

// UpdateWebhook changes a webhook.
var UpdateWebhook = New(Def{
	Name: "update_webhook", Method: "PATCH", Path: "/bases/{baseId}/webhooks/{webhookId}", Title: "Update webhook",
	Summary: "Change what a webhook tells of, or enable or disable it.",
	Description: "What is not given stays. You become the owner of a webhook that you enable or of which you change " +
		"more than the name. With a cursor it goes " +
		"on from there, and what waited is dropped. The credential needs data:read and schema:read too.",
	Scope: authz.SchemaWrite, Role: organization.Admin, OpenWorld: true, Idempotent: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in struct {
	WebhookIn
	URL           *string   `json:"url,omitzero" minLength:"1" maxLength:"2000" jsonschema:"https"`
	Name          *string   `json:"name,omitzero" maxLength:"100"`
	Tables        *[]string `json:"tables,omitzero" maxItems:"100" jsonschema:"empty: all, and the base itself"`
	Kinds         *[]string `json:"kinds,omitzero" maxItems:"7" jsonschema:"empty: all"`
	Fields        *[]string `json:"fields,omitzero" maxItems:"500" jsonschema:"empty: all"`
	Filters       *Filters  `json:"filters,omitzero" maxItems:"50"`
	IncludeValues *bool     `json:"includeValues,omitzero"`
	Enabled       *bool     `json:"enabled,omitzero"`
	Cursor        string    `json:"cursor,omitzero" maxLength:"100" jsonschema:"where to go on, earliest, or now"`
},
) (Webhook, error) {
	if err := c.mayReadChanges(); err != nil {
		return Webhook{}, err
	}
	u, err := in.parse()
	if err != nil {
		return Webhook{}, err
	}
	update := webhook.Update{Name: in.Name, URL: in.URL, Values: in.IncludeValues, Enabled: in.Enabled}
	if in.Tables != nil {
		ids, err := parseIDs("tables", "table", id.Table, *in.Tables)
		if err != nil {
			return Webhook{}, err
		}
		update.Tables = &ids
	}
	if in.Fields != nil {
		ids, err := parseIDs("fields", "field", id.Field, *in.Fields)
		if err != nil {
			return Webhook{}, err
		}
		update.Fields = &ids
	}
	if in.Kinds != nil {
		kinds, err := parseKinds(*in.Kinds)
		if err != nil {
			return Webhook{}, err
		}
		update.Kinds = &kinds
	}
	if in.Filters != nil {
		update.Filter = new([]byte(in.Filters.Value))
	}
	if update.From, err = c.webhookCursor(ctx, in.Cursor); err != nil {
		return Webhook{}, err
	}
	w, err := c.Webhooks.Update(ctx, c.Target.Org, c.Target.ID, u, update)
	if err != nil {
		return Webhook{}, err
	}
	return webhookOf(w), nil
})

// DeleteWebhook removes a webhook.
var DeleteWebhook = New(Def{
	Name: "delete_webhook", Method: "DELETE", Path: "/bases/{baseId}/webhooks/{webhookId}", Title: "Delete webhook",
	Summary:     "Delete a webhook with its deliveries.",
	Description: "What waits is not sent. A message that is on its way arrives.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, Destructive: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in WebhookIn) (Deleted, error) {
	u, err := in.parse()
	if err != nil {
		return Deleted{}, err
	}
	return Deleted{in.WebhookID}, c.Webhooks.Delete(ctx, c.Target.Org, c.Target.ID, u)
})

// WebhookSecret is a new secret of a webhook.
type WebhookSecret struct {
	Secret         string    `json:"secret,omitzero" jsonschema:"it is shown this once"`
	OldSecretUntil time.Time `json:"oldSecretUntil" jsonschema:"until when messages are signed with the former secret as well"`
}

// RotateWebhookSecret replaces the secret of a webhook.
var RotateWebhookSecret = New(Def{
	Name: "rotate_webhook_secret", Method: "POST", Path: "/bases/{baseId}/webhooks/{webhookId}/secret",
	Title:       "Rotate webhook secret",
	Summary:     "Replace the secret of a webhook.",
	Description: "Messages are signed with the former secret too, for a day.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, Secret: true, ShownOnce: "secret",
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in WebhookIn) (WebhookSecret, error) {
	u, err := in.parse()
	if err != nil {
		return WebhookSecret{}, err
	}
	secret, until, err := c.Webhooks.RotateSecret(ctx, c.Target.Org, c.Target.ID, u)
	if err != nil {
		return WebhookSecret{}, err
	}
	return WebhookSecret{secret, until.UTC()}, nil
})

// WebhookDelivery is a message to a webhook, and its outcome.
type WebhookDelivery struct {
	ID           string     `json:"id" jsonschema:"webhook-id of the message"`
	State        string     `json:"state" jsonschema:"pending, delivered or failed"`
	Changes      int        `json:"changes"`
	SendAgain    bool       `json:"sendAgain" jsonschema:"it is about to be sent again"`
	Attempts     int        `json:"attempts"`
	CreatedAt    time.Time  `json:"createdAt"`
	AttemptedAt  *time.Time `json:"attemptedAt"`
	NextAttempt  *time.Time `json:"nextAttemptAt"`
	Status       *int       `json:"status" jsonschema:"of the last answer"`
	Answer       *string    `json:"answer" jsonschema:"the beginning of the last answer"`
	Failure      *string    `json:"failure" jsonschema:"why there was no answer"`
	Milliseconds *int64     `json:"milliseconds" jsonschema:"that the last attempt took"`
}

func deliveryOf(d *webhook.Delivery) WebhookDelivery {
	out := WebhookDelivery{
		ID: id.Format(id.Delivery, d.ID), State: string(d.State), Changes: d.Changes, SendAgain: d.Again,
		Attempts: d.Attempts, CreatedAt: d.CreatedAt.UTC(), AttemptedAt: inUTC(d.AttemptedAt),
		NextAttempt: inUTC(d.NextAttempt), Status: d.Status, Answer: d.Answer, Failure: d.Failure,
	}
	if d.Took != nil {
		milliseconds := d.Took.Milliseconds()
		out.Milliseconds = &milliseconds
	}
	return out
}

// WebhookDeliveryPage is a page of deliveries.
type WebhookDeliveryPage struct {
	Deliveries []WebhookDelivery `json:"deliveries"`
	NextCursor *string           `json:"nextCursor"`
}

// ListWebhookDeliveries lists the deliveries of a webhook.
var ListWebhookDeliveries = New(Def{
	Name: "list_webhook_deliveries", Method: "GET", Path: "/bases/{baseId}/webhooks/{webhookId}/deliveries",
	Title:       "List webhook deliveries",
	Summary:     "List the deliveries of a webhook, latest first.",
	Description: "The latest 1,000 are kept, for at most 30 days.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, ReadOnly: true, Idempotent: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in struct {
	WebhookIn
	State  string `json:"state,omitzero" enum:"pending,delivered,failed"`
	Cursor string `json:"cursor,omitzero" maxLength:"100"`
	Limit  int    `json:"limit,omitzero" min:"1" max:"100"`
},
) (WebhookDeliveryPage, error) {
	var out WebhookDeliveryPage
	u, err := in.parse()
	if err != nil {
		return out, err
	}
	before := uuid.Nil
	if in.Cursor != "" {
		if before, err = id.Parse(id.Delivery, in.Cursor); err != nil {
			return out, problem.Invalid("cursor", "must be the nextCursor of an earlier answer")
		}
	}
	if in.Limit == 0 {
		in.Limit = 50
	}
	found, more, err := c.Webhooks.Deliveries(ctx, c.Target.Org, c.Target.ID, u, before, webhook.State(in.State),
		in.Limit)
	if err != nil {
		return out, err
	}
	out.Deliveries = make([]WebhookDelivery, len(found))
	for i := range found {
		out.Deliveries[i] = deliveryOf(&found[i])
	}
	if more {
		out.NextCursor = &out.Deliveries[len(found)-1].ID
	}
	return out, nil
})

// SentAgain names what is sent again.
type SentAgain struct {
	ID string `json:"id"`
}

// SendWebhookDelivery sends a delivery again.
var SendWebhookDelivery = New(Def{
	Name: "send_webhook_delivery", Method: "POST", Title: "Send webhook delivery",
	Path:        "/bases/{baseId}/webhooks/{webhookId}/deliveries/{deliveryId}/send",
	Summary:     "Send a delivery again, or at once if it waits.",
	Description: "It keeps its webhook-id. See list_webhook_deliveries for the answer.",
	Scope:       authz.SchemaWrite, Role: organization.Admin, OpenWorld: true,
	Agent: Agent{NotATool: noWebhookTool},
}, func(ctx context.Context, c *Call, in struct {
	WebhookIn
	DeliveryID string `json:"deliveryId"`
},
) (SentAgain, error) {
	u, err := in.parse()
	if err != nil {
		return SentAgain{}, err
	}
	delivery, err := id.Parse(id.Delivery, in.DeliveryID)
	if err != nil {
		return SentAgain{}, problem.NotFound("delivery", in.DeliveryID)
	}
	return SentAgain{in.DeliveryID}, c.Webhooks.SendAgain(ctx, c.Target.Org, c.Target.ID, u, delivery)
})
