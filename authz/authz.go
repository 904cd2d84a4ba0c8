// Package authz defines who makes a request and what they may do: the catalogue of scopes, the
// roles that may use each scope, and the Principal that every surface passes to an operation.
// Packages apikey, account and oauth turn credentials into principals. This package depends neither
// on the operations nor on REST or MCP.
package authz
