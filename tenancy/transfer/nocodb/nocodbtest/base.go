package nocodbtest

import (
	"fmt"
	"strconv"
)

// Harbour returns three tables with n ships: each has an owner, docks and, of every tenth, a file.
func Harbour(n int) []*Table {
	ships, owners, docks := shipTable(), ownerTable(), dockTable()
	for i := range 5 {
		owners.Rows = append(owners.Rows, Object{
			"Id": i + 1, "CreatedAt": "2024-03-01 09:00:00+00:00", "Title": fmt.Sprintf("Owner %d", i+1),
			"Mail": fmt.Sprintf("o%d@example.com", i+1), "Ships": n / 5,
		})
	}
	for i := range 3 {
		docks.Rows = append(docks.Rows, Object{"Id": i + 1, "Title": fmt.Sprintf("Dock %d", i+1), "Ships": 1})
	}
	pairs := &Table{ID: "mjunction", Title: "_nc_m2m_ships_docks", Hidden: true, Columns: []Object{
		column("cpairdock", "docks_id", "ForeignKey", Object{"pk": true}),
		column("cpairship", "ships_id", "ForeignKey", Object{"pk": true}),
	}}
	all := []*Table{ships, owners, docks, pairs}
	for i := range n {
		AddShip(all, i+1)
	}
	return all
}

// AddShip adds a ship with a number to the tables of Harbour.
func AddShip(tables []*Table, number int) {
	ships, docks := tables[0], tables[2]
	owner := (number-1)%5 + 1
	row := Object{
		"Id": number, "CreatedAt": "2024-03-02 10:30:00+00:00", "UpdatedAt": nil,
		"Title": fmt.Sprintf("Ship %d", number),
		"Tons":  float64(number) * 1.5, "Price": number * 100, "Share": 12.5, "Kind": "Tug", "Flags": "NO,SE",
		"Built": "2001-02-03", "Seen": "2024-05-06 07:08:09+00:00", "Done": number%2 == 0, "Stars": 3, "Takes": 5400,
		"Notes": "**bold**", "Site": "example.com", "Extra": Object{"a": 1}, "Twice": number * 3, "Place": "60.1;5.3",
		"Owner": Object{"Id": owner, "Title": fmt.Sprintf("Owner %d", owner)}, "Docks": 1,
		"Crew":       []Object{{"id": "us1", "email": "bea@example.com", "display_name": "Bea"}},
		"nc_fk_own1": owner,
	}
	if number%10 == 0 {
		name := fmt.Sprintf("file%d.txt", number)
		row["Papers"] = []Object{{
			"id": fmt.Sprintf("at%d", number), "title": name, "mimetype": "text/plain", "size": len(Content(name)),
			"path": "download/" + name, "signedPath": "dltemp/" + name,
		}}
	}
	ships.Rows = append(ships.Rows, row)
	dock := strconv.Itoa((number-1)%3 + 1)
	links := docks.Links["cdockships"]
	for _, row := range docks.Rows { // some of the rows of the junction, as the real one returns them
		if fmt.Sprint(row["Id"]) == dock {
			pairs, _ := row["_nc_m2m_ships_docks"].([]Object)
			if len(pairs) < 25 {
				row["_nc_m2m_ships_docks"] = append(pairs, Object{
					"docks_id": row["Id"], "ships_id": number, "Docks": Object{"Id": row["Id"], "Title": row["Title"]},
				})
			}
			row["Ships"] = len(links[dock]) + 1
		}
	}
	links[dock] = append(links[dock], strconv.Itoa(number))
}

func column(id, title, kind string, more Object) Object {
	out := Object{"id": id, "title": title, "uidt": kind, "pk": false, "pv": false, "system": false}
	for name, value := range more {
		out[name] = value
	}
	return out
}

func internal(table string) []Object {
	return []Object{
		column("c"+table+"id", "Id", "ID", Object{"pk": true, "system": false}),
		column("c"+table+"created", "CreatedAt", "CreatedTime", Object{"system": true}),
		column("c"+table+"updated", "UpdatedAt", "LastModifiedTime", Object{"system": 1}),
		column("c"+table+"order", "nc_order", "Order", Object{"system": true}),
	}
}

