package conformance

import (
	"fmt"
	"strings"
)

// Tasks that make or change tables.
var modelTasks = []task{
	{
		name: "a tracker from prose", check: checkTracker,
		follows: attempt{calls: 5, errors: 0, tokens: 750, play: followTracker},
		strays:  attempt{calls: 7, errors: 2, tokens: 2300, play: strayTracker},
	},
	{
		name: "a messy CSV merged into contacts", prepare: prepareMerge, check: checkMerge,
		follows: attempt{calls: 4, errors: 0, tokens: 6300, play: followMerge},
		strays:  attempt{calls: 8, errors: 2, tokens: 14_000, play: strayMerge},
	},
	{
		name: "one table split into two", prepare: prepareSplit, check: checkSplit,
		follows: attempt{calls: 13, errors: 0, tokens: 3200, play: followSplit},
		strays:  attempt{calls: 14, errors: 3, tokens: 16_500, play: straySplit},
	},
	{
		name: "a formula repaired", prepare: prepareFormula, check: checkFormula,
		follows: attempt{calls: 5, errors: 0, tokens: 950, play: followFormula},
		strays:  attempt{calls: 6, errors: 1, tokens: 5100, play: strayFormula},
	},
	{
		name: "views for three roles", prepare: workspace, check: checkViews,
		follows: attempt{calls: 5, errors: 0, tokens: 850, play: followViews},
		strays:  attempt{calls: 8, errors: 2, tokens: 8600, play: strayViews},
	},
}

// "We renovate. Track the jobs: room, status, cost in euros, when due. A board by status, please. The bathroom is being
// tiled, 2,400, by 15 March; …"
var jobs = [][]any{
	{"Tile the bathroom", "Bathroom", "Doing", 2400, "2026-03-15"},
	{"Replace the tap", "Bathroom", "Done", 180, "2026-02-01"},
	{"New worktop", "Kitchen", "To do", 1900, "2026-04-20"},
	{"Paint the kitchen", "Kitchen", "To do", 350, "2026-05-02"},
	{"Mend the gutter", "Roof", "Doing", 620, "2026-03-30"},
	{"Insulate the attic", "Roof", "To do", 5400, "2026-09-01"},
}

func followTracker(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("create_base", `{"name":"Renovation"}`)
	p.call("create_table", `{"baseId":"Renovation","name":"Jobs","fields":[{"name":"Job","type":"text"},`+
		`{"name":"Room","type":"single_select","config":{"options":["Bathroom","Kitchen","Roof"]}},`+
		`{"name":"Status","type":"single_select","config":{"options":["To do","Doing","Done"]}},`+
		`{"name":"Cost","type":"currency","config":{"symbol":"€","precision":0}},{"name":"Due","type":"date"}]}`)
	var records []object
	for _, job := range jobs {
		records = append(records, object{"fields": object{
			"Job": job[0], "Room": job[1], "Status": job[2], "Cost": job[3], "Due": job[4],
		}})
	}
	p.call("create_records", `{"tableId":"Jobs","return":"none","records":%s}`, records)
	p.call("create_view", `{"tableId":"Jobs","type":"kanban","name":"Board","config":{"stackFieldId":"Status"}}`)
}

