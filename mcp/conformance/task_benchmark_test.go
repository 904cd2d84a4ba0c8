package conformance

import (
	"fmt"
	"strings"
)

// Tasks of the kinds that public benchmarks of servers have, with data of our own. The first two are of the groups
// employees and lego of MCPMark's PostgreSQL tasks (github.com/eval-sys/mcpmark), the last is of the office tasks of
// LiveMCPBench (arXiv 2508.01780).
var benchmarkTasks = []task{
	{
		name: "benchmark: the performance of employees", prepare: prepareEmployees, check: checkEmployees,
		follows: attempt{calls: 7, errors: 0, tokens: 2250, play: followEmployees},
		strays:  attempt{calls: 10, errors: 3, tokens: 14_500, play: strayEmployees},
	},
	{
		name: "benchmark: parts that do not add up", prepare: prepareParts, check: checkParts,
		follows: attempt{calls: 4, errors: 0, tokens: 1150, play: followParts},
		strays:  attempt{calls: 7, errors: 2, tokens: 17_700, play: strayParts},
	},
	{
		name: "benchmark: rooms booked twice", prepare: prepareRooms, check: checkRooms,
		follows: attempt{calls: 4, errors: 0, tokens: 1000, play: followRooms},
		strays:  attempt{calls: 7, errors: 3, tokens: 8600, play: strayRooms},
	},
}

func prepareEmployees(p *transcript) {
	p.create("Staff")
	employees := p.table("Employees", `{"name":"Name","type":"text"},{"name":"Department","type":"text"},`+
		`{"name":"First salary","type":"number"},{"name":"Salary","type":"number"}`)
	p.load(employees, "Name,Department,First salary,Salary", 60, func(i int) string {
		return fmt.Sprintf("Employee %d,%s,1000,%d", i, []string{"Sales", "Works", "Lab"}[i%3], 1000+i*10)
	})
}

// "Write a table Performance: how much the salary of each has grown, in percent, and whether that is high (40 and
// more), steady (20 and more) or low. And a table Departments with the average growth."
func followEmployees(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Staff","detail":"names"}`)
	found := p.call("query_sql", `{"baseId":"Staff","sql":"select name, department, growth, case when growth >= 40 `+
		`then 'High' when growth >= 20 then 'Steady' else 'Low' end from (select name, department, 100 * (salary - `+
		`\"First salary\") / \"First salary\" as growth from employees) e"}`)
	rows := found["rows"].([]any)
	p.call("create_table", performanceTable)
	p.call("import_records", `{"tableId":"Performance","csv":%s}`, lines("Name,Growth,Class", 0, len(rows),
		func(i int) string {
			return fmt.Sprintf("%v,%v,%v", at(rows[i], "0"), at(rows[i], "2"), at(rows[i], "3"))
		}))
	p.call("create_table", departmentTable)
	sums, counts := map[any]float64{}, map[any]float64{} // that a model has seen in the rows
	for _, row := range rows {
		sums[at(row, "1")] += at(row, "2").(float64)
		counts[at(row, "1")]++
	}
	var records []object
	for department := range sums {
		records = append(records, object{"fields": object{
			"Department": department, "Growth": sums[department] / counts[department],
		}})
	}
	p.call("create_records", `{"tableId":"Departments","return":"none","records":%s}`, records)
}

const (
	performanceTable = `{"baseId":"Staff","name":"Performance","fields":[{"name":"Name","type":"text"},` +
		`{"name":"Growth","type":"percent"},` +
		`{"name":"Class","type":"single_select","config":{"options":["High","Steady","Low"]}}]}`
	departmentTable = `{"baseId":"Staff","name":"Departments","fields":[{"name":"Department","type":"text"},` +
		`{"name":"Growth","type":"percent","config":{"precision":1}}]}`
)

