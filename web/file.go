package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/share"
)

// FilePath is where the content of files is read, each below it under an address that ends by itself.
const FilePath = "/files"

// FilePolicy is the content security policy of every file: nothing in it runs, and it is of no origin, the service's least of all.
const FilePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// inlineTypes are the types that a browser may show: images that can hold no script. Everything else is to be stored.
var inlineTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// stallTimeout is how long a reader of a file may take nothing.
const stallTimeout = time.Minute

// FileDeps are what files are read with; all are needed.
type FileDeps struct {
	Files  *attachment.Store
	Links  *attachment.Links
	Shares *share.Store
	Log    *slog.Logger
}

// Files serves the content of files. The address is the permission, and says for how long; it needs no session and takes none. The content
// goes through this handler and never straight from the store of files, so that what is said of it is said here, in one place.
func Files(deps FileDeps) http.Handler { return &fileHandler{deps, publicPage()} }

type fileHandler struct {
	FileDeps

	page *template.Template // what a person is told who opens an address that has ended
}

func errFileNotFound() error {
	return &problem.Error{
		Kind: problem.KindNotFound, Code: "file_address_ended",
		Message: "This address does not lead to a file, or not any more: addresses of files end after some minutes. Read the record again for a new one.",
	}
}

func (s *fileHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", FilePolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := route.MethodNotAllowed(w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions}); err != nil {
			problem.Write(w, r, err)
		}
		return
	}
	if err := s.serve(w, r); err != nil {
		if problem.KindOf(err) == problem.KindNotFound {
			s.writeExpired(w, r)
			return
		} else if kind := problem.KindOf(err); kind == problem.KindInternal || kind == problem.KindUnavailable {
			s.Log.ErrorContext(r.Context(), "a file could not be read", slog.Any("error", err))
		}
		problem.Write(w, r, err)
	}
}

// writeExpired tells that there is no file, or not any more: a person with a page, a program with a problem.
func (s *fileHandler) writeExpired(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		problem.Write(w, r, errFileNotFound())
		return
	}
	var page bytes.Buffer
	if err := s.page.Execute(&page, shareView{Error: "The address of this file has ended: addresses of files are good for some minutes. Go back to where you found it, load that page again, and open the file from there."}); err != nil {
		s.Log.ErrorContext(r.Context(), "the page for an ended address could not be written", slog.Any("error", err))
		problem.Write(w, r, errFileNotFound())
		return
	}
	w.Header().Set("Content-Security-Policy", PagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(page.Bytes()) // the browser may be gone
}

func (s *fileHandler) serve(w http.ResponseWriter, r *http.Request) error {
	token, name, ok := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), FilePath+"/"), "/")
	name, err := url.PathUnescape(name)
	if !ok || err != nil {
		return errFileNotFound()
	}
	link, err := s.Links.Read(token, name)
	if err != nil {
		return errFileNotFound()
	}
	if err := s.checkShare(r.Context(), link); err != nil {
		return err
	}
	file, content, err := s.Files.Content(r.Context(), link.Org, link.File, link.Thumbnail)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("measuring a file: %w", err)
	}
	if !link.Thumbnail && size != file.Size {
		return fmt.Errorf("a file has %d bytes instead of %d", size, file.Size)
	}
	header := w.Header()
	disposition := "attachment"
	switch {
	case link.Thumbnail:
		disposition = "inline"
		header.Set("Content-Type", thumbnailType(content))
	case slices.Contains(inlineTypes, file.Type):
		disposition = "inline"
		header.Set("Content-Type", file.Type)
	default:
		// What a browser is never to show needs no type that it could act on.
		header.Set("Content-Type", "application/octet-stream")
	}
	header.Set("Content-Disposition", contentDisposition(disposition, name))
	header.Set("Cache-Control", "private, max-age="+strconv.Itoa(max(0, int(time.Until(link.Until).Seconds())))+", immutable")
	header.Set("ETag", `"`+id.Format(id.Attachment, file.ID)+strconv.Itoa(int(size))+`"`)
	http.ServeContent(&deadlineWriter{w, http.NewResponseController(w)}, r, "", time.Time{}, content)
	return nil
}

// checkShare makes sure that the share that an address came from has not ended.
func (s *fileHandler) checkShare(ctx context.Context, link attachment.Link) error {
	if link.Share == uuid.Nil {
		return nil
	}
	org, _, err := s.Shares.Resolve(ctx, id.Format(id.Share, link.Share))
	if errors.Is(err, share.ErrUnknown) || err == nil && org != link.Org {
		return errFileNotFound()
	}
	return err
}

// thumbnailType is JPEG or PNG, which are all that thumbnails are.
func thumbnailType(content io.ReadSeeker) string {
	var first [1]byte
	_, err := content.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.ReadFull(content, first[:])
	}
	if err == nil && first[0] == 0x89 {
		return "image/png"
	}
	return "image/jpeg"
}

// contentDisposition names a file to whoever stores it (RFC 6266): in ASCII, and as it is.
func contentDisposition(disposition, name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	value := mime.FormatMediaType(disposition, map[string]string{"filename": plain})
	if value == "" {
		value = disposition
	}
	if plain != name {
		value += "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	return value
}

// A deadlineWriter answer may take its time, as long as somebody reads it.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (f *deadlineWriter) Write(b []byte) (int, error) {
	if err := f.control.SetWriteDeadline(time.Now().Add(stallTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return f.ResponseWriter.Write(b) //nolint:wrapcheck // the connection's own
}
