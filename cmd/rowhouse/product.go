package main

import (
	"net/netip"
	"net/url"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/baserow"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// airtableConfig configures imports from Airtable.
type airtableConfig struct {
	AirtableURL string `name:"airtable-url" env:"AIRTABLE_URL" default:"https://api.airtable.com" help:"Where imports from Airtable find its Web API; another address is of use behind a proxy, and in tests." placeholder:"URL"`
}

func (c *airtableConfig) check() error {
	u, err := url.Parse(c.AirtableURL)
	if c.AirtableURL != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		return invalidError("AIRTABLE_URL", "a URL with a host", airtable.DefaultAddress)
	}
	return nil
}

const (
	productPageTime = 30 * time.Second // of a page of records
	productFileTime = 15 * time.Minute // of a file
	productPage     = 64 << 20         // bytes of a page of records
)

// products returns the clients of products whose installations people choose.
func products(allowed []netip.Prefix, maxFile int64) map[string]product.Opener {
	o := productOptions(allowed, maxFile)
	return map[string]product.Opener{"nocodb": nocodb.New("", o), "baserow": baserow.New("", o)}
}

// airtable returns the client of the API. allowed are the networks that may be reached although they are not public,
// which Airtable itself, and its files, are never in.
func (c *airtableConfig) airtable(allowed []netip.Prefix, maxFile int64) *airtable.Client {
	if c.AirtableURL == airtable.DefaultAddress || c.AirtableURL == "" {
		allowed = nil
	}
	return airtable.New(c.AirtableURL, productOptions(allowed, maxFile))
}

// productOptions are what clients of products need. allowed are the networks that they may reach although they are not
// public.
func productOptions(allowed []netip.Prefix, maxFile int64) product.Options {
	return product.Options{
		API: outbound.NewFetcher(outbound.Options{
			Allowed: allowed, Timeout: productPageTime, MaxBody: productPage,
		}),
		Files: outbound.NewFetcher(outbound.Options{
			Allowed: allowed, Timeout: productFileTime, MaxBody: maxFile + 1,
		}),
	}
}
