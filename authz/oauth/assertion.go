package oauth

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/ory/fosite"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

// assertionType is the value of client_assertion_type (RFC 7523 section 2.2).
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

// Bounds of client assertions.
const (
	maxAssertion   = 8 << 10 // bytes
	maxAssertionID = 256     // bytes of jti
	assertionLife  = time.Hour
	verifyTimeout  = time.Second // how long a request waits for a slot
)

// newVerifySlots bounds concurrent verifications of assertions, so that unauthenticated requests
// never use all processors.
func newVerifySlots() *semaphore.Weighted { return semaphore.NewWeighted(maxConcurrentVerifications()) }

func maxConcurrentVerifications() int64 { return int64(max(1, runtime.GOMAXPROCS(0)/2)) }

// assertionClaims are the claims of a client assertion (RFC 7523 section 3).
type assertionClaims struct {
	jwt.RegisteredClaims
}

// authenticateByAssertion authenticates a client by private_key_jwt. Cheap checks come first, and
// the assertion counts as used only after every other check has passed. All errors are
// invalid_client, except errors of the form, the database and the limits.
func (s *Service) authenticateByAssertion(
	ctx context.Context,
	r *http.Request,
	form url.Values,
) (fosite.Client, error) {
	text := form.Get("client_assertion")
	if form.Get("client_assertion_type") != assertionType || text == "" || len(text) > maxAssertion {
		return nil, invalidRequest.WithHintf(
			"client_assertion_type must be %s, with a client_assertion of at most %d bytes.",
			assertionType, maxAssertion,
		)
	}
	var claim assertionClaims
	token, _, err := newAssertionParser().ParseUnverified(text, &claim)
	if err != nil {
		return nil, invalidClient.WithWrap(err)
	}
	clientID := form.Get("client_id")
	if clientID == "" {
		clientID = claim.Subject
	}
	if err := s.checkAssertion(&claim, clientID); err != nil {
		return nil, invalidClient.WithWrap(err)
	}
	found, err := s.clients.GetClient(ctx, clientID)
	if err != nil {
		return nil, invalidClient.WithWrap(err)
	}
	client, ok := found.(*Client)
	if !ok || client.Metadata.AuthMethod != methodJWT || client.Metadata.AuthAlgorithm != token.Method.Alg() {
		return nil, invalidClient.WithWrap(
			errors.New("the client does not authenticate by an assertion of this algorithm"),
		)
	}
	if err := s.verifyAssertion(ctx, r, client, token, text); err != nil {
		return nil, err
	}
	// Two clients may choose the same jti. The separator is unambiguous because no client id
	// contains a NUL.
	if err := s.clients.SetClientAssertionJWT(ctx, clientID+"\x00"+claim.ID, claim.ExpiresAt.Time); err != nil {
		return nil, invalidClient.WithWrap(err)
	}
	return client, nil
}

// newAssertionParser returns a parser that does not validate claims; checkAssertion does.
func newAssertionParser() *jwt.Parser {
	return jwt.NewParser(jwt.WithValidMethods(assertionAlgorithms), jwt.WithoutClaimsValidation(),
		jwt.WithStrictDecoding())
}

// checkAssertion validates the claims. The audience must be this server only: an assertion that
// another server accepts too could be replayed here by that server.
func (s *Service) checkAssertion(claim *assertionClaims, clientID string) error {
	now := s.now()
	switch {
	case claim.Issuer != clientID || claim.Subject != clientID:
		return errors.New("iss and sub of the assertion must be the client_id")
	case len(claim.Audience) != 1 || !slices.Contains([]string{s.issuer, s.issuer + "/oauth/token"}, claim.Audience[0]):
		return errors.New("aud of the assertion must be the issuer or the token endpoint, and nothing else")
	case claim.ID == "" || len(claim.ID) > maxAssertionID:
		return fmt.Errorf("jti of the assertion must have 1 to %d bytes", maxAssertionID)
	case claim.ExpiresAt == nil || !now.Before(claim.ExpiresAt.Time):
		return errors.New("the assertion has expired or has no exp")
	case claim.ExpiresAt.After(now.Add(assertionLife + clockTolerance)):
		return fmt.Errorf("exp of the assertion must be within %s", assertionLife)
	case claim.NotBefore != nil && claim.NotBefore.After(now.Add(clockTolerance)):
		return errors.New("the assertion is not valid yet")
	case claim.IssuedAt != nil && claim.IssuedAt.After(now.Add(clockTolerance)):
		return errors.New("the assertion was issued in the future")
	}
	return nil
}

