package e2e

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/jackc/pgx/v5"
)

// testSweep sends bad input to every operation that the OpenAPI document lists. Each must be
// refused with a problem that names the place, and nothing may be written.
func testSweep(t *testing.T, w *world) {
	f := w.newFleet(t)
	places := map[string]string{
		"orgId":       w.owner.org,
		"baseId":      f.base,
		"tableId":     f.table,
		"fieldId":     f.fields["Tons"],
		"recordId":    f.records["Aase"],
		"viewId":      f.ok("POST", f.path("views"), `{"type":"grid"}`).text("id"),
		"workspaceId": f.ok("POST", "/workspaces", fmt.Sprintf(`{"orgId":%q,"name":"W"}`, w.owner.org)).text("id"),
		"userId":      f.ok("GET", "/me", "").text("id"),
	}
	places["commentId"] = f.ok("POST", "/records/"+f.records["Aase"]+"/comments", `{"text":"First"}`).text("id")
	places["attachmentId"] = f.ok("POST", f.path("attachments"), `{"name":"a.txt","content":"aGVsbG8="}`).text("id")
	places["invitationId"] = f.ok("POST", "/orgs/"+w.owner.org+"/invitations", `{"email":"somebody@example.com"}`).
		text("id")
	places["groupId"] = f.ok("POST", "/orgs/"+w.owner.org+"/groups", `{"name":"Group"}`).text("id")
	places["deletedOrgId"] = f.ok("POST", "/orgs", `{"name":"Former"}`).text("id")
	f.ok("DELETE", "/orgs/"+places["deletedOrgId"], "")
	places["jobId"] = f.ok("POST", f.path("exports"), `{"format":"csv"}`).text("id")
	f.ok("GET", "/jobs/"+places["jobId"]+"?wait=25", "") // until it is done, and changes nothing more
	hooks := "/bases/" + f.base + "/webhooks"
	places["webhookId"] = f.ok("POST", hooks, `{"url":"https://example.com/"}`).text("id")
	places["dashboardId"] = f.ok("POST", "/bases/"+f.base+"/dashboards", `{"name":"Sales"}`).text("id")
	places["token"] = "none" // of a signed address
	places["deliveryId"] = "dlv_" + strings.Repeat("0", 26)
	f.ok("PATCH", hooks+"/"+places["webhookId"], `{"enabled":false}`)     // no job works on it
	w.service.Mail.Await(t, "somebody@example.com", "/invitation?token=") // sending it adds a link to the invitation
	pauseWebhooks(t, w)
	before := state(t, w)
	for _, template := range slices.Sorted(maps.Keys(w.contract.document.Paths.Map())) {
		item := w.contract.document.Paths.Value(template)
		for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
			operation := item.Operations()[method]
			t.Run(operation.OperationID, func(t *testing.T) {
				path := strings.TrimPrefix(template, "/api/v1")
				for name, value := range places {
					path = strings.ReplaceAll(path, "{"+name+"}", value)
				}
				if strings.Contains(path, "{") {
					t.Fatalf("the sweep has no value for a parameter of %s", path)
				}
				s := &sweep{f.caller.in(t), method, path}
				s.query(operation)
				if method != http.MethodGet {
					s.syntax(operation)
				}
				if operation.RequestBody != nil && operation.RequestBody.Value.Content.Get("application/json") != nil {
					s.body(operation.RequestBody.Value.Content.Get("application/json").Schema.Value)
				}
			})
		}
	}
	for table, digest := range state(t, w) {
		if before[table] != digest {
			t.Errorf("bad input changed %s", table)
		}
	}
}

type sweep struct {
	*caller
	method, path string
}

// expect sends a body that must be refused. place is a path that the problem must name, or "".
func (s *sweep) expect(body, place, why string) {
	s.t.Helper()
	s.judge(s.send(s.method, s.path, []byte(body), "application/json"), place, why)
}

func (s *sweep) judge(a answer, place, why string) {
	s.t.Helper()
	if a.status < 400 || a.status > 499 {
		s.t.Errorf("%s: %d %.300s", why, a.status, a.raw)
		return
	}
	problem.check(s.t, why, a.body)
	if place == "" {
		return
	}
	for _, wrong := range asList(a.get("errors")) {
		if path, _ := at(wrong, "path").(string); path == place || strings.HasPrefix(path, place+".") ||
			strings.HasPrefix(path, place+"[") {
			return
		}
	}
	s.t.Errorf("%s: the problem does not name %s: %.300s", why, place, a.raw)
}

const depth = 100

