package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// "Create base placement rules", in their order.
func testPlacement(t *testing.T, w *world) {
	one, other := w.signUp(t), w.signUp(t)
	workspaceOf := func(t *testing.T, p *person, base string) (workspace, org any) {
		found := find(p.caller.in(t).ok("GET", "/bases", ""), "bases", "id", base)
		return at(found, "workspaceId"), at(found, "orgId")
	}
	first := func(t *testing.T, p *person) string {
		return p.caller.in(t).ok("GET", "/orgs/"+p.org+"/workspaces", "").text("workspaces.0.id")
	}
	create := func(t *testing.T, p *person, rest string) string {
		return p.caller.in(t).ok("POST", "/bases", `{"name":"B"`+rest+`}`).text("id")
	}

	t.Run("1. When workspaceId is given, the base is created in that workspace.", func(t *testing.T) {
		made := one.caller.in(t).ok("POST", "/workspaces", fmt.Sprintf(`{"orgId":%q,"name":"Second"}`, one.org)).
			text("id")
		if got, _ := workspaceOf(t, one, create(t, one, fmt.Sprintf(`,"workspaceId":%q`, made))); got != made {
			t.Errorf("it is in %v, not in %s", got, made)
		}
	})
	t.Run("2. When orgId is given, the base is created in that organization's default workspace.", func(t *testing.T) {
		got, org := workspaceOf(t, one, create(t, one, fmt.Sprintf(`,"orgId":%q`, one.org)))
		if got != first(t, one) || org != one.org {
			t.Errorf("it is in %v of %v", got, org)
		}
	})
	t.Run("3. When neither is given and the caller belongs to exactly one organization, that organization is used.",
		func(t *testing.T) {
			got, org := workspaceOf(t, one, create(t, one, ""))
			if got != first(t, one) || org != one.org {
				t.Errorf("it is in %v of %v", got, org)
			}
		})
	t.Run("5. An organization or workspace the caller may not use yields 400.", func(t *testing.T) {
		c := one.caller.in(t)
		for _, org := range []string{other.org, random(other.org), "nothing", "usr_" + one.org[4:]} {
			c.refused(http.StatusBadRequest, "POST", "/bases", fmt.Sprintf(`{"name":"B","orgId":%q}`, org), "orgId")
			c.refused(http.StatusBadRequest, "POST", "/workspaces",
				fmt.Sprintf(`{"name":"W","orgId":%q}`, org), "orgId")
		}
		for _, workspace := range []string{first(t, other), random(first(t, other)), "nothing"} {
			c.refused(http.StatusBadRequest, "POST", "/bases", fmt.Sprintf(`{"name":"B","workspaceId":%q}`, workspace),
				"workspaceId")
			c.refused(http.StatusBadRequest, "POST", "/bases",
				fmt.Sprintf(`{"name":"B","workspaceId":%q,"orgId":%q}`, workspace, one.org), "workspaceId")
		}
		if total := len(asList(other.caller.in(t).ok("GET", "/bases", "").get("bases"))); total != other.bases {
			t.Errorf("the other organization has %d bases, and had %d", total, other.bases)
		}
	})
	t.Run("5. An ambiguous choice yields 400.", func(t *testing.T) {
		w.confirm(t, one)
		w.join(t, one, other, "admin")
		c := other.caller.in(t)
		c.refused(http.StatusBadRequest, "POST", "/bases", `{"name":"B"}`, "orgId", one.org, other.org)
		c.refused(http.StatusBadRequest, "POST", "/bases",
			fmt.Sprintf(`{"name":"B","orgId":%q,"workspaceId":%q}`, one.org, first(t, other)), "orgId")
		if _, org := workspaceOf(t, other, create(t, other, fmt.Sprintf(`,"orgId":%q`, one.org))); org != one.org {
			t.Errorf("it is in %v", org)
		}
	})
	t.Run("4. A base is never created without an organization.", func(t *testing.T) {
		lonely := w.signUp(t)
		w.confirm(t, lonely)
		w.join(t, lonely, one, "owner")
		lonely.caller.in(t).ok("POST", "/orgs/"+lonely.org+"/leave", "")
		lonely.caller.in(t).refused(http.StatusBadRequest, "POST", "/bases", `{"name":"B"}`, "organization")
		lonely.caller.in(t).ok("POST", "/orgs", `{"name":"Begun again"}`)
		lonely.caller.in(t).ok("POST", "/bases", `{"name":"B"}`)
	})
}

