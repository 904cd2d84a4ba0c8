package oauth

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
)

// maxForm bounds the body of a form post, in bytes.
const maxForm = 64 << 10

// postForm parses a form post as RFC 6749 section 3.2 requires: urlencoded, in the body only, and
// without repeated parameters. It drops empty parameters.
func postForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		media != "application/x-www-form-urlencoded" {
		return nil, invalidRequest.WithHint("Send application/x-www-form-urlencoded.")
	}
	if r.URL.RawQuery != "" {
		return nil, invalidRequest.WithHint("Parameters belong in the body, not in the URL.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			return nil, requestTooLarge
		}
		return nil, invalidRequest.WithHint("The body is not a valid form.")
	}
	if err := requireStorableText(r.PostForm); err != nil {
		return nil, err
	}
	if err := requireSingleParams(r.PostForm); err != nil {
		return nil, err
	}
	return r.PostForm, nil
}

// requireStorableText rejects names and values that PostgreSQL cannot store: those with a NUL or
// invalid UTF-8.
func requireStorableText(form url.Values) error {
	for name, values := range form {
		for _, text := range append([]string{name}, values...) {
			if !isStorableText(text) {
				return invalidRequest.WithHintf("The parameter %.40q must be UTF-8 without a NUL character.", name)
			}
		}
	}
	return nil
}

// requireSingleParams rejects repeated parameters (RFC 6749 section 3.1), which two parsers could
// interpret differently, and drops empty ones, which count as omitted.
func requireSingleParams(form url.Values) error {
	for name, values := range form {
		if len(values) > 1 {
			return invalidRequest.WithHintf("The parameter %.40q is given more than once.", name)
		}
		if values[0] == "" {
			delete(form, name)
		}
	}
	return nil
}

// token is the token endpoint (RFC 6749 section 3.2).
func (s *Service) token(w http.ResponseWriter, r *http.Request) {
	form, err := s.rateLimitedForm(w, r)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	// fosite reports an unknown grant type as invalid_request.
	switch grantType := form.Get("grant_type"); {
	case grantType == "":
		s.writeError(w, r, invalidRequest.WithHint("The parameter grant_type is missing."))
		return
	case !slices.Contains(grantTypes, grantType):
		s.writeError(w, r, unsupportedGrantType)
		return
	}
	if err := requireSingleAuthentication(r, form); err != nil {
		s.writeError(w, r, err)
		return
	}
	form.Del("audience") // as in an authorization request
	request, err := s.provider.NewAccessRequest(r.Context(), r, newTokenSession())
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	response, err := s.provider.NewAccessResponse(r.Context(), request)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, response.ToMap())
}

// requireSingleAuthentication rejects a client that uses several authentication methods (RFC 6749
// section 2.3) or names different client ids in them, because a check of one must not vouch for the
// other.
func requireSingleAuthentication(r *http.Request, form url.Values) error {
	basicID, basicSecret, basic := r.BasicAuth()
	if header := r.Header.Values("Authorization"); len(header) > 1 || (len(header) == 1 && !basic) {
		return invalidRequest.WithHint("The Authorization header must be one of the scheme Basic.")
	}
	if basic {
		name, errName := url.QueryUnescape(basicID)
		secret, errSecret := url.QueryUnescape(basicSecret)
		if errName != nil || errSecret != nil || !isStorableText(name) || !isStorableText(secret) {
			return invalidRequest.WithHint(
				"The Authorization header must hold a client_id and a client_secret as UTF-8, urlencoded.",
			)
		}
	}
	ways := 0
	for _, used := range []bool{
		basic, form.Has("client_secret"), form.Has("client_assertion") || form.Has("client_assertion_type"),
	} {
		if used {
			ways++
		}
	}
	if ways > 1 {
		return invalidRequest.WithHint("Use only one client authentication method.")
	}
	if basic && form.Has("client_id") {
		if name, err := url.QueryUnescape(basicID); err != nil || name != form.Get("client_id") {
			return invalidRequest.WithHint("client_id is not the client that authenticates.")
		}
	}
	return nil
}
