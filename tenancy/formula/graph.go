package formula

import (
	"fmt"
	"strings"
)

// A Cycle is a cycle of fields: each reads the next, and the last one the first.
type Cycle struct{ Fields []string }

func (c *Cycle) Error() string {
	names := append(append([]string{}, c.Fields...), c.Fields[0])
	return "the fields compute from each other: " + strings.Join(names, " reads ")
}

// Order sorts fields topologically: each one comes after those that it reads. reads are the fields that
// each field reads, by its id; fields that are no key of it compute nothing, and are left out.
// Independent fields keep their order. name is the name of a field in errors.
//
// The error is a *Cycle.
func Order(fields []string, reads map[string][]string, name func(id string) string) ([]string, error) {
	const (
		entered = 1
		done    = 2
	)
	state := map[string]int{}
	var out, path []string
	var visit func(id string) error
	visit = func(id string) error {
		switch state[id] {
		case done:
			return nil
		case entered:
			var cycle []string
			for i := len(path) - 1; ; i-- {
				cycle = append([]string{name(path[i])}, cycle...)
				if path[i] == id {
					return &Cycle{cycle}
				}
			}
		}
		state[id] = entered
		path = append(path, id)
		for _, read := range reads[id] {
			if _, computed := reads[read]; !computed {
				continue
			}
			if err := visit(read); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		state[id] = done
		out = append(out, id)
		return nil
	}
	for _, id := range fields {
		if _, computed := reads[id]; !computed {
			continue
		}
		if err := visit(id); err != nil {
			return nil, fmt.Errorf("ordering computed fields: %w", err)
		}
	}
	return out, nil
}

// Through returns the cycle that a field is in; nil if it does not compute from itself. Its arguments
// are as in Order.
func Through(own string, reads map[string][]string, name func(id string) string) *Cycle {
	seen := map[string]bool{}
	var path []string
	var leadsBack func(id string) bool
	leadsBack = func(id string) bool {
		path = append(path, name(id))
		for _, read := range reads[id] {
			if read == own {
				return true
			}
			if seen[read] {
				continue
			}
			if seen[read] = true; leadsBack(read) {
				return true
			}
		}
		path = path[:len(path)-1]
		return false
	}
	if !leadsBack(own) {
		return nil
	}
	return &Cycle{path}
}
