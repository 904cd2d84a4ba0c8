package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

//go:embed sample.json
var sampleFile []byte

// A sample is a base with something in it, for those who begin. Fields and views are as the
// operations take them, but for: linkTo, which names a table above; and in records, links by the
// primary field of the other record, and days counted from today, so that a calendar has something
// to show in any month.
type sample struct {
	Base struct {
		Name string      `json:"name"`
		Icon schema.Icon `json:"icon"`
	} `json:"base"`
	Tables []sampleTable `json:"tables"`
}

type sampleTable struct {
	Name    string           `json:"name"`
	Icon    schema.Icon      `json:"icon"`
	Fields  []sampleField    `json:"fields"`
	Views   []sampleView     `json:"views"`
	Records []map[string]any `json:"records"`
}

type sampleField struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Config map[string]any `json:"config,omitempty"`
	LinkTo string         `json:"linkTo,omitempty"`
}

type sampleView struct {
	Type   string            `json:"type"`
	Name   string            `json:"name"`
	Config schema.ViewConfig `json:"config"`
}

// seedSample creates the sample base in an organization's default workspace, as the owner. Because
// it runs at every sign-up, it calls the schema store directly and creates each view together with
// its config.
func seedSample(ctx context.Context, deps *operation.Deps, org, owner uuid.UUID) error {
	var s sample
	if err := json.Unmarshal(sampleFile, &s); err != nil {
		return fmt.Errorf("reading the sample: %w", err)
	}
	principal := &authz.Principal{
		Kind: authz.Session, Credential: "sample", Person: owner, Scopes: authz.AllScopes(),
		Orgs: []authz.Membership{{Org: org, Role: organization.Owner}},
	}
	quiet := *deps
	quiet.Log = nil
	ctx = db.WithActor(ctx, db.Actor{Person: owner, Kind: string(principal.Kind), Credential: principal.Credential})
	f := &sampleSeeder{
		deps: &quiet, org: org, principal: principal,
		tables: map[string]*schema.Table{}, records: map[string]map[string]string{}, today: time.Now().UTC(),
	}
	if err := f.base(ctx, &s); err != nil {
		return fmt.Errorf("seeding the sample base: %w", err)
	}
	return nil
}

type sampleSeeder struct {
	deps      *operation.Deps
	org       uuid.UUID
	principal *authz.Principal
	today     time.Time
	tables    map[string]*schema.Table     // by name
	records   map[string]map[string]string // id of each record, by table and primary field
}

type object = map[string]any

func (f *sampleSeeder) base(ctx context.Context, s *sample) error {
	base, err := f.deps.Schema.CreateBase(ctx, f.org, uuid.Nil, s.Base.Name)
	if err != nil {
		return err
	}
	if err := f.deps.Schema.UpdateBase(ctx, f.org, base.ID, catalog.Patch{Icon: &s.Base.Icon}, nil); err != nil {
		return err
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		if err := f.table(ctx, base.ID, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		if err := f.fill(ctx, t.Name, t.Fields, t.Records); err != nil {
			return err
		}
	}
	return nil
}

// table makes a table with its fields and views.
func (f *sampleSeeder) table(ctx context.Context, base uuid.UUID, t *sampleTable) error {
	var plain, links []catalog.FieldSpec
	for _, field := range t.Fields {
		spec, err := f.field(field)
		if err != nil {
			return fmt.Errorf("field %s: %w", field.Name, err)
		}
		if field.LinkTo == "" {
			plain = append(plain, spec)
		} else {
			links = append(links, spec)
		}
	}
	table, err := f.deps.Schema.CreateTable(ctx, f.org, base, t.Name, plain)
	if err != nil {
		return err
	}
	f.tables[t.Name] = table
	if err := f.deps.Schema.UpdateTable(ctx, f.org, table.ID, catalog.Patch{Icon: &t.Icon}); err != nil {
		return err
	}
	for _, link := range links {
		if _, err := f.deps.Schema.CreateField(ctx, f.org, table.ID, link); err != nil {
			return fmt.Errorf("field %s: %w", link.Name, err)
		}
	}
	for _, view := range t.Views {
		kind, err := schema.ParseViewType("type", view.Type)
		if err != nil {
			return err
		}
		_, err = f.deps.Schema.CreateView(ctx, f.org, table.ID, catalog.ViewSpec{
			Type: kind, Name: view.Name, Config: view.Config, Check: query.CheckView,
			By: operation.Viewer(f.principal, f.org),
		})
		if err != nil {
			return fmt.Errorf("view %s: %w", view.Name, err)
		}
	}
	return nil
}

func (f *sampleSeeder) field(field sampleField) (catalog.FieldSpec, error) {
	kind, err := schema.ParseType("type", field.Type)
	if err != nil {
		return catalog.FieldSpec{}, err
	}
	if field.LinkTo != "" {
		linked := f.tables[field.LinkTo]
		if linked == nil {
			return catalog.FieldSpec{}, fmt.Errorf("there is no table %q above", field.LinkTo)
		}
		config := object{"linkedTableId": linked.PublicID()}
		maps.Copy(config, field.Config)
		field.Config = config
	}
	if field.Config == nil {
		return catalog.FieldSpec{Name: field.Name, Type: kind}, nil
	}
	config, err := json.Marshal(field.Config)
	return catalog.FieldSpec{Name: field.Name, Type: kind, Config: config}, err
}

// fill writes the records of a table, at most as many as one request takes.
func (f *sampleSeeder) fill(ctx context.Context, table string, fields []sampleField, records []map[string]any) error {
	links := map[string]string{}
	for _, field := range fields {
		if field.LinkTo != "" {
			links[field.Name] = field.LinkTo
		}
	}
	primary := fields[0].Name
	drafts := make([]object, len(records))
	for i, record := range records {
		values := object{}
		for name, value := range record {
			resolved, err := f.value(value, links[name])
			if err != nil {
				return fmt.Errorf("%s %q, field %s: %w", table, record[primary], name, err)
			}
			values[name] = resolved
		}
		drafts[i] = object{"fields": values}
	}
	var out struct {
		Records []struct {
			ID     string         `json:"id"`
			Fields map[string]any `json:"fields"`
		} `json:"records"`
	}
	raw, err := json.Marshal(object{"tableId": f.tables[table].PublicID(), "records": drafts})
	if err != nil {
		return fmt.Errorf("records of %s: %w", table, err)
	}
	answer, err := operation.CreateRecords.Invoke(ctx, f.deps, f.principal, raw)
	if err != nil {
		return fmt.Errorf("records of %s: %w", table, err)
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return fmt.Errorf("records of %s: %w", table, err)
	}
	f.records[table] = map[string]string{}
	for _, record := range out.Records {
		f.records[table][fmt.Sprint(record.Fields[primary])] = record.ID
	}
	return nil
}

// value turns what the sample writes in its own way into what a record takes.
func (f *sampleSeeder) value(value any, linkTo string) (any, error) {
	if day, ok := value.(map[string]any); ok {
		n, ok := day["daysFromToday"].(float64)
		if !ok {
			return nil, fmt.Errorf("%v is no value", value)
		}
		return f.today.AddDate(0, 0, int(n)).Format(time.DateOnly), nil
	}
	if linkTo == "" {
		return value, nil
	}
	names, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is no list of names", value)
	}
	ids := make([]string, len(names))
	for i, name := range names {
		if ids[i] = f.records[linkTo][fmt.Sprint(name)]; ids[i] == "" {
			return nil, fmt.Errorf("%s has no record %q", linkTo, name)
		}
	}
	return ids, nil
}
