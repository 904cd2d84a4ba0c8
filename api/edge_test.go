package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// An error of PostgreSQL gives an explanation and never status 500.
func TestDatabaseErrorsAreExplained(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"B"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"T"}`)
	fields := "/tables/" + table + "/fields"
	c.ID("POST", fields, `{"name":"N","type":"number"}`)
	records := "/tables/" + table + "/records"
	c.OK("POST", records, `{"records":[{"fields":{"N":1.7e308}},{"fields":{"N":1.7e308}}]}`)
	for _, fn := range []string{"sum", "avg"} {
		c.Refused(http.StatusBadRequest, "GET", "/tables/"+table+"/records/aggregate?aggregates="+
			apitest.Query([]map[string]string{{"fn": fn, "fieldId": "N"}}), "", fn+"(N)", "1.8e308")
	}

	// Text that is too long for the index of a unique field, in every kind of write.
	random := strings.Builder{}
	for i := range 4000 {
		fmt.Fprintf(&random, "%c", 0x4e00+(i*7919+i*i*31)%20000)
	}
	long := random.String()
	explained := func(path, method, target, body string) {
		t.Helper()
		c.Refused(http.StatusBadRequest, method, target, body, "2,700 bytes", `"path":"`+path+`"`)
	}
	c.ID("POST", fields, `{"name":"U","type":"text","config":{"unique":true}}`)
	explained("fields.U", "POST", records, `{"fields":{"U":"`+long+`"}}`)
	explained("records[1].fields.U", "POST", records, `{"records":[{"fields":{}},{"fields":{"U":"`+long+`"}}]}`)
	plain := c.ID("POST", fields, `{"name":"P","type":"text"}`)
	c.OK("POST", records, `{"fields":{"P":"`+long+`"}}`)
	explained("config.unique", "PATCH", "/fields/"+plain, `{"config":{"unique":true}}`)
	explained("config.unique", "PATCH", "/fields/"+plain, `{"type":"long_text","config":{"unique":true}}`)

	// Characters and numbers that jsonb rejects.
	view := c.ID("POST", "/tables/"+table+"/views", `{"type":"grid"}`)
	for _, probe := range [][3]string{
		{"PATCH", "/fields/" + plain, `{"config":{"description":"a\u0000b"}}`},
		{"PATCH", "/fields/" + plain, `{"config":{"description":"a\ud800b"}}`},
		{"PATCH", "/fields/" + plain, `{"config":{"default":"a\u0000b"}}`},
		{"PATCH", "/views/" + view, `{"config":{"mine":"a\u0000b"}}`},
		{"PATCH", "/views/" + view, `{"config":{"mine":"a\ud800b"}}`},
		{"PATCH", "/views/" + view, `{"config":{"mine":1e400000}}`},
		{"PATCH", "/views/" + view, `{"config":{"mine\u0000":1}}`},
		{"PATCH", "/views/" + view, `{"config":{"mine":1e-400000}}`},
		{"PATCH", "/views/" + view, `{"config":{"title":"a\u0000"}}`},
		{"PATCH", "/tables/" + table, `{"icon":{"kind":"emoji","value":"\u0000"}}`},
		{"PATCH", "/tables/" + table, `{"name":"a\u0000"}`},
		{"POST", records, `{"fields":{"Name":"a\u0000"}}`},
		{"POST", records, `{"fields":{"a\u0000":"a"}}`},
		{"GET", records + "?filters=" + url.QueryEscape(`[{"fieldId":"Name","op":"eq","value":"a\u0000"}]`), ""},
		{"GET", records + "?search=%00", ""},
		{"GET", records + "?search=%ff", ""},
	} {
		c.Refused(http.StatusBadRequest, probe[0], probe[1], probe[2])
	}
}

// A table that is deleted while its indexes are read is reported as missing.
func TestListIndexesDuringTableDeletion(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	base := c.ID("POST", "/bases", `{"name":"B"}`)
	for i := range 15 {
		table := c.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"T %d"}`, i))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 200 {
					status, body, _ := c.Do("GET", "/tables/"+table+"/indexes", "")
					if status == http.StatusNotFound {
						return
					}
					if list, _ := body["indexes"].([]any); status != http.StatusOK || len(list) == 0 {
						t.Errorf("%d %v", status, body)
						return
					}
				}
			})
		}
		c.OK("DELETE", "/tables/"+table, "")
		all.Wait()
	}
}
