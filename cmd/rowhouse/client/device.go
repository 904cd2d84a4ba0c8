package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/oauth2"
)

// deviceGrantType is the grant type of machines without a browser (RFC 8628 section 3.4).
const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

// A way is how the person gets to the page on which they sign in.
type way int

const (
	byBrowser way = iota // a browser of this machine is opened
	byAddress            // the address is printed
	byCode               // on another device, with a code (RFC 8628)
)

// way is what the flags say, or else whether a browser can be opened here.
func (c *loginCommand) way() way {
	switch {
	case c.Device:
		return byCode
	case c.NoBrowser:
		return byAddress
	case hasBrowser():
		return byBrowser
	}
	return byCode
}

// hasBrowser reports whether a browser can be opened that is in front of the person.
func hasBrowser() bool {
	remote := os.Getenv("SSH_CONNECTION") != "" || os.Getenv("SSH_TTY") != ""
	switch runtime.GOOS {
	case "windows", "darwin":
		return !remote
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return false
	}
	_, err := exec.LookPath(linuxOpener)
	return err == nil
}

// authorizeDevice shows a code, and waits until the person has typed it elsewhere and decided.
func (s *signIn) authorizeDevice(ctx context.Context, p *profile) (*oauth2.Token, error) {
	endpoint := p.endpoint(s.metadata.Authorize)
	endpoint.DeviceAuthURL = s.metadata.Device
	config := oauth2.Config{ClientID: p.ClientID, Endpoint: endpoint, Scopes: s.scopes}
	resource := oauth2.SetAuthURLParam("resource", s.resource)
	device, err := config.DeviceAuth(ctx, resource)
	if err != nil {
		return nil, fail(StatusSignedOut, "the service did not begin the sign-in: %v", err)
	}
	fmt.Fprintf(s.to.Err, "On any device with a browser, open\n\n  %s\n\nand type the code\n\n  %s\n\n",
		printable(device.VerificationURI), printable(device.UserCode))
	if device.VerificationURIComplete != "" {
		fmt.Fprintf(s.to.Err, "or open %s and compare the code.\n", printable(device.VerificationURIComplete))
	}
	got, err := config.DeviceAccessToken(ctx, device, resource)
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		return got, nil
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case errors.As(err, &refused) && refused.ErrorCode == "access_denied":
		return nil, fail(StatusSignedOut, "the sign-in was denied in the browser")
	case errors.As(err, &refused) && refused.ErrorCode == "expired_token", errors.Is(err, context.DeadlineExceeded):
		return nil, fail(StatusSignedOut, "the code has expired; begin again with rowhouse login")
	}
	return nil, fail(StatusSignedOut, "the service did not accept the sign-in: %v", err)
}
