package sqlquery

import (
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// WithoutParser returns the store without the allow-list.
func (s *Store) WithoutParser() *Store {
	bare := *s
	bare.admitted = newVerdicts()
	bare.check = func(statement string, catalog *allowlist.Catalog) (*allowlist.Statement, error) {
		s := &allowlist.Statement{SQL: statement}
		for i := range catalog.Relations {
			s.Relations = append(s.Relations, &catalog.Relations[i])
		}
		return s, nil
	}
	return &bare
}

// WithoutCost returns the store without the limits of what PostgreSQL expects.
func (s *Store) WithoutCost() *Store {
	bare := *s
	bare.admitted = newVerdicts()
	bare.limits.cost, bare.limits.memory = math.Inf(1), math.Inf(1)
	return &bare
}

// WithoutRows returns the store without the limits of results.
func (s *Store) WithoutRows() *Store {
	bare := *s
	bare.admitted = newVerdicts()
	bare.limits.rows, bare.limits.bytes = math.MaxInt, math.MaxInt
	return &bare
}

// WithTime returns the store with another limit of time.
func (s *Store) WithTime(most time.Duration) *Store {
	bound := *s
	bound.admitted = newVerdicts()
	bound.limits.time = most
	return &bound
}

// Remembers reports whether a statement would run without being planned, as far as nothing has been written.
func (s *Store) Remembers(base uuid.UUID, statement string) bool {
	v, ok := s.admitted.Get(question{base, statement})
	return ok && v.writes >= 0
}

// WithMaxCost returns the store with another limit of cost.
func (s *Store) WithMaxCost(most float64) *Store {
	bound := *s
	bound.admitted = newVerdicts()
	bound.limits.cost = most
	return &bound
}

// MaxChecking is how many statements are checked at once.
func MaxChecking() int { return int(maxChecking()) }

// Checking returns the store with another check, which refuses every statement after it has called check.
func (s *Store) Checking(check func()) *Store {
	bound := *s
	bound.admitted = newVerdicts()
	bound.check = func(string, *allowlist.Catalog) (*allowlist.Statement, error) {
		check()
		return nil, &allowlist.Refusal{Message: "is refused"}
	}
	return &bound
}

// Knows reports whether the next statement over a base need not look for its views.
func (s *Store) Knows(base uuid.UUID) bool { return s.known.Contains(readers{base: base}) }
