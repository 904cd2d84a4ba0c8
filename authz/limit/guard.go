package limit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// Policy is the set of rates. A Rate with PerSecond zero does not limit.
type Policy struct {
	Credential   Rate // for each API key, grant and session
	Organization Rate // for all credentials in one organization together
	Address      Rate // for requests with an invalid credential, from one address
}

// Names of the policies in RateLimit-Policy.
const (
	CredentialPolicy   = "credential"
	OrganizationPolicy = "organization"
	AddressPolicy      = "address"
)

// A Guard applies a policy. Its methods are safe for concurrent use.
type Guard struct {
	policy        Policy
	limiter       *Limiter
	organizations *Bulkhead
	// people limits calls that name no organization. It is separate so that they do not count as
	// neighbours.
	people *Bulkhead
	bodies *Bulkhead // large request bodies of a tenant
	// heavy limits calls that take much processor time: first per tenant, then per process.
	heavy, process *Bulkhead
	// anonymous limits requests without a credential, by address and by what they read.
	anonymous *Bulkhead
	// pages limits the pages that are made for them: first those of an organization, then those of the process.
	pages   *Bulkhead
	address func(r *http.Request) string
	// described holds the RateLimit-Policy values by policy name.
	described map[string]string
	// refused maps the hash of a secret to its credential while the credential is beyond its limit,
	// so that further requests are rejected without a look-up.
	refused *expirable.LRU[[sha256.Size]byte, string]
}

// Bounds of the cache of rate-limited credentials.
const (
	maxRememberedRefusals = 10_000
	refusalLife           = 2 * time.Second
)

// NewGuard returns a guard over a limiter and a bulkhead. address returns the client address under
// which invalid credentials are counted.
func NewGuard(policy Policy, limiter *Limiter, bulkhead *Bulkhead, address func(r *http.Request) string) *Guard {
	policy.Credential.Name = CredentialPolicy
	policy.Organization.Name = OrganizationPolicy
	policy.Address.Name = AddressPolicy
	return &Guard{
		policy:        policy,
		limiter:       limiter,
		organizations: bulkhead,
		people:        NewBulkhead(bulkhead.options),
		bodies:        NewBulkhead(BulkheadOptions{Max: maxBodies}),
		heavy:         NewBulkhead(BulkheadOptions{Max: min(1, bulkhead.options.Max)}),
		process: NewBulkhead(
			BulkheadOptions{Max: min(max(bulkhead.options.Share, 1), bulkhead.options.Max), Queue: 1000},
		),
		anonymous: NewBulkhead(anonymousOptions(bulkhead.options)),
		pages: NewBulkhead(BulkheadOptions{
			Max: min(max(bulkhead.options.Share, 1), bulkhead.options.Max), Queue: 1000, Wait: pageWait,
		}),
		address: address,
		refused: expirable.NewLRU[[sha256.Size]byte, string](maxRememberedRefusals, nil, refusalLife),
		described: map[string]string{
			CredentialPolicy: describe(policy.Credential),
			AddressPolicy:    describe(policy.Address),
		},
	}
}

