package transfer_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/baserow"
	"github.com/rowhouse/rowhouse/tenancy/transfer/baserow/baserowtest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb/nocodbtest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// productMover moves a base of a product at an address. allowed are the networks that may be reached.
func productMover(t *testing.T, from, address, base, token string, allowed ...netip.Prefix) *mover {
	t.Helper()
	request := transfer.ProductImport{Product: from, Address: address, Base: base}
	m := moverInto(t, transfer.ImportProduct, request, token)
	fetch := outbound.NewFetcher(outbound.Options{Allowed: allowed, MaxBody: 64 << 20})
	o := product.Options{API: fetch, Files: fetch, Second: testSecond, Penalty: testSecond}
	m.s.Products = map[string]product.Opener{"nocodb": nocodb.New("", o), "baserow": baserow.New("", o)}
	return m
}

var loopback = netip.MustParsePrefix("127.0.0.0/8")

func startNocoDB(t *testing.T, ships int) (*nocodbtest.Server, *mover) {
	t.Helper()
	fake := nocodbtest.Start(nocodbtest.Harbour(ships)...)
	t.Cleanup(fake.Close)
	return fake, productMover(t, "nocodb", fake.URL, nocodbtest.Base, nocodbtest.Token, loopback)
}

func startBaserow(t *testing.T, ships int) (*baserowtest.Server, *mover) {
	t.Helper()
	fake := baserowtest.Start(baserowtest.Harbour(ships)...)
	t.Cleanup(fake.Close)
	return fake, productMover(t, "baserow", fake.URL, baserowtest.Database, baserowtest.Token, loopback)
}

// cellsAre compares cells of a record, as JSON.
func cellsAre(t *testing.T, record map[string]any, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := string(jsonvalue.Must(record[name])); got != value {
			t.Errorf("%s is %s, and not %s", name, got, value)
		}
	}
}

// leftOut expects that a report lists fields as left out, and no others.
func leftOut(t *testing.T, j *transfer.Job, want ...string) {
	t.Helper()
	listed := map[string]string{}
	for _, one := range j.Report.LeftOut {
		listed[one.Field] = one.Why
	}
	for _, name := range want {
		if listed[name] == "" {
			t.Errorf("%q is not listed as left out", name)
		}
		delete(listed, name)
	}
	if len(listed) > 0 {
		t.Errorf("these were left out, too: %v", listed)
	}
}

func TestABaseOfNocoDBComesWhole(t *testing.T) {
	t.Parallel()
	_, m := startNocoDB(t, 250)
	j := m.bring()
	ships := reportOf(j, "Ships")
	if ships.Created != 250 || ships.Files != 25 || ships.Formulas != 2 || ships.Views != 2 {
		t.Errorf("the report says %+v", ships)
	}
	leftOut(t, j, "Crew", "Odd", "Press", "")
	one := m.records("Ships", "Title")["Ship 20"]
	cellsAre(t, one, map[string]string{
		"Tons": "30", "Price": "2000", "Share": "12.5", "Kind": `"Tug"`, "Flags": `["NO","SE"]`,
		"Built": `"2001-02-03"`, "Seen": `"2024-05-06T07:08:09.000Z"`, "Done": "true", "Stars": "3", "Takes": "5400",
		"Notes": `"**bold**"`, "Site": `"https://example.com"`, "Extra": `"{\"a\":1}"`, "Twice": "60",
		"Owner's mail": `"o5@example.com"`,
		"Id":           "20", "#created": `"2024-03-02T10:30:00.000Z"`,
	})
	if got := string(jsonvalue.Must(one["Papers"])); !strings.Contains(got, "file20.txt") {
		t.Errorf("the papers are %s", got)
	}
	if docks, _ := m.records("Docks", "Title")["Dock 2"]["Ships"].([]any); len(docks) != 83 {
		t.Errorf("the dock has %d ships", len(docks))
	}
	owner := m.records("Owners", "Title")["Owner 5"]
	if got := fmt.Sprint(owner["All tons"]); got != "9562.5" {
		t.Errorf("the owner has %s tons", got)
	}
	table := m.table("Ships")
	if kind := table.FieldByName("Kind"); kind.Config.Options[0].Color != "#cfdffe" {
		t.Errorf("the options are %+v", kind.Config.Options)
	}
	if f := table.FieldByName("Owner"); f.Link == nil || !f.Single() {
		t.Error("a ship has several owners")
	}
	if v := table.Views[0]; v.Config["hiddenFields"] == nil || !v.IsSorted() {
		t.Errorf("the first view has %v", v.Config)
	}
}

