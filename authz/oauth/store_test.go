package oauth

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
)

// Conformance tests of the stores: the behaviour that fosite and the handlers rely on.

func (b *bundle) count(table string) int {
	b.t.Helper()
	var n int
	if err := b.db.SystemTx(b.t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(b.t.Context(), "select count(*) from rowhouse."+table).Scan(&n)
	}); err != nil {
		b.t.Fatal(err)
	}
	return n
}

type stores struct {
	*bundle
	client *Client
	now    time.Time
}

func newStores(t *testing.T) *stores {
	t.Helper()
	b := setup(t)
	metadata := Metadata{Name: "N", RedirectURIs: []string{"https://client.example/cb"}, AuthMethod: methodBasic}
	if err := checkMetadata(&metadata); err != nil {
		t.Fatal(err)
	}
	client, secret, err := b.s.clients.register(t.Context(), metadata)
	if err != nil || secret == "" {
		t.Fatalf("registering: %v", err)
	}
	return &stores{b, client, time.Now().Truncate(time.Microsecond)}
}

func (s *stores) grant() (*grant, string) {
	g := &grant{
		ID:            id.New(),
		Person:        s.person,
		Client:        s.client.ID,
		Resource:      s.base + "/mcp",
		Scopes:        []authz.Scope{authz.DataRead, authz.MCPTools},
		RedirectURI:   "https://client.example/cb",
		CodeChallenge: challengeOf(testVerifier),
		CodeExpires:   s.now.Add(codeLife),
		ExpiresAt:     s.now.Add(familyLife),
		session:       s.sessions.live["ada"].Session,
	}
	var code string
	code, g.CodeHash = newCode(g.ID)
	if err := s.s.grants.create(s.t.Context(), g, nil, s.now); err != nil {
		s.t.Fatal(err)
	}
	return g, code
}

