package record_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A default is a value of its field, checked wherever a field is made or changed.
func TestDefaultsAreCheckedByTheRulesOfTheirField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := `"` + id.Format(id.User, id.New()) + `"`
	member := `"` + id.Format(id.User, b.actor.Person) + `"`
	long, _ := json.Marshal(strings.Repeat("x", 10_000))
	for _, c := range []struct {
		kind       schema.Type
		config     string // in addition to the default
		bad        string
		complaint  string
		good, made string // made is the value of a new record; "" is good
	}{
		{schema.Text, ``, `5`, "must be a string", `"x"`, ``},
		{schema.LongText, ``, string(long), "at most 10000 bytes", `"x"`, ``},
		{schema.Number, ``, `"seven"`, "must be a number", `7`, ``},
		{schema.Number, ``, `12345678901234567890`, "more digits", `0.5`, ``},
		{schema.Rating, `"max":3,`, `4`, "from 1 to 3", `3`, ``},
		{schema.Checkbox, ``, `"yes"`, "must be true or false", `true`, ``},
		{schema.Date, ``, `"soon"`, "date", `"2024-01-31"`, ``},
		{schema.SingleSelect, `"options":["A","B"],`, `"C"`, "is not an option", `"B"`, ``},
		{schema.MultiSelect, `"options":["A","B"],`, `["A","C"]`, "is not an option", `["B","A"]`, ``},
		{schema.User, ``, stranger, "is not a member", member, `[` + member + `]`},
		{schema.User, ``, `"usr_00000000000000000000000000"`, "is not a member", member, `[` + member + `]`},
		{"url", ``, `"JavaScript:alert(1)"`, "would run as a script", `"https://a.no"`, ``},
		{schema.User, ``, `"somebody"`, "is not a user id", member, ``},
		{schema.Attachment, ``, `[]`, "no default", `null`, ``},
		{schema.JSON, ``, `[` + strings.Repeat(`1e308,`, 40) + `1]`, "at most 10000 bytes", `{"a": 1}`, ``},
		{schema.Email, ``, `""`, "", `"a@b.no"`, ``},
	} {
		t.Run(string(c.kind)+" "+c.complaint, func(t *testing.T) {
			t.Parallel()
			wants := func(err error, path string) {
				t.Helper()
				if c.complaint == "" {
					if err != nil {
						t.Fatal(err)
					}
					return
				}
				wantItem(t, err, problem.KindInvalid, path, c.complaint)
			}
			name := "T" + id.New().String()
			u := b.table(t, name, field("Name", schema.Text), field("X", c.kind, `{`+c.config+`"default":`+c.good+`}`))
			f := b.schema(t, u).FieldByName("X")
			bad := `{` + c.config + `"default":` + c.bad + `}`
			_, err := b.store.CreateTable(t.Context(), b.actor.Org, b.base, name+" 2",
				[]catalog.FieldSpec{field("Name", schema.Text), field("X", c.kind, bad)})
			wants(err, "fields[1].config.default")
			_, err = b.store.CreateField(t.Context(), b.actor.Org, u, field("Y", c.kind, bad))
			wants(err, "config.default")
			wants(b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{
				Config: json.RawMessage(`{"default":` + c.bad + `}`),
			}), "config.default")
			if c.complaint == "" {
				return
			}
			made := b.create(t, u, `{}`)[0].Fields["X"]
			var want any
			if err := json.Unmarshal([]byte(c.good), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, made); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestADefaultFollowsTheOptionsOfItsField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text),
		field("One", schema.SingleSelect, `{"options":["A","B"],"default":"A"}`),
		field("Some", schema.MultiSelect, `{"options":["A","B","C"],"default":["A","B"]}`),
		field("Stars", schema.Rating, `{"max":5,"default":4}`))
	patch := func(name, config string) error {
		f := b.schema(t, u).FieldByName(name)
		return b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{Config: json.RawMessage(config)})
	}
	wants := func(name, want string) {
		t.Helper()
		if got := string(b.schema(t, u).FieldByName(name).Config.Default); strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("the default of %s is %s, not %s", name, got, want)
		}
	}
	for _, step := range []struct{ name, config, want string }{
		{"One", `{"options":[{"name":"Z","previousName":"A"},"B"]}`, `"Z"`},
		{"One", `{"options":["B"]}`, ``},
		{"One", `{"description":"plain"}`, ``},
		{"Some", `{"options":[{"name":"Z","previousName":"A"},"B","C"]}`, `["Z","B"]`},
		{"Some", `{"options":["B","C"]}`, `["B"]`},
		{"Some", `{"options":["C"]}`, ``},
	} {
		if err := patch(step.name, step.config); err != nil {
			t.Fatal(err)
		}
		wants(step.name, step.want)
	}
	wantItem(t, patch("Stars", `{"max":3}`), problem.KindInvalid, "config.default", "from 1 to 3")
	wantItem(t, patch("One", `{"options":["B"],"default":"Q"}`), problem.KindInvalid, "config.default",
		"is not an option")

	// A change of type checks the default that comes with it.
	u2 := b.table(t, "U", field("Name", schema.Text), field("X", schema.Text))
	b.create(t, u2, `{"Name":"n","X":"5"}`)
	f := b.schema(t, u2).FieldByName("X")
	change := func(kind schema.Type, config string) error {
		return catalog.Retype(t.Context(), b.store, b.actor.Org, f.ID, catalog.TypeChange{
			Type:  kind,
			Patch: catalog.FieldPatch{Config: json.RawMessage(config)},
		})
	}
	wantItem(t, change(schema.Number, `{"default":"x"}`), problem.KindInvalid, "config.default", "must be a number")
	if err := change(schema.SingleSelect, `{"default":"5"}`); err != nil {
		t.Fatal(err) // the options come from the values
	}
}

// A default that was stored before defaults were checked is not used, and does not keep the field
// from being changed.
func TestADefaultThatNeverFittedIsIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("X", schema.Number))
	f := b.schema(t, u).FieldByName("X")
	err := b.store.Change(t.Context(), b.actor.Org, func(c *catalog.Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_field"})
		if err := c.LockTable(t.Context(), f.Table); err != nil {
			return err
		}
		_, err := c.Exec(t.Context(),
			`update rowhouse.field set config = '{"default":"many"}' where org_id = $1 and id = $2`, b.actor.Org, f.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if made := b.create(t, u, `{"Name":"a"}`); made[0].Fields["X"] != nil {
		t.Error(made)
	}
	if err := b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"precision":2}`),
	}); err != nil {
		t.Fatal(err)
	}
	var refused *problem.Error
	err = b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"default":"few"}`),
	})
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
}
