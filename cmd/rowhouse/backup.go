package main

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
)

const (
	bucketWait = 2 * time.Minute // for the beginning of an answer, also to the end of an upload
	bucketBody = 1 << 40         // bytes of an object
)

// buckets is the transport to the buckets of organizations, which their admins choose. allowed are the networks that may
// be reached although they are not public.
func buckets(allowed []netip.Prefix) http.RoundTripper {
	return outbound.NewClient(outbound.Options{
		Allowed: allowed, Timeout: bucketWait, MaxBody: bucketBody, KeepAlive: true,
	}).Transport
}
