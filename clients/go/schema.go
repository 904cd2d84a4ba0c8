package rowhouse

import (
	"context"
	"net/url"
)

// Me says who the credential belongs to, and what it reaches.
func (c *Client) Me(ctx context.Context) (*Me, error) {
	out := &Me{}
	return out, c.Send(ctx, Request{Path: "/me"}, out)
}

// Bases lists the bases that the credential reaches.
func (c *Client) Bases(ctx context.Context) ([]BaseSummary, error) {
	var out BaseList
	err := c.Send(ctx, Request{Path: "/bases"}, &out)
	return out.Bases, err
}

// Base reads a base with its tables, fields and views.
func (c *Client) Base(ctx context.Context, id string) (*Base, error) {
	out := &Base{}
	return out, c.Send(ctx, Request{Path: "/bases/" + url.PathEscape(id)}, out)
}

// Table reads a table with its fields and views.
func (c *Client) Table(ctx context.Context, id string) (*Table, error) {
	out := &Table{}
	return out, c.Send(ctx, Request{Path: "/tables/" + url.PathEscape(id)}, out)
}
