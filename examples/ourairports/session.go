package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// signIn returns a client that calls as the application in a browser does: with a session cookie
// instead of an API key.
func signIn(ctx context.Context, base, email, password string) (*client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	c := newClient(base, "", 1)
	c.http.Jar = jar
	// A redirect means that a session has started; its target does not matter.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	form := url.Values{"email": {email}, "password": {password}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/sign-in",
		strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("signing in: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusSeeOther {
		return nil, fmt.Errorf("signing in as %s: %s; check the e-mail address and the password",
			email, response.Status)
	}
	return c, nil
}
