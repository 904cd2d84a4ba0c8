package catalog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// TestEveryStoredReferenceIsInTheRegister fails when a column of the metadata, or a key of a config, may name
// something and nobody has said what becomes of that.
func TestEveryStoredReferenceIsInTheRegister(t *testing.T) {
	t.Parallel()
	b := setup(t)
	places := b.rows(t, `select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relnamespace = 'rowhouse'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
			and not a.attisdropped and a.attname not in ('org_id', 'id') and c.relname not like 'river_%'
			and a.atttypid = any (array['uuid', 'uuid[]', 'text', 'text[]', 'json', 'jsonb', 'jsonb[]']::regtype[])
			and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
				and a.attnum = any (k.conkey))`)
	places = slices.DeleteFunc(places, func(one string) bool { return strings.HasSuffix(one, ".config") })
	config := reflect.TypeFor[field.Config]()
	for i := range config.NumField() {
		key, _, _ := strings.Cut(config.Field(i).Tag.Get("json"), ",")
		if key != "-" {
			places = append(places, "field.config."+key)
		}
	}
	for _, key := range schema.ViewKeys() {
		places = append(places, "view.config."+key)
	}
	if len(places) < 60 {
		t.Fatalf("only %d places were found", len(places))
	}
	for _, place := range places {
		table, _, _ := strings.Cut(place, ".")
		is := func(r catalog.Reference) bool { return r.Place == place }
		registered := slices.ContainsFunc(catalog.References, is)
		nothing := slices.Contains(namesNothing, place) || slices.Contains(namesNothing, table+".*")
		switch {
		case registered && nothing:
			t.Errorf("%s is in the register, and said to name nothing", place)
		case !registered && !nothing:
			t.Errorf("%s may name an option, a field, a table, a view or a person: add it to catalog.References with "+
				"what follows a renaming and a deletion, and a case to TestStoredReferencesFollow, or to namesNothing",
				place)
		}
	}
	for _, r := range catalog.References {
		if !slices.Contains(places, r.Place) && r.Place != "field.linked_table_id" {
			t.Errorf("%s is in the register, and nowhere else", r.Place)
		}
		if _, tested := referenceCases[r.Place]; !tested {
			t.Errorf("%s has no case", r.Place)
		}
	}
}

// A referenceWorld is a base in which everything that can be named is named everywhere.
type referenceWorld struct {
	*bundle
	t       *testing.T
	tasks   uuid.UUID // with the fields that are named
	project uuid.UUID // links to tasks, and computes from them
	view    uuid.UUID
	hook    uuid.UUID
	by      schema.Viewer
}

