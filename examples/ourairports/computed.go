package main

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// regionTable has no file: an airport region is what the first two letters of an airport's ICAO code
// stand for, such as EN for Norway.
const regionTable = "Airport regions"

// regionOf returns the region of an airport; "" for codes that are not of ICAO.
func regionOf(airport string) string {
	if len(airport) != 4 {
		return ""
	}
	for _, c := range airport[:2] {
		if c < 'A' || c > 'Z' {
			return ""
		}
	}
	return airport[:2]
}

// regionCountries finds the country of each airport region. Runways do not say in which country they
// are; most of the navaids of a region's airports do.
func (l *loader) regionCountries() map[string]string {
	votes := map[string]map[string]int{}
	for _, f := range l.files {
		if f.table.name != "Navaids" {
			continue
		}
		for _, row := range f.rows {
			if region := regionOf(row["associated_airport"]); region != "" && row["iso_country"] != "" {
				if votes[region] == nil {
					votes[region] = map[string]int{}
				}
				votes[region][row["iso_country"]]++
			}
		}
	}
	countries := map[string]string{}
	for region, of := range votes {
		for country, n := range of {
			best := countries[region]
			if best == "" || n > of[best] || n == of[best] && country < best {
				countries[region] = country
			}
		}
	}
	return countries
}

