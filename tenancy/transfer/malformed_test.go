package transfer_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// A malformed file is refused with its fault, and leaves no table behind, or it is repaired, and the report says how.
func TestMalformedFilesAreRefusedOrRepaired(t *testing.T) {
	t.Parallel()
	s, schemas := store(t, t.TempDir())
	org, owner := tenancytest.Org(t, s.DB)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner})
	workspace, err := schemas.CreateWorkspace(ctx, org, "Spare", "")
	if err != nil {
		t.Fatal(err)
	}
	x := &tripping{t: t, s: s, ctx: ctx, actor: record.Actor{Org: org, Person: owner, Admin: true}}
	before := unpacked(t)
	for name, c := range map[string]struct {
		file    []byte
		refused string // in the problem; "" if the file is imported
		rows    int    // created
		noted   string // in the report
	}{
		"cut.csv":     {file: []byte("Name,Note\nA,x\nB,\"open\n"), refused: "double quotes"},
		"cut.csv.gz":  {file: packed(t, "Name\n"+strings.Repeat("A\n", 1000))[:30], refused: "not a whole gzip"},
		"cut.csv.zst": {file: zstdPacked(t, "Name\n"+strings.Repeat("A\n", 1000))[:15], refused: "not a whole zstd"},
		"window.csv.zst": {
			file:    zstdPacked(t, "Name\nA\n", zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false)),
			refused: "smaller window",
		},
		"whole.csv.zst": {file: zstdPacked(t, "Name,N\nA,1\nB,2\n"), rows: 2},
		"cut.parquet":   {file: parquetFile(t)[:200], refused: "Parquet"},
		"other.parquet": {file: append([]byte("PAR1"), bytes.Repeat([]byte("x"), 500)...), refused: "Parquet"},
		"cut.xlsx":      {file: sheet(t, nil)[:900], refused: "spreadsheet"},
		"cut.ndjson":    {file: []byte("{\"Name\":\"A\"}\n{\"Name\":"), refused: "object 2"},
		"bomb.xlsx":     {file: bomb(t), refused: "spreadsheet"},
		"columns.csv":   {file: []byte(strings.Repeat("a,", 9_999) + "a\n1\n"), refused: "500"},
		"empty.csv":     {file: []byte(" \n"), refused: "no row"},
		"nul.csv":       {file: []byte("Name,N\nA\x00B,1\nC,2\n"), rows: 1, noted: "NUL"},
		"cell.csv": {
			file: []byte("Name,Note\nA,\"" + strings.Repeat("x", 10<<20) + "\"\nB,y\n"), rows: 1, noted: "1000000",
		},
		"ragged.csv":   {file: []byte("A,B\n1,2\n3\n4,5,6\n"), rows: 3, noted: "Column 3"},
		"twice.csv":    {file: []byte("Name,Name,\nA,B,C\n"), rows: 1, noted: "Name 2"},
		"ends.csv":     {file: []byte("A,B\r\n1,2\n3,4\r5,6\r\n"), rows: 3},
		"bytes.csv":    {file: []byte("\ufeffName,N\nM\xfcller,1\n"), rows: 1, noted: "encoding"},
		"two rows.csv": {file: []byte("Name,Amount\n,in EUR\nA,1\n"), rows: 2},
		"merged.xlsx": {file: sheet(t, func(f *excelize.File) error {
			return f.MergeCell("Sheet1", "A2", "A3")
		}), rows: 2},
	} {
		x.inBase(t, workspace.ID, name)
		j := x.ended(transfer.ImportBase, c.file, name)
		report := fmt.Sprintf("%+v", j.Report)
		snapshot, err := s.Schema.Fresh(ctx, org)
		if err != nil {
			t.Fatal(err)
		}
		tables := len(snapshot.Base(x.base).Tables)
		switch {
		case c.refused != "":
			if j.State != transfer.Failed || !strings.Contains(j.Report.Problem, c.refused) || tables != 0 {
				t.Errorf("%s: it is %s with %d tables: %.300s", name, j.State, tables, report)
			}
		case j.State != transfer.Done || j.Report.Tables[0].Created != c.rows || !strings.Contains(report, c.noted):
			t.Errorf("%s: it is %s: %.600s", name, j.State, report)
		}
	}
	for _, file := range unpacked(t) {
		if !slices.Contains(before, file) {
			t.Errorf("a reader left %s behind", file)
		}
	}
}

// unpacked are the files that readers of spreadsheets have made of large parts.
func unpacked(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "excelize-*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inBase makes a base for what follows.
func (x *tripping) inBase(t *testing.T, workspace uuid.UUID, name string) {
	t.Helper()
	base, err := x.s.Schema.CreateBase(x.ctx, x.actor.Org, workspace, name)
	if err != nil {
		t.Fatal(err)
	}
	x.base = base.ID
}

// ended runs the import of a file into a new table, however it ends.
func (x *tripping) ended(kind transfer.Kind, file []byte, name string) *transfer.Job {
	x.t.Helper()
	sent, err := x.s.Files.Receive(x.ctx, x.actor.Org, x.actor.Person, x.base, attachment.Upload{
		Name: name, Size: int64(len(file)), Content: bytes.NewReader(file),
	})
	if err != nil {
		x.t.Fatal(err)
	}
	request, err := json.Marshal(transfer.Import{File: sent.ID, OnBad: transfer.Refuse})
	if err != nil {
		x.t.Fatal(err)
	}
	begun, err := x.s.Begin(x.ctx, &transfer.Job{
		Org: x.actor.Org, Kind: kind, Person: x.actor.Person, Base: x.base, Request: request, ChangeSet: sent.ID,
	})
	if err == nil {
		err = x.s.Run(x.ctx, x.actor.Org, begun.ID)
	}
	if err != nil {
		x.t.Fatal(err)
	}
	ended, err := x.s.Get(x.ctx, x.actor.Org, begun.ID)
	if err != nil {
		x.t.Fatal(err)
	}
	return ended
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	if _, err := to.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// zstdPacked is a text in pieces, so that its size is not known at its beginning.
func zstdPacked(t *testing.T, text string, options ...zstd.EOption) []byte {
	t.Helper()
	var out bytes.Buffer
	to, err := zstd.NewWriter(&out, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{text[:1], text[1:]} {
		if _, err = to.Write([]byte(part)); err == nil {
			err = to.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parquetFile(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := parquet.Write(&out, []struct{ Name string }{{"A"}, {"B"}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// sheet is a spreadsheet of two rows.
func sheet(t *testing.T, change func(f *excelize.File) error) []byte {
	t.Helper()
	f := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Name", "B1": "N", "A2": "A", "B2": 1, "B3": 2} {
		if err := f.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		if err := change(f); err != nil {
			t.Fatal(err)
		}
	}
	out, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpackedMB is more than a spreadsheet may have.
const unpackedMB = 600

// bomb is a spreadsheet that is a thousand times as large unpacked.
func bomb(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	part, err := to.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range unpackedMB {
		if _, err := part.Write(spaces); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