// strayEmployees wants to make the table in SQL, computes by itself from what it has read, and writes percentages as
// people do.
func strayEmployees(p *transcript) {
	p.call("describe_base", `{"baseId":"Staff"}`)
	page := p.call("query_records", `{"tableId":"Employees","limit":100}`)
	p.mistake("never writes", "query_sql", `{"baseId":"Staff","sql":"create table performance as select 1"}`)
	p.mistake("First salary", "query_sql", `{"baseId":"Staff","sql":"select first_salary from employees"}`)
	p.call("create_table", strings.Replace(performanceTable, "single_select", "enum", 1))
	var texts, numbers []object
	for _, record := range page["records"].([]any) {
		growth := (at(record, "fields.Salary").(float64) - 1000) / 10
		class := []string{"Low", "Steady", "High"}[min(2, int(growth)/20)]
		name := at(record, "fields.Name")
		texts = append(texts, object{"Name": name, "Growth": fmt.Sprint(growth, "%"), "Class": class})
		numbers = append(numbers, object{"Name": name, "Growth": growth, "Class": class})
	}
	p.mistake("typecast", "create_records", `{"tableId":"Performance","records":%s}`, texts)
	p.call("create_records", `{"tableId":"Performance","records":%s}`, numbers)
	p.call("create_table", departmentTable)
	groups := p.call("aggregate_records",
		`{"tableId":"Employees","groupBy":["Department"],"aggregates":[{"fn":"average","field":"Salary"}]}`)
	var departments []object
	for _, group := range groups["groups"].([]any) {
		departments = append(departments, object{
			"Department": at(group, "key.Department"),
			"Growth":     (at(group, "results.avg(Salary)").(float64) - 1000) / 10,
		})
	}
	p.call("create_records", `{"tableId":"Departments","records":%s}`, departments)
}

func checkEmployees(p *transcript) {
	p.holds(`[["High",20],["Low",20],["Steady",20]]`, `select class, count(*) from performance group by 1 order by 1`)
	p.holds(`[["Employee 59",59]]`, `select name, growth from performance order by growth desc limit 1`)
	p.holds(`[["Lab",30.5],["Sales",28.5],["Works",29.5]]`, `select department, growth from departments order by 1`)
}

// Each set says how many parts it has. Five of forty are wrong.
func prepareParts(p *transcript) {
	p.create("Toys")
	sets := p.table("Sets", `{"name":"Set","type":"text"},{"name":"Parts","type":"number"}`)
	inventory := p.table("Inventory", `{"name":"Part","type":"text"},{"name":"Quantity","type":"number"}`)
	p.link(inventory, "Set", sets)
	p.load(sets, "Set,Parts", 40, func(i int) string {
		parts := 3 + 3*i
		if i%8 == 3 {
			parts += 7
		}
		return fmt.Sprintf("Set %d,%d", i, parts)
	})
	p.load(inventory, "Part,Quantity,Set", 120, func(i int) string {
		return fmt.Sprintf("Part %d,%d,Set %d", i, i/40+i%40, i%40)
	})
}

// "The number of parts of some sets is not the sum of their inventory. Correct it, and say which."
func followParts(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Toys","detail":"names"}`)
	found := p.call("query_sql", `{"baseId":"Toys","sql":"select s.record_id, sum(i.quantity) from sets s `+
		`join \"Inventory__Set\" l on l.linked_id = s.id join inventory i on i.id = l.id `+
		`group by s.record_id, s.parts having sum(i.quantity) <> s.parts"}`)
	var changes []object
	for _, row := range found["rows"].([]any) {
		changes = append(changes, object{"id": at(row, "0"), "fields": object{"Parts": at(row, "1")}})
	}
	p.call("update_records", `{"tableId":"Sets","return":"none","records":%s}`, changes)
}

// strayParts guesses columns, the first error of which lists those that there are and the tables of links. The page of
// the inventory says that there is more, so it has the rest summed up, and writes what it has found by the ids that it
// has read.
func strayParts(p *transcript) {
	p.call("describe_base", `{"baseId":"Toys"}`)
	p.mistake("Sets__Inventory", "query_sql", `{"baseId":"Toys","sql":"select num_parts from sets"}`)
	p.mistake("SELECT", "query_sql", `{"baseId":"Toys","sql":"update sets set parts = 3"}`)
	sets := p.call("query_records", `{"tableId":"Sets"}`)
	p.call("query_records", `{"tableId":"Inventory"}`)
	groups := p.call("aggregate_records",
		`{"tableId":"Inventory","group_by":["Set"],"aggregates":{"total":"Quantity"},"limit":100}`)
	sums := map[any]any{}
	for _, group := range groups["groups"].([]any) {
		sums[at(group, "key.Set.title")] = at(group, "results.sum(Quantity)")
	}
	var changes []object
	for _, set := range sets["records"].([]any) {
		if sum := sums[at(set, "fields.Set")]; sum != at(set, "fields.Parts") {
			changes = append(changes, object{"id": at(set, "id"), "Parts": sum})
		}
	}
	p.call("update_records", `{"tableId":"Sets","records":%s}`, changes)
}

