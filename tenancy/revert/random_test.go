package revert_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A long run: go test ./tenancy/revert -run RandomHistories -histories 3000 -timeout 4h

var histories = flag.Int("histories", 6, "how many random histories are compared with the model")

// A past model keeps what was deleted as it keeps what is there, and changes it with the schema as if it were
// there: what comes back is what would be there had nothing been deleted. Undoing the latest change set leads
// to the state before it.
type pastModel struct {
	Boats, Ports map[string]*pastRecord
	Links        map[[2]string]bool // of boats and ports
	Gone         map[string]bool    // fields of boats, and "Ports", the table, that are in the trash
	With         map[string]bool    // fields that went with the table of ports
	Types        map[string]schema.Type
	Options      map[string][]string
}

type pastRecord struct {
	Gone   bool
	Values map[string]any
}

func (m *pastModel) clone() *pastModel {
	records := func(of map[string]*pastRecord) map[string]*pastRecord {
		out := map[string]*pastRecord{}
		for one, r := range of {
			values := maps.Clone(r.Values)
			out[one] = &pastRecord{r.Gone, values}
		}
		return out
	}
	options := map[string][]string{}
	for name, list := range m.Options {
		options[name] = slices.Clone(list)
	}
	return &pastModel{
		records(m.Boats), records(m.Ports), maps.Clone(m.Links), maps.Clone(m.Gone), maps.Clone(m.With),
		maps.Clone(m.Types), options,
	}
}

// A pastRun is one random history.
type pastRun struct {
	*harbour
	*pastModel

	random *rand.Rand
	stack  []undoable
	names  int
	log    []string
}

// An undoable is a change set, with the model before it.
type undoable struct {
	set    uuid.UUID
	before *pastModel
}

func TestRandomHistoriesEqualTheModel(t *testing.T) {
	t.Parallel()
	const workers = 3
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			w := setup(t) // changes of the schema of one organization wait for each other
			for seed := worker; seed < *histories; seed += workers {
				w.randomHistory(uint64(seed))
			}
		})
	}
}

func (w *world) randomHistory(seed uint64) {
	w.t.Helper()
	h := w.harbour()
	r := &pastRun{harbour: h, random: rand.New(rand.NewPCG(seed, 40)), pastModel: &pastModel{
		Boats: map[string]*pastRecord{}, Ports: map[string]*pastRecord{}, Links: map[[2]string]bool{},
		Gone: map[string]bool{}, With: map[string]bool{},
		Types:   map[string]schema.Type{"N": schema.Number, "Text": schema.Text},
		Options: map[string][]string{"Tag": {"a", "b", "c"}, "Tags": {"a", "b", "c"}},
	}}
	hand := h.hand("key_fill")
	for _, port := range hand.create(h.ports, `{"Name":"p0"}`, `{"Name":"p1"}`) {
		r.Ports[port] = &pastRecord{}
	}
	for range 2 {
		r.create(hand)
	}
	if seed%100 == 0 {
		w.t.Logf("history %d", seed)
	}
	defer func() {
		if w.t.Failed() {
			w.t.Logf("seed %d:\n%s", seed, strings.Join(r.log, "\n"))
		}
	}()
	for range 12 {
		r.step()
		if r.compare(); w.t.Failed() {
			w.t.FailNow()
		}
	}
}

