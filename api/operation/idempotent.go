package operation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
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
	keyed := &organization.IdempotentRequest{
		Person:    call.Principal.Person,
		Org:       call.Target.Org,
		Operation: o.Name,
		Key:       request.IdempotencyKey,
		Input:     input,
		Rights:    rightsOf(call.Principal, call.Target),
	}
	attempt, earlier, err := organization.ReserveRequest(ctx, db, keyed)
	if err != nil {
		return Result{}, err
	}
	if earlier != nil {
		answer, err := o.replay(call, earlier)
		return Result{Body: answer, Replayed: true}, err
	}
	out, err := o.runHandler(ctx, call, request, attempt)
	if err != nil {
		return Result{}, errors.Join(err, organization.ReleaseRequest(ctx, db, keyed, attempt))
	}
	// The work is done and marked as done. If its result is lost, a repeated request gets an error
	// that says so.
	if err := organization.StoreAnswer(ctx, db, keyed, attempt, o.storable(out)); err != nil && call.Log != nil {
		call.Log.WarnContext(ctx, "storing an idempotent result failed",
			slog.String("request", request.ID), slog.Any("error", err))
	}
	return call.result(out), nil
}

// replay returns what the caller may see of a stored result.
func (o *Operation) replay(call *Call, earlier *organization.StoredAnswer) ([]byte, error) {
	first := earlier.Rights
	if first == nil { // stored before rights were
		first = strings.Fields(authz.JoinScopes(authz.AllScopes(), " "))
	}
	if covers(rightsOf(call.Principal, call.Target), first) {
		return earlier.Body, nil
	}
	if o.Replay != nil {
		return o.Replay(call, earlier.Body)
	}
	return nil, problem.Forbidden("The first request with this Idempotency-Key was carried out, with rights that " +
		"this credential does not have, so its result is not shown. It will not be done again.").
		WithCode(problem.CodeIdempotencyAnswerWithheld)
}

// rightsOf are the rights on which the result of a call depends, each a word.
func rightsOf(p *authz.Principal, target Target) []string {
	rights := make([]string, 0, len(p.Scopes)+3)
	for _, scope := range p.Scopes {
		rights = append(rights, string(scope))
	}
	for _, m := range p.Orgs {
		if target.Org != uuid.Nil && m.Org != target.Org {
			continue
		}
		for _, role := range organization.Roles {
			if m.Role.AtLeast(role) {
				rights = append(rights, "role:"+id.Format(id.Org, m.Org)+":"+string(role))
			}
		}
	}
	if target.Rights != "" {
		sum := sha256.Sum256([]byte(target.Rights))
		rights = append(rights, "in:"+hex.EncodeToString(sum[:]))
	}
	if p.Bases == nil || target.Base != uuid.Nil { // within a base, it makes no difference that others are out of reach
		return append(rights, "bases")
	}
	for _, base := range p.Bases {
		rights = append(rights, id.Format(id.Base, base))
	}
	return rights
}

// covers reports whether rights include all others.
func covers(rights, others []string) bool {
	every := slices.Contains(rights, "bases")
	return !slices.ContainsFunc(others, func(other string) bool {
		return !slices.Contains(rights, other) && (!every || !strings.HasPrefix(other, string(id.Base)+"_"))
	})
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
