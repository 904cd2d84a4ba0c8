package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// ordered are the names of the records of a view, in its order.
func ordered(c *apitest.Client, table, view string) string {
	var names []string
	cursor := ""
	for {
		page := c.OK("GET", "/tables/"+table+"/records?limit=3&view="+view+"&cursor="+cursor, "")
		for _, one := range page["records"].([]any) {
			names = append(names, one.(map[string]any)["fields"].(map[string]any)["Name"].(string))
		}
		if cursor, _ = page["cursor"].(string); cursor == "" {
			return strings.Join(names, " ")
		}
	}
}

func TestMoveRecords(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Table"}`)
	view := c.ID("POST", "/tables/"+table+"/views", `{"type":"grid"}`)
	other := c.ID("POST", "/tables/"+table+"/views", `{"type":"grid"}`)
	ids := map[string]string{}
	add := func(names ...string) {
		for _, name := range names {
			made := c.OK("POST", "/tables/"+table+"/records", fmt.Sprintf(`{"fields":{"Name":%q}}`, name))
			ids[name] = made["records"].([]any)[0].(map[string]any)["id"].(string)
		}
	}
	add("a", "b", "c", "d", "e")
	move := func(place, near string, names ...string) map[string]any {
		list := make([]string, len(names))
		for i, name := range names {
			list[i] = fmt.Sprintf("%q", ids[name])
		}
		return c.OK("POST", "/views/"+view+"/records/move", fmt.Sprintf(`{"ids":[%s],%q:%q}`,
			strings.Join(list, ","), place, ids[near]))
	}
	want := func(names string) {
		t.Helper()
		if got := ordered(c, table, view); got != names {
			t.Errorf("the view has %s, not %s", got, names)
		}
	}
	move("after", "a", "e")
	want("a e b c d")
	last := move("before", "a", "d", "b")
	want("d b a e c")
	if got := ordered(c, table, other); got != "a b c d e" {
		t.Errorf("another view has %s", got)
	}
	add("f")
	move("after", "f", "a")
	add("g")
	want("d b e c f a g")
	record := c.OK("GET", "/records/"+ids["a"], "")["fields"].(map[string]any)
	if _, listed := record["Manual order"]; listed {
		t.Errorf("a record has the key of its place: %v", record)
	}
	past := ordered(c, table, view+"&asOf="+last["changeSet"].(string)) // the moment before it
	if past != "a e b c d" {
		t.Errorf("the view had %s", past)
	}
	c.OK("POST", "/bases/"+base+"/changes/revert", `{"changeSets":["`+last["changeSet"].(string)+`"]}`)
	want("e b c d f a g") // they are where nobody had moved them

	path := "/views/" + view + "/records/move"
	self := fmt.Sprintf(`{"ids":[%q],"after":%q}`, ids["a"], ids["a"])
	c.Refused(http.StatusBadRequest, "POST", path, self, "is one of the records that move")
	c.Refused(http.StatusBadRequest, "POST", path, fmt.Sprintf(`{"ids":[%q]}`, ids["a"]), "before")
	gone := strings.Replace(ids["a"], ids["a"][12:20], "00000000", 1)
	c.Refused(http.StatusNotFound, "POST", path, fmt.Sprintf(`{"ids":[%q],"after":%q}`, ids["a"], gone))
	c.OK("PATCH", "/views/"+view, `{"config":{"sorts":[{"fieldId":"Name","dir":"desc"}]}}`)
	c.Refused(http.StatusConflict, "POST", path, fmt.Sprintf(`{"ids":[%q],"after":%q}`, ids["a"], ids["b"]),
		`sorted by \"Name\"`)
}

// An order that is made at random is that of a list that is changed in the same way.
func TestMoveRecordsModel(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Table"}`)
	view := c.ID("POST", "/tables/"+table+"/views", `{"type":"kanban"}`)
	ids, model := map[string]string{}, []string{}
	for i := range 7 {
		name := string(rune('a' + i))
		made := c.OK("POST", "/tables/"+table+"/records", fmt.Sprintf(`{"fields":{"Name":%q}}`, name))
		ids[name] = made["records"].([]any)[0].(map[string]any)["id"].(string)
		model = append(model, name)
	}
	for i := range 60 {
		from, to := rand.IntN(len(model)), rand.IntN(len(model))
		moved, near := model[from], model[to]
		if moved == near {
			continue
		}
		place := []string{"before", "after"}[rand.IntN(2)]
		model = slices.Delete(model, from, from+1)
		to = slices.Index(model, near)
		if place == "after" {
			to++
		}
		model = slices.Insert(model, to, moved)
		c.OK("POST", "/views/"+view+"/records/move", fmt.Sprintf(`{"ids":[%q],%q:%q}`, ids[moved], place, ids[near]))
		if got, want := ordered(c, table, view), strings.Join(model, " "); got != want {
			t.Fatalf("after %d moves, of which the last puts %s %s %s: %s, not %s", i+1, moved, place, near, got, want)
		}
	}
}
