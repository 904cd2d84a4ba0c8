package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxKept bounds the part of a response's body that a Sender returns.
const maxKept = 4 << 10

// A Sender sends messages to addresses that other people chose.
type Sender struct {
	client  *http.Client
	allowed []netip.Prefix
}

// NewSender returns a sender with the options of a client.
func NewSender(o Options) *Sender {
	o.KeepAlive = true
	return &Sender{NewClient(o), o.Allowed}
}

// Check returns an error that says why a URL cannot be an address of messages, or nil. The addresses of
// its host are checked when a message is sent.
func (s *Sender) Check(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return errors.New("must be a URL with a host, such as https://example.com/hook")
	case u.Scheme != "https" && (u.Scheme != "http" || len(s.allowed) == 0):
		return errors.New("must be https")
	case u.User != nil || strings.Contains(raw, "#"):
		return errors.New("must have no user and no fragment")
	}
	if port, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || port < 1 || port > 65_535) {
		return errors.New("must have a port from 1 to 65535, or none")
	}
	if strings.Contains(u.Hostname(), "..") {
		return errors.New("must name a host without empty parts")
	}
	addr, err := netip.ParseAddr(u.Hostname())
	switch {
	case err != nil && isNumeric(u.Hostname()), err == nil && (&dialer{allowed: s.allowed}).permits(addr, false) != nil,
		strings.EqualFold(u.Hostname(), "localhost") && !s.allowsLoopback():
		return errors.New("must name a host on the internet")
	}
	return nil
}

func (s *Sender) allowsLoopback() bool {
	return slices.ContainsFunc(s.allowed, func(p netip.Prefix) bool { return p.Addr().IsLoopback() })
}

// Post sends a message in JSON and returns the status and the beginning of the body of the response, or
// an error if there was none.
func (s *Sender) Post(
	ctx context.Context, address string, header map[string]string, body []byte,
) (status int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("preparing the request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Rowhouse")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := s.client.Do(request)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) { // without the URL, which may contain a secret
			err = outer.Err
		}
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, _ = io.ReadAll(io.LimitReader(response.Body, maxKept)) // the status decides
	return response.StatusCode, answer, nil
}
