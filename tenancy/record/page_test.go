package record_test

import (
	"bytes"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/record"
)

// BenchmarkAPageIsWritten measures the writing of a page of 100 finished records of 450 bytes.
func BenchmarkAPageIsWritten(b *testing.B) {
	page := record.Page{Total: 100_000, Limit: 100, HasMore: true, Cursor: "cursor"}
	for range 100 {
		page.Records = append(page.Records, bytes.Repeat([]byte("x"), 450))
	}
	b.ReportAllocs()
	for b.Loop() {
		page.AppendJSON(nil)
	}
}