// The table "Share state of a base".
func testShare(t *testing.T, w *world) {
	c := w.caller.in(t)
	base := c.ok("POST", "/bases", `{"name":"Shared"}`).text("id")
	path := "/bases/" + base + "/share"
	expect := func(line string, a answer, want any) {
		t.Helper()
		if got, there := a.body.(map[string]any)["publicShareId"]; !there || got != want {
			t.Errorf("%s: %s, want %v", line, a.raw, want)
		}
	}
	expect("a new base is disabled", c.ok("GET", path, ""), nil)
	expect("disabled | DELETE", c.ok("DELETE", path, ""), nil)
	first := c.ok("PUT", path, "")
	if first.text("publicShareId") == "" {
		t.Fatalf("disabled | PUT: enabled (publicShareId set): %s", first.raw)
	}
	expect("enabled | GET", c.ok("GET", path, ""), first.get("publicShareId"))
	expect("enabled | PUT: stays as it is", c.ok("PUT", path, "{}"), first.get("publicShareId"))
	expect("enabled | PUT with regenerate false: stays", c.ok("PUT", path, `{"regenerate":false}`),
		first.get("publicShareId"))
	second := c.ok("PUT", path, `{"regenerate":true}`)
	if second.text("publicShareId") == "" || second.text("publicShareId") == first.text("publicShareId") {
		t.Errorf("enabled | PUT with regenerate true: a new publicShareId: %s after %s", second.raw, first.raw)
	}
	expect("enabled | GET: the new one", c.ok("GET", path, ""), second.get("publicShareId"))
	expect("enabled | DELETE: disabled, returns publicShareId null", c.ok("DELETE", path, ""), nil)
	expect("disabled | GET", c.ok("GET", path, ""), nil)
	third := c.ok("PUT", path, `{"regenerate":true}`)
	if id := third.text("publicShareId"); id == "" || id == first.text("publicShareId") ||
		id == second.text("publicShareId") {
		t.Errorf("an id that was given up comes back: %s", third.raw)
	}
	c.refused(http.StatusBadRequest, "PUT", path, `{"regenerate":"yes"}`, "regenerate")
	testViewShare(t, c, base)
}

// testViewShare shares one view of a base.
func testViewShare(t *testing.T, c *caller, base string) {
	t.Helper()
	table := c.ok("POST", "/bases/"+base+"/tables", `{"name":"T"}`).text("id")
	view := c.ok("POST", "/tables/"+table+"/views", `{"type":"grid","name":"Shared"}`).text("id")
	path := "/views/" + view + "/share"
	if got := c.ok("GET", path, ""); got.get("publicShareId") != nil || got.get("hasPassword") != false {
		t.Errorf("a new view: %s", got.raw)
	}
	set := c.ok("PUT", path, `{"password":"six quiet boats","expiresTime":"2099-01-31T12:00:00Z"}`)
	if set.text("publicShareId") == "" || set.get("hasPassword") != true ||
		set.text("expiresTime") != "2099-01-31T12:00:00Z" {
		t.Errorf("a share with a password and an end: %s", set.raw)
	}
	if kept := c.ok("PUT", path, `{}`); kept.get("publicShareId") != set.get("publicShareId") ||
		kept.get("hasPassword") != true || kept.get("expiresTime") != set.get("expiresTime") {
		t.Errorf("what is left out stays: %s after %s", kept.raw, set.raw)
	}
	if free := c.ok("PUT", path, `{"password":"","expiresTime":""}`); free.get("hasPassword") != false ||
		free.get("expiresTime") != nil {
		t.Errorf("without a password and an end: %s", free.raw)
	}
	c.refused(http.StatusBadRequest, "PUT", path, `{"password":"short"}`, "password")
	c.refused(http.StatusBadRequest, "PUT", path, `{"expiresTime":"tomorrow"}`, "expiresTime")
	if gone := c.ok("DELETE", path, ""); gone.get("publicShareId") != nil {
		t.Errorf("after the end: %s", gone.raw)
	}
	form := c.ok("POST", "/tables/"+table+"/views", `{"type":"form","config":{"maxAnswers":1}}`).text("id")
	if shared := c.ok("PUT", "/views/"+form+"/share", `{"embed":true}`); shared.get("embed") != true ||
		shared.get("answers") != 0.0 {
		t.Errorf("a shared form: %s", shared.raw)
	}
	answers := "/views/" + form + "/answers"
	c.refused(http.StatusBadRequest, "POST", answers, `{"fields":{"Nothing":"Ada"}}`, "fields.Nothing")
	c.ok("POST", answers, `{"fields":{"Name":"Ada"}}`)
	if got := c.ok("GET", "/views/"+form+"/share", ""); got.get("answers") != 1.0 {
		t.Errorf("after an answer: %s", got.raw)
	}
	c.refused(http.StatusConflict, "POST", answers, `{"fields":{"Name":"Grace"}}`, "")
}

