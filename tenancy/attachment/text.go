package attachment

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/rowhouse/rowhouse/problem"
)

// MaxTextSize bounds the files whose text is read, in bytes.
const MaxTextSize = 20 << 20

// maxText bounds the text that is read of a file, in bytes. The rest is left out.
const maxText = 4 << 20

// A Text is the text of a file.
type Text struct {
	Text     string
	Pages    int    // of a PDF
	Encoding string // other than UTF-8
	Cut      bool   // the file has more text than is read of one
}

// A kind is how the text of a file is found.
type kind int

const (
	unreadable kind = iota
	plain
	markup
	portable
)

// plainTypes are media types of texts whose names do not begin with text/.
var plainTypes = map[string]bool{
	"application/json": true, "application/geo+json": true, "application/x-ndjson": true, "application/xml": true,
	"application/javascript": true, "application/x-yaml": true, "application/yaml": true, "application/toml": true,
	"application/sql": true, "application/rtf": false, "text/rtf": false, "image/svg+xml": true,
}

func kindOf(mediaType string) kind {
	bare, _, _ := strings.Cut(mediaType, ";")
	text, listed := plainTypes[bare]
	switch {
	case bare == "application/pdf":
		return portable
	case bare == "text/html" || bare == "application/xhtml+xml":
		return markup
	case text || !listed && strings.HasPrefix(bare, "text/"):
		return plain
	}
	return unreadable
}

// HasText reports whether files of a media type have text that can be read.
func HasText(mediaType string) bool { return kindOf(mediaType) != unreadable }

// ReadText returns the text of a file of a media type of which HasText is true. It returns an error of kind conflict
// for a
// file that cannot be read.
func ReadText(ctx context.Context, mediaType string, content io.Reader) (Text, error) {
	raw, err := io.ReadAll(io.LimitReader(content, MaxTextSize+1))
	if err != nil {
		return Text{}, fmt.Errorf("reading a file: %w", err)
	}
	if len(raw) > MaxTextSize {
		return Text{}, errTooLarge
	}
	switch kindOf(mediaType) {
	case portable:
		return readPDF(ctx, raw)
	case markup:
		out, err := decode(raw)
		if err != nil {
			return Text{}, err
		}
		out.Text = textOfHTML(out.Text)
		return out.cut(), nil
	case plain:
		out, err := decode(raw)
		out.Text = strings.ReplaceAll(out.Text, "\r\n", "\n")
		return out.cut(), err
	case unreadable:
	}
	return Text{}, fmt.Errorf("a file of type %s has no text", mediaType)
}

var errTooLarge = refused(problem.CodeFileTooLarge,
	"The file is larger than %d MB, and its text is not read. Its url has the file.", MaxTextSize>>20)

func refused(code, format string, args ...any) *problem.Error {
	return problem.Conflict(format, args...).WithCode(code)
}

// cut cuts a text to maxText.
func (t Text) cut() Text {
	if len(t.Text) <= maxText {
		return t
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(t.Text[end]) {
		end--
	}
	t.Text, t.Cut = t.Text[:end], true
	return t
}

// decode returns a text in UTF-8: what a byte order mark says, UTF-8 if it is valid, and else Windows-1252, in which
// spreadsheets of Western Europe write CSV.
func decode(raw []byte) (Text, error) {
	var from encoding.Encoding
	var name string
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		from, name = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), "UTF-16"
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		from, name = unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), "UTF-16"
	}
	if from == nil && !utf8.Valid(raw) {
		from, name = charmap.Windows1252, "Windows-1252"
	}
	if from == nil {
		return Text{Text: clean(string(raw))}, nil
	}
	decoded, err := from.NewDecoder().Bytes(raw)
	if err != nil {
		return Text{}, refused(
			problem.CodeUnreadableFile,
			"The file is not valid %s. Its url has the file.",
			name,
		).Because(err)
	}
	return Text{Text: clean(string(decoded)), Encoding: name}, nil
}

// clean removes NUL, which no text needs and some clients end at.
func clean(text string) string { return strings.ReplaceAll(text, "\x00", "") }
