// Package rowhouse is the client of a Rowhouse service: the REST interface with what a program needs
// around it. Requests that failed on their way are sent again, with one Idempotency-Key; pages are an
// iterator; errors are a *Problem with a code; the changes of a base are an iterator that resumes.
//
// The types in types.gen.go come from the service's OpenAPI document. An operation without a method
// here is one call of [Client.Send].
package rowhouse

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Client sends the requests of one credential. It is safe for concurrent use.
type Client struct {
	baseURL   string
	token     func(ctx context.Context) (string, error)
	http      *http.Client
	userAgent string
	changeSet string
	attempts  int
}

// An Option changes a Client that New makes.
type Option func(*Client)

// WithToken sends an API key or an access token.
func WithToken(token string) Option {
	return WithTokens(func(context.Context) (string, error) { return token, nil })
}

// WithTokens asks for the token before each request, for access tokens that are refreshed.
func WithTokens(source func(ctx context.Context) (string, error)) Option {
	return func(c *Client) { c.token = source }
}

// WithHTTPClient sends the requests with another client. The default is one of its own, without a time
// limit: the context of a call is the limit.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithUserAgent sets the User-Agent, which the audit log shows. The default is rowhouse-go.
func WithUserAgent(name string) Option { return func(c *Client) { c.userAgent = name } }

// WithChangeSet joins all writes to one change set: a name, or the id of one that the credential began.
func WithChangeSet(name string) Option { return func(c *Client) { c.changeSet = name } }

// WithAttempts sets how often a request is sent at most, at least once. The default is 6, within about ten
// seconds.
func WithAttempts(n int) Option { return func(c *Client) { c.attempts = max(n, 1) } }

const (
	defaultAttempts = 6
	firstWait       = 200 * time.Millisecond
	longestWait     = 30 * time.Second
)

// New returns a client of the service at baseURL, such as https://rowhouse.example.com.
func New(baseURL string, options ...Option) *Client {
	c := &Client{
		baseURL: strings.TrimRight(baseURL, "/"), http: &http.Client{}, userAgent: "rowhouse-go",
		attempts: defaultAttempts,
	}
	for _, option := range options {
		option(c)
	}
	return c
}

// With returns a client with other options, for example one whose writes join a change set.
func (c *Client) With(options ...Option) *Client {
	copied := *c
	for _, option := range options {
		option(&copied)
	}
	return &copied
}

// A Request is one call of the REST interface.
type Request struct {
	Method string     // GET if it is empty
	Path   string     // below /api/v1, such as /me
	Query  url.Values // a list, such as filters, is JSON
	Body   any        // sent as JSON, if not nil; a json.RawMessage as it is
	Header http.Header
	// IfMatch is the version that the record must still have, or 0.
	IfMatch int
	// IdempotencyKey names a POST. If it is empty, each call has a key of its own, so that a repetition after
	// a lost response does nothing twice.
	IdempotencyKey string
	// Idempotent is a POST that does the same when it is repeated, such as an upsert. It needs no key, and so
	// does not wait for what became of an attempt that was lost with its process.
	Idempotent bool
	// Once sends the request a single time, whatever happens.
	Once bool
}

// Send sends a request and decodes the response into out, unless that is nil. It sends the request again
// after a lost connection, 502, 503, 504 and 429, and after conflicts with other writes: as long as the
// Retry-After says or a growing while, and never if a repetition could do something twice. The error is a
// *Problem if the service refused the request.
func (c *Client) Send(ctx context.Context, request Request, out any) error {
	body, err := c.read(ctx, request)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("reading the response of %s: %w", request.Path, err)
	}
	return nil
}

// Open is Send for a response that the caller reads, such as an export. The caller closes its body. A
// response that breaks off meanwhile is not asked for again.
func (c *Client) Open(ctx context.Context, request Request) (response *http.Response, err error) {
	err = c.repeat(ctx, request, func(got *http.Response) error {
		response = got
		return nil
	})
	return response, err
}

