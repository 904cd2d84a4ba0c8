package body

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// places counts entered and left slots.
type places struct{ entered, left atomic.Int64 }

func (p *places) Receive(context.Context, string) (func(), error) {
	p.entered.Add(1)
	return func() { p.left.Add(1) }, nil
}

// read reads a body with or without its length.
func read(t *testing.T, r *Reader, content []byte, announced int64) ([]byte, *Reservation, error) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(content))
	request.ContentLength = announced
	reservation := r.NewReservation()
	got, err := reservation.Read(httptest.NewRecorder(), request, "someone")
	return got, reservation, err
}

func TestBodiesAreReadAsTheyArrive(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	for _, size := range []int{
		0, 1, 511, 512, 513, 8191, 8192, 8193, small - 1, small, small + 1, 300_000, limit - 1, limit,
	} {
		content := bytes.Repeat([]byte("x"), size)
		for _, announced := range []int64{int64(size), -1} {
			bulkhead := &places{}
			r := New(limit, 4*limit, "too large", bulkhead)
			got, reserved, err := read(t, r, content, announced)
			if err != nil || !bytes.Equal(got, content) {
				t.Fatalf("%d bytes, announced %d: %d bytes, %v", size, announced, len(got), err)
			}
			large := reserved.size > 0
			if large != (size > small) || bulkhead.entered.Load() > 1 || reserved.size > 2*limit {
				t.Errorf(
					"%d bytes, announced %d: holds %d, entered %d",
					size,
					announced,
					reserved.size,
					bulkhead.entered.Load(),
				)
			}
			reserved.Release()
			if !r.total.TryAcquire(4*limit) || bulkhead.left.Load() != bulkhead.entered.Load() {
				t.Errorf("%d bytes, announced %d: something is still reserved", size, announced)
			}
		}
	}
	for _, announced := range []int64{limit + 1, -1} {
		_, reserved, err := read(t, New(limit, 4*limit, "too large", nil), make([]byte, limit+1), announced)
		reserved.Release()
		if problem.KindOf(err) != problem.KindTooLarge {
			t.Errorf("more than may be: %v", err)
		}
	}
}

// idle opens a connection that announces a body, sends a part of it, and nothing more.
func idle(t *testing.T, server *httptest.Server, announced, sent int) *bufio.Reader {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: "+strconv.Itoa(announced)+"\r\n\r\n"+
		strings.Repeat("x", sent))
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(conn)
}

func TestWhatIsAnnouncedTakesNothing(t *testing.T) {
	t.Parallel()
	const limit = 5 << 20
	r := New(limit, 2*limit+2, "too large", &places{})
	r.stall = 50 * time.Millisecond
	failed := make(chan error, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		reservation := r.NewReservation()
		defer reservation.Release()
		_, err := reservation.Read(w, request, "someone")
		failed <- err
	}))
	t.Cleanup(server.Close)
	for range 14 {
		idle(t, server, limit, 1000)
	}
	if _, reserved, err := read(t, r, make([]byte, limit), limit); err != nil {
		t.Errorf("a body that arrives, next to idle ones: %v", err)
	} else {
		reserved.Release()
	}
	select {
	case err := <-failed:
		t.Errorf("a small part was given up: %v", err)
	default:
	}
	idle(t, server, limit, 200_000)
	var slow *problem.Error
	if err := <-failed; !errors.As(err, &slow) || slow.Code != "slow_body" {
		t.Errorf("a large body that stops: %v", err)
	}
}
