package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A column is a field of a table and the source of its values.
type column struct {
	name    string
	typ     string // of the field
	source  string // heading of the CSV column
	config  map[string]any
	compute func(row map[string]string) string // computes the value instead
}

// A table is created from one file.
type table struct {
	name    string
	file    string
	columns []column // the first one is the primary field
}

func integer(name, from string) column { return decimal(name, from, 0) }

func decimal(name, from string, precision int) column {
	return column{name: name, typ: "number", source: from, config: map[string]any{"precision": precision}}
}

func text(name, from string) column     { return column{name: name, typ: "text", source: from} }
func choice(name, from string) column   { return column{name: name, typ: "single_select", source: from} }
func checkbox(name, from string) column { return column{name: name, typ: "checkbox", source: from} }
func address(name, from string) column  { return column{name: name, typ: "url", source: from} }

func unique(name, from string) column {
	return column{name: name, typ: "text", source: from, config: map[string]any{"unique": true}}
}

// tables lists what is loaded, in an order in which what is linked to comes first.
var tables = []table{
	{"Countries", "countries.csv", []column{
		text("Name", "name"), unique("Code", "code"), choice("Continent", "continent"),
		address("Wikipedia", "wikipedia_link"), text("Keywords", "keywords"), integer("OurAirports id", "id"),
	}},
	{"Regions", "regions.csv", []column{
		text("Name", "name"), unique("Code", "code"), text("Local code", "local_code"),
		choice("Continent", "continent"), text("Country code", "iso_country"),
		address("Wikipedia", "wikipedia_link"), text("Keywords", "keywords"), integer("OurAirports id", "id"),
	}},
	{"Navaids", "navaids.csv", []column{
		text("Name", "name"), text("Ident", "ident"), choice("Type", "type"),
		integer("Frequency (kHz)", "frequency_khz"), text("Country code", "iso_country"),
		integer("Elevation (ft)", "elevation_ft"), decimal("Latitude", "latitude_deg", 6),
		decimal("Longitude", "longitude_deg", 6), text("DME channel", "dme_channel"),
		decimal("Magnetic variation", "magnetic_variation_deg", 3), choice("Usage", "usageType"),
		choice("Power", "power"), text("Airport", "associated_airport"), integer("OurAirports id", "id"),
	}},
	{"Runways", "runways.csv", []column{
		{name: "Name", typ: "text", compute: runwayName},
		text("Airport", "airport_ident"),
		integer("Length (ft)", "length_ft"), integer("Width (ft)", "width_ft"), text("Surface", "surface"),
		checkbox("Lighted", "lighted"), checkbox("Closed", "closed"),
		decimal("Low end heading", "le_heading_degT", 2), integer("Low end elevation (ft)", "le_elevation_ft"),
		decimal("Low end latitude", "le_latitude_deg", 6), decimal("Low end longitude", "le_longitude_deg", 6),
		decimal("High end heading", "he_heading_degT", 2), integer("High end elevation (ft)", "he_elevation_ft"),
		decimal("High end latitude", "he_latitude_deg", 6), decimal("High end longitude", "he_longitude_deg", 6),
		integer("OurAirports id", "id"),
	}},
	{"Frequencies", "airport-frequencies.csv", []column{
		text("Airport", "airport_ident"), choice("Type", "type"), text("Description", "description"),
		decimal("Frequency (MHz)", "frequency_mhz", 3), integer("OurAirports id", "id"),
	}},
}

// runwayName returns a runway's airport and two ends, such as "ENGM 01L/19R".
func runwayName(row map[string]string) string {
	ends := row["le_ident"]
	if row["he_ident"] != "" {
		ends += "/" + row["he_ident"]
	}
	return strings.TrimSpace(row["airport_ident"] + " " + ends)
}

// A file is a CSV file in memory.
type file struct {
	table *table
	rows  []map[string]string // values by heading
}

// read reads the files of all tables, so that a missing one is reported before anything is created.
func read(directory string) ([]*file, error) {
	files := make([]*file, len(tables))
	for i := range tables {
		f, err := readFile(directory, &tables[i])
		if err != nil {
			return nil, err
		}
		files[i] = f
	}
	return files, nil
}

func readFile(directory string, t *table) (*file, error) {
	source, err := os.Open(filepath.Join(directory, t.file))
	if err != nil {
		return nil, fmt.Errorf("opening the data of %s: %w", t.name, err)
	}
	defer source.Close() //nolint:errcheck // opened for reading
	reader := csv.NewReader(source)
	headings, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the headings of %s: %w", t.file, err)
	}
	for _, c := range t.columns {
		if c.source != "" && !slices.Contains(headings, c.source) {
			return nil, fmt.Errorf("%s has no column %s", t.file, c.source)
		}
	}
	f := &file{table: t}
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", t.file, err)
		}
		row := make(map[string]string, len(headings))
		for i, heading := range headings {
			row[heading] = strings.TrimSpace(cells[i])
		}
		f.rows = append(f.rows, row)
	}
}

// value returns the value of a row. It cleans the data, which people typed: some URLs contain
// spaces, and one option name contains a tab, which the service rejects.
func (c *column) value(row map[string]string) string {
	switch {
	case c.compute != nil:
		return c.compute(row)
	case c.typ == "single_select":
		return strings.Join(strings.Fields(row[c.source]), " ")
	case c.typ == "url":
		return strings.ReplaceAll(row[c.source], " ", "%20")
	}
	return row[c.source]
}

// options returns the distinct values of a column in alphabetical order, because a select field's
// options are fixed before the first record is written.
func (f *file) options(c *column) []string {
	var names []string
	seen := map[string]bool{}
	for _, row := range f.rows {
		if name := c.value(row); name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// fields returns the table's fields in the form of the API.
func (f *file) fields() []map[string]any {
	var list []map[string]any
	for i := range f.table.columns {
		c := &f.table.columns[i]
		field := map[string]any{"name": c.name, "type": c.typ}
		switch {
		case c.typ == "single_select":
			field["config"] = map[string]any{"options": f.options(c)}
		case c.config != nil:
			field["config"] = c.config
		}
		list = append(list, field)
	}
	return list
}

// record returns a row in the form of the API: typed values by field name, without empty cells.
func (f *file) record(row map[string]string) (map[string]any, error) {
	fields := make(map[string]any, len(f.table.columns))
	for i := range f.table.columns {
		c := &f.table.columns[i]
		value := c.value(row)
		if value == "" {
			continue
		}
		switch c.typ {
		case "number":
			number, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, fmt.Errorf("%s, id %s: %s is %q, which is not a number",
					f.table.file, row["id"], c.source, value)
			}
			fields[c.name] = number
		case "checkbox":
			fields[c.name] = value == "1"
		default:
			fields[c.name] = value
		}
	}
	return fields, nil
}
