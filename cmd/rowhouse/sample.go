package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

//go:embed sample.json
var sampleFile []byte

// A sample is a base with tables and records for new organizations. Fields and views have the form
// that the operations accept, with two additions: linkTo names an earlier table; and records
// contain links by the primary field of the other record, and dates as days from today, so that a
// calendar always shows something.
type sample struct {
	Base struct {
		Name string          `json:"name"`
		Icon json.RawMessage `json:"icon"`
	} `json:"base"`
	Tables []struct {
		Name    string           `json:"name"`
		Icon    json.RawMessage  `json:"icon"`
		Fields  []sampleField    `json:"fields"`
		Views   []sampleView     `json:"views"`
		Records []map[string]any `json:"records"`
	} `json:"tables"`
}

type sampleField struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Config map[string]any `json:"config,omitempty"`
	LinkTo string         `json:"linkTo,omitempty"`
}

type sampleView struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Config json.RawMessage `json:"config"`
}

// seedSample creates the sample base in an organization's default workspace, as the owner, through
// the regular operations.
func seedSample(ctx context.Context, deps *operation.Deps, org, owner uuid.UUID) error {
	var s sample
	if err := json.Unmarshal(sampleFile, &s); err != nil {
		return fmt.Errorf("reading the sample: %w", err)
	}
	silentDeps := *deps
	silentDeps.Log = nil
	seeder := &sampleSeeder{
		deps: &silentDeps, tables: map[string]string{}, records: map[string]map[string]string{}, today: time.Now().UTC(),
		principal: &authz.Principal{
			// Link fields can be created only in the application, hence with a session.
			Kind: authz.Session, Credential: "sample", Person: owner, Scopes: authz.AllScopes(),
			Orgs: []authz.Membership{{Org: org, Role: organization.Owner}},
		},
	}
	if err := seeder.seedBase(ctx, id.Format(id.Org, org), &s); err != nil {
		return fmt.Errorf("seeding the sample base: %w", err)
	}
	return nil
}

type sampleSeeder struct {
	deps      *operation.Deps
	principal *authz.Principal
	today     time.Time
	tables    map[string]string            // table ids by name
	records   map[string]map[string]string // record ids by table and primary field
}

type object = map[string]any

// create calls an operation and returns the id in its output.
func (f *sampleSeeder) create(ctx context.Context, op *operation.Operation, in object) (string, error) {
	var out struct {
		ID string `json:"id"`
	}
	return out.ID, f.invoke(ctx, op, in, &out)
}

func (f *sampleSeeder) invoke(ctx context.Context, op *operation.Operation, in object, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("%s: %w", op.Name, err)
	}
	answer, err := op.Invoke(ctx, f.deps, f.principal, raw)
	if err != nil {
		return fmt.Errorf("%s: %w", op.Name, err)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: %w", op.Name, err)
	}
	return nil
}

func (f *sampleSeeder) seedBase(ctx context.Context, org string, s *sample) error {
	base, err := f.create(ctx, operation.CreateBase, object{"orgId": org, "name": s.Base.Name})
	if err != nil {
		return err
	}
	if _, err := f.create(ctx, operation.UpdateBase, object{"baseId": base, "icon": s.Base.Icon}); err != nil {
		return err
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		if err := f.seedTable(ctx, base, t.Name, t.Icon, t.Fields); err != nil {
			return err
		}
		if err := f.seedRecords(ctx, t.Name, t.Fields, t.Records); err != nil {
			return err
		}
		if err := f.seedViews(ctx, t.Name, t.Views); err != nil {
			return err
		}
	}
	return nil
}

func (f *sampleSeeder) seedTable(ctx context.Context, base, name string, icon json.RawMessage, fields []sampleField) error {
	var plain, links []sampleField
	for _, field := range fields {
		if field.LinkTo == "" {
			plain = append(plain, field)
		} else {
			links = append(links, field)
		}
	}
	table, err := f.create(ctx, operation.CreateTable, object{"baseId": base, "name": name, "fields": plain})
	if err != nil {
		return err
	}
	f.tables[name] = table
	if _, err := f.create(ctx, operation.UpdateTable, object{"tableId": table, "icon": icon}); err != nil {
		return err
	}
	for _, link := range links {
		config := object{"linkedTableId": f.tables[link.LinkTo]}
		for key, value := range link.Config {
			config[key] = value
		}
		in := object{"tableId": table, "name": link.Name, "type": link.Type, "config": config}
		if _, err := f.create(ctx, operation.CreateField, in); err != nil {
			return err
		}
	}
	return nil
}

func (f *sampleSeeder) seedViews(ctx context.Context, table string, views []sampleView) error {
	for _, view := range views {
		viewID, err := f.create(ctx, operation.CreateView, object{"tableId": f.tables[table], "type": view.Type, "name": view.Name})
		if err != nil {
			return err
		}
		if _, err := f.create(ctx, operation.UpdateView, object{"viewId": viewID, "config": view.Config}); err != nil {
			return err
		}
	}
	return nil
}

// seedRecords creates the records of a table in one request.
func (f *sampleSeeder) seedRecords(ctx context.Context, table string, fields []sampleField, records []map[string]any) error {
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
			resolved, err := f.resolveValue(value, links[name])
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
	if err := f.invoke(ctx, operation.CreateRecords, object{"tableId": f.tables[table], "records": drafts}, &out); err != nil {
		return err
	}
	f.records[table] = map[string]string{}
	for _, record := range out.Records {
		f.records[table][fmt.Sprint(record.Fields[primary])] = record.ID
	}
	return nil
}

// resolveValue converts a value of the sample to a value of a record.
func (f *sampleSeeder) resolveValue(value any, linkTo string) (any, error) {
	if day, ok := value.(map[string]any); ok {
		n, ok := day["daysFromToday"].(float64)
		if !ok {
			return nil, fmt.Errorf("%v is not a valid value", value)
		}
		return f.today.AddDate(0, 0, int(n)).Format(time.DateOnly), nil
	}
	if linkTo == "" {
		return value, nil
	}
	names, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a list of names", value)
	}
	ids := make([]string, len(names))
	for i, name := range names {
		if ids[i] = f.records[linkTo][fmt.Sprint(name)]; ids[i] == "" {
			return nil, fmt.Errorf("%s has no record %q", linkTo, name)
		}
	}
	return ids, nil
}
