package conformance

import "fmt"

// Some products have sold no unit, and the margin is of the wrong thing.
func prepareFormula(p *transcript) {
	p.create("Shop")
	products := p.table("Products", `{"name":"Product","type":"text"},{"name":"Revenue","type":"currency"},`+
		`{"name":"Cost","type":"currency"},{"name":"Units","type":"number"}`)
	for name, formula := range map[string]string{
		"Price a unit": "{Revenue} / {Units}", "Margin": "({Revenue} - {Cost}) / {Cost}",
	} {
		p.owner.ID("POST", "/tables/"+products+"/fields",
			fmt.Sprintf(`{"name":%q,"type":"formula","config":{"formula":%q}}`, name, formula))
	}
	p.load(products, "Product,Revenue,Cost,Units", 40, func(i int) string {
		units := i % 8
		return fmt.Sprintf("Product %d,%d,%d,%d", i, 400, 100, units)
	})
}

func followFormula(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Shop"}`)
	p.call("check_formula", `{"tableId":"Products","formula":"IF({Units} = 0, BLANK(), {Revenue} / {Units})"}`)
	p.call("update_field", `{"fieldId":"Products/Price a unit",`+
		`"config":{"formula":"IF({Units} = 0, BLANK(), {Revenue} / {Units})"}}`)
	p.call("update_field", `{"fieldId":"Products/Margin","config":{"formula":"({Revenue} - {Cost}) / {Revenue}"}}`)
}

// strayFormula writes what a spreadsheet has, and then what the error says to write instead.
func strayFormula(p *transcript) {
	p.call("describe_base", `{"baseId":"Shop"}`)
	p.call("query_records", `{"tableId":"Products"}`)
	p.mistake(`ISERROR`, "update_field", `{"fieldId":"Price a unit","formula":"IFERROR({Revenue} / {Units}, \"\")"}`)
	p.call("update_field", `{"fieldId":"Price a unit",`+
		`"formula":"IF(ISERROR({Revenue} / {Units}), BLANK(), {Revenue} / {Units})"}`)
	p.call("query_records", `{"tableId":"Products","filters":[{"fieldId":"Price a unit","op":"error"}]}`)
	p.call("update_field", `{"fieldId":"Margin","formula":"({Revenue} - {Cost}) / {Revenue}"}`)
}

func checkFormula(p *transcript) {
	failed := p.c.OK("query_records", object{"tableId": "Products", "filters": []object{
		{"fieldId": "Price a unit", "op": "is_error"},
	}})
	if failed["total"] != 0.0 {
		p.t.Errorf("%v products have an error", failed["total"])
	}
	groups := p.c.OK("aggregate_records", object{
		"tableId": "Products", "groupBy": []string{"Margin"}, "aggregates": []object{
			{"fn": "max", "fieldId": "Price a unit"}, {"fn": "count"},
		},
	})
	if at(groups, "groups.0.key.Margin") != 0.75 || at(groups, "groups.0.results.count") != 40.0 ||
		at(groups, "groups.0.results.max(Price a unit)") != 400.0 {
		p.t.Errorf("the products are %v", groups)
	}
}

const (
	openDeals = `[{"fieldId":"Stage","op":"eq","value":"Open"}]`
	wonDeals  = `[{"fieldId":"Stage","op":"eq","value":"Won"}]`
)

// "Sales want their open deals as a board, finance what was won, the largest first, without the rest, and the managers
// a calendar."
func followViews(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"CRM","detail":"names","tableIds":["Deals"]}`)
	p.call("create_view", `{"tableId":"Deals","type":"kanban","name":"Sales",`+
		`"config":{"stackFieldId":"Stage","filters":`+openDeals+`}}`)
	p.call("create_view", `{"tableId":"Deals","type":"grid","name":"Finance","config":{"filters":`+wonDeals+
		`,"sorts":[{"fieldId":"Amount","dir":"desc"}],"hiddenFields":["Stage"]}}`)
	p.call("create_view", `{"tableId":"Deals","type":"calendar","name":"Managers","config":{"startFieldId":"Closed"}}`)
}

// strayViews guesses keys, options and names. Each error lists all that is wrong in its view.
func strayViews(p *transcript) {
	p.call("describe_base", `{"baseId":"CRM"}`)
	p.call("query_records", `{"tableId":"Deals"}`)
	p.mistake(`did you mean "Open"`, "create_view", `{"tableId":"Deals","type":"board","name":"Sales",`+
		`"config":{"stackBy":"Stage","filters":[{"fieldId":"Stage","op":"is","value":"Opened"}]}}`)
	p.call("create_view", `{"tableId":"Deals","type":"board","name":"Sales","config":{"stackFieldId":"Stage",`+
		`"filters":[{"fieldId":"Stage","op":"is","value":"open"}]}}`)
	p.call("create_view", `{"tableId":"Deals","type":"grid","name":"Finance","filter":`+wonDeals+`}`)
	p.call("update_view", `{"viewId":"Finance","config":{"sorts":[{"field":"Amount","direction":"descending"}],`+
		`"hiddenFields":["Stage"]}}`)
	p.mistake(`Closed`, "create_view",
		`{"tableId":"Deals","type":"calendar","name":"Managers","config":{"startFieldId":"Close date"}}`)
	p.call("create_view", `{"tableId":"Deals","type":"calendar","name":"Managers","config":{"startFieldId":"Closed"}}`)
}

func checkViews(p *transcript) {
	for view, total := range map[string]float64{"Sales": 67, "Finance": 67, "Managers": 200} {
		page := p.c.OK("query_records", object{"tableId": "Deals", "view": view, "limit": 1})
		if page["total"] != total {
			p.t.Errorf("%s shows %v deals", view, page["total"])
		}
		if view == "Finance" {
			p.holds(fmt.Sprintf("[[%v]]", at(page, "records.0.fields.Amount")),
				`select max(amount) from deals where stage = 'Won'`)
		}
	}
	for view, key := range map[string]string{
		"Sales": "stackFieldId", "Finance": "hiddenFields.0", "Managers": "startFieldId",
	} {
		if config := p.c.OK("get_view", object{"viewId": view})["config"]; at(config, key) == nil {
			p.t.Errorf("%s has the configuration %v", view, config)
		}
	}
}
