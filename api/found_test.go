package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// What the drills found, one test each.

func TestAnUpsertWhoseKeyNoRowGivesInserts(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"Base"}`)+"/tables", `{"name":"T"}`)
	for range 2 {
		made := c.OK("POST", "/tables/"+table+"/records", `{"fields":{},"upsertOn":["Name"]}`)
		if len(made["created"].([]any)) != 1 {
			t.Errorf("made %v", made)
		}
	}
}

func TestRecordsThatASearchFindsAreAggregated(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	for name, fields := range map[string]string{
		"without people": `[{"name":"Name","type":"text"}]`, "with people": `[{"name":"Name","type":"text"},{"name":"Who","type":"user"}]`,
	} {
		table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"`+name+`","fields":`+fields+`}`)
		c.OK("POST", "/tables/"+table+"/records", `{"records":[{"fields":{"Name":"one house"}},{"fields":{"Name":"two houses"}},{"fields":{"Name":"none"}}]}`)
		got := c.OK("GET", "/tables/"+table+"/records/aggregate?search=house", "")
		if !strings.Contains(fmt.Sprint(got), "count:2") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAWholeNumberIsWrittenAsOne(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	table := c.ID("POST", "/bases/"+c.ID("POST", "/bases", `{"name":"Base"}`)+"/tables", `{"name":"T"}`)
	for _, text := range []string{"1E1", "1.0", "1e400", "1.5"} {
		c.Refused(400, "GET", "/tables/"+table+"/records?limit="+text, "", "limit", "whole number")
	}
}