// strayTracker names arguments and types as other products do, and puts the options next to config, all of which is
// read as what it says. It writes dates and amounts as people do; the error says what is wrong in every place.
func strayTracker(p *transcript) {
	p.call("get_me", `{}`)
	p.call("create_base", `{"title":"Renovation"}`)
	p.call("create_table", `{"base":"Renovation","name":"Jobs","fields":[{"name":"Job","type":"string"},`+
		`{"name":"Room","type":"select","options":["Bathroom","Kitchen","Roof"]},`+
		`{"name":"Status","type":"select","options":["To do","Doing","Done"]},`+
		`{"name":"Cost","type":"money","symbol":"€"},{"name":"Due","type":"date"}]}`)
	records := func(cost, due func(value any) any) (list []object) {
		for _, job := range jobs {
			list = append(list, object{
				"Job": job[0], "Room": job[1], "Status": job[2], "Cost": cost(job[3]), "Due": due(job[4]),
			})
		}
		return list
	}
	asIs := func(value any) any { return value }
	p.mistake("YYYY-MM-DD", "create_records", `{"tableId":"Jobs","records":%s}`, records(
		func(cost any) any { return fmt.Sprint("€ ", cost) },
		func(due any) any { return strings.ReplaceAll(due.(string), "-", "/") }))
	p.call("create_records", `{"tableId":"Jobs","records":%s}`, records(asIs, asIs))
	p.mistake("stackFieldId", "create_view",
		`{"tableId":"Jobs","type":"board","name":"Board","config":{"stackBy":"Status"}}`)
	p.call("create_view", `{"tableId":"Jobs","type":"board","name":"Board","config":{"stackFieldId":"Status"}}`)
}

func checkTracker(p *transcript) {
	p.base = "Renovation"
	p.holds(`[["Doing",2,3020],["Done",1,180],["To do",3,7650]]`,
		`select status, count(*), sum(cost) from jobs group by 1 order by 1`)
	p.holds(`[["Replace the tap"]]`, `select job from jobs where due < '2026-03-01'`)
	view := p.c.OK("get_view", object{"viewId": "Board"})
	if at(view, "type") != "kanban" || at(view, "config.stackFieldId") == nil {
		p.t.Errorf("the view is %v", view)
	}
}

// Contacts have forty people; the file has 120 lines, of which twenty are about people who are there already.
func prepareMerge(p *transcript) {
	p.create("CRM")
	contacts := p.table("Contacts", `{"name":"Name","type":"text"},{"name":"Email","type":"email"},`+
		`{"name":"Phone","type":"phone"},{"name":"City","type":"text"},{"name":"Since","type":"date"},`+
		`{"name":"Tier","type":"single_select","config":{"options":["Gold","Silver"]}}`)
	p.load(contacts, "Name,Email,Phone,Tier", 40, func(i int) string {
		return fmt.Sprintf("Person %d,person%d@example.com,+32 9 %03d,Silver", i, i, i)
	})
}

// mergeLine is a line as the file has it, or as a model writes it that cleans it. Two lines need a person, or a look.
func mergeLine(messy bool, wrong ...string) func(i int) string {
	return func(i int) string {
		email, since, tier := fmt.Sprintf("person%d@example.com", i), fmt.Sprintf("%d.3.2026", 1+i%28), "Gold"
		if len(wrong) > 0 && i == 57 {
			email = wrong[0]
		}
		if len(wrong) > 1 && i == 90 {
			since = wrong[1]
		}
		if messy {
			email, tier = " "+strings.ToUpper(email), []string{"gold", "GOLD ", "Gold"}[i%3]
		}
		return fmt.Sprintf("Person %d,%s,Ghent,%s,%s", i, email, since, tier)
	}
}

const mergeHeader = "Name,Email,City,Since,Tier"