// Admit authenticates a request and counts it: against its credential if that is valid, and against
// its address if it carries an invalid one. Beyond the address limit, further invalid credentials
// from that address get an error of kind rate_limited. Valid credentials from that address still
// pass, and a request without a credential is not counted, because clients send one to discover
// where to sign in. Admit returns the errors of authenticate and errors of kind rate_limited, and
// sets RateLimit-Policy and RateLimit on h. A nil guard only authenticates.
func (g *Guard) Admit(
	h http.Header, r *http.Request, authenticate func(r *http.Request) (*authz.Principal, error),
) (*authz.Principal, error) {
	if g == nil {
		return authenticate(r)
	}
	if g.refused.Len() > 0 { // rarely, so most requests avoid the hashing
		if credential, recent := g.refused.Get(presentedHash(r)); recent {
			if state := g.limiter.Peek(g.policy.Credential, credential); !state.Allowed {
				return nil, g.decide(h, state, "this credential")
			}
		}
	}
	principal, err := authenticate(r)
	if err != nil {
		if problem.KindOf(err) == problem.KindUnauthenticated && authz.Presented(r) {
			if limited := g.InvalidCredential(h, g.address(r)); limited != nil {
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

// noCredential is the hash for a request without an API key or token, or with an invalid
// combination.
var noCredential [sha256.Size]byte

func presentedHash(r *http.Request) [sha256.Size]byte {
	secret, err := authz.Credential(r)
	if err != nil || secret == "" {
		return noCredential
	}
	return sha256.Sum256([]byte(secret))
}

// Credential counts a request of a credential. It returns an error of kind rate_limited beyond the
// limit, and always sets RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10)
// on h.
func (g *Guard) Credential(h http.Header, credential string) error {
	return g.decide(h, g.limiter.Take(g.policy.Credential, credential), "this credential")
}

// InvalidCredential counts a request with an invalid credential against its address. It returns the
// errors and sets the headers of Credential.
func (g *Guard) InvalidCredential(h http.Header, address string) error {
	return g.decide(h, g.limiter.Take(g.policy.Address, address), "your address with an invalid credential")
}

// Enter counts a person's request in an organization, or in none when org is uuid.Nil, and waits
// for a slot as Bulkhead.Enter does. It returns an error of kind rate_limited beyond a limit.
func (g *Guard) Enter(ctx context.Context, org, person uuid.UUID) (leave func(), err error) {
	bulkhead, name, caller := g.organizations, org.String(), "this organization"
	if org == uuid.Nil {
		bulkhead, name, caller = g.people, person.String(), "this person"
	}
	if state := g.limiter.Take(g.policy.Organization, name); !state.Allowed {
		return nil, refusal(state, caller)
	}
	return bulkhead.Enter(ctx, name)
}

// anonymousOptions limit requests without a credential: two shares of the process may run, and many
// may wait, because a page has many images.
func anonymousOptions(of BulkheadOptions) BulkheadOptions {
	if of.Max <= 0 {
		return BulkheadOptions{}
	}
	of.Max, of.Share, of.Queue = min(of.Max, 2*max(of.Share, 1)), 0, 256
	return of
}

// maxBodies is how many large request bodies a tenant may have in a process at once.
const maxBodies = 3

// Tenant returns the name under which a caller's large bodies are counted: the organization's, or
// the person's if the credential gives access to several organizations or to none.
func Tenant(principal *authz.Principal) string {
	if len(principal.Orgs) == 1 {
		return principal.Orgs[0].Org.String()
	}
	return principal.Person.String()
}

// Receive waits for a place among the large bodies of a tenant, as Bulkhead.Enter does.
func (g *Guard) Receive(ctx context.Context, tenant string) (leave func(), err error) {
	return g.bodies.Enter(ctx, tenant)
}

// EnterAnonymous counts a request without a credential that reads an organization's data under a
// public name, such as a share, and waits for a slot: first among the requests of its address, then
// among the requests of the name, then among all public requests of the organization. It returns an
// error of kind rate_limited beyond a limit. A nil guard admits every request.
func (g *Guard) EnterAnonymous(r *http.Request, org uuid.UUID, name string) (leave func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	if state := g.limiter.Take(g.policy.Organization, "public:"+name); !state.Allowed {
		return nil, refusal(state, "all readers of this link")
	}
	var entered []func()
	leave = func() {
		for _, one := range slices.Backward(entered) {
			one()
		}
	}
	for _, place := range []struct {
		bulkhead *Bulkhead
		tenant   string
	}{
		{g.anonymous, "address:" + g.address(r)},
		{g.anonymous, "public:" + name},
		{g.organizations, "public:" + org.String()},
	} {
		one, err := place.bulkhead.Enter(r.Context(), place.tenant)
		if err != nil {
			leave()
			return nil, err
		}
		entered = append(entered, one)
	}
	return leave, nil
}

// pageWait is longer than a statement may take, so that the slow pages of one organization delay the others' only.
const pageWait = 20 * time.Second

// EnterPage waits, after EnterAnonymous, until a page for a request without a credential may be made: as many at once
// in the process as one organization's share of the processors. The slot must be left before the page is sent, which
// may take the client long. Its errors are those of Bulkhead.Enter. A nil guard admits every page.
func (g *Guard) EnterPage(ctx context.Context, org uuid.UUID) (leave func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	return enterBoth(ctx, g.pages, org.String(), g.pages)
}

// EnterHeavy waits, after Enter, until a call that takes processor time for long may begin: one of a tenant, which is
// an organization or the person who names none, at a time, and as many in the process as one organization's share of
// the processors. So such calls of many tenants take turns, and leave processors to others. Its errors are those of
// Bulkhead.Enter.
func (g *Guard) EnterHeavy(ctx context.Context, tenant uuid.UUID) (leave func(), err error) {
	return enterBoth(ctx, g.heavy, tenant.String(), g.process)
}

// enterBoth waits for a slot of a tenant, and then for one of the process.
func enterBoth(ctx context.Context, tenants *Bulkhead, tenant string, process *Bulkhead) (leave func(), err error) {
	leaveTenant, err := tenants.Enter(ctx, tenant)
	if err != nil {
		return nil, err
	}
	leaveProcess, err := process.Enter(ctx, "")
	if err != nil {
		leaveTenant()
		return nil, err
	}
	return func() { leaveProcess(); leaveTenant() }, nil
}

// sharePasswords is how many wrong passwords one address, and all addresses together, may give for a share.
var (
	sharePasswordsOfAddress = Rate{Name: "share-password-address", PerSecond: 1.0 / 60, Burst: 10}
	sharePasswords          = Rate{Name: "share-password", PerSecond: 1.0 / 6, Burst: 100}
)

// EnterPassword is called before the password of a share is compared. It returns a function to call if it is wrong, or
// an error of kind rate_limited while too many wrong ones were given. A nil guard limits nothing.
func (g *Guard) EnterPassword(r *http.Request, share string) (wrong func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	ofAddress := share + " " + g.address(r)
	for rate, name := range map[*Rate]string{&sharePasswordsOfAddress: ofAddress, &sharePasswords: share} {
		if state := g.limiter.Peek(*rate, name); !state.Allowed {
			return nil, &problem.Error{
				Kind: problem.KindRateLimited, RetryAfter: max(state.RetryAfter, time.Second),
				Message: "Too many wrong passwords were given. Wait a few minutes before you try again.",
			}
		}
	}
	return func() {
		g.limiter.Take(sharePasswordsOfAddress, ofAddress)
		g.limiter.Take(sharePasswords, share)
	}, nil
}

// formAnswers is how many answers one address, and all addresses together, may send to a form. A class or an event
// sends many at once from one address.
var (
	formAnswersOfAddress = Rate{Name: "form-answer-address", PerSecond: 1, Burst: 60}
	formAnswers          = Rate{Name: "form-answer", PerSecond: 10, Burst: 300}
)

// formFiles is how many files one address, and all addresses together, may upload for answers to a form.
var (
	formFilesOfAddress = Rate{Name: "form-file-address", PerSecond: 0.2, Burst: 100}
	formFiles          = Rate{Name: "form-file", PerSecond: 2, Burst: 500}
)

// EnterFormFile counts a file for an answer to a form without a credential. It returns an error of kind rate_limited
// beyond a limit. A nil guard limits nothing.
func (g *Guard) EnterFormFile(r *http.Request, share string) error {
	if g == nil {
		return nil
	}
	return g.takeOfForm(r, share, formFilesOfAddress, formFiles,
		"This form is getting too many files at this moment. Wait a little, and add yours again.")
}

// takeOfForm counts what is sent to a form, by address and in all.
func (g *Guard) takeOfForm(r *http.Request, share string, ofAddress, ofForm Rate, refusal string) error {
	for _, one := range []struct {
		rate Rate
		name string
	}{{ofAddress, share + " " + g.address(r)}, {ofForm, share}} {
		if state := g.limiter.Take(one.rate, one.name); !state.Allowed {
			return &problem.Error{
				Kind: problem.KindRateLimited, RetryAfter: max(state.RetryAfter, time.Second), Message: refusal,
			}
		}
	}
	return nil
}

// EnterAnswer counts an answer to a form without a credential. It returns an error of kind rate_limited beyond a limit.
// A nil guard limits nothing.
func (g *Guard) EnterAnswer(r *http.Request, share string) error {
	if g == nil {
		return nil
	}
	return g.takeOfForm(r, share, formAnswersOfAddress, formAnswers,
		"This form is getting too many answers at this moment. Wait a little, and send yours again.")
}

// refusedStatements is how many statements of SQL an organization may send that are refused. To find out that a
// statement must not run takes processor time that no other limit counts.
var refusedStatements = Rate{Name: "refused-statement", PerSecond: 2, Burst: 60}

// EnterStatement is called before a statement of SQL is checked. It returns a function to call if the statement is
// refused, or an error of kind rate_limited while too many statements of the organization were.
func (g *Guard) EnterStatement(org uuid.UUID) (refused func(), err error) {
	state := g.limiter.Peek(refusedStatements, org.String())
	if !state.Allowed {
		return nil, &problem.Error{
			Kind: problem.KindRateLimited, RetryAfter: max(state.RetryAfter, time.Millisecond),
			Message: fmt.Sprintf("Too many SQL statements of this organization were refused: %d at once may be, and "+
				"%.0f a second after that. Correct the statement before you send it again.",
				refusedStatements.Burst, refusedStatements.PerSecond),
		}
	}
	return func() { g.limiter.Take(refusedStatements, org.String()) }, nil
}

func (g *Guard) decide(h http.Header, state State, caller string) error {
	if state.Rate.PerSecond > 0 {
		h.Set("Ratelimit-Policy", g.described[state.Rate.Name])
		h.Set("Ratelimit", `"`+state.Rate.Name+`";r=`+strconv.Itoa(state.Remaining)+";t="+
			strconv.Itoa(seconds(max(state.Reset, state.RetryAfter))))
	}
	if state.Allowed {
		return nil
	}
	return refusal(state, caller)
}

// describe returns the value of RateLimit-Policy, q requests in w seconds, or "" without a limit.
func describe(r Rate) string {
	if r.PerSecond <= 0 {
		return ""
	}
	return fmt.Sprintf("%q;q=%d;w=%d", r.Name, r.Burst, max(1, seconds(r.burstWindow())))
}

func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func refusal(state State, caller string) error {
	return &problem.Error{
		Kind: problem.KindRateLimited, RetryAfter: max(state.RetryAfter, time.Millisecond),
		Message: fmt.Sprintf("Too many requests from %s: it may make %s a second, and %d at once after a pause.",
			caller, strings.TrimSuffix(strconv.FormatFloat(state.Rate.PerSecond, 'f', 2, 64), ".00"), state.Rate.Burst),
	}
}