func shipTable() *Table {
	colour := func(title, color string) Object { return Object{"title": title, "color": color} }
	t := &Table{ID: "mships", Title: "Ships"}
	t.Columns = append(internal("ship"),
		column("cshiptitle", "Title", "SingleLineText", Object{"pv": true}),
		column("cshiptons", "Tons", "Decimal", Object{"meta": Object{"precision": 1}}),
		column("cshipprice", "Price", "Currency", Object{"meta": `{"currency_code":"EUR","precision":2}`}),
		column("cshipshare", "Share", "Percent", Object{"meta": Object{}}),
		column("cshipkind", "Kind", "SingleSelect", Object{"colOptions": Object{"options": []Object{
			colour("Tug", "#cfdffe"), colour("Ferry", "#ffdce5"),
		}}}),
		column("cshipflags", "Flags", "MultiSelect", Object{"colOptions": Object{"options": []Object{
			colour("NO", "#d0f1fd"), colour("SE", "#c2f5e8"),
		}}}),
		column("cshipbuilt", "Built", "Date", Object{"meta": Object{"date_format": "DD/MM/YYYY"}}),
		column("cshipseen", "Seen", "DateTime", Object{"meta": Object{
			"date_format": "YYYY-MM-DD", "time_format": "HH:mm", "is12hrFormat": false,
		}}),
		column("cshipdone", "Done", "Checkbox", nil),
		column("cshipstars", "Stars", "Rating", Object{"meta": Object{"max": 5, "icon": Object{"full": "mdi-star"}}}),
		column("cshiptakes", "Takes", "Duration", Object{"meta": Object{"duration": 1}}),
		column("cshipnotes", "Notes", "LongText", Object{"meta": Object{"richMode": true}}),
		column("cshipsite", "Site", "URL", nil),
		column("cshipextra", "Extra", "JSON", nil),
		column("cshipplace", "Place", "GeoData", nil),
		column("cshipcrew", "Crew", "User", Object{"meta": Object{"is_multi": true}}),
		column("cshippapers", "Papers", "Attachment", nil),
		column("cshipfk", "nc_fk_own1", "ForeignKey", Object{"system": true}),
		column("cshipowner", "Owner", "LinkToAnotherRecord", Object{"colOptions": Object{
			"type": "bt", "fk_related_model_id": "mowners", "fk_child_column_id": "cshipfk",
			"fk_parent_column_id": "cownerid",
		}}),
		column("cshipdocks", "Docks", "Links", Object{"colOptions": Object{
			"type": "mm", "fk_related_model_id": "mdocks", "fk_child_column_id": "cshipid",
			"fk_parent_column_id": "cdockid",
			"fk_mm_model_id":      "mjunction",
		}}),
		column("cshiptwice", "Twice", "Formula", Object{"colOptions": Object{
			"formula": `ROUND({{cshiptons}} * 2, 1)`, "formula_raw": "ROUND({Tons} * 2, 1)", "error": nil,
		}}),
		column("cshipodd", "Odd", "Formula", Object{"colOptions": Object{"formula": `CONCAT({{cshiptitle}}, "!")`}}),
		column("cshipmail", "Owner's mail", "Lookup", Object{"colOptions": Object{
			"fk_relation_column_id": "cshipowner", "fk_lookup_column_id": "cownermail",
		}}),
		column("cshippress", "Press", "Button", nil),
	)
	t.Views = []Object{
		{"id": "vwships", "title": "Ships", "type": 3, "is_default": true, "#columns": []Object{
			{"fk_column_id": "cshiptitle", "show": true},
			{"fk_column_id": "cshiptons", "show": 1},
			{"fk_column_id": "cshipkind", "show": false},
		}, "#sorts": []Object{{"fk_column_id": "cshiptons", "direction": "desc"}}},
		{"id": "vwcards", "title": "Cards", "type": 2},
		{"id": "vwmap", "title": "Map", "type": 5},
	}
	return t
}

func ownerTable() *Table {
	t := &Table{ID: "mowners", Title: "Owners"}
	t.Columns = append(internal("owner"),
		column("cownertitle", "Title", "SingleLineText", Object{"pv": true}),
		column("cownermail", "Mail", "Email", nil),
		column("cownerships", "Ships", "Links", Object{"colOptions": Object{
			"type": "hm", "fk_related_model_id": "mships", "fk_child_column_id": "cshipfk",
			"fk_parent_column_id": "cownerid",
		}}),
		column("cownertons", "All tons", "Rollup", Object{"colOptions": Object{
			"fk_relation_column_id": "cownerships", "fk_rollup_column_id": "cshiptons", "rollup_function": "sum",
		}}),
	)
	return t
}

func dockTable() *Table {
	t := &Table{ID: "mdocks", Title: "Docks", Links: map[string]map[string][]string{"cdockships": {}}}
	t.Columns = append(internal("dock"),
		column("cdocktitle", "Title", "SingleLineText", Object{"pv": true}),
		column("cdockpairs", "_nc_m2m_ships_docks", "LinkToAnotherRecord", Object{"system": true, "colOptions": Object{
			"type": "hm", "fk_related_model_id": "mjunction", "fk_child_column_id": "cpairdock",
			"fk_parent_column_id": "cdockid",
		}}),
		column("cdockships", "Ships", "Links", Object{"colOptions": Object{
			"type": "mm", "fk_related_model_id": "mships", "fk_child_column_id": "cdockid",
			"fk_parent_column_id": "cshipid",
			"fk_mm_model_id":      "mjunction", "fk_mm_parent_column_id": "cpairship",
		}}),
	)
	return t
}
