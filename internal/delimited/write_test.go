package delimited_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"testing"

	"github.com/rowhouse/rowhouse/internal/delimited"
)

//go:embed testdata/write.json
var written []byte

// The application writes rows that only a page has by the same cases (web/app/test/csv.test.ts).
func TestRowsAreWrittenSoThatNoSpreadsheetRunsThem(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Cells []string `json:"cells"`
		Line  string   `json:"line"`
	}
	if err := json.Unmarshal(written, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var line bytes.Buffer
		guarded := make([]string, len(c.Cells))
		for i, cell := range c.Cells {
			guarded[i] = delimited.Guard(cell)
			if back := delimited.Unguard(guarded[i]); back != cell {
				t.Errorf("%q comes back as %q", cell, back)
			}
		}
		if delimited.Write(&line, guarded); line.String() != c.Line+"\r\n" {
			t.Errorf("%q is %q, want %q", c.Cells, line.String(), c.Line)
		}
	}
}
