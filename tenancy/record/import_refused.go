package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// refusedRows returns the names of the columns, and then for each refused row its line, its mistakes
// and its cells.
func (t *importText) refusedRows() [][]string {
	header := []string{"Line", "Mistakes"}
	for i, f := range t.columns {
		if f != nil {
			header = append(header, f.Name)
		} else {
			header = append(header, "Column "+strconv.Itoa(i+1))
		}
	}
	rows := [][]string{header}
	for i := range t.rows {
		row := &t.rows[i]
		if len(row.items) == 0 {
			continue
		}
		var mistakes []string
		for _, item := range row.items {
			message := item.Message
			if name, ok := strings.CutPrefix(item.Path, "."); ok {
				message = name + ": " + message
			}
			mistakes = append(mistakes, message)
		}
		rows = append(rows, append([]string{strconv.Itoa(row.line), strings.Join(mistakes, "; ")}, row.cells...))
	}
	return rows
}

// ranges writes ascending numbers, consecutive ones as 3-8.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[i])
		if last > i {
			part += "-" + strconv.Itoa(numbers[last])
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ", ")
}

// refusedError refuses an import with the mistakes of its rows.
func refusedError(out *ImportResult, mistakes int) error {
	var items []problem.Item
	for _, r := range out.Refusals[:min(len(out.Refusals), maxItems)] {
		items = append(items, problem.Item{Path: placePath(r.Line, r.Column, r.Field), Message: r.Message})
	}
	if mistakes > len(items) {
		items = append(items, problem.Item{Path: "csv", Message: fmt.Sprintf("has %d mistakes in %d rows, of which "+
			"these are the first; a call with plan lists %d", mistakes, out.Refused, maxRefusals)})
	}
	return problem.InvalidItems(items)
}