func TestAnotherImportFromNocoDBBringsWhatHasChanged(t *testing.T) {
	t.Parallel()
	fake, m := startNocoDB(t, 30)
	m.bring()
	for _, one := range m.bring().Report.Tables {
		if one.Created+one.Updated+one.Links+one.Files+one.Fields+one.Gone > 0 || one.Unchanged != one.Rows {
			t.Errorf("nothing has changed, and %+v came", one)
		}
	}
	fake.Edit(func(tables []*nocodbtest.Table) {
		ships := tables[0]
		ships.Rows[3]["Tons"] = 77.5
		ships.Rows[4]["Owner"] = nocodbtest.Object{"Id": 1, "Title": "Owner 1"}
		ships.Rows = ships.Rows[1:] // the first one is gone
		nocodbtest.AddShip(tables, 40)
	})
	calls := 0
	fake.Fail(func(path string) (int, string, string) { // a request too many
		if calls++; calls == 4 {
			return 429, "1", `{"error":"ERR_TOO_MANY_REQUESTS","message":"Too many requests"}`
		}
		return 0, "", ""
	})
	j := m.bring()
	if got := reportOf(j, "Ships"); got.Created != 1 || got.Updated != 1 || got.Gone != 1 || got.Files != 1 {
		t.Errorf("the report says %+v", got)
	}
	now := m.records("Ships", "Title")
	cellsAre(t, now["Ship 4"], map[string]string{"Tons": "77.5"})
	cellsAre(t, now["Ship 5"], map[string]string{"Owner's mail": `"o1@example.com"`})
	if len(now) != 31 || now["Ship 40"] == nil {
		t.Errorf("there are %d ships", len(now))
	}
}

func TestADatabaseOfBaserowComesWholeAndAgain(t *testing.T) {
	t.Parallel()
	fake, m := startBaserow(t, 250)
	j := m.bring()
	ships := reportOf(j, "Ships")
	if ships.Created != 250 || ships.Files != 25 || ships.Formulas != 2 || ships.Links != 250 {
		t.Errorf("the report says %+v", ships)
	}
	leftOut(t, j, "Odd", "Secret")
	one := m.records("Ships", "Name")["Ship 20"]
	cellsAre(t, one, map[string]string{
		"Tons": "20.5", "Share": "12.5", "Price": "99", "Stars": "3", "Done": "true", "Built": `"2001-02-03"`,
		"Seen": `"2024-05-06T07:08:09.000Z"`, "Takes": "5400", "Kind": `"Tug"`, "Flags": `["NO","SE"]`, "Crew": `"Bea"`,
		"Twice": "41", "Owner's mail": `"o5@example.com"`, "Notes": `"**bold**"`,
		"#created": `"2024-03-02T10:30:00.123Z"`,
	})
	if got := string(jsonvalue.Must(one["Papers"])); !strings.Contains(got, "paper 20.txt") {
		t.Errorf("the papers are %s", got)
	}
	owner := m.records("Owners", "Name")["Owner 5"]
	if owner["How many"] != 50.0 || fmt.Sprint(owner["All tons"]) != "6400" {
		t.Errorf("the owner has %v ships with %v", owner["How many"], owner["All tons"])
	}
	kind := m.table("Ships").FieldByName("Kind").Config.Options
	if kind[0].Color != "blue" || kind[1].Color != "gray" {
		t.Errorf("the options are %+v", kind)
	}
	fake.Edit(func(tables []*baserowtest.Table) {
		tables[0].Rows[3]["field_2"] = "77.5"
		tables[0].Rows = tables[0].Rows[1:]
		baserowtest.AddShip(tables[0], 300)
	})
	again := reportOf(m.bring(), "Ships")
	if again.Created != 1 || again.Updated != 1 || again.Gone != 1 || again.Files != 1 || again.Unchanged != 248 {
		t.Errorf("another import says %+v", again)
	}
	cellsAre(t, m.records("Ships", "Name")["Ship 4"], map[string]string{"Tons": "77.5"})
}

func TestAnImportFromAProductSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		status  int
		body    string
		problem string
	}{
		"a token that was deleted":        {401, `{"error":"AUTHENTICATION_REQUIRED"}`, "does not take the token"},
		"a base that is not there":        {404, `{"error":"BASE_NOT_FOUND","message":"None"}`, "no such base"},
		"a program that is not answering": {502, `<html>`, "does not answer"},
	} {
		fake, m := startNocoDB(t, 1)
		fake.Fail(func(string) (int, string, string) { return want.status, "", want.body })
		if j := m.work(m.begin().ID); j.State != transfer.Failed || !strings.Contains(j.Report.Problem, want.problem) {
			t.Errorf("%s: the job is %s, %+v", name, j.State, j.Report)
		}
	}
	// An address inside of the network is not asked, nor are addresses of files there.
	fake := baserowtest.Start(baserowtest.Harbour(1)...)
	t.Cleanup(fake.Close)
	asked := false
	fake.Fail(func(string) (int, string, string) { asked = true; return 0, "", "" })
	m := productMover(t, "baserow", fake.URL, baserowtest.Database, baserowtest.Token)
	j := m.work(m.begin().ID)
	if j.State != transfer.Failed || asked || !strings.Contains(j.Report.Problem, "address") {
		t.Errorf("the job is %s, %+v; asked: %v", j.State, j.Report, asked)
	}
}
