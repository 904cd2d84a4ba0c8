package record

import (
	"fmt"
	"iter"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// refuseUneven refuses rows with other cells than the columns.
func (t *importText) refuseUneven(cells [][]string) {
	for i := range cells {
		cells[i] = trimBeyond(cells[i], len(t.columns))
	}
	mayHold := func(column int, text string) bool {
		f := t.columns[column]
		return f == nil || mayBeCell(&f.Field, text)
	}
	for i, row := range cells {
		for at, message := range uneven(cells[max(0, i-1):i], row, len(t.columns), mayHold) {
			t.rows[i+at].broken = true
			t.rows[i+at].items = []problem.Item{{Message: message}}
		}
	}
}

// trimBeyond takes off empty cells beyond the last column.
func trimBeyond(cells []string, width int) []string {
	for len(cells) > width && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// uneven says what is wrong with the cells of a row, by 0, and of the row before it, by -1, where there is one. A row
// that ends before the last column is empty there. One with a value beyond the last column is refused, and two that
// follow each other are if they may be one row that a line break in a cell cut in two.
func uneven(
	before [][]string, row []string, width int, mayHold func(column int, text string) bool,
) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if len(row) > width {
			yield(0, fmt.Sprintf(
				"has %s, and the first line names %s; a cell with a comma or a line break stands in double quotes",
				problem.Count(len(row), "cell"), problem.Count(width, "field")))
			return
		}
		if len(before) == 0 || len(before[0]) == 0 || len(row) == 0 {
			return
		}
		first := before[0]
		last := len(first) - 1
		if last+len(row) > width || len(first) == width || len(row) == width {
			return
		}
		if !mayHold(last, first[last]+"\n"+row[0]) {
			return
		}
		for at, cells := range [][]string{row, first} {
			message := fmt.Sprintf("has %s of %d, and so has the row next to it: they may be one row with a line "+
				"break, which stands in double quotes; write every cell of a row",
				problem.Count(len(cells), "cell"), width)
			if !yield(-at, message) {
				return
			}
		}
	}
}

// mayBeCell reports whether a text can be the cell of a field. Names of records and people, and files, are not looked
// up.
func mayBeCell(f *field.Field, text string) bool {
	info := f.Info()
	if _, filed := f.Kind.(field.Filed); filed || info.People || info.Paired || info.ReadOnly || !info.HasValues() {
		return true
	}
	_, err := (&field.Input{Field: f, Typecast: true}).Decode(field.AppendString(nil, text))
	return err == nil
}
