package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// Bounds of an archive that is read.
const (
	maxDirectory = 32 << 20 // bytes of the list of files of the zip file, which is kept in memory
	maxStructure = 32 << 20 // bytes of each of the files of JSON
	maxLine      = 16 << 20 // bytes of a record: its values are 1 MB, and its links some more
	// What an archive unpacks to, at most: so many times its size, and something for a small one.
	maxExpansion = 200
	freeSize     = 64 << 20
)

// An Archive is an archive that was opened: its lists are right, and its contents are checked as they are read.
type Archive struct {
	Manifest Manifest
	Base     Base
	People   []Person

	files   map[string]*zip.File
	entries map[string]*Entry
}

// damaged is the error of a file that is no archive as it should be.
func damaged(format string, args ...any) error {
	return problem.Invalid("file", "is no base archive, or is damaged: "+format, args...)
}

// Open reads the lists of an archive and the structure of its base, and compares what there is with the manifest. It
// returns an error of kind invalid that says what is wrong.
func Open(from io.ReaderAt, size int64) (*Archive, error) {
	bounded := &boundedReader{from: from, left: maxDirectory}
	read, err := zip.NewReader(bounded, size)
	switch {
	case errors.Is(err, errTooMuch):
		return nil, damaged("its list of files is too long")
	case err != nil:
		return nil, damaged("%s", err)
	}
	bounded.left = math.MaxInt64
	a := &Archive{files: make(map[string]*zip.File, len(read.File))}
	unpacked := uint64(0)
	for _, f := range read.File {
		switch {
		case !fs.ValidPath(f.Name) || strings.Contains(f.Name, `\`) || !f.Mode().IsRegular():
			return nil, damaged("it has a file with the name %q", f.Name)
		case a.files[f.Name] != nil:
			return nil, damaged("it has two files with the name %q", f.Name)
		}
		a.files[f.Name] = f
		if unpacked += f.UncompressedSize64; f.UncompressedSize64 > math.MaxInt64/2 ||
			unpacked > uint64(size)*maxExpansion+freeSize { //nolint:gosec // a size is not negative
			return nil, damaged("it unpacks to more than %d times its size", maxExpansion)
		}
	}
	if err := a.readManifest(); err != nil {
		return nil, err
	}
	if err := a.structure(schemaPath, &a.Base); err != nil {
		return nil, err
	}
	if err := a.structure(peoplePath, &a.People); err != nil {
		return nil, err
	}
	return a, a.checkTables()
}

// readManifest compares the manifest with the files.
func (a *Archive) readManifest() error {
	raw, err := a.small(manifestPath)
	if err != nil {
		return err
	}
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(raw, &version); err != nil {
		return damaged("%s cannot be read: %s", manifestPath, err)
	}
	switch {
	case version.Version > Version:
		return problem.Invalid("file", "is a base archive of the version %d, and this Rowhouse reads %d: it was made "+
			"by a later one", version.Version, Version)
	case version.Version < oldestVersion:
		return problem.Invalid("file", "is a base archive of the version %d, and this Rowhouse reads %d: export the "+
			"base again", version.Version, oldestVersion)
	}
	if err := json.Unmarshal(raw, &a.Manifest); err != nil {
		return damaged("%s cannot be read: %s", manifestPath, err)
	}
	a.entries = make(map[string]*Entry, len(a.Manifest.Entries))
	for i := range a.Manifest.Entries {
		e := &a.Manifest.Entries[i]
		f := a.files[e.Path]
		switch {
		case f == nil:
			return damaged("%q is missing", e.Path)
		case a.entries[e.Path] != nil || e.Path == manifestPath:
			return damaged("its manifest lists %q twice", e.Path)
		case int64(f.UncompressedSize64) != e.Bytes: //nolint:gosec // it was checked
			return damaged("%q has %d bytes, and its manifest says %d", e.Path, f.UncompressedSize64, e.Bytes)
		}
		a.entries[e.Path] = e
	}
	for name := range a.files {
		if a.entries[name] == nil && name != manifestPath {
			return damaged("its manifest does not list %q", name)
		}
	}
	return nil
}

// checkTables compares the tables with the entries. Each has one with its records, unless the archive is without.
func (a *Archive) checkTables() error {
	tables := map[string]bool{}
	for i := range a.Base.Tables {
		t := &a.Base.Tables[i]
		if _, err := id.Parse(id.Table, t.ID); err != nil || tables[t.ID] || t.Number <= 0 {
			return damaged("its table %q has no valid id", t.Name)
		}
		tables[t.ID] = true
		if e := a.Records(t); e == nil && !a.Manifest.WithoutRecords {
			return damaged("the records of the table %q are missing", t.Name)
		} else if e != nil && (e.Records == nil || *e.Records < 0) {
			return damaged("its manifest does not say how many records the table %q has", t.Name)
		}
	}
	for i := range a.Manifest.Entries {
		e := &a.Manifest.Entries[i]
		_, isFile := e.File()
		switch {
		case e.Path == schemaPath || e.Path == peoplePath:
		case tables[e.TableID] && (isFile || e.Path == RecordsPath(e.TableID)):
		case tables[e.TableID] && e.Path == CommentsPath(e.TableID) && e.Comments > 0:
		default:
			return damaged("it has no table for %q", e.Path)
		}
	}
	return nil
}

// Records is the entry with the records of a table, or nil.
func (a *Archive) Records(t *Table) *Entry { return a.entries[RecordsPath(t.ID)] }

// Comments is the entry with the comments on the records of a table; nil: there are none.
func (a *Archive) Comments(t *Table) *Entry { return a.entries[CommentsPath(t.ID)] }

// File is the entry with the content of a file, or nil.
func (a *Archive) File(file uuid.UUID) *Entry { return a.entries[FilePath(file)] }

// structure reads an entry of JSON.
func (a *Archive) structure(path string, into any) error {
	e := a.entries[path]
	if e == nil {
		return damaged("%q is missing", path)
	}
	raw, err := a.small(path)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != e.SHA256 {
		return wrongHash(path)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return damaged("%s cannot be read: %s", path, err)
	}
	return nil
}

func wrongHash(path string) error {
	return damaged("%q is not what its manifest says: its SHA-256 is another one", path)
}

// small reads an entry that is kept in memory.
func (a *Archive) small(path string) ([]byte, error) {
	f := a.files[path]
	if f == nil {
		return nil, damaged("%q is missing", path)
	}
	if f.UncompressedSize64 > maxStructure {
		return nil, damaged("%q is larger than %d MB", path, maxStructure>>20)
	}
	content, err := f.Open()
	if err != nil {
		return nil, damaged("%q cannot be read: %s", path, err)
	}
	raw, err := io.ReadAll(io.LimitReader(content, maxStructure+1))
	if err = errors.Join(err, content.Close()); err != nil {
		return nil, damaged("%q cannot be read: %s", path, err)
	}
	return raw, nil
}

// Verify reads all that is in the archive: it compares sizes, hashes and counts with the manifest, and looks whether
// each record is one of its table.
func (a *Archive) Verify(ctx context.Context) error {
	for i := range a.Base.Tables {
		if err := a.verifyRecords(ctx, &a.Base.Tables[i]); err != nil {
			return err
		}
		if err := a.verifyComments(ctx, &a.Base.Tables[i]); err != nil {
			return err
		}
	}
	for i := range a.Manifest.Entries {
		e := &a.Manifest.Entries[i]
		if e.Records != nil || e.Comments > 0 {
			continue
		}
		content, err := a.Content(e)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, &interrupted{ctx, content})
		if err = errors.Join(err, content.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) verifyRecords(ctx context.Context, t *Table) error {
	e := a.Records(t)
	if e == nil {
		return nil
	}
	fields := map[string]bool{}
	for i := range t.Fields {
		fields[t.Fields[i].Name] = true
	}
	count := 0
	err := a.EachRecord(t, 0, func(line int, record *Record) error {
		count++
		if ctx.Err() != nil {
			return context.Cause(ctx) //nolint:wrapcheck // it is the caller's
		}
		if number, _, err := id.ParseRecord(record.ID); err != nil || number != t.Number || record.CreatedAt.IsZero() {
			return damaged("line %d of %q is no record of %q", line+1, e.Path, t.Name)
		}
		unknown := ""
		if err := jsonvalue.Check(record.Fields); err != nil {
			return damaged("line %d of %q cannot be read: %s", line+1, e.Path, err)
		}
		err := jsonvalue.Members(record.Fields, func(name string, _ []byte) bool {
			if !fields[name] {
				unknown = name
			}
			return unknown == ""
		})
		if err != nil || unknown != "" {
			return damaged("line %d of %q has a value for %q, which is no field of %q", line+1, e.Path, unknown, t.Name)
		}
		return nil
	})
	if err == nil && count != *e.Records {
		return damaged("%q has %d records, and its manifest says %d", e.Path, count, *e.Records)
	}
	return err
}

// interrupted is a reader that ends with a context.
type interrupted struct {
	ctx  context.Context //nolint:containedctx // of one reading
	from io.Reader
}

func (i *interrupted) Read(into []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx) //nolint:wrapcheck // it is the caller's
	}
	return i.from.Read(into) //nolint:wrapcheck // as an io.Reader
}

// Content opens an entry. Its end is an error if the content is not what the manifest says.
func (a *Archive) Content(e *Entry) (io.ReadCloser, error) {
	f := a.files[e.Path]
	if f == nil {
		return nil, damaged("%q is missing", e.Path)
	}
	content, err := f.Open()
	if err != nil {
		return nil, damaged("%q cannot be read: %s", e.Path, err)
	}
	return &checked{ReadCloser: content, entry: e, digest: sha256.New()}, nil
}

// checked hashes what is read.
type checked struct {
	io.ReadCloser
	entry  *Entry
	digest hash.Hash
	size   int64
}

func (c *checked) Read(into []byte) (int, error) {
	n, err := c.ReadCloser.Read(into)
	c.digest.Write(into[:n]) // never fails
	c.size += int64(n)
	switch {
	case c.size > c.entry.Bytes:
		return n, damaged("%q has more bytes than its manifest says", c.entry.Path)
	case err == nil:
		return n, nil
	case !errors.Is(err, io.EOF):
		return n, damaged("%q cannot be read: %s", c.entry.Path, err)
	case hex.EncodeToString(c.digest.Sum(nil)) != c.entry.SHA256:
		return n, wrongHash(c.entry.Path)
	}
	return n, io.EOF
}

// errTooMuch ends the reading of a list that is too long.
var errTooMuch = errors.New("too much to read")

// A boundedReader reads a number of bytes at most, wherever they are.
type boundedReader struct {
	from io.ReaderAt
	left int64
}

func (b *boundedReader) ReadAt(into []byte, offset int64) (int, error) {
	n, err := b.from.ReadAt(into, offset)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	return n, err //nolint:wrapcheck // as an io.ReaderAt
}
