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

// A client calls the REST API. It waits and retries when the service is too busy.
type client struct {
	base string // without a trailing slash
	key  string // "" if the HTTP client has a session cookie instead
	http *http.Client

	mu        sync.Mutex
	durations []time.Duration
}

func newClient(base, key string, connections int) *client {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connections,
		MaxConnsPerHost:     connections,
		Proxy:               http.ProxyFromEnvironment,
	}
	return &client{
		base: strings.TrimRight(base, "/"),
		key:  key,
		http: &http.Client{Transport: transport, Timeout: time.Minute},
	}
}

// A problem is the service's error format (RFC 9457).
type problem struct {
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d: %s", p.Status, p.Detail) }

const maxAttempts = 8

// call sends in as JSON, unless it is nil, and decodes the response into out. It retries a request
// whose response was lost.
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

// send sends a request once. wait is how long to wait before retrying, or 0 if retrying is useless.
// idempotencyKey is the same for all attempts, so that a creation whose response was lost is not
// repeated.
func (c *client) send(
	ctx context.Context,
	method, path, idempotencyKey string,
	body []byte,
	out any,
) (wait time.Duration, err error) {
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
		p = &problem{
			Status: response.StatusCode,
			Detail: "the response is not a problem document; is this the URL of the service?",
		}
	}
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		wait = time.Second
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			wait = time.Duration(seconds) * time.Second
		}
	}
	return wait, p
}

// retryDelay returns how long to wait after a broken connection. A connection that could not be
// opened is not retried, because no service is there.
func retryDelay(err error) time.Duration {
	var dial *net.OpError
	if errors.Is(err, context.Canceled) || errors.As(err, &dial) && dial.Op == "dial" {
		return 0
	}
	return time.Second
}

// timing summarizes how long the requests took.
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
	return fmt.Sprintf("%d requests: median %s, 99th percentile %s, maximum %s.",
		len(c.durations), at(0.5), at(0.99), at(1))
}

// encodeQuery encodes query parameters; a value that is not a string is sent as JSON.
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
