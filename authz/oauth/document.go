package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v3"
	"golang.org/x/sync/singleflight"
)

const (
	documentTimeout = 5 * time.Second
	maxDocument     = 5 << 10
	maxKeys         = 64 << 10
	minFresh        = time.Minute
	maxFresh        = 24 * time.Hour
	usualFresh      = time.Hour
)

// documentURL reads an address that a stranger gave for a document: https, a path, nothing that hides where it leads.
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
	return u, nil
}

// isDocumentID reports whether a client_id is the address of a document.
func isDocumentID(id string) bool { return strings.HasPrefix(id, "https://") }

// A documentFetcher gets client metadata documents and key sets from addresses that strangers name.
type documentFetcher struct {
	client  *http.Client
	anyPort bool // a test's server has no well-known port
	flight  singleflight.Group

	mu   sync.Mutex
	keys map[string]cachedKeys
}

type cachedKeys struct {
	set   *jose.JSONWebKeySet
	until time.Time
}

func newDocumentFetcher() *documentFetcher {
	return &documentFetcher{client: newStrangerClient(isPublic, nil), keys: map[string]cachedKeys{}}
}

// fetch gets the metadata document at id, checked, and how long it is fresh. The error says what is wrong with the document.
func (f *documentFetcher) fetch(ctx context.Context, id string, now time.Time) (*Client, error) {
	value, err, _ := f.flight.Do(id, func() (any, error) {
		body, header, err := f.get(context.WithoutCancel(ctx), id, maxDocument)
		if err != nil {
			return nil, err
		}
		return readDocument(id, body, now.Add(freshness(header, now)))
	})
	if err != nil {
		return nil, fmt.Errorf("reading the client metadata document: %w", err)
	}
	return value.(*Client), nil
}

func readDocument(id string, body []byte, freshUntil time.Time) (*Client, error) {
	var document struct {
		ID     string `json:"client_id"`
		Secret any    `json:"client_secret"`
		Metadata
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return nil, errors.New("it is not JSON of the form of RFC 7591")
	}
	if document.ID != id {
		return nil, errors.New("its client_id is not its own address")
	}
	m := document.Metadata
	if m.AuthMethod == "" && m.Keys == nil && m.KeysURI == "" {
		m.AuthMethod = methodNone
	}
	if document.Secret != nil || (m.AuthMethod != "" && m.AuthMethod != methodNone && m.AuthMethod != methodJWT) {
		return nil, errors.New("a document cannot hold a secret: token_endpoint_auth_method must be none or private_key_jwt")
	}
	if err := checkMetadata(&m); err != nil {
		return nil, err
	}
	return &Client{ID: id, Kind: kindDocument, Metadata: m, freshUntil: freshUntil}, nil
}

// Resolve is of fosite.JWKSFetcherStrategy.
func (f *documentFetcher) Resolve(ctx context.Context, location string, ignoreCache bool) (*jose.JSONWebKeySet, error) {
	now := time.Now()
	f.mu.Lock()
	cached, ok := f.keys[location]
	f.mu.Unlock()
	// A failed look-up of a key makes fosite ask again; once in ten seconds is enough for that.
	if ok && now.Before(cached.until) && (!ignoreCache || now.Before(cached.until.Add(10*time.Second-time.Hour))) {
		return cached.set, nil
	}
	value, err, _ := f.flight.Do("keys "+location, func() (any, error) {
		body, _, err := f.get(context.WithoutCancel(ctx), location, maxKeys)
		if err != nil {
			return nil, err
		}
		var set jose.JSONWebKeySet
		if err := json.Unmarshal(body, &set); err != nil {
			return nil, errors.New("it is not a JSON Web Key Set")
		}
		return signingKeys(&set), nil
	})
	if err != nil {
		return nil, invalidClient.WithWrap(fmt.Errorf("fetching the client's keys: %w", err))
	}
	set := value.(*jose.JSONWebKeySet)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.keys) > 1000 {
		clear(f.keys)
	}
	f.keys[location] = cachedKeys{set: set, until: now.Add(time.Hour)}
	return set, nil
}

func (f *documentFetcher) get(ctx context.Context, address string, most int64) ([]byte, http.Header, error) {
	u, err := documentURL(address)
	if err != nil {
		return nil, nil, fmt.Errorf("its address %w", err)
	}
	if port := u.Port(); port != "" && port != "443" && !f.anyPort {
		return nil, nil, errors.New("its address must not name a port")
	}
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody) //nolint:gosec // the dialer judges each address
	if err != nil {
		return nil, nil, fmt.Errorf("preparing the request: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Rowhouse")
	response, err := f.client.Do(request) //nolint:gosec // the dialer judges each address
	if err != nil {
		return nil, nil, fmt.Errorf("it could not be fetched: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("its server answered %d", response.StatusCode)
	}
	media, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || (media != "application/json" && !strings.HasSuffix(media, "+json")) {
		return nil, nil, errors.New("its server does not call it JSON")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, nil, fmt.Errorf("it could not be read: %w", err)
	}
	if int64(len(body)) > most {
		return nil, nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return body, response.Header, nil
}

// freshness reads how long a document may be kept from its HTTP headers (RFC 9111), within bounds.
func freshness(header http.Header, now time.Time) time.Duration {
	fresh := usualFresh
	if expires, err := http.ParseTime(header.Get("Expires")); err == nil {
		fresh = expires.Sub(now)
	}
	for directive := range strings.SplitSeq(header.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return minFresh
		case "max-age":
			if seconds, err := strconv.Atoi(strings.Trim(value, `"`)); err == nil {
				fresh = time.Duration(min(seconds, int(maxFresh/time.Second))) * time.Second
			}
		}
	}
	return min(max(fresh, minFresh), maxFresh)
}
