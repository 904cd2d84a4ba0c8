package main

import (
	"runtime"
	"time"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/limit"
)

// limitConfig says how much one caller may ask. Zero is no limit.
type limitConfig struct {
	CredentialRate   float64 `name:"credential-rate" env:"CREDENTIAL_RATE" default:"50" help:"Requests a second of one key, connected app or session, after a burst of ten seconds' worth; 0 for no limit."`
	OrganizationRate float64 `name:"organization-rate" env:"ORGANIZATION_RATE" default:"200" help:"The same, of one organization."`
	HeavyRequests    int     `name:"heavy-requests" env:"HEAVY_REQUESTS" default:"0" help:"Requests of one organization that may run at once while they take longer than 100 ms, beside one that does not; 0 for half the processors."`
	AddressRate      float64 `name:"address-rate" env:"ADDRESS_RATE" default:"5" help:"The same, of requests without a valid credential from one address."`
}

// guard shares the process among organizations: none may have more than three quarters of the connections to the database
// under way at once, nor more heavy requests than the configuration says.
func (c *serviceConfig) guard(limiter *limit.Limiter) *limit.Guard {
	rate := func(perSecond float64) limit.Rate {
		return limit.Rate{PerSecond: perSecond, Burst: max(1, int(10*perSecond))}
	}
	policy := limit.Policy{
		Credential: rate(c.CredentialRate), Organization: rate(c.OrganizationRate), Address: rate(c.AddressRate),
	}
	connections := int(c.DatabaseMaxConnections)
	heavy := c.HeavyRequests
	if heavy <= 0 {
		heavy = max(1, runtime.NumCPU()/2)
	}
	lanes := limit.NewLanes(limit.LaneOptions{Most: max(1, connections*3/4), Slow: heavy, SlowAfter: 100 * time.Millisecond})
	return limit.NewGuard(policy, limiter, lanes, account.Peer)
}
