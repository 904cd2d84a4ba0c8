package baserowtest

import "fmt"

// A File is a file in a cell.
type File struct{ Name, Visible string }

// Harbour returns two tables with n ships: each has an owner, and of every tenth there is a file.
func Harbour(n int) []*Table {
	ships, owners := shipTable(), ownerTable()
	for i := range 5 {
		owners.Rows = append(owners.Rows, Object{
			"id": i + 1, "order": fmt.Sprintf("%d.00000000000000000000", i+1), "field_20": fmt.Sprintf("Owner %d", i+1),
			"field_21": fmt.Sprintf("o%d@example.com", i+1), "field_22": []Object{}, "field_23": "10.5",
			"field_24": "2",
		})
	}
	for i := range n {
		AddShip(ships, i+1)
	}
	return []*Table{ships, owners}
}

// AddShip adds a ship with a number.
func AddShip(ships *Table, number int) {
	row := Object{
		"id": number, "order": fmt.Sprintf("%d.00000000000000000000", number),
		"field_1": fmt.Sprintf("Ship %d", number),
		"field_2": fmt.Sprintf("%d.5", number), "field_3": "12.50", "field_4": "99", "field_5": 3,
		"field_6": number%2 == 0, "field_7": "2001-02-03", "field_8": "2024-05-06T07:08:09Z", "field_9": 5400,
		"field_10": Object{"id": 1, "value": "Tug", "color": "light-blue"},
		"field_11": []Object{{"id": 3, "value": "NO", "color": "dark-red"}, {"id": 4, "value": "SE", "color": "green"}},
		"field_12": []Object{{"id": (number-1)%5 + 1, "value": fmt.Sprintf("Owner %d", (number-1)%5+1)}},
		"field_13": []File{}, "field_14": []Object{{"id": 1, "name": "Bea"}}, "field_15": "3.0",
		"field_16": []Object{{"id": 1, "value": "o1@example.com"}}, "field_17": "x", "field_18": true,
		"field_19": "2024-03-02T10:30:00.123Z", "field_30": "**bold**", "field_31": "",
	}
	if number%10 == 0 {
		row["field_13"] = []File{{fmt.Sprintf("hash%d.txt", number), fmt.Sprintf("paper %d.txt", number)}}
	}
	ships.Rows = append(ships.Rows, row)
}

func field(table, id int, name, kind string, more Object) Object {
	out := Object{
		"id": id, "table_id": table, "name": name, "order": id, "type": kind, "primary": false, "read_only": false,
		"description": nil,
	}
	for key, value := range more {
		out[key] = value
	}
	return out
}

func shipTable() *Table {
	f := func(id int, name, kind string, more Object) Object { return field(501, id, name, kind, more) }
	return &Table{ID: 501, Name: "Ships", Fields: []Object{
		f(1, "Name", "text", Object{"primary": true, "text_default": ""}),
		f(2, "Tons", "number", Object{"number_decimal_places": 1, "number_prefix": "", "number_suffix": ""}),
		f(3, "Share", "number", Object{"number_decimal_places": 2, "number_prefix": "", "number_suffix": "%"}),
		f(4, "Price", "number", Object{"number_decimal_places": 0, "number_prefix": "€", "number_suffix": ""}),
		f(5, "Stars", "rating", Object{"max_value": 5, "color": "dark-orange", "style": "star"}),
		f(6, "Done", "boolean", nil),
		f(7, "Built", "date", Object{"date_format": "EU", "date_include_time": false, "date_time_format": "24"}),
		f(8, "Seen", "date", Object{"date_format": "ISO", "date_include_time": true, "date_time_format": "12"}),
		f(9, "Takes", "duration", Object{"duration_format": "h:mm:ss"}),
		f(10, "Kind", "single_select", Object{"select_options": []Object{
			{"id": 1, "value": "Tug", "color": "light-blue"}, {"id": 2, "value": "Ferry", "color": "darker-gray"},
		}}),
		f(11, "Flags", "multiple_select", Object{"select_options": []Object{
			{"id": 3, "value": "NO", "color": "dark-red"}, {"id": 4, "value": "SE", "color": "green"},
		}}),
		f(12, "Owner", "link_row", Object{
			"link_row_table_id": 502, "link_row_related_field_id": 22, "link_row_multiple_relationships": false,
		}),
		f(13, "Papers", "file", nil),
		f(14, "Crew", "multiple_collaborators", nil),
		f(15, "Twice", "formula", Object{"formula": "round(field('Tons') * 2, 1)", "error": nil}),
		f(16, "Owner's mail", "lookup", Object{"through_field_id": 12, "target_field_id": 21, "formula_type": "array"}),
		f(17, "Odd", "formula", Object{"formula": "split_part(field('Name'), ' ', 1)", "error": nil}),
		f(18, "Secret", "password", nil),
		f(19, "Made", "created_on", Object{"date_format": "ISO", "date_include_time": true, "date_time_format": "24"}),
		f(30, "Notes", "long_text", Object{"long_text_enable_rich_text": true}),
		f(31, "Phone", "phone_number", nil),
	}}
}

func ownerTable() *Table {
	f := func(id int, name, kind string, more Object) Object { return field(502, id, name, kind, more) }
	return &Table{ID: 502, Name: "Owners", Fields: []Object{
		f(20, "Name", "text", Object{"primary": true}),
		f(21, "Mail", "email", nil),
		f(22, "Ships", "link_row", Object{
			"link_row_table_id": 501, "link_row_related_field_id": 12, "link_row_multiple_relationships": true,
		}),
		f(23, "All tons", "rollup", Object{"through_field_id": 22, "target_field_id": 2, "rollup_function": "sum"}),
		f(24, "How many", "count", Object{"through_field_id": 22}),
	}}
}
