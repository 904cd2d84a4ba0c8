package revert_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A restoration gives what would be there had nothing been deleted. The matrix crosses what was
// deleted, what changed in the schema meanwhile, which of both was first, in which order they were
// restored, and whether they were restored or reverted. The model is a function from the record's
// former values to the expected ones.

// A cell is a boat with its two ports, some of which are deleted and come back.
type cell struct {
	name       string
	deletes    []string // "boat" or "port", each in a request of its own
	returns    []string // the same in the order in which they come back
	reverts    bool     // else they are restored
	ids        map[string]string
	boat, port map[string]any // what the model says
	sets       map[string]uuid.UUID
	noted      bool // a note said that something does not come back with the boat
}

func cells() []*cell {
	var all []*cell
	for _, order := range [][2]string{
		{"boat", "boat"},
		{"port", "port"},
		{"boat port", "boat port"},
		{"boat port", "port boat"},
		{"port boat", "boat port"},
		{"port boat", "port boat"},
	} {
		for _, reverts := range []bool{false, true} {
			all = append(all, &cell{
				name: fmt.Sprintf("%s deleted, %s back, reverted %t", order[0], order[1], reverts), reverts: reverts,
				deletes: strings.Fields(order[0]), returns: strings.Fields(order[1]), ids: map[string]string{},
				sets: map[string]uuid.UUID{},
			})
		}
	}
	return all
}

// A harbour is the tables of one run of the matrix.
type harbour struct {
	*world
	boats, ports *schema.Table
	set          uuid.UUID // of the change of the schema
	items        []string  // of the trash that take it back
}

func (w *world) harbour() *harbour {
	w.t.Helper()
	base, err := w.store.CreateBase(w.t.Context(), w.actor.Org, uuid.Nil, id.New().String())
	if err != nil {
		w.t.Fatal(err)
	}
	own := *w
	own.base = base.ID
	options := `{"options":["a","b","c"]}`
	boats := own.table("Boats", field("Name", schema.Text), field("Tag", schema.SingleSelect, options),
		field("Tags", schema.MultiSelect, options), field("N", schema.Number), field("Text", schema.Text),
		field("Done", schema.Checkbox))
	ports := own.table("Ports", field("Name", schema.Text))
	own.link(boats, ports, "Calls", true, true)
	own.link(boats, ports, "Home", false, true)
	h := &harbour{world: &own}
	h.boats, h.ports = h.schema(boats.ID), h.schema(ports.ID)
	return h
}

// fill makes the records of the cells.
func (h *harbour) fill(all []*cell) {
	hand := h.hand("key_fill")
	var ports, boats []string
	for i := range all {
		ports = append(ports, fmt.Sprintf(`{"Name":"port %d"}`, i), fmt.Sprintf(`{"Name":"other port %d"}`, i))
	}
	made := hand.create(h.ports, ports...)
	for i, c := range all {
		c.ids["port"], c.ids["other"] = made[2*i], made[2*i+1]
		boats = append(
			boats,
			fmt.Sprintf(`{"Name":"boat %[1]d","Tag":"a","Tags":["a","b"],"N":5,"Text":"7","Done":true,`+
				`"Calls":["%[2]s","%[3]s"],"Home":["%[2]s"]}`, i, made[2*i], made[2*i+1]),
		)
	}
	for i, boat := range hand.create(h.boats, boats...) {
		c := all[i]
		c.ids["boat"] = boat
		c.boat = map[string]any{
			"Name": fmt.Sprint("boat ", i), "Tag": "a", "Tags": []any{"a", "b"}, "N": 5.0, "Text": "7", "Done": true,
			"Calls": []any{"port", "other"}, "Home": []any{"port"},
		}
		c.port = map[string]any{"Name": fmt.Sprint("port ", i), "Boats": []any{"boat"}, "Boats 2": []any{"boat"}}
	}
}

func (h *harbour) tableOf(what string) *schema.Table {
	if what == "boat" {
		return h.boats
	}
	return h.ports
}

func (h *harbour) field(name string) *schema.Field {
	h.t.Helper()
	f := h.schema(h.boats.ID).FieldByName(name)
	if f == nil {
		h.t.Fatalf("there is no field %s", name)
	}
	return f
}

func (h *harbour) patch(hand *hand, name, config string) {
	h.t.Helper()
	h.change(hand.schemas().UpdateField(hand.ctx, h.actor.Org, h.field(name).ID, catalog.FieldPatch{
		Config: json.RawMessage(config), Discard: true,
	}))
}

