package conformance

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Tasks that find out something.
var questionTasks = []task{
	{
		name: "eight analytic questions", prepare: workspace, check: checkQuestions,
		follows: attempt{calls: 10, errors: 0, tokens: 1900, play: followQuestions},
		strays:  attempt{calls: 12, errors: 3, tokens: 3000, play: strayQuestions},
	},
	{
		name: "fifteen vague searches", prepare: prepareSearch, check: checkSearch,
		follows: attempt{calls: 15, errors: 0, tokens: 6100, play: followSearch},
		strays:  attempt{calls: 20, errors: 1, tokens: 6800, play: straySearch},
	},
	{
		name: "who changed it", prepare: prepareWho, check: checkWho,
		follows: attempt{calls: 4, errors: 0, tokens: 1150, play: followWho},
		strays:  attempt{calls: 6, errors: 2, tokens: 1100, play: strayWho},
	},
	{
		name: "a PDF and an image read into records", prepare: prepareFiles, check: checkFiles,
		follows: attempt{calls: 6, errors: 0, tokens: 1050, play: followFiles},
		strays:  attempt{calls: 9, errors: 3, tokens: 2400, play: strayFiles},
	},
}

// workspace is a base as a person has made it: contacts and deals, linked to companies.
func workspace(p *transcript) {
	p.create("CRM")
	companies := p.table("Companies", `{"name":"Name","type":"text"},{"name":"Country","type":"text"}`)
	contacts := p.table("Contacts",
		`{"name":"Name","type":"text"},{"name":"Email","type":"email"},{"name":"City","type":"text"}`)
	deals := p.table("Deals", `{"name":"Name","type":"text"},{"name":"Amount","type":"number"},`+
		`{"name":"Closed","type":"date"},`+
		`{"name":"Stage","type":"single_select","config":{"options":["Open","Won","Lost"]}}`)
	p.link(contacts, "Company", companies)
	p.link(deals, "Company", companies)
	p.load(companies, "Name,Country", 10, func(i int) string {
		return fmt.Sprintf("Company %d,%s", i, []string{"Norway", "Belgium", "Italy"}[i%3])
	})
	p.load(deals, "Name,Amount,Closed,Stage,Company", 200, func(i int) string {
		return fmt.Sprintf("Deal %d,%d,2026-%02d-%02d,%s,Company %d", i, (i*37)%1000, 1+i%12, 1+i%28,
			[]string{"Open", "Won", "Lost"}[i%3], i%10)
	})
	// Each second from the 200th on is there already.
	p.load(contacts, "Name,Email,City,Company", 300, func(i int) string {
		person, city := i, []string{"Oslo", "Ghent", "Turin", "Lyon"}[i%4]
		if i >= 200 && i%2 == 1 {
			person, city = i-200, ""
		}
		return fmt.Sprintf("Person Surname%d,person%d@example.com,%s,Company %d", person, person, city, person%10)
	})
}

