// Package encoding compresses whole answers for clients that ask for it. It knows nothing of what an answer says: who calls it
// leaves out what carries secrets, because the length of compressed text tells of what repeats in it (BREACH).
package encoding

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// MinSize is the size from which a body is compressed, in bytes: less fits into one packet as it is.
const MinSize = 1400

var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic("encoding: " + err.Error()) // the level is a constant and valid
	}
	return w
}}

// Body returns the body as the client takes it, and says so in the header of the answer: with gzip when the request accepts that and
// the body is not small, else as it is.
func Body(h http.Header, r *http.Request, body []byte) []byte {
	if len(body) < MinSize {
		return body
	}
	h.Add("Vary", "Accept-Encoding")
	if h.Get("Content-Encoding") != "" || !Accepts(strings.Join(r.Header.Values("Accept-Encoding"), ","), "gzip") {
		return body
	}
	w, _ := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	var out bytes.Buffer
	out.Grow(len(body) / 4)
	w.Reset(&out)
	if _, err := w.Write(body); err != nil {
		return body
	}
	if err := w.Close(); err != nil || out.Len() >= len(body) {
		return body
	}
	h.Set("Content-Encoding", "gzip")
	return out.Bytes()
}

// Accepts reads an Accept-Encoding header (RFC 9110 section 12.5.3) for one coding.
func Accepts(header, coding string) bool {
	any := false
	for part := range strings.SplitSeq(header, ",") {
		name, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.TrimSpace(name)
		if !strings.EqualFold(name, coding) && name != "*" {
			continue
		}
		accepted := true
		if key, value, _ := strings.Cut(strings.TrimSpace(parameter), "="); strings.EqualFold(strings.TrimSpace(key), "q") {
			weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			accepted = err != nil || weight > 0
		}
		if name != "*" {
			return accepted
		}
		any = accepted
	}
	return any
}
