package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestTheTokenOfADryRunAppliesItOnceAndWhileNothingHasChanged(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	imports, file := "/tables/"+j.table+"/imports", content("Name,Amount\nfour,4\n")
	planned := func() string {
		t.Helper()
		report := j.run(imports, `{"dryRun":true,`+file+`}`)["report"].(map[string]any)
		token, _ := report["planToken"].(string)
		until, err := time.Parse(time.RFC3339, fmt.Sprint(report["expiresAt"]))
		if !strings.HasPrefix(token, "pln_") || err != nil || !until.After(time.Now()) {
			t.Fatalf("the report of a dry run is %v", report)
		}
		return token
	}
	apply := func(token, more string) string { return `{"apply":"` + token + `",` + file + more + `}` }

	token := planned()
	j.Refused(http.StatusBadRequest, "POST", imports, apply(token, `,"onBad":"empty"`), "other arguments")
	j.Refused(http.StatusBadRequest, "POST", imports, apply(token, `,"dryRun":true`), "together with dryRun")
	principal := apitest.Principal(j.Person, j.Orgs[0].Org, organization.Owner)
	principal.Credential = "another"
	j.server.As(t, principal).Refused(http.StatusConflict, "POST", imports, apply(token, ""), "another credential")
	done := j.run(imports, apply(token, ""))
	if table := done["report"].(map[string]any)["tables"].([]any)[0].(map[string]any); table["created"] != 1.0 {
		t.Errorf("applied: %v", done)
	}
	j.Refused(http.StatusConflict, "POST", imports, apply(token, ""), "applied already")

	token = planned()
	fields := j.OK("GET", "/tables/"+j.table+"/fields", "")["fields"].([]any)
	amount := fields[1].(map[string]any)["id"].(string)
	j.OK("PATCH", "/fields/"+amount, `{"name":"Sum"}`)
	j.ID("POST", "/tables/"+j.table+"/fields", `{"name":"Note","type":"text"}`)
	j.Refused(http.StatusConflict, "POST", imports, apply(token, ""), `\"Amount\" was renamed \"Sum\"`,
		`\"Note\" was made`)

	token, file = planned(), content("Name,Amount\nfive,5\n")
	before := j.rows(j.table)
	failed := j.run(imports, apply(token, ""))
	if text := fmt.Sprint(failed["report"]); failed["state"] != "failed" || !strings.Contains(text, "another file") {
		t.Errorf("with another file: %v", failed)
	}
	if now := j.rows(j.table); now != before {
		t.Errorf("an import that was refused has written %s", now)
	}
}

func TestTheTokenOfADryRunMakesATable(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	imports, body := "/bases/"+j.base+"/imports", content("Ship,Tons\nAlma,2100\n")
	report := j.run(imports, `{"dryRun":true,"name":"Fleet",`+body+`}`)["report"].(map[string]any)
	done := j.run(imports, `{"name":"Fleet","apply":"`+report["planToken"].(string)+`",`+body+`}`)
	if done["state"] != "done" || j.types(done["tableId"].(string)) != "Ship text, Tons number" {
		t.Errorf("applied: %v", done)
	}
}