// change fails the test on an error of a change of the schema.
func (w *world) change(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// delete deletes what the cells delete.
func (h *harbour) deleteAll(all []*cell) {
	for _, c := range all {
		for _, what := range c.deletes {
			hand := h.hand("key_delete")
			hand.delete(h.tableOf(what), c.ids[what])
			c.sets[what] = hand.set
		}
	}
}

// returnAll brings it back.
func (h *harbour) returnAll(all []*cell) {
	h.t.Helper()
	for _, c := range all {
		for _, what := range c.returns {
			hand := h.hand("key_return")
			if c.reverts {
				request := revert.Request{ChangeSets: []uuid.UUID{c.sets[what]}, OnConflict: revert.Skip, DryRun: true}
				dry, err := hand.revert.Revert(hand.ctx, h.actor, h.base, request)
				h.change(err)
				plan, err := hand.undo(revert.Skip, c.sets[what])
				h.change(err)
				c.noted = c.noted || len(plan.Notes)+len(plan.Conflicts) > 0
				if dry.Records != plan.Records || !slices.Equal(dry.Notes, plan.Notes) {
					h.t.Errorf("%s: planned %+v, done %+v", c.name, dry, plan)
				}
				continue
			}
			ids := []string{c.ids[what]}
			dry, err := hand.revert.Restore(hand.ctx, h.actor, h.tableOf(what).ID, ids, true)
			h.change(err)
			notes, err := hand.revert.Restore(hand.ctx, h.actor, h.tableOf(what).ID, ids, false)
			h.change(err)
			c.noted = c.noted || len(notes) > 0
			if !reflect.DeepEqual(notes, dry) {
				h.t.Errorf("%s: planned %q, done %q", c.name, dry, notes)
			}
		}
	}
}

// takeBack takes the change of the schema back.
func (h *harbour) takeBack(all []*cell, reverts bool) {
	h.t.Helper()
	if reverts {
		plan, _ := h.must(revert.Skip, h.set)
		for _, c := range all {
			c.noted = c.noted || slices.ContainsFunc(plan.Conflicts, func(conflict revert.Conflict) bool {
				return conflict.RecordID == c.ids["boat"]
			})
		}
		return
	}
	_, err := h.store.Restore(h.t.Context(), h.actor.Org, catalog.TrashRequest{
		Items: h.items, Base: h.base, By: schema.Viewer{Admin: true},
	})
	h.change(err)
}

// compare compares records with what the model says.
func (h *harbour) compare(all []*cell, e *evolution, makes func(map[string]any), kept bool) {
	h.t.Helper()
	for _, c := range all {
		want := maps.Clone(c.boat)
		if kept && slices.Contains(c.deletes, "boat") {
			e.stays(want)
			if !c.noted {
				h.t.Errorf("%s; %s: nobody is told what is lost", e.name, c.name)
			}
		} else {
			makes(want)
		}
		names := map[string]string{c.ids["boat"]: "boat", c.ids["port"]: "port", c.ids["other"]: "other"}
		if got := named(h.get(c.ids["boat"]).Fields, names); !reflect.DeepEqual(got, want) {
			h.t.Errorf("%s; %s: the boat is\n%v\nand not\n%v", e.name, c.name, got, want)
		}
		if h.schema(h.ports.ID) == nil {
			continue
		}
		wantPort := maps.Clone(c.port)
		for own, far := range map[string]string{"Calls": "Boats", "Home": "Boats 2"} {
			if _, ok := want[own]; !ok {
				delete(wantPort, far)
			}
		}
		if got := named(h.get(c.ids["port"]).Fields, names); !reflect.DeepEqual(got, wantPort) {
			h.t.Errorf("%s; %s: the port is\n%v\nand not\n%v", e.name, c.name, got, wantPort)
		}
	}
}

// named replaces the ids of records by what they are called.
func named(fields map[string]any, names map[string]string) map[string]any {
	for _, value := range fields {
		list, _ := value.([]any)
		for i := range list {
			if name, ok := names[fmt.Sprint(list[i])]; ok {
				list[i] = name
			}
		}
	}
	return fields
}

func TestARestorationIsWhatWouldBeThere(t *testing.T) {
	t.Parallel()
	count := make(chan int, 1000)
	t.Run("matrix", func(t *testing.T) {
		for _, e := range evolutions() {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				w := setup(t)
				for _, later := range []bool{false, true} { // the records are deleted after the change of the schema
					for _, back := range []string{"", "restored", "reverted"} {
						if back == "restored" && !e.restores || back == "reverted" && !e.reverts ||
							back == "" && (e.restores || e.reverts) { // it is compared before it is taken back, too
							continue
						}
						for _, first := range []bool{false, true} { // the records come back before it is taken back
							if back == "" && first {
								continue
							}
							count <- w.runMatrix(e, later, back, first)
						}
					}
				}
			})
		}
	})
	close(count)
	total := 0
	for n := range count {
		total += n
	}
	t.Logf("%d cells", total)
	if total < 400 && !testing.Short() {
		t.Errorf("there are %d cells", total)
	}
}

// runMatrix runs the cells with one change of the schema, and returns how many there were.
func (w *world) runMatrix(e *evolution, later bool, back string, first bool) int {
	w.t.Helper()
	h := w.harbour()
	all := cells()
	if e.noPorts && (later || first || back == "") {
		// Their table is away when they would be deleted or come back.
		all = slices.DeleteFunc(all, func(c *cell) bool { return slices.Contains(c.deletes, "port") })
	}
	h.fill(all)
	hand := h.hand("key_schema")
	h.set = hand.set
	if !later {
		h.deleteAll(all)
	}
	e.do(h, hand)
	if later {
		h.deleteAll(all)
	}
	makes := e.stays
	if first || back == "" {
		h.returnAll(all)
		h.compare(all, e, makes, false)
	}
	if back != "" {
		h.takeBack(all, back == "reverted")
		makes = map[string]func(map[string]any){"restored": e.restored, "reverted": e.reverted}[back]
	}
	if back != "" && !first {
		h.returnAll(all)
	}
	h.compare(all, e, makes, e.keeps && first != later && back == "reverted")
	if w.t.Failed() {
		w.t.Logf(
			"with records deleted after the schema changed: %t; it is %q; records are back first: %t",
			later,
			back,
			first,
		)
	}
	return len(all)
}
