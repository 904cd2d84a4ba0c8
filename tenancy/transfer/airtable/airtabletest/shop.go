package airtabletest

import (
	"fmt"
	"slices"
	"strings"
)

// Shop is a base of customers, products and orders with so many records and attachments in all, and 100 formulas, of
// which Broken cannot come.
func Shop(records, attachments int) *Base { return newShop(records, attachments, true) }

// Plain is Shop without the formulas.
func Plain(records, attachments int) *Base { return newShop(records, attachments, false) }

func newShop(records, attachments int, formulas bool) *Base {
	b := NewBase("Shop")
	customers, products, orders := b.Table("Customers"), b.Table("Products"), b.Table("Orders")
	s := &shop{Base: b, customers: customers, products: products, orders: orders}
	s.customerFields()
	s.productFields()
	s.orderFields()
	if formulas {
		s.formulas()
	}
	s.fill(records, attachments)
	s.views()
	return b
}

// Broken is how many of the 100 formulas of Shop cannot come: one is broken at Airtable, one looks behind in a pattern,
// and one calls a function that there is not.
const Broken = 3

type shop struct {
	*Base

	customers, products, orders *Table
}

func choices(names ...string) map[string]any {
	var out []any
	colors := []string{"blueLight2", "greenBright", "redDark1", "yellowLight1", "grayLight2"}
	for i, name := range names {
		out = append(out, map[string]any{
			"id": fmt.Sprintf("selFAKE%010d", i), "name": name, "color": colors[i%len(colors)],
		})
	}
	return map[string]any{"choices": out}
}

var (
	statuses = []string{"New", "Paid", "Shipped", "Returned"}
	tags     = []string{"gift", "express", "fragile, heavy"}
	segments = []string{"Retail", "Wholesale", "Public"}
)

func (s *shop) customerFields() {
	t := s.customers
	t.Field("Name", "singleLineText", nil)
	t.Field("Email", "email", nil)
	t.Field("Phone", "phoneNumber", nil)
	t.Field("Website", "url", nil)
	t.Field("Segment", "singleSelect", choices(segments...))
	t.Field("Since", "date", map[string]any{"dateFormat": map[string]any{"name": "european", "format": "D/M/YYYY"}})
	t.Field("Notes", "multilineText", nil)
	t.Field("Owner", "singleCollaborator", nil)
	t.Field("Files", "multipleAttachments", map[string]any{"isReversed": false})
	t.Field("Created", "createdTime", map[string]any{"result": map[string]any{
		"type": "dateTime", "options": resultOptions("dateTime"),
	}})
	t.Field("Changed", "lastModifiedTime", map[string]any{"isValid": true, "referencedFieldIds": []string{}})
}

func (s *shop) productFields() {
	t := s.products
	t.Field("Title", "singleLineText", nil)
	t.Field("Code", "barcode", nil)
	t.Field("Price", "currency", map[string]any{"precision": 2, "symbol": "€"})
	t.Field("Margin", "percent", map[string]any{"precision": 1})
	t.Field("Stock", "number", map[string]any{"precision": 0})
	t.Field("Active", "checkbox", map[string]any{"color": "greenBright", "icon": "check"})
	t.Field("Description", "richText", nil)
	t.Link("Part of", t, "", false)
}