// A question is one call of a model that has read the descriptions, and the SQL that says what is right. Others make a
// mistake first, whose answer has the words that lead to the call, or write it as other products do.
var questions = []struct{ tool, right, wrong, words, other, sql string }{
	{
		"aggregate_records",
		`{"tableId":"Deals","groupBy":["Company.Country"],"aggregates":[{"fn":"sum","fieldId":"Amount"}],` +
			`"filters":` + wonDeals + `,"format":"rows"}`,
		`{"tableId":"Deals","groupBy":["Country"],"aggregates":{"sum":"Amount"}}`, `"Company.Country"`,
		`{"tableId":"Deals","groupBy":["Company.Country"],"aggregates":{"sum":"Amount"},"filters":` + wonDeals + `}`,
		`select c.country, sum(d.amount) from deals d join "Deals__Company" l on l.id = d.id
			join companies c on c.id = l.linked_id where d.stage = 'Won' group by 1 order by 1`,
	}, {
		"aggregate_records",
		`{"tableId":"Deals","groupBy":["quarter(Closed)"],"aggregates":[{"fn":"sum","fieldId":"Amount"}],` +
			`"filters":` + wonDeals + `,"format":"rows"}`,
		"", "", // the error about the country has said how times are grouped
		`{"tableId":"Deals","groupBy":["quarter(Closed)"],"aggregates":{"sum":"Amount"},"filters":` + wonDeals + `}`,
		`select date_trunc('quarter', closed)::date::text, sum(amount) from deals where stage = 'Won'
			group by 1 order by 1`,
	}, {
		"aggregate_records",
		`{"tableId":"Deals","groupBy":["Company"],"aggregates":[{"fn":"sum","fieldId":"Amount"}],` +
			`"orderBy":[{"by":"sum(Amount)","dir":"desc"}],"limit":3,"format":"rows"}`,
		"", "",
		`{"tableId":"Deals","groupBy":["Company"],"aggregates":[{"fn":"total","field":"Amount"}],` +
			`"orderBy":[{"by":"sum(Amount)","dir":"desc"}],"limit":3}`,
		`select c.name, sum(d.amount) from deals d join "Deals__Company" l on l.id = d.id
			join companies c on c.id = l.linked_id group by 1 order by 2 desc limit 3`,
	}, {
		"aggregate_records",
		`{"tableId":"Deals","groupBy":["Stage"],"aggregates":[{"fn":"median","fieldId":"Amount"}],"format":"rows"}`,
		"", "",
		`{"tableId":"Deals","groupBy":["Stage"],"aggregates":{"median":"Amount"}}`,
		`select stage, percentile_cont(0.5) within group (order by amount) from deals group by 1
			order by position(left(stage, 1) in 'OWL')`,
	}, {
		"aggregate_records",
		`{"tableId":"Deals","filters":[{"fieldId":"Company.Country","op":"eq","value":"Italy"}],"format":"rows"}`,
		"", "",
		`{"tableId":"Deals","filters":[{"fieldId":"Company.Country","op":"=","value":"Italy"}]}`,
		`select count(*) from deals d join "Deals__Company" l on l.id = d.id
			join companies c on c.id = l.linked_id where c.country = 'Italy'`,
	}, {
		"query_sql",
		`{"baseId":"CRM","sql":"select count(*) from (select email from contacts group by 1 having count(*) > 1) d"}`,
		`{"baseId":"CRM","sql":"select count(*) from contact group by mail"}`, "Contacts", "",
		`select count(*) - count(distinct email) from contacts`,
	}, {
		"aggregate_records",
		`{"tableId":"Deals","groupBy":["Stage"],"aggregates":[{"fn":"percent_of_total"}],"format":"rows"}`,
		"", "", `{"tableId":"Deals","groupBy":["Stage"],"aggregates":[{"fn":"percentage"}]}`,
		`select stage, count(*) / 2.0 from deals group by 1 order by position(left(stage, 1) in 'OWL')`,
	}, {
		"query_records",
		`{"tableId":"Deals","fields":["Name","Amount"],"format":"rows","ids":"none","limit":5,"filters":[` +
			`{"fieldId":"Stage","op":"eq","value":"Open"},{"fieldId":"Closed","op":"gt","value":"2026-06-30"}],` +
			`"sorts":[{"fieldId":"Amount","dir":"desc"}]}`,
		"", "",
		`{"tableId":"Deals","columns":["Name","Amount"],"limit":5,"filters":[{"fieldId":"Stage","op":"is",` +
			`"value":"open"},{"fieldId":"Closed","op":"after","value":"2026-06-30"}],` +
			`"sort":[{"field":"Amount","direction":"descending"}]}`,
		`select name, amount from deals where stage = 'Open' and closed > '2026-06-30' order by amount desc limit 5`,
	},
}

