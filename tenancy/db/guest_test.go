package db

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
)

func TestAnOrganizationNeverHasAllPlacesForSQL(t *testing.T) {
	t.Parallel()
	g, err := newGuests("postgres://rowhouse@localhost/rowhouse", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	one, other := uuid.New(), uuid.New()
	enter := func(org uuid.UUID, login string, wait time.Duration) (func(), error) {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		return g.enter(ctx, org, login)
	}
	var leave func()
	for _, login := range []string{"a", "b"} {
		if leave, err = enter(one, login, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	var busy *problem.Error
	if _, err := enter(one, "c", 20*time.Millisecond); !errors.As(err, &busy) || busy.Code != "sql_busy" {
		t.Errorf("the last place: %v", err)
	}
	if _, err := enter(other, "d", time.Second); err != nil {
		t.Errorf("another organization: %v", err)
	}
	leave()
	if _, err := enter(one, "c", time.Second); err != nil { // what it could not enter it does not hold
		t.Errorf("after one has left: %v", err)
	}
}

func TestAStatementThatWentOnKeepsItsPlace(t *testing.T) {
	t.Parallel()
	g, err := newGuests("postgres://rowhouse@localhost/rowhouse", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	lingers := func(failure error) chan struct{} {
		done := make(chan struct{})
		go func() {
			g.linger(failure)
			close(done)
		}()
		return done
	}
	<-lingers(errors.New("a row is too long"))
	late := lingers(fmt.Errorf("reading: %w", context.DeadlineExceeded))
	select {
	case <-late:
		t.Error("the place was free at once")
	case <-time.After(50 * time.Millisecond):
	}
	g.closeAll()
	<-late
}
