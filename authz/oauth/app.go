package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// An App is a client that the person has authorized, with all of its live grants combined.
type App struct {
	ID        string // identifies the app for RevokeApp: the id of its newest grant
	ClientID  string
	Name      string
	Domain    string // of its metadata document, or "" for a dynamically registered client
	Scopes    []authz.Scope
	Orgs      []uuid.UUID // the only organizations it has access to; nil means all of the person's
	FirstUsed time.Time   // when it was first authorized
	LastUsed  time.Time   // when it last got a token, which is at most ten minutes before its last call
}

// Apps returns the clients that the person has authorized, the most recently used first.
func (s *Service) Apps(ctx context.Context, person uuid.UUID) ([]App, error) {
	apps := []App{}
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select (array_agg(g.id order by g.id desc))[1], c.id, c.kind, c.metadata,
				array(select distinct unnest(x.scopes) from rowhouse.oauth_grant x
					where x.person_id = $1 and x.client_id = c.id and x.redeemed_at is not null and x.revoked_at is null
					and x.expires_at > $2),
				case when bool_or(g.only_org is null) then null else array_agg(distinct g.only_org) end,
				min(g.created_at), max(g.used_at)
			from rowhouse.oauth_grant g join rowhouse.oauth_client c on c.id = g.client_id
			where g.person_id = $1 and g.redeemed_at is not null and g.revoked_at is null and g.expires_at > $2
			group by c.id order by max(g.used_at) desc`, person, s.now()).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				app, err := scanApp(rows)
				if err != nil {
					return err
				}
				apps = append(apps, app)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing connected apps: %w", err)
	}
	return apps, nil
}

func scanApp(row pgx.Row) (App, error) {
	var app App
	var newest uuid.UUID
	var metadata []byte
	var scopes []string
	client := &Client{}
	if err := row.Scan(
		&newest, &client.ID, &client.Kind, &metadata, &scopes, &app.Orgs, &app.FirstUsed, &app.LastUsed,
	); err != nil {
		return App{}, fmt.Errorf("reading a connected app: %w", err)
	}
	if err := json.Unmarshal(metadata, &client.Metadata); err != nil {
		return App{}, fmt.Errorf("reading the metadata of a connected app: %w", err)
	}
	app.ID = id.Format(id.Grant, newest)
	app.ClientID = client.ID
	app.Name = normalizeName(client.Metadata.Name)
	app.Domain = client.Domain()
	app.Scopes = toScopes(scopes)
	return app, nil
}

// RevokeApp revokes every grant and consent that the person gave a client. It returns an error of
// kind not_found for an id that is not one of an app of this person.
func (s *Service) RevokeApp(ctx context.Context, person uuid.UUID, appID string) error {
	grantID, err := id.Parse(id.Grant, appID)
	if err != nil {
		return problem.NotFound("connected app", appID)
	}
	g, err := s.grants.get(ctx, grantID)
	if err != nil {
		return err
	}
	if g == nil || g.Person != person {
		return problem.NotFound("connected app", appID)
	}
	if err := s.revokeGrants(ctx, person, &g.Client); err != nil {
		return err
	}
	s.notify(person, credential.AppDisconnected, s.appName(ctx, g.Client))
	return nil
}

// appName is what the app of a client is called, or the id of a client that cannot be looked up.
func (s *Service) appName(ctx context.Context, client string) string {
	found, err := s.clients.load(ctx, client)
	if err != nil {
		return client
	}
	return truncateName(normalizeName(found.Metadata.Name))
}

// RevokeApps revokes every grant and consent of the person.
func (s *Service) RevokeApps(ctx context.Context, person uuid.UUID) error {
	if err := s.revokeGrants(ctx, person, nil); err != nil {
		return err
	}
	s.notify(person, credential.AppDisconnected, "")
	return nil
}

// RevokeAll is RevokeApps within a transaction that has locked the person (credential.LockPerson).
// It revokes unredeemed codes too. Call committed after the commit.
func (s *Service) RevokeAll(ctx context.Context, tx pgx.Tx, person uuid.UUID) (committed func(), err error) {
	ended, err := s.revokeGrantsTx(ctx, tx, person, nil, "")
	if err != nil {
		return nil, err
	}
	return func() { s.cache.Invalidate(context.WithoutCancel(ctx), credential.Grant, grantHashes(ended)...) }, nil
}

// RevokeCodes revokes the person's unredeemed codes, because the session that authorized them is
// ending. The transaction has locked the person.
func (s *Service) RevokeCodes(ctx context.Context, tx pgx.Tx, person uuid.UUID) error {
	_, err := tx.Exec(ctx, `update rowhouse.oauth_grant set revoked_at = $2, revoked_why = $3
		where person_id = $1 and redeemed_at is null and revoked_at is null and code_expires > $2`,
		person, s.now(), whySession)
	if err != nil {
		return fmt.Errorf("revoking codes: %w", err)
	}
	return nil
}

// revokeGrants revokes the grants, redeemed or not, and the consents of one client, or of all when
// client is nil.
func (s *Service) revokeGrants(ctx context.Context, person uuid.UUID, client *string) error {
	ctx = context.WithoutCancel(ctx)
	var ended []uuid.UUID
	app := ""
	if client != nil {
		app = s.appName(ctx, *client)
	}
	err := s.db.SystemTx(ctx, func(tx pgx.Tx) error {
		err := credential.LockPerson(ctx, tx, person)
		if err == nil {
			ended, err = s.revokeGrantsTx(ctx, tx, person, client, app)
		}
		return err
	})
	s.cache.Invalidate(ctx, credential.Grant, grantHashes(ended)...)
	if err != nil {
		return fmt.Errorf("revoking a connected app: %w", err)
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "grants revoked", slog.Int("count", len(ended)), slog.String("why", whyPerson))
	return nil
}

// revokeGrantsTx is revokeGrants within a transaction that has locked the person. app is what the client is called in
// the audit log. The caller invalidates the grants again after the commit.
func (s *Service) revokeGrantsTx(
	ctx context.Context,
	tx pgx.Tx,
	person uuid.UUID,
	client *string,
	app string,
) (ended []uuid.UUID, err error) {
	const which = "person_id = $1 and ($2::text is null or client_id = $2)"
	batch := &pgx.Batch{}
	batch.Queue("delete from rowhouse.oauth_consent where "+which, person, client)
	batch.Queue(
		`update rowhouse.oauth_grant
		set revoked_at = $3, revoked_why = $4, refresh_hash = null, replaced_hash = null, seed = null
		where revoked_at is null and `+which+` returning id`, person, client, s.now(), whyPerson,
	).Query(func(rows pgx.Rows) (err error) {
		ended, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	event := &audit.Event{Action: "disconnect_app", Subject: "all"}
	if client != nil {
		event.Subject, event.Detail = *client, map[string]string{"app": app}
	}
	audit.RecordPerson(ctx, batch, person, uuid.Nil, event)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("revoking the grants of connected apps: %w", err)
	}
	s.cache.Invalidate(ctx, credential.Grant, grantHashes(ended)...) // before the commit; the caller repeats it after
	return ended, nil
}

func grantHashes(grants []uuid.UUID) []credential.Hash {
	hashes := make([]credential.Hash, len(grants))
	for i, grantID := range grants {
		hashes[i] = grantHash(grantID)
	}
	return hashes
}

// appView is the JSON form of an App for the account page.
type appView struct {
	ID         string    `json:"id"`
	ClientName string    `json:"clientName"`
	ClientID   string    `json:"clientId"`
	Domain     string    `json:"domain,omitempty"`
	Scopes     []string  `json:"scopes"`
	OrgIDs     []string  `json:"orgIds"` // null means all
	First      time.Time `json:"firstAuthorizedTime"`
	Last       time.Time `json:"lastUsedTime"`
}

func (s *Service) listApps(w http.ResponseWriter, r *http.Request) {
	person, ok := s.signedIn(w, r)
	if !ok {
		return
	}
	apps, err := s.Apps(r.Context(), person.ID)
	if err != nil {
		s.writeProblem(w, r, err)
		return
	}
	views := make([]appView, len(apps))
	for i, app := range apps {
		views[i] = appView{
			ID: app.ID, ClientName: app.Name, ClientID: app.ClientID, Domain: app.Domain, Scopes: toNames(app.Scopes),
			First: app.FirstUsed, Last: app.LastUsed,
		}
		for _, org := range app.Orgs {
			views[i].OrgIDs = append(views[i].OrgIDs, id.Format(id.Org, org))
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"apps": views})
}

func (s *Service) revokeApp(w http.ResponseWriter, r *http.Request) {
	s.changeApps(w, r, func(person *Person) error { return s.RevokeApp(r.Context(), person.ID, r.PathValue("id")) })
}

func (s *Service) revokeApps(w http.ResponseWriter, r *http.Request) {
	s.changeApps(w, r, func(person *Person) error { return s.RevokeApps(r.Context(), person.ID) })
}

// changeApps runs a change for the signed-in person if the request is not cross-origin.
func (s *Service) changeApps(w http.ResponseWriter, r *http.Request, change func(*Person) error) {
	if err := s.crossOrigin.Check(r); err != nil {
		s.writeProblem(w, r, problem.Forbidden("This request was sent from another site."))
		return
	}
	person, ok := s.signedIn(w, r)
	if !ok {
		return
	}
	if err := change(person); err != nil {
		s.writeProblem(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Service) signedIn(w http.ResponseWriter, r *http.Request) (*Person, bool) {
	person, err := s.sessions.SignedIn(r)
	if err == nil && person == nil {
		err = problem.Unauthenticated("Sign in first.")
	}
	if err != nil {
		s.writeProblem(w, r, err)
		return nil, false
	}
	return person, true
}

// writeProblem writes an error as a problem document (RFC 9457).
func (s *Service) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	status, detail := http.StatusInternalServerError, "Something went wrong on the server."
	var known *problem.Error
	if errors.As(err, &known) {
		detail = known.Message
		switch known.Kind { //nolint:exhaustive // other kinds do not occur here
		case problem.KindUnauthenticated:
			status = http.StatusUnauthorized
		case problem.KindForbidden:
			status = http.StatusForbidden
		case problem.KindNotFound:
			status = http.StatusNotFound
		case problem.KindUnavailable:
			status = http.StatusServiceUnavailable
		}
	} else {
		s.log.LogAttrs(r.Context(), slog.LevelError, "account request failed", slog.Any("error", err))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "about:blank", "title": http.StatusText(status), "status": status, "detail": detail,
		"code": problem.KindOf(err),
	})
}