func followQuestions(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"CRM","detail":"names"}`)
	for _, q := range questions {
		p.reply(named(p.call(q.tool, q.right)["rows"]))
	}
}

// named has titles in place of links.
func named(value any) any {
	rows, _ := value.([]any)
	for _, row := range rows {
		for i, cell := range row.([]any) {
			if link, ok := cell.(object); ok {
				row.([]any)[i] = slices.Collect(maps.Values(link))[0]
			}
		}
	}
	return rows
}

// strayQuestions wants to read the deals and count by itself, until the error about the limit names what counts. It
// never asks for rows.
func strayQuestions(p *transcript) {
	p.call("describe_base", `{"baseId":"CRM"}`)
	p.mistake("aggregate_records", "query_records", `{"tableId":"Deals","limit":500}`)
	for _, q := range questions {
		if q.wrong != "" {
			p.mistake(q.words, q.tool, q.wrong)
		}
		if q.other == "" {
			q.other = q.right
		}
		p.reply(tabulate(p.call(q.tool, q.other)))
	}
}

// tabulate makes rows of an answer that has records or groups.
func tabulate(answer object) any {
	rows, _ := answer["rows"].([]any)
	groups, _ := answer["groups"].([]any)
	for _, group := range groups {
		var row []any
		for _, key := range group.(object)["key"].(object) { // one at most
			if title := at(key, "title"); title != nil {
				key = title
			}
			row = append(row, key)
		}
		rows = append(rows, append(row, slices.Collect(maps.Values(group.(object)["results"].(object)))...))
	}
	records, _ := answer["records"].([]any)
	for _, record := range records {
		rows = append(rows, []any{at(record, "fields.Name"), at(record, "fields.Amount")})
	}
	return rows
}

func checkQuestions(p *transcript) {
	for i, q := range questions {
		if got, want := encode(p.t, p.replies[i]), p.sql(q.sql); got != want {
			p.t.Errorf("%s\nanswers %s, and the agent replied %s", q.sql, want, got)
		}
	}
}

// What people remember of a record, and its title.
var searches = [][2]string{
	{"surname17 person", "Person Surname17"},
	{"company 7 belgium", "Company 7"},
	{"person44@exam", "Person Surname44"},
	{"pesron surname202", "Person Surname202"},
	{"deal 137", "Deal 137"},
	{"who complained about the lift", "Lift stuck between floors"},
	{"leaking roof ticket please", "Roof leaks over the archive"},
	{"the ticket about the smell in the canteen", "Smell near the kitchen"},
	{"heating broken second floor", "Radiators stay cold"},
	{"lost badge of mrs öberg", "Badge lost"},
	{"oberg badge", "Badge lost"},
	{"wifi meeting room", "No network in the boardroom"},
	{"projctor boardroom", "Projector flickers"},
	{"facilities coffee machine", "Coffee machine descaled"},
	{"broken window next to the bicycles", "Window of the bike shed"},
}

func prepareSearch(p *transcript) {
	workspace(p)
	p.create("Facilities")
	tickets := p.table("Tickets", `{"name":"Title","type":"text"},{"name":"Notes","type":"long_text"},`+
		`{"name":"Reported","type":"date"}`)
	notes := []string{
		"Lift stuck between floors,Ms Rossi complained that nobody came for an hour",
		"Roof leaks over the archive,Water drips on the shelves when it rains; leaking since March",
		"Smell near the kitchen,The canteen smells of gas in the morning",
		"Radiators stay cold,Heating on the second floor is broken again",
		"Badge lost,Åsa Öberg lost hers in the car park",
		"No network in the boardroom,The wifi of the meeting room drops every minute",
		"Projector flickers,In the boardroom on the left",
		"Coffee machine descaled,Done by the supplier",
		"Window of the bike shed,Broken; bicycles get wet",
		"Door of the lab,Closes too fast",
		"New desks,For the second floor",
	}
	p.load(tickets, "Title,Notes", len(notes), func(i int) string { return notes[i] })
}

func followSearch(p *transcript) {
	for _, query := range searches {
		p.reply(titles(p.call("search", `{"query":%s}`, query[0]), "results"))
	}
}

// straySearch looks into one table after another, with the whole sentence, which finds nothing. Then it tries search,
// finds the record at once, and stays with it.
func straySearch(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Facilities"}`)
	p.mistake("contains", "query_records",
		`{"tableId":"Tickets","filters":[{"fieldId":"Title","op":"like","value":"%%surname17%%"}]}`)
	for _, table := range []string{"Tickets", "Contacts"} {
		if page := p.call("query_records", `{"tableId":%s,"query":%s}`, table, searches[0][0]); page["total"] != 0.0 {
			p.t.Errorf("%s has %v", table, page)
		}
	}
	followSearch(p)
}

func titles(answer object, list string) (found []string) {
	for _, result := range answer[list].([]any) {
		title, _, _ := strings.Cut(at(result, "title").(string), " (")
		found = append(found, title)
	}
	return found[:min(5, len(found))]
}

func checkSearch(p *transcript) {
	for i, query := range searches {
		if !slices.Contains(p.replies[i].([]string), query[1]) {
			p.t.Errorf("%q found %q", query[0], p.replies[i])
		}
	}
}

