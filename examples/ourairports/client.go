package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A client calls the REST API, and waits and tries again when the service says that it is too busy.
type client struct {
	base string // without a slash at its end
	key  string // "" when the session in the HTTP client's cookie jar is the credential
	http *http.Client

	mu        sync.Mutex
	durations []time.Duration
}

func newClient(base, key string, connections int) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, Proxy: http.ProxyFromEnvironment}
	return &client{base: strings.TrimRight(base, "/"), key: key, http: &http.Client{Transport: transport, Timeout: time.Minute}}
}

// A problem is how the service tells of an error (RFC 9457).
type problem struct {
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d: %s", p.Status, p.Detail) }

const maxAttempts = 8

// call sends in as JSON, unless it is nil, and decodes the answer into out.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("encoding a request: %w", err)
		}
	}
	idempotencyKey := rand.Text()
	for attempt := 1; ; attempt++ {
		wait, err := c.send(ctx, method, path, idempotencyKey, body, out)
		if err == nil {
			return nil
		}
		if wait == 0 || attempt == maxAttempts {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		select {
		case <-time.After(wait * time.Duration(attempt)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// try sends a request once. wait is how long to wait before the next try, or 0 when there is no use in one. once names what is
// asked for over all tries, so that a creation whose answer was lost is not done a second time.
func (c *client) send(ctx context.Context, method, path, idempotencyKey string, body []byte, out any) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	if c.key != "" {
		request.Header.Set("X-Api-Key", c.key)
	}
	began := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		return retryDelay(err), err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return retryDelay(err), err
	}
	c.mu.Lock()
	c.durations = append(c.durations, time.Since(began))
	c.mu.Unlock()
	if response.StatusCode == http.StatusOK {
		return 0, json.Unmarshal(content, out)
	}
	p := &problem{}
	if json.Unmarshal(content, p) != nil || p.Status == 0 {
		p = &problem{Status: response.StatusCode, Detail: "the answer is no problem document; is this the address of the service?"}
	}
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		wait = time.Second
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			wait = time.Duration(seconds) * time.Second
		}
	}
	return wait, p
}

// lost is how long to wait after a connection that broke. One that was never made is not waited for: nobody is there.
func retryDelay(err error) time.Duration {
	var dial *net.OpError
	if errors.Is(err, context.Canceled) || errors.As(err, &dial) && dial.Op == "dial" {
		return 0
	}
	return time.Second
}

// timing says how long the requests took.
func (c *client) timing() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.durations) == 0 {
		return "No request was sent."
	}
	slices.Sort(c.durations)
	at := func(part float64) string {
		return fmt.Sprintf("%.0f ms", float64(c.durations[int(part*float64(len(c.durations)-1))].Microseconds())/1000)
	}
	return fmt.Sprintf("%d requests: half were answered within %s, 99 in 100 within %s, all within %s.", len(c.durations), at(0.5), at(0.99), at(1))
}

// query writes parameters; a value that is no string is sent as JSON.
func encodeQuery(parameters map[string]any) (string, error) {
	values := url.Values{}
	for name, value := range parameters {
		text, ok := value.(string)
		if !ok {
			encoded, err := json.Marshal(value)
			if err != nil {
				return "", fmt.Errorf("encoding the parameter %s: %w", name, err)
			}
			text = string(encoded)
		}
		values.Set(name, text)
	}
	return "?" + values.Encode(), nil
}
