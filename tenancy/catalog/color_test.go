package catalog_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What a view does not understand of its colour rules is refused where it is, with what would be valid.
func TestColorRulesOfViewsAreValidated(t *testing.T) {
	t.Parallel()
	w := newReferenceWorld(t)
	rule := `{"filters":[{"fieldId":"State","op":"eq","value":"Open"}],"color":"red"}`
	for _, one := range []struct{ rules, path, words string }{
		{`{}`, "", "must be an array"},
		{`["red"]`, "[0]", "must be {filters, color}"},
		{`[{"filters":[]}]`, "[0].color", "must be one of gray, red"},
		{`[{"filters":[],"color":"#ff0000"}]`, "[0].color", "must be one of gray, red"},
		{`[{"filter":[],"color":"red"}]`, "[0].filter", `did you mean "filters"?`},
		{
			`[` + rule + `,{"filters":[{"fieldId":"State","op":"eq","value":"Nay"}],"color":"red"}]`,
			"[1].filters[0].value", `"Nay"`,
		},
		{`[` + strings.Repeat(rule+",", 20) + rule + `]`, "[20]", "at most 20"},
	} {
		err := w.store.UpdateView(t.Context(), w.org, w.view, catalog.ViewPatch{
			Config: schema.ViewConfig{"colorRules": json.RawMessage(one.rules)}, By: w.by, Check: query.CheckView,
		})
		var wrong *problem.Error
		if !errors.As(err, &wrong) || len(wrong.Items) != 1 || wrong.Items[0].Path != "config.colorRules"+one.path ||
			!strings.Contains(wrong.Items[0].Message, one.words) {
			t.Errorf("%s: %v", one.rules, err)
		}
	}
}

// colorRules follow a renaming, lose the rule whose field goes, and have it back with the field.
func colorRulesFollow(w *referenceWorld) {
	rules := func() string { return string(w.fresh(w.t).View(w.view).Config["colorRules"]) }
	before := rules()
	w.perform(w.options("State", renameOpen, false))
	if got := rules(); got != strings.Replace(before, `"Open"`, `"Started"`, 1) {
		w.t.Errorf("after a renaming the rules are %s", got)
	}
	losses := w.perform(w.options("State", `["Done","Spare"]`, true))
	w.wantLoss(losses, w.viewID(), "no longer give records the colour red")
	if wrong := query.ViewProblems(w.fresh(w.t).View(w.view)); len(wrong) == 0 {
		w.t.Error("a rule with an option that is gone has no problem")
	}
	whole, hours := rules(), w.named("Hours")
	w.wantLoss(w.perform(w.deletion(hours)), w.viewID(), "no longer give records the colour blue")
	if got := rules(); strings.Contains(got, hours.PublicID()) || !strings.Contains(got, "red") {
		w.t.Errorf("without the field the rules are %s", got)
	}
	w.restore(w.t, hours.PublicID())
	if got := rules(); !catalog.EqualJSON([]byte(got), []byte(whole)) {
		w.t.Errorf("with the field again the rules are %s, not %s", got, whole)
	}
}
