package record_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// wantCode checks that an error has a code, and that its text says something.
func wantCode(t *testing.T, err error, code string, parts ...string) {
	t.Helper()
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Code != code {
		t.Fatalf("want %s, got %v", code, err)
	}
	for _, part := range parts {
		if !strings.Contains(wrong.Message, part) {
			t.Errorf("want %q in %q", part, wrong.Message)
		}
	}
}

// planned is a table, and an update of two of its records of which there is a plan.
func planned(t *testing.T) (b *bundle, table uuid.UUID, made []rec, apply record.Bulk) {
	t.Helper()
	b = setup(t)
	table = b.table(t, "T", field("Name", schema.Text), field("N", schema.Number),
		field("State", schema.SingleSelect, `{"options":["Open"]}`))
	made = b.create(t, table, `{"Name":"a","N":1}`, `{"Name":"b","N":2}`, `{"Name":"c","N":9}`)
	apply = set(`{"Name":"changed"}`)
	apply.Selection = where(`[{"fieldId":"N","op":"lte","value":2}]`)
	apply.Plan = true
	got, err := b.changeAll(t, table, apply)
	if err != nil || got.Count != 2 {
		t.Fatal(got, err)
	}
	apply.Plan, apply.Apply = false, got.PlanToken
	return b, table, made, apply
}

func TestPlanTokenIsBound(t *testing.T) {
	t.Parallel()
	b, table, _, apply := planned(t)

	other := apply
	other.Credential = "key_other"
	_, err := b.changeAll(t, table, other)
	wantCode(t, err, "plan_of_other_credential", "another credential", "plan again")

	other = apply
	other.Fields = set(`{"Name":"something else"}`).Fields
	_, err = b.changeAll(t, table, other)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")
	other = apply
	other.Delete = true
	_, err = b.changeAll(t, table, other)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")
	copied := b.table(t, "Copy", field("Name", schema.Text), field("N", schema.Number))
	other = apply
	other.Selection = record.Selection{Search: "a"}
	_, err = b.changeAll(t, copied, other)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")

	// A token cannot be made up or changed in any bit.
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(apply.Apply, "pln_"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] ^= 1
		other = apply
		other.Apply = "pln_" + base64.RawURLEncoding.EncodeToString(raw)
		_, err = b.changeAll(t, table, other)
		wantItem(t, err, problem.KindInvalid, "apply", "is not the planToken")
		raw[i] ^= 1
	}
	strangers, err := plan.NewTokens([][]byte{[]byte("the secret of somebody else, of 32 bytes")})
	if err != nil {
		t.Fatal(err)
	}
	other = apply
	other.Apply = strangers.Make(&plan.Plan{Credential: "key_one", Count: 2, Made: time.Now()})
	_, err = b.changeAll(t, table, other)
	wantItem(t, err, problem.KindInvalid, "apply", "is not the planToken")

	if got, err := b.changeAll(t, table, apply); err != nil || got.Count != 2 {
		t.Error(got, err)
	}
}

func TestPlanExpires(t *testing.T) {
	t.Parallel()
	b, table, _, apply := planned(t)
	before := b.engine
	b.engine = before.Later(plan.Life + time.Second)
	_, err := b.changeAll(t, table, apply)
	wantCode(t, err, "plan_expired", "ten minutes", "plan again")
	b.engine = before.Later(plan.Life - 10*time.Second)
	if got, err := b.changeAll(t, table, apply); err != nil || got.Count != 2 {
		t.Error(got, err)
	}
}

func TestPlanIsAppliedOnce(t *testing.T) {
	t.Parallel()
	b, table, _, apply := planned(t)
	// An update that changes nothing for the filter: what the plan looked at is found again.
	if _, err := b.changeAll(t, table, apply); err != nil {
		t.Fatal(err)
	}
	_, err := b.changeAll(t, table, apply)
	wantCode(t, err, "plan_used", "applied already", "plan again")

	// Neither can a plan of nothing be applied twice.
	none := record.Bulk{Delete: true, Plan: true, Selection: where(`[{"fieldId":"N","op":"gt","value":1000}]`)}
	got, err := b.changeAll(t, table, none)
	if err != nil || got.Count != 0 {
		t.Fatal(got, err)
	}
	none.Plan, none.Apply = false, got.PlanToken
	if _, err := b.changeAll(t, table, none); err != nil {
		t.Fatal(err)
	}
	_, err = b.changeAll(t, table, none)
	wantCode(t, err, "plan_used")
}

