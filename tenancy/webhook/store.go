package webhook

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const columns = `w.id, w.base_id, w.name, w.url, w.table_ids, w.kinds, w.field_ids, w.condition, w.include_values,
	w.owner_id,
	(select p.name from rowhouse.person p where p.id = w.owner_id), w.created_at, w.position, w.enabled,
	w.disabled_reason, w.failing_since, w.next_attempt_at,
	case when w.old_secret_until > now() then w.old_secret_until end`

func scan(row pgx.Row) (*Webhook, error) {
	var w Webhook
	var kinds []int16
	var owner, reason, filter *string
	var position string
	err := row.Scan(&w.ID, &w.Base, &w.Name, &w.URL, &w.Tables, &kinds, &w.Fields, &filter, &w.Values, &w.Owner,
		&owner, &w.CreatedAt, &position, &w.Enabled, &reason, &w.FailingSince, &w.NextAttempt, &w.OldSecretUntil)
	if err != nil {
		return nil, fmt.Errorf("reading a webhook: %w", err)
	}
	w.Kinds = kindsOf(kinds)
	if owner != nil {
		w.OwnerName = *owner
	}
	if filter != nil {
		w.Filter = []byte(*filter)
	}
	if reason != nil {
		w.Reason = Reason(*reason)
	}
	if w.Position, err = feed.ParsePosition("position", position); err != nil {
		return nil, fmt.Errorf("reading the position of a webhook: %w", err)
	}
	return &w, nil
}

func kindsOf(numbers []int16) []changelog.Kind {
	var kinds []changelog.Kind
	for _, n := range numbers {
		kinds = append(kinds, changelog.Kind(n))
	}
	return kinds
}

func numbersOf(kinds []changelog.Kind) []int16 {
	var numbers []int16
	for _, k := range kinds {
		numbers = append(numbers, int16(k))
	}
	return numbers
}

func notFound(webhook uuid.UUID) error {
	return problem.NotFound("webhook", id.Format(id.Webhook, webhook))
}

// List returns the webhooks of a base, oldest first.
func (s *Store) List(ctx context.Context, org, base uuid.UUID) ([]*Webhook, error) {
	var found []*Webhook
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+" from rowhouse.webhook w where w.org_id = $1 and w.base_id = $2 order by w.id",
			org, base).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				w, err := scan(rows)
				if err != nil {
					return err
				}
				found = append(found, w)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing webhooks: %w", err)
	}
	return found, nil
}

// Get returns a webhook of a base.
func (s *Store) Get(ctx context.Context, org, base, webhook uuid.UUID) (*Webhook, error) {
	var found *Webhook
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+columns+" from rowhouse.webhook w where w.org_id = $1 and w.base_id = $2 and w.id = $3",
			org, base, webhook).QueryRow(func(row pgx.Row) (err error) {
			found, err = scan(row)
			return err
		})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, notFound(webhook)
	}
	if err != nil {
		return nil, fmt.Errorf("getting a webhook: %w", err)
	}
	return found, nil
}

// Creation describes a new webhook.
type Creation struct {
	Name, URL string
	Subscription

	From *feed.Position // to send from; nil: from now
}

