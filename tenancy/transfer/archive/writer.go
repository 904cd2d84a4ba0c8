package archive

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"
)

// A Writer writes an archive as a stream. Of what it has written it keeps the manifest alone.
type Writer struct {
	zip      *zip.Writer
	manifest Manifest
	part     part
}

// A part counts and hashes an entry.
type part struct {
	to     io.Writer
	digest hash.Hash
	size   int64
}

func (p *part) Write(text []byte) (int, error) {
	n, err := p.to.Write(text)
	p.digest.Write(text[:n]) // never fails
	p.size += int64(n)
	return n, err //nolint:wrapcheck // as an io.Writer
}

// NewWriter begins an archive with the structure of a base.
func NewWriter(to io.Writer, base *Base, withoutRecords bool) (*Writer, error) {
	w := &Writer{zip: zip.NewWriter(to), manifest: Manifest{
		Version: Version, Base: base.Name, CreatedAt: time.Now().UTC().Truncate(time.Second),
		WithoutRecords: withoutRecords,
	}}
	return w, w.add(schemaPath, base)
}

// add writes an entry of JSON.
func (w *Writer) add(path string, value any) error {
	out, err := w.open(path, zip.Deflate)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	w.end(Entry{Path: path})
	return nil
}

func (w *Writer) open(path string, method uint16) (io.Writer, error) {
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: path, Method: method, Modified: w.manifest.CreatedAt})
	if err != nil {
		return nil, fmt.Errorf("writing an archive: %w", err)
	}
	w.part = part{to: to, digest: sha256.New()}
	return &w.part, nil
}

// end adds the open entry to the manifest, and returns its hash.
func (w *Writer) end(e Entry) string {
	e.Bytes, e.SHA256 = w.part.size, hex.EncodeToString(w.part.digest.Sum(nil))
	w.manifest.Entries = append(w.manifest.Entries, e)
	return e.SHA256
}

// Records begins the entry with the records of a table, one a line.
func (w *Writer) Records(table *Table) (io.Writer, error) {
	return w.open(RecordsPath(table.ID), zip.Deflate)
}

// EndRecords ends it, and returns its hash.
func (w *Writer) EndRecords(table *Table, count int) (sha256 string) {
	return w.end(Entry{Path: RecordsPath(table.ID), TableID: table.ID, Name: table.Name, Records: &count})
}

// Comments begins the entry with the comments on the records of a table, one a line.
func (w *Writer) Comments(table *Table) (io.Writer, error) {
	return w.open(CommentsPath(table.ID), zip.Deflate)
}

// EndComments ends it.
func (w *Writer) EndComments(table *Table, count int) {
	w.end(Entry{Path: CommentsPath(table.ID), TableID: table.ID, Name: table.Name, Comments: count})
}

// File writes the content of a file. It is stored as it is, since most forms of files are compressed.
func (w *Writer) File(e Entry, content io.Reader) error {
	out, err := w.open(e.Path, zip.Store)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, content); err != nil {
		return fmt.Errorf("writing a file into an archive: %w", err)
	}
	w.end(e)
	return nil
}

// Close writes the people and the manifest, and ends the archive.
func (w *Writer) Close(people []Person) error {
	if people == nil {
		people = []Person{}
	}
	if err := w.add(peoplePath, people); err != nil {
		return err
	}
	manifest := w.manifest // without itself
	if err := w.add(manifestPath, &manifest); err != nil {
		return err
	}
	if err := w.zip.Close(); err != nil {
		return fmt.Errorf("ending an archive: %w", err)
	}
	return nil
}
