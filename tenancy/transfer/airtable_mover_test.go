package transfer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// airtableClient is a client of a fake at an address. Its seconds last as long as those of tests.
func airtableClient(address string) *airtable.Client {
	fetch := outbound.NewFetcher(outbound.Options{
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, MaxBody: 64 << 20,
	})
	return airtable.New(address, product.Options{
		API: fetch, Files: fetch, Second: testSecond, Penalty: testSecond,
	})
}

const testSecond = 20 * time.Millisecond

// A mover moves a base of a fake Airtable into a base here.
type mover struct {
	t       *testing.T
	s       *transfer.Store
	fake    *airtabletest.Server
	folder  string
	org     uuid.UUID
	owner   uuid.UUID
	base    uuid.UUID
	ctx     context.Context
	schemas *catalog.Store

	kind    transfer.Kind
	request any
	token   string
}

func newMover(t *testing.T, base *airtabletest.Base, o airtabletest.Options) *mover {
	t.Helper()
	fake := airtabletest.Start(base, o)
	t.Cleanup(fake.Close)
	m := moverInto(t, transfer.ImportAirtable, transfer.AirtableImport{AirtableBase: fake.Base.ID}, airtabletest.Token)
	m.fake, m.s.Airtable = fake, airtableClient(fake.URL)
	return m
}

// moverInto is a mover of a kind of import.
func moverInto(t *testing.T, kind transfer.Kind, request any, token string) *mover {
	t.Helper()
	folder := t.TempDir()
	s, schemas := store(t, folder)
	org, owner := tenancytest.Org(t, s.DB)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner})
	workspace, err := schemas.CreateWorkspace(ctx, org, "Spare", "")
	if err != nil {
		t.Fatal(err)
	}
	made, err := schemas.CreateBase(ctx, org, workspace.ID, "Moved")
	if err != nil {
		t.Fatal(err)
	}
	return &mover{t, s, nil, folder, org, owner, made.ID, ctx, schemas, kind, request, token}
}

// begin begins a job.
func (m *mover) begin() *transfer.Job {
	m.t.Helper()
	return m.beginAs(m.owner)
}

func (m *mover) beginAs(person uuid.UUID) *transfer.Job {
	m.t.Helper()
	request, err := json.Marshal(m.request)
	if err != nil {
		m.t.Fatal(err)
	}
	begun, err := m.s.Begin(m.ctx, &transfer.Job{
		Org: m.org, Kind: m.kind, Person: person, Base: m.base, Request: request,
		ChangeSet: id.New(), Token: m.token,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return begun
}

// work works on a job until it has ended, and returns it.
func (m *mover) work(which uuid.UUID) *transfer.Job {
	m.t.Helper()
	for until := time.Now().Add(5 * time.Minute); ; {
		if err := m.s.Run(m.t.Context(), m.org, which); err != nil && m.t.Context().Err() != nil {
			m.t.Fatal(err)
		}
		j, err := m.s.Get(m.t.Context(), m.org, which)
		if err != nil {
			m.t.Fatal(err)
		}
		if j.State.Ended() {
			m.noToken(j)
			return j
		}
		if time.Now().After(until) {
			m.t.Fatalf("the job has come to %d", j.Done)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// bring brings what there is, and expects success.
func (m *mover) bring() *transfer.Job {
	m.t.Helper()
	j := m.work(m.begin().ID)
	if j.State != transfer.Done {
		m.t.Fatalf("the job is %s: %+v", j.State, j.Report)
	}
	return j
}

// noToken expects that the token has ended with its job.
func (m *mover) noToken(j *transfer.Job) {
	m.t.Helper()
	kept := 0
	err := m.s.DB.Batch(m.t.Context(), m.org, func(b *pgx.Batch) {
		b.Queue("select count(secret) from rowhouse.job where org_id = $1 and id = $2", m.org, j.ID).
			QueryRow(func(row pgx.Row) error { return row.Scan(&kept) })
	})
	if err != nil || kept > 0 {
		m.t.Errorf("the token outlives its job: %v", err)
	}
}

func (m *mover) table(name string) *schema.Table {
	m.t.Helper()
	snapshot, err := m.schemas.Fresh(m.t.Context(), m.org)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, t := range snapshot.Base(m.base).Tables {
		if t.Name == name {
			return t
		}
	}
	m.t.Fatalf("there is no table %s", name)
	return nil
}

// records are the records of a table, by the value of a field.
func (m *mover) records(table, by string) map[string]map[string]any {
	m.t.Helper()
	out := map[string]map[string]any{}
	actor := record.Actor{Org: m.org, Person: m.owner, Admin: true}
	err := m.s.Records.Pages(m.ctx, actor, m.table(table).ID, query.Request{}, false, func(p *record.ExportPage) error {
		for _, raw := range p.Records {
			var one struct {
				ID        string         `json:"id"`
				Version   json.Number    `json:"version"`
				CreatedAt string         `json:"createdTime"`
				Fields    map[string]any `json:"fields"`
			}
			if err := json.Unmarshal(raw, &one); err != nil {
				return err
			}
			one.Fields["#id"], one.Fields["#version"] = one.ID, one.Version.String()
			one.Fields["#created"] = one.CreatedAt
			out[fmt.Sprint(one.Fields[by])] = one.Fields
		}
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

func reportOf(j *transfer.Job, table string) transfer.TableReport {
	for _, t := range j.Report.Tables {
		if t.Name == table {
			return t
		}
	}
	return transfer.TableReport{}
}
