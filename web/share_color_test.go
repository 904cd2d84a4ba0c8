package web_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Rules color what a page shows of a record. A rule about a field that is not shown would say something about it.
func TestASharedViewHasTheColorsOfItsRules(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	rule := func(name, op, value, color string) string {
		return `{"filters":[{"fieldId":` + string(m.id(name)) + `,"op":"` + op + `","value":` + value + `}],"color":"` +
			color + `"}`
	}
	config := schema.ViewConfig{
		"colorRules": json.RawMessage("[" + rule("Cost", "lt", "0", "amber") + "," +
			rule("Job", "eq", `"Paint"`, "pink") + "]"),
		"colorFieldId": m.id("State"), "stackFieldId": m.id("State"), "startFieldId": m.id("Begins"),
		"endFieldId": m.id("Ends"),
	}
	rows := `<tr( class="toned [a-z]+")?>\s*<th scope="row"[^>]*>([^<]*)`

	grid := m.show(t, schema.Grid, config, "")
	// Options without a colour of their own take those of the palette: the first is red, the second orange.
	wants(t, "the rows", pairs(grid, rows), "Paint toned pink", "Roof toned orange", "Gate toned yellow",
		"Fence &lt;b&gt; toned red")
	gallery := m.show(t, schema.Gallery, config, "")
	wants(t, "the cards", pairs(gallery, `<article class="share-card( toned [a-z]+)?">\s*<h3>([^<]*)`),
		"Paint toned pink", "Roof toned orange", "Gate toned yellow", "Fence &lt;b&gt; toned red")
	calendar := m.show(t, schema.Calendar, config, "?month=2026-12")
	entries := pairs(calendar, `<li( class="[a-z]+")?>([^<]*)`)
	wants(t, "the entries", slices.Compact(entries), "Roof orange", "Gate yellow")
	timeline := m.show(t, schema.Timeline, config, "?month=2026-11")
	wants(t, "the bars", texts(timeline, `<span class="bar ([a-z]+)"`), "pink", "orange")

	config["hiddenFields"] = fieldIDs(m.field("Cost"), m.field("State"))
	hidden := m.show(t, schema.Grid, config, "")
	wants(t, "the rows without what is hidden", pairs(hidden, rows), "Paint toned pink", "Roof", "Gate",
		"Fence &lt;b&gt;")
	if strings.Contains(hidden, "yellow") {
		t.Errorf("a colour tells of a hidden field: %s", hidden)
	}
}

// pairs are what an expression finds, each the second group and then the class in the first.
func pairs(body, expression string) []string {
	var out []string
	for _, found := range regexp.MustCompile(expression).FindAllStringSubmatch(body, -1) {
		class := strings.Trim(strings.TrimPrefix(strings.TrimSpace(found[1]), "class="), `"`)
		out = append(out, strings.TrimSpace(found[2]+" "+class))
	}
	return out
}
