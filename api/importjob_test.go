package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// content is a member of the input of an import.
func content(text string) string {
	return `"content":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"`
}

// rows are the values of the fields of a table's records, in their order, a line each.
func (j *jobs) rows(table string) string {
	j.t.Helper()
	var lines []string
	for _, r := range j.OK("GET", "/tables/"+table+"/records", "")["records"].([]any) {
		line, err := json.Marshal(r.(map[string]any)["fields"])
		if err != nil {
			j.t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n")
}

// types are the fields of a table with their types.
func (j *jobs) types(table string) string {
	j.t.Helper()
	var out []string
	for _, f := range j.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any) {
		field := f.(map[string]any)
		out = append(out, fmt.Sprintf("%v %v", field["name"], field["type"]))
	}
	return strings.Join(out, ", ")
}

func TestFilesBecomeTablesOfTheRightTypes(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	book := excelize.NewFile()
	dates, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		t.Fatal(err)
	}
	money := "#,##0.0"
	rounded, err := book.NewStyle(&excelize.Style{CustomNumFmt: &money})
	if err != nil {
		t.Fatal(err)
	}
	for cell, value := range map[string]any{
		"A1": "City", "B1": "Since", "C1": "Area", "D1": "Open", "A2": "Ærø", "B2": 45351, "C2": 1234.567, "D2": true,
		"A3": "'=1", "B3": 45352, "C3": 2, "D3": false,
	} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	for of, style := range map[string]int{"B2": dates, "B3": dates, "C2": rounded, "C3": rounded} {
		if err := book.SetCellStyle("Sheet1", of, of, style); err != nil {
			t.Fatal(err)
		}
	}
	var spreadsheet bytes.Buffer
	if err := book.Write(&spreadsheet); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, types, rows string }{
		"CSV": {
			"\xef\xbb\xbfCity;Since;Area;Open\nÆrø;29.02.2024;1.234,5;yes\nAls;01.03.2024;2;no\n",
			"City text, Since date, Area number, Open checkbox",
			`{"Area":1234.5,"City":"Ærø","Open":true,"Since":"2024-02-29"}` + "\n" +
				`{"Area":2,"City":"Als","Open":false,"Since":"2024-03-01"}`,
		},
		"XLSX": {
			spreadsheet.String(), "City text, Since date, Area number, Open checkbox",
			`{"Area":1234.567,"City":"Ærø","Open":true,"Since":"2024-02-29"}` + "\n" +
				`{"Area":2,"City":"'=1","Open":false,"Since":"2024-03-01"}`,
		},
		"NDJSON": {
			`{"City":"Ærø","Area":1234.5,"Tags":["a","b, c"]}` + "\n" + `{"City":"=1","Open":true}` + "\n",
			"City text, Area number, Tags text, Open checkbox",
			`{"Area":1234.5,"City":"Ærø","Open":false,"Tags":"a, \"b, c\""}` + "\n" +
				`{"Area":null,"City":"=1","Open":true,"Tags":null}`,
		},
		"JSON": {
			` [{"City":"Ærø"}, {"City":null,"Area":2}]`, "City text, Area number",
			`{"Area":null,"City":"Ærø"}` + "\n" + `{"Area":2,"City":null}`,
		},
	} {
		job := j.run("/bases/"+j.base+"/imports", `{"name":"From `+name+`",`+content(c.file)+`}`)
		if job["state"] != "done" {
			t.Errorf("%s: %v", name, job)
			continue
		}
		table := job["tableId"].(string)
		if got := j.types(table); got != c.types {
			t.Errorf("%s: the fields are %s", name, got)
		}
		if got := j.rows(table); got != c.rows {
			t.Errorf("%s: the records are\n%s", name, got)
		}
	}
}

