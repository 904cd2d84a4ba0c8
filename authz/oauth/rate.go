package oauth

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/rowhouse/rowhouse/authz/limit"
)

// Rates bound what may be asked of the endpoints that need no token: token, registration, revocation and introspection, and authorization.
// A rate with PerSecond zero bounds nothing. Names are set by New. See docs/decisions/0016-token-endpoint-limits.md.
type Rates struct {
	// Address is for requests of one address to all of these endpoints together.
	Address limit.Rate
	// Client is for requests of one client from one address. A client is who the request says it is, which nobody has proven yet;
	// counted by address too, nobody can use up what belongs to a client elsewhere.
	Client limit.Rate
	// Registration is for new clients from one address, which stay in the database for a day.
	Registration limit.Rate
	// Authorize is for authorization requests and answered consent forms of one address.
	Authorize limit.Rate
	// Person is for the same of one person who is signed in.
	Person limit.Rate
}

func (r Rates) named() Rates {
	r.Address.Name, r.Client.Name, r.Registration.Name = "oauth-address", "oauth-client", "oauth-registration"
	r.Authorize.Name, r.Person.Name = "oauth-authorize", "oauth-person"
	return r
}

// documentRate bounds the documents that are fetched for one person: each costs this server more than who asks for it.
var documentRate = limit.Rate{Name: "oauth-document", PerSecond: 1.0 / 10, Burst: 20}

// keySetRate bounds the key sets that are fetched because one address named clients that have theirs elsewhere. A set is kept for an hour,
// and a failure for a minute.
var keySetRate = limit.Rate{Name: "oauth-keys", PerSecond: 1.0 / 10, Burst: 10}

// allow asks for one permission, and says how long to wait when there is none.
func (s *Service) allow(rate limit.Rate, name string) (wait time.Duration, ok bool) {
	if s.limiter == nil {
		return 0, true
	}
	state := s.limiter.Take(rate, name)
	return state.RetryAfter, state.Allowed
}

// checkRate takes one permission. It returns rateLimited when there is none, and then says in Retry-After when to come again.
func (s *Service) checkRate(w http.ResponseWriter, rate limit.Rate, name string) error {
	wait, ok := s.allow(rate, name)
	if ok {
		return nil
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return rateLimited
}

// rateLimitedForm is postForm for a request that is within the limits of its address and of the client that it names. It costs no
// statement.
func (s *Service) rateLimitedForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	address := clientNetwork(r)
	if err := s.checkRate(w, s.rates.Address, address); err != nil {
		return nil, err
	}
	form, err := postForm(w, r)
	if err != nil {
		return nil, err
	}
	client := form.Get("client_id")
	if name, _, ok := r.BasicAuth(); ok {
		client = name
	}
	if client == "" {
		return form, nil
	}
	return form, s.checkRate(w, s.rates.Client, address+" "+base64url.EncodeToString(hash([]byte(client))))
}

// clientNetwork is who a request is counted for: an address, or for IPv6, where everybody has many, its network.
func clientNetwork(r *http.Request) string {
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
