package field

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// A UserLike is a kind whose values are members of the organization. That they are members, the
// caller checks.
type UserLike struct{ Base }

func newUserLike(info Info) UserLike {
	info.People, info.Unindexed, info.Roles = true, true, []Role{RoleStack}
	return UserLike{Base{info}}
}

// Select is the column.
func (k *UserLike) Select(f *Field) string { return f.column() }

// Plain is the public id, or an array of them.
func (k *UserLike) Plain(f *Field) string {
	if k.Fixed.System != "" {
		return "gate.user_id(" + f.column() + ")"
	}
	return "(select array_agg(gate.user_id(u.id) order by u.n) from unnest(" + f.column() + ") with ordinality " +
		"as u(id, n))"
}

// Operators compare sets of users.
func (k *UserLike) Operators() []Operator {
	if k.Fixed.System != "" {
		return authorOperators
	}
	return userOperators
}

var (
	userOperators   = usersIn(func(f *Field) string { return f.column() })
	authorOperators = usersIn(func(f *Field) string { return "array_remove(array[" + f.column() + "], null)" })
)

func usersIn(column func(f *Field) string) []Operator {
	return append(setOperators(usersOperand, readUsers, func(q Args, f *Field, value any) (string, string) {
		return column(f), q.Add(value) + "::uuid[]"
	}), EmptyOperators...)
}

// Order is the order of arrays, by their first entries.
func (k *UserLike) Order(_ *Field, column string) string { return column }

// Aggregates count the values.
func (k *UserLike) Aggregates() []Aggregate { return countOnly }

// Search looks at the names of the people.
func (k *UserLike) Search(s *Search, f *Field) { s.Users = append(s.Users, f.searchNumber()) }

// Show shows the names.
func (k *UserLike) Show(_ *Field, names Names, value any) Shown {
	var shown Shown
	for _, person := range stringsIn(value) {
		shown.Labels = append(shown.Labels, Label{Text: names.Person(person), Option: -1})
	}
	return shown
}

// severalUsers reports whether a user field holds more than one.
func severalUsers(c *Config) bool { return c.Multiple != nil && *c.Multiple }

// decodeUsers reads user ids, each once.
func decodeUsers(in *Input, raw []byte) (any, error) {
	names, err := in.oneOrList(raw, "user ids", MaxEntries)
	if err != nil {
		return nil, err
	}
	people := make([]uuid.UUID, 0, len(names))
	for _, name := range names {
		person, err := id.Parse(id.User, name)
		if err != nil {
			return nil, notUser(name)
		}
		if !slices.Contains(people, person) {
			people = append(people, person)
		}
	}
	if len(people) > 1 && !severalUsers(&in.Field.Config) {
		return nil, fmt.Errorf("holds one user, not %d", len(people))
	}
	if len(people) == 0 {
		return nil, nil //nolint:nilnil // nobody is no value
	}
	return people, nil
}

// oneOrList reads a string, or a list of them.
func (in *Input) oneOrList(raw []byte, what string, most int) ([]string, error) {
	if jsonvalue.Kind(raw) != jsonvalue.String {
		return in.list(raw, what, most)
	}
	s, err := jsonvalue.Unquote(raw)
	return []string{s}, err
}
