package formula

import "slices"

// A node is a part of a formula. The parser makes the tree, and the checker fills in what it finds
// out.
type node struct {
	kind  nodeKind
	place Place
	token Place // of a field: without the parentheses around it

	number   float64 // of a number
	text     string  // of a text; the name or id of a field; an operator
	function *function
	args     []*node // of a call and an operator

	field *Field // filled in by the checker
	facts
}

type nodeKind uint8

const (
	nodeNumber nodeKind = iota
	nodeText
	nodeField
	nodeCall
	nodeOperator // + - * / & = != < <= > >=, and neg
	nodeMistake  // what the parser has reported, with what it could read within
)

// facts are what is known of a node's values before there are any.
type facts struct {
	typ      Type
	fails    codeSet // the errors that it may be
	zone     string  // of a Datetime: the time zone in which it is read; "" is the base's
	locale   string  // in which it is written; "" is en
	never    bool    // it is always an error, and so of every type
	volatile bool    // it depends on the time at which it is read
	moment   bool    // and on more of it than the day in the base's time zone
}

// each calls do for the node and everything below it.
func (n *node) each(do func(n *node)) {
	do(n)
	for _, arg := range n.args {
		arg.each(do)
	}
}

// clone copies the node and everything below it.
func (n *node) clone() *node {
	copied := *n
	copied.args = make([]*node, len(n.args))
	for i, arg := range n.args {
		copied.args[i] = arg.clone()
	}
	return &copied
}

// A Tree is a formula whose text is one, before it is known what its fields are.
type Tree struct {
	text string
	root *node
}

// References lists the fields that the tree names, each once, as they are written there: names in a
// formula of a person, ids in a stored one.
func (t *Tree) References() []string {
	var names []string
	t.root.each(func(n *node) {
		if n.kind == nodeField && !slices.Contains(names, n.text) {
			names = append(names, n.text)
		}
	})
	return names
}

// Texts lists the texts that are written in the tree.
func (t *Tree) Texts() []string {
	var texts []string
	t.root.each(func(n *node) {
		if n.kind == nodeText {
			texts = append(texts, n.text)
		}
	})
	return texts
}
