package field

import (
	"fmt"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// A Personal is something of the person who reads, as the operand of a comparison: {"me": true}, {"my": "email"} or
// {"my": "groups"}. Which person that is, only the statement that compares knows.
type Personal string

// The operands.
const (
	Me       Personal = "me"     // the person, for fields with users
	MyEmail  Personal = "email"  // in any case of letters, for texts
	MyGroups Personal = "groups" // the names of the person's groups, for options
)

// PersonalArgs are Args of a statement that knows its person.
type PersonalArgs interface {
	Args
	// Person returns an expression: of a uuid for Me, of a text for MyEmail, of a text[] for MyGroups. It is null, or
	// empty, for nobody.
	Person(of Personal) string
}

// personal are the operators that compare with something of a person.
var personal = map[Personal][]Op{
	Me: {HasAny, HasNone}, MyEmail: {Eq, Neq}, MyGroups: {In, NotIn, HasAny, HasNone},
}

// personalOf returns what of a person a field can be compared with; "" for nothing.
func personalOf(f *Field) Personal {
	_, optioned := f.Kind.(Optioned)
	_, text := f.Kind.(interface{ isText() })
	switch {
	case f.Info().People:
		return Me
	case optioned:
		return MyGroups
	case text:
		return MyEmail
	}
	return ""
}

func (*TextLike) isText() {}

// Personal returns the operator for the operand in raw, a JSON object, which names something of the person who reads.
// Its SQL takes PersonalArgs, and no value.
func (o *Operator) Personal(f *Field, raw []byte) (*Operator, error) {
	of := personalOf(f)
	if of == "" {
		return nil, fmt.Errorf("must not be an object: %s has nothing to do with a person", Quote(f.Name))
	}
	written := `{"my":"` + string(of) + `"}`
	if of == Me {
		written = `{"me":true}`
	}
	if !isPersonal(raw, of) {
		return nil, fmt.Errorf("must be %s or a value of the field, not %s", written, jsonvalue.Describe(raw))
	}
	var names []string
	for _, op := range personal[of] {
		if FindOperator(f.Kind, op) != nil {
			names = append(names, string(op))
		}
		if op == o.Op {
			return &Operator{Op: o.Op, Operand: o.Operand, SQL: o.personalSQL(of), personal: of}, nil
		}
	}
	return nil, fmt.Errorf("cannot be %s with %s; the operators are %s", written, o.Op, problem.List(names))
}

// Names reports whether the operator is one of Personal that compares with something of a person.
func (o *Operator) Names(of Personal) bool { return o.personal == of }

// SinglePerson reports whether the field holds at most one person.
func (f *Field) SinglePerson() bool {
	return f.Info().People && (f.Info().System != "" || !severalUsers(&f.Config))
}

// PersonColumn is what an index that finds records by a person is on, for a field of SinglePerson.
func (f *Field) PersonColumn() string {
	if f.Info().System != "" {
		return f.Column()
	}
	return "(" + f.Column() + "[1])"
}

func isPersonal(raw []byte, of Personal) bool {
	fits, members := false, 0
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		members++
		fits = key == "my" && string(value) == `"`+string(of)+`"`
		if of == Me {
			fits = key == "me" && string(value) == "true"
		}
		return true
	})
	return err == nil && fits && members == 1
}

func (o *Operator) personalSQL(of Personal) func(q Args, f *Field, value any) string {
	return func(q Args, f *Field, _ any) string {
		known, ok := q.(PersonalArgs)
		if !ok {
			return "false"
		}
		person := known.Person(of)
		switch of {
		case Me:
			is := person + " = any (" + f.column() + ")"
			if f.Info().System != "" {
				is = f.column() + " = " + person
			} else if !severalUsers(&f.Config) {
				is = "(" + f.column() + ")[1] = " + person // for which there is an index
			}
			if o.Op == HasNone {
				return "(" + is + ") is not true"
			}
			return is
		case MyEmail:
			is := "lower(" + f.column() + ") = lower(" + person + ")"
			if o.Op == Neq {
				return "(" + is + ") is not true"
			}
			return is
		case MyGroups:
		}
		return o.SQL(personalArgs{q, person}, f, []string{""})
	}
}

// personalArgs have one argument, which is an expression.
type personalArgs struct {
	Args
	expression string
}

// Add returns the expression, whatever the value is.
func (a personalArgs) Add(any) string { return a.expression }
