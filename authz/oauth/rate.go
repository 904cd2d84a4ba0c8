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

// Rates are the rate limits of the endpoints that need no token: token, registration, revocation,
// introspection, authorization and consent. A rate with PerSecond zero does not limit. New sets the
// names. See docs/decisions/0016-token-endpoint-limits.md.
type Rates struct {
	// Address limits requests from one address to the token, registration, revocation and
	// introspection endpoints together.
	Address limit.Rate
	// Client limits requests that name one client, from one address. It is per address because
	// client_id is not authenticated yet, so an attacker cannot use up the limit of a client
	// elsewhere.
	Client limit.Rate
	// Registration limits new clients from one address, each of which stays in the database for a
	// day.
	Registration limit.Rate
	// Authorize limits authorization requests and submitted consent forms from one address.
	Authorize limit.Rate
	// Person limits authorization requests and submitted consent forms of one signed-in person.
	Person limit.Rate
}

func (r Rates) named() Rates {
	r.Address.Name, r.Client.Name, r.Registration.Name = "oauth-address", "oauth-client", "oauth-registration"
	r.Authorize.Name, r.Person.Name = "oauth-authorize", "oauth-person"
	return r
}

// documentRate limits the metadata documents that are fetched for one person.
var documentRate = limit.Rate{Name: "oauth-document", PerSecond: 1.0 / 10, Burst: 20}

// keySetRate limits the key sets that are fetched because of requests from one address. Cached sets
// and failures do not count.
var keySetRate = limit.Rate{Name: "oauth-keys", PerSecond: 1.0 / 10, Burst: 10}

// allow consumes one permission, and returns how long to wait when there is none.
func (s *Service) allow(rate limit.Rate, name string) (wait time.Duration, ok bool) {
	if s.limiter == nil {
		return 0, true
	}
	state := s.limiter.Take(rate, name)
	return state.RetryAfter, state.Allowed
}

// checkRate consumes one permission. When there is none it sets Retry-After and returns
// rateLimited.
func (s *Service) checkRate(w http.ResponseWriter, rate limit.Rate, name string) error {
	wait, ok := s.allow(rate, name)
	if ok {
		return nil
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return rateLimited
}

// rateLimitedForm is postForm, within the limits of the client address and of the client that the
// request names. It queries no database.
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

// clientNetwork returns the address that a request is counted against: the IPv4 address, or the /64
// network of an IPv6 address, because one host may use all of its addresses.
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
