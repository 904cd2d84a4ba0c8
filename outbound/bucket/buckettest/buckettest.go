// Package buckettest has a server that speaks as much of the S3 API as Rowhouse uses, over HTTP and with the objects in
// memory: a fake for tests, which refuses and damages what a test wants.
package buckettest

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/outbound/bucket"
)

// The key that the server knows, and its bucket.
const (
	AccessKey = "AKTEST"
	SecretKey = "the-secret-of-the-key"
	Name      = "backups"
)

// A Server is a store with one bucket.
type Server struct {
	*httptest.Server

	mu      sync.Mutex
	objects map[string][]byte
	uploads map[string]map[int][]byte // in parts, by upload id
	refused map[string]string         // the code of the error, by method
	damaged bool
	puts    int
}

// Opener reaches the server under any address.
func (s *Server) Opener() *bucket.Opener {
	return &bucket.Opener{Transport: transport{s}, Check: outbound.NewSender(outbound.Options{}).Check}
}

type transport struct{ to http.Handler }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	t.to.ServeHTTP(w, r)
	_ = r.Body.Close()
	response := w.Result()
	response.Request = r
	return response, nil
}

// New starts a server, which ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{objects: map[string][]byte{}, uploads: map[string]map[int][]byte{}, refused: map[string]string{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Destination is the bucket of the server.
func (s *Server) Destination() *bucket.Destination {
	return &bucket.Destination{
		Endpoint: s.URL, Region: "eu-test-1", Bucket: Name, AccessKey: AccessKey, SecretKey: SecretKey,
	}
}

// Refuse has requests with a method fail with a code, such as AccessDenied; "" has them succeed again.
func (s *Server) Refuse(method, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[method] = code
}

// Damage has the server change a byte in the middle of every object that it stores from now on.
func (s *Server) Damage(damage bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.damaged = damage
}

// Keys lists the objects.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Puts is how many objects were stored, each time counted.
func (s *Server) Puts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puts
}

// Object is the content of an object; nil if there is none.
func (s *Server) Object(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[key]
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := content(r)
	if err != nil {
		fail(w, http.StatusBadRequest, "IncompleteBody", err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	code := s.refused[r.Method]
	switch {
	case !strings.Contains(r.Header.Get("Authorization"), "Credential="+AccessKey+"/"):
		fail(w, http.StatusForbidden, "InvalidAccessKeyId", "The access key does not exist.")
	case code != "":
		status := http.StatusForbidden
		if code == "SlowDown" || code == "InternalError" {
			status = http.StatusServiceUnavailable
		}
		fail(w, status, code, "It was refused.")
	case name != Name:
		fail(w, http.StatusNotFound, "NoSuchBucket", "The bucket does not exist.")
	case key == "":
		s.bucket(w, r)
	default:
		s.object(w, r, key, body)
	}
}

func (s *Server) bucket(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("location") {
		_, _ = io.WriteString(w, `<LocationConstraint>eu-test-1</LocationConstraint>`)
	}
}

func (s *Server) object(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	query := r.URL.Query()
	upload := query.Get("uploadId")
	switch {
	case r.Method == http.MethodPost && query.Has("uploads"):
		upload = "upload-" + strconv.Itoa(len(s.uploads)+1)
		s.uploads[upload] = map[int][]byte{}
		_, _ = fmt.Fprintf(w, `<InitiateMultipartUploadResult><Bucket>%s</Bucket><Key>%s</Key><UploadId>%s</UploadId>`+
			`</InitiateMultipartUploadResult>`, Name, key, upload)
	case upload != "" && s.uploads[upload] == nil:
		fail(w, http.StatusNotFound, "NoSuchUpload", "The upload does not exist.")
	case r.Method == http.MethodPut && upload != "":
		number, _ := strconv.Atoi(query.Get("partNumber")) // 0 is a part too
		s.uploads[upload][number] = body
		w.Header().Set("ETag", etag(body))
	case r.Method == http.MethodPost && upload != "":
		var whole []byte
		for _, number := range slices.Sorted(maps.Keys(s.uploads[upload])) {
			whole = append(whole, s.uploads[upload][number]...)
		}
		delete(s.uploads, upload)
		s.store(key, whole)
		_, _ = fmt.Fprintf(w, `<CompleteMultipartUploadResult><Bucket>%s</Bucket><Key>%s</Key><ETag>%s</ETag>`+
			`</CompleteMultipartUploadResult>`, Name, key, etag(whole))
	case r.Method == http.MethodDelete && upload != "":
		delete(s.uploads, upload)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		s.store(key, body)
		w.Header().Set("ETag", etag(body))
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case s.objects[key] == nil:
		fail(w, http.StatusNotFound, "NoSuchKey", "The key does not exist.")
	default:
		w.Header().Set("ETag", etag(s.objects[key]))
		http.ServeContent(w, r, "", time.Now(), bytes.NewReader(s.objects[key]))
	}
}

func (s *Server) store(key string, content []byte) {
	s.puts++
	content = append([]byte{}, content...) // not nil, which is no object
	if s.damaged && len(content) > 0 {
		content[len(content)/2] ^= 0x40
	}
	s.objects[key] = content
}

func etag(content []byte) string {
	sum := md5.Sum(content)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

func fail(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct { // the client sees the end of the response
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: message})
}

// content is the body of a request, also of one that is signed in chunks.
func content(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body) //nolint:wrapcheck // of a test
	}
	var whole []byte
	from := bufio.NewReader(r.Body)
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return nil, err //nolint:wrapcheck // of a test
		}
		length, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		size, err := strconv.ParseInt(length, 16, 64)
		if err != nil {
			return nil, err //nolint:wrapcheck // of a test
		}
		if size == 0 {
			break
		}
		part := make([]byte, size+2) // with the line end
		if _, err := io.ReadFull(from, part); err != nil {
			return nil, err //nolint:wrapcheck // of a test
		}
		whole = append(whole, part[:size]...)
	}
	if want, err := strconv.Atoi(r.Header.Get("X-Amz-Decoded-Content-Length")); err == nil && want != len(whole) {
		return nil, fmt.Errorf("%d bytes came, and %d were announced", len(whole), want)
	}
	return whole, nil
}
