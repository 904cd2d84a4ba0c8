package attacktest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// word begins everything that the victim's people wrote. It occurs nowhere else in a database.
const word = "Quokka"

// Numbers of records that no object identifier of PostgreSQL has, so that they mean what they say
// wherever an answer contains them.
const (
	victimRecords = 4858
	victimOthers  = 53
	ownRecords    = 7
)

// An Organization is one of the two: the attacker's or the victim's.
type Organization struct {
	ID, Owner, Base        uuid.UUID
	Key                    string // of the organization, in hexadecimal; empty if organizations have no keys
	Table, Other           *schema.Table
	Link                   int32
	Record, Attempt        uuid.UUID
	Share, APIKey, Session string
}

// Schema is the PostgreSQL schema of the organization's records.
func (o *Organization) Schema() string { return organization.SchemaName(o.ID) }

// A builder makes the two organizations as the product does.
type builder struct {
	db     *db.DB
	store  *catalog.Store
	engine *record.Engine
}

func (b *builder) organization(ctx context.Context, prefix string, records, others int) (*Organization, error) {
	o := &Organization{Owner: id.New(), Attempt: uuid.New()}
	if err := b.people(ctx, o, prefix); err != nil {
		return nil, fmt.Errorf("making people: %w", err)
	}
	made, err := organization.Create(ctx, b.db, o.Owner, prefix+" Organization")
	if err != nil {
		return nil, fmt.Errorf("making an organization: %w", err)
	}
	o.ID = made.ID
	if err := b.tables(ctx, o, prefix); err != nil {
		return nil, fmt.Errorf("making tables: %w", err)
	}
	if err := b.records(ctx, o, o.Table, prefix, records); err != nil {
		return nil, fmt.Errorf("making records: %w", err)
	}
	if err := b.records(ctx, o, o.Other, prefix+" other", others); err != nil {
		return nil, fmt.Errorf("making linked records: %w", err)
	}
	if err := b.links(ctx, o, others); err != nil {
		return nil, fmt.Errorf("making links: %w", err)
	}
	if err := b.belongings(ctx, o, prefix); err != nil {
		return nil, fmt.Errorf("making what else an organization has: %w", err)
	}
	if err := b.credentials(ctx, o, prefix); err != nil {
		return nil, fmt.Errorf("making credentials: %w", err)
	}
	return o, nil
}

func (b *builder) people(ctx context.Context, o *Organization, prefix string) error {
	return b.db.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name, password_hash) values ($1, $2, $3, $4)",
			o.Owner, strings.ToLower(prefix)+"@example.com", prefix+" Person", prefix+" password")
		return err
	})
}

func (b *builder) tables(ctx context.Context, o *Organization, prefix string) error {
	base, err := b.store.CreateBase(ctx, o.ID, uuid.Nil, prefix+" Base")
	if err != nil {
		return err
	}
	o.Base = base.ID
	other, err := b.store.CreateTable(ctx, o.ID, base.ID, prefix+" Other", nil)
	if err != nil {
		return err
	}
	table, err := b.store.CreateTable(ctx, o.ID, base.ID, prefix+" Table", []catalog.FieldSpec{
		{Name: prefix + " Name", Type: "text"},
		{Name: prefix + " Amount", Type: "number"},
		{Name: prefix + " Code", Type: "text", Config: json.RawMessage(`{"unique":true}`)},
		{
			Name:   prefix + " Choice",
			Type:   "single_select",
			Config: json.RawMessage(`{"options":[{"name":"` + prefix + ` Option"}]}`),
		},
	})
	if err != nil {
		return err
	}
	link, err := b.store.CreateField(ctx, o.ID, table.ID, catalog.FieldSpec{
		Name:   prefix + " Link",
		Type:   schema.LinkType,
		Config: json.RawMessage(`{"linkedTableId":"` + other.PublicID() + `"}`),
	})
	if err != nil {
		return err
	}
	o.Link = link.Link.Number
	if _, err := b.store.CreateView(ctx, o.ID, table.ID, catalog.ViewSpec{
		Type: "grid",
		Name: prefix + " View",
	}); err != nil {
		return err
	}
	if err := b.trash(ctx, o, table.ID, prefix); err != nil {
		return err
	}
	snapshot, err := b.store.Fresh(ctx, o.ID)
	if err != nil {
		return err
	}
	o.Table, o.Other = snapshot.Table(table.ID), snapshot.Table(other.ID)
	return nil
}

// trash adds something that was deleted.
func (b *builder) trash(ctx context.Context, o *Organization, table uuid.UUID, prefix string) error {
	view, err := b.store.CreateView(ctx, o.ID, table, catalog.ViewSpec{Type: "grid", Name: prefix + " Former"})
	if err != nil {
		return err
	}
	return b.store.DeleteView(ctx, o.ID, view.ID, schema.Viewer{Admin: true})
}

func (b *builder) records(ctx context.Context, o *Organization, table *schema.Table, prefix string, count int) error {
	actor := record.Actor{Org: o.ID, Person: o.Owner}
	for done := 0; done < count; {
		size := min(record.MaxBatch, count-done)
		batch := make([]jsonvalue.ParsedObject, size)
		for i := range batch {
			cells := map[string]any{table.Primary().Name: fmt.Sprintf("%s record %d", prefix, done+i)}
			if table.ID == o.Table.ID {
				cells[table.Fields[1].Name] = float64(done+i) + 0.5
				cells[table.Fields[2].Name] = fmt.Sprintf("%s-code-%d", prefix, done+i)
				cells[table.Fields[3].Name] = strings.Fields(prefix)[0] + " Option"
			}
			raw, err := json.Marshal(cells)
			if err != nil {
				return err
			}
			batch[i] = jsonvaluetest.ParseObject(raw)
		}
		if _, err := b.engine.Create(ctx, actor, table.ID, record.Creation{Records: batch}); err != nil {
			return err
		}
		done += size
	}
	return nil
}