func checkParts(p *transcript) {
	p.holds(`[[40,2460,3,120]]`, `select count(*), sum(parts), min(parts), max(parts) from sets`)
}

func prepareRooms(p *transcript) {
	p.create("Office")
	bookings := p.table("Bookings", `{"name":"Title","type":"text"},{"name":"Room","type":"text"},`+
		`{"name":"From","type":"datetime"},{"name":"To","type":"datetime"}`)
	p.table("Tasks", `{"name":"Task","type":"text"},{"name":"Room","type":"text"},{"name":"Due","type":"date"},`+
		`{"name":"State","type":"single_select","config":{"options":["Open","Done"]}}`)
	// Two a day in each of four rooms. The second begins before the first has ended on every tenth day.
	p.load(bookings, "Title,Room,From,To", 160, func(i int) string {
		day, room, second := i/8, i%4, i/4%2
		hour := 9 + 3*second
		if second == 1 && day%10 == 4 && room == day%4 {
			hour = 10
		}
		return fmt.Sprintf("Meeting %d,Room %d,2026-06-%02dT%02d:00:00Z,2026-06-%02dT%02d:30:00Z", i, room, 1+day, hour,
			1+day, hour+1)
	})
}

// "Which rooms are booked twice at a time? Make an open task for each, due the day before."
func followRooms(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Office","detail":"names"}`)
	found := p.call("query_sql", `{"baseId":"Office","sql":"select a.title, b.title, a.room, `+
		`(a.\"From\"::date - 1)::text from bookings a join bookings b on a.room = b.room and a.id < b.id `+
		`and a.\"From\" < b.\"To\" and b.\"From\" < a.\"To\""}`)
	var records []object
	for _, row := range found["rows"].([]any) {
		records = append(records, object{"fields": object{
			"Task": fmt.Sprintf("Move %v or %v", at(row, "0"), at(row, "1")), "Room": at(row, "2"), "Due": at(row, "3"),
			"State": "Open",
		}})
	}
	p.call("create_records", `{"tableId":"Tasks","return":"none","records":%s}`, records)
}

// strayRooms begins to read the bookings, of which the page says that there are many more, before it tries SQL, and
// writes days and states as people do.
func strayRooms(p *transcript) {
	p.call("describe_base", `{"baseId":"Office"}`)
	p.mistake("From", "query_records",
		`{"tableId":"Bookings","columns":["Room","From","To"],"sort":[{"field":"Start","direction":"asc"}]}`)
	p.call("query_records", `{"tableId":"Bookings","sort":[{"field":"From","direction":"asc"}]}`)
	p.mistake(`"From"`, "query_sql", `{"baseId":"Office","sql":"select from, to, room from bookings"}`)
	found := p.call("query_sql", `{"baseId":"Office","sql":"select a.title, a.room, a.\"From\" from bookings a, `+
		`bookings b where a.room = b.room and a.title < b.title and a.\"From\" < b.\"To\" and b.\"From\" < a.\"To\""}`)
	tasks := func(state string, due map[any]string) (records []object) {
		for _, row := range found["rows"].([]any) {
			records = append(records, object{
				"Task": fmt.Sprint("Move ", at(row, "0")), "Room": at(row, "1"), "Due": due[at(row, "1")],
				"State": state,
			})
		}
		return records
	}
	p.mistake(`YYYY-MM-DD`, "create_records", `{"tableId":"Tasks","records":%s}`,
		tasks("open", map[any]string{"Room 0": "4 June 2026", "Room 2": "14 June 2026"}))
	p.call("create_records", `{"tableId":"Tasks","records":%s}`,
		tasks("Open", map[any]string{"Room 0": "2026-06-04", "Room 2": "2026-06-14"}))
}

func checkRooms(p *transcript) {
	p.holds(`[["Room 0","2026-06-04","Open"],["Room 2","2026-06-14","Open"]]`,
		`select room, due::text, state from tasks order by 1`)
}