// What the sections on icons, fields and views say beyond the rows of endpoints.
func testSchema(t *testing.T, w *world) {
	t.Run("Icon object | kind is emoji, lucide or image; value is required; color is not", func(t *testing.T) {
		c := w.caller.in(t)
		base := c.ok("POST", "/bases", `{"name":"Icons"}`).text("id")
		table := c.ok("POST", "/bases/"+base+"/tables", `{"name":"T"}`).text("id")
		workspace := c.ok("POST", "/workspaces", fmt.Sprintf(`{"orgId":%q,"name":"Icons"}`, w.owner.org)).text("id")
		for _, path := range []string{"/bases/" + base, "/tables/" + table, "/workspaces/" + workspace} {
			for _, icon := range []string{
				`{"kind":"emoji","value":"🚢"}`, `{"kind":"lucide","value":"ship","color":"red"}`,
				`{"kind":"image","value":"https://example.com/i.png"}`,
			} {
				c.ok("PATCH", path, `{"icon":`+icon+`}`)
			}
			for icon, word := range map[string]string{
				`{"kind":"picture","value":"x"}`:                 "lucide",
				`{"value":"🚢"}`:                                  "kind",
				`{"kind":"emoji"}`:                               "value",
				`"🚢"`:                                            "icon",
				`{"kind":"emoji","value":"🚢","size":2}`:          "size",
				`{"kind":"image","value":"javascript:alert(1)"}`: "icon",
			} {
				c.refused(http.StatusBadRequest, "PATCH", path, `{"icon":`+icon+`}`, word)
			}
		}
	})
	t.Run("Fields | position, hidden, width and order", func(t *testing.T) {
		f := w.newFleet(t)
		f.ok("POST", f.path("fields"), `{"name":"Second","type":"text","position":1}`)
		f.ok("PATCH", "/fields/"+f.fields["Tons"], `{"hidden":true,"width":200}`)
		got := f.ok("GET", f.path("fields"), "")
		if got.get("fields.1.name") != "Second" || got.get("fields.1.order") != 1.0 {
			t.Errorf("position: %s", got.raw)
		}
		tons := find(got, "fields", "name", "Tons")
		if at(tons, "hidden") != true || at(tons, "width") != 200.0 {
			t.Errorf("hidden and width: %v", tons)
		}
		f.refused(http.StatusBadRequest, "PATCH", "/fields/"+f.fields["Tons"], `{"width":"wide"}`, "width")
		f.refused(http.StatusBadRequest, "PATCH", "/fields/"+f.fields["Tons"], `{"hidden":1}`, "hidden")
		f.ok("PATCH", "/fields/"+f.fields["Tons"], `{"name":"Tonnage"}`)
		if got := f.ok("GET", "/records/"+f.records["Aase"], ""); got.get("fields.Tonnage") != 90.0 {
			t.Errorf("records are keyed by the new name: %s", got.raw)
		}
	})
	t.Run("Views | config is an object with arbitrary keys and nullable values, unset removes keys",
		func(t *testing.T) {
			f := w.newFleet(t)
			view := f.ok("POST", f.path("views"), `{"type":"kanban"}`).text("id")
			f.ok("PATCH", "/views/"+view,
				`{"config":{"mine":{"a":[1,null]},"yours":null,"stackFieldId":"`+f.fields["Kind"]+`"}}`)
			config := func() any {
				return at(find(f.ok("GET", f.path("views"), ""), "views", "id", view), "config")
			}
			got, ok := config().(map[string]any)
			if !ok || at(got, "mine.a.0") != 1.0 || got["stackFieldId"] != f.fields["Kind"] {
				t.Errorf("config: %v", got)
			}
			f.ok("PATCH", "/views/"+view, `{"unset":["mine","never there"],"config":{"more":true}}`)
			got, _ = config().(map[string]any)
			if _, there := got["mine"]; there || got["more"] != true || got["stackFieldId"] == nil {
				t.Errorf("after unset: %v", got)
			}
			f.refused(http.StatusBadRequest, "PATCH", "/views/"+view,
				`{"config":{"stackFieldId":"`+random(f.fields["Kind"])+`"}}`, "stackFieldId")
			f.refused(http.StatusBadRequest, "PATCH", "/views/"+view, `{"unset":"mine"}`, "unset")
			f.refused(http.StatusBadRequest, "POST", f.path("views"), `{"type":"list"}`, "gallery")
		})
}