// An import reports what it left out, says the same before in a dry run, and is undone by one press.
func TestImportIntoATableIsAReportAndOneChangeSet(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	imports := "/tables/" + j.table + "/imports"
	before := j.rows(j.table)
	file := content("name,Amount,Day,Other\nfour,4,2024-01-01,x\nfive,many,2024-01-02,x\nthree,33,,x\n")
	dry := j.run(imports, `{"dryRun":true,`+file+`}`)
	if report := fmt.Sprint(dry["report"]); dry["state"] != "done" || !strings.Contains(report, "refused:1") ||
		j.rows(j.table) != before {
		t.Errorf("the dry run says %v", dry)
	}
	job := j.run(imports, `{"upsertOn":["Name"],`+file+`}`)
	report, _ := json.Marshal(job["report"])
	for _, want := range []string{
		`"created":1`, `"updated":1`, `"refused":1`, `"rows":3`, `"line":3`, `"column":2`, `"field":"Amount"`,
		`"cells":["five","many","2024-01-02","x"]`, `{"name":"Other"}`,
	} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %s: %s", want, report)
		}
	}
	if job["state"] != "done" || job["done"] != 3.0 {
		t.Errorf("the job is %v", job)
	}
	j.OK("POST", "/bases/"+j.base+"/changes/revert", `{"changeSets":["`+job["changes"].(string)+`"]}`)
	if got := j.rows(j.table); got != before {
		t.Errorf("after the revert the records are\n%s\nand they were\n%s", got, before)
	}
	job = j.run(imports, `{"onBad":"empty",`+file+`}`)
	if report := fmt.Sprint(job["report"]); !strings.Contains(report, "created:3") ||
		!strings.Contains(report, "emptied:1") || !strings.Contains(j.rows(j.table), `"Name":"five"`) {
		t.Errorf("an import that leaves cells empty: %v", job)
	}
}

