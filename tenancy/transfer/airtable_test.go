package transfer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
)

func TestABaseOfAirtableComesWhole(t *testing.T) {
	t.Parallel()
	base := airtabletest.Shop(300, 24)
	m := newMover(t, base, airtabletest.Options{
		Second: testSecond, Penalty: testSecond, FileLife: 200 * time.Millisecond,
	})
	j := m.bring()
	orders, customers := reportOf(j, "Orders"), reportOf(j, "Customers")
	if orders.Created != 180 || customers.Created != 30 || orders.Files+customers.Files != 24 || orders.Comments != 20 {
		t.Errorf("the report says %+v, %+v", orders, customers)
	}
	formulas := 0
	for _, one := range j.Report.Tables {
		formulas += one.Formulas
	}
	var left []transfer.LeftOut
	for _, one := range j.Report.LeftOut {
		if one.Formula != "" {
			left = append(left, one)
		}
	}
	broken := airtabletest.Broken
	if tenancytest.DB(t).Distributed() { // the names of people, which one formula reads, are on another node
		broken++
	}
	if computed := 100 + 7; formulas != computed-broken || len(left) != broken {
		t.Errorf("%d fields compute, and these formulas did not come: %+v", formulas, left)
	}
	if !slices.Contains(j.Report.NotMembers, "bea@example.com") {
		t.Errorf("the report does not say who is no member: %v", j.Report.NotMembers)
	}
	one := m.records("Orders", "Order")["ORD-14"]
	if one == nil {
		t.Fatal("there is no order ORD-14")
	}
	source := base.TableNamed("Orders").IDs()[13]
	if want := base.TableNamed("Orders").Created(source).Format("2006-01-02T15:04:05.000Z"); one["#created"] != want {
		t.Errorf("the order is from %v, and not from %s", one["#created"], want)
	}
	for name, want := range map[string]any{
		"Amount": 13.25, "Discount": 6.0, "Status": "Paid", "Took": 780.0, "Rating": 4.0, "No": 14.0, "F14": "13",
		"F4": "small", "Segment": "Wholesale",
	} {
		if got := one[name]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, and not %v", name, got, want)
		}
	}
	if links, _ := one["Products"].([]any); len(links) != 2 {
		t.Errorf("the order has the products %v", one["Products"])
	}
	views := []string{}
	for _, v := range m.table("Customers").Views {
		views = append(views, v.Name+" "+string(v.Type))
	}
	if want := []string{"All customers grid", "Short grid", "Board kanban"}; !slices.Equal(views, want) {
		t.Errorf("the views are %v", views)
	}
	if primary := m.table("Orders").Primary(); primary.Name != "Order" || primary.Type() != "formula" {
		t.Errorf("%s names the orders", primary.Name)
	}
	turnover := m.table("Customers").FieldByName("Turnover")
	if turnover == nil || turnover.Config.Function != "SUM" {
		t.Errorf("the turnover is %+v", turnover)
	}
	if _, tooMany, _ := m.fake.Requests(); tooMany > 0 {
		t.Errorf("%d requests came too fast", tooMany)
	}
}

