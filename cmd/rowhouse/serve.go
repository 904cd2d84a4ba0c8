package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/rowhouse/rowhouse/telemetry"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

type serveCommand struct {
	serviceConfig `embed:""`
}

// Run serves until ctx is cancelled, and then until the pending requests have ended, at most half a
// minute.
func (c *serveCommand) Run(ctx context.Context, to streams) error {
	if err := c.check(); err != nil {
		return err
	}
	lines := telemetry.NewLog(to.err, c.LogLevel)
	defer lines.Close()
	log := lines.Logger
	configureGC()
	listener, err := listen(ctx, c.ListenAddr, "LISTEN_ADDR")
	if err != nil {
		return err
	}
	mail, err := c.mailer(log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s, err := open(ctx, &c.serviceConfig, log, mail)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer s.close()
	hideMetrics, err := s.serveMetrics(ctx, c.MetricsAddr)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer hideMetrics()
	log.InfoContext(ctx, "serving", "address", listener.Addr().String(), "baseUrl", c.BaseURL)
	return s.serve(ctx, listener, c.ShutdownDelay)
}

// warm compiles what runs in WebAssembly, one after the other, while the first requests are served.
func warm() {
	sqlquery.Warm()
	attachment.WarmText()
}

// listen opens the listener. If the address is in use, the error names the setting to change.
func listen(ctx context.Context, address, setting string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program already listens on %s; stop it, or choose another address with %s",
			address, setting)
	}
	if err != nil {
		return nil, fmt.Errorf("listening on %s (%s): %w", address, setting, err)
	}
	return l, nil
}

// serve serves requests until ctx is cancelled. It then reports not ready for delay while it
// continues to serve, accepts no more connections, and returns when all pending requests have ended
// or half a minute has passed.
func (s *service) serve(ctx context.Context, listener net.Listener, delay time.Duration) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		// A handler that responds for longer, such as an event stream, sets its own deadline.
		WriteTimeout:   2 * time.Minute,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 4 * maxHeaderBytes, // limitHeaderSize rejects smaller headers with an explanation
		ErrorLog:       slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(s.live.Close) // streams end with nothing else
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go warm()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	s.health.drain()
	s.log.InfoContext(ctx, "stopping")
	if delay > 0 {
		time.Sleep(delay)
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(fmt.Errorf("requests were still pending after half a minute: %w", err), server.Close())
	}
	return nil
}
