package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// net/http takes Content-Length away from a request that is chunked as well (RFC 9112 section 6.3), before any handler
// sees it. The request is read by its chunks; what is no chunk is refused with a problem, and no bytes of it are
// taken for another request.
func TestARequestWithTwoLengthsIsReadByItsChunks(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	ctx, stop := context.WithCancel(t.Context())
	l := listener(t)
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, l, 0) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	}()
	smuggled := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, test := range map[string]struct {
		body     string
		statuses []int
	}{
		"chunks, and another request":      {"2\r\n{}\r\n0\r\n\r\n" + smuggled, []int{401, 200}},
		"no chunks, but a request":         {smuggled, []int{401}},
		"chunks that end early":            {"ffff\r\n{}", []int{401}},
		"a length that covers the request": {"0\r\n\r\n" + smuggled, []int{401, 200}},
	} {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(conn, "POST /api/v1/bases HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n%s", len(test.body), test.body)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		var statuses []int
		for answers := bufio.NewReader(conn); ; {
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				break
			}
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode >= 400 && !strings.Contains(string(text), `"requestId"`) {
				t.Errorf("%s: no problem document: %s", name, text)
			}
			statuses = append(statuses, response.StatusCode)
		}
		_ = conn.Close()
		if fmt.Sprint(statuses) != fmt.Sprint(test.statuses) {
			t.Errorf("%s: %v and not %v", name, statuses, test.statuses)
		}
	}
}
