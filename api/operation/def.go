package operation

import (
	"regexp"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Def describes an operation: its name, route, documentation and required rights.
type Def struct {
	Name   string // tool name and operationId: a verb and an object, such as list_bases
	Method string
	Path   string // below /api/v1, with parameters in braces; the first parameter is the operation's target
	Title  string // shown to people, such as "List bases"

	Summary     string // one line
	Description string // helps a caller choose: what it returns, and when to use another operation

	Scope authz.Scope       // None accepts any valid credential
	Role  organization.Role // "" means the weakest role that may use Scope
	// Base is the weakest role in the target's base that may call the operation. "" follows from Role, or from Scope.
	Base schema.BaseRole
	// Records is what the operation does with records, where the permissions of a table may allow it to people whose
	// role in the base does not, and refuse it to others. Package record checks each record, and an operation on a base
	// the role for each table.
	Records RecordAction
	// Whole refuses people for whom the operation cannot obey the permissions of tables and fields.
	Whole Whole

	ReadOnly    bool
	AuditsReads bool // records an audit event although it only reads
	Destructive bool // may remove or overwrite data irreversibly
	Idempotent  bool // repeating it has no further effect
	OpenWorld   bool // affects people or systems outside the organization

	// BaseFiltered says that the response contains only data of bases that the credential reaches,
	// so that a credential restricted to bases may call the operation although its path names no
	// base. Such a credential may call no other operation outside its bases.
	BaseFiltered bool

	// Secret says that the response contains a secret, such as a share id. Such a response is not
	// compressed, because the length of compressed text reveals repetition (BREACH).
	Secret bool

	// ShownOnce names a member of the result that is left out when the result is stored for a request
	// with an idempotency key.
	ShownOnce string

	// Replay returns what a caller may see of the stored result of an earlier request of the same
	// person, possibly with another credential. If it is nil, only a caller with all rights of the
	// first gets it.
	Replay func(c *Call, stored []byte) ([]byte, error)

	// Waits is how long the operation may wait for something to happen, in addition to its working
	// time.
	Waits time.Duration

	// Heavy says that a call may take a second or more of processor time in this process, or
	// several connections. Such calls take turns.
	Heavy bool

	// Reports says that a call may take long and reports its steps (package progress).
	Reports bool

	// Expires says that a cursor of the operation may be older than what is kept (status 410).
	Expires bool

	// Accepted says that the work goes on after the response, whose status is 202.
	Accepted bool

	// Versioned operations read, change or delete a single record, and their results have an ETag.
	// Writes observe If-Match.
	Versioned bool

	// Beyond says what takes more records than the operation's list of records or ids, or reads more than its limit;
	// "" if nothing does.
	Beyond string

	// Unlogged says that its writes are not in the log of changes, but at most in the audit log.
	Unlogged bool

	// Agent is what the surfaces for agents need to know of the operation.
	Agent Agent
}

// A RecordAction is what an operation does with records.
type RecordAction int

// The actions.
const (
	NoRecordAction RecordAction = iota
	WritesRecords               // creates, changes or deletes some
)

// Whole is what a person must have so that no permission of a table or a field is ignored.
type Whole int

// What a person must have.
const (
	Anything   Whole = iota // the operation obeys permissions
	SeesAll                 // nothing in the base is hidden from the person
	ChangesAll              // the role in the base alone decides what the person does
)

// Tag returns the OpenAPI tag: the first word of the path that names the resource.
func (d *Def) Tag() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(d.Path, "/"), "/")
	if rest := strings.Split(d.Path, "/"); len(rest) > 3 && !strings.HasPrefix(rest[3], "{") {
		return rest[3]
	}
	return first
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// PathParameters returns the names of the path's parameters in order.
func (d *Def) PathParameters() []string {
	var names []string
	for _, match := range pathParameter.FindAllStringSubmatch(d.Path, -1) {
		names = append(names, match[1])
	}
	return names
}