func followMerge(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"CRM","detail":"names"}`)
	plan := p.call("import_records",
		`{"tableId":"Contacts","upsertOn":["Email"],"dateOrder":"DMY","plan":true,"csv":%s}`,
		lines(mergeHeader, 20, 140, mergeLine(false, "person57(at)example.com", "n/a")))
	if at(plan, "refused") != 2.0 || at(plan, "updated") != 20.0 {
		p.t.Errorf("the plan is %v", plan)
	}
	p.call("import_records", `{"tableId":"Contacts","upsertOn":["Email"],"dateOrder":"DMY","csv":%s}`,
		lines(mergeHeader, 20, 140, mergeLine(false, "person57@example.com", "")))
}

// strayMerge creates the people again who are there already, and takes that back. The header of the file names the
// field otherwise, which is read as what it says. The error about the records has named import_records.
func strayMerge(p *transcript) {
	p.call("describe_base", `{"baseId":"CRM"}`)
	p.mistake("aggregate_records", "query_records", `{"tableId":"Contacts","limit":1000}`)
	p.call("query_records", `{"tableId":"Contacts","limit":100}`)
	var records []object
	for i := 20; i < 140; i++ {
		cells := strings.Split(mergeLine(true)(i), ",")
		records = append(records, object{"Name": cells[0], "Email": cells[1], "City": cells[2]})
	}
	p.mistake("import_records", "create_records", `{"tableId":"Contacts","typecast":true,"records":%s}`, records)
	const header = "Name,E-Mail,City,Since,Tier"
	made := p.call("import_records", `{"tableId":"Contacts","dateOrder":"DMY","csv":%s}`,
		lines(header, 20, 140, mergeLine(true)))
	// Twenty are there twice.
	p.call("query_records", `{"tableId":"Contacts","query":"person25@example.com"}`)
	p.call("revert_changes", `{"changeSets":[%s]}`, made["changeSet"])
	p.call("import_records", `{"tableId":"Contacts","dateOrder":"DMY","upsertOn":["Email"],"csv":%s}`,
		lines(header, 20, 140, mergeLine(false, "person57@example.com", "")))
}

func checkMerge(p *transcript) {
	p.holds(`[[140,140,40,120]]`,
		`select count(*), count(distinct lower(email)), count(phone), count(city) from contacts`)
	p.holds(`[["Gold",120],["Silver",20]]`, `select tier, count(*) from contacts group by 1 order by 1`)
	p.holds(`[["2026-03-26"]]`, `select since::text from contacts where email = 'person25@example.com'`)
}

// Orders repeat the city and the address of their customer.
func prepareSplit(p *transcript) {
	p.create("Shop")
	orders := p.table("Orders", `{"name":"Order","type":"text"},{"name":"Customer","type":"text"},`+
		`{"name":"City","type":"text"},{"name":"Email","type":"email"},{"name":"Amount","type":"number"}`)
	p.load(orders, "Order,Customer,City,Email,Amount", 60, func(i int) string {
		return fmt.Sprintf("O-%d,Customer %d,%s,c%d@example.com,%d", i, i%12, []string{"Oslo", "Turin"}[i%2],
			i%12, 10*i)
	})
}

// linkOrders is what the person does in the application, where links are made.
func linkOrders(p *transcript) {
	tables := p.owner.OK("GET", "/bases/"+p.base+"/tables", "")
	p.link(at(tables, "tables.0.id").(string), "Buyer", at(tables, "tables.1.id").(string))
}

const buyerLookup = `{"tableId":"Orders","name":%s,"type":"lookup","config":{"linkFieldId":"Buyer","fieldId":%s}}`

func followSplit(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Shop","detail":"names"}`)
	found := p.call("aggregate_records", `{"tableId":"Orders","groupBy":["Customer","City","Email"],"format":"rows",`+
		`"limit":100}`)
	p.call("create_table", `{"baseId":"Shop","name":"Customers","fields":[{"name":"Name","type":"text"},`+
		`{"name":"City","type":"text"},{"name":"Email","type":"email"}]}`)
	rows := found["rows"].([]any)
	p.call("import_records", `{"tableId":"Customers","csv":%s}`, lines("Name,City,Email", 0, len(rows),
		func(i int) string {
			return fmt.Sprintf("%v,%v,%v", at(rows[i], "0"), at(rows[i], "1"), at(rows[i], "2"))
		}))
	linkOrders(p)
	exported := p.call("export_records", `{"tableId":"Orders","fields":["Order","Customer"]}`)
	p.call("import_records", `{"tableId":"Orders","upsertOn":["Order"],"csv":%s}`,
		strings.Replace(exported["csv"].(string), "Order,Customer", "Order,Buyer", 1))
	plan := p.call("delete_field", `{"fieldId":"Orders/City","plan":true}`)
	p.call("delete_field", `{"fieldId":"Orders/City","apply":%s,"confirm":true}`, plan["planToken"])
	p.call("delete_field", `{"fieldId":"Orders/Email","confirm":true}`)
	p.call("create_field", buyerLookup, "City", "City")
	p.call("create_field", buyerLookup, "Email", "Email")
	p.call("create_field", `{"tableId":"Customers","name":"Spent","type":"rollup","config":{"linkFieldId":"Orders",`+
		`"fieldId":"Amount","function":"SUM"}}`)
}

