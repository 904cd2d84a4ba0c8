// Package signed makes and opens tokens for one call of one credential, valid for a quarter of an
// hour. They are in the addresses of uploads, downloads and questions to a person.
//
// A token is encrypted and authenticated (package seal), contains no secret of the credential, and
// costs no row. Its bearer can make that one call; the rights of the credential are looked up when
// the token is used, so that it ends with the credential and with the person's membership. The
// package knows nothing of HTTP or of what a call does.
package signed

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/problem"
)

// Life is how long a token can be used.
const Life = 15 * time.Minute

// maxToken is how long a token may be. Addresses beyond 8 KB are refused by proxies.
const maxToken = 6000

// A Purpose says what a token is for; it is good for nothing else.
type Purpose string

// The purposes.
const (
	Upload   Purpose = "upload"
	Download Purpose = "download"
	Approval Purpose = "approval"
)

// A Call is a call of an operation.
type Call struct {
	Holder    authz.Holder    `json:"holder"`
	Operation string          `json:"operation"`
	Input     json.RawMessage `json:"input"` // of the operation; without the content of an upload
	ID        uuid.UUID       `json:"id"`    // of the file that an upload makes, or of a question
	Size      int64           `json:"size,omitempty"`
	Expires   time.Time       `json:"expires"`
}

// Keys make and open tokens. They are safe for concurrent use.
type Keys struct {
	seals   seal.Keys
	resolve authz.Resolver
	now     func() time.Time
}

// New derives the keys from the service's secrets; the first makes tokens, and all open them.
func New(secrets [][]byte, resolve authz.Resolver) (*Keys, error) {
	seals, err := seal.New(secrets, "rowhouse signed call", "rowhouse signed call authentication")
	if err != nil {
		return nil, fmt.Errorf("deriving the keys of signed calls: %w", err)
	}
	return &Keys{seals, resolve, time.Now}, nil
}

// At returns the same keys with another clock, for tests.
func (k *Keys) At(now func() time.Time) *Keys { return &Keys{k.seals, k.resolve, now} }

// Make returns a token for a call, and sets when the call expires. It returns an error of kind too_large for an input
// that does not fit into an address.
func (k *Keys) Make(purpose Purpose, call *Call) (string, error) {
	call.Expires = k.now().Add(Life).UTC().Truncate(time.Second)
	plain, err := json.Marshal(call)
	if err != nil {
		return "", fmt.Errorf("encoding a signed call: %w", err)
	}
	var packed bytes.Buffer
	compressor, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		if _, err = compressor.Write(plain); err == nil {
			err = compressor.Close()
		}
	}
	if err != nil {
		return "", fmt.Errorf("compressing a signed call: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(k.seals.Seal(packed.Bytes(), string(purpose)))
	if len(token) > maxToken {
		return "", &problem.Error{Kind: problem.KindTooLarge, Message: "The arguments are too long for an address."}
	}
	return token, nil
}

// Open returns the call of a token, or an error of kind not_found for one that is forged, was made for another purpose
// or has expired.
func (k *Keys) Open(purpose Purpose, token string) (*Call, error) {
	ended := &problem.Error{
		Kind: problem.KindNotFound, Code: problem.CodeAddressEnded,
		Message: "This address is not valid, or it has expired: it was good for a quarter of an hour. Ask for another.",
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(token) > maxToken {
		return nil, ended
	}
	packed, err := k.seals.Open(sealed, string(purpose))
	if err != nil {
		return nil, ended.Because(err)
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed))) // it was made here
	if err != nil {
		return nil, fmt.Errorf("decompressing a signed call: %w", err)
	}
	var call Call
	if err := json.Unmarshal(plain, &call); err != nil {
		return nil, fmt.Errorf("decoding a signed call: %w", err)
	}
	if !k.now().Before(call.Expires) {
		return nil, ended
	}
	return &call, nil
}

// Principal returns the caller of a call, with the rights of the present. It returns an error of kind forbidden if the
// credential has ended.
func (k *Keys) Principal(ctx context.Context, call *Call) (*authz.Principal, error) {
	p, err := k.resolve(ctx, call.Holder)
	if problem.KindOf(err) == problem.KindUnauthenticated || err == nil && p.Person != call.Holder.Person {
		return nil, problem.Forbidden("This address has ended, because the credential with which it was made has " +
			"ended.").WithCode(problem.CodeAddressEnded).Because(err)
	}
	return p, err
}
