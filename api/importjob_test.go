package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
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
