package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// testComputed goes through the life of a formula over the interface. It leaves the fleet as it was.
func testComputed(t *testing.T, f *fleet) {
	c := f.caller.in(t)
	check := c.ok("POST", f.path("formula/check"), `{"formula":"{Tons} * 2"}`)
	if check.text("type") != "number" || check.get("values.0.recordId") == nil {
		t.Error(check.raw)
	}
	wrong := c.ok("POST", f.path("formula/check"), `{"formula":"1 + {Tns}"}`)
	if wrong.get("problems.0.line") != 1.0 || wrong.get("problems.0.column") != 5.0 ||
		wrong.get("problems.0.length") != 5.0 || !strings.Contains(wrong.text("problems.0.message"), `"Tons"`) {
		t.Error(wrong.raw)
	}
	c.refused(400, "POST", f.path("fields"), `{"name":"Half","type":"formula","config":{"formula":"{Tns} / 2"}}`)
	made := c.ok("POST", f.path("fields"), `{"name":"Half","type":"formula","config":{"formula":"{Tons} / 2"}}`)
	half := made.text("id")
	made = c.ok("POST", f.path("records"), `{"fields":{"Name":"Computed","Tons":7}}`)
	row := made.text("records.0.id")
	if made.get("records.0.fields.Half") != 3.5 {
		t.Error(made.raw)
	}
	c.refused(400, "PATCH", "/records/"+row, `{"fields":{"Half":1}}`)
	found := c.ok("GET", f.path("records")+query("filters", `[{"fieldId":"Half","op":"eq","value":3.5}]`), "")
	if found.get("total") != 1.0 {
		t.Error(found.raw)
	}
	if got := c.ok("GET", "/fields/"+f.fields["Tons"], ""); got.text("readBy.0.id") != half {
		t.Error(got.raw)
	}
	if got := c.ok("GET", "/fields/"+half, ""); got.text("config.formula") != "{Tons} / 2" ||
		got.text("config.resultType") != "number" {
		t.Error(got.raw)
	}
	c.refused(409, "PATCH", "/fields/"+f.fields["Tons"], `{"type":"text"}`)
	gone := c.ok("DELETE", "/fields/"+f.fields["Tons"], "")
	if gone.text("broken.0.id") != half {
		t.Error(gone.raw)
	}
	if got := c.ok("GET", "/records/"+row, ""); got.text("fields.Half.error") != "source_missing" {
		t.Error(got.raw)
	}
	if got := c.ok("GET", "/fields/"+half, ""); got.text("problem") == "" {
		t.Error(got.raw)
	}
	c.ok("POST", "/bases/"+f.base+"/trash/restore", fmt.Sprintf(`{"items":[%q]}`, f.fields["Tons"]))
	if got := c.ok("GET", "/records/"+row, ""); got.get("fields.Half") != 3.5 {
		t.Error(got.raw)
	}
	c.ok("DELETE", "/fields/"+half, "")
	c.ok("DELETE", "/records/"+row, "")
}
