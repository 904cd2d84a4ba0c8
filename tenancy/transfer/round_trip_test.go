package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// odd are values of each kind of field that have gone wrong somewhere: empty, extreme, or like something else.
var odd = map[schema.Type][]string{
	"text": {
		`"plain"`, `"he said \"no, never\""`, `"two\nlines"`, `"crlf\r\nand tab\t."`, `"  spaces around  "`, `"=1+1"`,
		`"'=1+1"`, `"-5"`, `"+49 30 1234"`, `"@home"`,
		`"שלום, עולם"`, `"👩‍👩‍👧 é"`, `"00123"`, `"1e5"`, `"null"`,
		`"true"`, `"_x0041_"`, `"\u0001"`, `"a,b;c\td|e"`, `"\\N"`, `"2026-01-31"`, `"<b>&amp;</b>"`,
		`"\ufeffmark"`, "null",
	},
	"long_text": {`"# Title\n\n- one\n- two\r\n"`, `"` + strings.Repeat("long ", 5000) + `end"`, "null"},
	"number": {
		"0", "-0.5", "0.1", "123456789012345", "-123456789012345", "9007199254740991", "1e-7", "1.7e308",
		"1234.56", "null",
	},
	"currency": {"0", "-1234.5", "1000000", "null"},
	"percent":  {"0", "12.5", "-100", "null"},
	"duration": {"0", "5400", "359999", "0.5", "null"},
	"checkbox": {"true", "false"},
	"date": {
		`"0001-01-01"`, `"1899-12-31"`, `"1900-02-28"`, `"1900-03-01"`, `"1970-01-01"`, `"2024-02-29"`,
		`"9999-12-31"`, "null",
	},
	"datetime": {
		`"0001-01-01T00:00:00Z"`, `"2026-03-29T00:59:59Z"`, `"2026-03-29T01:00:00Z"`, `"2026-10-25T00:30:00Z"`,
		`"2026-10-25T01:30:00Z"`, `"9999-12-31T23:59:59Z"`, "null",
	},
	"email": {`"a.b+c@example.com"`, "null"},
	"url":   {`"https://example.com/?a=1&b=%20,2"`, "null"},
	"phone": {`"+1 (555) 010-0000"`, `"0049"`, "null"},
	"single_select": {
		`"one"`, `"with, comma"`, `"with \"quotes\""`, `"=sum"`, `"5"`, "null",
	},
	"multi_select": {`["one"]`, `["with, comma","one"]`, `["with \"quotes\"","=sum","5"]`, "null"},
	"json":         {`{"a":[1,2,{"b":null}]}`, `"text"`, `["x"]`, "5", "null"},
}

const options = `{"options":["one","with, comma","with \"quotes\"","=sum","5"]}`

// What one format writes, another table with the same fields reads as it was.
func TestOddValuesComeBackFromEachFormat(t *testing.T) {
	t.Parallel()
	s, schemas := store(t, t.TempDir())
	org, owner := tenancytest.Org(t, s.DB)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner})
	workspace, err := schemas.CreateWorkspace(ctx, org, "Spare", "")
	if err != nil {
		t.Fatal(err)
	}
	base, err := schemas.CreateBase(ctx, org, workspace.ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	x := &tripping{t: t, s: s, ctx: ctx, actor: record.Actor{Org: org, Person: owner, Admin: true}, base: base.ID}
	from := x.table("From")
	x.fill(from)
	want := x.values(from)
	for _, format := range []transfer.Format{
		transfer.CSV, transfer.NDJSON, transfer.XLSX, transfer.Parquet,
	} {
		file, exported := x.export(from, format)
		to := x.table(string(format))
		report := x.imported(to, file, "odd."+string(format))
		if report.Tables[0].Refused > 0 || report.Tables[0].Created != len(want) {
			t.Fatalf("%s: %+v", format, report.Tables[0])
		}
		got := x.values(to)
		for n, row := range want {
			for name, value := range row {
				if got[n][name] != value {
					t.Errorf("%s: row %d, %s was %s and is %s", format, n, name, value, got[n][name])
				}
			}
		}
		for _, note := range exported.Notes {
			t.Logf("%s: %s", format, note)
		}
	}
}

// tripping is the table that travels.
type tripping struct {
	t     *testing.T
	s     *transfer.Store
	ctx   context.Context //nolint:containedctx // of one test
	actor record.Actor
	base  uuid.UUID
}

