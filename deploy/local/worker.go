//go:build scale

package local

import (
	"context"
	"fmt"
	"slices"
)

// What make scale does to workers of Citus.

// WorkerPorts are the ports of the workers, by which the coordinator knows them.
func (s *Services) WorkerPorts() []int {
	ports := make([]int, len(s.workers))
	for i, w := range s.workers {
		ports[i] = w.port
	}
	return ports
}

// KillWorker kills the worker with a port, as the loss of its machine would, and StartWorker starts
// it again with its data.
func (s *Services) KillWorker(port int) error {
	w, err := s.worker(port)
	if err != nil {
		return err
	}
	if err := w.process.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill %s: %w", w.name, err)
	}
	<-w.process.done
	return nil
}

// StartWorker is described at KillWorker.
func (s *Services) StartWorker(ctx context.Context, port int) error {
	w, err := s.worker(port)
	if err != nil {
		return err
	}
	if err := w.waitForPrevious(ctx); err != nil {
		return err
	}
	w.process, err = w.run(ctx, w.distributed.bin, w.port)
	return err
}

func (s *Services) worker(port int) (*worker, error) {
	at := slices.IndexFunc(s.workers, func(w *worker) bool { return w.port == port })
	if at < 0 {
		return nil, fmt.Errorf("no worker has the port %d", port)
	}
	return s.workers[at], nil
}
