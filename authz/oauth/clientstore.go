package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// documentStaleIfError is how long an expired document is still used when it cannot be refetched
// (compare stale-if-error, RFC 5861 section 4).
const documentStaleIfError = 24 * time.Hour

// A clientStore stores clients in PostgreSQL. It implements fosite.Storage: clients, and the
// identifiers of used client assertions.
type clientStore struct {
	db        *db.DB
	now       func() time.Time
	documents *documentFetcher
}

var _ fosite.Storage = (*clientStore)(nil)

type clientContextKey struct{}

// withClient passes a client that was already loaded through fosite to GetClient.
func withClient(ctx context.Context, client *Client) context.Context {
	return context.WithValue(ctx, clientContextKey{}, client)
}

// GetClient implements fosite.ClientManager. It fetches the metadata document only of a client that
// is already stored.
func (s *clientStore) GetClient(ctx context.Context, clientID string) (fosite.Client, error) {
	if client, ok := ctx.Value(clientContextKey{}).(*Client); ok && client.ID == clientID {
		return client, nil
	}
	client, err := s.load(ctx, clientID)
	if err != nil {
		return nil, err
	}
	if !s.isFresh(client) {
		return s.refetch(ctx, client)
	}
	return client, nil
}

func (s *clientStore) isFresh(client *Client) bool {
	return client.Kind != kindDocument || s.now().Before(client.freshUntil)
}

// refetch fetches a stored document again. If that fails, the stored document remains valid for
// documentStaleIfError, unless the server says that it is gone.
func (s *clientStore) refetch(ctx context.Context, stored *Client) (*Client, error) {
	fetched, err := s.fetchDocument(ctx, stored.ID)
	if err == nil {
		return fetched, nil
	}
	if errors.Is(err, errGone) {
		return nil, errors.Join(err, s.expireDocument(ctx, stored))
	}
	if s.now().Before(stored.freshUntil.Add(documentStaleIfError)) {
		return stored, nil
	}
	return nil, err
}

// expireDocument makes a stored document too old to be used, even if its server fails later. A
// document that is published again is fetched as usual.
func (s *clientStore) expireDocument(ctx context.Context, stored *Client) error {
	if stored.freshUntil.Unix() <= 0 {
		return nil
	}
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.oauth_client set fresh_until = $2 where id = $1 and kind = 'document'",
			stored.ID, time.Unix(0, 0))
	})
	if err != nil {
		return fmt.Errorf("expiring the document of an OAuth client: %w", err)
	}
	return nil
}

// load returns a client from the database, or fosite.ErrNotFound when there is none or it has
// expired.
func (s *clientStore) load(ctx context.Context, clientID string) (*Client, error) {
	if len(clientID) > maxRedirect || !isStorableText(clientID) {
		return nil, fosite.ErrNotFound
	}
	client := &Client{ID: clientID}
	var metadata []byte
	var fresh *time.Time
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select kind, metadata, secret_hash, expires_at, fresh_until from rowhouse.oauth_client
			where id = $1`, clientID).
			QueryRow(func(row pgx.Row) error {
				return row.Scan(&client.Kind, &metadata, &client.secretHash, &client.expiresAt, &fresh)
			})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fosite.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("loading an OAuth client: %w", err)
	}
	if !s.now().Before(client.expiresAt) {
		return nil, fosite.ErrNotFound
	}
	if fresh != nil {
		client.freshUntil = *fresh
	}
	if err := json.Unmarshal(metadata, &client.Metadata); err != nil {
		return nil, fmt.Errorf("reading the metadata of an OAuth client: %w", err)
	}
	return client, nil
}

// register stores a dynamically registered client and returns its secret, or "" when it
// authenticates without one.
func (s *clientStore) register(ctx context.Context, metadata Metadata) (client *Client, secret string, err error) {
	client = &Client{
		ID: id.Format(id.Client, id.New()), Kind: kindRegistered, Metadata: metadata,
		expiresAt: s.now().Add(clientUnused),
	}
	if metadata.AuthMethod == methodBasic || metadata.AuthMethod == methodPost {
		secret = clientPrefix + base64url.EncodeToString(random(32))
		client.secretHash = hash([]byte(secret))
	}
	return client, secret, s.save(ctx, client)
}

// fetchDocument fetches and stores the metadata document of a client.
func (s *clientStore) fetchDocument(ctx context.Context, documentID string) (*Client, error) {
	client, err := s.documents.fetch(ctx, documentID, s.now())
	if err != nil {
		return nil, err
	}
	client.expiresAt = s.now().Add(clientUnused)
	return client, s.save(ctx, client)
}

func (s *clientStore) save(ctx context.Context, client *Client) error {
	metadata, err := json.Marshal(client.Metadata)
	if err != nil {
		return fmt.Errorf("writing the metadata of an OAuth client: %w", err)
	}
	var fresh *time.Time
	if client.Kind == kindDocument {
		fresh = &client.freshUntil
	}
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.oauth_client as c (id, kind, metadata, secret_hash, created_at,
			expires_at, fresh_until)
			values ($1, $2, $3, $4, $5, $6, $7)
			on conflict (id) do update set metadata = excluded.metadata, fresh_until = excluded.fresh_until,
				expires_at = greatest(c.expires_at, excluded.expires_at)`,
			client.ID, client.Kind, metadata, client.secretHash, s.now(), client.expiresAt, fresh)
	})
	if err != nil {
		return fmt.Errorf("storing an OAuth client: %w", err)
	}
	return nil
}

// ClientAssertionJWTValid implements fosite.ClientManager.
func (s *clientStore) ClientAssertionJWTValid(ctx context.Context, jti string) error {
	var known bool
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select exists(select from rowhouse.oauth_assertion where jti_hash = $1 and expires_at > $2)`,
			hash([]byte(jti)), s.now()).
			QueryRow(func(row pgx.Row) error { return row.Scan(&known) })
	})
	if err != nil {
		return fmt.Errorf("looking for a used assertion: %w", err)
	}
	if known {
		return fosite.ErrJTIKnown
	}
	return nil
}

// SetClientAssertionJWT implements fosite.ClientManager. Of concurrent calls with the same jti, one
// succeeds and the others return fosite.ErrJTIKnown.
func (s *clientStore) SetClientAssertionJWT(ctx context.Context, jti string, expires time.Time) error {
	var fresh int64
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.oauth_assertion as a (jti_hash, expires_at) values ($1, $2)
			on conflict (jti_hash) do update set expires_at = excluded.expires_at where a.expires_at <= $3`,
			hash([]byte(jti)), expires, s.now()).
			Exec(func(tag pgconn.CommandTag) error { fresh = tag.RowsAffected(); return nil })
	})
	if err != nil {
		return fmt.Errorf("storing a used assertion: %w", err)
	}
	if fresh == 0 {
		return fosite.ErrJTIKnown
	}
	return nil
}
