// Package tenancy keeps organizations apart. It owns organizations, their members and invitations, the roles that members
// hold, the errors that callers may see, and the only doors to the database: nobody else holds the connection pool.
//
// Below it, schema owns bases, tables, fields and views, record owns the rows, and share owns public shares. Nothing here or
// below knows of HTTP, OAuth or MCP.
package tenancy
