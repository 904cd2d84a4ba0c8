package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// Whoever sees a computed field whose result is revealed reads what creators read, and nothing of what it is computed
// from: in a base in which fields are hidden, and in one in which row rules hide records as well.
func TestRevealedResult(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	add := func(table, body string) string { return r.owner.ID("POST", "/tables/"+table+"/fields", body) }
	formula := func(name, text string) string {
		return add(r.tasks, fmt.Sprintf(`{"name":%q,"type":"formula","config":{"formula":%q}}`, name, text))
	}
	rate := add(r.tasks, `{"name":"Rate","type":"number"}`)
	fee := formula("Fee", "{Rate} * 2")
	formula("Bill", "{Fee} + 1")
	all := add(r.projects, `{"name":"All fees","type":"rollup","config":{"linkFieldId":"Tasks","fieldId":"Fee",
		"function":"SUM"}}`)
	r.owner.OK("PATCH", "/records/"+r.own, `{"fields":{"Rate":20}}`)
	r.owner.OK("PATCH", "/records/"+r.other, `{"fields":{"Rate":300}}`)
	permit := func(table, body string) {
		r.owner.OK("PATCH", "/tables/"+table+"/permissions", `{"fields":[`+body+`]}`)
	}
	permit(r.tasks, `{"fieldId":"`+rate+`","read":{"role":"creator"}}`)
	r.owner.Refused(http.StatusBadRequest, "PATCH", "/tables/"+r.tasks+"/permissions",
		`{"fields":[{"fieldId":"`+rate+`","reveal":true}]}`, "not computed")
	r.editor.Refused(http.StatusNotFound, "GET", "/fields/"+fee, "", "field")
	permit(r.tasks, `{"fieldId":"`+fee+`","reveal":true}`)
	permit(r.projects, `{"fieldId":"`+all+`","reveal":true}`)

	look := func(ruled string) {
		t.Helper()
		fields := r.editor.OK("GET", "/records/"+r.own, "")["fields"].(map[string]any)
		if fmt.Sprint(fields["Fee"], fields["Bill"], fields["Rate"]) != "40 41 <nil>" {
			t.Errorf("%s, the editor reads %v", ruled, fields)
		}
		if got := r.editor.OK("GET", "/records/"+r.project, "")["fields"].(map[string]any)["All fees"]; got != 640.0 {
			t.Errorf("%s, the revealed sum is %v", ruled, got)
		}
		for _, path := range []string{"/fields/" + fee, "/tables/" + r.tasks, "/bases/" + r.base, "/fields/" + all} {
			_, _, raw := r.editor.Do("GET", path, "")
			if strings.Contains(raw, rate) || strings.Contains(raw, "Rate") ||
				!strings.Contains(raw, `"formula"`) && !strings.Contains(raw, `"rollup"`) {
				t.Errorf("%s, GET %s says %s", ruled, path, raw)
			}
		}
		for _, order := range []string{
			"filters=" + url.QueryEscape(`[{"fieldId":"Fee","op":"eq","value":40}]`),
			"sorts=" + url.QueryEscape(`[{"fieldId":"Bill","dir":"desc"}]`),
		} {
			_, _, raw := r.editor.Do("GET", "/tables/"+r.tasks+"/records?"+order, "")
			if !strings.Contains(raw, r.own) {
				t.Errorf("%s, %s: %s", ruled, order, raw)
			}
		}
	}
	look("with rules")
	r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", `{"rules":[]}`)
	look("without rules")
	entries := r.owner.OK("GET", "/records/"+r.own+"/history?detail=full", "")["entries"].([]any)
	past := r.editor.OK("GET", "/tables/"+r.tasks+"/records?asOf="+
		url.QueryEscape(entries[0].(map[string]any)["time"].(string)), "")
	if text := fmt.Sprint(past); !strings.Contains(text, "Mine") || strings.Contains(text, "Fee:40") {
		t.Errorf("the past is %s", text)
	}
	why := r.owner.OK("POST", "/bases/"+r.base+"/access/explain", fmt.Sprintf(`{"userId":%q,"tableId":%q,"fieldId":%q}`,
		userOf(r.editor), r.tasks, fee))
	const revealed = `Its result is revealed, although it is computed from "Rate"`
	if text := fmt.Sprint(why); why["field"] == "hidden" || !strings.Contains(text, revealed) {
		t.Errorf("the explanation is %s", text)
	}
	permit(r.tasks, `{"fieldId":"`+fee+`","reveal":false}`)
	r.editor.Refused(http.StatusNotFound, "GET", "/fields/"+fee, "", "field")
}
