package oauth

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/rowhouse/rowhouse/authz/limit"
)

const maxRegistration = 64 << 10

// registered is the answer of RFC 7591 section 3.2.1.
type registered struct {
	ID            string `json:"client_id"`
	IssuedAt      int64  `json:"client_id_issued_at"`
	Secret        string `json:"client_secret,omitempty"`
	SecretExpires *int64 `json:"client_secret_expires_at,omitempty"`
	Metadata
}

// register serves dynamic client registration (RFC 7591). It is open to all, so it is bounded in rate and size, and what it makes
// lapses within a day unless somebody lets the client in.
func (s *Service) register(w http.ResponseWriter, r *http.Request) {
	if wait, ok := s.take(registrationRate, source(r)); !ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		s.writeFault(w, r, slowDown)
		return
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		s.writeFault(w, r, invalidMetadata.WithHint("Send application/json."))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRegistration))
	var big *http.MaxBytesError
	if errors.As(err, &big) {
		s.writeFault(w, r, fault(invalidMetadata.ErrorField, "The client metadata has more than 64 KB.", http.StatusRequestEntityTooLarge))
		return
	}
	if err != nil {
		s.writeFault(w, r, invalidMetadata.WithHint("The body could not be read."))
		return
	}
	var metadata Metadata
	if err := json.Unmarshal(body, &metadata); err != nil {
		s.writeFault(w, r, invalidMetadata.WithHint("The body must be one JSON object with members of the types of RFC 7591."))
		return
	}
	if err := checkMetadata(&metadata); err != nil {
		s.writeFault(w, r, err)
		return
	}
	client, secret, err := s.clients.register(r.Context(), metadata)
	if err != nil {
		s.writeFault(w, r, err)
		return
	}
	answer := registered{ID: client.ID, IssuedAt: s.now().Unix(), Secret: secret, Metadata: client.Metadata}
	if secret != "" {
		answer.SecretExpires = new(int64) // 0: it does not expire
	}
	writeJSON(w, http.StatusCreated, answer)
}

// Rates of what costs this server more than it costs who asks for it.
var (
	registrationRate = limit.Rate{Name: "oauth-registration", PerSecond: 1.0 / 20, Burst: 30} // of an address
	documentRate     = limit.Rate{Name: "oauth-document", PerSecond: 1.0 / 10, Burst: 20}     // of a person
)

// take asks for one permission, and says how long to wait when there is none.
func (s *Service) take(rate limit.Rate, name string) (wait time.Duration, ok bool) {
	if s.limiter == nil {
		return 0, true
	}
	state := s.limiter.Take(rate, name)
	return state.RetryAfter, state.Allowed
}

// source is who a request is counted for: an address, or for IPv6, where everybody has many, its network.
func source(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if addr = addr.Unmap(); addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}
