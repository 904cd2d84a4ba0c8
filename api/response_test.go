package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
)

// A blockingHandler blocks every log line until let is closed.
type blockingHandler struct {
	slog.Handler
	began, let chan struct{}
}

func (h *blockingHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *blockingHandler) Handle(context.Context, slog.Record) error {
	h.began <- struct{}{}
	<-h.let
	return nil
}

func TestResponseDoesNotWaitForLog(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	log := &blockingHandler{Handler: slog.DiscardHandler, began: make(chan struct{}, 64), let: make(chan struct{})}
	s.Deps.Log = slog.New(log)
	owner := s.Owner(t)
	owner.OK("GET", "/orgs/"+owner.Org(), "") // the whole response is read while the log line blocks
	<-log.began
	close(log.let)

	name := strings.Repeat("x", 150)
	for range 20 { // longer than what net/http computes Content-Length for
		owner.OK("POST", "/workspaces", `{"orgId":"`+owner.Org()+`","name":"`+name+`"}`)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		request, err := http.NewRequestWithContext(t.Context(), method,
			s.URL+api.Prefix+"/orgs/"+owner.Org()+"/workspaces", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "identity") // with gzip, the client removes the length
		request.Header.Set("x-api-key", owner.Key())
		response, err := s.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if length, err := strconv.Atoi(response.Header.Get("Content-Length")); err != nil || length < 2048 {
			t.Errorf("%s: the length of the answer is given as %q", method, response.Header.Get("Content-Length"))
		}
	}
}
