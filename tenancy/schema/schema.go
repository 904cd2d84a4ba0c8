// Package schema is the model of tenant data: workspaces, bases, tables, fields and views, as an
// immutable snapshot of one organization, and the SQL of its computed fields. It sends no statement:
// package catalog loads and changes schemas. It knows nothing of callers and their rights, except whom
// a view belongs to.
package schema
