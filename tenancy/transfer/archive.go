package transfer

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// ArchiveVersion is the version of the form of a base archive: a zip file of schema.json, tables/{tableId}.ndjson with
// the records of each table, and manifest.json, which comes last.
const ArchiveVersion = 1

// A Manifest says what is in an archive.
type Manifest struct {
	Version   int           `json:"version"`
	CreatedAt time.Time     `json:"createdAt"`
	Files     []ArchiveFile `json:"files"`
}

// An ArchiveFile is a file of an archive.
type ArchiveFile struct {
	Path    string `json:"path"`
	TableID string `json:"tableId,omitempty"`
	Name    string `json:"name,omitempty"` // of the table
	Records *int   `json:"records,omitempty"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// An archiveWriter writes the tables of a base into an archive.
type archiveWriter struct {
	zip      *zip.Writer
	manifest Manifest
	report   *Report

	table  *TableReport
	part   archivePart
	ndjson ndjsonWriter
}

// An archivePart counts and hashes a file of an archive.
type archivePart struct {
	to     io.Writer
	digest hash.Hash
	size   int64
}

func (p *archivePart) Write(text []byte) (int, error) {
	n, err := p.to.Write(text)
	p.digest.Write(text[:n]) // never fails
	p.size += int64(n)
	return n, err //nolint:wrapcheck // as an io.Writer
}

func newArchiveWriter(spool *os.File, report *Report, described any) (*archiveWriter, error) {
	w := &archiveWriter{
		zip: zip.NewWriter(spool), report: report,
		manifest: Manifest{Version: ArchiveVersion, CreatedAt: time.Now().UTC().Truncate(time.Second)},
	}
	if err := w.open("schema.json"); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(&w.part).Encode(described); err != nil {
		return nil, fmt.Errorf("writing the schema of a base: %w", err)
	}
	w.listed(ArchiveFile{Path: "schema.json"})
	report.note("Files in attachment fields are not in the archive, only their names and ids.")
	return w, nil
}

func (w *archiveWriter) open(path string) error {
	to, err := w.zip.CreateHeader(&zip.FileHeader{
		Name: path, Method: zip.Deflate, Modified: w.manifest.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("writing an archive: %w", err)
	}
	w.part = archivePart{to: to, digest: sha256.New()}
	w.ndjson = ndjsonWriter{spool: &w.part, buffer: w.ndjson.buffer}
	return nil
}

// listed adds the part to the manifest.
func (w *archiveWriter) listed(file ArchiveFile) string {
	file.Bytes, file.SHA256 = w.part.size, hex.EncodeToString(w.part.digest.Sum(nil))
	w.manifest.Files = append(w.manifest.Files, file)
	return file.SHA256
}

func (w *archiveWriter) begin(t *schema.Table, report *TableReport) error {
	w.table = report
	return w.open("tables/" + t.PublicID() + ".ndjson")
}

func (w *archiveWriter) plain() bool { return true }

func (w *archiveWriter) write(p *record.ExportPage) error { return w.ndjson.write(p) }

func (w *archiveWriter) end() error {
	w.table.SHA256 = w.listed(ArchiveFile{
		Path: "tables/" + w.table.ID + ".ndjson", TableID: w.table.ID, Name: w.table.Name, Records: &w.table.Rows,
	})
	return nil
}

func (w *archiveWriter) close() error {
	if err := w.open("manifest.json"); err != nil {
		return err
	}
	// The pointers of counts have been filled.
	if err := json.NewEncoder(&w.part).Encode(w.manifest); err != nil {
		return fmt.Errorf("writing a manifest: %w", err)
	}
	if err := w.zip.Close(); err != nil {
		return fmt.Errorf("ending an archive: %w", err)
	}
	return nil
}

func (w *archiveWriter) discard() {}
