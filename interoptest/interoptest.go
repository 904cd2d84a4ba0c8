// Package interoptest runs unmodified third-party clients in tests: the official conformance suite
// of the Model Context Protocol, both major versions of its TypeScript SDK, and a browser. It owns
// their Node.js packages, which `make test` installs, and the small programs in this directory. It
// knows only URLs and credentials of the service.
package interoptest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// Dir returns the directory of the programs. It fails the test if their packages are not installed.
func Dir(t testing.TB) string {
	t.Helper()
	_, self, _, _ := runtime.Caller(0)
	dir := filepath.Dir(self)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@modelcontextprotocol", "sdk")); err != nil {
		t.Fatalf("the third-party clients are not installed: run the tests with `make test`, or `npm ci` in "+
			"interoptest (%v)", err)
	}
	return dir
}

// Node returns the Node.js that the suite needs, which is newer than the one that builds the
// service.
func Node(t testing.TB) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	return filepath.Join(Dir(t), "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
}

// Browser returns the Chromium that the programs open. The shell without a window takes less of a processor, and not
// every distribution has it.
func Browser(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium: run the tests with `make test`")
	return ""
}

// Suite runs the conformance suite and returns its output.
func Suite(t testing.TB, arguments ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	program := filepath.Join(Dir(t), "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	command := exec.CommandContext(ctx, Node(t), append([]string{program}, arguments...)...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return out.String(), err
}

// WithKey starts a proxy that adds an API key to every request, because the suite sends no
// credential, and leaves everything else unchanged, including Host and Origin. It returns the
// proxy's URL.
func WithKey(t testing.TB, address, key string) string {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	// The proxy shares no connections with http.DefaultTransport, whose idle connections every
	// httptest.Server closes at its end, and keeps none: what one request leaves cannot fail the next.
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     &http.Transport{DisableKeepAlives: true},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.Out.Header.Set("x-api-key", key)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// A Client is a connected official TypeScript client. It validates structured content against the
// tool's output schema.
type Client struct {
	Era   string // the negotiated protocol version
	Tools int    // number of listed tools

	// Asked are the questions to the person within the last call.
	Asked []string       `json:"-"`
	Meta  map[string]any // _meta of the last answer

	t    testing.TB
	kind string
	in   *json.Encoder
	out  *bufio.Scanner
}

// Dial connects the SDK client of kind v1 or v2, with a header that contains its credential. With
// the header "oauth", the credential is a session cookie, and the client gets tokens through its
// SDK.
func Dial(t testing.TB, kind, address, header, credential string) *Client {
	t.Helper()
	return dial(t, kind, address, header, credential)
}

// DialPerson is Dial for a client of kind v2 whose person can be asked within a call, and answers "accept" or
// "decline".
func DialPerson(t testing.TB, address, header, credential, answer string) *Client {
	t.Helper()
	return dial(t, "v2", address, header, credential, answer)
}

func dial(t testing.TB, kind string, arguments ...string) *Client {
	t.Helper()
	c := run(t, kind, append([]string{"tool.mjs", kind}, arguments...)...)
	c.read(c)
	return c
}

// run starts one of the programs.
func run(t testing.TB, kind string, arguments ...string) *Client {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), Node(t), arguments...)
	command.Dir = Dir(t)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("the client of %s: %v", kind, err)
		}
	})
	c := &Client{t: t, kind: kind, in: json.NewEncoder(in), out: bufio.NewScanner(out)}
	c.out.Buffer(nil, 16<<20)
	return c
}

func (c *Client) read(into any) {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("the client of %s ended: %v", c.kind, c.out.Err())
	}
	if err := json.Unmarshal(c.out.Bytes(), into); err != nil {
		c.t.Fatalf("the client of %s said %s: %v", c.kind, c.out.Bytes(), err)
	}
}

// Subscribe connects the SDK client of kind v2 and subscribes it to a resource.
func Subscribe(t testing.TB, address, header, credential, uri string) *Client {
	t.Helper()
	c := run(t, "v2", "listen.mjs", address, header, credential, uri)
	var said struct{ Subscribed []string }
	if c.read(&said); len(said.Subscribed) != 1 || said.Subscribed[0] != uri {
		t.Fatalf("subscribed to %q", said.Subscribed)
	}
	return c
}

// Updated waits until the client is notified that a resource has changed, and returns its URI.
func (c *Client) Updated() string {
	c.t.Helper()
	var said struct{ Updated string }
	c.read(&said)
	return said.Updated
}

// Call calls a tool and returns its output, as the text that it came as, and whether it failed.
func (c *Client) Call(tool string, arguments any) (answer []byte, failed bool) {
	c.t.Helper()
	if err := c.in.Encode(map[string]any{"tool": tool, "arguments": arguments}); err != nil {
		c.t.Fatal(err)
	}
	var reply struct {
		Answer string
		Failed bool
		Meta   map[string]any
		Broken string
		Asked  []string
	}
	c.read(&reply)
	if reply.Broken != "" {
		c.t.Fatalf("%s through the client of %s: %s", tool, c.kind, reply.Broken)
	}
	c.Asked, c.Meta = reply.Asked, reply.Meta
	return []byte(reply.Answer), reply.Failed
}
