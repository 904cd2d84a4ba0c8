package transfer

import (
	"fmt"
	"io"
	"os"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A csvWriter writes one table as CSV.
type csvWriter struct {
	spool  *os.File
	report *TableReport
	begun  bool
}

func newCSVWriter(spool *os.File, mark bool) (*csvWriter, error) {
	if mark {
		if _, err := spool.WriteString(delimited.ByteOrderMark); err != nil {
			return nil, fmt.Errorf("writing an export: %w", err)
		}
	}
	return &csvWriter{spool: spool}, nil
}

func (w *csvWriter) begin(_ *schema.Table, report *TableReport) error {
	w.report, w.begun = report, false
	return nil
}

func (w *csvWriter) plain() bool { return false }

func (w *csvWriter) write(p *record.ExportPage) error {
	guarded, err := p.AppendCSV(func(text []byte) error {
		_, err := w.spool.Write(text)
		return err //nolint:wrapcheck // wrapped below
	}, !w.begun)
	w.begun = true
	w.report.Guarded += guarded
	if err != nil {
		return fmt.Errorf("writing an export: %w", err)
	}
	return nil
}

func (w *csvWriter) end() error   { return nil }
func (w *csvWriter) close() error { return nil }
func (w *csvWriter) discard()     {}

// An ndjsonWriter writes the records as the API returns them, one a line.
type ndjsonWriter struct {
	spool  io.Writer
	buffer []byte
}

func (w *ndjsonWriter) begin(*schema.Table, *TableReport) error { return nil }

func (w *ndjsonWriter) plain() bool { return true }

func (w *ndjsonWriter) write(p *record.ExportPage) error {
	w.buffer = w.buffer[:0]
	for _, line := range p.Records {
		w.buffer = append(append(w.buffer, line...), '\n')
	}
	if _, err := w.spool.Write(w.buffer); err != nil {
		return fmt.Errorf("writing an export: %w", err)
	}
	return nil
}

func (w *ndjsonWriter) end() error   { return nil }
func (w *ndjsonWriter) close() error { return nil }
func (w *ndjsonWriter) discard()     {}