func TestClientStoreConforms(t *testing.T) {
	t.Parallel()
	s := newStores(t)
	ctx := t.Context()
	var storage fosite.Storage = s.s.clients
	got, err := storage.GetClient(ctx, s.client.ID)
	if err != nil || got.GetID() != s.client.ID || got.IsPublic() ||
		got.GetRedirectURIs()[0] != "https://client.example/cb" ||
		len(got.GetHashedSecret()) != 32 || !got.GetGrantTypes().Has("authorization_code") ||
		!got.GetScopes().Has("data:read") {
		t.Fatalf("%+v %v", got, err)
	}
	for _, unknown := range []string{
		"", "cli_unknown", "https://unknown.example/c.json", "\x00", string(make([]byte, 5000)),
	} {
		if got, err := storage.GetClient(ctx, unknown); err == nil {
			t.Errorf("%q: %v", unknown, got)
		}
	}
	if _, err := storage.GetClient(ctx, "cli_unknown"); !errors.Is(err, fosite.ErrNotFound) {
		t.Errorf("an unknown client is %v", err)
	}
	s.advance(clientUnused + time.Second)
	if _, err := storage.GetClient(ctx, s.client.ID); !errors.Is(err, fosite.ErrNotFound) {
		t.Errorf("an expired client: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := storage.GetClient(ended, s.client.ID); err == nil || errors.Is(err, fosite.ErrNotFound) {
		t.Errorf("a failing database is %v", err)
	}
}

func TestAssertionStoreConforms(t *testing.T) {
	t.Parallel()
	s := newStores(t)
	ctx := t.Context()
	var storage fosite.Storage = s.s.clients
	jti := uuid.NewString()
	if err := storage.ClientAssertionJWTValid(ctx, jti); err != nil {
		t.Fatal(err)
	}
	if err := storage.SetClientAssertionJWT(ctx, jti, s.now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := storage.ClientAssertionJWTValid(ctx, jti); !errors.Is(err, fosite.ErrJTIKnown) {
		t.Errorf("a used jti is %v", err)
	}
	if err := storage.SetClientAssertionJWT(ctx, jti, s.now.Add(time.Minute)); !errors.Is(err, fosite.ErrJTIKnown) {
		t.Errorf("a used jti is %v", err)
	}
	s.advance(2 * time.Minute)
	if err := storage.ClientAssertionJWTValid(ctx, jti); err != nil {
		t.Errorf("a jti whose assertion expired is %v", err)
	}
	for round := range 10 {
		jti := fmt.Sprint(uuid.NewString(), round)
		passed := 0
		for _, err := range parallel(
			8, func(int) error { return storage.SetClientAssertionJWT(ctx, jti, s.now.Add(time.Hour)) },
		) {
			if err == nil {
				passed++
			} else if !errors.Is(err, fosite.ErrJTIKnown) {
				t.Fatal(err)
			}
		}
		if passed != 1 {
			t.Fatalf("round %d: %d passed", round, passed)
		}
	}
}

func TestGrantStoreConforms(t *testing.T) {
	t.Parallel()
	s := newStores(t)
	ctx, store := t.Context(), s.s.grants
	if g, err := store.get(ctx, id.New()); g != nil || err != nil {
		t.Fatalf("an unknown grant: %v %v", g, err)
	}
	g, code := s.grant()
	read, err := store.get(ctx, g.ID)
	if err != nil || read.Person != s.person || read.Client != s.client.ID || !read.isCode(hash([]byte(code))) ||
		read.RedeemedAt != nil ||
		len(read.Scopes) != 2 || read.RefreshHash != nil || !read.isLive(s.now) {
		t.Fatalf("%+v %v", read, err)
	}
	first := s.s.vault.firstRefresh(g.ID)
	if late, err := store.redeem(ctx, g, &first, s.now.Add(codeLife+time.Second)); late != nil || err != nil {
		t.Fatalf("an expired code: %v %v", late, err)
	}
	redeemed, err := store.redeem(ctx, g, &first, s.now)
	if err != nil || redeemed == nil || redeemed.Generation != 1 ||
		string(redeemed.RefreshHash) != string(first.hash()) || redeemed.RedeemedAt == nil {
		t.Fatalf("%+v %v", redeemed, err)
	}
	if again, err := store.redeem(ctx, g, &first, s.now); again != nil || err != nil {
		t.Fatalf("a used code: %v %v", again, err)
	}
	seed := random(16)
	second := s.s.vault.successor(first, seed)
	if second.generation != 2 || s.s.vault.successor(first, seed).text != second.text ||
		s.s.vault.successor(first, random(16)).text == second.text {
		t.Fatal("successors do not follow from their seed")
	}
	for name, at := range map[string]time.Time{
		"idle": s.now.Add(refreshIdle + time.Second),
		"old":  s.now.Add(familyLife + time.Second),
	} {
		if late, err := store.rotate(ctx, g, first, second, seed, at); late != nil || err != nil {
			t.Fatalf("%s: %v %v", name, late, err)
		}
	}
	rotated, err := store.rotate(ctx, g, first, second, seed, s.now)
	if err != nil || rotated == nil || rotated.Generation != 2 || string(rotated.ReplacedHash) != string(first.hash()) {
		t.Fatalf("%+v %v", rotated, err)
	}
	if again, err := store.rotate(
		ctx, g, first, s.s.vault.successor(first, random(16)), seed, s.now,
	); again != nil || err != nil {
		t.Fatalf("a replaced token: %v %v", again, err)
	}
	if ended, err := store.revoke(ctx, g.ID, whyPerson, s.now); !ended || err != nil {
		t.Fatal(ended, err)
	}
	if ended, err := store.revoke(ctx, g.ID, whyPerson, s.now); ended || err != nil {
		t.Fatal(ended, err)
	}
	third := s.s.vault.successor(second, seed)
	if dead, err := store.rotate(ctx, g, second, third, seed, s.now); dead != nil || err != nil {
		t.Fatalf("a revoked grant: %v %v", dead, err)
	}
	read, err = store.get(ctx, g.ID)
	if err != nil || read.isLive(s.now) || read.RefreshHash != nil || read.ReplacedHash != nil || read.Seed != nil {
		t.Fatalf("a revoked grant still has secrets: %+v %v", read, err)
	}
	unused, _ := s.grant()
	if _, err := store.revoke(ctx, unused.ID, whyPerson, s.now); err != nil {
		t.Fatal(err)
	}
	if dead, err := store.redeem(ctx, unused, &first, s.now); dead != nil || err != nil {
		t.Fatalf("the code of a revoked grant: %v %v", dead, err)
	}
	burned, _ := s.grant()
	if err := store.burnCode(ctx, burned, s.now); err != nil {
		t.Fatal(err)
	}
	if dead, err := store.redeem(ctx, burned, &first, s.now); dead != nil || err != nil {
		t.Fatalf("a burned code: %v %v", dead, err)
	}
	foreign := *g
	foreign.ID, foreign.Client = id.New(), "cli_unknown"
	if err := store.create(ctx, &foreign, nil, s.now); !pgerror.Is(err, pgerrcode.ForeignKeyViolation) {
		t.Fatalf("a grant of no client: %v", err)
	}
}

func TestGrantStoreAllowsOneWinnerUnderConcurrency(t *testing.T) {
	t.Parallel()
	s := newStores(t)
	ctx, store := t.Context(), s.s.grants
	for round := range 25 {
		g, _ := s.grant()
		first := s.s.vault.firstRefresh(g.ID)
		won := 0
		for _, r := range parallel(10, func(int) *grant {
			r, err := store.redeem(ctx, g, &first, s.now)
			if err != nil {
				t.Error(err)
			}
			return r
		}) {
			if r != nil {
				won++
			}
		}
		if won != 1 {
			t.Fatalf("round %d: redeemed %d times", round, won)
		}
		won = 0
		for _, r := range parallel(10, func(int) *grant {
			seed := random(16)
			r, err := store.rotate(ctx, g, first, s.s.vault.successor(first, seed), seed, s.now)
			if err != nil {
				t.Error(err)
			}
			return r
		}) {
			if r != nil {
				won++
			}
		}
		if won != 1 {
			t.Fatalf("round %d: rotated %d times", round, won)
		}
	}
}

func TestConsentStoreConforms(t *testing.T) {
	t.Parallel()
	s := newStores(t)
	ctx, store := t.Context(), s.s.consents
	person := &Person{ID: s.person, Session: "one"}
	q := &authorizationRequest{
		ClientID:   s.client.ID,
		Registered: "https://client.example/cb",
		Target:     "https://client.example/cb",
		Resource:   s.base + "/mcp",
		Scopes:     []authz.Scope{authz.DataRead},
		State:      "\"ü\n",
	}
	handle, err := store.seal(person, q, s.now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*Person{
		"session": {ID: s.person, Session: "two"},
		"person":  {ID: id.New(), Session: "one"},
	} {
		if got, err := store.consume(ctx, handle, other, s.now); got != nil || err != nil {
			t.Errorf("another %s: %v %v", name, got, err)
		}
	}
	if got, err := store.consume(ctx, handle, person, s.now.Add(time.Hour)); got != nil || err != nil {
		t.Errorf("an expired question: %v %v", got, err)
	}
	taken := 0
	for _, got := range parallel(10, func(int) *authorizationRequest {
		got, err := store.consume(ctx, handle, person, s.now)
		if err != nil {
			t.Error(err)
		}
		return got
	}) {
		if got != nil {
			taken++
			if got.State != q.State || got.Scopes[0] != authz.DataRead {
				t.Errorf("%+v", got)
			}
		}
	}
	if taken != 1 {
		t.Fatalf("taken %d times", taken)
	}
	subject := consentSubject(s.person, q, q.Scopes)
	if _, found, err := store.find(ctx, subject); found || err != nil {
		t.Fatal(found, err)
	}
	g, _ := s.grant()
	g.ID = id.New()
	if err := s.s.grants.create(ctx, g, subject, s.now); err != nil {
		t.Fatal(err)
	}
	if org, found, err := store.find(ctx, subject); !found || org.Valid || err != nil {
		t.Fatal(org, found, err)
	}
	for _, change := range []func(*authorizationRequest){
		func(q *authorizationRequest) { q.ClientID += "x" }, func(q *authorizationRequest) { q.Registered += "x" },
		func(q *authorizationRequest) { q.Resource += "x" },
		func(q *authorizationRequest) {
			q.ClientID, q.Registered = q.ClientID+q.Registered[:1], q.Registered[1:]
		},
	} {
		changed := *q
		change(&changed)
		if string(consentSubject(s.person, &changed, q.Scopes)) == string(subject) {
			t.Errorf("%+v has the same subject", changed)
		}
	}
	if string(consentSubject(s.person, q, nil)) == string(subject) ||
		string(consentSubject(id.New(), q, q.Scopes)) == string(subject) {
		t.Error("scopes or person are not part of the subject")
	}
}
