package attachment_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type bundle struct {
	db     *db.DB
	store  *attachment.Store
	folder string
	org    uuid.UUID
	person uuid.UUID
	table  uuid.UUID
}

func setup(t *testing.T, limits attachment.Limits) *bundle {
	t.Helper()
	b := &bundle{db: tenancytest.DB(t), folder: t.TempDir(), table: id.New()}
	b.org, b.person = tenancytest.Org(t, b.db)
	blobs, err := attachment.NewDisk(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	if limits.File == 0 {
		limits.File = 1 << 20
	}
	b.store = attachment.New(b.db, blobs, limits)
	return b
}

func (b *bundle) receive(t *testing.T, name string, content []byte) (attachment.File, error) {
	t.Helper()
	return b.store.Receive(t.Context(), b.org, b.person, b.table,
		attachment.Upload{Name: name, Size: int64(len(content)), Content: bytes.NewReader(content)})
}

// remaining counts the remaining rows and blobs of the organization.
func (b *bundle) remaining(t *testing.T) (rows, files int) {
	t.Helper()
	err := b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select count(*) from rowhouse.attachment where org_id = $1", b.org).Scan(&rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(b.folder, func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, files
}

func (b *bundle) content(t *testing.T, file uuid.UUID, thumbnail bool) []byte {
	t.Helper()
	_, content, err := b.store.Content(t.Context(), b.org, file, thumbnail)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close()); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestMediaTypeIsDetectedFromContent(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	for _, c := range []struct{ name, content, want string }{
		{"photo.png", "<!doctype html><script>alert(1)</script>", "text/html"},
		{"photo.jpg", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`, "image/svg+xml"},
		{"plan.html", "%PDF-1.7\n", "application/pdf"},
		{"rows.csv", "not much of a table", "text/csv"},
		{"noted", "some words", "text/plain"},
		{"empty.txt", "", "text/plain"},
		{"odd", "\x00\x01\x02\x03\xff", "application/octet-stream"},
	} {
		f, err := b.receive(t, c.name, []byte(c.content))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if f.Type != c.want || f.Name != c.name || f.Size != int64(len(c.content)) || f.HasThumbnail() {
			t.Errorf("%s: %+v, want %s", c.name, f, c.want)
		}
		if got := b.content(t, f.ID, false); string(got) != c.content {
			t.Errorf("%s: read %q", c.name, got)
		}
	}
}

func TestFileNameIsCleaned(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	for name, want := range map[string]string{
		`C:\Users\a\plan.pdf`: "plan.pdf",
		"../../etc/passwd":    "passwd",
		" a.txt ":             "a.txt",
	} {
		if f, err := b.receive(t, name, []byte("x")); err != nil || f.Name != want {
			t.Errorf("%q: %q, %v", name, f.Name, err)
		}
	}
	for _, name := range []string{"", "..", "a/", "\x00", strings.Repeat("a", 256)} {
		if _, err := b.receive(t, name, []byte("x")); problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestRejectedUploadLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{File: 1000, Types: []string{"image/*", "application/pdf"}})
	unread := readerFunc(func([]byte) (int, error) { t.Error("the content was read"); return 0, io.EOF })
	large := strings.NewReader(strings.Repeat("x", 1001))
	for name, c := range map[string]struct {
		in   attachment.Upload
		kind problem.Kind
		code string
	}{
		"announced as too large": {
			attachment.Upload{Size: 1001, Content: unread}, problem.KindTooLarge, "file_too_large",
		},
		"too large": {attachment.Upload{Size: -1, Content: large}, problem.KindTooLarge, "file_too_large"},
		"shorter than announced": {
			attachment.Upload{Size: 10, Content: strings.NewReader("%PDF-")}, problem.KindInvalid, "upload_cut_off",
		},
		"connection lost": {
			attachment.Upload{Size: 10, Content: iotest.ErrReader(io.ErrUnexpectedEOF)},
			problem.KindInvalid,
			"upload_cut_off",
		},
		"of a type not taken": {
			attachment.Upload{Size: 5, Content: strings.NewReader("words")}, problem.KindInvalid, "file_type_refused",
		},
	} {
		c.in.Name = "a.pdf"
		_, err := b.store.Receive(t.Context(), b.org, b.person, b.table, c.in)
		var wrong *problem.Error
		if !errors.As(err, &wrong) || wrong.Kind != c.kind || wrong.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rows, files := b.remaining(t); rows != 0 || files != 0 {
		t.Errorf("%d rows and %d files remain", rows, files)
	}
	if _, err := b.receive(t, "a.pdf", []byte("%PDF-1.7\n")); err != nil {
		t.Error(err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestQuotaHoldsForConcurrentUploads(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{File: 400, Organization: 1000})
	var all sync.WaitGroup
	var mu sync.Mutex
	taken := 0
	for range 10 {
		all.Go(func() {
			_, err := b.receive(t, "a.txt", bytes.Repeat([]byte("x"), 300))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				taken++
			case problem.KindOf(err) != problem.KindTooLarge:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if taken != 3 {
		t.Errorf("%d files of 300 bytes were taken into 1000", taken)
	}
	if rows, files := b.remaining(t); rows != 3 || files != 3 {
		t.Errorf("%d rows and %d files remain", rows, files)
	}
}

func TestUploadWithoutABlobStoreIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	b.store = attachment.New(b.db, nil, attachment.Limits{})
	if _, err := b.receive(t, "a.txt", nil); problem.KindOf(err) != problem.KindConflict ||
		!strings.Contains(err.Error(), "ATTACHMENT_URL") {
		t.Errorf("got %v", err)
	}
}

func TestFileOfAnotherOrganizationIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	f, err := b.receive(t, "a.txt", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := tenancytest.Org(t, b.db)
	if _, _, err := b.store.Content(t.Context(), other, f.ID, false); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("got %v", err)
	}
	if found, err := attachment.Find(t.Context(), b.db, other, b.table, []uuid.UUID{f.ID}); err != nil ||
		len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

func picture(w, h int, through bool) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 200, A: 255} // red on the left, blue on the right
			if x > w/2 {
				c = color.NRGBA{B: 200, A: 255}
			}
			if through && y > h/2 {
				c.A = 0
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func encoded(t *testing.T, img image.Image, as string) []byte {
	t.Helper()
	var out bytes.Buffer
	err := jpeg.Encode(&out, img, nil)
	if as == "png" {
		out.Reset()
		err = png.Encode(&out, img)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// withExif inserts an Exif segment with an orientation into a JPEG.
func withExif(photo []byte, orientation uint16) []byte {
	exif := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	exif = binary.BigEndian.AppendUint16(exif, orientation)
	exif = append(exif, 0, 0, 0, 0, 0, 0)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(append([]byte{}, photo[:2]...), append(segment, exif...)...), photo[2:]...)
}

func TestThumbnailFollowsTheOrientation(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	for name, c := range map[string]struct {
		content       []byte
		width, height int
		side          image.Point // of the thumbnail
		kind          string
	}{
		"photo":     {encoded(t, picture(960, 480, false), "jpg"), 960, 480, image.Pt(480, 240), "jpeg"},
		"small":     {encoded(t, picture(30, 20, false), "png"), 30, 20, image.Pt(30, 20), "jpeg"},
		"through":   {encoded(t, picture(600, 600, true), "png"), 600, 600, image.Pt(480, 480), "png"},
		"a line":    {encoded(t, picture(2000, 1, false), "png"), 2000, 1, image.Pt(480, 1), "jpeg"},
		"turned":    {withExif(encoded(t, picture(960, 480, false), "jpg"), 6), 480, 960, image.Pt(240, 480), "jpeg"},
		"head down": {withExif(encoded(t, picture(960, 480, false), "jpg"), 3), 960, 480, image.Pt(480, 240), "jpeg"},
	} {
		f, err := b.receive(t, name, c.content)
		if err != nil || f.Width != c.width || f.Height != c.height {
			t.Errorf("%s: %+v, %v", name, f, err)
			continue
		}
		small, kind, err := image.Decode(bytes.NewReader(b.content(t, f.ID, true)))
		if err != nil || kind != c.kind || small.Bounds().Size() != c.side {
			t.Errorf("%s: a %s of %v, %v", name, kind, small.Bounds(), err)
			continue
		}
		// A pixel of the side that was red before rotation.
		at := image.Pt(1, 0)
		switch name {
		case "turned":
			at = image.Pt(1, 1)
		case "head down":
			at = image.Pt(c.side.X-2, c.side.Y-1)
		}
		if r, _, blue, _ := small.At(at.X, at.Y).RGBA(); r < blue {
			t.Errorf("%s: the pixel at %v is blue", name, at)
		}
	}
}

func TestUndecodableImageHasNoThumbnail(t *testing.T) {
	t.Parallel()
	b := setup(t, attachment.Limits{})
	bomb := encoded(t, picture(2, 2, false), "png")
	binary.BigEndian.PutUint32(bomb[16:], 60_000) // width and height, and the sum over them
	binary.BigEndian.PutUint32(bomb[20:], 60_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	photo := encoded(t, picture(500, 500, false), "jpg")
	for name, content := range map[string][]byte{
		"too many pixels": bomb, "cut off": photo[:300], "nothing but a beginning": photo[:20],
	} {
		f, err := b.receive(t, name, content)
		if err != nil || f.HasThumbnail() {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
		if _, _, err := b.store.Content(t.Context(), b.org, f.ID, true); problem.KindOf(err) != problem.KindNotFound {
			t.Errorf("%s: its thumbnail: %v", name, err)
		}
	}
}
