package airtable_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

const second = 60 * time.Millisecond

func open(t *testing.T, o airtabletest.Options) (*airtabletest.Server, *airtable.Session) {
	t.Helper()
	fake := airtabletest.Start(airtabletest.Plain(250, 4), o)
	t.Cleanup(fake.Close)
	fetch := outbound.NewFetcher(outbound.Options{
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, MaxBody: 1 << 20,
	})
	client := airtable.New(fake.URL, product.Options{
		API: fetch, Files: fetch, Second: second, Penalty: 2 * second,
	})
	return fake, client.Open(airtabletest.Token, fake.Base.ID)
}

func TestRequestsKeepThePaceOfABase(t *testing.T) {
	t.Parallel()
	fake, session := open(t, airtabletest.Options{Second: second, Penalty: 10 * second})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 6 {
				if _, err := session.Tables(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if requests, tooMany, _ := fake.Requests(); requests != 24 || tooMany > 0 {
		t.Errorf("of %d requests, %d came too fast", requests, tooMany)
	}
}

func TestARefusalForThePaceIsWaitedFor(t *testing.T) {
	t.Parallel()
	fake, session := open(t, airtabletest.Options{})
	n := 0
	fake.Fail(func(string) (int, string) {
		if n++; n < 3 {
			return 429, `{"errors":[{"error":"RATE_LIMIT_REACHED","message":"Rate limit exceeded"}]}`
		}
		return 0, ""
	})
	began := time.Now()
	page, err := session.Records(t.Context(), &product.Table{ID: fake.TableNamed("Orders").ID}, "")
	if err != nil || len(page.Records) != 100 || page.Offset == "" {
		t.Fatalf("%d records came: %v", len(page.Records), err)
	}
	if took := time.Since(began); took < 4*second {
		t.Errorf("two refusals were waited for within %s", took)
	}
	// The calls of a month are used up: waiting is of no use.
	n = 0
	fake.Fail(func(string) (int, string) {
		n++
		return 429, `{"errors":[{"error":"PUBLIC_API_BILLING_LIMIT_EXCEEDED","message":"Limit"}]}`
	})
	_, err = session.Records(t.Context(), &product.Table{ID: fake.TableNamed("Orders").ID}, "")
	var refusal *product.Error
	if !errors.As(err, &refusal) || n != 1 {
		t.Errorf("after %d requests: %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	fake.Fail(func(string) (int, string) { cancel(); return 503, "" })
	if _, err = session.Tables(ctx); err == nil {
		t.Error("a cancelled request was answered")
	}
}

func TestAnExpiredPlaceInAListIsRecognized(t *testing.T) {
	t.Parallel()
	fake, session := open(t, airtabletest.Options{FileLife: -time.Hour})
	table := &product.Table{ID: fake.TableNamed("Orders").ID}
	page, err := session.Records(t.Context(), table, "")
	if err != nil {
		t.Fatal(err)
	}
	fake.ExpireOffsets()
	if _, err := session.Records(t.Context(), table, page.Offset); !product.IsExpired(err) {
		t.Errorf("an offset that is gone: %v", err)
	}
	if _, err := session.Record(t.Context(), table, "recGONE0000000000"); !product.IsGone(err) {
		t.Errorf("a record that is gone: %v", err)
	}
	_, err = session.File(t.Context(), &product.Attachment{URL: fake.URL + "/files/1/attFAKE0000000001"})
	if !product.IsExpired(err) {
		t.Errorf("an address that is over: %v", err)
	}
}
