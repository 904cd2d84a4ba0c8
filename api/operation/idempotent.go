package operation

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/idempotency"
)

// maxKey is the maximum length of an idempotency key, in characters.
const maxKey = 255

// CheckKey returns an error of kind invalid unless key is 1 to 255 printable ASCII characters. name
// is the header or parameter that contained it.
func CheckKey(name, key string) error {
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return problem.Invalid(name, "must be 1 to %d printable ASCII characters, such as a UUID, and be given once",
			maxKey)
	}
	return nil
}

// idempotent runs a request that has an idempotency key, or returns the stored result of an earlier
// request with it. A failed request changed nothing and stored nothing, so sending it again runs it
// again. Validation and authorization come first and apply to every request.
func (o *Operation) idempotent(ctx context.Context, call *Call, request Request) (Result, error) {
	input := jsontext.Value(append([]byte(nil), request.Raw...))
	if err := input.Compact(); err != nil { // white space does not make a different request; the input was validated
		input = request.Raw
	}
	db := call.DB
	keyed := &idempotency.Request{
		Person:    call.Principal.Person,
		Org:       call.Target.Org,
		Operation: o.Name,
		Key:       request.IdempotencyKey,
		Input:     input,
	}
	attempt, earlier, err := idempotency.Reserve(ctx, db, keyed)
	if err != nil {
		return Result{}, err
	}
	if earlier != nil {
		return Result{Body: earlier, Replayed: true}, nil
	}
	out, err := o.runHandler(ctx, call, request, attempt)
	if err != nil {
		return Result{}, errors.Join(err, idempotency.Release(ctx, db, keyed, attempt))
	}
	// The work is done and marked as done. If its result is lost, a repeated request is told so.
	if err := idempotency.StoreAnswer(ctx, db, keyed, attempt, o.storable(out)); err != nil && call.Log != nil {
		call.Log.WarnContext(ctx, "storing an idempotent result failed",
			slog.String("request", request.ID), slog.Any("error", err))
	}
	return call.result(out), nil
}

// storable returns a result without what is shown once.
func (o *Operation) storable(out []byte) []byte {
	if o.ShownOnce == "" {
		return out
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(out, &members); err != nil {
		return []byte("{}")
	}
	delete(members, o.ShownOnce)
	stored, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return []byte("{}")
	}
	return stored
}
