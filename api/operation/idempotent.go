package operation

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/idempotency"
)

// maxKey is the longest key of a request, in characters.
const maxKey = 255

// CheckKey refuses the key of a request that is none: it is 1 to 255 printable ASCII characters. name is what the caller gave it in.
func CheckKey(name, key string) error {
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return problem.Invalid(name, "must be 1 to %d printable ASCII characters, such as a UUID, and be given once", maxKey)
	}
	return nil
}

// idempotent runs a request that has a key, or repeats the answer that it had before. What failed has changed nothing and is not
// repeated: sent again, it runs again. That is so after validation and rights, which count anew each time.
func (o *Operation) idempotent(ctx context.Context, call *Call, request Request) (Answer, error) {
	input := jsontext.Value(append([]byte(nil), request.Raw...))
	if err := input.Compact(); err != nil { // white space is no other request; the input was validated
		input = request.Raw
	}
	doors := call.DB
	keyed := &idempotency.Request{Person: call.Principal.Person, Org: call.Target.Org, Operation: o.Name, Key: request.Key, Input: input}
	attempt, earlier, err := idempotency.Reserve(ctx, doors, keyed)
	if err != nil {
		return Answer{}, err
	}
	if earlier != nil {
		return Answer{Body: earlier, Repeated: true}, nil
	}
	out, err := o.act(ctx, call, request, attempt)
	if err != nil {
		return Answer{}, errors.Join(err, idempotency.Release(ctx, doors, keyed, attempt))
	}
	// The work is done and marked as done. A lost answer is said to be lost when it is asked for.
	if err := idempotency.StoreAnswer(ctx, doors, keyed, attempt, out); err != nil && call.Log != nil {
		call.Log.WarnContext(ctx, "an answer could not be kept for repetition", slog.String("request", request.ID), slog.Any("error", err))
	}
	return Answer{Body: out}, nil
}
