package convert

import (
	"errors"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetNode is a part of the schema: a single value, a list, a map, or a group of members.
type parquetNode struct {
	name     string
	optional bool
	repeated bool // a list without an annotation
	first    int  // leaf
	leaves   int

	leaf    *parquetLeaf // of a single value
	form    string       // of a single value
	members []*parquetNode
	element *parquetNode // of a list that is annotated as such
	entry   *parquetNode // of a map: a repeated group of a key and a value
}

// newParquetNode reads a part of a schema.
func newParquetNode(c *parquet.Column) *parquetNode {
	next := 0
	for at := c; !at.Leaf(); at = at.Columns()[0] { // the leaves stand in the order of the tree
		if len(at.Columns()) == 0 {
			panic("a group without members")
		}
		next = at.Columns()[0].Index()
	}
	if c.Leaf() {
		next = c.Index()
	}
	return nodeAt(c, next)
}

func nodeAt(c *parquet.Column, first int) *parquetNode {
	n := &parquetNode{name: c.Name(), optional: c.Optional(), repeated: c.Repeated(), first: first}
	if c.Leaf() {
		n.leaves = 1
		n.leaf, n.form = newParquetLeaf(c.Type())
		if n.repeated {
			n.element = &parquetNode{name: n.name, first: first, leaves: 1, leaf: n.leaf, form: n.form}
			n.leaf = nil
		}
		return n
	}
	if len(c.Columns()) == 0 {
		panic("a group without members")
	}
	for _, member := range c.Columns() {
		one := nodeAt(member, first+n.leaves)
		n.members, n.leaves = append(n.members, one), n.leaves+one.leaves
	}
	only := n.members[0]
	if n.repeated || len(n.members) != 1 || !only.repeated {
		return n
	}
	logical := c.Type().LogicalType()
	if logical == nil {
		return n
	}
	switch logical.Value.(type) {
	case *format.ListType:
		n.element = only
		if len(only.members) == 1 && only.name != "array" && !strings.HasSuffix(only.name, "_tuple") {
			n.element = only.members[0]
		} else if only.element != nil { // a repeated single value
			n.element = only.element
		}
	case *format.MapType:
		if len(only.members) == 2 {
			n.entry = only
		}
	}
	return n
}

// An entry is a member of a group, or of a map.
type entry struct {
	name  string
	value any
}

var errLevels = errors.New("its levels of repetition and definition contradict its schema")

// read assembles the value of a node from the values of its leaves in one row: nil, a parquet.Value, a list of values,
// or entries. repetition and definition are the levels of what is around it.
func (n *parquetNode) read(leaves [][]parquet.Value, repetition, definition int) (any, error) {
	own := leaves[n.first : n.first+n.leaves]
	for _, values := range own {
		if len(values) == 0 {
			return nil, errLevels
		}
	}
	there := own[0][0].DefinitionLevel()
	switch {
	case n.optional:
		if definition++; there < definition {
			return nil, nil
		}
	case n.repeated:
		return n.readRepeated(leaves, repetition+1, definition+1, (*parquetNode).readContent)
	}
	return n.readContent(leaves, repetition, definition)
}

// readContent is read without regard to whether the node is there, and how often.
func (n *parquetNode) readContent(leaves [][]parquet.Value, repetition, definition int) (any, error) {
	switch {
	case n.leaf != nil:
		value := leaves[n.first][0]
		if value.IsNull() {
			return nil, nil
		}
		return value, nil
	case n.entry != nil:
		return n.entry.readRepeated(leaves, repetition+1, definition+1, (*parquetNode).readContent)
	case n.repeated && n.element != nil: // one of a list of single values
		return n.element.readContent(leaves, repetition, definition)
	case n.element != nil:
		return n.members[0].readRepeated(leaves, repetition+1, definition+1, func(
			only *parquetNode, leaves [][]parquet.Value, repetition, definition int,
		) (any, error) {
			if n.element == only || n.element == only.element {
				return only.readContent(leaves, repetition, definition)
			}
			return n.element.read(leaves, repetition, definition)
		})
	}
	var entries []entry
	for _, member := range n.members {
		value, err := member.read(leaves, repetition, definition)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{member.name, value})
	}
	return entries, nil
}

// readRepeated reads the occurrences of a node whose levels are given.
func (n *parquetNode) readRepeated(
	leaves [][]parquet.Value, repetition, definition int,
	read func(n *parquetNode, leaves [][]parquet.Value, repetition, definition int) (any, error),
) (any, error) {
	list := []any{}
	if leaves[n.first][0].DefinitionLevel() < definition {
		return list, nil
	}
	part := make([][]parquet.Value, len(leaves))
	rest := make([][]parquet.Value, n.leaves)
	copy(rest, leaves[n.first:n.first+n.leaves])
	for len(rest[0]) > 0 {
		for i, values := range rest {
			if len(values) == 0 {
				return nil, errLevels
			}
			end := 1
			for end < len(values) && values[end].RepetitionLevel() > repetition {
				end++
			}
			part[n.first+i], rest[i] = values[:end], values[end:]
		}
		value, err := read(n, part, repetition, definition)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}
