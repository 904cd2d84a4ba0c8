package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
)

// sendFile posts a file as a form does.
func sendFile(t *testing.T, c *apitest.Client, form, content string) (int, map[string]any) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if form != "" {
		_ = w.WriteField("form", form)
	}
	part, err := w.CreateFormFile("file", "a.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(content))
	_ = w.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL()+api.Prefix+"/imports/file", &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", c.Key())
	request.Header.Set("Content-Type", w.FormDataContentType())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%d %s", response.StatusCode, text)
	}
	return response.StatusCode, out
}

// A file is previewed as a whole, and imported in parts, one after the other: each row once, in
// order.
func TestAFileIsPreviewedAndImportedInParts(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	var file strings.Builder
	file.WriteString("Report;\r\n\r\nName;Spare\r\n")
	for i := range 2500 {
		fmt.Fprintf(&file, "Zo\xeb %d;\"a;\n%d\"\r\n", i, i)
	}
	content := file.String()
	status, preview := sendFile(t, owner, `{"locale":"en"}`, content)
	columns, _ := preview["columns"].([]any)
	if status != http.StatusOK || preview["encoding"] != "windows-1252" || preview["delimiter"] != "semicolon" ||
		preview["rows"] != 2500.0 || preview["skippedRows"] != 1.0 || len(columns) != 2 {
		t.Fatal(status, preview)
	}
	_, same := sendFile(t, owner, "", content)
	answer := owner.OK("POST", "/imports/preview", `{"content":"`+
		base64.StdEncoding.EncodeToString([]byte(content))+`"}`)
	if fmt.Sprint(same) != fmt.Sprint(answer) {
		t.Error("the operation answers otherwise")
	}
	created := 0.0
	for _, one := range preview["parts"].([]any) {
		part := one.(map[string]any)
		bytes := content[int(part["from"].(float64)):int(part["to"].(float64))]
		done := owner.OK("POST", "/tables/"+w["tableId"]+"/records/import/file", fmt.Sprintf(
			`{"content":%q,"line":%v,"encoding":"windows-1252","delimiter":"semicolon",`+
				`"columns":[{"field":"Name"},{"field":"Spare"}]}`,
			base64.StdEncoding.EncodeToString([]byte(bytes)),
			part["line"],
		))
		created += done["created"].(float64)
	}
	if created != 2500 || len(preview["parts"].([]any)) != 3 {
		t.Errorf("%v rows in %d parts", created, len(preview["parts"].([]any)))
	}
	found := owner.OK("GET", "/tables/"+w["tableId"]+"/records?offset=2500&limit=3", "")
	for _, one := range found["records"].([]any) {
		fields := one.(map[string]any)["fields"].(map[string]any)
		name, _ := fields["Name"].(string)
		if number, ok := strings.CutPrefix(name, "Zoë "); ok && fields["Spare"] != "a;\n"+number {
			t.Errorf("a record is %v", fields)
		}
	}
	_, checked := sendFile(t, owner, `{"columns":[{"type":"text"},{"type":"number","decimal":"comma"}]}`,
		"A;B\nx;1,5\ny;much\n")
	if checked["refused"] != 1.0 || !strings.Contains(fmt.Sprint(checked["refusals"]), "not a number") {
		t.Errorf("checked %v", checked)
	}
	refused := owner.OK(
		"POST",
		"/tables/"+w["tableId"]+"/records/import/file",
		`{"content":"`+base64.StdEncoding.EncodeToString(
			[]byte("x,1,extra\ny,2\n"),
		)+`","line":7,"delimiter":"comma","columns":[{"field":"Name"},{}]}`,
	)
	if refused["created"] != 1.0 || refused["refusedLines"] != "7" ||
		!strings.Contains(fmt.Sprint(refused["refusals"]), "[x 1 extra]") {
		t.Errorf("imported %v", refused)
	}
	// An import refuses what its preview refuses.
	owner.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Amount","type":"number"}`)
	for content, lines := range map[string]string{
		"x,1\ny,2\nz,3,more\n": "", // a number has no line break
		"x\ny,2\nz,3,more\n":   "1-2",
		"x,1,a\ny\nz\nx,2\n":   "2-4",
		"x,1,a,b\ny,2,b,\n":    "1",
	} {
		_, checked := sendFile(t, owner,
			`{"header":false,"columns":[{"type":"text"},{"type":"number"},{"type":"text"}]}`, content)
		done := owner.OK("POST", "/tables/"+w["tableId"]+"/records/import/file", `{"content":"`+
			base64.StdEncoding.EncodeToString([]byte(content))+
			`","line":1,"delimiter":"comma","columns":[{"field":"Name"},{"field":"Amount"},{"field":"Spare"}]}`)
		if checked["refused"] != done["refused"] || fmt.Sprint(done["refusedLines"]) != lines && lines != "" ||
			lines == "" && done["refused"] != 0.0 {
			t.Errorf("%q: the preview refuses %v, and the import %v", content, checked, done)
		}
	}
	if status, got := sendFile(t, owner, `{"encoding":"klingon"}`, "A\n1\n"); status != http.StatusBadRequest {
		t.Error(status, got)
	}
	if status, got := sendFile(t, owner, "", ""); status != http.StatusBadRequest {
		t.Error(status, got)
	}
	if status, _ := sendFile(
		t,
		s.As(t, &authz.Principal{}).Anonymous(t),
		"",
		"A\n1\n",
	); status != http.StatusUnauthorized {
		t.Error(status)
	}
}
