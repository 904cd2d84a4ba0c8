package oauth

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"github.com/rowhouse/rowhouse/outbound"
)

const (
	documentTimeout  = 5 * time.Second
	maxDocument      = 5 << 10
	maxKeySet        = 64 << 10
	minFreshness     = time.Minute
	maxFreshness     = 24 * time.Hour
	defaultFreshness = time.Hour
)

// documentURL parses an untrusted document URL. It must be https with a host and a path, without
// user, fragment or dot segments.
func documentURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || len(raw) > maxRedirect:
		return nil, errors.New("is not a URL")
	case u.Scheme != "https" || !strings.HasPrefix(raw, "https://"):
		return nil, errors.New("must be https")
	case u.Hostname() == "" || u.User != nil || u.Opaque != "":
		return nil, errors.New("must name a host and no user")
	case strings.Contains(raw, "#"):
		return nil, errors.New("must not have a fragment")
	case u.Path == "" || u.Path == "/":
		return nil, errors.New("must have a path")
	case path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return nil, errors.New("must not have dot segments")
	}
	if err := checkHost(u.Hostname()); err != nil {
		return nil, err
	}
	return u, nil
}

// isDocumentID reports whether a client_id is the URL of a metadata document.
func isDocumentID(id string) bool { return strings.HasPrefix(id, "https://") }

// A documentFetcher fetches client metadata documents and key sets from untrusted URLs. It caches
// failures, because an unauthenticated request must not cause an outgoing request each time.
type documentFetcher struct {
	client       *http.Client
	allowAnyPort bool // for tests, whose servers use random ports
	flight       singleflight.Group
	slots        *semaphore.Weighted // bounds concurrent fetches

	failed *lru.Cache[string, failedFetch]
	keys   *lru.Cache[string, fetchedKeys]
}

type failedFetch struct {
	err   error
	until time.Time
}

type fetchedKeys struct {
	set *clientKeySet
	at  time.Time
}

const (
	maxConcurrentFetches = 32
	fetchCacheSize       = 1000
	failureTTL           = time.Minute      // how long a failure is cached
	keySetTTL            = time.Hour        // how long a key set is cached
	keySetRefetchAfter   = 10 * time.Second // age after which an unknown key id causes a refetch
)

var (
	// errTooManyFetches is returned while maxConcurrentFetches fetches are in progress.
	errTooManyFetches = errors.New("too many documents are being fetched")
	// errGone is returned for a document whose server responded 410 (RFC 9110 section 15.5.11).
	errGone = errors.New("its server answered 410")
)

// newDocumentFetcher returns a fetcher that reaches only public addresses, because anybody who is
// not signed in can make it fetch.
func newDocumentFetcher() *documentFetcher {
	f := &documentFetcher{client: newDocumentClient(nil, nil), slots: semaphore.NewWeighted(maxConcurrentFetches)}
	f.failed, _ = lru.New[string, failedFetch](fetchCacheSize) // fails only for a size of zero
	f.keys, _ = lru.New[string, fetchedKeys](fetchCacheSize)   // likewise
	return f
}

func newDocumentClient(allowed []netip.Prefix, trust *tls.Config) *http.Client {
	return outbound.NewClient(outbound.Options{Allowed: allowed, Timeout: documentTimeout, TLS: trust})
}

// fetch fetches and validates the metadata document at id. The error says what is wrong with the
// document.
func (f *documentFetcher) fetch(ctx context.Context, id string, now time.Time) (*Client, error) {
	client, err := fetchShared(f, "document "+id, now, func() (*Client, error) {
		body, header, err := f.get(context.WithoutCancel(ctx), id, maxDocument)
		if err != nil {
			return nil, err
		}
		return readDocument(id, body, now.Add(freshness(header, now)))
	})
	if err != nil {
		return nil, fmt.Errorf("reading the client metadata document: %w", err)
	}
	return client, nil
}

// cachedKeySet returns the cached key set of a location, or the cached error of its fetch; known is
// false when neither is cached. With refresh, it ignores a set older than keySetRefetchAfter.
func (f *documentFetcher) cachedKeySet(
	location string,
	refresh bool,
	now time.Time,
) (set *clientKeySet, err error, known bool) {
	kept := keySetTTL
	if refresh {
		kept = keySetRefetchAfter
	}
	if fetched, ok := f.keys.Get(location); ok && now.Before(fetched.at.Add(kept)) {
		return fetched.set, nil, true
	}
	if failed, ok := f.failed.Get("keys " + location); ok && now.Before(failed.until) {
		return nil, failed.err, true
	}
	return nil, nil, false
}

