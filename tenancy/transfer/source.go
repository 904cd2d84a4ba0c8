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

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// A source is the file of an import as CSV. Its content is a file that is mapped into memory, so that a large one takes
// memory that the system can take back.
type source struct {
	name     string // of the file
	form     string
	part     string // of the file, such as the sheet of a spreadsheet
	parts    []string
	columns  []convert.Column // what the file says of them
	encoding string           // of a file that was converted to UTF-8
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
	out := &source{name: stored.Name, form: convert.CSV, spool: spool}
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
	case convert.FormOf(head) != "":
		if err := s.convert(ctx, out, convert.FormOf(head), in.Sheet); err != nil {
			return nil, err
		}
		if out.form == convert.JSON {
			if err := s.readJSON(ctx, j, in, out); err != nil {
				return nil, err
			}
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
		if err := s.readJSON(ctx, j, in, out); err != nil {
			return nil, err
		}
	}
	return out, out.mapContent()
}

// convert makes CSV of a file of another form.
func (s *Store) convert(ctx context.Context, src *source, form, wanted string) error {
	var result *convert.Result
	to, err := newSpool()
	if err != nil {
		return err
	}
	if result, err = s.Converter.Convert(ctx, src.spool, to, form, wanted); err != nil || result.Form == convert.JSON {
		src.form = convert.JSON // it was nothing else
		return errors.Join(err, to.Close())
	}
	former := src.spool
	src.spool = to
	if err := former.Close(); err != nil {
		return fmt.Errorf("closing a file: %w", err)
	}
	switch {
	case result.Name != "":
		src.name = result.Name + extensions[CSV]
	case wanted != "" && result.Part != "": // so that imports of several sheets make tables of several names
		src.name = result.Part + extensions[CSV]
	}
	src.form, src.part, src.parts, src.columns = result.Form, result.Part, result.Parts, result.Columns
	src.notes = append(src.notes, result.Notes...)
	if others := slices.DeleteFunc(slices.Clone(src.parts), func(name string) bool {
		return name == src.part
	}); len(others) > 0 {
		src.notes = append(src.notes, fmt.Sprintf("%q was read. Others with rows: %s; each is an import of its own.",
			src.part, problem.List(others)))
	}
	return nil
}

// read finds out how the file is read. What the file says of its columns goes before what their cells show.
func (s *source) read(in *Import) (*record.Preview, error) {
	read, err := record.PreviewFile(s.preview(in))
	if err != nil {
		return nil, err //nolint:wrapcheck // it is for the person
	}
	read.Columns = read.Columns[:read.Width()]
	for i := range min(len(read.Columns), len(s.columns)) {
		read.Columns[i].Declare(s.columns[i].Type, s.columns[i].Options)
	}
	return read, nil
}

// readJSON makes CSV of JSON.
func (s *Store) readJSON(ctx context.Context, j *Job, in *Import, src *source) error {
	src.form = convert.JSON
	forJSON, err := s.forJSON(ctx, j, in)
	if err != nil {
		return err
	}
	return fromJSON(src, forJSON)
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
	if s.form != convert.CSV { // it was written here
		request.Encoding, request.Delimiter = "utf-8", ','
	}
	if s.form == convert.JSON || s.columns != nil {
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
	head := make([]byte, 4)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading an uploaded file: %w", err)
	}
	if n == 0 {
		return problem.Invalid("file", "is empty")
	}
	packed := &faultReader{from: io.MultiReader(bytes.NewReader(head[:n]), from)}
	whole, form := io.Reader(packed), ""
	switch {
	case bytes.HasPrefix(head[:n], []byte("\x1f\x8b")):
		unpacked, err := gzip.NewReader(whole)
		switch {
		case packed.fault != nil:
			return fmt.Errorf("reading an uploaded file: %w", packed.fault)
		case err != nil:
			return problem.Invalid("file", "%q is not a whole gzip file", stored.Name)
		}
		whole, form = unpacked, "gzip"
	case string(head[:n]) == "\x28\xb5\x2f\xfd":
		unpacked, err := zstd.NewReader(whole, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return fmt.Errorf("beginning to unpack a file: %w", err)
		}
		defer unpacked.Close()
		whole, form = unpacked, "zstd"
	}
	plain := &faultReader{from: whole}
	size, err := io.Copy(to, io.LimitReader(plain, convert.MaxText+1))
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return problem.Invalid("file", "%q needs more than %d MB of memory to unpack; compress it with a smaller "+
			"window", stored.Name, maxWindow>>20)
	case plain.fault != nil && packed.fault == nil && form != "":
		return problem.Invalid("file", "%q is not a whole %s file", stored.Name, form)
	case err != nil:
		return fmt.Errorf("reading an uploaded file: %w", err)
	case size > convert.MaxText:
		return &problem.Error{Kind: problem.KindTooLarge, Message: fmt.Sprintf(
			"The file has more than %d GB of text; divide it.", convert.MaxText>>30)}
	}
	return nil
}

// maxWindow bounds the memory that unpacking a zstd file takes, in bytes. RFC 8878 recommends that decoders take 8 MiB;
// zstd --ultra takes more.
const maxWindow = 32 << 20

// A faultReader keeps the error of a reader, so that one of a format is not taken for one of the storage.
type faultReader struct {
	from  io.Reader
	fault error
}

func (r *faultReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.fault = err
	}
	return n, err //nolint:wrapcheck // it is the reader's
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
	name = strings.ToLower(unpackedName(name))
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(head, []byte("{")) && !bytes.HasPrefix(head, []byte("[")) {
		return false
	}
	if bytes.HasPrefix(head, []byte(`{"`)) || bytes.HasPrefix(head, []byte(`[{"`)) {
		return true
	}
	return slices.Contains([]string{".json", ".ndjson", ".jsonl"}, path.Ext(name))
}

// unpackedName is the name of a file without the end that says how it is compressed.
func unpackedName(name string) string {
	for _, end := range []string{".gz", ".zst"} {
		if len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}
