package formula

import (
	"slices"
	"strings"
)

// A Function describes a function of formulas to people and programs: the documentation and the editor
// are generated from it.
type Function struct {
	Name      string `json:"name"`
	Category  string `json:"category"`
	Signature string `json:"signature"`
	Help      string `json:"help"`
	Example   string `json:"example"`
	Result    string `json:"result"` // of the example, as text
}

// FunctionNames lists the names of the functions.
func FunctionNames() []string {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.Name
	}
	return names
}

// The categories, in the order of the documentation.
const (
	logic   = "Logic"
	numbers = "Numbers"
	texts   = "Text"
	regexes = "Regular expressions"
	dates   = "Dates and times"
	lists   = "Lists"
	records = "Records"
)

// A function is the checker's and the generator's view of a function.
type function struct {
	Function
	params []param
	result Type
	fails  codeSet // errors of its own, in addition to those of its arguments
	// sql is the call, with $1 for the first argument and so on, $z for the time zone of the first one,
	// and $w for the words of its language.
	sql string
	// check replaces the checks by params and result where a type depends on more; it sets the facts of
	// the call, whose arguments are checked. generate replaces sql.
	check    func(c *checker, n *node)
	generate func(g *generator, n *node) string
	volatile bool
	daily    bool // volatile, and what it says is the same all day, in the base's time zone
}

// A param is a parameter. kind is N for a number, T for text, B for truth, D for a date or time, A for
// anything. NS, TS, BS and LS are any number of numbers, texts, truths and anything, each of which may
// be a list.
type param struct {
	name, kind string
	missing    string // SQL in its place; "" if it is required
	optional   bool
	repeated   bool
}

// define builds a function from the table: its parameters are written name:kind, followed by =sql for
// an optional one, and by ... for a repeated one.
func define(name, category, params string, result Type, fails codeSet, sql, help, example, shown string) *function {
	f := &function{
		Function: Function{Name: name, Category: category, Help: help, Example: example, Result: shown},
		result:   result, fails: fails, sql: sql,
	}
	var written []string
	for word := range strings.FieldsSeq(params) {
		var p param
		word, p.repeated = strings.CutSuffix(word, "...")
		word, p.missing, p.optional = strings.Cut(word, "=")
		p.name, p.kind, _ = strings.Cut(word, ":")
		f.params = append(f.params, p)
		shown := p.name
		switch {
		case p.repeated:
			shown += ", …"
		case p.optional:
			shown = "[" + shown + "]"
		}
		written = append(written, shown)
	}
	f.Signature = name + "(" + strings.Join(written, ", ") + ")"
	return f
}

// with sets what the table cannot express.
func (f *function) with(change func(f *function)) *function {
	change(f)
	return f
}

// bounds are the minimum and the maximum number of arguments; most is -1 for any number.
func (f *function) bounds() (least, most int) {
	for _, p := range f.params {
		if p.repeated {
			return least + 1, -1
		}
		if !p.optional {
			least++
		}
		most++
	}
	return least, most
}

func (f *function) param(i int) param { return f.params[min(i, len(f.params)-1)] }

var (
	functions = slices.Concat(logicFunctions(), numberFunctions(), textFunctions(), regexFunctions(), dateFunctions(),
		listFunctions(), recordFunctions())
	functionsByName = func() map[string]*function {
		byName := make(map[string]*function, len(functions))
		for _, f := range functions {
			byName[f.Name] = f
		}
		return byName
	}()
)

// functionNamed finds a function in any case of letters, or returns nil.
func functionNamed(name string) *function { return functionsByName[strings.ToUpper(name)] }

var (
	aNumber   = Type{Base: Number}
	aText     = Type{Base: Text}
	aBoolean  = Type{Base: Boolean}
	aDate     = Type{Base: Date}
	aDatetime = Type{Base: Datetime}
)
