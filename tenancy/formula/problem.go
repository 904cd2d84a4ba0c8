package formula

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Place is a position in a formula. Lines and columns begin at 1, and everything is counted in
// characters (Unicode code points), not in bytes.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Length int `json:"length"`
	offset int // bytes before it
	size   int // bytes of it
}

// to is the range from the beginning of p to the end of q, without its length in characters: a long
// formula has many places, and problems have few.
func (p Place) to(q Place) Place {
	p.size = q.offset + q.size - p.offset
	p.Length = 0
	return p
}

// counted is the place with its length.
func (p Place) counted(text string) Place {
	p.Length = utf8.RuneCountInString(text[p.offset : p.offset+p.size])
	return p
}

// A Problem is one mistake in a formula: its position, what is wrong, and what would be right.
type Problem struct {
	Place
	Message string `json:"message"`
}

func (p *Problem) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
}

// Problems are the mistakes of a formula, at least one, in the order of their positions.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "; ")
}

// The limits of a formula. A level is a pair of parentheses or a call: IF within IF is two. A chain of
// + or & is one level however long it is. These limits are far below the depth at which PostgreSQL
// refuses an expression.
const (
	MaxLength   = 30_000 // characters, of which a field counts fieldLength
	MaxDepth    = 250    // levels
	MaxProblems = 20     // reported at once
)

// maxFound is how many problems are looked for, because finding suggestions takes longer than everything
// else.
const maxFound = 5 * MaxProblems
