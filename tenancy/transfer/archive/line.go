package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// EachRecord calls use with the records of a table from a number on, counted from 0. It checks no hash unless all are
// read.
func (a *Archive) EachRecord(t *Table, from int, use func(line int, record *Record) error) error {
	return eachLine(a, a.Records(t), from, use)
}

// EachComment calls use with the comments on the records of a table, as EachRecord does with these.
func (a *Archive) EachComment(t *Table, from int, use func(line int, comment *Comment) error) error {
	return eachLine(a, a.Comments(t), from, use)
}

// eachLine calls use with the objects of an entry, which may be nil.
func eachLine[T any](a *Archive, e *Entry, from int, use func(line int, object *T) error) (err error) {
	if e == nil {
		return nil
	}
	content, err := a.Content(e)
	if err != nil {
		return err
	}
	defer func() {
		if failure := content.Close(); err == nil {
			err = failure
		}
	}()
	lines := newLines(content)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if lines.count <= from {
			continue
		}
		object := new(T)
		if err := json.Unmarshal(line, object); err != nil {
			return damaged("line %d of %q cannot be read: %s", lines.count, e.Path, err)
		}
		if err := use(lines.count-1, object); err != nil {
			return err
		}
	}
}

// verifyComments counts the comments of a table, and looks whether each is one on a record of it.
func (a *Archive) verifyComments(ctx context.Context, t *Table) error {
	e := a.Comments(t)
	if e == nil {
		return nil
	}
	count, last := 0, uuid.Nil
	err := a.EachComment(t, 0, func(line int, c *Comment) error {
		count++
		if ctx.Err() != nil {
			return context.Cause(ctx) //nolint:wrapcheck // it is the caller's
		}
		comment, _, _, err := c.Parse(t)
		if err != nil || c.CreatedAt.IsZero() || bytes.Compare(comment[:], last[:]) <= 0 {
			return damaged("line %d of %q is no comment on a record of %q, or not in its place", line+1, e.Path, t.Name)
		}
		last = comment
		return nil
	})
	if err == nil && count != e.Comments {
		return damaged("%q has %d comments, and its manifest says %d", e.Path, count, e.Comments)
	}
	return err
}

// Parse returns the ids of a comment on a record of a table, of the first one of its thread, and of its record.
func (c *Comment) Parse(t *Table) (comment, thread, row uuid.UUID, err error) {
	ofComment, comment, first := id.ParseComment(c.ID)
	ofThread, thread, second := id.ParseComment(c.Thread)
	ofRecord, row, third := id.ParseRecord(c.Record)
	err = errors.Join(first, second, third)
	if err == nil && (ofComment != t.Number || ofThread != t.Number || ofRecord != t.Number) {
		err = id.ErrMalformed
	}
	return comment, thread, row, err
}

// lines reads lines of a bounded length.
type lines struct {
	from   *bufio.Reader
	buffer []byte
	count  int
}

func newLines(from io.Reader) *lines { return &lines{from: bufio.NewReaderSize(from, 1<<16)} }

// next returns a line, which is valid until the next one, or io.EOF.
func (l *lines) next() ([]byte, error) {
	l.buffer = l.buffer[:0]
	for {
		part, err := l.from.ReadSlice('\n')
		l.buffer = append(l.buffer, part...)
		switch {
		case len(l.buffer) > maxLine:
			return nil, damaged("a record takes more than %d MB", maxLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buffer) > 0:
			return nil, damaged("its last record is cut")
		case err != nil:
			return nil, err //nolint:wrapcheck // io.EOF, or of Content
		}
		l.count++
		return l.buffer, nil
	}
}
