package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// With -computed, the tables of both programs get a formula, and a link to one of linkedRows
// records with a lookup and a rollup through it, before anything is measured.

const (
	linkedRows   = 1000
	totalFormula = "{Amount} * 2 + 1"
)

// totalOf is the formula's value for an amount, by which a filter leaves 1 to 10 % of the rows.
func totalOf(amount float64) float64 { return amount*2 + 1 }

func (b *bench) addComputed(ctx context.Context) error {
	for _, s := range b.subjects {
		if s.dialect.compute == nil {
			return fmt.Errorf("%s has no computed fields here", s.dialect.name)
		}
		w, err := s.dial(ctx)
		if err != nil {
			return err
		}
		defer w.close()
		fmt.Fprintf(os.Stderr, "Adding computed fields to %s.\n", s.dialect.name)
		if err := s.dialect.compute(ctx, s, w); err != nil {
			return fmt.Errorf("adding computed fields to %s: %w", s.dialect.name, err)
		}
		if _, err := s.conn.Exec(ctx, "vacuum analyze"); err != nil {
			return fmt.Errorf("vacuuming: %w", err)
		}
	}
	return nil
}

// groupRows are records of the linked table, by the names of their fields.
func groupRows(first int) []object {
	rows := make([]object, batch)
	for i := range rows {
		rows[i] = object{"Name": fmt.Sprintf("Group %d", first+i), "Amount": first + i}
	}
	return rows
}

func serviceComputed(ctx context.Context, s *subject, w *connection) error {
	var table struct {
		ID string `json:"id"`
	}
	fields := []object{{"name": "Name", "type": "text"}, {"name": "Amount", "type": "number"}}
	made := call{
		"POST", "/api/v1/bases/" + s.base + "/tables",
		encode(object{"name": "Groups", "fields": fields}),
	}
	if err := ask(w, made, &table); err != nil {
		return err
	}
	for first := 0; first < linkedRows; first += batch {
		records := make([]object, batch)
		for i, row := range groupRows(first) {
			records[i] = object{"fields": row}
		}
		_, err := w.send(call{"POST", "/api/v1/tables/" + table.ID + "/records", encode(object{"records": records})})
		if err != nil {
			return err
		}
	}
	if err := s.link(ctx, table.ID); err != nil {
		return err
	}
	for _, field := range []object{
		{"name": "Total", "type": "formula", "config": object{"formula": totalFormula}},
		{"name": "Group name", "type": "lookup", "config": object{"linkFieldId": "Group", "fieldId": "Name"}},
		{
			"name": "Group sum", "type": "rollup",
			"config": object{"linkFieldId": "Group", "fieldId": "Amount", "function": "SUM"},
		},
	} {
		if _, err := w.send(call{"POST", "/api/v1/tables/" + s.table + "/fields", encode(field)}); err != nil {
			return err
		}
	}
	// Write the links directly, because NocoDB's API takes the links of only one record per
	// request.
	_, err := s.conn.Exec(ctx, `do $$
		declare
			pairs regclass := (select c.conrelid from pg_constraint c where c.conname = 'a_record' limit 1);
			ends  regclass[] := array(select c.confrelid from pg_constraint c where c.conrelid = pairs
				and c.conname in ('a_record', 'b_record') order by c.conname);
			mine  text := case when ends[1] = '`+s.relation+`'::regclass then 'a' else 'b' end;
			other text := case mine when 'a' then 'b' else 'a' end;
			far   regclass := case mine when 'a' then ends[2] else ends[1] end;
		begin
			execute format('insert into %s (%I, %I, pos_%s, pos_%s) select t.id, f.id, 1, t.n
				from (select id, row_number() over (order by id) as n from %s) t
				join (select id, row_number() over (order by id) as n from %s) f
				on f.n = 1 + t.n %% (select count(*) from %s)',
				pairs, mine, other, mine, other, '`+s.relation+`'::regclass, far, far);
		end $$`)
	if err != nil {
		return fmt.Errorf("linking: %w", err)
	}
	return s.waitUntilFilled(ctx)
}

// link adds a link to another table directly, because only the application can add one.
func (s *subject) link(ctx context.Context, table string) error {
	tenantDB, err := db.Open(ctx, s.login, db.Options{MaxConns: 3, Secrets: [][]byte{[]byte(s.secret)}})
	if err != nil {
		return err
	}
	defer tenantDB.Close()
	org, err := id.Parse(id.Org, s.org)
	if err != nil {
		return fmt.Errorf("reading the organization's id: %w", err)
	}
	own, err := id.Parse(id.Table, s.table)
	if err != nil {
		return fmt.Errorf("reading the table's id: %w", err)
	}
	_, err = catalog.NewStore(tenantDB, catalog.Options{}).CreateField(ctx, org, own, catalog.FieldSpec{
		Name: "Group", Type: "link", Config: encode(object{"linkedTableId": table}),
	})
	return err
}

