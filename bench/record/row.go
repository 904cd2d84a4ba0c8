package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// batch is how many records one request writes.
const batch = 100

var (
	given = strings.Fields("Ada Bruno Chen Dalia Emeka Freya Goran Hana Ivo Jamila Kofi Lena Marek Nadia Omar Petra " +
		"Quinn Rosa Sami Tove")
	family = strings.Fields("Almeida Bergstrom Castellanos Dimitrov Eriksen Fontaine Grunwald Hashimoto Ibrahim " +
		"Jansen Kowalski Lindqvist Moreau Novak Okafor Petrov Quispe Rossi Silva Tanaka")
	statuses = []string{"New", "Open", "Waiting", "Blocked", "Review", "Done"}
	words    = strings.Fields(`
		account address agreement answer balance board branch budget calendar campaign chapter client comment contract
		customer deadline delivery department document draft estimate event feature feedback folder harbor invoice
		journal kitchen ledger letter machine market meeting message mountain network notebook number office order
		package paper payment people period picture planet price process product profile project quarter question
		reason record region renewal report request river sample school season section service shipment signal station
		storage summer supplier survey system table teacher ticket travel update vendor village warehouse weather
		window winter workshop`)
)

// A row is the fields of a record: text, email, number, select, long text, date, number, checkbox.
type row struct {
	Name   string  `json:"Name"`
	Email  string  `json:"Email"`
	Amount float64 `json:"Amount"` // 0 to 100,000, two decimals
	Status string  `json:"Status"`
	Notes  string  `json:"Notes"` // about 120 characters
	Due    string  `json:"Due"`   // within four years
	Score  float64 `json:"Score"`
	Done   bool    `json:"Done"`
}

var firstDay = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)

// rowAt returns the same row for the same number in every run.
func rowAt(i int) row {
	random := rand.New(rand.NewPCG(uint64(i), 7)) //nolint:gosec // Test data.
	first, last := given[random.IntN(len(given))], family[random.IntN(len(family))]
	notes := make([]string, 16)
	for w := range notes {
		notes[w] = words[random.IntN(len(words))]
	}
	return row{
		Name:   first + " " + last,
		Email:  fmt.Sprintf("%s.%s%d@example.com", strings.ToLower(first), strings.ToLower(last), i),
		Amount: amountOf(random),
		Status: statuses[random.IntN(len(statuses))],
		Notes:  strings.Join(notes, " "),
		Due:    firstDay.AddDate(0, 0, random.IntN(1461)).Format(time.DateOnly),
		Score:  float64(random.IntN(101)),
		Done:   random.IntN(2) == 0,
	}
}

func amountOf(random *rand.Rand) float64 { return float64(random.IntN(10_000_000)) / 100 }

// fragment is a search as a person would type it: the end of a family name and the first digits of
// a number, which occur in a few rows.
func fragment(random *rand.Rand) string {
	name := family[random.IntN(len(family))]
	return strings.ToLower(name[len(name)-4:]) + fmt.Sprint(100+random.IntN(900))
}

type object = map[string]any

// encode returns the JSON of a value that always has one.
func encode(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return body
}

// rowsFrom returns n rows from a number on.
func rowsFrom(first, count int) []row {
	rows := make([]row, count)
	for i := range rows {
		rows[i] = rowAt(first + i)
	}
	return rows
}

// recordsOf is the body of a request that creates rows in the service or the baseline.
func recordsOf(rows []row) []byte {
	records := make([]object, len(rows))
	for i, row := range rows {
		records[i] = object{"fields": row}
	}
	return encode(object{"records": records})
}

// changesOf is the body of a request that updates the caller's rows in the service or the baseline.
func changesOf(s *subject, c *caller, id func(row int) any) []byte {
	rows := c.rows(s)
	records := make([]object, len(rows))
	for i, row := range rows {
		records[i] = object{"id": id(row), "fields": changeOf(c)}
	}
	return encode(object{"records": records})
}
