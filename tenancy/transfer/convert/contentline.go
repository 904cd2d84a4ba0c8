package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A contentLine is a line of a vCard (RFC 6350) or of iCalendar (RFC 5545), unfolded: a name in upper case, parameters
// by their names, and a value whose escapes are still there.
type contentLine struct {
	name   string
	params map[string][]string
	value  string
}

// is reports whether a parameter has a value, in any case of letters. vCard 2.1 writes types without their name.
func (l *contentLine) is(param, value string) bool {
	for _, name := range []string{param, ""} {
		for _, one := range l.params[name] {
			if strings.EqualFold(one, value) {
				return true
			}
		}
	}
	return false
}

// A lineReader reads the lines of vCards and calendars.
type lineReader struct {
	from  *bufio.Reader
	next  string // a line that was read ahead
	waits bool
	at    int // lines that were read
}

func newLineReader(file *os.File) (*lineReader, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("going back in a file: %w", err)
	}
	return &lineReader{from: bufio.NewReaderSize(transform.NewReader(file,
		unicode.BOMOverride(encoding.Nop.NewDecoder())), 1<<16)}, nil
}

var errLongLine = fmt.Errorf("a line has more than %d MB", maxCell>>20)

// raw reads a line as it stands.
func (r *lineReader) raw() (string, error) {
	if r.waits {
		r.waits = false
		return r.next, nil
	}
	var line []byte
	for {
		part, err := r.from.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxCell {
			return "", errLongLine
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = nil
		}
		r.at++
		return strings.TrimRight(string(line), "\r\n"), err //nolint:wrapcheck // io.EOF ends the file
	}
}

// read reads a line with its continuations. It passes over what is no line of the form, as other programs do.
func (r *lineReader) read() (*contentLine, error) {
	for {
		text, err := r.raw()
		if err != nil {
			return nil, err
		}
		// A soft line break may be before a space that belongs to the value.
		if head, _, _ := strings.Cut(text, ":"); !strings.Contains(strings.ToUpper(head), "QUOTED-PRINTABLE") {
			if text, err = r.unfold(text); err != nil {
				return nil, err
			}
		}
		line := parseContentLine(text)
		if line == nil {
			continue
		}
		if line.is("ENCODING", "QUOTED-PRINTABLE") {
			for strings.HasSuffix(line.value, "=") { // a soft line break
				more, err := r.raw()
				if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return nil, err
				}
				if line.value = strings.TrimSuffix(line.value, "=") + more; len(line.value) > maxCell {
					return nil, errLongLine
				}
			}
			decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(line.value)))
			if err == nil {
				line.value = string(decoded)
			}
		}
		line.value = inUTF8(line.value, line.params["CHARSET"])
		return line, nil
	}
}

// unfold adds the lines that continue a line: they begin with white space.
func (r *lineReader) unfold(text string) (string, error) {
	var whole strings.Builder
	whole.WriteString(text)
	for {
		more, err := r.raw()
		if errors.Is(err, io.EOF) {
			return whole.String(), nil
		} else if err != nil {
			return "", err
		}
		if more == "" || more[0] != ' ' && more[0] != '\t' {
			r.next, r.waits = more, true
			return whole.String(), nil
		}
		if whole.WriteString(more[1:]); whole.Len() > maxCell {
			return "", errLongLine
		}
	}
}

// parseContentLine reads a line; nil if it is none.
func parseContentLine(text string) *contentLine {
	line := &contentLine{params: map[string][]string{}}
	end := strings.IndexAny(text, ";:")
	if end <= 0 {
		return nil
	}
	line.name = strings.ToUpper(text[:end])
	if dot := strings.LastIndexByte(line.name, '.'); dot >= 0 { // a group
		line.name = line.name[dot+1:]
	}
	rest := text[end:]
	for strings.HasPrefix(rest, ";") {
		part, isQuoted := rest[1:], false
		end = strings.IndexFunc(part, func(c rune) bool {
			if c == '"' {
				isQuoted = !isQuoted
			}
			return !isQuoted && (c == ';' || c == ':')
		})
		if end < 0 {
			return nil
		}
		name, value, named := strings.Cut(part[:end], "=")
		if !named {
			name, value = "", name
		}
		name = strings.ToUpper(name)
		for _, one := range strings.Split(value, ",") {
			line.params[name] = append(line.params[name], strings.Trim(one, `"`))
		}
		rest = part[end:]
	}
	if !strings.HasPrefix(rest, ":") {
		return nil
	}
	line.value = rest[1:]
	return line
}

// inUTF8 decodes a value in the encoding that is named, or else in Windows-1252 if it is not UTF-8.
func inUTF8(value string, charset []string) string {
	var from encoding.Encoding
	if len(charset) > 0 {
		from, _ = htmlindex.Get(charset[0])
	}
	if from == nil {
		if utf8.ValidString(value) {
			return value
		}
		from = charmap.Windows1252
	}
	decoded, err := from.NewDecoder().String(value)
	if err != nil {
		return strings.ToValidUTF8(value, string(utf8.RuneError))
	}
	return decoded
}

// parts splits a value at a separator that is not escaped, and takes the escapes out.
func parts(value string, separator byte) []string {
	var out []string
	var part strings.Builder
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\' && i+1 < len(value):
			i++
			if next := value[i]; next == 'n' || next == 'N' {
				part.WriteByte('\n')
			} else {
				part.WriteByte(next)
			}
		case c == separator && separator != 0:
			out = append(out, strings.TrimSpace(part.String()))
			part.Reset()
		default:
			part.WriteByte(c)
		}
	}
	return append(out, strings.TrimSpace(part.String()))
}

// whole is a value without escapes.
func whole(value string) string { return parts(value, 0)[0] }

// beginsWith reports whether a file begins with a text in any case of letters and any encoding of Unicode.
func beginsWith(head []byte, text string) bool {
	head = bytes.ReplaceAll(head, []byte{0}, nil)
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		head = bytes.TrimPrefix(head, []byte(mark))
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) >= len(text) && strings.EqualFold(string(head[:len(text)]), text)
}
