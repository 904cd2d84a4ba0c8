package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// upload sends a body and returns the status and the response. It announces the length of the body
// unless size says otherwise.
func upload(t *testing.T, c *apitest.Client, path string, body io.Reader, size int64) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL()+api.Prefix+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", c.Key())
	request.Header.Set("Content-Type", "text/html")
	if size != 0 {
		request.ContentLength = size
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

func TestUploadFileIntoRecord(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Files","type":"attachment"}`)
	status, file := upload(t, c, "/tables/"+w["tableId"]+"/uploads?name=plan%20one.txt",
		strings.NewReader("some words"), 0)
	if status != http.StatusOK || file["name"] != "plan one.txt" || file["size"] != 10.0 ||
		file["type"] != "text/plain" ||
		!strings.HasPrefix(file["url"].(string), "http://rowhouse.test/files/") {
		t.Fatalf("%d %v", status, file)
	}
	small := c.OK("POST", "/tables/"+w["tableId"]+"/attachments", `{"name":"small.txt","content":"aGVsbG8="}`)
	if small["size"] != 5.0 || small["name"] != "small.txt" {
		t.Errorf("the small one is %v", small)
	}
	got := c.OK("PATCH", "/records/"+w["recordId"],
		`{"fields":{"Files":[{"id":"`+file["id"].(string)+`"},{"id":"`+small["id"].(string)+`"}]}}`)
	list, _ := got["fields"].(map[string]any)["Files"].([]any)
	if len(list) != 2 || list[0].(map[string]any)["name"] != "plan one.txt" || list[1].(map[string]any)["url"] == nil {
		t.Errorf("the record has %v", list)
	}
	actions := tenancytest.Actions(t, s.Deps.DB, c.Orgs[0].Org)
	if n := strings.Count(strings.Join(actions, " "), "create_attachment"); n != 2 {
		t.Errorf("the audit log tells of %d uploads: %v", n, actions)
	}
	if limits := c.OK("GET", "/uploads", ""); limits["maxBytes"] != float64(apitest.MaxFile) {
		t.Errorf("the limits are %v", limits)
	}
	c.Refused(http.StatusBadRequest, "POST", "/tables/"+w["tableId"]+"/attachments",
		`{"name":"a","content":"not base64"}`, "content", "base64")
}

func TestUploadAuthorization(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	_, theirs := newWorld(t, s)
	org := owner.Orgs[0].Org
	try := func(c *apitest.Client, table string) (int, map[string]any) {
		return upload(t, c, "/tables/"+table+"/uploads?name=a.txt", strings.NewReader("words"), 0)
	}
	if status, _ := try(owner.Anonymous(t), w["tableId"]); status != http.StatusUnauthorized {
		t.Errorf("nobody gets %d", status)
	}
	for _, scope := range authz.AllScopes() {
		p := apitest.Principal(owner.Person, org, organization.Owner)
		p.Scopes = []authz.Scope{scope}
		if status, answer := try(s.As(t, p), w["tableId"]); (status == http.StatusOK) != (scope == authz.DataWrite) ||
			scope != authz.DataWrite && answer["code"] != "insufficient_scope" {
			t.Errorf("%s gets %d %v", scope, status, answer)
		}
	}
	for _, role := range organization.Roles {
		p := apitest.Principal(tenancytest.Person(t, s.Deps.DB), org, role)
		if status, answer := try(
			s.As(t, p), w["tableId"],
		); (status == http.StatusOK) != role.AtLeast(organization.Editor) {
			t.Errorf("%s gets %d %v", role, status, answer)
		}
	}
	narrowed := apitest.Principal(owner.Person, org, organization.Owner)
	narrowed.Bases = []uuid.UUID{uuid.New()}
	foreign := func(c *apitest.Client, table string) string {
		status, answer := try(c, table)
		delete(answer, "requestId")
		text, err := json.Marshal(answer)
		if status != http.StatusNotFound || err != nil {
			t.Errorf("%s: %d %s", table, status, text)
		}
		return strings.ReplaceAll(string(text), table, "ID")
	}
	absent := foreign(owner, id.Format(id.Table, id.New()))
	if got := foreign(owner, theirs["tableId"]); got != absent {
		t.Errorf("a stranger's table says %s, a missing one %s", got, absent)
	}
	if got := foreign(s.As(t, narrowed), w["tableId"]); got != absent {
		t.Errorf("a table outside the credential's bases says %s, a missing one %s", got, absent)
	}
}

func TestOversizedUploadIsRejected(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/tables/" + w["tableId"] + "/uploads?name=a.bin"
	// The body is not read, and the credential is not even checked.
	status, answer := upload(t, c.Anonymous(t), path, bytes.NewReader(make([]byte, apitest.MaxFile+1)), 0)
	if status != http.StatusRequestEntityTooLarge || answer["code"] != "file_too_large" {
		t.Errorf("announced: %d %v", status, answer)
	}
	status, answer = upload(t, c, path, io.LimitReader(zeros{}, apitest.MaxFile+1), -1)
	if status != http.StatusRequestEntityTooLarge || answer["code"] != "file_too_large" {
		t.Errorf("not announced: %d %v", status, answer)
	}
	status, answer = upload(t, c, path, io.LimitReader(zeros{}, apitest.MaxFile), -1)
	if status != http.StatusOK || answer["size"] != float64(apitest.MaxFile) {
		t.Errorf("as large as may be: %d %v", status, answer)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestUploadQueryParameters(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	for query, word := range map[string]string{
		"": "?name=", "?name=": "?name=", "?name=a&name=b": "?name=", "?nmae=a": "did you mean", "?name=..": "dots",
		"?name=%07": "control",
	} {
		status, answer := upload(t, c, "/tables/"+w["tableId"]+"/uploads"+query, strings.NewReader("words"), 0)
		if detail, _ := answer["detail"].(string); status != http.StatusBadRequest || !strings.Contains(detail, word) {
			t.Errorf("%q: %d %v", query, status, answer)
		}
	}
}
