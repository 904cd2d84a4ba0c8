package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestStoredReferencesFollowADeletion(t *testing.T) {
	t.Parallel()
	for place, test := range referenceCases {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			test(newReferenceWorld(t))
		})
	}
}

// healthy fails if anything that names options does not work.
func (w *referenceWorld) healthy(option string) {
	w.t.Helper()
	snapshot := w.fresh(w.t)
	for _, table := range []uuid.UUID{w.tasks, w.project} {
		for _, f := range snapshot.Table(table).Fields {
			if f.Computed != nil && f.Computed.Broken != "" {
				w.t.Errorf("%q: %s in %s", f.Name, f.Computed.Broken, f.Config.Filters)
			}
			if filters := string(f.Config.Filters); filters != "" && strings.Count(filters, `"`+option+`"`) != 2 {
				w.t.Errorf("the filter of %q is %s", f.Name, filters)
			}
		}
		for _, v := range snapshot.Table(table).Views {
			if wrong := query.ViewProblems(v); len(wrong) > 0 {
				w.t.Errorf("the view: %v", wrong)
			}
			if filters := string(v.Config["filters"]); filters != "" && !strings.Contains(filters, `"`+option+`"`) {
				w.t.Errorf("the filter of the view is %s", filters)
			}
			if form := string(v.Config["formFields"]); form != "" && strings.Count(form, `"`+option+`"`) != 3 {
				w.t.Errorf("the form says %s", form)
			}
		}
	}
	if _, err := query.ParseImageFilter(snapshot.Table(w.tasks), "filters", []byte(w.condition())); err != nil {
		w.t.Errorf("the webhook: %v", err)
	}
	if strings.Count(w.condition(), `"`+option+`"`) != 2 {
		w.t.Errorf("the filter of the webhook is %s", w.condition())
	}
}

func TestConditionsFollowTheRenamingOfAnOption(t *testing.T) {
	t.Parallel()
	w := newReferenceWorld(t)
	w.healthy("Open")
	losses := w.perform(w.options("State", renameOpen, false))
	if len(losses) != 1 || !strings.Contains(losses[0], `has the text "Open", which stays`) {
		t.Errorf("losses are %s", losses)
	}
	losses = w.perform(w.options("Tags", renameOpen, false))
	if len(losses) != 0 {
		t.Errorf("losses are %s", losses)
	}
	w.healthy("Started")
}

// An option that no record has is lost without a word unless somebody looks at the conditions.
func TestRemovingAnOptionThatConditionsNameIsALoss(t *testing.T) {
	t.Parallel()
	w := newReferenceWorld(t)
	remove := `["Done","Spare"]`
	_, err := w.store.Perform(t.Context(), w.org, plan.Request{}, w.options("State", remove, false))
	var loss *problem.Error
	if !errors.As(err, &loss) || loss.Code != problem.CodeValuesWouldBeLost || len(loss.Items) != 6 {
		t.Fatalf("removing it: %+v", err)
	}
	w.healthy("Open")
	losses := w.perform(w.options("State", remove, true))
	for _, of := range []publicID{
		w.viewID(), w.hookID(), publicID(w.computed("Open tasks").PublicID()),
		publicID(w.computed("Open hours").PublicID()), publicID(w.computed("Half").PublicID()),
	} {
		w.wantLoss(losses, of, "would")
	}
	if losses := w.perform(w.options("Tags", `["Open","Done"]`, false)); len(losses) > 0 {
		t.Errorf("an option that nothing names: %s", losses)
	}
}

// What a renaming has changed follows when it is taken back, and so does what was written in between.
func TestConditionsFollowTheRevertOfARenaming(t *testing.T) {
	t.Parallel()
	w := newReferenceWorld(t)
	engine := record.New(w.db, w.store)
	actor := record.Actor{Org: w.org}
	made := func(state string) string {
		t.Helper()
		written, err := engine.Create(t.Context(), actor, w.tasks, record.Creation{Records: []jsonvalue.ParsedObject{
			jsonvaluetest.ParseObject([]byte(`{"State":` + state + `}`)),
		}})
		if err != nil {
			t.Fatal(err)
		}
		return decoded[struct{ ID string }](t, string(written.Records[0])).ID
	}
	made(`"Open"`)
	set := id.New()
	own := db.WithActor(t.Context(), db.Actor{ChangeSet: set, Credential: "key_one"})
	for _, name := range []string{"State", "Tags"} {
		if err := w.options(name, renameOpen, false)(own, w.store); err != nil {
			t.Fatal(err)
		}
	}
	again := w.options("State", `[{"name":"Begun","previousName":"Started"},"Done","Spare"]`, false)
	if err := again(own, w.store); err != nil {
		t.Fatal(err)
	}
	made(`"Begun"`)
	view := w.fresh(t).View(w.view)
	err := w.store.UpdateView(t.Context(), w.org, w.view, catalog.ViewPatch{
		Config: schema.ViewConfig{"filters": json.RawMessage(
			strings.TrimSuffix(string(view.Config["filters"]), "]") + `,{"fieldId":"Hours","op":"is_empty"}]`)},
		By: w.by, Check: query.CheckView,
	})
	if err != nil {
		t.Fatal(err)
	}
	other := db.WithActor(t.Context(), db.Actor{ChangeSet: id.New(), Credential: "key_two"})
	plan, err := revert.New(w.db, engine).
		Revert(other, actor, w.base.ID, revert.Request{ChangeSets: []uuid.UUID{set}, By: w.by})
	if err != nil || plan.ConflictCount > 0 {
		t.Fatalf("the revert: %+v, %v", plan, err)
	}
	w.healthy("Open")
	if filters := string(w.fresh(t).View(w.view).Config["filters"]); !strings.Contains(filters, "is_empty") {
		t.Errorf("the filter is %s", filters)
	}
	states := w.rows(t, "select "+w.named("State").Column()+" from "+w.fresh(t).Table(w.tasks).Relation())
	if !slices.Equal(states, []string{"Open", "Open"}) {
		t.Errorf("the records are %s", states)
	}
}

func (w *referenceWorld) tableDeletion() func(ctx context.Context, s *catalog.Store) error {
	return func(ctx context.Context, s *catalog.Store) error { return s.DeleteTable(ctx, w.org, w.tasks) }
}

func (w *referenceWorld) anyField(name string) *schema.Field {
	if f := w.named(name); f != nil {
		return f
	}
	return w.computed(name)
}