// Create makes a webhook that the actor owns, and returns it with its secret, which no other call
// returns.
func (s *Store) Create(ctx context.Context, org, base uuid.UUID, c Creation) (*Webhook, string, error) {
	if err := checkName(c.Name); err != nil {
		return nil, "", err
	}
	if err := s.checkURL(c.URL); err != nil {
		return nil, "", err
	}
	snapshot, err := s.Schema.Fresh(ctx, org)
	if err != nil {
		return nil, "", fmt.Errorf("reading the schema: %w", err)
	}
	if err := c.check(snapshot, base); err != nil {
		return nil, "", err
	}
	var from feed.Position
	if c.From != nil {
		from = *c.From
	} else if from, err = s.Feed.Now(ctx, org); err != nil {
		return nil, "", err
	}
	webhook := id.New()
	secret, sealed := s.newSecret(webhook)
	inBase, inOrganization := 0, 0
	err = s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`insert into rowhouse.webhook (org_id, id, base_id, name, url, table_ids, kinds, field_ids, condition,
			include_values, secret, sealed_with, created_by, owner_id, position)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)`,
			org, webhook, base, c.Name, c.URL, orNil(c.Tables), numbersOf(c.Kinds), orNil(c.Fields),
			textOrNil(c.Filter), c.Values, sealed, s.sealedWith(), db.ActorOf(ctx).Person, from.String())
		b.Queue("select count(*) filter (where base_id = $2), count(*) from rowhouse.webhook where org_id = $1", org,
			base).QueryRow(func(row pgx.Row) error { return row.Scan(&inBase, &inOrganization) })
		audit.Record(ctx, b, org, s.event("create_webhook", base, webhook, c.Name, nil))
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		switch {
		case inBase > MaxPerBase:
			return problem.Conflict("A base has at most %d webhooks.", MaxPerBase).WithCode(problem.CodeTooManyWebhooks)
		case inOrganization > MaxPerOrganization:
			return problem.Conflict("An organization has at most %d webhooks; delete one that it no longer needs.",
				MaxPerOrganization).WithCode(problem.CodeTooManyWebhooks)
		}
		return s.announce(ctx, tx, org, &Webhook{ID: webhook, Name: c.Name}, Made)
	})
	switch {
	case pgerror.Is(err, pgerrcode.ForeignKeyViolation):
		return nil, "", problem.NotFound("base", id.Format(id.Base, base))
	case err != nil:
		return nil, "", fmt.Errorf("creating a webhook: %w", err)
	}
	s.dispatch.wake(org)
	made, err := s.Get(ctx, org, base, webhook)
	return made, secret, err
}

// announce queues a mail to each owner of the organization.
func (s *Store) announce(ctx context.Context, tx pgx.Tx, org uuid.UUID, w *Webhook, of Announced) error {
	if s.Announce == nil {
		return nil
	}
	rows, err := tx.Query(ctx, "select person_id from rowhouse.member where org_id = $1 and role = 'owner' limit 20",
		org)
	if err != nil {
		return fmt.Errorf("looking for the owners of the organization: %w", err)
	}
	owners, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("looking for the owners of the organization: %w", err)
	}
	for _, owner := range owners {
		if err := s.Announce(ctx, owner, w.shown(), of); err != nil {
			return fmt.Errorf("queueing the mail about a webhook: %w", err)
		}
	}
	return nil
}

// event describes a change for the audit log. It omits the URL, because that may contain a secret.
func (s *Store) event(action string, base, webhook uuid.UUID, name string, changed []string) *audit.Event {
	detail := map[string]any{"base": id.Format(id.Base, base)}
	if name != "" {
		detail["name"] = name
	}
	if changed != nil {
		detail["changed"] = changed
	}
	return &audit.Event{Action: action, Subject: id.Format(id.Webhook, webhook), Detail: detail}
}

// An Update says what to change of a webhook. Nil leaves a part as it is.
type Update struct {
	Name, URL *string
	// An empty list stands for all.
	Tables  *[]uuid.UUID
	Kinds   *[]changelog.Kind
	Fields  *[]uuid.UUID
	Filter  *[]byte
	Values  *bool
	Enabled *bool
	From    *feed.Position
}

// redirects reports whether the update changes what is sent, or to whom. Whoever makes such an update
// becomes the owner.
func (u *Update) redirects() bool {
	return u.URL != nil || u.Tables != nil || u.Kinds != nil || u.Fields != nil || u.Filter != nil ||
		u.Values != nil || u.From != nil
}

// Update changes a webhook. Whoever enables it, or changes more than its name, becomes its owner: the
// webhook has that person's rights, and ends with them.
func (s *Store) Update(ctx context.Context, org, base, webhook uuid.UUID, u Update) (*Webhook, error) {
	if err := s.checkUpdate(u); err != nil {
		return nil, err
	}
	snapshot, err := s.Schema.Fresh(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	err = s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		w, err := scan(tx.QueryRow(ctx, "select "+columns+` from rowhouse.webhook w
			where w.org_id = $1 and w.base_id = $2 and w.id = $3 for update`, org, base, webhook))
		if errors.Is(err, pgx.ErrNoRows) {
			return notFound(webhook)
		}
		if err != nil {
			return err
		}
		moved := u.URL != nil && *u.URL != w.URL
		changed := w.apply(u)
		if u.Tables != nil || u.Fields != nil || u.Filter != nil {
			if err := w.check(snapshot, w.Base); err != nil {
				return err
			}
		}
		b := &pgx.Batch{}
		s.queueUpdate(ctx, b, org, w, u)
		audit.Record(ctx, b, org, s.event("update_webhook", base, webhook, w.Name, changed))
		if err := tx.SendBatch(ctx, b).Close(); err != nil || !moved {
			return err
		}
		return s.announce(ctx, tx, org, w, Redirect)
	})
	if err != nil {
		return nil, fmt.Errorf("changing a webhook: %w", err)
	}
	s.dispatch.wake(org)
	return s.Get(ctx, org, base, webhook)
}