// Several processes get the same token at the same moment. They have only the database in common.
func TestPlanIsAppliedOnceConcurrently(t *testing.T) {
	t.Parallel()
	b, table, _, apply := planned(t)
	none := record.Bulk{Delete: true, Plan: true, Selection: where(`[{"fieldId":"N","op":"gt","value":1000}]`)}
	got, err := b.changeAll(t, table, none)
	if err != nil {
		t.Fatal(err)
	}
	none.Plan, none.Apply = false, got.PlanToken
	rows := record.Import{CSV: "Name\nnew one\nnew two\n", Plan: true, Credential: "key_one"}
	rows.Apply, rows.Plan = b.importCSV(t, table, rows).PlanToken, false
	for name, run := range map[string]func(e *record.Engine) error{
		"update": func(e *record.Engine) error {
			in := apply
			in.Credential = "key_one"
			_, err := e.ChangeAll(t.Context(), b.actor, table, in)
			return err
		},
		"nothing": func(e *record.Engine) error {
			in := none
			in.Credential = "key_one"
			_, err := e.ChangeAll(t.Context(), b.actor, table, in)
			return err
		},
		"import": func(e *record.Engine) error {
			_, err := e.Import(t.Context(), b.actor, table, rows)
			return err
		},
	} {
		errs := make([]error, 8)
		var group sync.WaitGroup
		start := make(chan struct{})
		for i := range errs {
			group.Go(func() {
				tokens, err := plan.NewTokens(tenancytest.Secrets())
				if err != nil {
					t.Error(err)
				}
				<-start
				errs[i] = run(record.New(b.db, b.store).Planning(tokens))
			})
		}
		close(start)
		group.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
				continue
			}
			wantCode(t, err, "plan_used")
		}
		if done != 1 {
			t.Errorf("%s: applied %d times", name, done)
		}
	}
	if page, _ := b.list(t, table, query.Request{Limit: 1}); page.Total != 5 {
		t.Errorf("there are %d records", page.Total)
	}
}

func TestMovedPlanSaysWhat(t *testing.T) {
	t.Parallel()
	b, table, made, apply := planned(t)
	b.updateOne(t, made[0].ID, `{"N":0}`)
	b.updateOne(t, made[1].ID, `{"N":50}`)
	fresh := b.create(t, table, `{"Name":"d","N":1}`)
	_, err := b.changeAll(t, table, apply)
	wantCode(t, err, "plan_moved", "has moved: since then",
		"1 changed ("+made[0].ID+")", "1 matched and no longer match ("+made[1].ID+")",
		"1 match and did not ("+fresh[0].ID+")")
	// It may hold again, as it was not used.
	if _, records := b.list(t, table, query.Request{Limit: 9}); records[0].Fields["Name"] != "a" {
		t.Error("a refused plan has changed something")
	}

	b, table, _, apply = planned(t)
	if _, err := b.store.CreateField(t.Context(), b.actor.Org, table, field("Late", schema.Text)); err != nil {
		t.Fatal(err)
	}
	_, err = b.changeAll(t, table, apply)
	wantCode(t, err, "plan_moved", "the fields of the table")
}

func TestPlanThatAddsAnOptionIsApplied(t *testing.T) {
	t.Parallel()
	b, table, _, in := planned(t)
	in.Fields, in.Typecast, in.Plan, in.Apply = set(`{"State":"Later"}`).Fields, true, true, ""
	got, err := b.changeAll(t, table, in)
	if err != nil || fmt.Sprint(got.Options) != "[State: Later]" {
		t.Fatal(got, err)
	}
	in.Plan, in.Apply = false, got.PlanToken
	if got, err = b.changeAll(t, table, in); err != nil || got.Count != 2 {
		t.Fatal(got, err)
	}
	_, err = b.changeAll(t, table, in)
	wantCode(t, err, "plan_used")
}

func TestImportIsPlannedAndApplied(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, companies, _, company := deals(t, b)
	in := record.Import{
		CSV: "Name,Amount,Company\nA,11,Acme\nNew,12,Beta\n", UpsertOn: []string{"Name"}, Plan: true,
		Credential: "key_one",
	}
	got := b.importCSV(t, table, in)
	if got.Created != 1 || got.Updated != 1 || got.PlanToken == "" || got.ExpiresAt == nil {
		t.Fatalf("planned %+v", got)
	}
	apply := in
	apply.Plan, apply.Apply = false, got.PlanToken

	other := apply
	other.Credential = "key_other"
	_, err := b.engine.Import(t.Context(), b.actor, table, other)
	wantCode(t, err, "plan_of_other_credential")
	other = apply
	other.CSV += "More,1,\n"
	_, err = b.engine.Import(t.Context(), b.actor, table, other)
	wantItem(t, err, problem.KindInvalid, "apply", "other arguments")

	// A record that a row matches has changed.
	_, found := b.list(t, table, query.Request{Filters: []byte(`[{"field":"Name","op":"eq","value":"A"}]`), Limit: 1})
	b.updateOne(t, found[0].ID, `{"Amount":99}`)
	_, err = b.engine.Import(t.Context(), b.actor, table, apply)
	wantCode(t, err, "plan_moved", found[0].ID)

	// A name means another record now.
	apply.Apply = b.importCSV(t, table, in).PlanToken
	b.updateOne(t, company[0].ID, `{"Name":"Was Acme"}`)
	b.create(t, companies, `{"Name":"Acme"}`)
	_, err = b.engine.Import(t.Context(), b.actor, table, apply)
	wantCode(t, err, "plan_moved")

	apply.Apply = b.importCSV(t, table, in).PlanToken
	if got := b.importCSV(t, table, apply); got.Created != 1 || got.Updated != 1 {
		t.Errorf("applied %+v", got)
	}
	_, err = b.engine.Import(t.Context(), b.actor, table, apply)
	wantCode(t, err, "plan_used")

	// A plan that would be refused has no token.
	in.CSV = "Name,Amount\nA,much\n"
	if got := b.importCSV(t, table, in); got.Refused != 1 || got.PlanToken != "" {
		t.Errorf("planned %+v", got)
	}
}