// regionNames lists the airport regions that have runways.
func (l *loader) regionNames() []string {
	var names []string
	for _, f := range l.files {
		if f.table.name != "Runways" {
			continue
		}
		for _, row := range f.rows {
			if name := regionOf(row["airport_ident"]); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// createComputed adds the links and the fields that compute through them.
func (l *loader) createComputed(ctx context.Context) error {
	var table created
	err := l.api.call(ctx, "POST", "/bases/"+l.base+"/tables", map[string]any{
		"name": regionTable, "fields": []map[string]any{{"name": "Name", "type": "text"}},
	}, &table)
	if err != nil {
		return err
	}
	l.ids[regionTable] = table.ID
	inverse := map[string]string{} // ids of the fields on the other side
	for _, link := range [][3]string{
		{"Navaids", "Country", "Countries"},
		{"Runways", "Country", "Countries"},
		{"Runways", "Airport region", regionTable},
	} {
		if inverse[link[0]+link[2]], err = l.link(ctx, link[0], link[1], link[2]); err != nil {
			return err
		}
	}
	runways := inverse["RunwaysCountries"]
	for _, f := range []struct {
		table, name, kind string
		config            map[string]any
	}{
		{"Runways", "Ends apart (km)", "formula", map[string]any{"formula": apart, "precision": 2}},
		{"Navaids", "Country name", "lookup", map[string]any{"linkFieldId": "Country", "fieldId": "Name"}},
		{regionTable, "Longest runway (ft)", "rollup", map[string]any{
			"linkFieldId": inverse["Runways"+regionTable], "fieldId": "Length (ft)", "function": "MAX",
		}},
		{regionTable, "Longest runway (m)", "formula", map[string]any{
			"formula": "ROUND({Longest runway (ft)} * 0.3048, 0)",
		}},
		{"Countries", "Runways", "count", map[string]any{"linkFieldId": runways}},
		{"Countries", "Lighted runways", "count", map[string]any{
			"linkFieldId": runways, "filters": []filter{{"Lighted", "eq", true}},
		}},
		{"Countries", "Lighted share", "formula", map[string]any{
			"formula": "IF({Runways}, ROUND({Lighted runways} / {Runways}, 3))",
		}},
	} {
		in := map[string]any{"name": f.name, "type": f.kind, "config": f.config}
		if err := l.api.call(ctx, "POST", "/tables/"+l.ids[f.table]+"/fields", in, &table); err != nil {
			return err
		}
	}
	return nil
}

// apart is the distance of a runway's ends: of points that are so near, on a plane where a degree of
// longitude is as long as at their latitude. The series is the cosine, which formulas do not have.
const apart = `IF(AND({Low end latitude}, {High end latitude}, {Low end longitude}, {High end longitude}),
  ROUND(111.195 * SQRT(
    POWER({High end latitude} - {Low end latitude}, 2) +
    POWER(({High end longitude} - {Low end longitude}) *
      (1 - POWER({Low end latitude} / 57.29578, 2) / 2 + POWER({Low end latitude} / 57.29578, 4) / 24
        - POWER({Low end latitude} / 57.29578, 6) / 720 + POWER({Low end latitude} / 57.29578, 8) / 40320), 2)), 2))`

// link adds a link field and returns the id of the field on its other side. The name "Runways" is
// wanted for a count, so the other side goes by another one.
func (l *loader) link(ctx context.Context, table, name, to string) (string, error) {
	var made struct {
		ID     string `json:"id"`
		Config struct {
			Inverse string `json:"inverseFieldId"`
		} `json:"config"`
	}
	err := l.application.call(ctx, "POST", "/tables/"+l.ids[table]+"/fields", map[string]any{
		"name": name, "type": "link", "config": map[string]any{"linkedTableId": l.ids[to], "multiple": false},
	}, &made)
	if err != nil {
		return "", err
	}
	if err := l.api.call(ctx, "GET", "/fields/"+made.ID, nil, &made); err != nil {
		return "", err
	}
	inverse := made.Config.Inverse
	err = l.api.call(ctx, "PATCH", "/fields/"+inverse, map[string]any{"name": "Linked " + table, "hidden": true}, &made)
	return inverse, err
}

// linkRecord adds the links of a row to its record.
func (l *loader) linkRecord(f *file, row map[string]string, fields map[string]any) {
	if l.application == nil {
		return
	}
	country := row["iso_country"]
	if f.table.name == "Runways" {
		region := regionOf(row["airport_ident"])
		country = l.countryOfRegion[region]
		if id := l.regions[region]; id != "" {
			fields["Airport region"] = []string{id}
		}
	}
	// A link is an array of record ids of the other table.
	if id := l.countries[country]; id != "" && f.table.name != "Frequencies" {
		fields["Country"] = []string{id}
	}
}

// loadRegions writes the airport regions, before the runways that are linked to them.
func (l *loader) loadRegions(ctx context.Context) error {
	var records []map[string]any
	for _, name := range l.regionNames() {
		records = append(records, map[string]any{"Name": name})
	}
	written, err := l.write(ctx, regionTable, records)
	if err != nil {
		return err
	}
	for _, r := range written {
		if name, ok := r.Fields["Name"].(string); ok {
			l.regions[name] = r.ID
		}
	}
	l.countryOfRegion = l.regionCountries()
	return nil
}

// printComputed asks what only computed fields can answer, each in one call.
func printComputed(ctx context.Context, l *loader, to io.Writer) error {
	lighted, err := l.list(ctx, "Countries", "", map[string]any{
		"filters": []filter{{"Runways", "gt", 0}},
		"sorts":   []sort{{"Lighted share", "desc"}, {"Runways", "desc"}},
		"limit":   "10",
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\nThe first ten of %d countries by their share of lighted runways:\n", lighted.Total)
	if err := printTable(to, "  ", lighted.Records, "Name", "Runways", "Lighted share"); err != nil {
		return err
	}
	short, err := l.list(ctx, regionTable, "", map[string]any{
		"filters": []filter{{"Longest runway (m)", "lt", 800}, {"Longest runway (m)", "gt", 0}}, // 0: nobody knows
		"sorts":   []sort{{"Longest runway (m)", "asc"}},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\n%d airport regions whose longest runway is under 800 m:\n", short.Total)
	if err := printTable(to, "  ", short.Records, "Name", "Longest runway (m)"); err != nil {
		return err
	}
	apart, err := l.list(ctx, "Runways", "", map[string]any{
		"filters": []filter{{"Ends apart (km)", "gt", 0}},
		"sorts":   []sort{{"Ends apart (km)", "desc"}},
		"limit":   "5",
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\nThe first five of %d runways by how far their ends are apart:\n", apart.Total)
	if err := printTable(to, "  ", apart.Records, "Name", "Ends apart (km)", "Length (ft)"); err != nil {
		return err
	}
	named, err := l.list(ctx, "Navaids", "", map[string]any{
		"filters": []filter{{"Country name", "eq", "Norway"}},
		"sorts":   []sort{{"Name", "asc"}},
		"limit":   "3",
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\nThe first three of %d navaids by the name of their country, Norway:\n", named.Total)
	return printTable(to, "  ", named.Records, "Name", "Type", "Country name")
}
