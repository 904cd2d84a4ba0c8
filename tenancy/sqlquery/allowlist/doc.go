// Package allowlist decides which statements may run as SQL of a caller's own. It takes one SELECT,
// parses it with PostgreSQL's own parser, and refuses everything that it does not know: kinds of nodes,
// members of nodes, relations, functions, types and operators. It writes the statement again from its
// words, so that the text that runs is the text that was checked, and so that every relation is
// qualified.
//
// It owns what a refusal says and where. It knows nothing of the database, of organizations and of what
// the names that it is given stand for.
package allowlist

import (
	"math"
	"strings"
)

// listSpread is by how much lists may be longer than PostgreSQL expects, for each of up to maxSpread
// lists that become rows.
const (
	listSpread = 10
	maxSpread  = 6
)

// A Relation is a view that statements may read.
type Relation struct {
	Name     string
	Columns  []string
	Computed []string // those of the columns that the view computes
	Table    int32    // the caller's number for the table that the view reads
}

// A Catalog is everything that a statement may name.
type Catalog struct {
	Schema    string // that qualifies the relations
	Relations []Relation
}

// relation returns the relation of a name, or nil.
func (c *Catalog) relation(name string) *Relation {
	for i := range c.Relations {
		if c.Relations[i].Name == name {
			return &c.Relations[i]
		}
	}
	return nil
}

// named returns the relation or column that an unquoted token may name, or "".
func (c *Catalog) named(t *token) string {
	word, ok := t.name()
	if !ok {
		return ""
	}
	for _, relation := range c.Relations {
		for _, name := range append([]string{relation.Name}, relation.Columns...) {
			if strings.EqualFold(name, word) {
				return name
			}
		}
	}
	return ""
}

// names lists the relations.
func (c *Catalog) names() []string {
	names := make([]string, len(c.Relations))
	for i := range c.Relations {
		names[i] = c.Relations[i].Name
	}
	return names
}

// A Statement was checked and may run.
type Statement struct {
	SQL string
	// Relations are the views that the statement reads.
	Relations []*Relation
	// Links are the names of the views that hold the links of these.
	Links []string
	// Collects says that the statement gathers rows in texts or lists, which PostgreSQL's estimates
	// ignore. A row may be Text bytes longer than PostgreSQL expects, there may be Spread times as many
	// rows, and what is built from them may be Swell times as long.
	Collects bool
	Text     int
	Spread   float64
	Swell    float64

	starts []int // of the tokens in SQL, in bytes
	source []int // of the same tokens in the caller's text
}

// At returns the offset in bytes in the caller's text of a position in SQL, which counts characters
// from 1 as PostgreSQL does.
func (s *Statement) At(position int) int { return s.original(byteOffset(s.SQL, position)) }

func (s *Statement) original(offset int) int {
	at := 0
	for i, start := range s.starts {
		if start > offset {
			break
		}
		at = s.source[i]
	}
	return at
}

// byteOffset converts a position in characters, from 1, to an offset.
func byteOffset(s string, position int) int {
	n := 0
	for i := range s {
		if n++; n >= position {
			return i
		}
	}
	return len(s)
}

// write joins tokens by spaces.
func write(tokens []token) *Statement {
	s := &Statement{}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		s.starts, s.source = append(s.starts, b.Len()), append(s.source, t.at)
		b.WriteString(t.text)
	}
	s.SQL = b.String()
	return s
}

// Check returns the statement to run, or a *Refusal, or an error of the parser itself.
func Check(sql string, catalog *Catalog) (*Statement, error) {
	tokens, err := lex(sql)
	if err != nil {
		return nil, err
	}
	if err := checkHeight(tokens); err != nil {
		return nil, err
	}
	first := write(tokens)
	tree, err := parseStatement(first)
	if err != nil {
		return nil, hintQuotes(err, tokens, catalog)
	}
	tokens, err = resolve(tokens, first, tree, catalog)
	if err != nil {
		return nil, err
	}
	statement := write(tokens)
	if tree, err = parseStatement(statement); err != nil {
		return nil, err
	}
	w := &walker{statement: statement, catalog: catalog, growth: 1, factor: 1, swell: 1}
	if err := w.top(tree); err != nil {
		return nil, err
	}
	if weight, at := weigh(tree, catalog); weight > maxWeight {
		return nil, w.refuse(
			at,
			"uses columns that use others too many times over: written out, the statement has more "+
				"than %d parts. Write WITH … AS MATERIALIZED (…) for a step whose columns are used several times, "+
				"and join "+
				"fewer tables",
			maxWeight,
		)
	}
	statement.Relations, statement.Links, statement.Collects = w.relations, w.links(), w.collects
	statement.Swell = float64(w.swell)
	statement.Text, statement.Spread = w.longest*w.growth, math.Pow(listSpread, float64(min(w.lists, maxSpread)))
	return statement, nil
}

func parseStatement(s *Statement) (map[string]any, error) {
	tree, err := parse(s.SQL)
	if err == nil {
		return tree, nil
	}
	if refused := syntaxError(err); refused != nil {
		refused.At = s.At(refused.At + 1)
		return nil, refused
	}
	return nil, err
}
