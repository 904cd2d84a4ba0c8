package main

import (
	"math"
	"runtime"
	"time"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/authz/oauth"
)

// limitConfig configures rate limits. Zero means no limit.
type limitConfig struct {
	CredentialRate   float64 `name:"credential-rate" env:"CREDENTIAL_RATE" default:"50" help:"Requests per second of one key, connected app or session, with a burst of ten seconds' worth; 0 for no limit."`
	OrganizationRate float64 `name:"organization-rate" env:"ORGANIZATION_RATE" default:"200" help:"The same for one organization."`
	HeavyRequests    int     `name:"heavy-requests" env:"HEAVY_REQUESTS" default:"0" help:"Concurrent requests of one organization that may take longer than 100 ms, in addition to one that does not; also its total when other organizations have requests waiting and it exceeds its share; 0 for half the processors."`
	AddressRate      float64 `name:"address-rate" env:"ADDRESS_RATE" default:"5" help:"The same for requests with an invalid credential from one address. Valid credentials always pass."`
	OAuthRate        float64 `name:"oauth-rate" env:"OAUTH_RATE" default:"20" help:"The same for requests to the token, registration, revocation and introspection endpoints from one address, and separately for the authorization endpoint; one client may use half of it."`
	PersonStreams    int     `name:"person-streams" env:"PERSON_STREAMS" default:"200" help:"Streams of changes that one person may have open at once in this process, over all credentials; 0 for no limit."`
	OrgStreams       int     `name:"organization-streams" env:"ORGANIZATION_STREAMS" default:"5000" help:"The same for the bases of one organization."`
	ConsentRate      float64 `name:"consent-rate" env:"CONSENT_RATE" default:"0.2" help:"Authorization requests and consent forms of one person per second, with a burst of five minutes' worth; 0 for no limit."`
	RegistrationRate float64 `name:"registration-rate" env:"REGISTRATION_RATE" default:"0.05" help:"OAuth clients that one address may register per second, with a burst of ten minutes' worth; 0 for no limit."`
}

// rates returns the limits of the authorization server's endpoints that need no token.
func (c *limitConfig) rates() oauth.Rates {
	return oauth.Rates{
		Address:      rateWithBurst(c.OAuthRate, 10),
		Client:       rateWithBurst(c.OAuthRate/2, 10),
		Registration: rateWithBurst(c.RegistrationRate, 600),
		Authorize:    rateWithBurst(c.OAuthRate, 10),
		Person:       rateWithBurst(c.ConsentRate, 300),
	}
}

// rateWithBurst returns a limit with a burst of the given number of seconds' worth.
func rateWithBurst(perSecond, seconds float64) limit.Rate {
	return limit.Rate{PerSecond: perSecond, Burst: max(1, int(math.Round(seconds*perSecond)))}
}

// guard divides the process among organizations. No organization may use more than three quarters
// of the database connections at once, or run more heavy requests than configured.
func (c *serviceConfig) guard(limiter *limit.Limiter) *limit.Guard {
	policy := limit.Policy{
		Credential: rateWithBurst(c.CredentialRate, 10), Organization: rateWithBurst(c.OrganizationRate, 10),
		Address: rateWithBurst(c.AddressRate, 10),
	}
	connections := int(c.DatabaseMaxConnections)
	heavy := c.HeavyRequests
	if heavy <= 0 {
		heavy = max(1, runtime.NumCPU()/2)
	}
	bulkhead := limit.NewBulkhead(limit.BulkheadOptions{
		Max: max(1, connections*3/4), Slow: heavy, SlowAfter: 100 * time.Millisecond, Share: heavy,
	})
	return limit.NewGuard(policy, limiter, bulkhead, account.Peer)
}
