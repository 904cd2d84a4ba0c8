package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// A client calls the REST API and measures how long it takes.
type client struct {
	base string // without a trailing slash
	http *http.Client
	api  *rowhouse.Client

	mu        sync.Mutex
	durations []time.Duration
}

// newClient returns a client with a key, or with the session cookie of its HTTP client if key is empty.
func newClient(base, key string, connections int) *client {
	c := &client{
		base: strings.TrimRight(base, "/"),
		http: &http.Client{
			Transport: &http.Transport{
				MaxIdleConnsPerHost: connections,
				MaxConnsPerHost:     connections,
				Proxy:               http.ProxyFromEnvironment,
			},
			Timeout: time.Minute,
		},
	}
	options := []rowhouse.Option{rowhouse.WithHTTPClient(c.http)}
	if key != "" {
		options = append(options, rowhouse.WithToken(key))
	}
	c.api = rowhouse.New(base, options...)
	return c
}

// call sends in as JSON, unless it is nil, and decodes the response into out.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	began := time.Now()
	if err := c.api.Send(ctx, rowhouse.Request{Method: method, Path: path, Body: in}, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.durations = append(c.durations, time.Since(began))
	return nil
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
