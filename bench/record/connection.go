package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A connection is a kept-alive HTTP connection. It costs less than net/http's client, whose own
// time would hide part of the difference between the programs.
type connection struct {
	host   string
	header string // of every request, lines with their ends
	conn   net.Conn
	reader *bufio.Reader
	out    []byte
	body   bytes.Buffer
}

// A call is a request.
type call struct {
	method string
	path   string
	body   []byte // JSON, or nil
}

// A statusError is a status other than 2xx.
type statusError int

func (r statusError) Error() string { return strconv.Itoa(int(r)) + " " + http.StatusText(int(r)) }

// busy reports whether an error says that the program cannot serve the request at present.
func busy(err error) bool {
	var status statusError
	return errors.As(err, &status) && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests)
}

func dial(ctx context.Context, host, header string) (*connection, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, fmt.Errorf("dialling %s: %w", host, err)
	}
	return &connection{host: host, header: header, conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

func (w *connection) close() { _ = w.conn.Close() }

// send makes a call and returns the body, which is valid until the next call. Any status but 2xx is
// an error.
func (w *connection) send(c call) ([]byte, error) {
	if err := w.conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, fmt.Errorf("setting a deadline: %w", err)
	}
	b := append(w.out[:0], c.method...)
	b = append(append(append(b, ' '), c.path...), " HTTP/1.1\r\nHost: "...)
	b = append(append(append(b, w.host...), "\r\n"...), w.header...)
	if c.body != nil {
		b = append(b, "Content-Type: application/json\r\nContent-Length: "...)
		b = append(strconv.AppendInt(b, int64(len(c.body)), 10), "\r\n"...)
	}
	w.out = append(append(b, "\r\n"...), c.body...)
	if _, err := w.conn.Write(w.out); err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.method, c.path, err)
	}
	response, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.method, c.path, err)
	}
	w.body.Reset()
	_, err = io.Copy(&w.body, response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.method, c.path, err)
	}
	if response.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s %s: %w: %s", c.method, c.path, statusError(response.StatusCode), w.body.Bytes())
	}
	return w.body.Bytes(), nil
}