// A colleague has changed the price of one product among others.
func prepareWho(p *transcript) {
	p.create("Shop")
	products := p.table("Products", `{"name":"Product","type":"text"},{"name":"Price","type":"number"}`)
	p.load(products, "Product,Price", 60, func(i int) string { return fmt.Sprintf("Oak table %d,%d", i, 400+i) })
	page := p.c.OK("query_records", object{"tableId": products, "search": "Oak table 47"})
	record := at(page, "records.0.id").(string)
	p.colleague().OK("PATCH", "/records/"+record, `{"fields":{"Price":4}}`)
	p.owner.OK("PATCH", "/records/"+record, `{"fields":{"Product":"Oak table 47, oiled"}}`)
}

// colleague is an editor of the person's organization.
func (p *transcript) colleague() *apitest.Client {
	p.t.Helper()
	person := tenancytest.Person(p.t, p.s.REST.Deps.DB)
	err := p.s.REST.Deps.DB.SystemTx(p.t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(p.t.Context(), "update rowhouse.person set name = 'Wren Price' where id = $1", person)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := tenancytest.Join(p.t, p.s.REST.Deps.DB, p.owner.Orgs[0].Org, person, organization.Editor); err != nil {
		p.t.Fatal(err)
	}
	return p.s.REST.As(p.t, apitest.Principal(person, p.owner.Orgs[0].Org, organization.Editor))
}

// priceChange returns who changed the price, in an entry of the history.
func priceChange(p *transcript, history object) object {
	for _, entry := range history["entries"].([]any) {
		if at(entry, "kind") == "updated" && at(entry, "changes.Price") != nil {
			p.reply(fmt.Sprintf("%v: %v to %v", at(entry, "person"), at(entry, "changes.Price.0"),
				at(entry, "changes.Price.1")))
			return entry.(object)
		}
	}
	p.t.Fatalf("the history is %v", history)
	return nil
}

func followWho(p *transcript) {
	found := p.call("search", `{"query":"oak table 47"}`)
	history := p.call("get_record_history", `{"recordId":%s}`, at(found, "results.0.id"))
	change := priceChange(p, history)["time"]
	p.call("revert_changes", `{"baseId":"Shop","changeSets":[%s],"dryRun":true}`, change)
	p.call("revert_changes", `{"baseId":"Shop","changeSets":[%s]}`, change)
}

// strayWho looks into all changes of the base, names the record by its title, and writes the former price instead of
// taking the change back.
func strayWho(p *transcript) {
	p.call("list_change_sets", `{"base":"Shop"}`)
	p.mistake("search finds", "get_record_history", `{"recordId":"Oak table 47"}`)
	found := p.call("search", `{"query":"Oak table 47"}`)
	record := at(found, "results.0.id")
	priceChange(p, p.call("get_record_history", `{"id":%s,"state":true}`, record))
	const price = `{"tableId":"Products","records":[{"id":%s,"Price":%s}]}`
	p.mistake("typecast", "update_records", price, record, "447")
	p.call("update_records", price, record, 447)
}

func checkWho(p *transcript) {
	p.holds(`[["Oak table 47, oiled",447]]`, `select product, price from products where product like '%47%'`)
	p.holds(`[[60,429.5]]`, `select count(*), avg(price) from products`)
	if reply := fmt.Sprint(p.replies); !strings.Contains(reply, "Wren Price: 447 to 4") {
		p.t.Errorf("the agent replied %s", reply)
	}
}

// pdf is a document with a page of lines. The reader finds its objects without a table of offsets.
func pdf(lines ...string) string {
	content := "BT /F1 12 Tf 72 720 Td 14 TL (" + strings.Join(lines, ") Tj T* (") + ") Tj ET"
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"+
		"2 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\n"+
		"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"+
		"4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R "+
		"/Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n"+
		"5 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%%%EOF\n",
		len(content), content)
}

// receipt is a picture, as a telephone takes it.
func receipt(p *transcript) string {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		p.t.Fatal(err)
	}
	return out.String()
}

