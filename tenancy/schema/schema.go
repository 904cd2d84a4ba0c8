// Package schema is the model of tenant data: workspaces, bases, tables, fields and views, as a snapshot of one
// organization that never changes, and the SQL that its computed fields are read with. It sends no statement: package
// catalog loads and changes schemas. It knows nothing of callers and their rights, but for whom a view belongs to.
package schema