// verifyAssertion verifies the signature with the client's keys, and refetches the keys once when
// none of the cached ones matches.
func (s *Service) verifyAssertion(
	ctx context.Context, r *http.Request, client *Client, token *jwt.Token, text string,
) error {
	keyID, _ := token.Header["kid"].(string)
	if _, critical := token.Header["crit"]; critical {
		return invalidClient.WithWrap(errors.New("the assertion has a crit header"))
	}
	for _, refresh := range []bool{false, true} {
		set, err := s.clientKeys(ctx, r, client, refresh)
		if err != nil {
			return err
		}
		if set == nil {
			break
		}
		ok, err := s.verifySignature(ctx, set.verificationKeys(token.Method.Alg(), keyID), text)
		if err != nil {
			return err
		}
		if ok {
			return nil
		}
	}
	return invalidClient.WithWrap(errors.New("no key of the client signed the assertion"))
}

// clientKeys returns the client's keys. With refresh it fetches the keys of a jwks_uri again; it
// returns nil when the keys were registered inline.
func (s *Service) clientKeys(
	ctx context.Context,
	r *http.Request,
	client *Client,
	refresh bool,
) (*clientKeySet, error) {
	if client.Metadata.Keys != nil {
		if refresh {
			return nil, nil //nolint:nilnil // there are no other keys
		}
		return client.Metadata.Keys, nil
	}
	documents, location, now := s.clients.documents, client.Metadata.KeysURI, s.now()
	set, err, known := documents.cachedKeySet(location, refresh, now)
	if !known {
		// An unauthenticated request makes this server send one, so it is limited by address.
		if _, ok := s.allow(keySetRate, clientNetwork(r)); !ok {
			return nil, rateLimited
		}
		set, err = documents.keySet(ctx, location, now)
	}
	if errors.Is(err, errTooManyFetches) {
		return nil, rateLimited.WithWrap(err)
	}
	if err != nil {
		return nil, invalidClient.WithWrap(fmt.Errorf("fetching the client's keys: %w", err))
	}
	return set, nil
}

// verifySignature reports whether one of the keys signed the assertion. It returns rateLimited when
// no slot is free within verifyTimeout.
func (s *Service) verifySignature(ctx context.Context, keys []crypto.PublicKey, text string) (bool, error) {
	if len(keys) == 0 {
		return false, nil
	}
	waiting, cancel := context.WithTimeout(ctx, verifyTimeout)
	defer cancel()
	if err := s.verifySlots.Acquire(waiting, 1); err != nil {
		return false, rateLimited.WithWrap(fmt.Errorf("waiting to verify a client assertion: %w", err))
	}
	defer s.verifySlots.Release(1)
	set := jwt.VerificationKeySet{Keys: make([]jwt.VerificationKey, len(keys))}
	for i, key := range keys {
		set.Keys[i] = key
	}
	_, err := newAssertionParser().ParseWithClaims(text, &assertionClaims{},
		func(*jwt.Token) (any, error) { return set, nil })
	return err == nil, nil
}

// authenticateClient is fosite's ClientAuthenticationStrategy. It handles assertions and leaves
// secrets to fosite.
func (s *Service) authenticateClient(ctx context.Context, r *http.Request, form url.Values) (fosite.Client, error) {
	var client fosite.Client
	var err error
	if form.Has("client_assertion") || form.Has("client_assertion_type") {
		client, err = s.authenticateByAssertion(ctx, r, form)
	} else {
		client, err = s.provider.DefaultClientAuthenticationStrategy(ctx, r, form)
	}
	var named *fosite.RFC6749Error
	if err != nil && !errors.As(err, &named) && problem.KindOf(err) != problem.KindUnavailable {
		return nil, invalidClient.WithWrap(err) // not an OAuth error
	}
	return client, err
}