func prepareFiles(p *transcript) {
	p.create("Books")
	table := p.table("Invoices", `{"name":"Number","type":"text"},{"name":"File","type":"attachment"},`+
		`{"name":"Supplier","type":"text"},{"name":"Total","type":"currency","config":{"symbol":"€"}},`+
		`{"name":"Due","type":"date"}`)
	for name, content := range map[string]string{
		"invoice.pdf": pdf("Nordlys AS", "Invoice 4711", "Total EUR 1250.50", "Due 2026-03-31"),
		"receipt.png": receipt(p),
	} {
		file := p.c.ID("create_attachment", object{
			"tableId": table, "name": name, "content": base64.StdEncoding.EncodeToString([]byte(content)),
		})
		p.c.OK("create_records", object{"tableId": table, "fields": object{"Number": name, "File": []string{file}}})
	}
}

// look reads a picture, as the model sees it, and checks that it came.
func (p *transcript) look(record, file any) {
	p.t.Helper()
	_, result := p.send("read_attachment", `{"recordId":%s,"attachmentId":%s}`, []any{record, file})
	if len(result.Content) != 2 || result.Content[1].(*sdk.ImageContent).MIMEType != "image/jpeg" {
		p.t.Errorf("the picture is %v", result.Content)
	}
}

// readInvoice takes from the text of a PDF what the fields want.
func readInvoice(text any) (fields []any) {
	found := regexp.MustCompile(`(?s)(Nordlys AS).*Invoice (\d+).*EUR ([\d.]+).*Due (\S+)`).
		FindStringSubmatch(fmt.Sprint(text))
	for _, value := range found {
		fields = append(fields, value)
	}
	return fields
}

func followFiles(p *transcript) {
	p.call("list_bases", `{}`)
	p.call("describe_base", `{"baseId":"Books","detail":"names"}`)
	page := p.call("query_records", `{"tableId":"Invoices","format":"rows","fields":["Number","File"],`+
		`"sorts":[{"fieldId":"Number","dir":"asc"}],"filters":[{"fieldId":"Total","op":"is_empty"}]}`)
	var records, files []any
	for _, row := range page["rows"].([]any) {
		records = append(records, at(row, "0"))
		for file := range at(row, "2").(object) {
			files = append(files, file)
		}
	}
	read := readInvoice(p.call("read_attachment", `{"recordId":%s,"attachmentId":%s}`,
		fmt.Sprint("Invoices/", records[0]), files[0])["text"])
	p.look(fmt.Sprint("Invoices/", records[1]), files[1])
	p.call("update_records", `{"tableId":"Invoices","return":"none","typecast":true,"records":[`+
		`{"id":%s,"fields":{"Number":%s,"Supplier":%s,"Total":%s,"Due":%s}},`+
		`{"id":%s,"fields":{"Number":"88","Supplier":"Taxi","Total":"23.40","Due":"2026-02-02"}}]}`,
		records[0], read[2], read[1], read[3], read[4], records[1])
}

// strayFiles has read the files' ids in the record, and fetches one as if it were a record. The error says which tool
// reads it, and how.
func strayFiles(p *transcript) {
	p.call("describe_base", `{"baseId":"Books"}`)
	page := p.call("query_records", `{"tableId":"Invoices","sort":[{"field":"Number","order":"ascending"}]}`)
	one, two := at(page, "records.0"), at(page, "records.1")
	p.mistake("read_attachment", "fetch", `{"id":%s}`, at(one, "fields.File.0.id"))
	read := readInvoice(p.call("read_attachment", `{"recordId":%s,"attachmentId":%s}`, at(one, "id"),
		at(one, "fields.File.0.id"))["text"])
	p.look(at(two, "id"), at(two, "fields.File.0.id"))
	const fields = `{"tableId":"Invoices","records":[{"id":%s,"Number":%s,"Supplier":%s,"Total":%s,"Due":%s}]`
	p.mistake("typecast", "update_records", fields+"}", at(one, "id"), read[2], read[1], read[3], read[4])
	p.call("update_records", fields+`,"typecast":true}`, at(one, "id"), read[2], read[1], read[3], read[4])
	p.mistake("Total", "update_records", fields+`,"typecast":true}`, at(two, "id"), "88", "Taxi",
		"EUR twenty-three", "")
	p.call("update_records", fields+`,"typecast":true}`, at(two, "id"), "88", "Taxi", "EUR 23.40", "2026-02-02")
}

func checkFiles(p *transcript) {
	p.holds(`[["4711","Nordlys AS",1250.5,"2026-03-31"],["88","Taxi",23.4,"2026-02-02"]]`,
		`select number, supplier, total, due::text from invoices order by 1`)
}
