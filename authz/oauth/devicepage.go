package oauth

import (
	"net/http"
	"net/url"
)

// devicePage is the data of the page on which a person types a user code.
type devicePage struct {
	Title  string
	Person *Person
	Code   string // what was typed
	Error  string
}

// decidedPage is the data of the page after the decision about a device.
type decidedPage struct {
	Title   string
	Allowed bool
}

// device is the verification URI (RFC 8628 section 3.3): it asks for the user code, and shows the consent page for
// the request that has it. A link may contain the code; the person compares it with what the device shows, because
// the link may come from somebody else's device (section 5.4).
func (s *Service) device(w http.ResponseWriter, r *http.Request) {
	if err := s.checkRate(w, s.rates.Authorize, clientNetwork(r)); err != nil {
		s.renderError(w, r, err)
		return
	}
	form, err := url.ParseQuery(r.URL.RawQuery)
	if err == nil && len(r.URL.RawQuery) > maxQuery {
		err = invalidRequest.WithHint("The request is too long.")
	}
	if err == nil {
		err = requireStorableText(form)
	}
	if err != nil {
		s.renderError(w, r, invalidRequest.WithWrap(err))
		return
	}
	person, err := s.sessions.SignedIn(r)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	typed := form.Get("user_code")
	if person == nil {
		next := devicePath
		if typed != "" {
			next += "?user_code=" + url.QueryEscape(typed)
		}
		redirect(w, "/sign-in?next="+url.QueryEscape(next))
		return
	}
	if typed == "" {
		s.renderDevice(w, r, http.StatusOK, devicePage{Person: person})
		return
	}
	s.showDeviceConsent(w, r, person, typed)
}

// showDeviceConsent shows the consent page for the request of a user code. Each code that is typed counts, the right
// one too.
func (s *Service) showDeviceConsent(w http.ResponseWriter, r *http.Request, person *Person, typed string) {
	err := s.checkRate(w, userCodeRate, person.ID.String())
	if err == nil {
		err = s.checkRate(w, userCodeAddress, clientNetwork(r))
	}
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	page := devicePage{
		Person: person, Code: shortened(typed),
		Error: "This code is not valid. It may have expired or been used: let the device show a new one.",
	}
	code := canonicalUserCode(typed)
	if code == "" {
		page.Error = "A code has eight letters, as in BCDF-GHJK. Type it as the device shows it."
		s.renderDevice(w, r, http.StatusBadRequest, page)
		return
	}
	d, err := s.devices.pending(r.Context(), code, s.now())
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if d == nil {
		s.renderDevice(w, r, http.StatusBadRequest, page)
		return
	}
	client, err := s.clients.load(r.Context(), d.Client)
	if err != nil {
		s.renderError(w, r, staleForm.WithWrap(err))
		return
	}
	s.showConsent(w, r, person, client, &authorizationRequest{
		ClientID: d.Client, Resource: d.Resource, Scopes: toScopes(toNames(d.Scopes)),
		Device: s.devices.userCodeMAC(code),
		shown:  &shownDevice{Code: shownUserCode(code), Address: d.Address, Elsewhere: d.Address != clientNetwork(r)},
	})
}

// shownDevice is what the consent page says about a device.
type shownDevice struct {
	Code      string
	Address   string // the network that the device asked from
	Elsewhere bool   // it is another one than that of the person
}

// shortened bounds a text that is shown again.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > 2*userCodeLength {
		return string(runes[:2*userCodeLength])
	}
	return text
}

func (s *Service) renderDevice(w http.ResponseWriter, r *http.Request, status int, view devicePage) {
	view.Title = "Connect a device"
	s.render(w, r, status, "device.html", view, "")
}

func (s *Service) renderDecided(w http.ResponseWriter, r *http.Request, allowed bool) {
	view := decidedPage{Title: "The device is connected", Allowed: allowed}
	if !allowed {
		view.Title = "The device gets no access"
	}
	s.render(w, r, http.StatusOK, "decided.html", view, "")
}
