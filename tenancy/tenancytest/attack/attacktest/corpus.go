package attacktest

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed corpus/*.sql
var files embed.FS

// An Attack is a text of SQL and what would be a leak in its answer. Whatever the victim's people
// wrote, the victim's secrets and its numbers are always a leak.
type Attack struct {
	Group, Name, SQL string
	leaks            []leak
}

// A leak is a further kind of answer that must not come.
type leak string

const (
	anyRow   leak = "row"     // any row at all
	anyValue leak = "value"   // a last column that is not null, empty, zero or false
	anyTag   leak = "tag"     // a command that touched a row
	success  leak = "success" // no error
	state    leak = "state="  // an error with this SQLSTATE, which a row of the victim caused
	harmless leak = "own"     // names what the caller may see: only the general rules apply
)

// then separates parts of an attack that are sent one by one, for statements that refuse company.
const then = "-- then"

// Corpus reads the embedded attacks. In a file, `--# name [leaks]` begins an attack, and
// `-- let name = one | two` makes an attack that mentions {name} into one for each alternative;
// `-- | three` continues it.
func Corpus() ([]Attack, error) {
	entries, err := files.ReadDir("corpus")
	if err != nil {
		return nil, fmt.Errorf("listing the corpus: %w", err)
	}
	var all []Attack
	for _, entry := range entries {
		body, err := files.ReadFile("corpus/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("reading the corpus: %w", err)
		}
		attacks, err := parse(strings.TrimSuffix(entry.Name(), ".sql"), string(body))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", entry.Name(), err)
		}
		all = append(all, attacks...)
	}
	seen := map[string]string{}
	for _, attack := range all {
		if other := seen[attack.SQL]; other != "" {
			return nil, fmt.Errorf("the attacks %q and %q are the same", other, attack.ID())
		}
		seen[attack.SQL] = attack.ID()
	}
	return all, nil
}

// ID names an attack in reports.
func (a Attack) ID() string { return a.Group + ": " + a.Name }

type alternatives struct {
	name   string
	values []string
}

func parse(group, body string) ([]Attack, error) {
	var lets []alternatives
	var out []Attack
	var current *Attack
	finish := func() {
		if current != nil {
			current.SQL = strings.TrimSpace(current.SQL)
			out = append(out, multiply(*current, lets)...)
			current = nil
		}
	}
	for _, line := range strings.Split(body, "\n") {
		if text, ok := strings.CutPrefix(line, "-- | "); ok && current == nil && len(lets) > 0 {
			last := &lets[len(lets)-1]
			last.values = append(last.values, strings.Split(text, " | ")...)
			continue
		}
		if text, ok := strings.CutPrefix(line, "-- let "); ok {
			finish()
			name, values, ok := strings.Cut(text, " = ")
			if !ok {
				return nil, fmt.Errorf("no value in %q", line)
			}
			lets = slices.DeleteFunc(lets, func(a alternatives) bool { return a.name == name })
			lets = append(lets, alternatives{name, strings.Split(values, " | ")})
			continue
		}
		if text, ok := strings.CutPrefix(line, "--# "); ok {
			finish()
			name, leaks, _ := strings.Cut(strings.TrimSuffix(text, "]"), " [")
			current = &Attack{Group: group, Name: name}
			for _, one := range strings.Fields(leaks) {
				switch l := leak(one); {
				case l == anyRow, l == anyValue, l == anyTag, l == success, l == harmless, strings.HasPrefix(one,
					string(state)):
					current.leaks = append(current.leaks, l)
				default:
					return nil, fmt.Errorf("%q declares an unknown leak, %q", name, one)
				}
			}
			continue
		}
		if current != nil && (line == then || !strings.HasPrefix(line, "-- ")) {
			current.SQL += line + "\n"
		}
	}
	finish()
	return out, nil
}

// multiply makes one attack for each combination of the alternatives that its text mentions.
func multiply(a Attack, lets []alternatives) []Attack {
	out := []Attack{a}
	for _, let := range slices.Backward(lets) {
		var next []Attack
		for _, one := range out {
			if !strings.Contains(one.SQL, "{"+let.name+"}") {
				next = append(next, one)
				continue
			}
			for _, value := range let.values {
				made := one
				made.SQL = strings.ReplaceAll(one.SQL, "{"+let.name+"}", value)
				made.Name += " (" + value + ")"
				next = append(next, made)
			}
		}
		out = next
	}
	return out
}
