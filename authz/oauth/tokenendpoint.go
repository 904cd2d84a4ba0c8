package oauth

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
)

// maxForm bounds the body of a form post, in bytes.
const maxForm = 64 << 10

// postForm reads a form post as RFC 6749 section 3.2 wants it: urlencoded, in the body only, no parameter twice, none empty.
func postForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/x-www-form-urlencoded" {
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

// requireStorableText refuses names and values that are not text: PostgreSQL stores neither a NUL nor what is not UTF-8.
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

// requireSingleParams refuses repeated parameters (RFC 6749 section 3.1), which two parsers could read as two different requests, and drops
// empty ones, which count as not sent.
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
	// fosite calls an unknown grant type an invalid request.
	switch grantType := form.Get("grant_type"); grantType {
	case "":
		s.writeError(w, r, invalidRequest.WithHint("The parameter grant_type is missing."))
		return
	case "authorization_code", "refresh_token":
	default:
		s.writeError(w, r, unsupportedGrantType)
		return
	}
	if err := requireSingleAuthentication(r, form); err != nil {
		s.writeError(w, r, err)
		return
	}
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

// requireSingleAuthentication refuses a client that authenticates in two ways at once (RFC 6749 section 2.3), or that names itself
// differently in each: one check could be made of the one and the other believed.
func requireSingleAuthentication(r *http.Request, form url.Values) error {
	basicID, basicSecret, basic := r.BasicAuth()
	if header := r.Header.Values("Authorization"); len(header) > 1 || (len(header) == 1 && !basic) {
		return invalidRequest.WithHint("The Authorization header must be one of the scheme Basic.")
	}
	if basic {
		name, errName := url.QueryUnescape(basicID)
		secret, errSecret := url.QueryUnescape(basicSecret)
		if errName != nil || errSecret != nil || !isStorableText(name) || !isStorableText(secret) {
			return invalidRequest.WithHint("The Authorization header must hold a client_id and a client_secret as UTF-8, urlencoded.")
		}
	}
	ways := 0
	for _, used := range []bool{basic, form.Has("client_secret"), form.Has("client_assertion") || form.Has("client_assertion_type")} {
		if used {
			ways++
		}
	}
	if ways > 1 {
		return invalidRequest.WithHint("Authenticate in one way, not several.")
	}
	if basic && form.Has("client_id") {
		if name, err := url.QueryUnescape(basicID); err != nil || name != form.Get("client_id") {
			return invalidRequest.WithHint("client_id is not the client that authenticates.")
		}
	}
	return nil
}
