// Package schema owns the shape of tenant data: workspaces, bases, tables, fields and views, their
// metadata, and the DDL of the record tables that follows it in the same transaction. It keeps a
// snapshot of each organization's schema in the process. It never reads or writes a record's values
// (package record does), and knows nothing of callers and their rights.
package schema
