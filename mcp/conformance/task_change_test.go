package conformance

import (
	"fmt"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Tasks that change many records, or records that others change too.
var changeTasks = []task{
	{
		name: "a bulk change and its undo", prepare: workspace, check: checkUndo,
		follows: attempt{calls: 7, errors: 0, tokens: 1500, play: followUndo},
		strays:  attempt{calls: 9, errors: 2, tokens: 20_000, play: strayUndo},
	},
	{
		name: "two agents at once", prepare: prepareTwo, check: checkTwo,
		follows: attempt{calls: 11, errors: 2, tokens: 2200, play: followTwo},
		strays:  attempt{calls: 11, errors: 2, tokens: 6300, play: strayTwo},
	},
	{
		name: "200,000 records", prepare: prepareLarge, check: checkLarge,
		follows: attempt{calls: 6, errors: 0, tokens: 1250, play: followLarge},
		strays:  attempt{calls: 7, errors: 3, tokens: 1900, play: strayLarge},
	},
}

// "Close all open deals as lost … no, put them back. And delete the ones that are lost … no, not that either."
func followUndo(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"CRM","detail":"names","tableIds":["Deals"]}`)
	const change = `{"tableId":"Deals","filters":` + openDeals + `,"fields":{"Stage":"Lost"}`
	plan := p.call("update_records_where", change+`,"plan":true}`)
	changed := p.call("update_records_where", change+`,"apply":%s}`, plan["planToken"])
	p.holds(`[["Lost",133],["Won",67]]`, dealsByStage)
	p.call("revert_changes", `{"baseId":"CRM","changeSets":[%s]}`, changed["changeSet"])
	gone := p.call("delete_records_where", `{"tableId":"Deals","confirm":true,`+
		`"filters":[{"fieldId":"Stage","op":"eq","value":"Lost"}]}`)
	p.holds(`[["Open",67],["Won",67]]`, dealsByStage)
	p.call("revert_changes", `{"baseId":"CRM","changeSets":[%s]}`, gone["changeSet"])
}

const dealsByStage = `select stage, count(*) from deals group by 1 order by 1`

// strayUndo reads the deals to change them one by one, in the case of the person's words. What each answer says of its
// change set and of confirm it uses.
func strayUndo(p *transcript) {
	p.call("describe_base", `{"baseId":"CRM"}`)
	const open = `{"tableId":"Deals","filters":[{"fieldId":"Stage","op":"is","value":"open"}]`
	page := p.call("query_records", open+`}`)
	records := page["records"].([]any)
	page = p.call("query_records", open+`,"cursor":%s}`, page["cursor"])
	var changes []object
	for _, record := range append(records, page["records"].([]any)...) {
		changes = append(changes, object{"id": at(record, "id"), "Stage": "lost"})
	}
	p.mistake(`did you mean "Lost"`, "update_records", `{"tableId":"Deals","records":%s}`, changes)
	for i := range changes {
		changes[i]["Stage"] = "Lost"
	}
	changed := p.call("update_records", `{"tableId":"Deals","records":%s}`, changes)
	p.holds(`[["Lost",133],["Won",67]]`, dealsByStage)
	p.call("revert_changes", `{"changeSets":[%s]}`, changed["changeSet"])
	const lost = `{"tableId":"Deals","filters":[{"fieldId":"Stage","op":"is","value":"lost"}]`
	p.mistake("confirm: true", "delete_records_where", lost+`}`)
	gone := p.call("delete_records_where", lost+`,"confirm":true}`)
	p.holds(`[["Open",67],["Won",67]]`, dealsByStage)
	p.call("revert_changes", `{"changeSets":[%s]}`, gone["changeSet"])
}

func checkUndo(p *transcript) {
	p.holds(`[["Lost",66],["Open",67],["Won",67]]`, dealsByStage)
	p.holds(`[[200]]`, `select count(*) from "Deals__Company"`)
}

// Two agents keep the stock: one takes five bolts and marks what has to be ordered, the other takes twenty.
func prepareTwo(p *transcript) {
	p.create("Depot")
	stock := p.table("Stock", `{"name":"Part","type":"text"},{"name":"Quantity","type":"number"},`+
		`{"name":"Status","type":"single_select","config":{"options":["Fine","Order"]}}`)
	p.load(stock, "Part,Quantity,Status", 30, func(i int) string {
		return fmt.Sprintf("Part %d,%d,Fine", i, 100-3*i)
	})
}

// other is the agent of a colleague. Its calls count too.
func (p *transcript) other(play func()) {
	p.t.Helper()
	own := p.c
	p.c = p.s.Dial(p.t, p.colleague(), mcptest.Initialize, "/mcp", nil)
	play()
	p.c = own
}

const (
	partZero = `{"tableId":"Stock","filters":[{"fieldId":"Part","op":"eq","value":"Part 0"}]}`
	takeSome = `{"tableId":"Stock","return":"ids","records":[{"id":%s,"version":%s,"fields":{"Quantity":%s}}]}`
	setOrder = `{"tableId":"Stock","filters":[{"fieldId":"Quantity","op":"lt","value":30}],"fields":{"Status":"Order"}`
)

func followTwo(p *transcript) {
	page := p.call("query_records", partZero)
	id := at(page, "records.0.id")
	p.other(func() {
		theirs := p.call("query_records", partZero)
		p.call("update_records", takeSome, id, at(theirs, "records.0.version"), 80)
	})
	p.mistake("version", "update_records", takeSome, id, at(page, "records.0.version"), 95)
	page = p.call("query_records", partZero)
	p.call("update_records", takeSome, id, at(page, "records.0.version"),
		at(page, "records.0.fields.Quantity").(float64)-5)
	plan := p.call("update_records_where", setOrder+`,"plan":true}`)
	p.other(func() {
		p.call("update_records_where",
			`{"tableId":"Stock","filters":[{"fieldId":"Part","op":"eq","value":"Part 25"}],"fields":{"Quantity":60}}`)
	})
	p.mistake("plan again", "update_records_where", setOrder+`,"apply":%s}`, plan["planToken"])
	plan = p.call("update_records_where", setOrder+`,"plan":true}`)
	p.call("update_records_where", setOrder+`,"apply":%s}`, plan["planToken"])
}

// strayTwo gives no version, so that it takes away what the other has written, and sees it in the history.
func strayTwo(p *transcript) {
	page := p.call("query_records", `{"tableId":"Stock"}`)
	id := at(page, "records.0.id")
	const quantity = `{"tableId":"Stock","records":[{"id":%s,"Quantity":%s}]}`
	p.other(func() {
		p.call("query_records", `{"tableId":"Stock"}`)
		p.mistake("typecast", "update_records", quantity, id, "80")
		p.call("update_records", quantity, id, 80)
	})
	own := p.call("update_records", quantity, id, 95) // takes theirs away
	history := p.call("get_record_history", `{"id":%s}`, id)
	if at(history, "entries.1.changes.Quantity.1") != 80.0 {
		p.t.Errorf("the history is %v", history)
	}
	p.call("revert_changes", `{"changeSets":[%s]}`, own["changeSet"])
	p.call("update_records", quantity, id, 75)
	p.mistake("Order", "update_records_where",
		`{"tableId":"Stock","filters":[{"field":"Quantity","op":"<","value":30}],"fields":{"Status":"Reorder"}}`)
	p.other(func() {
		p.call("update_records_where",
			`{"tableId":"Stock","filters":[{"fieldId":"Part","op":"eq","value":"Part 25"}],"fields":{"Quantity":60}}`)
	})
	p.call("update_records_where",
		`{"tableId":"Stock","filters":[{"field":"Quantity","op":"<","value":30}],"fields":{"Status":"Order"}}`)
}

func checkTwo(p *transcript) {
	p.holds(`[["Part 0",75,"Fine"],["Part 25",60,"Fine"],["Part 24",28,"Order"]]`,
		`select part, quantity, status from stock where part in ('Part 0', 'Part 24', 'Part 25') order by 2 desc`)
	p.holds(`[[5]]`, `select count(*) from stock where status = 'Order'`)
}

// prepareLarge fills a table with measurements of 25 regions.
func prepareLarge(p *transcript) {
	p.create("Grid")
	table := p.table("Readings", `{"name":"Meter","type":"text"},{"name":"Region","type":"text"},`+
		`{"name":"Used","type":"number"},{"name":"Read","type":"date"},`+
		`{"name":"State","type":"single_select","config":{"options":["New","Checked"]}}`)
	for from := 0; from < *taskRows; from += 5000 {
		p.c.OK("import_records", object{
			"tableId": table,
			"csv": lines("Meter,Region,Used,Read,State", from, from+5000, func(i int) string {
				return fmt.Sprintf("M-%d,Region %d,%d,2026-%02d-01,New", i, i%25, i%1000, 1+i%12)
			}),
		})
	}
}

// "Which regions use most, and how much is that? Mark what region 7 has sent as checked. Remove its readings of zero."
func followLarge(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Grid","detail":"names"}`)
	top := p.call("aggregate_records", `{"tableId":"Readings","groupBy":["Region"],"format":"rows","limit":3,`+
		`"aggregates":[{"fn":"sum","fieldId":"Used"}],"orderBy":[{"by":"sum(Used)","dir":"desc"}]}`)
	p.reply(column(top, 0))
	plan := p.call("update_records_where", regionChecked+`,"plan":true}`)
	p.call("update_records_where", regionChecked+`,"apply":%s}`, plan["planToken"])
	p.call("delete_records_where", regionEmpty+`,"confirm":true}`)
}