func newReferenceWorld(t *testing.T) *referenceWorld {
	t.Helper()
	w := &referenceWorld{bundle: setup(t), t: t, by: schema.Viewer{Admin: true}}
	spec := func(name string, kind schema.Type, config string) catalog.FieldSpec {
		return catalog.FieldSpec{Name: name, Type: kind, Config: json.RawMessage(config)}
	}
	w.tasks = w.table(t, "Tasks", spec("Name", "text", `{}`),
		spec("State", "single_select", `{"options":["Open","Done","Spare"],"default":"Open"}`),
		spec("Tags", "multi_select", `{"options":["Open","Done","Spare"]}`),
		spec("Hours", "number", `{}`), spec("Day", "date", `{}`), spec("Photo", "attachment", `{}`)).ID
	w.field(w.tasks, spec("After", "link", fmt.Sprintf(`{"linkedTableId":%q}`, id.Format(id.Table, w.tasks))))
	w.project = w.table(t, "Projects", spec("Name", "text", `{}`)).ID
	w.field(w.project, spec("Tasks", "link", fmt.Sprintf(`{"linkedTableId":%q}`, id.Format(id.Table, w.tasks))))
	condition := `[{"or":[{"fieldId":"State","op":"in","value":["Open","Done"]},` +
		`{"fieldId":"Tags","op":"has_any","value":["Open"]}]}]`
	w.field(w.project, spec("Open tasks", "count", `{"linkFieldId":"Tasks","filters":`+condition+`}`))
	w.field(w.project, spec("Open hours", "rollup",
		`{"linkFieldId":"Tasks","fieldId":"Hours","function":"SUM","filters":`+condition+`}`))
	w.field(w.project, spec("States", "lookup", `{"linkFieldId":"Tasks","fieldId":"State"}`))
	w.field(w.project, spec("Days", "lookup",
		`{"linkFieldId":"Tasks","fieldId":"Name","sorts":[{"fieldId":"Day","dir":"desc"}],"limit":2}`))
	w.field(w.project, spec("Half", "formula", `{"formula":"{Open tasks} / 2"}`))
	w.field(w.tasks, spec("Is open", "formula", `{"formula":"{State} = \"Open\""}`))
	w.view = w.newView(w.tasks, fmt.Sprintf(`{"filters":%s,"sorts":[{"fieldId":"Hours"}],"groupBy":["State"],
		"stackFieldId":"State",
		"stackLimits":[{"fieldId":"State","value":"Open","limit":3}],
		"startFieldId":"Day","endFieldId":"Day","laneFieldId":"State","dependsOnFieldId":"After",
		"coverFieldId":"Photo","requiredFields":["Hours"],"hiddenFields":["Hours"],"fieldOrder":["Hours"],
		"columnWidths":{"Hours":100},"aggregates":{"Hours":"sum"},"colorFieldId":"State","colorRules":[
			{"filters":[{"fieldId":"State","op":"eq","value":"Open"}],"color":"red"},
			{"filters":[{"fieldId":"Hours","op":"gt","value":3}],"color":"blue"}],
		"formFields":{"Hours":{"help":"Whole hours",
		"condition":[{"fieldId":"State","op":"eq","value":"Open"},
			{"fieldId":"Tags","op":"has_any","value":["Open"]}],
		"page":{"condition":[{"fieldId":"State","op":"eq","value":"Open"}]}}},
		"chart":{"kind":"bar","value":{"fn":"sum","fieldId":"Hours"},"groupBy":{"fieldId":"Day","span":"month"},
			"seriesBy":{"fieldId":"State"}}}`,
		condition))
	w.newView(w.project, `{"filters":[{"fieldId":"States","op":"has_any","value":["Open"]}]}`)
	w.hook = id.New()
	w.exec(t, `insert into rowhouse.webhook (org_id, id, base_id, name, url, table_ids, field_ids, condition,
		include_values, secret, sealed_with, created_by, owner_id,
				position) values ($1, $2, $3, 'h', 'https://example.com',
		$4, $5, $6, false, '', '', $7, $7, '')`, w.org, w.hook, w.base.ID, []uuid.UUID{w.tasks},
		[]uuid.UUID{w.named("Hours").ID}, w.byID(condition), id.New())
	return w
}

func (w *referenceWorld) field(table uuid.UUID, spec catalog.FieldSpec) {
	w.t.Helper()
	if _, err := w.store.CreateField(w.t.Context(), w.org, table, spec); err != nil {
		w.t.Fatal(err)
	}
}