// waitUntilFilled waits for the job that fills the columns of computed fields.
func (s *subject) waitUntilFilled(ctx context.Context) error {
	for {
		var filled bool
		err := s.conn.QueryRow(ctx, "select bool_and(filled) from rowhouse.computed_column").Scan(&filled)
		if err != nil {
			return fmt.Errorf("looking at the computed columns: %w", err)
		}
		if filled {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the computed columns: %w", ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *subject) byTotal(least float64) call {
	return s.list(url.Values{
		"filters": {string(encode([]object{{"fieldId": "Total", "op": "gte", "value": least}}))},
		"sorts":   {`[{"fieldId":"Total","dir":"asc"}]`},
	})
}

// A nocodbTable is a table of NocoDB with its columns.
type nocodbTable struct {
	ID      string `json:"id"`
	Base    string `json:"base_id"`
	Columns []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Type  string `json:"uidt"`
	} `json:"columns"`
}

func (t *nocodbTable) column(title string) string {
	for _, c := range t.Columns {
		if c.Title == title {
			return c.ID
		}
	}
	return ""
}

func nocodbComputed(ctx context.Context, s *subject, w *connection) error {
	var items, groups nocodbTable
	if err := ask(w, call{"GET", "/api/v2/meta/tables/" + s.table, nil}, &items); err != nil {
		return err
	}
	columns := []object{
		{"title": "Id", "column_name": "id", "uidt": "ID"},
		{"title": "Name", "column_name": "name", "uidt": "SingleLineText"},
		{"title": "Amount", "column_name": "amount", "uidt": "Decimal"},
	}
	made := call{
		"POST", "/api/v2/meta/bases/" + items.Base + "/tables",
		encode(object{"title": "groups", "table_name": "groups", "columns": columns}),
	}
	if err := ask(w, made, &groups); err != nil {
		return err
	}
	for first := 0; first < linkedRows; first += batch {
		_, err := w.send(call{"POST", "/api/v2/tables/" + groups.ID + "/records", encode(groupRows(first))})
		if err != nil {
			return err
		}
	}
	add := func(column object) error {
		_, err := w.send(call{"POST", "/api/v2/meta/tables/" + s.table + "/columns", encode(column)})
		return err
	}
	err := add(object{
		"title": "Group", "uidt": "Links", "type": "mm", "parentId": items.ID, "childId": groups.ID,
	})
	if err != nil {
		return err
	}
	if err := ask(w, call{"GET", "/api/v2/meta/tables/" + s.table, nil}, &items); err != nil {
		return err
	}
	for _, column := range []object{
		{"title": "Total", "uidt": "Formula", "formula_raw": totalFormula, "formula": totalFormula},
		{
			"title": "Group name", "uidt": "Lookup", "fk_relation_column_id": items.column("Group"),
			"fk_lookup_column_id": groups.column("Name"),
		},
		{
			"title": "Group sum", "uidt": "Rollup", "fk_relation_column_id": items.column("Group"),
			"fk_rollup_column_id": groups.column("Amount"), "rollup_function": "sum",
		},
	} {
		if err := add(column); err != nil {
			return err
		}
	}
	_, err = s.conn.Exec(ctx, `do $$
		declare
			pairs regclass := (select c.oid from pg_class c where c.relkind = 'r' and c.relname ilike '%nc\_m2m%');
			mine  name := (select attname from pg_attribute where attrelid = pairs and attname ilike '%item%');
			other name := (select attname from pg_attribute where attrelid = pairs and attname ilike '%group%');
		begin
			execute format('insert into %s (%I, %I)
				select id, 1 + id %% `+fmt.Sprint(linkedRows)+` from `+s.relation+`', pairs, mine, other);
		end $$`)
	if err != nil {
		return fmt.Errorf("linking: %w", err)
	}
	return s.checkComputed(w)
}

// checkComputed refuses to measure a page without the values that it should show.
func (s *subject) checkComputed(w *connection) error {
	var page struct {
		List []map[string]json.RawMessage `json:"list"`
	}
	if err := ask(w, s.nocodbList(url.Values{}), &page); err != nil {
		return err
	}
	if len(page.List) == 0 {
		return fmt.Errorf("%s lists nothing", s.dialect.name)
	}
	for _, name := range []string{"Total", "Group name", "Group sum"} {
		if value := string(page.List[0][name]); value == "" || value == "null" || value == "[]" {
			return fmt.Errorf("%s shows no %s: %s", s.dialect.name, name, encode(page.List[0]))
		}
	}
	return nil
}

func (s *subject) nocodbByTotal(least float64) call {
	return s.nocodbList(url.Values{"where": {fmt.Sprintf("(Total,gte,%v)", least)}, "sort": {"Total"}})
}
