package product

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
)

const (
	perSecond   = 5
	maxAttempts = 5
	maxAnswer   = 64 << 20 // bytes of a page
	// maxParts bounds the objects, members and entries of a page. Three bytes of JSON can be hundreds in memory, and
	// whoever imports chooses who answers.
	maxParts = 500_000
)

// A Fetcher sends GET requests, as *outbound.Fetcher does.
type Fetcher interface {
	Get(ctx context.Context, address string, header map[string]string) (*outbound.Answer, error)
}

// Options are what a Client needs.
type Options struct {
	API   Fetcher // reads APIs
	Files Fetcher // reads attachments, whose addresses products give
	// Second is in which time five requests may be sent for a base, and Penalty how long a client waits when it is
	// refused without a time. Zero is a second, and what the product says.
	Second, Penalty time.Duration
}

// A Client sends requests to APIs of a product at the pace that they allow. It is safe for concurrent use.
type Client struct {
	Options

	product string
	refusal func(status int, body []byte) *Error

	mu    sync.Mutex
	paces map[string]*pace // by base
}

// NewClient returns a client of a product, whose refusals are read by a function. penalty is how long the product
// refuses everything after a request too many, unless it says so itself.
func NewClient(
	product string, o Options, penalty time.Duration, refusal func(status int, body []byte) *Error,
) *Client {
	if o.Second == 0 {
		o.Second = time.Second
	}
	if o.Penalty == 0 {
		o.Penalty = penalty
	}
	return &Client{Options: o, product: product, refusal: refusal, paces: map[string]*pace{}}
}

// Get reads an address into out. It waits for the turn of a base, and tries again after a refusal that passes.
func (c *Client) Get(
	ctx context.Context, base, address string, query url.Values, header map[string]string, out any,
) error {
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	for attempt := 1; ; attempt++ {
		pace := c.paceOf(base)
		if err := pace.enter(ctx); err != nil {
			return err
		}
		wait, err := c.try(ctx, address, header, out)
		pace.leave(c.Second, wait)
		if err == nil || wait == 0 || attempt >= maxAttempts {
			return err
		}
	}
}

// try sends one request. wait is when it may be sent again, and zero if that is of no use.
func (c *Client) try(
	ctx context.Context, address string, header map[string]string, out any,
) (wait time.Duration, err error) {
	answer, err := c.API.Get(ctx, address, header)
	if err != nil {
		if errors.Is(err, outbound.ErrNotAllowed) || errors.Is(err, outbound.ErrPlain) || ctx.Err() != nil {
			return 0, fmt.Errorf("asking %s: %w", c.product, err)
		}
		return c.Second, Unreachable(c.product, err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return c.Second, Unreachable(c.product, err)
	}
	if parts(body) > maxParts {
		return 0, &Error{
			Product: c.product, Status: answer.Status, Type: "TOO_LARGE",
			Message: fmt.Sprintf("a page has more than %d values", maxParts),
		}
	}
	if answer.Status == 200 {
		if err := json.Unmarshal(body, out); err != nil {
			return 0, Unreachable(c.product,
				fmt.Errorf("the answer is not what the documentation of %s says: %w", c.product, err))
		}
		return 0, nil
	}
	refusal := c.refusal(answer.Status, body)
	refusal.Product, refusal.Status = c.product, answer.Status
	switch {
	case refusal.Final:
		return 0, refusal
	case answer.Status == 429:
		if answer.RetryAfter > 0 {
			return answer.RetryAfter, refusal
		}
		return c.Penalty, refusal
	case answer.Status >= 500:
		return max(answer.RetryAfter, c.Second), refusal
	}
	return 0, refusal
}

// parts counts the objects, arrays, members and entries of a JSON text, whether it is valid or not.
func parts(body []byte) int {
	count, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			count++
		}
	}
	return count
}

// File opens the content of a file. No credential is sent there.
func (c *Client) File(ctx context.Context, address string) (io.ReadCloser, error) {
	answer, err := c.Files.Get(ctx, address, nil)
	if err != nil {
		return nil, fmt.Errorf("fetching a file: %w", err)
	}
	if answer.Status != 200 {
		_ = answer.Body.Close()
		return nil, &Error{
			Product: c.product, Status: answer.Status, Type: "FILE", Message: "the file was not served",
			Expired: answer.Status >= 400 && answer.Status < 500,
		}
	}
	return answer.Body, nil
}
