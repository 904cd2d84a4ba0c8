package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// A longAnswer is one that takes long. begin returns when it has begun, and a function that reads it to its end
// and says whether the loss of rights has ended it.
type longAnswer struct {
	name          string
	locks, writes bool // it waits for the table that is locked; a viewer may not have it
	begin         func(w *longWorld, key string) (end func() (lost bool, how string))
}

// refused is for answers whose work has not come to its end: they are refused with a problem.
func refused(send func() (*http.Response, error)) func() (bool, string) {
	type result struct {
		status int
		text   string
	}
	results := make(chan result, 1)
	go func() {
		response, err := send()
		if err != nil {
			results <- result{0, err.Error()}
			return
		}
		defer func() { _ = response.Body.Close() }()
		text, _ := io.ReadAll(response.Body)
		results <- result{response.StatusCode, string(text)}
	}()
	return func() (bool, string) {
		got := <-results
		lost := got.status == 401 || got.status == 403 || got.status == 404 ||
			got.status == 200 && // of a tool, whose problem is a text
				(strings.Contains(got.text, `"status":40`) || strings.Contains(got.text, `\"status\":40`))
		return lost, fmt.Sprintf("%d %.300s", got.status, got.text)
	}
}

func post(
	path func(w *longWorld) string,
	body func(w *longWorld) string,
) func(*longWorld, string) func() (bool, string) {
	return func(w *longWorld, key string) func() (bool, string) {
		return refused(func() (*http.Response, error) {
			return http.DefaultClient.Do(w.request("POST", path(w), key, strings.NewReader(body(w))))
		})
	}
}

// narrow is a client whose connections take little at once.
var narrow = &http.Client{Transport: &http.Transport{
	DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
		return conn, err
	},
}}

// stream reads an answer until it ends. It has begun when its first bytes have come.
func stream(method string, path func(w *longWorld) string, body string, header map[string]string, mark string,
) func(*longWorld, string) func() (bool, string) {
	return func(w *longWorld, key string) func() (bool, string) {
		var from io.Reader
		if body != "" {
			from = strings.NewReader(strings.ReplaceAll(body, "TABLE", w.locked))
		}
		r := w.request(method, path(w), key, from)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		response, err := narrow.Do(r)
		if err != nil || response.StatusCode != http.StatusOK {
			return func() (bool, string) { return false, fmt.Sprint("did not begin: ", response, err) }
		}
		first := make([]byte, 20)
		_, _ = io.ReadFull(response.Body, first)
		return func() (bool, string) {
			defer func() { _ = response.Body.Close() }()
			rest, err := io.ReadAll(response.Body)
			return bytes.Contains(append(first, rest...), []byte(mark)) && (mark != "" || err != nil),
				fmt.Sprintf("%d bytes, %v, ending in %.300s", len(rest), err, rest[max(0, len(rest)-300):])
		}
	}
}

// slowBody sends the head of a request, and its body when the answer is to end.
func slowBody(
	path func(w *longWorld) string,
	body string,
	complete bool,
) func(*longWorld, string) func() (bool, string) {
	return func(w *longWorld, key string) func() (bool, string) {
		from, to := io.Pipe()
		r := w.request("POST", path(w), key, from)
		r.ContentLength = int64(len(body))
		end := refused(func() (*http.Response, error) { return http.DefaultClient.Do(r) })
		_, _ = to.Write([]byte(body[:1])) // the connection is there
		return func() (bool, string) {
			if complete {
				time.Sleep(time.Second)
				_, _ = to.Write([]byte(body[1:]))
			}
			return end()
		}
	}
}

func longAnswers() []longAnswer {
	api := func(path string) func(w *longWorld) string {
		return func(w *longWorld) string {
			return "/api/v1" + strings.NewReplacer("BASE", w.base, "BIG", w.big, "LOCKED", w.locked).Replace(path)
		}
	}
	mcp := func(*longWorld) string { return "/mcp" }
	mcpHeader := map[string]string{"Accept": "application/json, text/event-stream"}
	listen := map[string]string{
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "subscriptions/listen",
	}
	fixed := func(text string) func(w *longWorld) string {
		return func(w *longWorld) string { return strings.ReplaceAll(text, "LOCKED", w.locked) }
	}
	return []longAnswer{
		{"live stream", false, false, stream("GET", api("/bases/BASE/live"), "", nil, `"reason":"rights"`)},
		{"export", false, false, stream("GET", api("/tables/BIG/records/export"), "", nil, "")},
		{
			"MCP listen",
			false,
			false,
			stream("POST", mcp, `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{`+
				`"notifications":{"resourceSubscriptions":["rowhouse://tables/TABLE/records"]},"_meta":{`+
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
				`"io.modelcontextprotocol/clientCapabilities":{}}}}`,
				listen, `"resultType":"complete"`),
		},
		{"long poll", false, false, func(w *longWorld, key string) func() (bool, string) {
			return refused(func() (*http.Response, error) {
				cursor := w.feedCursor()
				return http.DefaultClient.Do(w.request("GET",
					api("/bases/BASE/changes?wait=25&cursor="+cursor)(w), key, nil))
			})
		}},
		{"import", true, true, post(api("/tables/LOCKED/records/import"), fixed(`{"csv":"Name\nNew\n"}`))},
		{"write", true, true, post(api("/tables/LOCKED/records"), fixed(`{"records":[{"fields":{"Name":"New"}}]}`))},
		{"SQL", true, false, post(api("/bases/BASE/sql"), fixed(`{"sql":"select count(*) from Locked"}`))},
		{"tool call", true, false, func(w *longWorld, key string) func() (bool, string) {
			return refused(func() (*http.Response, error) {
				r := w.request("POST", "/mcp", key, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
					`"params":{"name":"query_records","arguments":{"tableId":"`+w.locked+`"}}}`))
				for name, value := range mcpHeader {
					r.Header.Set(name, value)
				}
				return http.DefaultClient.Do(r)
			})
		}},
		{"upload", false, true, slowBody(api("/tables/BIG/uploads?name=a.txt"), strings.Repeat("x", 1000), false)},
		{
			"slow body",
			false,
			true,
			slowBody(api("/tables/BIG/records"), `{"records":[{"fields":{"Name":"Late"}}]}`, true),
		},
	}
}
