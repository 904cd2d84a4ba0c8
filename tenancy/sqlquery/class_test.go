package sqlquery_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// limited limits the viewers of a base: they read the ships that they own, no age of a captain, and no table Vault.
// It returns two of them, who own a ship each, and writes others that nobody reads.
func (b *bundle) limited(t *testing.T, others int) (ida, ola context.Context) {
	t.Helper()
	nobody := &schema.Audience{Role: schema.BaseCreator}
	vault := b.table(t, "Vault", field("Name", schema.Text))
	age := b.tableOf(t, b.captains).FieldByName("Age")
	rules := []*schema.RowRule{{
		Audience: schema.Audience{Role: schema.BaseViewer},
		Filter:   []byte(`[{"fieldId":"Owner","op":"has_any","value":{"me":true}}]`),
	}}
	check(t, b.store.SetTablePermissions(t.Context(), b.actor.Org, b.ships, catalog.TableRule{Rules: &rules}))
	check(t, b.store.SetTablePermissions(t.Context(), b.actor.Org, b.captains, catalog.TableRule{
		Fields: map[uuid.UUID]catalog.FieldRule{age.ID: {Actions: map[string]*schema.Audience{"read": nobody}}},
	}))
	check(t, b.store.SetTablePermissions(t.Context(), b.actor.Org, vault, catalog.TableRule{
		Actions: map[string]*schema.Audience{"read": nobody},
	}))
	member := func() (uuid.UUID, context.Context) {
		person := tenancytest.Person(t, b.db)
		check(t, tenancytest.Join(t, b.db, b.actor.Org, person, organization.Viewer))
		return person, catalog.WithCaller(t.Context(), catalog.Member{Person: person, Role: organization.Viewer})
	}
	one, ida := member()
	two, ola := member()
	captains := b.create(t, b.captains, `{"Name":"Ida","Age":40}`, `{"Name":"Ola","Age":50}`)
	ship := func(name string, owner uuid.UUID) string {
		return fmt.Sprintf(`{"Name":%q,"Kind":"Tug","Tons":3,"Owner":[%q],"Captains":[%q,%q]}`, name,
			id.Format(id.User, owner), captains[0], captains[1])
	}
	b.create(t, b.ships, ship("Solveig", one), ship("Aase", two))
	var hidden []string
	for i := range others {
		hidden = append(hidden, fmt.Sprintf(`{"Name":"%s %d","Kind":"Tug","Tons":%d,"Captains":[%q]}`, secret, i, i,
			captains[0]))
	}
	b.create(t, b.ships, hidden...)
	check(t, analyze(t, b))
	return ida, ola
}

// as runs a statement as somebody.
func (b *bundle) as(t *testing.T, ctx context.Context, statement string) string {
	t.Helper()
	result, err := b.sql.Run(ctx, b.actor.Org, b.base, statement, 100)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(joined(result), " costs ", result.Cost)
}

// What is hidden changes no answer, no error, no cost and no order.
func TestStatementsOfPeopleWithRulesReadWhatTheyRead(t *testing.T) {
	t.Parallel()
	few, many := setup(t), setup(t)
	one, other := [2]context.Context{}, [2]context.Context{}
	one[0], one[1] = few.limited(t, 1)
	other[0], other[1] = many.limited(t, 900)
	for _, c := range []struct{ statement, ida, ola string }{
		{"select name, tons from ships", `["Solveig",3]`, `["Aase",3]`},
		{"select count(*) from ships__captains", "[2]", "[2]"},
		{"select count(*) from captains__ships", "[2]", "[2]"},
		{"select * from vault", "there is no table", "there is no table"},
		{"select age from captains", `"age" does not exist`, "are Captains: id, record_id, Name, c"},
		{
			"select name from ships where 1 / (case when name like 'Q%' then 0 else 1 end) = 1",
			`["Solveig"]`, `["Aase"]`,
		},
		{"select name from ships where kind = 'Tug' and tons < 500 order by tons", `["Solveig"]`, `["Aase"]`},
		{"select name::integer from ships", `integer: "Solveig"`, `integer: "Aase"`},
		{
			"select s.name, c.name from ships s join ships__captains l on l.id = s.id join captains c on " +
				"c.id = l.linked_id order by 2",
			`["Solveig","Ida"] ["Solveig","Ola"]`, `["Aase","Ida"] ["Aase","Ola"]`,
		},
		{
			"select a.name from captains a cross join captains b cross join captains c cross join captains d " +
				"cross join captains e cross join captains f cross join ships g where a.name > b.name",
			"too costly", "too costly",
		},
	} {
		for i, want := range []string{c.ida, c.ola} {
			got, also := few.as(t, one[i], c.statement), many.as(t, other[i], c.statement)
			if !strings.Contains(got, want) || strings.Contains(got, secret) || got != also {
				t.Errorf("%s\nanswers %s\nand     %s\nand not %s", c.statement, got, also, want)
			}
		}
	}
	if got := few.rows(t, "select count(*) from ships"); got != "[3]" {
		t.Errorf("a creator reads %s ships", got)
	}
}

