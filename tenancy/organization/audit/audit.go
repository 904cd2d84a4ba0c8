// Package audit writes and reads the audit log. Every transaction that changes something records
// its event in the same transaction.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// An Event is the audit log's record of one change.
type Event struct {
	Action  string // name of the operation, or of what was done in the same form
	Subject string // public id of what was changed
	// Step marks an event after which the request goes on in another transaction.
	Step bool
	// Detail is encoded as JSON. It describes the change by public ids and names and contains no
	// secret and no cell value. Nil stands for the actor's Input.
	Detail any
}

// maxDetail bounds the detail of one event, in bytes.
const maxDetail = 16 << 10

// eventDetail returns the event's own detail, or the actor's input.
func eventDetail(a *db.Actor, event *Event) any {
	if event.Detail != nil {
		return bounded(event.Detail)
	}
	switch {
	case len(a.Input) == 0:
		return json.RawMessage("{}")
	case len(a.Input) > maxDetail, jsonvalue.JSONBSize(a.Input) > maxDetail:
		return map[string]int{"omittedBytes": len(a.Input)}
	}
	return a.Input
}

// bounded returns a detail, or what fits of one that is too large: its members that are not large
// themselves, and how many bytes are left out.
func bounded(detail any) any {
	encoded, err := json.Marshal(detail)
	if err != nil || len(encoded) <= maxDetail {
		return detail // the insertion reports an error
	}
	kept := map[string]json.RawMessage{}
	if json.Unmarshal(encoded, &kept) != nil {
		kept = map[string]json.RawMessage{}
	}
	left := maxDetail
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if size := len(name) + len(kept[name]); size > maxDetail/16 || size > left {
			delete(kept, name)
		} else {
			left -= size
		}
	}
	omitted := len(encoded)
	for name, value := range kept {
		omitted -= len(name) + len(value)
	}
	kept["omittedBytes"] = strconv.AppendInt(nil, int64(omitted), 10)
	return kept
}