func (r *pastRun) pick(from map[string]*pastRecord, gone bool) string {
	var ids []string
	for one, record := range from {
		if record.Gone == gone {
			ids = append(ids, one)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return ids[r.random.IntN(len(ids))]
}

// values draws values of the fields that are there, and links.
func (r *pastRun) values() (map[string]any, []string) {
	out := map[string]any{}
	for name, options := range r.Options {
		if r.Gone[name] || len(options) == 0 {
			continue
		}
		first := options[r.random.IntN(len(options))]
		out[name] = first
		if name == "Tags" {
			list := []any{first}
			if second := options[r.random.IntN(len(options))]; second != first {
				list = append(list, second)
			}
			out[name] = list
		}
	}
	for name, kind := range r.Types {
		switch {
		case r.Gone[name]:
		case kind == schema.Number:
			out[name] = float64(r.random.IntN(5))
		default:
			out[name] = []string{"1", "2", "x"}[r.random.IntN(3)]
		}
	}
	var ports []string
	if !r.Gone["Calls"] {
		for port, record := range r.Ports {
			if !record.Gone && r.random.IntN(2) == 0 {
				ports = append(ports, port)
			}
		}
	}
	return out, ports
}

func (r *pastRun) write(one string, values map[string]any, ports []string) string {
	object := maps.Clone(values)
	if !r.Gone["Calls"] {
		object["Calls"] = append([]string{}, ports...)
		for pair := range r.Links {
			if pair[0] == one && !r.Ports[pair[1]].Gone {
				delete(r.Links, pair)
			}
		}
	}
	encoded, err := json.Marshal(object)
	r.change(err)
	return string(encoded)
}

func (r *pastRun) create(hand *hand) {
	values, ports := r.values()
	one := hand.create(r.boats, r.write("", values, ports))[0]
	r.Boats[one] = &pastRecord{Values: values}
	for _, port := range ports {
		r.Links[[2]string{one, port}] = true
	}
}

// step does something, or undoes the latest change set.
func (r *pastRun) step() {
	r.t.Helper()
	if len(r.stack) > 0 && r.random.IntN(5) == 0 {
		last := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		r.log = append(r.log, "undo")
		hand := r.hand("key_undo")
		_, err := hand.undo(revert.Fail, last.set)
		if problem.KindOf(err) == problem.KindNotFound && reflect.DeepEqual(last.before, r.pastModel) {
			return // it has changed nothing
		}
		if err != nil {
			r.t.Errorf("undoing: %v", err)
		}
		r.pastModel = last.before
		return
	}
	before, hand := r.clone(), r.hand("key_step")
	if what := r.act(hand); what != "" {
		r.log = append(r.log, what)
		r.stack = append(r.stack, undoable{hand.set, before})
	}
}

// act does something, and says what; "" is nothing.
func (r *pastRun) act(hand *hand) string {
	r.t.Helper()
	switch what := r.random.IntN(14); what {
	case 0:
		r.create(hand)
		return "create"
	case 1, 2:
		one := r.pick(r.Boats, false)
		if one == "" {
			return ""
		}
		values, ports := r.values()
		hand.update(one, r.write(one, values, ports))
		maps.Copy(r.Boats[one].Values, values)
		if !r.Gone["Calls"] {
			for _, port := range ports {
				r.Links[[2]string{one, port}] = true
			}
		}
		return "update " + one
	case 3, 4:
		return r.deleteOrRestore(hand, r.boats, r.Boats, what == 3)
	case 5, 6:
		if r.Gone["Ports"] {
			return ""
		}
		return r.deleteOrRestore(hand, r.ports, r.Ports, what == 5)
	case 7, 8:
		return r.changeOptions(hand, []string{"Tag", "Tags"}[r.random.IntN(2)])
	case 9:
		return r.retype(hand, []string{"N", "Text"}[r.random.IntN(2)])
	case 10, 11, 12:
		return r.moveField(hand, []string{"Tag", "Tags", "N", "Text", "Calls"}[r.random.IntN(5)])
	default:
		return r.movePorts(hand)
	}
}

func (r *pastRun) deleteOrRestore(
	hand *hand, table *schema.Table, records map[string]*pastRecord, deletes bool,
) string {
	one := r.pick(records, !deletes)
	if one == "" {
		return ""
	}
	records[one].Gone = deletes
	if deletes {
		hand.delete(table, one)
		return "delete " + one
	}
	r.change(restored(hand.revert.Restore(hand.ctx, r.actor, table.ID, []string{one}, false)))
	return "restore " + one
}

func (r *pastRun) changeOptions(hand *hand, name string) string {
	options := r.Options[name]
	if r.Gone[name] || len(options) == 0 {
		return ""
	}
	at := r.random.IntN(len(options))
	r.names++
	renamed := fmt.Sprint("o", r.names)
	var config []any
	becomes := map[string]any{}
	for i, option := range options {
		becomes[option] = option
		config = append(config, option)
		if i == at {
			config[i], becomes[option] = map[string]string{"name": renamed, "previousName": option}, renamed
		}
	}
	what := "rename " + options[at] + " of " + name + " to " + renamed
	next := slices.Clone(options)
	next[at] = renamed
	if removes := r.random.IntN(2) == 0; removes {
		what = "remove " + options[at] + " of " + name
		config, next = slices.Delete(config, at, at+1), slices.Delete(slices.Clone(options), at, at+1)
		becomes[options[at]] = nil
	}
	encoded, err := json.Marshal(map[string]any{"options": append([]any{}, config...)})
	r.change(err)
	r.patch(hand, name, string(encoded))
	r.Options[name] = next
	for _, boat := range r.Boats {
		switch value := boat.Values[name].(type) {
		case string:
			boat.Values[name] = becomes[value]
		case []any:
			var list []any
			for _, option := range value {
				if now := becomes[option.(string)]; now != nil {
					list = append(list, now)
				}
			}
			if boat.Values[name] = nil; len(list) > 0 {
				boat.Values[name] = list
			}
		}
	}
	return what
}

func (r *pastRun) retype(hand *hand, name string) string {
	if r.Gone[name] {
		return ""
	}
	to := schema.Text
	if r.Types[name] == schema.Text {
		to = schema.Number
	}
	r.change(catalog.Retype(hand.ctx, hand.schemas(), r.actor.Org, r.field(name).ID,
		catalog.TypeChange{Type: to, Patch: catalog.FieldPatch{Discard: true}}))
	r.Types[name] = to
	for _, boat := range r.Boats {
		switch value := boat.Values[name].(type) {
		case float64:
			boat.Values[name] = fmt.Sprint(value)
		case string:
			boat.Values[name] = nil
			if value != "x" {
				boat.Values[name] = float64(value[0] - '0')
			}
		}
	}
	return fmt.Sprint("retype ", name, " to ", to)
}

// moveField deletes a field, or restores it.
func (r *pastRun) moveField(hand *hand, name string) string {
	original := r.boats.FieldByName(name)
	if r.Gone[name] {
		if r.With[name] || name == "Calls" && r.Gone["Ports"] {
			return "" // with its table
		}
		r.restoreItem(hand, original.PublicID())
		delete(r.Gone, name)
		return "restore field " + name
	}
	r.change(hand.schemas().DeleteField(hand.ctx, r.actor.Org, original.ID))
	r.Gone[name] = true
	return "delete field " + name
}

// movePorts deletes the table of ports, or restores it.
func (r *pastRun) movePorts(hand *hand) string {
	if r.Gone["Ports"] {
		r.restoreItem(hand, r.ports.PublicID())
		delete(r.Gone, "Ports")
		for name := range r.With {
			delete(r.Gone, name)
		}
		clear(r.With)
		return "restore the table"
	}
	r.change(hand.schemas().DeleteTable(hand.ctx, r.actor.Org, r.ports.ID))
	r.Gone["Ports"] = true
	for _, name := range []string{"Calls", "Home"} {
		if !r.Gone[name] {
			r.Gone[name], r.With[name] = true, true
		}
	}
	return "delete the table"
}

func (r *pastRun) restoreItem(hand *hand, public string) {
	r.t.Helper()
	_, err := hand.schemas().Restore(hand.ctx, r.actor.Org, catalog.TrashRequest{
		Items: []string{public}, Base: r.base, By: schema.Viewer{Admin: true},
	})
	r.change(err)
}

// compare compares everything that is there with the model.
func (r *pastRun) compare() {
	r.t.Helper()
	tables := []*schema.Table{r.boats}
	if !r.Gone["Ports"] {
		tables = append(tables, r.ports)
	}
	there := r.all(tables...)
	for one, boat := range r.Boats {
		if boat.Gone {
			continue
		}
		delete(there, one)
		want := map[string]any{"Calls": []any{}}
		for _, name := range []string{"Tag", "Tags", "N", "Text"} {
			if !r.Gone[name] {
				want[name] = boat.Values[name]
			}
		}
		for pair := range r.Links {
			if pair[0] == one && !r.Ports[pair[1]].Gone {
				want["Calls"] = append(want["Calls"].([]any), pair[1])
			}
		}
		got := r.get(one).Fields
		for _, name := range []string{"Name", "Done", "Home"} {
			delete(got, name)
		}
		if r.Gone["Calls"] {
			delete(want, "Calls")
		} else if got["Calls"] == nil {
			got["Calls"] = []any{}
		}
		for _, links := range []map[string]any{got, want} {
			if list, ok := links["Calls"].([]any); ok {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			}
		}
		if !reflect.DeepEqual(got, want) {
			r.t.Errorf("%s is\n%v\nand not\n%v", one, got, want)
		}
	}
	for one, port := range r.Ports {
		if !port.Gone {
			delete(there, one)
		}
	}
	if len(there) > 0 {
		r.t.Errorf("there are more records: %v", there)
	}
}
