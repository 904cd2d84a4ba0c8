package db

import "strconv"

// A Lock is a class of advisory locks: the first of their two numbers. The second tells the locks of
// a class apart. No other file has a number of a lock, apart from the SQL of migrations/gate.
type Lock int32

// The classes. Each is held until its transaction ends, apart from LockIndexBuilder.
const (
	// LockTable protects the schema of a table; the second number is the table's. Whoever reads or
	// writes its records shares it, and a change of the schema takes it alone. gate.hold_table takes
	// it as well.
	LockTable Lock = 20737
	// LockIndexBuilder is held by the session that builds indexes; the second number is 0.
	LockIndexBuilder Lock = 20738
	// LockQuota serializes the reservations of an organization for files; the second number is a
	// hash of its id.
	LockQuota Lock = 20739
	// LockChangeSet serializes requests that join a change set by name; the second number is a hash
	// of organization, credential and name.
	LockChangeSet Lock = 20740
	// LockLinks keeps writers of links from starting again forever; the second number is a hash of
	// the base's id. Writers share it, and one that has started again several times takes it alone.
	LockLinks Lock = 20741
	// LockViews serializes the creation of the SQL views of a base; the second number is the end of
	// the base's id.
	LockViews Lock = 20742
	// LockComputing serializes those who compute columns of records from linked records; the second
	// number is the table's.
	LockComputing Lock = 20743
	// LockChange and the following 31 are the slots of writers of records; the second number is that
	// of the organization. A writer shares its slot, and gate.change_horizon takes each one alone for
	// a moment.
	LockChange Lock = 20768
)

// String returns the number, for SQL.
func (l Lock) String() string { return strconv.Itoa(int(l)) }
