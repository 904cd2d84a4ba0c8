package attachment

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

func read(t *testing.T, mediaType, content string) Text {
	t.Helper()
	text, err := ReadText(t.Context(), mediaType, strings.NewReader(content))
	if err != nil {
		t.Fatalf("reading %s: %v", mediaType, err)
	}
	return text
}

func TestTextsAreDecoded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ mediaType, content, want, encoding string }{
		{"text/plain", "one\r\ntwo\x00", "one\ntwo", ""},
		{"text/csv", "\xef\xbb\xbfName,Größe\n", "Name,Größe\n", ""},
		{"text/csv", "Name,Gr\xf6\xdfe \x80\n", "Name,Größe €\n", "Windows-1252"},
		{"text/plain; charset=utf-16le", "\xff\xfeA\x00\xac\x20", "A€", "UTF-16"},
		{"text/plain", "\xfe\xff\x00A\x20\xac", "A€", "UTF-16"},
		{"application/json", `{"a": [1]}`, `{"a": [1]}`, ""},
		{"text/markdown", "# Title\n", "# Title\n", ""},
		{"text/plain", "", "", ""},
	} {
		got := read(t, test.mediaType, test.content)
		if got.Text != test.want || got.Encoding != test.encoding || got.Cut {
			t.Errorf("%q as %s is %+v", test.content, test.mediaType, got)
		}
	}
	for _, mediaType := range []string{"application/zip", "image/png", "text/rtf", "application/octet-stream", ""} {
		if HasText(mediaType) {
			t.Errorf("%s has text", mediaType)
		}
	}
}

func TestHTMLIsReadAsItIsSeen(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><title>Quay</title><style>p{}</style><script>let a = "<p>no</p>"</script>
		<h1>Ships &amp; <b>boats</b></h1><p>One<br>two <i>three</i>, <a href="x">four</a>.<template><p>no</p></template>
		<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table><svg><svg><text>no</text></svg>no</svg><p>end`
	want := "Quay\nShips & boats\nOne\ntwo three, four.\n1\t2\n3\nend"
	if got := read(t, "text/html", page).Text; got != want {
		t.Errorf("the page is %q, not %q", got, want)
	}
	deep := strings.Repeat("<div><b>", 200_000) + "x"
	if got := read(t, "text/html", deep).Text; got != "x" {
		t.Errorf("a deep page is %.100q", got)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	got := read(t, "text/plain", strings.Repeat("ä", maxText))
	if !got.Cut || len(got.Text) > maxText || strings.Trim(got.Text, "ä") != "" {
		t.Errorf("%d bytes of a long text, cut %v", len(got.Text), got.Cut)
	}
	_, err := ReadText(t.Context(), "text/plain", bytes.NewReader(make([]byte, MaxTextSize+1)))
	if problem.KindOf(err) != problem.KindConflict || !strings.Contains(err.Error(), "20 MB") {
		t.Errorf("a file that is too large: %v", err)
	}
}

// writePDF writes a PDF with a page for each text, with the offsets that it says.
func writePDF(texts ...string) string {
	var out strings.Builder
	var offsets []int
	object := func(body string) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	out.WriteString("%PDF-1.4\n")
	var kids strings.Builder
	for i := range texts {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(texts)))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	for i, text := range texts {
		content := "BT /F1 12 Tf 72 720 Td (" + text + ") Tj ET"
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "+
			"/Resources << /Font << /F1 3 0 R >> >> >>", 5+2*i))
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.String()
}

func TestPagesOfPDF(t *testing.T) { //nolint:paralleltest // another test shortens the time
	got := read(t, "application/pdf", writePDF("Harbour dues", "Second page"))
	if want := "[Page 1]\nHarbour dues\n\n[Page 2]\nSecond page\n\n"; got.Text != want || got.Pages != 2 || got.Cut {
		t.Errorf("the PDF is %+v", got)
	}
}

func TestManyPagesAreCut(t *testing.T) { //nolint:paralleltest // see above
	got := read(t, "application/pdf", writePDF(make([]string, maxPages+5)...))
	if got.Pages != maxPages+5 || !got.Cut || strings.Contains(got.Text, fmt.Sprintf("[Page %d]", maxPages+1)) {
		t.Errorf("%d pages, cut %v", got.Pages, got.Cut)
	}
}

// Whatever is in a PDF, it is read or refused, and the next one is read.
func TestHostilePDFs(t *testing.T) { //nolint:paralleltest // see above
	good := writePDF("Harbour dues")
	files := map[string]string{
		"nothing": "", "no PDF": "hello", "the beginning": good[:len(good)/2],
		"no trailer":                    good[:strings.Index(good, "xref")],
		"a page tree that holds itself": strings.Replace(good, "/Kids [4 0 R ]", "/Kids [2 0 R ]", 1),
		"a count that is not so":        strings.Replace(good, "/Count 1", "/Count 999999999", 1),
		"a negative count":              strings.Replace(good, "/Count 1", "/Count -7", 1),
		"a length that is not so":       strings.Replace(good, "/Length ", "/Length 99999999", 1),
		"a length that is itself":       strings.Replace(good, "/Length ", "/Length 5 0 R %", 1),
		"a content that is a font":      strings.Replace(good, "/Contents 5", "/Contents 3", 1),
		"nested arrays":                 "%PDF-1.4\n1 0 obj\n" + strings.Repeat("[", 1<<20),
		"nested dictionaries":           "%PDF-1.4\n1 0 obj\n" + strings.Repeat("<</A ", 1<<18),
		"a password": strings.Replace(good, "/Root 1 0 R", "/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 "+
			"/O <"+strings.Repeat("41", 32)+"> /U <"+strings.Repeat("42", 32)+"> >> /ID [<41><41>]", 1),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		broken := []byte(good)
		for range 1 + random.IntN(20) {
			broken[random.IntN(len(broken))] = byte(random.IntN(256))
		}
		files[fmt.Sprintf("changed %d", i)] = string(broken)
	}
	for name, file := range files {
		text, err := ReadText(t.Context(), "application/pdf", strings.NewReader(file))
		if err != nil && problem.KindOf(err) != problem.KindConflict {
			t.Errorf("%s: %v", name, err)
		}
		if len(text.Text) > maxText {
			t.Errorf("%s: %d bytes", name, len(text.Text))
		}
		if name == "a password" && (err == nil || !strings.Contains(err.Error(), "password")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := read(t, "application/pdf", good); !strings.Contains(got.Text, "Harbour dues") {
		t.Errorf("afterwards the PDF is %+v", got)
	}
}

func TestSlowPDFIsGivenUp(t *testing.T) { //nolint:paralleltest // it shortens the time of all
	read(t, "application/pdf", writePDF("so that it is compiled"))
	pdfTimeout = time.Millisecond
	_, err := ReadText(t.Context(), "application/pdf", strings.NewReader(writePDF(make([]string, maxPages)...)))
	pdfTimeout = maxReading
	if problem.KindOf(err) != problem.KindConflict || !strings.Contains(err.Error(), "took longer") {
		t.Errorf("a slow PDF: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadText(ctx, "application/pdf", strings.NewReader(writePDF("x"))); err == nil {
		t.Error("a PDF was read for a caller who had gone")
	}
	for range 2 * maxInstances { // instances that were given up are replaced
		read(t, "application/pdf", writePDF("Harbour dues"))
	}
}
