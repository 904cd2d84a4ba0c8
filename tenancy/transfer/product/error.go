package product

import (
	"errors"
	"fmt"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/problem"
)

// An Error is a refusal of an API.
type Error struct {
	Product string
	Status  int
	Type    string
	Message string
	Expired bool // an address of a file, or a place in a list, no longer lives
	Final   bool // trying again is of no use, although the status says so
}

// Error says what the product said.
func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("%s answered %d %s", e.Product, e.Status, e.Type)
	}
	return fmt.Sprintf("%s answered %d %s: %s", e.Product, e.Status, e.Type, e.Message)
}

// IsExpired reports whether an address of a file, or a place in a list of records, no longer lives.
func IsExpired(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && refusal.Expired
}

// IsGone reports whether what was asked for is not there, or not for this token.
func IsGone(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && (refusal.Status == 404 || refusal.Status == 403)
}

// IsForbidden reports whether the token may not read what was asked for, or the product says no more than that.
func IsForbidden(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && refusal.Status == 403
}

// AddressProblem is an error for the person who has chosen an address that may not be asked, and nil for another error.
func AddressProblem(err error) error {
	switch {
	case errors.Is(err, outbound.ErrPlain):
		return problem.Invalid("address", "must begin with https://")
	case errors.Is(err, outbound.ErrNotAllowed):
		return problem.Invalid("address", "is not in the public internet, and not in a network that the operator of "+
			"this service allows")
	}
	return nil
}

// Unreachable says that a product may answer later.
func Unreachable(product string, cause error) error {
	return (&problem.Error{
		Kind:    problem.KindUnavailable,
		Message: product + " does not answer as it should at this moment; try again later.",
	}).Because(cause)
}
