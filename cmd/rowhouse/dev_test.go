package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A development service that a test runs.
type development struct {
	devFile
	said string
}

func develop(t *testing.T, dir string) development {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, log bytes.Buffer
	ended := make(chan error, 1)
	c := devCommand{Addr: freeAddress(t), Dir: dir}
	go func() { ended <- c.Run(ctx, streams{out: &out, err: &log}) }()
	eventually(t, func() bool { return status("http://"+c.Addr+"/readyz") == http.StatusOK || len(ended) > 0 })
	b, err := os.ReadFile(c.path())
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	var d development
	if err := json.Unmarshal(b, &d.devFile); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(c.path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read %s: %v %v", c.path(), info.Mode(), err)
	}
	request, err := http.NewRequest(http.MethodGet, "http://"+c.Addr+"/api/v1/bases", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", d.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Errorf("the key that was printed gives %d: %s", response.StatusCode, body)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	d.said = out.String()
	return d
}

func TestDevRestartKeepsCredentials(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("/tmp", "rowhouse-dev-") // A directory that PostgreSQL's account can enter.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	first := develop(t, dir)
	for _, word := range []string{first.BaseURL, first.Email, first.Password, first.APIKey, "curl"} {
		if word == "" || !strings.Contains(first.said, word) {
			t.Errorf("%q is not said:\n%s", word, first.said)
		}
	}
	if first.OrgID == "" {
		t.Error("there is no organization")
	}
	second := develop(t, dir)
	first.BaseURL = second.BaseURL // Each has its port here.
	if second.devFile != first.devFile {
		t.Errorf("first\n%+v\nthen\n%+v", first.devFile, second.devFile)
	}

	if err := os.Remove(filepath.Join(dir, "dev.json")); err != nil {
		t.Fatal(err)
	}
	third := develop(t, dir)
	if third.APIKey == first.APIKey {
		t.Error("the value of a key was kept somewhere")
	}
	third.APIKey, third.BaseURL = first.APIKey, first.BaseURL
	if third.devFile != first.devFile {
		t.Errorf("without dev.json\n%+v\nbefore\n%+v", third.devFile, first.devFile)
	}
}
