package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// FilePath is the path below which file contents are served, each at an expiring URL.
const FilePath = "/files"

// FilePolicy is the content security policy of every file: it runs no script and has an opaque
// origin.
const FilePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// inlineTypes are the media types that a browser may display: images that cannot contain scripts.
// All other files are downloaded.
var inlineTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// stallTimeout is how long a client may stop reading a file before the connection is closed.
const stallTimeout = time.Minute

// FileDeps are the services that Files uses. All but Limit are required.
type FileDeps struct {
	Files  *attachment.Store
	Links  *attachment.Links
	Shares *organization.Shares
	Log    *slog.Logger
	// Limit bounds the requests of an address and of an organization until they send content. Nil bounds none.
	Limit *limit.Guard
}

// Files serves file contents. The URL is the permission and contains its expiry; a session is
// neither needed nor considered. Every file passes through this handler instead of coming straight
// from file storage, so that its headers are decided in one place.
func Files(deps FileDeps) http.Handler { return &fileHandler{deps, publicPage("share.html")} }

type fileHandler struct {
	FileDeps

	page translated // shown to a person who opens an expired URL
}

func errFileNotFound() error {
	return &problem.Error{
		Kind: problem.KindNotFound, Code: problem.CodeFileAddressEnded,
		Message: "This URL is not that of a file, or it has expired: file URLs are valid for a few minutes. " +
			"Read the record again to get a new one.",
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
		if err := route.MethodNotAllowed(
			w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions},
		); err != nil {
			problem.Write(w, r, err)
		}
		return
	}
	if err := s.serve(w, r); err != nil {
		if problem.KindOf(err) == problem.KindNotFound {
			s.writeExpired(w, r)
			return
		} else if kind := problem.KindOf(err); kind == problem.KindInternal || kind == problem.KindUnavailable {
			s.Log.ErrorContext(r.Context(), "reading a file failed", slog.Any("error", err))
		}
		problem.Write(w, r, err)
	}
}

// writeExpired responds that the file does not exist or its URL has expired: with a page for a
// browser and a problem for a program.
func (s *fileHandler) writeExpired(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		problem.Write(w, r, errFileNotFound())
		return
	}
	say := languageOf(w.Header(), r)
	var page bytes.Buffer
	if err := s.page[say].Execute(&page, shareView{Error: say.FileExpired}); err != nil {
		s.Log.ErrorContext(r.Context(), "rendering the page for an expired file URL failed", slog.Any("error", err))
		problem.Write(w, r, errFileNotFound())
		return
	}
	w.Header().Set("Content-Security-Policy", PagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(page.Bytes()) // the client may have disconnected
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
	file, content, err := s.open(r, link)
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
		// A download needs no type that a browser could act on.
		header.Set("Content-Type", "application/octet-stream")
	}
	header.Set("Content-Disposition", contentDisposition(disposition, name))
	header.Set("Cache-Control",
		"private, max-age="+strconv.Itoa(max(0, int(time.Until(link.ExpiresAt).Seconds())))+", immutable")
	header.Set("ETag", `"`+id.Format(id.Attachment, file.ID)+strconv.Itoa(int(size))+`"`)
	http.ServeContent(&deadlineWriter{w, http.NewResponseController(w)}, r, "", time.Time{}, content)
	return nil
}

// open opens what a URL names. The request has a slot meanwhile, but not while the client reads,
// which may be slow.
func (s *fileHandler) open(r *http.Request, link attachment.Link) (attachment.File, attachment.Content, error) {
	name := link.Org.String()
	if link.Share != uuid.Nil {
		name = id.Format(id.Share, link.Share)
	}
	leave, err := s.Limit.EnterAnonymous(r, link.Org, "file:"+name)
	if err != nil {
		return attachment.File{}, nil, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	if err := s.checkShare(r.Context(), link); err != nil {
		return attachment.File{}, nil, err
	}
	return s.Files.Content(r.Context(), link.Org, link.File, link.Thumbnail)
}

// checkShare returns an error if the URL was issued through a share that has ended.
func (s *fileHandler) checkShare(ctx context.Context, link attachment.Link) error {
	if link.Share == uuid.Nil {
		return nil
	}
	target, err := s.Shares.Resolve(ctx, id.Format(id.Share, link.Share))
	if errors.Is(err, organization.ErrUnknownShare) || err == nil && target.Org != link.Org {
		return errFileNotFound()
	}
	return err
}

// thumbnailType returns the media type of a thumbnail, which is either JPEG or PNG.
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

// contentDisposition formats a Content-Disposition header (RFC 6266), with the name in ASCII and,
// if that loses characters, in UTF-8.
func contentDisposition(disposition, name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	value := mime.FormatMediaType(disposition, map[string]string{"filename": ascii})
	if value == "" {
		value = disposition
	}
	if ascii != name {
		value += "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	return value
}

// A deadlineWriter extends the write deadline before each write, so that a slow download may
// continue as long as the client reads.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (f *deadlineWriter) Write(b []byte) (int, error) {
	err := f.control.SetWriteDeadline(time.Now().Add(stallTimeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return f.ResponseWriter.Write(b) //nolint:wrapcheck // an error of the connection
}