func (s *shop) orderFields() {
	t := s.orders
	primary := t.Field("Order", "formula", nil)
	number := t.Field("No", "autoNumber", nil)
	primary.options = map[string]any{
		"isValid": true, "formula": t.named(`"ORD-" & {No}`), "referencedFieldIds": []string{number.id},
		"result": map[string]any{"type": "singleLineText"},
	}
	primary.compute = func(r *Record) any { return fmt.Sprint("ORD-", r.cells[number.id]) }
	t.Field("Day", "date", map[string]any{"dateFormat": map[string]any{"name": "iso", "format": "YYYY-MM-DD"}})
	t.Field("Shipped", "dateTime", resultOptions("dateTime"))
	t.Field("Amount", "currency", map[string]any{"precision": 2, "symbol": "€"})
	t.Field("Discount", "percent", map[string]any{"precision": 1})
	t.Field("Pieces", "number", map[string]any{"precision": 0})
	t.Field("Status", "singleSelect", choices(statuses...))
	t.Field("Tags", "multipleSelects", choices(tags...))
	t.Field("Express", "checkbox", map[string]any{"color": "greenBright", "icon": "check"})
	t.Field("Took", "duration", map[string]any{"durationFormat": "h:mm"})
	t.Field("Rating", "rating", map[string]any{"max": 5, "icon": "star", "color": "yellowBright"})
	t.Field("Comment", "singleLineText", nil)
	t.Link("Customer", s.customers, "Orders", true)
	t.Link("Products", s.products, "Orders", false)
	t.Field("Receipts", "multipleAttachments", map[string]any{"isReversed": false})
	t.Field("Print", "button", nil)
	t.Lookup("Segment", "Customer", s.customers, "Segment")
	t.Lookup("Prices", "Products", s.products, "Price")
	t.Rollup("List price", "Products", s.products, "Price", "currency", sumOf)
	s.customers.Count("Number of orders", "Orders")
	s.customers.Rollup("Turnover", "Orders", t, "Amount", "currency", sumOf)
	s.customers.Rollup("Last order", "Orders", t, "Day", "date", lastOf)
	s.products.Count("Sold", "Orders")
}

func sumOf(values []any) any {
	total := 0.0
	for _, v := range values {
		if x, ok := v.(float64); ok {
			total += x
		}
	}
	return total
}

func lastOf(values []any) any {
	last := ""
	for _, v := range values {
		if day, ok := v.(string); ok {
			last = max(last, day)
		}
	}
	if last == "" {
		return nil
	}
	return last
}

func (s *shop) views() {
	s.customers.View("All customers", "grid")
	s.customers.View("Short", "grid", "Name", "Segment")
	s.customers.View("Board", "kanban")
	s.products.View("Grid view", "grid")
	s.products.View("Catalogue", "gallery")
	s.orders.View("Orders", "grid")
	s.orders.View("Days", "calendar")
	s.orders.View("Plan", "timeline")
	s.orders.View("New order", "form")
}

// fill makes a tenth of the records customers, three tenths products, and the rest orders.
func (s *shop) fill(records, attachments int) {
	for i := range records / 10 {
		cells := map[string]any{
			"Name": fmt.Sprintf("Customer %d", i), "Email": fmt.Sprintf("c%d@example.com", i),
			"Phone": fmt.Sprintf("+47 22 %06d", i), "Website": fmt.Sprintf("c%d.example.com", i),
			"Segment": segments[i%3], "Since": epoch.AddDate(0, 0, -i).Format("2006-01-02"),
			"Owner": map[string]any{"id": "usrFAKE00000000002", "email": "bea@example.com", "name": "Bea"},
		}
		if i%3 == 0 {
			cells["Notes"] = "First line\nwith <airtable:mention id=\"menFAKE\">@Bea</airtable:mention>"
		}
		s.customers.Add(cells)
	}
	for i := range records * 3 / 10 {
		cells := map[string]any{
			"Title": fmt.Sprintf("Product %d", i),
			"Code":  map[string]any{"text": fmt.Sprintf("%08d", i), "type": "ean8"},
			"Price": float64(i%500) + 0.5, "Margin": float64(i%100) / 1000, "Stock": float64(i % 40),
			"Description": "**Good** thing\n",
		}
		if i%2 == 0 {
			cells["Active"] = true
		}
		if i > 0 && i%10 == 0 {
			cells["Part of"] = []string{s.products.records[i-1].id}
		}
		s.products.Add(cells)
	}
	for i := range records - records/10 - records*3/10 {
		s.orders.Add(s.order(i))
	}
	for i := range attachments {
		table, field := s.orders, "Receipts"
		if i%10 == 9 {
			table, field = s.customers, "Files"
		}
		r := table.records[i%len(table.records)]
		files, _ := r.cells[table.FieldNamed(field).id].([]map[string]any)
		r.cells[table.FieldNamed(field).id] = append(files, s.File(fmt.Sprintf("receipt %d.txt", i)))
	}
	for i := range min(20, len(s.orders.records)) {
		s.orders.Comment(s.orders.records[i].id, "Ann", fmt.Sprintf("Comment %d for @[usrFAKE00000000002]", i))
	}
}

