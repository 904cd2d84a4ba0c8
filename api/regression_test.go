package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// Regressions that the chaos tests found.

func TestUpsertWithoutKeyValueIsRefused(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"Base"}`)+"/tables", `{"name":"T"}`)
	c.Refused(http.StatusBadRequest, "POST", "/tables/"+table+"/records", `{"fields":{},"upsertOn":["Name"]}`,
		"fields.Name", "is empty, and upsertOn names it")
}

func TestAggregateWithSearch(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	for name, fields := range map[string]string{
		"without people": `[{"name":"Name","type":"text"}]`,
		"with people":    `[{"name":"Name","type":"text"},{"name":"Who","type":"user"}]`,
	} {
		table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"`+name+`","fields":`+fields+`}`)
		c.OK("POST", "/tables/"+table+"/records",
			`{"records":[{"fields":{"Name":"one house"}},{"fields":{"Name":"two houses"}},{"fields":{"Name":"none"}}]}`)
		got := c.OK("GET", "/tables/"+table+"/records/aggregate?search=house", "")
		if !strings.Contains(fmt.Sprint(got), "count:2") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestIntegerParameterRejectsFractionsAndExponents(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"Base"}`)+"/tables", `{"name":"T"}`)
	for _, text := range []string{"1E1", "1.0", "1e400", "1.5"} {
		c.Refused(400, "GET", "/tables/"+table+"/records?limit="+text, "", "limit", "whole number")
	}
}

// PostgreSQL stores such numbers in JSON, but most programs cannot read them.
func TestNumbersBeyondDoubleRangeAreRejected(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"Base"}`)+"/tables",
		`{"name":"T","fields":[{"name":"Name","type":"text"},{"name":"J","type":"json"}]}`)
	for _, number := range []string{"1e400", "-1e400", "1" + strings.Repeat("0", 400)} {
		c.Refused(400, "POST", "/tables/"+table+"/views", `{"type":"grid","config":{"own":[{"x":`+number+`}]}}`,
			"config.own[0].x", "beyond the range")
		c.Refused(400, "POST", "/tables/"+table+"/records", `{"fields":{"J":{"x":`+number+`}}}`, "beyond the range")
	}
	c.OK("POST", "/tables/"+table+"/records",
		`{"fields":{"J":{"x":[1.7976931348623157e308,-1e-400,123456789012345678901234567890]}}}`)
}
