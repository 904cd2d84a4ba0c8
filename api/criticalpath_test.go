package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// A critical path is that of the records that its reader reads, and of fields that are not hidden.
func TestACriticalPathIsOfWhatOneReads(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	add := func(body string) string { return r.owner.ID("POST", "/tables/"+r.tasks+"/fields", body) }
	day := add(`{"name":"Day","type":"date"}`)
	add(`{"name":"After","type":"link","config":{"linkedTableId":"` + r.tasks + `"}}`)
	write := func(record, fields string) { r.owner.OK("PATCH", "/records/"+record, `{"fields":{`+fields+`}}`) }
	next := r.task(r.owner, "Next", userOf(r.editor), 1)
	write(r.own, `"Day":"2026-11-30"`)
	write(next, `"Day":"2026-12-04","After":["`+r.own+`"]`)

	path := "/tables/" + r.tasks + "/records/critical-path?startFieldId=Day&dependsOnFieldId=After&maxSlack=100"
	before := fmt.Sprint(r.editor.OK("GET", path, ""))
	if !strings.Contains(before, "end:2026-12-04") || !strings.Contains(before, "slack:3") {
		t.Errorf("the editor's critical path is %s", before)
	}
	// A hidden record that ends later, has the others in a circle and lies between them changes nothing.
	write(r.other, `"Day":"2026-12-24","After":["`+next+`"]`)
	write(r.own, `"After":["`+r.other+`"]`)
	if after := fmt.Sprint(r.editor.OK("GET", path, "")); after != before {
		t.Errorf("with a hidden record, the editor's critical path is %s, and was %s", after, before)
	}
	if status, _, answer := r.owner.Do("GET", path, ""); status != http.StatusConflict ||
		!strings.Contains(answer, "dependency_cycle") || !strings.Contains(answer, "Secret") {
		t.Errorf("of a circle, the owner is told %d %s", status, answer)
	}
	r.owner.OK("PATCH", "/tables/"+r.tasks+"/permissions", `{"fields":[{"fieldId":"`+day+
		`","read":{"role":"creator"}}]}`)
	if status, _, answer := r.editor.Do("GET", path, ""); status != http.StatusBadRequest ||
		!strings.Contains(answer, "startFieldId") {
		t.Errorf("by a hidden field, the editor is told %d %s", status, answer)
	}
}