func (w *referenceWorld) newView(table uuid.UUID, config string) uuid.UUID {
	w.t.Helper()
	made, err := w.store.CreateView(w.t.Context(), w.org, table, catalog.ViewSpec{
		Type:   "grid",
		Name:   "The view",
		By:     w.by,
		Check:  query.CheckView,
		Config: decoded[schema.ViewConfig](w.t, config),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.ID
}

func decoded[T any](t *testing.T, text string) T {
	t.Helper()
	var out T
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// named finds a field of the tasks.
func (w *referenceWorld) named(name string) *schema.Field {
	return w.fresh(w.t).Table(w.tasks).FieldByName(name)
}

func (w *referenceWorld) computed(name string) *schema.Field {
	return w.fresh(w.t).Table(w.project).FieldByName(name)
}

// byID writes a filter with fields by id.
func (w *referenceWorld) byID(filter string) string {
	for _, f := range w.fresh(w.t).Table(w.tasks).Fields {
		filter = strings.ReplaceAll(filter, `"fieldId":"`+f.Name+`"`, `"fieldId":"`+f.PublicID()+`"`)
	}
	return filter
}

// perform makes a change as the API does. A plan of it comes first, and must report the same losses.
func (w *referenceWorld) perform(change func(ctx context.Context, s *catalog.Store) error) []string {
	w.t.Helper()
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		w.t.Fatal(err)
	}
	store := w.store.Planning(plans)
	losses := make([][]string, 2)
	for i, only := range []bool{true, false} {
		impact, err := store.Perform(w.t.Context(), w.org, plan.Request{Only: only, Credential: "key_x"}, change)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, loss := range impact.Losses {
			losses[i] = append(losses[i], loss.Path+": "+loss.Message)
		}
	}
	if !slices.Equal(losses[0], losses[1]) {
		w.t.Errorf(
			"the plan tells of\n%s\nand the answer of\n%s",
			strings.Join(losses[0], "\n"),
			strings.Join(losses[1], "\n"),
		)
	}
	return losses[1]
}

func (w *referenceWorld) deletion(f *schema.Field) func(ctx context.Context, s *catalog.Store) error {
	return func(ctx context.Context, s *catalog.Store) error { return s.DeleteField(ctx, w.org, f.ID) }
}

// retype makes texts of the values of a field.
func (w *referenceWorld) retype(name string) func(ctx context.Context, s *catalog.Store) error {
	f := w.named(name)
	return func(ctx context.Context, s *catalog.Store) error {
		return catalog.Retype(ctx, s, w.org, f.ID, catalog.TypeChange{
			Type: schema.Text, Patch: catalog.FieldPatch{Discard: true},
		})
	}
}

// options sets the options of a field.
func (w *referenceWorld) options(name, options string, discard bool) func(ctx context.Context, s *catalog.Store) error {
	f := w.named(name)
	return func(ctx context.Context, s *catalog.Store) error {
		return s.UpdateField(ctx, w.org, f.ID,
			catalog.FieldPatch{Config: json.RawMessage(`{"options":` + options + `}`), Discard: discard})
	}
}

func (w *referenceWorld) wantLoss(losses []string, of fmt.Stringer, words string) {
	w.t.Helper()
	if !slices.ContainsFunc(losses, func(one string) bool {
		return strings.HasPrefix(one, of.String()) && strings.Contains(one, words)
	}) {
		w.t.Errorf("no loss of %s says %q; losses are\n%s", of, words, strings.Join(losses, "\n"))
	}
}

type publicID string

func (p publicID) String() string { return string(p) }

func (w *referenceWorld) viewID() publicID { return publicID(id.Format(id.View, w.view)) }

func (w *referenceWorld) hookID() publicID { return publicID(id.Format(id.Webhook, w.hook)) }

func (w *referenceWorld) condition() string {
	return w.rows(w.t, "select condition from rowhouse.webhook where org_id = $1", w.org)[0]
}

const renameOpen = `[{"name":"Started","previousName":"Open"},"Done","Spare"]`

// keyOfView deletes a field that a key of a view names, and expects a loss with some words.
func keyOfView(name, words string) func(w *referenceWorld) {
	return func(w *referenceWorld) {
		losses := w.perform(w.deletion(w.named(name)))
		if words != "" {
			w.wantLoss(losses, w.viewID(), words)
		}
		for key, value := range w.fresh(w.t).View(w.view).Config {
			if f := w.named(name); f != nil || key != "filters" && strings.Contains(string(value), "null") {
				w.t.Errorf("%s is %s", key, value)
			}
		}
	}
}

// errorsOf deletes a field, and expects that another one shows errors.
func errorsOf(deleted func(w *referenceWorld) *schema.Field, broken string) func(w *referenceWorld) {
	return func(w *referenceWorld) {
		of := publicID(w.anyField(broken).PublicID())
		w.wantLoss(w.perform(w.deletion(deleted(w))), of, "error")
		if w.anyField(broken).Computed.Broken == "" && broken != "Half" {
			w.t.Errorf("%q is not broken", broken)
		}
	}
}

func ofTasks(name string) func(w *referenceWorld) *schema.Field {
	return func(w *referenceWorld) *schema.Field { return w.named(name) }
}

func nothingToTest(*referenceWorld) {}

// referenceCases shows for each entry of the register that it holds.
var referenceCases = map[string]func(w *referenceWorld){
	"view.config.filters": func(w *referenceWorld) {
		w.wantLoss(w.perform(w.deletion(w.named("State"))), w.viewID(), "would show nothing until its filter")
	},
	"view.config.sorts":        keyOfView("Hours", `no longer sort by "Hours"`),
	"view.config.groupBy":      keyOfView("State", `no longer group by "State"`),
	"view.config.stackFieldId": keyOfView("State", `have no stacks without "State"`),
	"view.config.stackLimits": func(w *referenceWorld) {
		w.perform(w.options("State", renameOpen, false))
		if got := string(w.fresh(w.t).View(w.view).Config["stackLimits"]); !strings.Contains(got, `"Started"`) {
			w.t.Errorf("the limits are %s", got)
		}
		keyOfView("State", `no longer limit stacks of "State"`)(w)
	},
	"view.config.startFieldId":     keyOfView("Day", `show no records on days without "Day"`),
	"view.config.endFieldId":       keyOfView("Day", `no longer show ends from "Day"`),
	"view.config.laneFieldId":      keyOfView("State", `no longer make lanes of "State"`),
	"view.config.dependsOnFieldId": keyOfView("After", `no longer draw dependencies by "After"`),
	"view.config.coverFieldId":     keyOfView("Photo", `no longer show covers from "Photo"`),
	"view.config.requiredFields":   keyOfView("Hours", `no longer require "Hours"`),
	"view.config.hiddenFields":     keyOfView("Hours", ""),
	"view.config.fieldOrder":       keyOfView("Hours", ""),
	"view.config.columnWidths":     keyOfView("Hours", ""),
	"view.config.aggregates":       keyOfView("Hours", ""),
	"view.config.colorFieldId":     keyOfView("State", `no longer colour records by "State"`),
	"view.config.colorRules":       colorRulesFollow,
	"view.config.formFields":       keyOfView("Hours", `lose the settings of its form for "Hours"`),
	"view.config.chart": func(w *referenceWorld) {
		keyOfView("Hours", `no longer chart "Hours"`)(w)
		// Nothing is counted instead of the hours that are gone.
		chart := string(w.fresh(w.t).View(w.view).Config["chart"])
		if strings.Contains(chart, "value") || strings.Count(chart, "fieldId") != 2 {
			w.t.Errorf("the chart is %s", chart)
		}
		w.wantLoss(w.perform(w.retype("Day")), w.viewID(), `no longer chart "Day"`)
	},
	"view.created_by": nothingToTest,
	"field.config.default": func(w *referenceWorld) {
		w.perform(w.options("State", renameOpen, false))
		if got := string(w.named("State").Config.Default); got != `"Started"` {
			w.t.Errorf("the default is %s", got)
		}
	},
	"field.config.formula": errorsOf(ofTasks("State"), "Is open"),
	"field.config.linkFieldId": errorsOf(
		func(w *referenceWorld) *schema.Field { return w.computed("Tasks") },
		"Open hours",
	),
	"field.config.fieldId":        errorsOf(ofTasks("Hours"), "Open hours"),
	"field.config.filters":        errorsOf(ofTasks("State"), "Half"), // of the count that it reads
	"field.config.sorts":          errorsOf(ofTasks("Day"), "Days"),
	"field.config.inverseFieldId": errorsOf(ofTasks("Projects"), "States"),
	"field.config.linkedTableId": func(w *referenceWorld) {
		of := publicID(w.computed("Tasks").PublicID())
		w.wantLoss(
			w.perform(w.tableDeletion()),
			of,
			"go too",
		)
	},
	"field.linked_table_id": nothingToTest, // the same
	"webhook.condition": func(w *referenceWorld) {
		w.wantLoss(w.perform(w.deletion(w.named("State"))), w.hookID(), "would be disabled until its filter")
	},
	"webhook.field_ids": func(w *referenceWorld) {
		w.wantLoss(w.perform(w.deletion(w.named("Hours"))), w.hookID(), `would tell nothing of "Hours"`)
	},
	"webhook.table_ids": func(w *referenceWorld) {
		w.wantLoss(w.perform(w.tableDeletion()),
			w.hookID(), `would tell nothing of the table "Tasks"`)
	},
	"dashboard.tiles": func(w *referenceWorld) {
		dashboard := id.New()
		w.exec(w.t, `insert into rowhouse.dashboard (org_id, id, base_id, name, tiles)
				values ($1, $2, $3, 'Sales', $4)`, w.org, dashboard, w.base.ID,
			`[{"viewId":"`+w.viewID().String()+`"},{"text":"x"}]`)
		losses := w.perform(func(ctx context.Context, s *catalog.Store) error {
			return s.DeleteView(ctx, w.org, w.view, w.by)
		})
		w.wantLoss(losses, publicID(id.Format(id.Dashboard, dashboard)),
			`"Sales" would no longer show the view "The view"`)
	},
	"webhook.created_by": nothingToTest,
	"webhook.owner_id":   nothingToTest, // package webhook
	"comment.mentions":   nothingToTest, // package comment
	"view_share.person_id": func(w *referenceWorld) {
		form, err := w.store.CreateView(w.t.Context(), w.org, w.tasks, catalog.ViewSpec{Type: schema.Form, By: w.by})
		if err != nil {
			w.t.Fatal(err)
		}
		person := tenancytest.Person(w.t, w.db)
		if err := tenancytest.Join(w.t, w.db, w.org, person, organization.Admin); err != nil {
			w.t.Fatal(err)
		}
		w.exec(w.t, `insert into rowhouse.view_share (org_id, view_id, share_id, person_id) values ($1, $2, 's', $3)`,
			w.org, form.ID, person)
		w.wantLoss(w.perform(func(ctx context.Context, s *catalog.Store) error {
			return s.RemoveMember(ctx, w.org, organization.Owner, person, true)
		}), publicID(form.PublicID()), "would take no answers from outside")
	},
	// package transfer
	"job.person_id": nothingToTest, "job.table_id": nothingToTest, "job.request": nothingToTest,
	// TestPermissionsForget
	"workspace.permission": nothingToTest, "base.permission": nothingToTest,
	"data_table.permission": func(w *referenceWorld) {
		state := w.named("State")
		rules := []*schema.RowRule{{
			Audience: schema.Audience{Role: schema.BaseViewer},
			Filter:   []byte(`[{"fieldId":"State","op":"eq","value":"Open"}]`),
		}}
		w.perform(func(ctx context.Context, s *catalog.Store) error {
			return s.SetTablePermissions(ctx, w.org, w.tasks, catalog.TableRule{Rules: &rules})
		})
		w.perform(w.options("State", renameOpen, false))
		filter := string(w.fresh(w.t).Table(w.tasks).Permission.Rules[0].Filter)
		if !strings.Contains(filter, `"Started"`) {
			w.t.Errorf("the rule's filter is %s", filter)
		}
		w.wantLoss(w.perform(w.deletion(state)), publicID(w.fresh(w.t).Table(w.tasks).PublicID()),
			"would let nobody read records")
	},
	"field.permission": nothingToTest, "person_group.members": nothingToTest,
	"trash.content": func(w *referenceWorld) {
		count := w.computed("Open tasks")
		w.perform(w.deletion(count))
		w.perform(func(ctx context.Context, s *catalog.Store) error { return s.DeleteView(ctx, w.org, w.view, w.by) })
		w.perform(w.options("State", renameOpen, false))
		w.restore(w.t, count.PublicID())
		w.restore(w.t, w.viewID().String())
		if f := w.computed("Open tasks"); f.Computed.Broken != "" {
			w.t.Errorf("the restored count: %s in %s", f.Computed.Broken, f.Config.Filters)
		}
		if wrong := query.ViewProblems(w.fresh(w.t).View(w.view)); len(wrong) > 0 {
			w.t.Errorf("the restored view: %v", wrong)
		}
	},
}
