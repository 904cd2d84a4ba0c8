//go:build chaos

package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// callers repeat requests without a pause. They are a process of their own with the lowest priority: real
// callers are on other machines, so what they take to send and to read must not be counted as the service's.
type callers struct {
	Base     string
	Callers  int
	Requests []crowdRequest
}

// A crowdRequest is one of the requests of a crowd. {n} in its body is a number that is new in each.
type crowdRequest struct{ Method, Path, Key, Body string }

// crowdVariable marks the process of a crowd.
const crowdVariable = "CHAOS_CROWD"

func TestMain(m *testing.M) {
	if os.Getenv(crowdVariable) != "" {
		if err := beCrowd(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beCrowd reads what to send, sends it until the input ends, and writes how many responses of each status there were.
func beCrowd(in io.Reader, out io.Writer) error {
	decoder := json.NewDecoder(in)
	var of callers
	if err := decoder.Decode(&of); err != nil {
		return err
	}
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in)
		close(stop)
	}()
	client := &http.Client{
		Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: of.Callers},
	}
	var mu sync.Mutex
	statuses := map[int]int64{}
	var sent atomic.Int64
	crowd(of.Callers, stop, func(int) {
		n := sent.Add(1)
		status := of.Requests[n%int64(len(of.Requests))].send(client, of.Base, n)
		mu.Lock()
		defer mu.Unlock()
		statuses[status]++
	})
	return json.NewEncoder(out).Encode(statuses)
}

// send returns the status, or 0 if there was no response.
func (c crowdRequest) send(client *http.Client, base string, n int64) int {
	body := strings.NewReader(strings.ReplaceAll(c.Body, "{n}", strconv.FormatInt(n, 10)))
	request, err := http.NewRequest(c.Method, base+c.Path, body)
	if err != nil {
		return 0
	}
	if c.Key != "" {
		request.Header.Set("X-Api-Key", c.Key)
	}
	if c.Body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

// A tally counts responses.
type tally struct{ asked, answered, refused int64 }

// send has a crowd repeat the requests until stop is closed, and adds up its responses.
func (a *tally) send(t *testing.T, p *process, count int, requests []crowdRequest, stop <-chan struct{}) {
	program, err := os.Executable()
	if err != nil {
		t.Error(err)
		return
	}
	command := exec.Command("nice", "-n", "19", program)
	command.Env = append(os.Environ(), crowdVariable+"=1")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Error(err)
		return
	}
	if err := command.Start(); err != nil {
		t.Error(err)
		return
	}
	if err := json.NewEncoder(in).Encode(callers{p.base, count, requests}); err != nil {
		t.Error(err)
	}
	<-stop
	_ = in.Close()
	statuses := map[int]int64{}
	if err := command.Wait(); err != nil {
		t.Errorf("a crowd: %v", err)
		return
	}
	if err := json.Unmarshal(out.Bytes(), &statuses); err != nil {
		t.Errorf("what a crowd says: %v in %q", err, out.String())
	}
	for status, n := range statuses {
		a.asked += n
		switch status {
		case http.StatusOK:
			a.answered += n
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			a.refused += n
		}
	}
}
