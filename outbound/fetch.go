package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Fetcher reads from addresses that other people chose.
type Fetcher struct{ client *http.Client }

// NewFetcher returns a fetcher with the options of a client.
func NewFetcher(o Options) *Fetcher {
	o.KeepAlive = true
	return &Fetcher{NewClient(o)}
}

// An Answer is the response to a Get. Its reader closes the body.
type Answer struct {
	Status int
	// RetryAfter is how long the server asks to wait, or zero.
	RetryAfter time.Duration
	Length     int64 // of the body; -1 when unknown
	Body       io.ReadCloser
}

// Get requests an address and returns the response of any status. An error does not name the address, which may
// contain a secret.
func (f *Fetcher) Get(ctx context.Context, address string, header map[string]string) (*Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, errors.New("the address is not a URL")
	}
	request.Header.Set("User-Agent", "Rowhouse")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := f.client.Do(request) //nolint:bodyclose // the reader of the answer closes it
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, fmt.Errorf("sending the request: %w", err)
	}
	answer := &Answer{Status: response.StatusCode, Length: response.ContentLength, Body: response.Body}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		answer.RetryAfter = time.Duration(seconds) * time.Second
	}
	return answer, nil
}