// read returns the body of a response. One that breaks off is a lost response.
func (c *Client) read(ctx context.Context, request Request) ([]byte, error) {
	var body bytes.Buffer
	err := c.repeat(ctx, request, func(response *http.Response) error {
		defer response.Body.Close()
		body.Reset()
		if response.ContentLength > 0 {
			body.Grow(int(response.ContentLength) + bytes.MinRead)
		}
		if _, err := body.ReadFrom(response.Body); err != nil {
			return &ConnectionError{fmt.Errorf("reading the response of %s: %w", request.Path, err)}
		}
		return nil
	})
	return body.Bytes(), err
}

// repeat sends a request until receive has its response, or until another attempt is of no use.
func (c *Client) repeat(ctx context.Context, request Request, receive func(*http.Response) error) error {
	if request.Method == "" {
		request.Method = http.MethodGet
	}
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = json.Marshal(request.Body); err != nil {
			return fmt.Errorf("encoding the request: %w", err)
		}
	}
	if request.Method == http.MethodPost && request.IdempotencyKey == "" && !request.Idempotent {
		request.IdempotencyKey = rand.Text()
	}
	wait := firstWait
	for attempt := 1; ; attempt++ {
		response, err := c.open(ctx, &request, body) //nolint:bodyclose // receive does, or its caller
		if err == nil {
			err = receive(response)
		}
		if err == nil {
			return nil
		}
		after, again := retryAfter(err, wait)
		if !again || request.Once || attempt >= c.attempts || !repeatable(&request, err) {
			return err
		}
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
		wait = min(2*wait, longestWait)
	}
}

// open sends a request once.
func (c *Client) open(ctx context.Context, request *Request, body []byte) (*http.Response, error) {
	address := c.baseURL + "/api/v1" + request.Path
	if len(request.Query) > 0 {
		address += "?" + request.Query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, request.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	for name, values := range request.Header {
		sent.Header[name] = values
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if request.IdempotencyKey != "" {
		sent.Header.Set("Idempotency-Key", request.IdempotencyKey)
	}
	if request.IfMatch != 0 {
		sent.Header.Set("If-Match", strconv.Quote(strconv.Itoa(request.IfMatch)))
	}
	if c.changeSet != "" && request.Method != http.MethodGet {
		sent.Header.Set("Change-Set", c.changeSet)
	}
	sent.Header.Set("User-Agent", c.userAgent)
	if c.token != nil {
		token, err := c.token(ctx)
		if err != nil {
			return nil, &tokenError{err}
		}
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return nil, &ConnectionError{err}
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer response.Body.Close()
		return nil, readProblem(response)
	}
	return response, nil
}

// A ConnectionError is a request without a response, or without all of it.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string { return e.Err.Error() }
func (e *ConnectionError) Unwrap() error { return e.Err }

// A tokenError is a failure before the request was sent.
type tokenError struct{ error }

func (e *tokenError) Unwrap() error { return e.error }

// repeatable reports whether a request does nothing twice if it is sent again. A PATCH and a DELETE do the
// same again; under a condition, a second one would fail where the first succeeded. A service that refuses
// before it does anything can be asked again in any case.
func repeatable(request *Request, err error) bool {
	return request.IfMatch == 0 || errors.As(err, new(*Problem))
}

// retryAfter returns how long to wait after an error, and whether another attempt is of use. usual is the
// wait where the service names none.
func retryAfter(err error, usual time.Duration) (wait time.Duration, again bool) {
	jittered := usual/2 + mathrand.N(usual/2+1) //nolint:gosec // it guards nothing
	var problem *Problem
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, new(*tokenError)):
		return 0, false
	case !errors.As(err, &problem):
		return jittered, true // the connection failed
	}
	switch problem.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return max(problem.retryAfter, jittered), problem.retryAfter <= longestWait
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return jittered, true
	case http.StatusConflict:
		code := ProblemCode(problem.Code)
		return jittered, code == ProblemCodeWriteConflict || code == ProblemCodeIdempotencyInProgress
	}
	return 0, false
}
