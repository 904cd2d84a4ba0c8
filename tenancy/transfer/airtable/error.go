package airtable

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rowhouse/rowhouse/problem"
)

// billingLimit is the type of the refusal when a workspace has used up the calls of its plan for the month, which
// waiting does not change.
const billingLimit = "PUBLIC_API_BILLING_LIMIT_EXCEEDED"

// An Error is a refusal of the API.
type Error struct {
	Status  int
	Type    string
	Message string
}

// Error says what Airtable said.
func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("Airtable answered %d %s", e.Status, e.Type)
	}
	return fmt.Sprintf("Airtable answered %d %s: %s", e.Status, e.Type, e.Message)
}

// readError reads a refusal in any of its forms: {"error": "NOT_FOUND"}, {"error": {"type", "message"}} and
// {"errors": [{"error", "message"}]}.
func readError(status int, body []byte) *Error {
	out := &Error{Status: status}
	var one struct {
		Error  json.RawMessage `json:"error"`
		Errors []struct {
			Error   string `json:"error"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &one) != nil {
		return out
	}
	if len(one.Errors) > 0 {
		out.Type, out.Message = one.Errors[0].Error, one.Errors[0].Message
		return out
	}
	if json.Unmarshal(one.Error, &out.Type) == nil {
		return out
	}
	var detail struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(one.Error, &detail) == nil {
		out.Type, out.Message = detail.Type, detail.Message
	}
	return out
}

// IsExpired reports whether an address of a file, or a place in a list of records, no longer lives.
func IsExpired(err error) bool {
	var refusal *Error
	if !errors.As(err, &refusal) {
		return false
	}
	if refusal.Type == "FILE" {
		return refusal.Status >= 400 && refusal.Status < 500
	}
	return refusal.Type == "LIST_RECORDS_ITERATOR_NOT_AVAILABLE"
}

// IsGone reports whether what was asked for is not there, or not for this token.
func IsGone(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && (refusal.Status == 404 || refusal.Status == 403)
}

// IsForbidden reports whether the token may not read what was asked for, or Airtable says no more than that.
func IsForbidden(err error) bool {
	var refusal *Error
	return errors.As(err, &refusal) && refusal.Status == 403
}

// Problem is an error of the API for the person whose import it is.
func Problem(err error) error {
	var refusal *Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch {
	case refusal.Status == 401:
		return problem.Invalid("token", "Airtable does not take the token: it is wrong, has expired or was revoked")
	case refusal.Type == billingLimit:
		return problem.Invalid("token", "the Airtable workspace has used up the API calls of its plan for this "+
			"month; import again next month, or after a change of plan")
	case refusal.Status == 403 || refusal.Status == 404:
		return problem.Invalid("airtableBaseId", "Airtable shows this token no such base, or not this part of it. The "+
			"token needs access to the base, and the scopes data.records:read, data.recordComments:read and "+
			"schema.bases:read")
	case refusal.Status == 429 || refusal.Status >= 500:
		return unreachable(err)
	}
	return problem.Conflict("%s", refusal.Error())
}

// unreachable says that Airtable may answer later.
func unreachable(cause error) error {
	return (&problem.Error{
		Kind:    problem.KindUnavailable,
		Message: "Airtable does not answer as it should at this moment; try again later.",
	}).Because(cause)
}
