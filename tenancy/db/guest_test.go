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
	enter := func(org uuid.UUID, login string, wait time.Duration) (*place, error) {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		return g.enter(ctx, org, login)
	}
	var last *place
	for _, login := range []string{"a", "b"} {
		if last, err = enter(one, login, time.Second); err != nil {
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
	g.places.leave(last)
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
		org := uuid.New()
		place, err := g.enter(t.Context(), org, org.String())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			g.linger(place, failure)
			g.places.leave(place)
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

func TestTwoThatRepeatLongStatementsLeaveAThirdItsPlace(t *testing.T) {
	t.Parallel()
	p := newPlaces(2)
	now := time.Now()
	p.now = func() time.Time { return now }
	enter := func(org uuid.UUID) *place {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		place, err := p.enter(ctx, org, org.String())
		if err != nil {
			t.Fatal("there is no place")
		}
		return place
	}
	first, second := uuid.New(), uuid.New()
	for range 2 { // each takes 8 seconds at a time
		one := enter(first)
		now = now.Add(8 * time.Second)
		p.leave(one)
		one = enter(second)
		now = now.Add(8 * time.Second)
		p.leave(one)
	}
	entered := enter(first)
	waits := make(chan *place)
	go func() {
		place, _ := p.enter(t.Context(), second, second.String())
		waits <- place
	}()
	for range 5 {
		p.leave(enter(uuid.New()))
	}
	select {
	case <-waits:
		t.Error("those that have used much have both places")
	default:
	}
	p.leave(entered)
	other := <-waits
	p.keep(other) // its statement goes on
	p.leave(enter(uuid.New()))
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.enter(soon, first, "x"); err == nil {
		t.Error("there is a place next to a statement that goes on")
	}
	p.leave(other)
	now = now.Add(5 * time.Minute)
	one, two := enter(first), enter(second)
	p.leave(one)
	p.leave(two)
	if len(p.running)+len(p.waiting)+len(p.used)+p.kept > 0 {
		t.Errorf("left behind: %+v", p)
	}
}
