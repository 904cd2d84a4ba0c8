package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// The stream contains what the operation returns in parts, under the same rights.
func TestExportIsStreamed(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	var rows strings.Builder
	rows.WriteString("Name,Spare\n")
	for i := range 2300 {
		fmt.Fprintf(&rows, "row %d,=%d\n", i, i)
	}
	body, err := json.Marshal(map[string]string{"csv": rows.String()})
	if err != nil {
		t.Fatal(err)
	}
	owner.OK("POST", "/tables/"+w["tableId"]+"/records/import", string(body))
	path := "/tables/" + w["tableId"] + "/records/export"
	filtered := path + "?filters=" + url.QueryEscape(`[{"field":"Name","op":"starts_with","value":"row"}]`) +
		"&fields=Name&fields=Spare"

	send := func(method, path string) (http.Header, string) {
		request, err := http.NewRequestWithContext(t.Context(), method, owner.URL()+api.Prefix+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("x-api-key", owner.Key())
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%d %s %v", response.StatusCode, text, err)
		}
		return response.Header, string(text)
	}
	header, text := send("GET", filtered)
	if header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" {
		t.Error(header)
	}
	got, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(got) != 2301 || got[0][0] != "Name" || got[2300][1] != "'=2299" {
		t.Fatal(err, len(got))
	}
	answer := owner.OK("POST", path, `{"filters":[{"field":"Name","op":"starts_with","value":"row"}],`+
		`"fields":["Name","Spare"]}`)
	if answer["csv"] != text || answer["rows"] != 2300.0 || answer["guarded"] != 2300.0 || answer["hasMore"] != false {
		t.Errorf("the operation answers %v rows", answer["rows"])
	}
	if header, text := send("HEAD", path); text != "" || header.Get("Content-Type") == "" {
		t.Error(header, text)
	}

	if _, marked := send("GET", filtered+"&bom=true"); marked != "\ufeff"+text {
		t.Errorf("with a mark the text begins %.20q", marked)
	}
	owner.Refused(http.StatusBadRequest, "GET", path+"?bom=yes", "", "true or false")
	owner.Refused(http.StatusBadRequest, "GET", path+"?fields=Nam", "", "fields[0]")
	owner.Refused(http.StatusBadRequest, "GET", path+"?limit=3", "", "not a query parameter")
	stranger := s.Owner(t)
	stranger.Refused(http.StatusNotFound, "GET", path, "")
	s.As(t, &authz.Principal{}).Anonymous(t).Refused(http.StatusUnauthorized, "GET", path, "")
	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.DataWrite}
	s.As(t, p).Refused(http.StatusForbidden, "GET", path, "", "insufficient_scope")
}