// order is an order with a number.
func (s *shop) order(i int) map[string]any {
	cells := map[string]any{
		"No": float64(i + 1), "Day": epoch.AddDate(0, 0, i%365).Format("2006-01-02"),
		"Amount": float64(i%1000) + 0.25, "Discount": float64(i%7) / 100, "Pieces": float64(1 + i%9),
		"Status": statuses[i%4], "Took": float64(60 * (i % 300)), "Rating": float64(1 + i%5),
		"Comment":  fmt.Sprintf("Order no. %d, berth %d", i, i%17),
		"Customer": []string{s.customers.records[i%len(s.customers.records)].id},
		"Products": []string{
			s.products.records[i%len(s.products.records)].id, s.products.records[(i*7+1)%len(s.products.records)].id,
		},
	}
	if links := cells["Products"].([]string); links[0] == links[1] {
		cells["Products"] = links[:1]
	}
	if i%4 > 1 {
		cells["Shipped"] = epoch.AddDate(0, 0, i%365).Format("2006-01-02T15:04:05.000Z")
	}
	if i%3 == 0 {
		cells["Tags"] = []string{tags[i%2], tags[2]}
	}
	if i%5 == 0 {
		cells["Express"] = true
	}
	return cells
}

// A Difference is what has changed at the source, by the names of tables.
type Difference struct {
	Created, Updated, Relinked, Removed map[string][]string
}

// Change changes n records: of five, two are changed in a cell and one in a link, one is new, and one is removed.
func (b *Base) Change(n int) Difference {
	s := &shop{Base: b, customers: b.table("Customers"), products: b.table("Products"), orders: b.table("Orders")}
	d := Difference{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
	touched := map[string]bool{}
	pick := func(t *Table, i int) string {
		for {
			ids := t.IDs()
			if id := ids[chance(len(ids), t.Name, i, b.last)]; !touched[id] {
				touched[id] = true
				return id
			}
			i += 1_000_003
		}
	}
	note := func(in map[string][]string, t *Table, id string) { in[t.Name] = append(in[t.Name], id) }
	for i := range n {
		switch i % 5 {
		case 0:
			id := pick(s.orders, i)
			s.orders.Set(id, "Amount", float64(10_000+i))
			note(d.Updated, s.orders, id)
		case 1:
			id := pick(s.products, i)
			s.products.Set(id, "Title", fmt.Sprintf("Better product %d", i))
			note(d.Updated, s.products, id)
		case 2:
			id := pick(s.orders, i)
			former, _ := s.orders.Cell(id, "Customer").([]string)
			for j := i; ; j++ {
				other := s.customers.records[j%len(s.customers.records)].id
				if !slices.Contains(former, other) {
					s.orders.Set(id, "Customer", []string{other})
					break
				}
			}
			note(d.Relinked, s.orders, id)
		case 3:
			b.mu.Lock()
			id := s.orders.Add(s.order(1_000_000 + i))
			b.mu.Unlock()
			touched[id] = true
			note(d.Created, s.orders, id)
		case 4:
			id := pick(s.orders, i) // nothing links to one but what it links to
			s.orders.Remove(id)
			note(d.Removed, s.orders, id)
		}
	}
	return d
}

// String is for logs.
func (d Difference) String() string {
	var b strings.Builder
	for what, by := range map[string]map[string][]string{
		"new": d.Created, "changed": d.Updated, "linked to others": d.Relinked, "gone": d.Removed,
	} {
		for table, ids := range by {
			fmt.Fprintf(&b, "%s in %s: %d; ", what, table, len(ids))
		}
	}
	return b.String()
}