func (x *tripping) table(name string) uuid.UUID {
	x.t.Helper()
	fields := []catalog.FieldSpec{{Name: "Row", Type: schema.Number}}
	for kind := range odd {
		spec := catalog.FieldSpec{Name: "f " + string(kind), Type: kind}
		if strings.HasSuffix(string(kind), "select") {
			spec.Config = []byte(options)
		}
		if kind == "datetime" {
			spec.Config = []byte(`{"timeZone":"Europe/Berlin"}`)
		}
		fields = append(fields, spec)
	}
	slices.SortFunc(fields[1:], func(a, b catalog.FieldSpec) int { return strings.Compare(a.Name, b.Name) })
	fields = slices.Insert(fields, 0, catalog.FieldSpec{Name: "Name", Type: schema.Text})
	made, err := x.s.Schema.CreateTable(x.ctx, x.actor.Org, x.base, name, fields)
	if err != nil {
		x.t.Fatal(err)
	}
	return made.ID
}

// fill writes rows so that each value of each kind is in one.
func (x *tripping) fill(table uuid.UUID) {
	x.t.Helper()
	most := 0
	for _, values := range odd {
		most = max(most, len(values))
	}
	for n := range most {
		object := fmt.Sprintf(`{"Row":%d`, n)
		for kind, values := range odd {
			object += fmt.Sprintf(`,%q:%s`, "f "+string(kind), values[n%len(values)])
		}
		in := record.Creation{}
		in.Records = append(in.Records, jsonvaluetest.ParseObject([]byte(object+"}")))
		if _, err := x.s.Records.Create(x.ctx, x.actor, table, in); err != nil {
			x.t.Fatalf("row %d: %s: %s", n, err, object)
		}
	}
}

// values reads all values as JSON, by the number of their row.
func (x *tripping) values(table uuid.UUID) map[int]map[string]string {
	x.t.Helper()
	out := map[int]map[string]string{}
	err := x.s.Records.Pages(x.ctx, x.actor, table, query.Request{}, false, func(p *record.ExportPage) error {
		for i := range p.Records {
			row, number := map[string]string{}, 0
			for at, f := range p.Fields() {
				row[f.Name] = string(p.Value(i, at))
				if f.Name == "Row" {
					if err := json.Unmarshal(p.Value(i, at), &number); err != nil {
						return err
					}
				}
			}
			out[number] = row
		}
		return nil
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return out
}

func (x *tripping) run(kind transfer.Kind, table uuid.UUID, request any) *transfer.Job {
	x.t.Helper()
	encoded, err := json.Marshal(request)
	if err != nil {
		x.t.Fatal(err)
	}
	begun, err := x.s.Begin(x.ctx, &transfer.Job{
		Org: x.actor.Org, Kind: kind, Person: x.actor.Person, Base: x.base, Table: table, Request: encoded,
		ChangeSet: id.New(),
	})
	if err == nil {
		err = x.s.Run(x.ctx, x.actor.Org, begun.ID)
	}
	if err != nil {
		x.t.Fatal(err)
	}
	ended, err := x.s.Get(x.ctx, x.actor.Org, begun.ID)
	if err != nil || ended.State != transfer.Done {
		x.t.Fatalf("the job is %s: %+v, %v", ended.State, ended.Report, err)
	}
	return ended
}

func (x *tripping) export(table uuid.UUID, format transfer.Format) ([]byte, *transfer.Report) {
	x.t.Helper()
	ended := x.run(transfer.ExportTable, table, transfer.Export{Format: format})
	_, content, err := x.s.Files.Content(x.ctx, x.actor.Org, ended.File.ID, false)
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	file, err := io.ReadAll(content)
	if err != nil {
		x.t.Fatal(err)
	}
	return file, ended.Report
}

func (x *tripping) imported(table uuid.UUID, file []byte, name string) *transfer.Report {
	x.t.Helper()
	sent, err := x.s.Files.Receive(x.ctx, x.actor.Org, x.actor.Person, table, attachment.Upload{
		Name: name, Size: int64(len(file)), Content: bytes.NewReader(file),
	})
	if err != nil {
		x.t.Fatal(err)
	}
	in := transfer.Import{File: sent.ID, OnBad: transfer.Refuse, DryRun: true}
	dry := x.run(transfer.ImportTable, table, in).Report
	in.DryRun = false
	done := x.run(transfer.ImportTable, table, in).Report
	if dry.Tables[0].Refused != done.Tables[0].Refused {
		x.t.Errorf("%s: the dry run refuses %d rows, and the import %d", name, dry.Tables[0].Refused,
			done.Tables[0].Refused)
	}
	return done
}
