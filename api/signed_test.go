package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// use sends a request without a credential to a signed address.
func use(t *testing.T, s *apitest.Server, method, address, body string) (int, string) {
	t.Helper()
	path, ok := strings.CutPrefix(address, "http://rowhouse.test")
	if !ok {
		t.Fatalf("%q is not an address of this service", address)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// refuseAddress checks that a signed address is refused.
func refuseAddress(t *testing.T, s *apitest.Server, method, address, body string, want int, words ...string) {
	t.Helper()
	status, raw := use(t, s, method, address, body)
	if status != want {
		t.Errorf("%s answers %d %s, not %d", method, status, raw, want)
	}
	for _, word := range words {
		if !strings.Contains(raw, word) {
			t.Errorf("%s does not say %q: %s", method, word, raw)
		}
	}
}

func TestUploadByAddress(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	table := "/tables/" + w["tableId"]
	c.ID("POST", table+"/fields", `{"name":"Files","type":"attachment"}`)
	made := c.OK("POST", table+"/uploads/address", `{"name":"plan.txt"}`)
	file, address := made["id"].(string), made["url"].(string)
	if made["method"] != "PUT" || made["maxBytes"] != float64(apitest.MaxFile) || made["expiresAt"] == nil {
		t.Errorf("the address is %v", made)
	}
	c.Refused(http.StatusBadRequest, "PATCH", "/records/"+w["recordId"], `{"fields":{"Files":[{"id":"`+file+`"}]}}`,
		file)
	refuseAddress(t, s, "PUT", address, strings.Repeat("x", apitest.MaxFile+1), http.StatusRequestEntityTooLarge)
	if status, raw := use(t, s, "PUT", address, "some words"); status != http.StatusOK ||
		!strings.Contains(raw, file) || !strings.Contains(raw, `"name":"plan.txt"`) {
		t.Fatalf("%d %s", status, raw)
	}
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Files":[{"id":"`+file+`"}]}}`)
	refuseAddress(t, s, "PUT", address, "other words", http.StatusConflict, "upload_used")
	refuseAddress(t, s, "PUT", address[:len(address)-2]+"AA", "words", http.StatusNotFound, "address_ended")
	refuseAddress(t, s, "PUT", address+"?name=b", "words", http.StatusBadRequest)
	refuseAddress(t, s, "GET", strings.Replace(address, "/uploads/", "/downloads/", 1), "", http.StatusNotFound)
	actions := tenancytest.Actions(t, s.Deps.DB, c.Orgs[0].Org)
	if !slices.Contains(actions, "create_upload") || !slices.Contains(actions, "create_attachment") {
		t.Errorf("the audit log tells of %v", actions)
	}
	exact := c.OK("POST", table+"/uploads/address", `{"name":"a.txt","size":5}`)["url"].(string)
	refuseAddress(t, s, "PUT", exact, "four", http.StatusBadRequest, "other_size")
	if status, raw := use(t, s, "PUT", exact, "fives"); status != http.StatusOK {
		t.Errorf("%d %s", status, raw)
	}
	c.Refused(http.StatusRequestEntityTooLarge, "POST", table+"/uploads/address", `{"name":"a","size":9999999}`)
}

func TestDownloadByAddress(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	table := "/tables/" + w["tableId"]
	c.OK("POST", table+"/records", `{"records":[{"fields":{"Name":"Second"}},{"fields":{"Name":"Third"}}]}`)
	made := c.OK("POST", table+"/records/export/address",
		`{"filters":[{"fieldId":"Name","op":"neq","value":"Second"}],"fields":["Name"]}`)
	if made["method"] != "GET" || made["total"] != 2.0 {
		t.Errorf("the address is %v", made)
	}
	status, raw := use(t, s, "GET", made["url"].(string), "")
	if status != http.StatusOK || raw != "Name\r\nFirst\r\nThird\r\n" {
		t.Errorf("%d %q", status, raw)
	}
	c.Refused(http.StatusBadRequest, "POST", table+"/records/export/address", `{"fields":["Nmae"]}`, "Name")
	actions := tenancytest.Actions(t, s.Deps.DB, c.Orgs[0].Org)
	if !slices.Contains(actions, "export_records") {
		t.Errorf("the audit log tells of %v", actions)
	}
}

func TestSignedAddressesEndWithRights(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	org := owner.Orgs[0].Org
	addresses := func(c *apitest.Client) (up, down string) {
		t.Helper()
		up, _ = c.OK("POST", "/tables/"+w["tableId"]+"/uploads/address", `{"name":"a.txt"}`)["url"].(string)
		down, _ = c.OK("POST", "/tables/"+w["tableId"]+"/records/export/address", `{}`)["url"].(string)
		return up, down
	}
	member := func() *apitest.Client {
		return s.As(t, apitest.Principal(tenancytest.Person(t, s.Deps.DB), org, organization.Editor))
	}
	revoked := member()
	up, down := addresses(revoked)
	s.Revoke(revoked)
	refuseAddress(t, s, "PUT", up, "words", http.StatusForbidden, "address_ended")
	refuseAddress(t, s, "GET", down, "", http.StatusForbidden, "address_ended")

	removed := member()
	up, down = addresses(removed)
	former := *removed.Principal
	former.Orgs = []authz.Membership{}
	s.Set(removed, &former)
	refuseAddress(t, s, "PUT", up, "words", http.StatusNotFound)
	refuseAddress(t, s, "GET", down, "", http.StatusNotFound)

	viewer := member()
	up, down = addresses(viewer)
	s.Set(viewer, apitest.Principal(viewer.Person, org, organization.Viewer))
	refuseAddress(t, s, "PUT", up, "words", http.StatusForbidden, "insufficient_role")
	if status, raw := use(t, s, "GET", down, ""); status != http.StatusOK {
		t.Errorf("a viewer may read, and gets %d %s", status, raw)
	}

	up, down = addresses(member())
	kept := s.Deps.Signed
	s.Deps.Signed = kept.At(func() time.Time { return time.Now().Add(signed.Life) })
	refuseAddress(t, s, "PUT", up, "words", http.StatusNotFound, "address_ended")
	refuseAddress(t, s, "GET", down, "", http.StatusNotFound, "address_ended")
	s.Deps.Signed = kept
}

func TestImportUploadedFile(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	table := "/tables/" + w["tableId"]
	c.ID("POST", table+"/fields", `{"name":"Tons","type":"number"}`)
	var text strings.Builder
	text.WriteString("Name,Tons\n")
	for i := range 20_001 {
		tons := fmt.Sprintf(`"1,%03d"`, i%1000) // only a number of the whole file decides it
		if i == 20_000 {
			tons = `"2,500.5"`
		}
		fmt.Fprintf(&text, "Ship %d,%s\n", i, tons)
	}
	upload := c.OK("POST", table+"/uploads/address", `{"name":"ships.csv"}`)
	if status, raw := use(t, s, "PUT", upload["url"].(string), text.String()); status != http.StatusOK {
		t.Fatalf("%d %s", status, raw)
	}
	file := upload["id"].(string)
	c.Refused(http.StatusBadRequest, "POST", table+"/records/import", `{}`, "csv", "create_upload")
	c.Refused(http.StatusBadRequest, "POST", table+"/records/import", `{"csv":"Name\na\n","file":"`+file+`"}`, "file")
	c.Refused(http.StatusBadRequest, "POST", table+"/records/import", `{"file":"`+file+`","offset":20001}`, "20001")
	first := c.OK("POST", table+"/records/import", `{"file":"`+file+`"}`)
	if first["created"] != 20_000.0 || first["rows"] != 20_001.0 || first["nextOffset"] != 20_000.0 {
		t.Fatalf("the first call answers %v", first)
	}
	rest := c.OK("POST", table+"/records/import", `{"file":"`+file+`","offset":20000}`)
	if rest["created"] != 1.0 || rest["nextOffset"] != nil {
		t.Fatalf("the second call answers %v", rest)
	}
	read := c.OK("POST", table+"/records/export",
		`{"filters":[{"fieldId":"Name","op":"in","value":["Ship 7","Ship 20000"]}],"fields":["Name","Tons"]}`)
	if read["csv"] != "Name,Tons\r\nShip 7,1007\r\nShip 20000,2500.5\r\n" {
		t.Errorf("it wrote %q", read["csv"])
	}
	other := s.As(t, apitest.Principal(tenancytest.Person(t, s.Deps.DB), c.Orgs[0].Org, organization.Editor))
	other.Refused(http.StatusNotFound, "POST", table+"/records/import", `{"file":"`+file+`"}`, file)
}

func TestImportListsEveryRefusedRow(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	table := "/tables/" + w["tableId"]
	c.ID("POST", table+"/fields", `{"name":"Tons","type":"number"}`)
	var text strings.Builder
	text.WriteString("Name,Tons\n")
	for i := range 300 {
		tons := "1"
		if i%2 == 1 {
			tons = fmt.Sprintf("heavy %d", i)
		}
		fmt.Fprintf(&text, "=Ship %d,%s\n", i, tons)
	}
	body, err := json.Marshal(map[string]any{"csv": text.String(), "skipRefused": true})
	if err != nil {
		t.Fatal(err)
	}
	got := c.OK("POST", table+"/records/import", string(body))
	refusals, _ := got["refusals"].([]any)
	if got["refused"] != 150.0 || got["created"] != 150.0 || len(refusals) != 100 || got["moreRefusals"] != 50.0 {
		t.Fatalf("it answers %v", got)
	}
	file, _ := got["refusedFile"].(map[string]any)
	if file == nil || file["name"] != "refused.csv" || file["url"] == nil {
		t.Fatalf("there is no file: %v", got["refusedFile"])
	}
	stored, err := id.Parse(id.Attachment, file["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	_, content, err := s.Deps.Files.Content(t.Context(), c.Orgs[0].Org, stored, false)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(content)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\r\n")
	if err != nil || len(lines) != 151 || lines[0] != "Line,Mistakes,Name,Tons" ||
		!strings.HasPrefix(lines[150], "301,\"Tons: ") || !strings.HasSuffix(lines[150], ",'=Ship 299,heavy 299") {
		t.Errorf("the file has %d lines, at last %q: %v", len(lines), lines[len(lines)-1], err)
	}
	few := c.OK("POST", table+"/records/import", `{"csv":"Name,Tons\na,x\n","skipRefused":true}`)
	if few["refusedFile"] != nil || few["refused"] != 1.0 {
		t.Errorf("few refused rows answer %v", few)
	}
}

func TestTooManyElementsNameWhatTakesMore(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/tables/" + w["tableId"] + "/records"
	many := func(element string) string { return strings.TrimSuffix(strings.Repeat(element+",", 101), ",") }
	c.Refused(http.StatusBadRequest, "POST", path, `{"records":[`+many(`{"fields":{}}`)+`]}`, "at most 100",
		"import_records")
	c.Refused(http.StatusBadRequest, "PATCH", path, `{"records":[`+many(`{"id":"`+w["recordId"]+`","fields":{}}`)+`]}`,
		"at most 100", "update_records_where")
	c.Refused(http.StatusBadRequest, "DELETE", path, `{"ids":[`+many(`"`+w["recordId"]+`"`)+`]}`, "at most 100",
		"delete_records_where")
}
