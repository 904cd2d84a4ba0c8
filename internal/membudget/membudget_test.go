package membudget

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// The tests share the memory of the process, so that they are one.
func TestLargeAnswersShareTheMemoryOfTheProcess(t *testing.T) { //nolint:paralleltest // see above
	first, releaseFirst := WithReservation(t.Context())
	second, releaseSecond := WithReservation(t.Context())
	if err := Reserve(first, budget-pageMemory/2); err != nil {
		t.Fatal(err)
	}
	r, release := Of(second)
	defer release()
	if !r.Fits(smallSize) {
		t.Error("a small answer finds no memory")
	}
	if r.Fits(smallSize + 1) {
		t.Error("a large answer finds memory that another request has")
	}

	reads := 0
	ended := make(chan error)
	began := make(chan bool, 1)
	go func() {
		ended <- r.Read(second, func() error {
			began <- true
			if reads++; !r.Fits(smallSize + 1) {
				return ErrNoMemory
			}
			return nil
		})
	}()
	<-began
	releaseFirst()
	if err := <-ended; err != nil || reads > 2 {
		t.Errorf("read %d times: %v", reads, err)
	}
	releaseSecond()

	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := Reserve(first, budget); err != nil {
		t.Fatal(err)
	}
	var refused *problem.Error
	if err := Reserve(late, smallSize+1); !errors.As(err, &refused) || refused.Code != "too_many_large_answers" {
		t.Errorf("without memory: %v", err)
	}
	releaseFirst()
	if !memory.TryAcquire(budget) {
		t.Error("memory was not given back")
	}
	memory.Release(budget)
}