// syntax sends bodies that are not JSON objects of the interface.
func (s *sweep) syntax(operation *openapi3.Operation) {
	for why, body := range map[string]string{
		"an open brace": `{`, "an open string": `{"a":"`, "no value": `{"a":}`, "a comma too many": `{"a":1,}`,
		"no JSON": `nope`, "an array": `[]`, "a string": `"x"`, "a number": `7`, "null": `null`, "two objects": `{} {}`,
		"a byte order mark": "\ufeff{}", "a name twice": `{"nonsense":1,"nonsense":2}`, "single quotes": `{'a':1}`,
		"invalid UTF-8": "{\"nonsense\":\"\xff\"}", "half a surrogate": `{"nonsense":"\ud800"}`,
		"a NUL": "{\"nonsense\":\"a\x00\"}", "an escaped NUL": `{"nonsense":"\u0000"}`,
		"a NUL in a name": `{"non\u0000sense":1}`, "an unknown member": `{"nonsense":1}`, "NaN": `{"nonsense":NaN}`,
		"deep arrays":  `{"nonsense":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`,
		"deep objects": strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		"much deeper":  strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
	} {
		s.expect(body, "", why)
	}
	a := s.send(s.method, s.path, []byte(`{"nonsense":"`+strings.Repeat("x", 5<<20)+`"}`), "application/json")
	takesJSON := operation.RequestBody != nil && operation.RequestBody.Value.Content["application/json"] != nil
	if s.judge(a, "", "a large body"); takesJSON && a.status != http.StatusRequestEntityTooLarge {
		s.t.Errorf("a large body: %d", a.status)
	}
	s.judge(s.send(s.method, s.path, []byte(`{"nonsense":1}`), "text/plain"), "", "another media type")
	s.judge(s.send(s.method, s.path, []byte(`{"nonsense":1}`), ""), "", "no media type")
	if operation.RequestBody != nil && operation.RequestBody.Value.Required {
		s.expect(`{}`, "", "an empty object")
		s.expect(``, "", "no body")
	}
}

// chosen begins an object with the first choice of each other member that is required and has choices, because a
// missing one is refused before a wrong value.
func chosen(schema *openapi3.Schema, but string) string {
	var text strings.Builder
	text.WriteByte('{')
	for _, name := range schema.Required {
		if property := schema.Properties[name].Value; name != but && len(property.Enum) > 0 {
			fmt.Fprintf(&text, "%q:%q,", name, property.Enum[0])
		}
	}
	return text.String()
}

// values are samples of each JSON type.
var values = map[string][]string{
	"string": {`"x"`}, "number": {`12.5`}, "integer": {`12`}, "boolean": {`true`}, "array": {`[]`, `[7]`, `["x"]`},
	"object": {`{}`, `{"a":1}`}, "null": {`null`},
}

// body sends each member with values of every type that it does not accept, and with values that no
// member accepts.
func (s *sweep) body(schema *openapi3.Schema) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[name].Value
		member := func(value string) string { return fmt.Sprintf(`{%q:%s}`, name, value) }
		types := property.Type.Slice()
		for _, kind := range slices.Sorted(maps.Keys(values)) {
			takes := len(types) == 0 || slices.Contains(types, kind) ||
				kind == "integer" && slices.Contains(types, "number") ||
				kind == "null" && !slices.Contains(schema.Required, name)
			if takes {
				continue
			}
			for _, value := range values[kind] {
				s.expect(member(value), name, fmt.Sprintf("%s as a value of %s", value, name))
			}
		}
		if property.Type.Includes("array") && property.Items != nil && len(property.Items.Value.Type.Slice()) == 1 &&
			!property.Items.Value.Type.Includes("string") {
			s.expect(member(`["x"]`), name, "an array of strings as a value of "+name)
		}
		if property.Type.Includes("string") {
			s.expect(member(`"a\u0000b"`), name, "a NUL in "+name)
			s.expect(member("\"a\xc3\x28b\""), "", "invalid UTF-8 in "+name)
			much := s.send(s.method, s.path, []byte(member(encode(strings.Repeat("ø", 200_000)))), "application/json")
			if len(asList(much.get("problems"))) == 0 { // check_formula responds with them
				s.judge(much, "", "much text in "+name)
			}
		}
		if property.Type.Includes("number") || property.Type.Includes("integer") {
			for _, absurd := range []string{
				`1e999`, `-1e999`, `1` + strings.Repeat("0", 400), `01`, `+1`, `0x10`, `1e`, `.5`,
			} {
				s.expect(member(absurd), "", absurd+" as a value of "+name)
			}
		}
		if property.Type.Includes("array") {
			many := chosen(schema, name) + fmt.Sprintf("%q:[%s{}]}", name, strings.Repeat(`{},`, 10_000))
			s.expect(many, name, "many empty objects in "+name)
		}
		s.expect(member(strings.Repeat("[", depth)+strings.Repeat("]", depth)), "", "deep arrays in "+name)
		s.expect(member(strings.Repeat(`{"a":`, depth)+"1"+strings.Repeat("}", depth)), "", "deep objects in "+name)
	}
}

