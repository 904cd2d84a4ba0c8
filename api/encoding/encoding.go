// Package encoding compresses whole response bodies for clients that accept it. It knows nothing of
// the content: callers must not pass bodies that contain secrets, because the length of compressed
// text reveals repetition (BREACH).
package encoding

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// MinSize is the size from which a body is compressed, in bytes. A smaller one fits into one packet
// anyway.
const MinSize = 1400

var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic("encoding: " + err.Error()) // the level is constant and valid
	}
	return w
}}

// Body returns the body, compressed with gzip if the request accepts it and the body is at least
// MinSize long. It sets Content-Encoding and Vary in the response header accordingly.
func Body(h http.Header, r *http.Request, body []byte) []byte {
	return encoded(h, r, body, func() []byte { return pack(body) })
}

// A Document is a body that does not change, so it is compressed once and not for each request.
type Document struct {
	plain  []byte
	packed func() []byte
}

// NewDocument returns a document.
func NewDocument(body []byte) *Document {
	return &Document{body, sync.OnceValue(func() []byte { return pack(body) })}
}

// Body is the function Body for the document.
func (d *Document) Body(h http.Header, r *http.Request) []byte {
	return encoded(h, r, d.plain, d.packed)
}

func encoded(h http.Header, r *http.Request, body []byte, packed func() []byte) []byte {
	if len(body) < MinSize {
		return body
	}
	h.Add("Vary", "Accept-Encoding")
	if h.Get("Content-Encoding") != "" || !Accepts(strings.Join(r.Header.Values("Accept-Encoding"), ","), "gzip") {
		return body
	}
	if smaller := packed(); smaller != nil {
		h.Set("Content-Encoding", "gzip")
		return smaller
	}
	return body
}

// pack returns the body compressed, or nil if that is not smaller.
func pack(body []byte) []byte {
	w, _ := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	var out bytes.Buffer
	out.Grow(len(body) / 4)
	w.Reset(&out)
	if _, err := w.Write(body); err != nil {
		return nil
	}
	if err := w.Close(); err != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// Accepts reports whether an Accept-Encoding header (RFC 9110 section 12.5.3) accepts a coding.
func Accepts(header, coding string) bool {
	wildcard := false
	for part := range strings.SplitSeq(header, ",") {
		name, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.TrimSpace(name)
		if !strings.EqualFold(name, coding) && name != "*" {
			continue
		}
		accepted := true
		if key, value, _ := strings.Cut(
			strings.TrimSpace(parameter), "=",
		); strings.EqualFold(strings.TrimSpace(key), "q") {
			weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			accepted = err != nil || weight > 0
		}
		if name != "*" {
			return accepted
		}
		wildcard = accepted
	}
	return wildcard
}
