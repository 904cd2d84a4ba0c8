package convert_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// Rows of a sheet that end in empty cells are as wide as those above them: lines that end early would look like one
// that a line break has cut in two.
func TestRowsOfASheetAreAsWideAsThoseAboveThem(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	for i, row := range [][]any{
		{"Ports"}, {}, {"Name", "Tons", "Note"}, {"Aase", 90}, {"Tove"}, {nil, 7, "late"}, {"Alma", 1, "x", "beyond"},
	} {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = book.SetSheetRow("Sheet1", cell, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var content bytes.Buffer
	if err := book.Write(&content); err != nil {
		t.Fatal(err)
	}
	text, result, err := converted(t, inProcess(), "xlsx", content.Bytes())
	if err != nil || result.Problem != "" {
		t.Fatal(err, result)
	}
	const want = "Ports\n\nName,Tons,Note\nAase,90,\nTove,,\n,7,late\nAlma,1,x,beyond\n"
	if text = strings.ReplaceAll(text, "\r\n", "\n"); text != want {
		t.Errorf("the sheet is\n%s\nand not\n%s", text, want)
	}
}