func TestAnotherImportBringsWhatHasChanged(t *testing.T) {
	t.Parallel()
	base := airtabletest.Plain(300, 10)
	m := newMover(t, base, airtabletest.Options{})
	m.bring()
	again := m.bring()
	for _, one := range again.Report.Tables {
		if one.Created+one.Updated+one.Links+one.Files+one.Comments+one.Fields+one.Formulas+one.Gone > 0 ||
			one.Unchanged != one.Rows {
			t.Errorf("nothing has changed, and %+v came", one)
		}
	}
	orders := base.TableNamed("Orders")
	former := m.records("Orders", "No")
	// Somebody has changed another cell of a record here, and the same cell of one that stays as it is.
	edited := orders.IDs()[3]
	number := orders.Cell(edited, "No")
	actor := record.Actor{Org: m.org, Person: m.owner, Admin: true}
	kept := former[fmt.Sprint(number)]
	_, err := m.s.Records.UpdateOne(m.ctx, actor, kept["#id"].(string), object("Comment", `"ours"`), false)
	if err != nil {
		t.Fatal(err)
	}
	orders.Set(edited, "Pieces", 77.0)
	emptied := orders.IDs()[4]
	orders.Set(emptied, "Comment", nil)
	base.TableNamed("Customers").Field("Nickname", "singleLineText", nil)
	customer := base.TableNamed("Customers").IDs()[2]
	base.TableNamed("Customers").Set(customer, "Nickname", "Nick")
	difference := base.Change(50)
	j := m.bring()
	report := reportOf(j, "Orders")
	wanted := map[string]bool{edited: true, emptied: true}
	for _, id := range difference.Updated["Orders"] {
		wanted[id] = true
	}
	for _, id := range difference.Removed["Orders"] {
		delete(wanted, id)
	}
	if report.Created != len(difference.Created["Orders"]) || report.Gone != len(difference.Removed["Orders"]) ||
		report.Updated != len(wanted) {
		t.Errorf("%d orders and %s have changed, and the report says %+v", len(wanted), difference, report)
	}
	if got := reportOf(j, "Products").Updated; got != len(difference.Updated["Products"]) {
		t.Errorf("%d products were updated, and %d changed", got, len(difference.Updated["Products"]))
	}
	if got := reportOf(j, "Customers"); got.Updated != 1 || got.Fields != 1 {
		t.Errorf("the customers are %+v", got)
	}
	now := m.records("Orders", "No")
	if one := now[fmt.Sprint(number)]; one["Comment"] != "ours" || one["Pieces"] != 77.0 {
		t.Errorf("the order that was edited here is %v", one)
	}
	changed := 0
	for key, one := range now {
		if before := former[key]; before != nil && before["#version"] != one["#version"] {
			changed++
		}
	}
	if most := len(wanted) + len(difference.Relinked["Orders"]); changed > most {
		t.Errorf("%d orders have another version, and %d changed", changed, most)
	}
	if len(now) != len(former)+len(difference.Created["Orders"]) {
		t.Errorf("there are %d orders", len(now))
	}
	if got := m.records("Customers", "Name")["Customer 2"]["Nickname"]; got != "Nick" {
		t.Errorf("the new field holds %v", got)
	}
}

func TestAKilledImportOfABaseBringsEverythingOnce(t *testing.T) {
	t.Parallel()
	base := airtabletest.Plain(600, 30)
	m := newMover(t, base, airtabletest.Options{})
	begun := m.begin()
	killed := 0
	for until := time.Now().Add(3 * time.Minute); ; {
		killed += workWith(t, m.folder, m.org, begun.ID, killed < 4, "TEST_TRANSFER_AIRTABLE="+m.fake.URL)
		m.fake.ExpireOffsets()
		j, err := m.s.Get(t.Context(), m.org, begun.ID)
		if err != nil {
			t.Fatal(err)
		}
		if j.State.Ended() {
			if j.State != transfer.Done {
				t.Fatalf("the job is %s: %+v", j.State, j.Report)
			}
			checkOnce(t, m, j)
			t.Logf("%d workers were killed", killed)
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the job has come to %d", j.Done)
		}
	}
}

// checkOnce expects all that there is of Plain(600, 30), once.
func checkOnce(t *testing.T, m *mover, j *transfer.Job) {
	t.Helper()
	for name, want := range map[string]int{"Orders": 360, "Products": 180, "Customers": 60} {
		by := map[string]string{"Orders": "No", "Products": "Title", "Customers": "Name"}[name]
		if got := len(m.records(name, by)); got != want {
			t.Errorf("there are %d different %s, and not %d", got, name, want)
		}
		if one := reportOf(j, name); one.Rows != want || one.Created != want {
			t.Errorf("the report says %+v of %s", one, name)
		}
	}
	files, comments := 0, 0
	for _, one := range j.Report.Tables {
		files, comments = files+one.Files, comments+one.Comments
	}
	if files != 30 || comments != 20 {
		t.Errorf("%d files and %d comments came", files, comments)
	}
	snapshot, err := m.schemas.Fresh(t.Context(), m.org)
	if err != nil || len(snapshot.Base(m.base).Tables) != 3 {
		t.Errorf("there are %d tables: %v", len(snapshot.Base(m.base).Tables), err)
	}
}

func TestAnImportOfABaseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	m := newMover(t, airtabletest.Plain(250, 5), airtabletest.Options{FileLife: -time.Hour, RetryAfter: true})
	m.fake.Revoke(true)
	j := m.work(m.begin().ID)
	if j.State != transfer.Failed || !strings.Contains(j.Report.Problem, "does not take the token") {
		t.Errorf("with a revoked token, the job is %s: %+v", j.State, j.Report)
	}
	m.fake.Revoke(false)
	// The token expires in the middle of the records.
	pages := 0
	m.fake.Fail(func(path string) (int, string) {
		if strings.Contains(path, "offset=") {
			pages++
		}
		if pages == 1 {
			return 401, `{"error":{"type":"AUTHENTICATION_REQUIRED","message":"Authentication required"}}`
		}
		return 0, ""
	})
	if j = m.work(m.begin().ID); j.State != transfer.Failed || reportOf(j, "Orders").Created != 100 {
		t.Errorf("with a token that expires, the job is %s: %+v", j.State, j.Report)
	}
	// The addresses of the files have expired when they are fetched, and those of a new answer, too. The token may not
	// read comments.
	m.fake.Fail(func(path string) (int, string) {
		if strings.Contains(path, "/comments") {
			return 403, `{"error":{"type":"INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND","message":"Invalid permissions"}}`
		}
		return 0, ""
	})
	j = m.bring()
	if report := reportOf(j, "Orders"); report.Created != 50 || report.Unchanged != 100 {
		t.Errorf("with a new token, the report says %+v", report)
	}
	lost := 0
	for _, one := range j.Report.LeftOut {
		if one.Field == "Receipts" {
			lost += one.Count
		}
	}
	if lost != 5 || reportOf(j, "Orders").Files != 0 {
		t.Errorf("%d files are listed, and %d came", lost, reportOf(j, "Orders").Files)
	}
	m.fake.Fail(nil)
	if one := reportOf(m.bring(), "Orders"); one.Comments != 20 {
		t.Errorf("with a token for comments, the report says %+v", one)
	}
}

func TestAnImportOfABaseEndsWithTheRightsOfItsPerson(t *testing.T) {
	t.Parallel()
	m := newMover(t, airtabletest.Plain(250, 0), airtabletest.Options{})
	member := tenancytest.Person(t, m.s.DB)
	if err := tenancytest.Join(t, m.s.DB, m.org, member, organization.Admin); err != nil {
		t.Fatal(err)
	}
	begun := m.beginAs(member)
	m.fake.Fail(func(path string) (int, string) { // they lose them while the records are read
		if strings.Contains(path, "offset=") {
			err := m.schemas.RemoveMember(m.ctx, m.org, organization.Owner, member, true)
			if err != nil && problem.KindOf(err) != problem.KindNotFound {
				t.Error(err)
			}
		}
		return 0, ""
	})
	j := m.work(begun.ID)
	if j.State != transfer.Failed || !strings.Contains(j.Report.Problem, "may not do this") {
		t.Errorf("the job is %s: %+v", j.State, j.Report)
	}
	begun = m.begin()
	m.fake.Fail(func(path string) (int, string) { // somebody cancels it while the records are read
		if strings.Contains(path, "offset=") {
			if _, err := m.s.Cancel(m.ctx, begun); err != nil {
				t.Error(err)
			}
			time.Sleep(lease / 10)
		}
		return 0, ""
	})
	if j := m.work(begun.ID); j.State != transfer.Cancelled || reportOf(j, "Customers").Rows != 25 {
		t.Errorf("a cancelled job is %s with %+v", j.State, reportOf(j, "Customers"))
	}
}

func object(name, value string) jsonvalue.ParsedObject {
	return jsonvalue.NewParsedObject([]jsonvalue.Member{{Name: name, Value: []byte(value)}}, len(name)+len(value)+6)
}