// query sends bad parameters. A method that changes something gets only an unknown one: it has no
// query at all.
func (s *sweep) query(operation *openapi3.Operation) {
	send := func(raw, place, why string) {
		s.t.Helper()
		a := s.do(s.method, s.path+"?"+raw, "")
		if s.judge(a, place, why); a.status != http.StatusBadRequest {
			s.t.Errorf("%s: %d %.300s", why, a.status, a.raw)
		}
	}
	send("nonsense=1", "nonsense", "an unknown parameter")
	send("non%00sense=1", "", "a NUL in the name of a parameter")
	send("%zz", "", "a broken escape")
	send("a;b", "", "a semicolon")
	for _, p := range operation.Parameters {
		if p.Value.In != "query" {
			continue
		}
		name := url.QueryEscape(p.Value.Name)
		send(name+"=%ff", name, "invalid UTF-8 in "+name)
		send(name+"=%00", name, "a NUL in "+name)
		deep := url.QueryEscape(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		nested := url.QueryEscape(strings.Repeat(`[{"and":`, depth) + "1" + strings.Repeat("}]", depth))
		if p.Value.Schema == nil { // JSON in one string
			for _, value := range []string{
				"x", "7", "{", "{}", `"x"`, "null", "[7]", "[[]]", "[{}]", `[{"fieldId":7}]`,
				"[" + strings.Repeat(`{},`, 2000) + "{}]",
			} {
				send(name+"="+url.QueryEscape(value), name, fmt.Sprintf("%.40s as a value of %s", value, name))
			}
			send(name+"="+deep, "", "deep arrays in "+name)
			send(name+"="+nested, "", "deep objects in "+name)
			continue
		}
		schema := p.Value.Schema.Value
		if !schema.Type.Includes("array") {
			send(name+"=1&"+name+"=1", name, name+" twice")
		}
		if schema.Type.Includes("number") || schema.Type.Includes("integer") {
			for _, value := range []string{
				"", "x", "1e999", "-1", "1.5", "NaN", "Infinity", "0x10", "99999999999999999999999", "1 ", "null",
				"[1]", "true", "٣",
			} {
				send(name+"="+url.QueryEscape(value), name, fmt.Sprintf("%q as a value of %s", value, name))
			}
		}
		if schema.Type.Includes("boolean") {
			send(name+"=perhaps", name, "a value of "+name)
		}
	}
}

// connectAsAdmin connects to the database of the service as its administrator.
func connectAsAdmin(t *testing.T, w *world) *pgx.Conn {
	t.Helper()
	target, err := url.Parse(w.service.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := url.Parse(os.Getenv("TEST_ADMIN_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	admin.Path = target.Path
	conn, err := pgx.Connect(context.Background(), admin.String())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// pauseWebhooks stops the work on the webhooks of other tests, which are checked each minute.
func pauseWebhooks(t *testing.T, w *world) {
	t.Helper()
	ctx := context.Background()
	conn := connectAsAdmin(t, w)
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, `update rowhouse.webhook set enabled = false, queued_at = null, notice_due = false,
		disabled_reason = coalesce(disabled_reason, 'paused')`); err != nil {
		t.Fatal(err)
	}
	for range 200 { // the process that works on one ends, and writes that it has
		var busy bool
		err := conn.QueryRow(ctx, "select exists (select from rowhouse.webhook where leased_until > now())").Scan(&busy)
		if err != nil {
			t.Fatal(err)
		}
		if !busy {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("somebody works on a webhook that is disabled")
}

// state returns a digest of every table of the service's database, as its administrator. It leaves
// out what a refused request may record, such as the last use of a key.
func state(t *testing.T, w *world) map[string]string {
	t.Helper()
	ctx := context.Background()
	conn := connectAsAdmin(t, w)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `select quote_ident(schemaname) || '.' || quote_ident(tablename) from pg_tables
		where schemaname not in ('pg_catalog', 'information_schema', 'river')
		and tablename not in ('session', 'api_key')`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	// The queue works by itself. Only a request adds jobs to it, except for those that recur.
	tables = append(tables, "(select id, kind, args from river.river_job where queue not like '%maintenance')")
	digests := map[string]string{}
	for _, table := range tables {
		var digest string
		if err := conn.QueryRow(
			ctx,
			"select count(*) || ' ' || coalesce(md5(string_agg(r::text, ' ' order by r::text)), '') from "+table+" r",
		).Scan(&digest); err != nil {
			t.Fatal(err)
		}
		digests[table] = digest
	}
	return digests
}