func (b *builder) links(ctx context.Context, o *Organization, others int) error {
	return b.db.Tx(ctx, o.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, fmt.Sprintf(`insert into %[1]s.l_%[2]d (a, b)
			select x.id, y.id from (select id, row_number() over (order by id) n from %[3]s) x
			join (select id, row_number() over (order by id) n from %[4]s) y on y.n = 1 + x.n %% %[5]d`,
			o.Schema(), o.Link, o.Table.Relation(), o.Other.Relation(), others))
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, "select id from "+o.Table.Relation()+" order by id limit 1").Scan(&o.Record)
	})
}

// belongings adds rows of the tables that all organizations share.
func (b *builder) belongings(ctx context.Context, o *Organization, prefix string) error {
	o.Share = prefix + "-share"
	lower := strings.ToLower(prefix)
	batch := &pgx.Batch{}
	batch.Queue(`insert into rowhouse.invitation (org_id, id, email, role, token_hash, invited_by, expires_at)
		values ($1, $2, $3, 'editor', $4, $5, $6)`,
		o.ID, id.New(), lower+".guest@example.com", digest(prefix+" invitation"), o.Owner, time.Now().Add(time.Hour))
	batch.Queue("insert into rowhouse.base_share (org_id, base_id, share_id) values ($1, $2, $3)",
		o.ID, o.Base, o.Share)
	// No record has the file, and the sweep of files knows that already.
	batch.Queue(`insert into rowhouse.attachment (org_id, id, table_id, name, size, state, kept_at, unused_since)
		values ($1, $2, $3, $4, $5, 'ready', now(), now())`,
		o.ID, id.New(), o.Table.ID, prefix+" file.pdf", fileSize(prefix))
	batch.Queue(`insert into rowhouse.change_set (org_id, id, person_id, credential, name)
		values ($1, $2, $3, 'ses_1', $4)`, o.ID, id.New(), o.Owner, prefix+" change set")
	batch.Queue(`insert into rowhouse.audit_event (org_id, id, person_id, credential_kind, credential, request, action,
		subject, detail)
		values ($1, $2, $3, 'session', 'ses_1', 'req_1', 'update_base', 'bas_1', jsonb_build_object('name', $4::text))`,
		o.ID, id.New(), o.Owner, prefix+" detail")
	return b.db.Tx(ctx, o.ID, func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

// credentials adds rows of the tables that belong to people and to the service.
func (b *builder) credentials(ctx context.Context, o *Organization, prefix string) error {
	o.APIKey, o.Session = hexDigest(prefix+" key"), hexDigest(prefix+" session")
	soon := time.Now().Add(time.Hour)
	batch := &pgx.Batch{}
	batch.Queue(`insert into rowhouse.api_key (id, person_id, name, secret_hash, prefix, last_four, scopes)
		values ($1, $2, $3, $4, 'rh_', 'abcd', '{read}')`, id.New(), o.Owner, prefix+" API key", digest(prefix+" key"))
	batch.Queue(`insert into rowhouse.session (id, person_id, token_hash, user_agent, address, expires_at)
		values ($1, $2, $3, $4, '::1', $5)`,
		id.New(), o.Owner, digest(prefix+" session"), prefix+" Browser", soon)
	batch.Queue(`insert into rowhouse.mailed_token (token_hash, person_id, purpose, email, expires_at)
		values ($1, $2, 'reset', $3, $4)`,
		digest(prefix+" token"), o.Owner, strings.ToLower(prefix)+"@example.com", soon)
	batch.Queue(`insert into rowhouse.oauth_client (id, kind, metadata, expires_at)
		values ($1, 'registered', jsonb_build_object('client_name', $1::text), $2)`,
		prefix+" client", soon)
	batch.Queue(`insert into rowhouse.oauth_consent (subject_hash, person_id, client_id, only_org, created_at)
		values ($1, $2, $3, $4, now())`,
		digest(prefix+" consent"), o.Owner, prefix+" client", o.ID)
	batch.Queue(`insert into rowhouse.idempotency (person_id, org_id, operation, key_hash, fingerprint, attempt,
		lease_until, answer)
		values ($1, $2, 'create_records', $3, $3, $4, $5, convert_to($6, 'UTF8'))`,
		o.Owner, o.ID, digest(prefix+" idempotency"), o.Attempt, soon, prefix+" answer")
	batch.Queue("insert into river.river_job (args, kind) values (jsonb_build_object('note', $1::text), 'attack')",
		prefix+" job")
	batch.Queue(`insert into rowhouse.oauth_signing_key (kid, state, sealed, created_at)
		values ($1, 'retiring', convert_to($1, 'UTF8'), now())`,
		prefix+" signing key")
	return b.db.SystemTx(ctx, func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func hexDigest(text string) string { return hex.EncodeToString(digest(text)) }

// fileSize is a number that no other file has.
func fileSize(prefix string) int { return 123457 + 2*len(prefix) + int(prefix[0]) }
