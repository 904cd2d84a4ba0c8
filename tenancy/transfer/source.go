package transfer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxSource bounds the text of a file, in bytes, also of one that is compressed.
const maxSource = 2 << 30

// A source is the file of an import as CSV. Its content is a file that is mapped into memory, so that a large one takes
// memory that the system can take back.
type source struct {
	name     string // of the file
	form     string
	sheet    Sheet  // of a spreadsheet
	encoding string // of a file that was converted to UTF-8
	spool    *os.File
	content  []byte
	notes    []string
}

func (s *source) close() error {
	var unmapped error
	if s.content != nil {
		unmapped = unix.Munmap(s.content)
	}
	if err := errors.Join(unmapped, s.spool.Close()); err != nil {
		return fmt.Errorf("closing the file of an import: %w", err)
	}
	return nil
}

// openSource reads the file of a job, and makes CSV of it if it is something else.
func (s *Store) openSource(ctx context.Context, j *Job, in *Import) (_ *source, err error) {
	about := j.Base
	if j.Kind == ImportTable {
		about = j.Table
	}
	stored, content, err := s.Files.Uploaded(ctx, j.Org, about, j.Person, in.File)
	if about == j.Table && problem.KindOf(err) == problem.KindNotFound { // it was sent for an import
		stored, content, err = s.Files.Uploaded(ctx, j.Org, j.Base, j.Person, in.File)
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // it is for the person
	}
	defer func() { _ = content.Close() }() // it was only read
	spool, err := newSpool()
	if err != nil {
		return nil, err
	}
	out := &source{name: stored.Name, form: formCSV, spool: spool}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.close())
		}
	}()
	if err := copyPlain(spool, content, &stored); err != nil {
		return nil, err
	}
	switch head, err := headOf(spool); {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		out.form = formSheet
		if err := s.fromSheet(ctx, out, in.Sheet); err != nil {
			return nil, err
		}
	case in.Encoding == "" && hasUTF16Mark(head):
		out.encoding = "utf-16le"
		if head[0] == 0xfe {
			out.encoding = "utf-16be"
		}
		if err := out.replace(func(to *os.File) error {
			from := transform.NewReader(out.spool, unicode.BOMOverride(unicode.UTF8.NewDecoder()))
			_, err := io.Copy(to, from)
			return err //nolint:wrapcheck // replace does
		}); err != nil {
			return nil, err
		}
	case isJSON(head, stored.Name):
		out.form = formJSON
		forJSON, err := s.forJSON(ctx, j, in)
		if err != nil {
			return nil, err
		}
		if err := fromJSON(out, forJSON); err != nil {
			return nil, err
		}
	}
	return out, out.mapContent()
}

// hasUTF16Mark reports whether a file begins with the byte order mark of UTF-16.
func hasUTF16Mark(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// preview is the request that reads the source as an import says, and as only its form allows.
func (s *source) preview(in *Import) *record.PreviewRequest {
	request := &record.PreviewRequest{
		Content: s.content, Encoding: in.Encoding, Delimiter: in.Delimiter, Header: in.Header, Locale: in.Locale,
		PartRows: stepRows,
	}
	if s.form != formCSV { // it was written here
		request.Encoding, request.Delimiter = "utf-8", ','
	}
	if s.form == formJSON {
		named := true
		request.Header = &named
	}
	return request
}

// forJSON says which columns are for fields of JSON.
func (s *Store) forJSON(ctx context.Context, j *Job, in *Import) (func(at int, name string) bool, error) {
	var t *schema.Table
	if j.Kind == ImportTable {
		snapshot, err := s.Schema.Cached(catalog.WithoutCaller(ctx), j.Org)
		if err != nil {
			return nil, fmt.Errorf("reading the schema: %w", err)
		}
		t = snapshot.Table(j.Table)
	}
	return func(at int, name string) bool {
		kind := ""
		if at < len(in.Columns) {
			kind = in.Columns[at].Type
			if in.Columns[at].Field != "" {
				name = in.Columns[at].Field
			}
		}
		if t == nil {
			return kind == string(schema.JSON)
		}
		f := t.FieldByID(name)
		if f == nil {
			f = record.FieldOfColumn(t, name)
		}
		return f != nil && f.Type() == schema.JSON
	}, nil
}

// copyPlain copies a file, which may be compressed.
func copyPlain(to io.Writer, from io.Reader, stored *attachment.File) error {
	head := make([]byte, 2)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading an uploaded file: %w", err)
	}
	if n == 0 {
		return problem.Invalid("file", "is empty")
	}
	whole := io.MultiReader(bytes.NewReader(head[:n]), from)
	if string(head[:n]) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(whole)
		if err != nil {
			return problem.Invalid("file", "%q is not a whole gzip file", stored.Name)
		}
		whole = unpacked
	}
	size, err := io.Copy(to, io.LimitReader(whole, maxSource+1))
	switch {
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
		return problem.Invalid("file", "%q is not a whole gzip file", stored.Name)
	case err != nil:
		return fmt.Errorf("reading an uploaded file: %w", err)
	case size > maxSource:
		return &problem.Error{Kind: problem.KindTooLarge, Message: fmt.Sprintf(
			"The file has more than %d GB of text; divide it.", maxSource>>30)}
	}
	return nil
}

// headOf returns the beginning of a file, and goes back to it.
func headOf(file *os.File) ([]byte, error) {
	head := make([]byte, 512)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading an uploaded file: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("going back in a file: %w", err)
	}
	return head[:n], nil
}

// replace replaces the content by what write makes of it.
func (s *source) replace(write func(to *os.File) error) error {
	next, err := newSpool()
	if err != nil {
		return err
	}
	if err := write(next); err != nil {
		return errors.Join(fmt.Errorf("converting a file: %w", err), next.Close())
	}
	former := s.spool
	s.spool = next
	if err := former.Close(); err != nil {
		return fmt.Errorf("closing a file: %w", err)
	}
	return nil
}

// mapContent maps the file into memory.
func (s *source) mapContent() error {
	info, err := s.spool.Stat()
	if err != nil {
		return fmt.Errorf("looking at a file: %w", err)
	}
	if info.Size() == 0 {
		return problem.Invalid("file", "is empty")
	}
	s.content, err = unix.Mmap(int(s.spool.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("mapping a file: %w", err)
	}
	return nil
}

// isJSON reports whether a file is JSON or NDJSON: it is called so, or it begins as an object in a line of its own
// does.
func isJSON(head []byte, name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(head, []byte("{")) && !bytes.HasPrefix(head, []byte("[")) {
		return false
	}
	if bytes.HasPrefix(head, []byte(`{"`)) || bytes.HasPrefix(head, []byte(`[{"`)) {
		return true
	}
	return slices.Contains([]string{".json", ".ndjson", ".jsonl"}, path.Ext(name))
}