// straySplit reads everything first. The error about the link says that a person makes it, so it asks once; the first
// question for confirm says what it is about, so both fields are deleted with it. It has read the ids of the orders and
// of the customers that it made, and links them by these, after it has tried a title without typecast.
func straySplit(p *transcript) {
	p.call("describe_base", `{"baseId":"Shop"}`)
	page := p.call("query_records", `{"tableId":"Orders"}`)
	read := page["records"].([]any)
	if page["hasMore"] == true { // the page is just about as long as an answer may be
		page = p.call("query_records", `{"tableId":"Orders","cursor":%s}`, page["cursor"])
		read = append(read, page["records"].([]any)...)
	}
	p.mistake("openInApp", "create_table", `{"baseId":"Shop","name":"Customers","fields":[`+
		`{"name":"Name","type":"text"},{"name":"Orders","type":"link"}]}`)
	p.call("create_table", `{"baseId":"Shop","name":"Customers","fields":[{"name":"Name","type":"string"},`+
		`{"name":"City","type":"string"},{"name":"Email","type":"email"}]}`)
	var customers []object
	for i := range 12 {
		customers = append(customers, object{
			"Name": fmt.Sprint("Customer ", i), "City": []string{"Oslo", "Turin"}[i%2],
			"Email": fmt.Sprintf("c%d@example.com", i),
		})
	}
	made := p.call("create_records", `{"tableId":"Customers","records":%s}`, customers)
	linkOrders(p)
	p.mistake("typecast", "update_records_where", `{"tableId":"Orders","filters":[{"field":"Customer","op":"=",`+
		`"value":"Customer 0"}],"fields":{"Buyer":"Customer 0"}}`)
	ids := map[any]any{}
	for _, customer := range made["records"].([]any) {
		ids[at(customer, "fields.Name")] = at(customer, "id")
	}
	var orders []object
	for _, order := range read {
		orders = append(orders, object{
			"id": at(order, "id"), "fields": object{"Buyer": []any{ids[at(order, "fields.Customer")]}},
		})
	}
	p.call("update_records", `{"tableId":"Orders","records":%s}`, orders)
	p.mistake("confirm: true", "delete_field", `{"fieldId":"Orders/City"}`)
	for _, name := range []string{"City", "Email"} {
		p.call("delete_field", `{"fieldId":%s,"confirm":true}`, "Orders/"+name)
		p.call("create_field", `{"tableId":"Orders","name":%s,"type":"lookup",`+
			`"config":{"link":"Buyer","field":%s}}`, name, name)
	}
	p.call("create_field", `{"tableId":"Customers","name":"Spent","type":"rollup",`+
		`"config":{"linkFieldId":"Orders","fieldId":"Amount","function":"TOTAL"}}`)
}

func checkSplit(p *transcript) {
	spent := p.c.OK("aggregate_records", object{
		"tableId": "Customers", "aggregates": []object{{"fn": "sum", "fieldId": "Spent"}, {"fn": "count"}},
	})
	if encode(p.t, at(spent, "groups.0.results")) != `{"count":12,"sum(Spent)":17700}` {
		p.t.Errorf("the customers are %v", spent)
	}
	p.holds(`[[60]]`, `select count(*) from "Orders__Buyer"`)
	page := p.c.OK("query_records", object{"tableId": "Orders", "filters": []object{
		{"fieldId": "Order", "op": "eq", "value": "O-13"},
	}})
	fields := at(page, "records.0.fields")
	if encode(p.t, at(fields, "City")) != `["Turin"]` || encode(p.t, at(fields, "Email")) != `["c1@example.com"]` {
		p.t.Errorf("the order is %v", fields)
	}
}
