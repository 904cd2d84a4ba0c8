package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// testAddresses sends and fetches files at signed addresses, merges two records and restores them.
func testAddresses(t *testing.T, w *world) {
	f := w.newFleet(t)
	path := func(url string) string {
		_, rest, found := strings.Cut(url, "/api/v1")
		if !found {
			t.Fatalf("the address is %q", url)
		}
		return rest
	}
	made := f.ok("POST", f.path("uploads/address"), `{"name":"more.csv"}`)
	sent := f.send("PUT", path(made.text("url")), []byte("Name,Tons\nDagny,7\n"), "text/csv")
	if sent.status != 200 || sent.text("id") != made.text("id") {
		t.Errorf("sending a file: %d %s", sent.status, sent.raw)
	}
	imported := f.ok("POST", f.path("records/import"), fmt.Sprintf(`{"file":%q}`, made.text("id")))
	if imported.get("created") != 1.0 {
		t.Errorf("the import of the file: %s", imported.raw)
	}
	address := f.ok("POST", f.path("records/export/address"), `{"fields":["Name"]}`)
	if got := f.send("GET", path(address.text("url")), nil, ""); got.status != 200 ||
		!strings.Contains(string(got.raw), "Dagny") {
		t.Errorf("fetching an export: %d %s", got.status, got.raw)
	}

	view := f.ok("POST", f.path("views"), `{"type":"grid"}`).text("id")
	f.ok("POST", "/views/"+view+"/records/move",
		fmt.Sprintf(`{"ids":[%q],"after":%q}`, f.records["Unnumbered"], f.records["Ingrid"]))

	dashboards := "/bases/" + f.base + "/dashboards"
	dashboard := f.ok("POST", dashboards, `{"name":"Cargo"}`).text("id")
	tile := fmt.Sprintf(`{"viewId":%q,"column":0,"row":0,"width":6,"height":4}`, view)
	f.ok("PATCH", dashboards+"/"+dashboard, `{"tiles":[`+tile+`]}`)
	if got := f.ok("GET", dashboards+"/"+dashboard, ""); got.text("tiles.0.viewId") != view {
		t.Errorf("the dashboard: %s", got.raw)
	}
	if got := f.ok("GET", dashboards, ""); !strings.Contains(string(got.raw), dashboard) {
		t.Errorf("the dashboards: %s", got.raw)
	}
	f.ok("DELETE", dashboards+"/"+dashboard, "")

	merged := f.ok("POST", f.path("records/merge"),
		fmt.Sprintf(`{"keep":%q,"merge":[%q]}`, f.records["Unnumbered"], f.records["Ingrid"]))
	if merged.get("record.fields.Tons") != 1200.0 {
		t.Errorf("the merged record: %s", merged.raw)
	}
	f.ok("POST", "/records/"+f.records["Unnumbered"]+"/restore", fmt.Sprintf(`{"asOf":%q}`, merged.text("changeSet")))
	if now := f.ok("GET", "/records/"+f.records["Unnumbered"], ""); now.get("fields.Tons") != nil {
		t.Errorf("the restored record: %s", now.raw)
	}
}
