package web_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/web"
)

// A fileServer serves files and shares over a real database.
type fileServer struct {
	*httptest.Server
	db      *db.DB
	store   *attachment.Store
	links   *attachment.Links
	shares  *organization.Shares
	schema  *catalog.Store
	records *record.Engine
	org     uuid.UUID
	person  uuid.UUID
	guard   *limit.Guard
}

func newFileServer(t *testing.T, options ...limit.BulkheadOptions) *fileServer {
	t.Helper()
	limiter := limit.New(nil, limit.Options{})
	t.Cleanup(limiter.Close)
	bulkhead := limit.NewBulkhead(append(options, limit.BulkheadOptions{Max: 8, Share: 4})[0])
	address := func(*http.Request) string { return "here" }
	c := &fileServer{db: tenancytest.DB(t), guard: limit.NewGuard(limit.Policy{}, limiter, bulkhead, address)}
	c.org, c.person = tenancytest.Org(t, c.db)
	blobs, err := attachment.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	if c.links, err = attachment.NewLinks(c.URL+web.FilePath+"/", [][]byte{[]byte(tenancytest.Secret)}); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	c.store = attachment.New(c.db, blobs, attachment.Limits{File: 1 << 20})
	c.shares = organization.NewShares(c.db)
	c.schema = catalog.NewStore(c.db, catalog.Options{})
	c.records = record.New(c.db, c.schema).Linking(c.links)
	mux.Handle(web.FilePath+"/", web.Files(web.FileDeps{
		Files: c.store, Links: c.links, Shares: c.shares, Log: log,
		Limit: c.guard,
	}))
	work, err := web.NewChallenger(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(web.SharePath+"/", web.Share(web.ShareDeps{
		DB: c.db, Work: work, Files: c.store, Viewer: func(r *http.Request) (uuid.UUID, error) {
			person, err := uuid.Parse(r.Header.Get("Test-Person"))
			if err != nil {
				return person, problem.Unauthenticated("Nobody is signed in.")
			}
			return person, nil
		}, Shares: c.shares, Schema: c.schema, Records: c.records, Links: c.links,
		Log: log, Limit: c.guard,
		Members: func(ctx context.Context, org uuid.UUID) ([]organization.Member, error) {
			return organization.ListMembers(ctx, c.db, org)
		},
	}))
	return c
}

func (c *fileServer) upload(t *testing.T, table uuid.UUID, name string, content []byte) attachment.File {
	t.Helper()
	f, err := c.store.Receive(t.Context(), c.org, c.person, table,
		attachment.Upload{Name: name, Size: int64(len(content)), Content: bytes.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (c *fileServer) get(t *testing.T, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func pngImage(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewNRGBA(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFilesCannotExecuteInServiceOrigin(t *testing.T) {
	t.Parallel()
	c := newFileServer(t)
	for _, file := range []struct {
		name, content string
		inlineType    string // "" if it is downloaded
	}{
		{"page.html", "<!doctype html><script>alert(1)</script>", ""},
		{"photo.png", "<html><script>alert(1)</script></html>", ""},
		{"drawing.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, ""},
		{"feed.xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>`, ""},
		{"code.js", "alert(1)", ""},
		{"plan.pdf", "%PDF-1.7\n", ""},
		{"dot.html", string(pngImage(t)), "image/png"},
	} {
		f := c.upload(t, id.New(), file.name, []byte(file.content))
		address := string(c.links.AppendLink(nil, c.org, f.ID, f.Name, false))
		got, body := c.get(t, address, "Cookie", "session=x")
		if got.StatusCode != http.StatusOK || body != file.content {
			t.Errorf("%s: %d %q", file.name, got.StatusCode, body)
		}
		disposition, kind := "attachment; ", "application/octet-stream"
		if file.inlineType != "" {
			disposition, kind = "inline; ", file.inlineType
		}
		for name, want := range map[string]string{
			"Content-Type": kind, "X-Content-Type-Options": "nosniff", "Content-Security-Policy": web.FilePolicy,
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %s is %q, not %q", file.name, name, got.Header.Get(name), want)
			}
		}
		if !strings.HasPrefix(got.Header.Get("Content-Disposition"), disposition) ||
			!strings.Contains(got.Header.Get("Cache-Control"), "private") {
			t.Errorf("%s: %v", file.name, got.Header)
		}
	}
	if !strings.Contains(web.FilePolicy, "sandbox") || strings.Contains(web.FilePolicy, "allow-") ||
		!strings.Contains(web.FilePolicy, "default-src 'none'") {
		t.Errorf("the policy is %q", web.FilePolicy)
	}
}

func TestFileSupportsRangesAndEncodesItsName(t *testing.T) {
	t.Parallel()
	c := newFileServer(t)
	f := c.upload(t, id.New(), `Plan "ä" 100%.txt`, []byte("0123456789"))
	address := string(c.links.AppendLink(nil, c.org, f.ID, f.Name, false))
	got, body := c.get(t, address, "Range", "bytes=3-5")
	if got.StatusCode != http.StatusPartialContent || body != "345" {
		t.Errorf("%d %q", got.StatusCode, body)
	}
	if want := `attachment; filename="Plan ___ 100_.txt"; ` +
		`filename*=UTF-8''Plan%20%22%C3%A4%22%20100%25.txt`; got.Header.Get("Content-Disposition") != want {
		t.Errorf("%s, not %s", got.Header.Get("Content-Disposition"), want)
	}
	again, _ := c.get(t, address, "If-None-Match", got.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("with If-None-Match: %d", again.StatusCode)
	}
}

func TestInvalidFileURLIsNotFound(t *testing.T) {
	t.Parallel()
	c := newFileServer(t)
	f := c.upload(t, id.New(), "dot.png", pngImage(t))
	good := string(c.links.AppendLink(nil, c.org, f.ID, f.Name, true))
	if got, _ := c.get(t, good); got.StatusCode != http.StatusOK ||
		!strings.HasPrefix(got.Header.Get("Content-Type"), "image/") {
		t.Fatalf("the thumbnail: %d %v", got.StatusCode, got.Header)
	}
	other, _ := tenancytest.Org(t, c.db)
	var bodies []string
	for name, address := range map[string]string{
		"another name":            strings.Replace(good, "dot.png", "dot.html", 1),
		"no name":                 good[:strings.LastIndex(good, "/")],
		"nothing":                 c.URL + web.FilePath + "/",
		"of another organization": string(c.links.AppendLink(nil, other, f.ID, f.Name, false)),
		"of a missing file":       string(c.links.AppendLink(nil, c.org, id.New(), f.Name, false)),
		"of an unknown share":     string(c.links.ForShare(id.New()).AppendLink(nil, c.org, f.ID, f.Name, false)),
	} {
		got, body := c.get(t, address)
		if got.StatusCode != http.StatusNotFound || got.Header.Get("Content-Security-Policy") == "" ||
			got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", name, got.StatusCode, got.Header)
		}
		bodies = append(bodies, strings.ReplaceAll(body, got.Header.Get("X-Request-Id"), ""))
	}
	for _, body := range bodies {
		if body != bodies[0] {
			t.Errorf("responses differ: %s and %s", body, bodies[0])
		}
	}
}

func TestSharedFileURLEndsWithShare(t *testing.T) {
	t.Parallel()
	c := newFileServer(t)
	snapshot, err := c.schema.Fresh(t.Context(), c.org)
	if err != nil {
		t.Fatal(err)
	}
	base, err := c.schema.CreateBase(t.Context(), c.org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	table, err := c.schema.CreateTable(t.Context(), c.org, base.ID, "Ships", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
		{Name: "Plan", Type: schema.Attachment},
		{Name: "Secret", Type: schema.Attachment},
	})
	if err != nil {
		t.Fatal(err)
	}
	if snapshot, err = c.schema.Fresh(t.Context(), c.org); err != nil {
		t.Fatal(err)
	}
	hidden := true
	if err := c.schema.UpdateField(
		t.Context(), c.org, snapshot.Table(table.ID).FieldByName("Secret").ID, catalog.FieldPatch{Hidden: &hidden},
	); err != nil {
		t.Fatal(err)
	}
	plan, secret := c.upload(t, table.ID, "plan.png", pngImage(t)), c.upload(t, table.ID, "secret.png", pngImage(t))
	_, err = c.records.Create(t.Context(), record.Actor{Org: c.org, Person: c.person}, table.ID, record.Creation{
		Records: []jsonvalue.ParsedObject{
			jsonvaluetest.ParseObject(
				[]byte(`{"Name":"Solveig","Plan":["` + plan.PublicID() + `"],"Secret":["` + secret.PublicID() + `"]}`),
			),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	shareID, err := c.shares.Enable(t.Context(), c.org, base.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	_, listed := c.get(t, c.URL+web.SharePath+"/"+shareID+"/tables/"+table.PublicID()+"/records")
	_, page := c.get(t, c.URL+web.SharePath+"/"+shareID)
	if strings.Contains(listed+page, "secret.png") {
		t.Error("the share shows a hidden field's file")
	}
	_, rest, found := strings.Cut(listed, `"url":"`)
	address, _, _ := strings.Cut(rest, `"`)
	if !found || !strings.Contains(page, `<a class="file" href="`+strings.TrimPrefix(address, c.URL)) ||
		!strings.Contains(page, "<img src=\"/files/") {
		t.Fatalf("the share shows %s\nand its page %s", listed, page)
	}
	if got, _ := c.get(t, address); got.StatusCode != http.StatusOK {
		t.Errorf("through the share: %d", got.StatusCode)
	}
	if err := c.shares.Disable(t.Context(), c.org, base.ID); err != nil {
		t.Fatal(err)
	}
	got, text := c.get(t, address)
	if got.StatusCode != http.StatusNotFound || !strings.Contains(text, "file_address_ended") {
		t.Errorf("after the share has ended: %d %s", got.StatusCode, text)
	}
	// A browser gets a page, whose policy allows nothing but its style.
	got, text = c.get(t, address, "Accept", "text/html,application/xhtml+xml")
	if got.StatusCode != http.StatusNotFound || !strings.Contains(text, "The link to this file has expired") ||
		got.Header.Get("Content-Security-Policy") != web.PagePolicy || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a browser gets %d %v %s", got.StatusCode, got.Header, text)
	}
}
