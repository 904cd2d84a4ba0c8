package db

import "strconv"

// A Lock is a class of advisory locks: the first of their two numbers. The second number distinguishes
// the locks of a class. Lock numbers stand only in this file and in the SQL of migrations/gate.
type Lock int32

// The classes. A transaction keeps its locks until it ends, except LockIndexBuilder.
const (
	// LockTable protects the schema of a table; the second number is the table's. Readers and writers
	// of records share it, and a change of the schema takes it exclusively. gate.hold_table takes it as
	// well.
	LockTable Lock = 20737
	// LockIndexBuilder belongs to the session that builds indexes; the second number is 0.
	LockIndexBuilder Lock = 20738
	// LockQuota serializes an organization's reservations for files; the second number is a hash of its
	// id.
	LockQuota Lock = 20739
	// LockChangeSet serializes requests that join a change set by name; the second number is a hash of
	// organization, credential and name.
	LockChangeSet Lock = 20740
	// LockLinks prevents starvation of writers of links; the second number is a hash of the base's id.
	// Writers share it, and a writer that has started again several times takes it exclusively.
	LockLinks Lock = 20741
	// LockViews serializes the creation of the SQL views of a base; the second number is the end of
	// the base's id.
	LockViews Lock = 20742
	// LockComputing serializes transactions that compute columns of records from linked records; the second
	// number is the table's.
	LockComputing Lock = 20743
	// LockJob serializes those who look for a job of an organization to work on; the second number is a hash of the
	// organization's id.
	LockJob Lock = 20744
	// LockChange and the 31 numbers after it are the slots of writers of records; the second number is
	// the organization's. A writer shares its slot, and gate.change_horizon takes each slot exclusively
	// for a moment.
	LockChange Lock = 20768
)

// String returns the number, for SQL.
func (l Lock) String() string { return strconv.Itoa(int(l)) }
