// Package authz decides who is asking and what they may do. It owns the catalogue of scopes, what each role may do, and the
// Principal that every surface hands to an operation. Under it, apikey, account and oauth turn credentials into principals.
// It knows nothing of what an operation does, nor of REST or MCP.
package authz
