package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// fromJSON makes CSV of JSON: a list of objects, or one object after the other. The columns are the members of all
// objects in the order in which they first appear. Of records as the API returns them, the fields are taken. The values
// of columns that are for JSON, by position and name, stay JSON.
func fromJSON(s *source, forJSON func(at int, name string) bool) error {
	var names []string
	columns := map[string]int{}
	err := eachObject(s, func(members [][2]json.RawMessage) error {
		for _, m := range members {
			if _, known := columns[string(m[0])]; !known {
				if len(names) == convert.MaxColumns {
					return problem.Invalid("file", "has objects with more than %d members together", convert.MaxColumns)
				}
				columns[string(m[0])] = len(names)
				names = append(names, string(m[0]))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return problem.Invalid("file", "has no objects with members")
	}
	isJSON := make([]bool, len(names))
	for i, name := range names {
		isJSON[i] = forJSON(i, name)
	}
	return s.replace(func(to *os.File) error {
		out := bufio.NewWriterSize(to, 1<<16)
		var line bytes.Buffer
		cells := make([]string, len(names))
		for i, name := range names {
			cells[i] = delimited.Guard(name)
		}
		delimited.Write(&line, cells)
		err := eachObject(s, func(members [][2]json.RawMessage) error {
			clear(cells)
			for _, m := range members {
				at, cell := columns[string(m[0])], ""
				if isJSON[at] && jsonvalue.Kind(m[1]) == jsonvalue.Array {
					cell = string(m[1])
				} else {
					cell = cellOf(m[1])
				}
				cells[at] = delimited.Guard(cell)
			}
			delimited.Write(&line, cells)
			_, err := out.Write(line.Bytes())
			line.Reset()
			return err //nolint:wrapcheck // replace does
		})
		return errors.Join(err, out.Flush())
	})
}

// eachObject calls fn with the members of each object of a file, from its beginning. The first part of a member is its
// name, decoded.
func eachObject(s *source, fn func(members [][2]json.RawMessage) error) error {
	if _, err := s.spool.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("going back in a file: %w", err)
	}
	from := bufio.NewReaderSize(s.spool, 1<<16)
	if mark, err := from.Peek(3); err == nil && string(mark) == delimited.ByteOrderMark {
		_, _ = from.Discard(3) // it was peeked
	}
	decoder := json.NewDecoder(from)
	list := false
	for n := 1; ; n++ {
		if n == 1 && beginsList(from) {
			list = true
			if _, err := decoder.Token(); err != nil {
				return notJSON(n, err)
			}
		}
		if list && !decoder.More() {
			return nil
		}
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) && !list {
			return nil
		}
		if err != nil {
			return notJSON(n, err)
		}
		members, err := membersOf(raw)
		if err != nil {
			return notJSON(n, err)
		}
		if err := fn(members); err != nil {
			return err
		}
	}
}

// beginsList reports whether what comes next is a list.
func beginsList(from *bufio.Reader) bool {
	for n := 1; n < 1<<12; n++ {
		head, err := from.Peek(n)
		if err != nil {
			return false
		}
		if last := head[n-1]; last != ' ' && last != '\n' && last != '\r' && last != '\t' {
			return last == '['
		}
	}
	return false
}

func notJSON(n int, cause error) error {
	return problem.Invalid("file", "is not JSON at object %d: %s", n, cause)
}

// membersOf returns the members of an object, or those of its fields if it is a record.
func membersOf(raw json.RawMessage) (members [][2]json.RawMessage, err error) {
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		return nil, fmt.Errorf("it is %s and not an object", jsonvalue.Describe(raw))
	}
	var fields json.RawMessage
	isRecord := false
	err = jsonvalue.Members(raw, func(name string, value []byte) bool {
		if name == "fields" && jsonvalue.Kind(value) == jsonvalue.Object {
			fields = value
		}
		isRecord = isRecord || name == "id" && bytes.HasPrefix(value, []byte(`"rec_`))
		members = append(members, [2]json.RawMessage{json.RawMessage(name), value})
		return true
	})
	if err == nil && isRecord && fields != nil {
		return membersOf(fields)
	}
	return members, err //nolint:wrapcheck // eachObject says where
}

// cellOf writes a value as a cell: lists of texts as names, and what is nested as JSON.
func cellOf(raw []byte) string {
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Null:
		return ""
	case jsonvalue.String:
		text, err := jsonvalue.Unquote(raw)
		if err != nil {
			return string(raw)
		}
		return text
	case jsonvalue.Array:
		var parts []string
		if json.Unmarshal(raw, &parts) == nil {
			return field.JoinNames(parts)
		}
	}
	return string(raw)
}