const (
	regionSeven   = `"filters":[{"fieldId":"Region","op":"eq","value":"Region 7"}`
	regionChecked = `{"tableId":"Readings",` + regionSeven + `],"fields":{"State":"Checked"}`
	regionEmpty   = `{"tableId":"Readings",` + regionSeven + `,{"fieldId":"Used","op":"lt","value":50}]`
)

// strayLarge wants to read the readings and sum them up, until the error about the limit names what sums. The first
// question for confirm says what it is about, so that the second change has it.
func strayLarge(p *transcript) {
	p.call("describe_base", `{"baseId":"Grid"}`)
	p.mistake("aggregate_records", "query_records", `{"tableId":"Readings","limit":5000}`)
	top := p.call("aggregate_records", `{"tableId":"Readings","group_by":["Region"],`+
		`"aggregates":[{"fn":"total","field":"Used"}],"orderBy":[{"by":"sum(Used)","dir":"desc"}]}`)
	p.reply([]any{
		at(top, "groups.0.key.Region"), at(top, "groups.1.key.Region"), at(top, "groups.2.key.Region"),
	})
	p.mistake("every record", "update_records_where",
		`{"tableId":"Readings","filters":[],"fields":{"State":"Checked"}}`)
	p.mistake("confirm: true", "update_records_where", regionChecked+`}`)
	p.call("update_records_where", regionChecked+`,"confirm":true}`)
	p.call("delete_records_where", regionEmpty+`,"confirm":true}`)
}

func checkLarge(p *transcript) {
	// Every residue of 1000 is as frequent, and 1000 is a multiple of 25: region i uses i, i + 25, … 975 + i.
	if got := encode(p.t, p.replies[0]); got != `["Region 24","Region 23","Region 22"]` {
		p.t.Errorf("the agent replied %s", got)
	}
	region := *taskRows / 25
	empty := *taskRows / 1000 * 2 // 7 and 32
	p.holds(fmt.Sprintf(`[["Checked",%d],["New",%d]]`, region-empty, *taskRows-region),
		`select state, count(*) from readings group by 1 order by 1`)
}
