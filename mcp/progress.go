package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/internal/progress"
)

// progressInterval is the minimum time between two notifications of a client that sent a progress
// token. A call that ends earlier sends no notification.
const progressInterval = time.Second

// withProgress returns a context in which an operation reports its steps, and notifies the client
// of the last one every progressInterval until stop is called, which must be before the response is
// sent. Without a progress token it does nothing.
func (s *server) withProgress(
	ctx context.Context, req *sdk.CallToolRequest,
) (reported context.Context, stop func()) {
	token := req.Params.GetProgressToken()
	switch token.(type) {
	case string, float64: // as the SDK reads a number
	default:
		return ctx, func() {}
	}
	var mu sync.Mutex
	var last *progress.Step // the last step that was not sent
	done := make(chan struct{})
	var sender sync.WaitGroup
	sender.Go(func() {
		tick := time.NewTicker(s.progressInterval)
		defer tick.Stop()
		sent := -1.0
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			mu.Lock()
			step := last
			last = nil
			mu.Unlock()
			// Each notification must report more than the one before; an operation may begin again.
			if step == nil || float64(step.Done) <= sent {
				continue
			}
			sent = float64(step.Done)
			note := &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: sent, Total: float64(max(step.Total, 0)), Message: step.Message,
			}
			if req.Session.NotifyProgress(ctx, note) != nil {
				return // the client has disconnected
			}
		}
	})
	reported = progress.With(ctx, func(step progress.Step) {
		mu.Lock()
		defer mu.Unlock()
		last = &step
	})
	return reported, func() {
		close(done)
		sender.Wait()
	}
}