// A dry run says how a file is read, refuses what the import refuses, and is not listed.
func TestADryRunIsThePreviewOfAnImport(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	var file strings.Builder
	file.WriteString("Report;\r\n\r\nName;Amount\r\n")
	for i := range 2500 {
		fmt.Fprintf(&file, "Zo\xeb %d;%d,5\r\n", i, i)
	}
	selects := "Name,Kind\n" + strings.Repeat("A,Tug\nB,Ferry\nC,Tug\nD,Ferry\n", 10)
	dry := j.run("/bases/"+j.base+"/imports", `{"dryRun":true,`+content(selects)+`}`)
	if dry["state"] != "done" || !strings.Contains(fmt.Sprint(dry["report"]), "type:single_select") {
		t.Errorf("a select is read as %v", dry)
	}
	dry = j.run("/bases/"+j.base+"/imports", `{"dryRun":true,`+content(file.String())+`}`)
	reading, _ := json.Marshal(dry["report"].(map[string]any)["reading"])
	for _, want := range []string{
		`"form":"csv"`, `"encoding":"windows-1252"`, `"delimiter":"semicolon"`, `"rows":2500`, `"skippedRows":1`,
		`"hasHeader":true`, `"samples":["Zoë 0","Zoë 1","Zoë 2"]`, `"type":"number"`, `"style":"comma"`,
	} {
		if !strings.Contains(string(reading), want) {
			t.Errorf("the reading lacks %s: %s", want, reading)
		}
	}
	book := excelize.NewFile()
	if _, err := book.NewSheet("More"); err != nil {
		t.Fatal(err)
	}
	for _, sheet := range []string{"Sheet1", "More"} {
		for cell, value := range map[string]any{"A1": "Name", "A2": sheet} {
			if err := book.SetCellValue(sheet, cell, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	var spreadsheet bytes.Buffer
	if err := book.Write(&spreadsheet); err != nil {
		t.Fatal(err)
	}
	dry = j.run("/bases/"+j.base+"/imports", `{"dryRun":true,"sheet":"More",`+content(spreadsheet.String())+`}`)
	reading, _ = json.Marshal(dry["report"].(map[string]any)["reading"])
	if !strings.Contains(string(reading), `"form":"xlsx"`) || !strings.Contains(string(reading), `"sheet":"More"`) ||
		!strings.Contains(string(reading), `"sheets":["Sheet1","More"]`) {
		t.Errorf("a spreadsheet is read as %s", reading)
	}
	for range 2 { // a second table of the name gets another one
		j.run("/bases/"+j.base+"/imports", `{"sheet":"More",`+content(spreadsheet.String())+`}`)
	}
	named, _ := json.Marshal(j.OK("GET", "/bases/"+j.base, ""))
	if !strings.Contains(string(named), `"More"`) || !strings.Contains(string(named), `"More 2"`) {
		t.Errorf("the tables of a sheet are %s", named)
	}
	imports := "/tables/" + j.table + "/imports"
	const columns = `"header":false,"columns":[{"field":"Name"},{"field":"Amount"},{"field":"Note"}],`
	j.ID("POST", "/tables/"+j.table+"/fields", `{"name":"Note","type":"text"}`)
	for uneven, refused := range map[string]int{
		"x,1\ny,2\nz,3,more\n": 0, // a number has no line break
		"x\ny,2\nz,3,more\n":   2,
		"x,1,a\ny\nz\nx,2\n":   3,
		"x,1,a,b\ny,2,b,\n":    0, // the last column is for no field
	} {
		said := j.run(imports, `{"dryRun":true,`+columns+content(uneven)+`}`)
		done := j.run(imports, `{`+columns+content(uneven)+`}`)
		for _, job := range []map[string]any{said, done} {
			got := 0.0
			if tables, ok := job["report"].(map[string]any)["tables"].([]any); ok {
				got, _ = tables[0].(map[string]any)["refused"].(float64)
			}
			if int(got) != refused {
				t.Errorf("%q: %v rows are refused, want %d: %v", uneven, got, refused, job)
			}
		}
	}
	for _, one := range j.OK("GET", "/orgs/"+j.Org()+"/jobs", "")["jobs"].([]any) {
		if listed := one.(map[string]any); listed["id"] == dry["id"] {
			t.Error("a dry run is listed")
		}
	}
	// What a dry run says of the encoding is what the import takes.
	var wide strings.Builder
	wide.WriteString("\xff\xfe")
	for _, r := range "Name;Amount\nÆrø;7,5\n" {
		wide.Write([]byte{byte(r), byte(r >> 8)})
	}
	said := j.run(imports, `{"dryRun":true,`+content(wide.String())+`}`)
	encoding, _ := said["report"].(map[string]any)["reading"].(map[string]any)["encoding"].(string)
	for _, given := range []string{"", `"encoding":"` + encoding + `",`} {
		if done := j.run(imports, `{`+given+content(wide.String())+`}`); encoding != "utf-16le" ||
			!strings.Contains(fmt.Sprint(done["report"]), "created:1") || !strings.Contains(j.rows(j.table), "Ærø") {
			t.Errorf("UTF-16 with %q: %v", given, done)
		}
	}
	job := j.run(imports, `{"dryRun":true,"encoding":"klingon",`+content("A\n1\n")+`}`)
	if job["state"] != "failed" || !strings.Contains(fmt.Sprint(job["report"]), "windows-1252") {
		t.Errorf("an unknown encoding: %v", job)
	}
}

// An import into a table makes the fields that its columns ask for, and has the rows that it left out as a file, which
// can be corrected and imported.
func TestAnImportMakesFieldsAndKeepsWhatItLeftOut(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	imports, before := "/tables/"+j.table+"/imports", j.types(j.table)
	file := content("name,Amount,Colour,Weight\nfour,4,red,1.5\n=five,many,blue,2\n")
	columns := `"columns":[{},{},{"type":"single_select","config":{"options":["red","blue"]}},
		{"type":"number","name":"Kilos"}],`
	job := j.run(imports, `{`+columns+file+`}`)
	if got := j.types(j.table); job["state"] != "done" || got != before+", Colour single_select, Kilos number" {
		t.Errorf("the fields are %s: %v", got, job)
	}
	if got := j.rows(j.table); !strings.Contains(got, `"Colour":"red"`) || !strings.Contains(got, `"Kilos":1.5`) {
		t.Errorf("the records are %s", got)
	}
	left := job["file"].(map[string]any)
	if left["name"] != "import - refused.csv" {
		t.Errorf("the file is %v", left)
	}
	want := "name,Amount,Colour,Weight,Reason\r\n'=five,many,blue,2,\"Amount: \"\"many\"\" is not a number"
	if got := string(j.fetch(left["url"].(string))); !strings.HasPrefix(got, want) {
		t.Errorf("the rows that were left out are\n%s", got)
	}
	j.OK("POST", "/bases/"+j.base+"/changes/revert", `{"changeSets":["`+job["changes"].(string)+`"]}`)
	if got := j.types(j.table); got != before {
		t.Errorf("after the revert the fields are %s", got)
	}
	for columns, says := range map[string]string{
		`{"type":"number","name":"Amount"}`:                            "has a field named",
		`{"type":"auto_number"}`:                                       "cannot be made by an import",
		`{"type":"text","name":"A"},{"type":"text","name":"a"}`:        "given twice",
		`{"type":"single_select","name":"A","config":{"options":[1]}}`: "options",
	} {
		job := j.run(imports, `{"columns":[`+columns+`],`+file+`}`)
		if job["state"] != "failed" || !strings.Contains(fmt.Sprint(job["report"]), says) {
			t.Errorf("%s: %v", columns, job)
		}
	}
	if got := j.types(j.table); got != before {
		t.Errorf("after imports that failed the fields are %s", got)
	}
}

// A file for an import may be larger than one for a record, and is for no record.
func TestALargeFileIsImported(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	j.ID("POST", "/tables/"+j.table+"/fields", `{"name":"Files","type":"attachment"}`)
	large := "Name\n" + strings.Repeat(strings.Repeat("long ", 2000)+"\n", apitest.MaxFile/10_000+1)
	status, _ := upload(t, j.Client, "/tables/"+j.table+"/uploads?name=a.csv", strings.NewReader(large), 0)
	if status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large file for a record: %d", status)
	}
	for _, to := range []string{"/bases/" + j.base + "/uploads", "/tables/" + j.table + "/imports/uploads"} {
		status, sent := upload(t, j.Client, to+"?name=a.csv", strings.NewReader(large), 0)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %v", to, status, sent)
		}
		job := j.run("/tables/"+j.table+"/imports", fmt.Sprintf(`{"file":%q}`, sent["id"]))
		if report := fmt.Sprint(job["report"]); !strings.Contains(report, "created:") {
			t.Errorf("%s: %v", to, job)
		}
		j.Refused(http.StatusBadRequest, "POST", "/tables/"+j.table+"/records",
			fmt.Sprintf(`{"fields":{"Name":"x","Files":[%q]}}`, sent["id"]))
	}
}

func TestUnreadableFilesAreRefusedWhole(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	for name, c := range map[string]struct{ file, says string }{
		"a quote that does not end": {"Name,Amount\n\"three,3\nfour,4\n", "double quotes"},
		"half a spreadsheet":        {"PK\x03\x04 and nothing", "spreadsheet"},
		"half a gzip file":          {"\x1f\x8b\x08\x00\x00", "gzip"},
		"half an object":            {`{"Name":"three"`, "not JSON"},
		"a file without fields":     {"Colour,Shape\nred,round\n", "none of the columns"},
	} {
		job := j.run("/tables/"+j.table+"/imports", `{`+content(c.file)+`}`)
		if problem := fmt.Sprint(job["report"]); job["state"] != "failed" || !strings.Contains(problem, c.says) {
			t.Errorf("%s: %v", name, job)
		}
	}
	if rows := strings.Count(j.rows(j.table), "\n"); rows != 2 {
		t.Errorf("there are %d rows", rows+1)
	}
}
