package naming

import (
	"net/mail"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// CleanEmail returns the canonical form of an e-mail address, or an error at path. Only ASCII is
// accepted: two addresses that look alike must not be two people, and lower case means the same
// here and in PostgreSQL.
func CleanEmail(path, email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	parsed, err := mail.ParseAddress(email)
	ascii := !strings.ContainsFunc(email, func(c rune) bool { return c <= ' ' || c > '~' })
	if err != nil || parsed.Address != email || !ascii || len(email) > 320 {
		return "", problem.Invalid(path, "must be an e-mail address, as in kari@example.com")
	}
	return email, nil
}
