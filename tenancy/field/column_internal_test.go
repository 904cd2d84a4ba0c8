package field

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// What is read the short way is read as the long way reads it.
func TestUsualNumbersAreReadAsOthers(t *testing.T) {
	t.Parallel()
	signs := []string{
		"0", "1", "2", "5", "00", "12", "345", "1234567", ".", ",", "-", "+", "$", "€", "%", " ", "'", "(", ")",
	}
	usual := 0
	for range 200_000 {
		var text strings.Builder
		for range 1 + rand.IntN(6) {
			text.WriteString(signs[rand.IntN(len(signs))])
		}
		cell := strings.TrimSpace(text.String())
		var short, long Column
		if !short.addUsualNumber(cell) {
			continue
		}
		usual++
		if long.addOtherNumber(cell); !reflect.DeepEqual(short, long) {
			t.Fatalf("%q: %+v, and the long way %+v", cell, short, long)
		}
		var dated Column
		if dated.addDate(cell); dated.dates > 0 {
			t.Fatalf("%q is a date, too", cell)
		}
	}
	for _, cell := range []string{"2024-01-31", "2024-01-31 10:00:00", "2024-01-31T10:00:00Z"} {
		var number Column
		if number.addOtherNumber(cell); number.numbers > 0 {
			t.Errorf("%q is a number, too", cell)
		}
	}
	if usual < 10_000 {
		t.Errorf("only %d cells are usual numbers", usual)
	}
}

// A type is proposed only for cells of which its fields take each, and no digit is lost.
func TestProposedTypesTakeEveryCell(t *testing.T) {
	t.Parallel()
	for want, cells := range map[Type][]string{
		"number":    {"52.55889892578125", "-55.78219985961914", "-60.02289962768555", "7"},
		"text":      {"12345678901234567", "1"},
		"long_text": {"https://example.com/a", strings.Repeat("https://example.com/ ", 20)},
		"url":       {"https://example.com/a", "http://example.com/%C3%A9?b=1"},
	} {
		var c Column
		for _, cell := range cells {
			c.Add(cell)
		}
		if got, _ := c.Propose(); got != want {
			t.Errorf("the type of %q is %s", cells, got)
		}
	}
	for _, cell := range []string{"https://example.com/a b", "0.1234567890123456789"} {
		var c Column
		if c.Add(cell); c.cells != 1 {
			t.Fatal("the cell does not count")
		}
		if got, _ := c.Propose(); got != "text" {
			t.Errorf("the type of %q is %s", cell, got)
		}
	}
}
