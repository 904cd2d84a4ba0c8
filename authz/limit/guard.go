package limit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// Policy is what each caller may do. A Rate with PerSecond zero does not limit.
type Policy struct {
	Credential   Rate // of each key, grant and session
	Organization Rate // of all credentials in one organization together
	Address      Rate // of requests that show an invalid credential, from one address
}

// Names of the policies, as they stand in RateLimit-Policy.
const (
	CredentialPolicy   = "credential"
	OrganizationPolicy = "organization"
	AddressPolicy      = "address"
)

// A Guard applies a policy. Its methods may be called from many goroutines.
type Guard struct {
	policy        Policy
	limiter       *Limiter
	organizations *Bulkhead
	// people holds calls that name no organization. They are not counted as neighbours, least of all of the caller's own organization.
	people  *Bulkhead
	address func(r *http.Request) string
	// described are the policies as RateLimit-Policy has them, by name.
	described map[string]string
	// refused are credentials that were beyond their limit lately, by a hash of their secret: whoever goes on asking is told so
	// without a look-up.
	refused *expirable.LRU[[sha256.Size]byte, string]
}

// A refusal is remembered for so many credentials, and for so long.
const (
	keptRefusals = 10_000
	refusalLife  = 2 * time.Second
)

// NewGuard returns a guard over a limiter and a bulkhead. address tells callers without a valid credential apart.
func NewGuard(policy Policy, limiter *Limiter, bulkhead *Bulkhead, address func(r *http.Request) string) *Guard {
	policy.Credential.Name, policy.Organization.Name, policy.Address.Name = CredentialPolicy, OrganizationPolicy, AddressPolicy
	return &Guard{
		policy: policy, limiter: limiter, organizations: bulkhead, people: NewBulkhead(bulkhead.options), address: address,
		refused:   expirable.NewLRU[[sha256.Size]byte, string](keptRefusals, nil, refusalLife),
		described: map[string]string{CredentialPolicy: describe(policy.Credential), AddressPolicy: describe(policy.Address)},
	}
}

// Admit authenticates a request and counts it: against its credential when that is valid, and against its address
// when it shows an invalid one. An address that has shown too many invalid credentials gets an error of kind
// rate_limited for the next invalid one; a valid credential passes whatever others behind the same address do, and a
// request without a credential is not counted, since clients send one to learn where to sign in. It returns the
// errors of authenticate and those of kind rate_limited, and sets RateLimit-Policy and RateLimit on h. A nil guard
// only authenticates.
func (g *Guard) Admit(
	h http.Header, r *http.Request, authenticate func(r *http.Request) (*authz.Principal, error),
) (*authz.Principal, error) {
	if g == nil {
		return authenticate(r)
	}
	if g.refused.Len() > 0 { // seldom, and so most requests are spared the hashing
		if credential, lately := g.refused.Get(presentedHash(r)); lately {
			if state := g.limiter.Look(g.policy.Credential, credential); !state.Allowed {
				return nil, g.judge(h, state, "this credential")
			}
		}
	}
	principal, err := authenticate(r)
	if err != nil {
		if problem.KindOf(err) == problem.KindUnauthenticated && authz.Presented(r) {
			if limited := g.Unproven(h, g.address(r)); limited != nil {
				return nil, limited
			}
		}
		return nil, err
	}
	err = g.Credential(h, principal.Credential)
	if err != nil {
		if presented := presentedHash(r); presented != noCredential {
			g.refused.Add(presented, principal.Credential)
		}
	}
	return principal, err
}

// noCredential is the hash of a request whose credential is not one of a program, or is unclear.
var noCredential [sha256.Size]byte

func presentedHash(r *http.Request) [sha256.Size]byte {
	secret, err := authz.Credential(r)
	if err != nil || secret == "" {
		return noCredential
	}
	return sha256.Sum256([]byte(secret))
}

// Credential counts a request of a credential. It returns an error of kind rate_limited when there are too many, and sets
// RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10) on h either way.
func (g *Guard) Credential(h http.Header, credential string) error {
	return g.judge(h, g.limiter.Take(g.policy.Credential, credential), "this credential")
}

// Unproven counts a request that shows an invalid credential, by the address that it comes from.
func (g *Guard) Unproven(h http.Header, address string) error {
	return g.judge(h, g.limiter.Take(g.policy.Address, address), "your address with an invalid credential")
}

// Enter counts a person's request in an organization, or in none when org is uuid.Nil, and waits until it may be under way, as
// Bulkhead.Enter does. It returns an error of kind rate_limited when there are too many.
func (g *Guard) Enter(ctx context.Context, org, person uuid.UUID) (leave func(), err error) {
	bulkhead, name, who := g.organizations, org.String(), "this organization"
	if org == uuid.Nil {
		bulkhead, name, who = g.people, person.String(), "this person"
	}
	if state := g.limiter.Take(g.policy.Organization, name); !state.Allowed {
		return nil, refusal(state, who)
	}
	return bulkhead.Enter(ctx, name)
}

func (g *Guard) judge(h http.Header, state State, who string) error {
	if state.Rate.PerSecond > 0 {
		h.Set("Ratelimit-Policy", g.described[state.Rate.Name])
		h.Set("Ratelimit", `"`+state.Rate.Name+`";r=`+strconv.Itoa(state.Remaining)+";t="+strconv.Itoa(seconds(max(state.Reset, state.RetryAfter))))
	}
	if state.Allowed {
		return nil
	}
	return refusal(state, who)
}

// describe writes a policy: q requests in w seconds; "" is no limit.
func describe(r Rate) string {
	if r.PerSecond <= 0 {
		return ""
	}
	return fmt.Sprintf("%q;q=%d;w=%d", r.Name, r.Burst, max(1, seconds(r.full())))
}

func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func refusal(state State, who string) error {
	return &problem.Error{
		Kind: problem.KindRateLimited, RetryAfter: max(state.RetryAfter, time.Millisecond),
		Message: fmt.Sprintf("Too many requests from %s: it may make %s a second, and %d at once after a pause.",
			who, strings.TrimSuffix(strconv.FormatFloat(state.Rate.PerSecond, 'f', 2, 64), ".00"), state.Rate.Burst),
	}
}
