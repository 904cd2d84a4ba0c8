package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

const demoEmail = "demo@rowhouse.example"

// seedDemoAccount creates a demonstration account, with an organization and an API key with every
// scope, and stores the credentials in file. It keeps what an earlier start created if it still
// works.
func (s *service) seedDemoAccount(ctx context.Context, file *devFile, password string) error {
	if file.APIKey != "" {
		p, err := s.keys.Verify(ctx, file.APIKey)
		switch {
		case err == nil && p != nil && len(p.Orgs) > 0 && len(p.Scopes) == len(authz.AllScopes()):
			return nil
		case err != nil && problem.KindOf(err) != problem.KindUnauthenticated:
			return fmt.Errorf("looking up the demonstration key: %w", err)
		}
	}
	file.Email, file.Password, file.OrgID, file.APIKey = demoEmail, password, "", ""
	// Signing up again with the same data gives the same person, as when a form is submitted twice.
	proof, err := s.accounts.SignUp(ctx, account.Registration{
		Name: "Demo", Email: demoEmail, Password: password, Organization: "Demo", Address: "127.0.0.1",
	})
	if problem.KindOf(err) == problem.KindConflict {
		// The password was changed in the application, which can also create a key.
		file.Password = "(the one that you chose)"
		return nil
	}
	if err != nil {
		return fmt.Errorf("signing up the demonstration account: %w", err)
	}
	if err := s.accounts.TrustAddress(ctx, proof.Person); err != nil {
		return fmt.Errorf("preparing the demonstration account: %w", err)
	}
	return s.createDemoKey(ctx, file, proof.Person)
}

func (s *service) createDemoKey(ctx context.Context, file *devFile, person uuid.UUID) error {
	orgs, err := s.keys.OrgsWithBases(ctx, person)
	if err != nil {
		return fmt.Errorf("looking up the demonstration organization: %w", err)
	}
	if len(orgs) > 0 {
		file.OrgID = id.Format(id.Org, orgs[0].ID)
	}
	_, value, err := s.keys.Create(ctx, apikey.Draft{Person: person, Name: "Development", Scopes: authz.AllScopes()})
	if err != nil {
		return fmt.Errorf("making the demonstration key: %w", err)
	}
	file.APIKey = value
	return nil
}