// keySet fetches and caches the key set at location.
func (f *documentFetcher) keySet(ctx context.Context, location string, now time.Time) (*clientKeySet, error) {
	return fetchShared(f, "keys "+location, now, func() (*clientKeySet, error) {
		body, _, err := f.get(context.WithoutCancel(ctx), location, maxKeySet)
		if err != nil {
			return nil, err
		}
		set, err := readKeySet(body)
		if err == nil {
			f.keys.Add(location, fetchedKeys{set, now})
		}
		return set, err
	})
}

// fetchShared runs one fetch for all concurrent calls with the same name, within the bound on
// fetches, and caches a failure.
func fetchShared[T any](f *documentFetcher, name string, now time.Time, fetch func() (*T, error)) (*T, error) {
	if failed, ok := f.failed.Get(name); ok && now.Before(failed.until) {
		return nil, failed.err
	}
	value, err, _ := f.flight.Do(name, func() (any, error) {
		if !f.slots.TryAcquire(1) {
			return nil, errTooManyFetches
		}
		defer f.slots.Release(1)
		value, err := fetch()
		if err != nil {
			f.failed.Add(name, failedFetch{err, now.Add(failureTTL)})
			return nil, err
		}
		f.failed.Remove(name)
		return value, nil
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // of fetch
	}
	return value.(*T), nil //nolint:forcetypeassert // what fetch returned
}

func readDocument(id string, body []byte, freshUntil time.Time) (*Client, error) {
	var document struct {
		ID     string `json:"client_id"`
		Secret any    `json:"client_secret"`
		Metadata
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return nil, errors.New("it is not client metadata in JSON (RFC 7591)")
	}
	if document.ID != id {
		return nil, errors.New("its client_id is not its own address")
	}
	m := document.Metadata
	if m.AuthMethod == "" && m.Keys == nil && m.KeysURI == "" {
		m.AuthMethod = methodNone
	}
	if document.Secret != nil || (m.AuthMethod != "" && m.AuthMethod != methodNone && m.AuthMethod != methodJWT) {
		return nil, errors.New(
			"a document cannot hold a secret: token_endpoint_auth_method must be none or private_key_jwt",
		)
	}
	if err := checkMetadata(&m); err != nil {
		return nil, err
	}
	if m.Name == "" {
		return nil, errors.New("it has no client_name")
	}
	return &Client{ID: id, Kind: kindDocument, Metadata: m, freshUntil: freshUntil}, nil
}

func (f *documentFetcher) get(ctx context.Context, address string, maxBytes int64) ([]byte, http.Header, error) {
	u, err := documentURL(address)
	if err != nil {
		return nil, nil, fmt.Errorf("its address %w", err)
	}
	if port := u.Port(); port != "" && port != "443" && !f.allowAnyPort {
		return nil, nil, errors.New("its address must not name a port")
	}
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	//nolint:gosec // the dialer checks the address
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, nil, fmt.Errorf("preparing the request: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Rowhouse")
	response, err := f.client.Do(request) //nolint:gosec // the dialer checks each address
	if err != nil {
		return nil, nil, fmt.Errorf("it could not be fetched: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusGone {
		return nil, nil, errGone
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("its server answered %d", response.StatusCode)
	}
	media, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || (media != "application/json" && !strings.HasSuffix(media, "+json")) {
		return nil, nil, errors.New("its server does not call it JSON")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("it could not be read: %w", err)
	}
	if int64(len(body)) > maxBytes {
		return nil, nil, fmt.Errorf("it has more than %d bytes", maxBytes)
	}
	return body, response.Header, nil
}

// freshness returns how long a document is fresh according to its HTTP headers (RFC 9111), within
// bounds.
func freshness(header http.Header, now time.Time) time.Duration {
	fresh := defaultFreshness
	if expires, err := http.ParseTime(header.Get("Expires")); err == nil {
		fresh = expires.Sub(now)
	}
	for directive := range strings.SplitSeq(header.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return minFreshness
		case "max-age":
			if seconds, err := strconv.Atoi(strings.Trim(value, `"`)); err == nil {
				fresh = time.Duration(min(seconds, int(maxFreshness/time.Second))) * time.Second
			}
		}
	}
	return min(max(fresh, minFreshness), maxFreshness)
}