const (
	intoEvents = `insert into rowhouse.audit_event
	(org_id, id, person_id, credential_kind, credential, request, action, subject, detail, change_set) `
	insertEvent = intoEvents + `values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
)

// Record adds to a batch the event, unless it is nil, and marks the actor's idempotent request as
// done, and its plan and the person's answer as used. Every transaction that changes something calls
// Record or RecordTx once.
func Record(ctx context.Context, b *pgx.Batch, org uuid.UUID, event *Event) {
	a := db.ActorOf(ctx)
	if event != nil && !a.Quiet {
		b.Queue(insertEvent, org, id.New(), orNull(a.Person), a.Kind, a.Credential, a.Request, event.Action,
			event.Subject, eventDetail(&a, event), orNull(a.ChangeSet))
	}
	if event != nil && event.Step {
		return
	}
	if a.Attempt != uuid.Nil {
		b.Queue("select gate.complete_request($1)", a.Attempt)
	}
	if a.Plan != nil {
		b.Queue("select gate.use_plan($1, $2, $3)", org, a.Plan.Token, a.Plan.Expires)
	}
	if a.Confirmation != nil {
		b.Queue("select gate.use_plan($1, $2, $3)", org, a.Confirmation.Token, a.Confirmation.Expires)
	}
	if a.Step != nil {
		a.Step(b)
	}
}

// RecordHourly adds an event of the actor to a batch unless the log has the same one from less than an hour ago. It is
// for what is no change and may be done often.
func RecordHourly(ctx context.Context, b *pgx.Batch, org uuid.UUID, event *Event) {
	a := db.ActorOf(ctx)
	b.Queue(intoEvents+`select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 where not exists (
			select from rowhouse.audit_event e where e.org_id = $1 and e.id > $11 and e.person_id = $3 and e.action = $7
				and e.subject = $8 and e.detail = $9::jsonb)`,
		org, id.New(), orNull(a.Person), a.Kind, a.Credential, a.Request, event.Action, event.Subject,
		eventDetail(&a, event), orNull(a.ChangeSet), id.Before(time.Now().Add(-time.Hour)))
}

// Needed reports whether Record would add a statement for the event, which may be nil. Transactions
// that need none do not depend on the actor.
func Needed(ctx context.Context, event *Event) bool {
	a := db.ActorOf(ctx)
	return event != nil || a.Attempt != uuid.Nil || a.Plan != nil || a.Confirmation != nil ||
		a.Step != nil
}

// RecordTx is Record for a transaction that sends its statements one by one.
func RecordTx(ctx context.Context, tx pgx.Tx, org uuid.UUID, event *Event) error {
	batch := &pgx.Batch{}
	Record(ctx, batch, org, event)
	if batch.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("recording the change: %w", err)
	}
	return nil
}

// RecordPerson adds an event about a person to a batch of the system role: to the log of one
// organization, or with uuid.Nil to the log of every organization of the person. It serves keys,
// grants and sessions, which exist before an organization is known.
func RecordPerson(ctx context.Context, b *pgx.Batch, person, org uuid.UUID, event *Event) {
	a := db.ActorOf(ctx)
	if a.Person == uuid.Nil {
		a.Person = person
	}
	b.Queue(`insert into rowhouse.audit_event (org_id, id, person_id, credential_kind, credential, request, action,
		subject, detail)
		select m.org_id, $3, $4, $5, $6, $7, $8, $9, $10 from rowhouse.member m
		where m.person_id = $1 and ($2::uuid is null or m.org_id = $2)`,
		person, orNull(org), id.New(), a.Person, a.Kind, a.Credential, a.Request, event.Action, event.Subject,
		eventDetail(&a, event))
}

// RecordCredential adds an event about a credential to a batch of the system role, to the log of
// every organization that it reaches. from is a constant query, over args, for the columns
// person_id and only_org. If it returns no row, nothing is recorded.
func RecordCredential(ctx context.Context, b *pgx.Batch, event *Event, from string, args ...any) {
	a, n := db.ActorOf(ctx), len(args)
	b.Queue(fmt.Sprintf(`insert into rowhouse.audit_event (org_id, id, person_id, credential_kind, credential, request,
		action, subject, detail)
		select m.org_id, $%d, coalesce($%d, c.person_id), $%d, $%d, $%d, $%d, $%d, $%d
		from (%s) c join rowhouse.member m on m.person_id = c.person_id
		and (c.only_org is null or m.org_id = c.only_org)`,
		n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, from),
		append(slices.Clone(args), id.New(), orNull(a.Person), a.Kind, a.Credential, a.Request, event.Action,
			event.Subject, eventDetail(&a, event))...)
}

// RecordPersonTx is RecordPerson for a transaction that sends its statements one by one.
func RecordPersonTx(ctx context.Context, tx pgx.Tx, person, org uuid.UUID, event *Event) error {
	batch := &pgx.Batch{}
	RecordPerson(ctx, batch, person, org, event)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("recording the change: %w", err)
	}
	return nil
}

func orNull(u uuid.UUID) *uuid.UUID {
	if u == uuid.Nil {
		return nil
	}
	return &u
}

// An Entry is an event as the log returns it.
type Entry struct {
	ID             uuid.UUID
	At             time.Time
	Person         *uuid.UUID // nil: the service itself
	Name           *string    // of the person, while it is a member
	CredentialKind string
	Credential     string
	Request        string
	Action         string
	Subject        string
	Detail         json.RawMessage
	ChangeSet      *uuid.UUID // in the log of changes; nil for what is not in it
}

// A Filter selects events; a zero member selects all.
type Filter struct {
	Person  uuid.UUID
	Action  string
	Subject string
	Since   time.Time // inclusive
	Until   time.Time // exclusive
	Before  uuid.UUID // the last event of the previous page
	Limit   int       // 1 to 100
}

// List returns the organization's events that the filter selects, newest first.
func List(ctx context.Context, tenantDB *db.DB, org uuid.UUID, filter Filter) ([]Entry, error) {
	var since, until *time.Time
	if !filter.Since.IsZero() {
		since = &filter.Since
	}
	if !filter.Until.IsZero() {
		until = &filter.Until
	}
	var events []Entry
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select e.id, e.at, e.person_id as person, p.name, e.credential_kind, e.credential, e.request, e.action,
			e.subject, e.detail, e.change_set
			from rowhouse.audit_event e left join rowhouse.person p on p.id = e.person_id
			where e.org_id = $1 and ($2::uuid is null or e.person_id = $2) and ($3 = '' or e.action = $3)
				and ($4 = '' or e.subject = $4)
				and ($5::timestamptz is null or e.at >= $5) and ($6::timestamptz is null or e.at < $6)
				and ($7::uuid is null or e.id < $7)
			order by e.id desc limit $8`,
			org, orNull(filter.Person), filter.Action, filter.Subject, since, until, orNull(filter.Before),
			filter.Limit).
			Query(func(rows pgx.Rows) error {
				var err error
				events, err = pgx.CollectRows(rows, pgx.RowToStructByName[Entry])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	return events, nil
}
