package oauth

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"unicode/utf8"
)

const maxRegistration = 64 << 10

// registrationResponse is the client information response (RFC 7591 section 3.2.1).
type registrationResponse struct {
	ID            string `json:"client_id"`
	IssuedAt      int64  `json:"client_id_issued_at"`
	Secret        string `json:"client_secret,omitempty"`
	SecretExpires *int64 `json:"client_secret_expires_at,omitempty"`
	Metadata
}

// register is the dynamic client registration endpoint (RFC 7591). It is open to everybody, so it
// is limited in rate and size, and a client that nobody authorizes expires within a day.
func (s *Service) register(w http.ResponseWriter, r *http.Request) {
	err := s.checkRate(w, s.rates.Address, clientNetwork(r))
	if err == nil {
		err = s.checkRate(w, s.rates.Registration, clientNetwork(r))
	}
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		s.writeError(w, r, invalidMetadata.WithHint("Send application/json."))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRegistration))
	var big *http.MaxBytesError
	if errors.As(err, &big) {
		s.writeError(w, r, newError(invalidMetadata.ErrorField, "The client metadata has more than 64 KB.",
			http.StatusRequestEntityTooLarge))
		return
	}
	if err != nil {
		s.writeError(w, r, invalidMetadata.WithHint("The body could not be read."))
		return
	}
	if !utf8.Valid(body) { // encoding/json would silently replace invalid bytes
		s.writeError(w, r, invalidMetadata.WithHint("The body must be UTF-8."))
		return
	}
	var metadata Metadata
	if err := json.Unmarshal(body, &metadata); err != nil {
		s.writeError(w, r,
			invalidMetadata.WithHint("The body must be one JSON object with members of the types of RFC 7591."))
		return
	}
	if err := checkMetadata(&metadata); err != nil {
		s.writeError(w, r, err)
		return
	}
	client, secret, err := s.clients.register(r.Context(), metadata)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	response := registrationResponse{ID: client.ID, IssuedAt: s.now().Unix(), Secret: secret, Metadata: client.Metadata}
	if secret != "" {
		response.SecretExpires = new(int64) // 0 means never
	}
	writeJSON(w, http.StatusCreated, response)
}