func (s *Store) checkUpdate(u Update) error {
	if u.Name != nil {
		if err := checkName(*u.Name); err != nil {
			return err
		}
	}
	if u.URL != nil {
		return s.checkURL(*u.URL)
	}
	return nil
}

func (s *Store) queueUpdate(ctx context.Context, b *pgx.Batch, org uuid.UUID, w *Webhook, u Update) {
	resume := u.Enabled != nil && *u.Enabled
	var reason *Reason
	if !w.Enabled {
		reason = &w.Reason
	}
	b.Queue(`update rowhouse.webhook set name = $3, url = $4, table_ids = $5, kinds = $6, field_ids = $7,
		include_values = $8, enabled = $9, disabled_reason = $10, position = $11, condition = $14, notice_due = false,
		owner_id = case when $15 then $13 else owner_id end,
		failing_since = case when $12 then null else failing_since end,
		next_attempt_at = case when $12 then null else next_attempt_at end
		where org_id = $1 and id = $2`,
		org, w.ID, w.Name, w.URL, w.Tables, numbersOf(w.Kinds), w.Fields, w.Values, w.Enabled, reason,
		w.Position.String(), resume, db.ActorOf(ctx).Person, textOrNil(w.Filter), resume || u.redirects())
	if u.From != nil { // what waits is left out, or sent again from there
		b.Queue(`update rowhouse.webhook_delivery set state = 'failed', next_attempt_at = null
			where org_id = $1 and webhook_id = $2 and state = 'pending'`, org, w.ID)
	}
	if resume {
		b.Queue(`update rowhouse.webhook_delivery set attempts = 0, next_attempt_at = null
			where org_id = $1 and webhook_id = $2 and state = 'pending'`, org, w.ID)
	}
}

// apply changes w and names what it has changed.
func (w *Webhook) apply(u Update) (changed []string) {
	changed = []string{}
	if u.Name != nil {
		w.Name, changed = *u.Name, append(changed, "name")
	}
	if u.URL != nil {
		w.URL, changed = *u.URL, append(changed, "url")
	}
	if u.Tables != nil {
		w.Tables, changed = orNil(*u.Tables), append(changed, "tables")
	}
	if u.Kinds != nil {
		w.Kinds, changed = *u.Kinds, append(changed, "kinds")
	}
	if u.Fields != nil {
		w.Fields, changed = orNil(*u.Fields), append(changed, "fields")
	}
	if u.Filter != nil {
		w.Filter, changed = *u.Filter, append(changed, "filters")
	}
	if u.Values != nil {
		w.Values, changed = *u.Values, append(changed, "includeValues")
	}
	if u.From != nil {
		w.Position, changed = *u.From, append(changed, "cursor")
	}
	if u.Enabled != nil {
		if w.Enabled, changed = *u.Enabled, append(changed, "enabled"); !w.Enabled {
			w.Reason = Paused
		}
	}
	return changed
}

func orNil(ids []uuid.UUID) []uuid.UUID {
	if len(ids) == 0 {
		return nil
	}
	return ids
}

func textOrNil(text []byte) *string {
	if len(text) == 0 {
		return nil
	}
	out := string(text)
	return &out
}

// Delete removes a webhook with its deliveries.
func (s *Store) Delete(ctx context.Context, org, base, webhook uuid.UUID) error {
	err := s.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "delete from rowhouse.webhook where org_id = $1 and base_id = $2 and id = $3",
			org, base, webhook)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return notFound(webhook)
		}
		return audit.RecordTx(ctx, tx, org, s.event("delete_webhook", base, webhook, "", nil))
	})
	if err != nil {
		return fmt.Errorf("deleting a webhook: %w", err)
	}
	return nil
}
