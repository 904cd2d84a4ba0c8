package api_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A Parquet file becomes a table of the types of its schema, and a table a Parquet file with the types of its fields:
// decimals where all numbers have no more digits than their field shows.
func TestParquetComesInAndOutWithItsTypes(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	type row struct {
		Code  string   `parquet:"Code"`
		Price int64    `parquet:"Price,decimal(2:18)"`
		Ratio *float64 `parquet:"Ratio,optional"`
		Note  string   `parquet:"Note"`
		Day   int32    `parquet:"Day,date"`
		Open  bool     `parquet:"Open"`
		Tags  []string `parquet:"Tags,list"`
	}
	ratio := 1.234
	var file bytes.Buffer
	if err := parquet.Write(&file, []row{
		{"007", 1234, &ratio, "1,5", 20_000, true, []string{"red", "a, b"}},
		{"010", 100_000, nil, "2,5", -1, false, nil},
	}); err != nil {
		t.Fatal(err)
	}
	const types = "Code text, Price number, Ratio number, Note text, Day date, Open checkbox, Tags multi_select"
	const records = `{"Code":"007","Day":"2024-10-04","Note":"1,5","Open":true,"Price":12.34,"Ratio":1.234,` +
		`"Tags":["red","a, b"]}` + "\n" +
		`{"Code":"010","Day":"1969-12-31","Note":"2,5","Open":false,"Price":1000,"Ratio":null,"Tags":null}`
	dry := j.run("/bases/"+j.base+"/imports", `{"dryRun":true,`+content(file.String())+`}`)
	if report := fmt.Sprint(dry["report"]); !strings.Contains(report, "form:parquet") ||
		!strings.Contains(report, "type:multi_select") {
		t.Errorf("the file is read as %s", report)
	}
	made := j.run("/bases/"+j.base+"/imports", `{"name":"Parquet",`+content(file.String())+`}`)
	if made["state"] != "done" {
		t.Fatalf("the import is %v", made)
	}
	table := made["tableId"].(string)
	if got := j.types(table); got != types {
		t.Errorf("the fields are %s", got)
	}
	if got := j.rows(table); got != records {
		t.Errorf("the records are\n%s", got)
	}
	for _, f := range j.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any) {
		if field := f.(map[string]any); field["type"] == "number" {
			j.OK("PATCH", "/fields/"+field["id"].(string), `{"config":{"precision":2}}`)
		}
	}
	exported := j.file(j.run("/tables/"+table+"/exports", `{"format":"parquet"}`))
	out, err := parquet.OpenFile(bytes.NewReader(exported), int64(len(exported)))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, f := range out.Schema().Fields() {
		columns = append(columns, f.String())
	}
	for i, want := range []string{
		"Code: optional binary (STRING)", "Price: optional int64 (DECIMAL(18,2))", "Ratio: optional double",
		"Note: optional binary (STRING)", "Day: optional int32 (DATE)", "Open: optional boolean", "repeated group list",
	} {
		if i >= len(columns) || !strings.Contains(columns[i], want) {
			t.Errorf("column %d is not %s: %v", i, want, columns)
		}
	}
	again := j.run("/bases/"+j.base+"/imports", `{"name":"Again","content":"`+
		base64.StdEncoding.EncodeToString(exported)+`"}`)
	if got := j.rows(again["tableId"].(string)); got != records {
		t.Errorf("the records come back as\n%s", got)
	}
	if got := j.types(again["tableId"].(string)); got != types {
		t.Errorf("the fields come back as %s", got)
	}
}
