package client

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// KeyCommands are the commands for API keys of a program that runs no service.
type KeyCommands struct {
	Create keyCreateCommand `cmd:"" help:"Open the page that creates an API key."`
	List   KeyListCommand   `cmd:"" help:"Open the page with your API keys, on which you rotate and revoke them."`
}

type keyCreateCommand struct {
	KeyPage `embed:""`

	Name   string   `help:"What the key is for."`
	Scopes []string `placeholder:"SCOPE" help:"What it may do, comma-separated. Default: read and write records."`
}

func (keyCreateCommand) Help() string { return KeyHelp }

// KeyHelp says why a page opens.
const KeyHelp = `Examples:

  rowhouse key create --name CI --scopes data:read,schema:read

You create the key in the application, where its value is shown once. A program cannot: whoever got hold of its
sign-in could make a key that outlives it.`

func (c *keyCreateCommand) Run(ctx context.Context, to Streams) error {
	return c.Create(ctx, to, c.Name, c.Scopes)
}

// KeyPage are the flags of commands that open the page with API keys.
type KeyPage struct {
	URL       string `env:"ROWHOUSE_URL" group:"Connection" placeholder:"URL" help:"The service. Default: that of the profile."`
	Profile   string `env:"ROWHOUSE_PROFILE" group:"Connection" placeholder:"NAME" help:"The sign-in whose service it is. Default: the last one that signed in."`
	NoBrowser bool   `help:"Print the address and open no browser."`
}

// Create opens the form for a new key, filled in.
func (p *KeyPage) Create(ctx context.Context, to Streams, name string, scopes []string) error {
	query := url.Values{"create": {name}}
	if name == "" {
		query.Set("create", "API key")
	}
	if len(scopes) > 0 {
		query.Set("scopes", strings.Join(scopes, ","))
	}
	return p.open(ctx, to, "Create the key at", query)
}

func (p *KeyPage) open(ctx context.Context, to Streams, text string, query url.Values) error {
	service, err := p.service()
	if err != nil {
		return err
	}
	address := service + "/settings/keys"
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	fmt.Fprintf(to.Err, "%s\n\n  %s\n\n", text, address)
	if !p.NoBrowser && hasBrowser() {
		openBrowser(ctx, address)
	}
	return nil
}

// KeyListCommand opens the page with API keys.
type KeyListCommand struct {
	KeyPage `embed:""`
}

// Run opens the page.
func (c *KeyListCommand) Run(ctx context.Context, to Streams) error {
	return c.open(ctx, to, "Your API keys are at", nil)
}

// service returns the address of the service that the flags or the profile name.
func (p *KeyPage) service() (string, error) {
	if p.URL != "" {
		return serviceURL(p.URL)
	}
	list, err := openProfiles()
	if err != nil {
		return "", err
	}
	_, found, err := list.find(p.Profile)
	if err != nil {
		return "", err
	}
	return found.URL, nil
}
