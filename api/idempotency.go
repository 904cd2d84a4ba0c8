package api

import (
	"net/http"
	"strings"

	"github.com/rowhouse/rowhouse/api/operation"
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
