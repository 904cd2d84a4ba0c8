package operation

import "context"

// Agent says how an operation appears to agents: whether it is a tool, which lists have the tool,
// what they show of its arguments, how its result is written, and when a person has to approve it.
// REST does not use it.
type Agent struct {
	// NotATool says why agents have no tool for the operation; "" makes it a tool.
	NotATool string
	// List is the shortest list of tools that has it.
	List List
	// WithRecords lists the tool in the toolset of records as well, because reading records requires what it returns.
	WithRecords bool

	// Arguments override what the list of tools shows of arguments of the schema, by their path,
	// such as "fields.type". The list is part of every conversation of an agent, so it leaves out
	// what another tool, the tool's own description or an error says. Inputs are validated against
	// the whole schema.
	Arguments Arguments
	// Large says that the result may be larger than an agent wants, so that the list shows the
	// argument that bounds it. The results of all operations that read records may.
	Large bool

	// Inside has, by the name of an argument that is an object, the names of its members, which agents also give next
	// to it; nil stands for all unknown names. They are read as its members, at any depth of the arguments.
	Inside map[string][]string

	// Form is how the result is shortened and shown.
	Form Form
	// AnswerPage says that clients can show the result in a page.
	AnswerPage bool
	// QuotingErrors says that errors quote values of records.
	QuotingErrors bool

	// Resource is the resource that clients read by the operation, or nil.
	Resource *Resource

	Confirm Confirmation
}

// A List is the shortest list of tools that contains an operation. The list of tools is part of every conversation of
// an agent, so most agents get only the tools that most tasks need.
type List int

// The lists. Each contains the next.
const (
	ListAll    List = iota // every tool; also in the toolset of its scope
	ListCommon             // for agents that ask for no other list
	ListCore               // to find, read and write records, and little more
)

// Arguments are arguments by their path.
type Arguments map[string]Argument

// An Argument is what the list of tools shows of an argument.
type Argument struct {
	Hidden bool   // the tool takes the argument, and the list does not show it
	Text   string // replaces the description; "" removes it
	Values []any  // replaces the values of an enumeration; nil keeps them
}

// Descriptions of arguments that another tool explains.
const (
	asInCreateField   = "as in create_field"
	asInCreateRecords = "as in create_records"
	asInQueryRecords  = "as in query_records"
	asInUpdateBase    = "as in update_base"
)

// A Form is how a result is shortened and shown to an agent.
type Form int

// The forms of results.
const (
	// AnswerJSON is the JSON that REST returns. A page that is too long is read again with a
	// smaller limit; in other results the longest list is cut.
	AnswerJSON Form = iota
	// AnswerFile has a text, of which the arguments offset and limit choose characters, or an image.
	AnswerFile
	// AnswerCSV has CSV, which the argument maxBytes bounds, and a link to the whole file if there is more.
	AnswerCSV
)

// A Resource is an MCP resource that an operation reads.
type Resource struct {
	// Path follows rowhouse://. A part in braces is the operation's parameter of that name.
	Path string
	// Query are the operation's parameters that the query of the address may contain.
	Query                    []string
	Name, Title, Description string
}

// A Confirmation says when a person has to approve an agent's call, and what the person reads.
type Confirmation struct {
	// Needed reports whether an input would destroy or change so much, or let others in, that a
	// person has to approve it. Nil means never.
	Needed func(input []byte) bool
	// Above is how many records a Counted call may change without confirmation, unless it empties a
	// field. Zero asks for every call that is Needed.
	Above int
	// Loss returns sentences that say what a call would destroy, or whom it would let in. If it is
	// nil or returns "", the person reads that the call cannot be undone.
	Loss func(ctx context.Context, p *Prospect) (string, error)
	// Counted says that a plan of the call counts the records that it would change, and that a
	// revert takes it back.
	Counted bool
}
