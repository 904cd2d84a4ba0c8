package api

import (
	"net/http"
	"strings"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// maxIdempotencyKey is the maximum length of an idempotency key, in characters.
const maxIdempotencyKey = 255

// idempotencyKey returns the Idempotency-Key of a POST request, or "" if there is none. Other
// methods ignore the header, because they are idempotent themselves. The key may be quoted, as
// draft-ietf-httpapi-idempotency-key-header requires, or unquoted, as most clients send it.
func idempotencyKey(r *http.Request) (string, error) {
	if r.Method != http.MethodPost {
		return "", nil
	}
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := strings.TrimSpace(values[0])
	if len(key) > 1 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(values) > 1 {
		key = ""
	}
	if err := operation.CheckKey("Idempotency-Key", key); err != nil {
		return "", err
	}
	return key, nil
}

// changeSet returns the change set that a request asks to join, or "" if it asks for none. Reads
// ignore the header.
func changeSet(r *http.Request, op *operation.Operation) (string, error) {
	values := r.Header.Values("Change-Set")
	if op.ReadOnly || len(values) == 0 {
		return "", nil
	}
	name := strings.TrimSpace(values[0])
	if len(values) > 1 {
		name = ""
	}
	return name, changelog.CheckSetName("Change-Set", name)
}
