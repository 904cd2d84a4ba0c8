package field

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// An Operand is the shape of an operator's operand, for documentation and for the application.
type Operand struct {
	Name        string
	Description string
	Schema      string // JSON Schema; "" for no value
}

// The operands.
var (
	noOperand      = &Operand{"none", "No value: leave it out.", ""}
	textOperand    = &Operand{"text", "A string that is not empty.", `{"type":"string","minLength":1}`}
	textsOperand   = &Operand{"texts", "A list of strings.", listOf(`{"type":"string"}`)}
	numberOperand  = &Operand{"number", "A number.", `{"type":"number"}`}
	numbersOperand = &Operand{"numbers", "A list of numbers.", listOf(`{"type":"number"}`)}
	rangeOperand   = &Operand{
		"number_range", "Two numbers, the lowest and the highest.",
		`{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}`,
	}
	booleanOperand = &Operand{"boolean", "true or false.", `{"type":"boolean"}`}
	optionOperand  = &Operand{"option", "The name of an option.", `{"type":"string","minLength":1}`}
	optionsOperand = &Operand{"options", "A list of names of options.", listOf(`{"type":"string"}`)}
	usersOperand   = &Operand{"users", "A list of user ids.", listOf(`{"type":"string","pattern":"^usr_"}`)}
	recordsOperand = &Operand{
		"records", "A list of ids of linked records.", listOf(`{"type":"string","pattern":"^rec_"}`),
	}
)

func listOf(items string) string {
	return fmt.Sprintf(`{"type":"array","items":%s,"minItems":1,"maxItems":%d}`, items, MaxFilterList)
}

func stringOf(raw []byte) (string, error) {
	if jsonvalue.Kind(raw) != jsonvalue.String {
		return "", fmt.Errorf("must be a string, not %s", jsonvalue.Describe(raw))
	}
	return jsonvalue.Unquote(raw)
}

// readText reads one string.
func readText(_ *Field, _ Op, raw []byte) (any, error) { return stringOf(raw) }

// readTexts reads an array of strings.
func readTexts(_ *Field, op Op, raw []byte) (any, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, fmt.Errorf("must be an array of strings for %s, not %s", op, jsonvalue.Describe(raw))
	}
	return stringsOf(raw, "strings")
}

// readOption reads the name of one option, and readOptions an array of them.
func readOption(f *Field, _ Op, raw []byte) (any, error) {
	name, err := stringOf(raw)
	if err != nil {
		return nil, err
	}
	names := []string{name}
	err = knownOptions(f, names)
	return names[0], err
}

func readOptions(f *Field, op Op, raw []byte) (any, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, fmt.Errorf("must be an array of strings for %s, not %s", op, jsonvalue.Describe(raw))
	}
	return readOptionSet(f, op, raw)
}

// readOptionSet also accepts one name for an array of it.
func readOptionSet(f *Field, _ Op, raw []byte) (any, error) {
	names, err := stringsOf(raw, "names of options")
	if err == nil {
		err = knownOptions(f, names)
	}
	return names, err
}

// stringsOf reads an array of strings, or one string as an array of it.
func stringsOf(raw []byte, what string) ([]string, error) {
	var out []string
	var problem error
	add := func(i int, value []byte) bool {
		if jsonvalue.Kind(value) != jsonvalue.String {
			problem = fmt.Errorf("must be an array of %s, but element %d is %s", what, i, jsonvalue.Describe(value))
			return false
		}
		var s string
		s, problem = jsonvalue.Unquote(value)
		out = append(out, s)
		return problem == nil && len(out) <= MaxFilterList
	}
	switch jsonvalue.Kind(raw) {
	case jsonvalue.String:
		add(0, raw)
	case jsonvalue.Array:
		jsonvalue.Elements(raw, add)
	default:
		return nil, fmt.Errorf("must be an array of %s, not %s", what, jsonvalue.Describe(raw))
	}
	switch {
	case problem != nil:
		return nil, problem
	case len(out) == 0:
		return nil, fmt.Errorf("must not be an empty array")
	case len(out) > MaxFilterList:
		return nil, fmt.Errorf("must hold at most %d entries", MaxFilterList)
	}
	return out, nil
}

// knownOptions refuses names that are no options, and replaces the others by the options' own spelling.
func knownOptions(f *Field, names []string) error {
	for i, name := range names {
		known, ok := f.Config.FindOption(name)
		if !ok {
			known, ok = f.Config.optionInAnyCase(name)
		}
		names[i] = known
		if !ok {
			options := f.Config.OptionNames()
			return fmt.Errorf("%s is not an option of %q%s; the options are %s",
				Quote(name), f.Name, problem.DidYouMean(name, options), problem.List(options))
		}
	}
	return nil
}

func numberOf(raw []byte) (float64, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Number {
		return 0, fmt.Errorf("must be a number, not %s", jsonvalue.Describe(raw))
	}
	return ParseNumber(string(raw))
}

// readNumber reads one number.
func readNumber(_ *Field, _ Op, raw []byte) (any, error) { return numberOf(raw) }

// readNumbers reads an array of numbers, and readRange one of two.
func readNumbers(_ *Field, op Op, raw []byte) (any, error) {
	numbers, err := numbersOf(op, raw)
	switch {
	case err != nil:
		return nil, err
	case len(numbers) == 0:
		return nil, fmt.Errorf("must not be an empty array")
	case len(numbers) > MaxFilterList:
		return nil, fmt.Errorf("must hold at most %d entries", MaxFilterList)
	}
	return numbers, nil
}

func readRange(_ *Field, op Op, raw []byte) (any, error) {
	numbers, err := numbersOf(op, raw)
	if err == nil && len(numbers) != 2 {
		err = fmt.Errorf("must be an array of two numbers, the lowest and the highest")
	}
	return numbers, err
}

func numbersOf(op Op, raw []byte) ([]float64, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, fmt.Errorf("must be an array of numbers for %s, not %s", op, jsonvalue.Describe(raw))
	}
	var numbers []float64
	var problem error
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		x, err := numberOf(value)
		if err != nil {
			problem = fmt.Errorf("element %d %w", i, err)
			return false
		}
		numbers = append(numbers, x)
		return len(numbers) <= MaxFilterList
	})
	return numbers, problem
}

// readBoolean reads true or false.
func readBoolean(_ *Field, _ Op, raw []byte) (any, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Bool {
		return nil, fmt.Errorf("must be true or false, not %s", jsonvalue.Describe(raw))
	}
	return raw[0] == 't', nil
}

// readUsers reads user ids, each once.
func readUsers(_ *Field, _ Op, raw []byte) (any, error) {
	return idsOf(raw, "user ids", func(name string) (uuid.UUID, error) {
		person, err := id.Parse(id.User, name)
		if err != nil || person == uuid.Nil {
			return person, notUser(name)
		}
		return person, nil
	})
}

func notUser(name string) error {
	return fmt.Errorf("%s is not a user id; it is usr_ and 26 characters", Quote(name))
}

// readRecords reads ids of records of the linked table, each once.
func readRecords(f *Field, _ Op, raw []byte) (any, error) {
	return idsOf(raw, "record ids", f.Pairs.parse)
}

func idsOf(raw []byte, what string, parse func(name string) (uuid.UUID, error)) (any, error) {
	names, err := stringsOf(raw, what)
	if err != nil {
		return nil, err
	}
	var out []uuid.UUID
	for _, name := range names {
		u, err := parse(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out, nil
}