// A change of a rule holds for the next statement, and so does one of a field.
func TestTheNextStatementObeysNewRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ida, _ := b.limited(t, 1)
	const statement = "select * from ships"
	if got := b.as(t, ida, statement); !strings.Contains(got, "Solveig") {
		t.Fatal(got)
	}
	rules := []*schema.RowRule{{
		Audience: schema.Audience{Role: schema.BaseViewer},
		Filter:   []byte(`[{"fieldId":"Name","op":"eq","value":"Aase"}]`),
	}}
	check(t, b.store.SetTablePermissions(t.Context(), b.actor.Org, b.ships, catalog.TableRule{Rules: &rules}))
	if got := b.as(t, ida, statement); strings.Contains(got, "Solveig") || !strings.Contains(got, "Aase") {
		t.Error(got)
	}
	check(t, b.store.DeleteField(t.Context(), b.actor.Org, b.tableOf(t, b.ships).FieldByName("Tons").ID))
	if got := b.as(t, ida, statement); !strings.Contains(got, "Aase") {
		t.Error(got)
	}
	rules = nil
	check(t, b.store.SetTablePermissions(t.Context(), b.actor.Org, b.ships, catalog.TableRule{Rules: &rules}))
	if got := b.as(t, ida, statement); !strings.Contains(got, "Solveig") || !strings.Contains(got, secret) {
		t.Error(got)
	}
}

// The corpus of attacks reveals to somebody with rules nothing of the records that they do not read either.
func TestAttacksOfPeopleWithRulesRevealNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ida, _ := w.limited(t, 3)
	found, answered := w.attackAs(t, ida, w.sql, w.statements)
	for _, f := range found {
		t.Errorf("%s\nis told %s", f.statement, f.what)
	}
	if answered == 0 {
		t.Error("no attack was answered")
	}
}

// Somebody who could pass the parser would not read as another person: the views ask for the service's proof.
func TestNobodyReadsAsAnotherPerson(t *testing.T) {
	t.Parallel()
	address, database := fresh(t)
	b := setupOn(t, address, database)
	ida, ola := b.limited(t, 1)
	b.as(t, ida, "select 1 from ships")
	b.rows(t, "select 1 from ships")
	var class, whole string
	check(t, b.admin(t).QueryRow(t.Context(), `select c.schema_name, b.schema_name from rowhouse.sql_class c
		join rowhouse.sql_base b using (org_id, base_id) where base_id = $1`, b.base).Scan(&class, &whole))
	bare := b.sql.WithoutParser()
	ask := func(statement string) string {
		result, err := bare.Run(ida, b.actor.Org, b.base, statement, 100)
		if err != nil {
			return err.Error()
		}
		return joined(result)
	}
	ships := `"` + class + `"."Ships"`
	if got := ask(`select "Name" from ` + ships); !strings.Contains(got, "Solveig") {
		t.Fatal(got)
	}
	forged := fmt.Sprintf(`select (select string_agg("Name", ',') from %s where x is not null) from (
		select set_config('app.person', '%s', true) as x offset 0) f`, ships, db.PersonOf(ola))
	for _, statement := range []string{
		forged, `select "Name" from "` + class + `"." rows 0"`, `select "Name" from "` + whole + `"."Ships"`,
		"select * from " + b.tableOf(t, b.ships).Relation(), "select secret from rowhouse.sql_class",
		`select * from "` + whole + `"."Vault"`,
	} {
		if got := ask(statement); !strings.Contains(got, "not allowed") {
			t.Errorf("%s answers %s", statement, got)
		}
	}
	_, err := b.admin(t).Exec(t.Context(), `create or replace function gate.admit_person(name text) returns void
		language sql stable return null`)
	check(t, err)
	if got := ask(forged); !strings.Contains(got, "Aase") {
		t.Errorf("nothing notices that the proof is gone: %s", got)
	}
}
