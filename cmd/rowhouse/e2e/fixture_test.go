package e2e

import (
	"fmt"
	"testing"
)

// A fleet is a base of one table with records, for the tests of reading and writing records.
type fleet struct {
	*caller
	base, table string
	fields      map[string]string // ids by name
	records     map[string]string // ids by name
}

// newFleet makes a table of ships. What is not said of a ship is empty.
func (c *caller) newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{caller: c.in(t), fields: map[string]string{}, records: map[string]string{}}
	f.base = f.ok("POST", "/bases", `{"name":"Fleet"}`).text("id")
	f.table = f.ok("POST", "/bases/"+f.base+"/tables", `{"name":"Ships"}`).text("id")
	for _, body := range []string{
		`{"name":"Tons","type":"number"}`,
		`{"name":"Kind","type":"single_select","config":{"options":["Tug","Ferry","Barge"]}}`,
		`{"name":"Flags","type":"multi_select","config":{"options":["NO","SE","DK"]}}`,
		`{"name":"Laid up","type":"checkbox"}`,
		`{"name":"Launched","type":"date"}`,
		`{"name":"Seen","type":"datetime"}`,
		`{"name":"Notes","type":"long_text"}`,
	} {
		made := f.ok("POST", f.path("fields"), body)
		f.fields[made.text("name")] = made.text("id")
	}
	f.fields["Name"] = f.ok("GET", f.path("fields"), "").text("fields.0.id")
	f.add(
		`{"Name":"Solveig","Tons":420.5,"Kind":"Ferry","Flags":["NO","SE"],"Launched":"1987-05-17",`+
			`"Seen":"2026-01-02T03:04:05Z","Notes":"Carries cars to Ærø."}`,
		`{"Name":"Aase","Tons":90,"Kind":"Tug","Flags":["NO"],"Laid up":true,"Launched":"2001-12-31"}`,
		`{"Name":"Ingrid","Tons":1200,"Kind":"Barge"}`,
		`{"Name":"Ragna","Tons":90,"Kind":"Tug","Notes":"50% of the crew_list is known."}`,
		`{"Name":"Unnumbered"}`,
	)
	return f
}

// in returns the fleet for a part of the test.
func (f *fleet) in(t *testing.T) *fleet {
	other := *f
	other.caller = f.caller.in(t)
	return &other
}

func (f *fleet) path(below string) string { return "/tables/" + f.table + "/" + below }

// add creates records from the JSON of their fields.
func (f *fleet) add(fields ...string) {
	f.t.Helper()
	body := ""
	for _, of := range fields {
		body += fmt.Sprintf(`,{"fields":%s}`, of)
	}
	made := f.ok("POST", f.path("records"), `{"records":[`+body[1:]+`]}`)
	for i := range fields {
		f.records[made.text(fmt.Sprintf("records.%d.fields.Name", i))] = made.text(fmt.Sprintf("records.%d.id", i))
	}
}

// names returns the names of the records of a page, in their order.
func names(a answer) []string {
	list := []string{}
	records, _ := a.get("records").([]any)
	for _, r := range records {
		name, _ := at(r, "fields.Name").(string)
		list = append(list, name)
	}
	return list
}
