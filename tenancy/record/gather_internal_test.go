package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy"
)

// A counter answers with the row's own text, one round trip at a time when it is told to.
type counter struct {
	mu      sync.Mutex
	flights [][]uuid.UUID
	hold    chan struct{} // nil: answers at once
	fail    error
}

func (c *counter) read(ctx context.Context, together []*reading) error {
	rows := make([]uuid.UUID, len(together))
	for i, r := range together {
		rows[i] = r.row
	}
	c.mu.Lock()
	c.flights = append(c.flights, rows)
	c.mu.Unlock()
	if c.hold != nil {
		select {
		case <-c.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, r := range together {
		if r.row != uuid.Nil { // which does not exist
			r.record = Record(r.row.String())
		}
	}
	return c.fail
}

func (c *counter) made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.flights)
}

type readings struct {
	*gatherer[readingKey, *reading]
}

// patient gathers and takes no round trip for a slow one.
func patient() readings {
	g := newReadings()
	g.slow = time.Hour
	return readings{g}
}

func (g readings) get(ctx context.Context, key readingKey, row uuid.UUID, read trip[*reading]) (Record, error) {
	asked := &reading{row: row}
	if err := g.ask(ctx, key, asked, read); err != nil {
		return nil, err
	}
	return asked.record, nil
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal(what + " did not happen")
}

func (g *gatherer[K, T]) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.lines) == 0
}

func (g *gatherer[K, T]) pending(key K) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l := g.lines[key]; l != nil {
		return len(l.waiting)
	}
	return 0
}

func TestRequestsThatComeDuringARoundTripShareTheNext(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{hold: make(chan struct{})}, readingKey{}
	const askers = 40
	var all sync.WaitGroup
	for i := range askers {
		if i == 1 {
			eventually(t, "a flight", func() bool { return c.made() == 1 })
		}
		all.Go(func() {
			row := uuid.New()
			if i%10 == 9 {
				row = uuid.Nil
			}
			r, err := g.get(t.Context(), key, row, c.read)
			if err != nil || (row == uuid.Nil) != (r == nil) || r != nil && string(r) != row.String() {
				t.Errorf("asked for %s, got %q, %v", row, r, err)
			}
		})
	}
	eventually(t, "waiting in line", func() bool { return g.pending(key) == askers-1 })
	close(c.hold)
	all.Wait()
	if c.made() != 2 {
		t.Errorf("%d requests took %d round trips", askers, c.made())
	}
	if !g.idle() {
		t.Error("a line is left behind")
	}
}

func TestRowsOfTwoOrganizationsAreNeverReadTogether(t *testing.T) {
	t.Parallel()
	g, c := patient(), &counter{hold: make(chan struct{})}
	var all sync.WaitGroup
	for range 20 {
		key := readingKey{org: uuid.New()}
		all.Go(func() {
			if _, err := g.get(t.Context(), key, uuid.New(), c.read); err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "a round trip of each", func() bool { return c.made() == 20 })
	close(c.hold)
	all.Wait()
}

func TestWhoGoesAwayDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{hold: make(chan struct{})}, readingKey{}
	var stay, gone sync.WaitGroup
	stay.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), c.read) })
	eventually(t, "flight", func() bool { return c.made() == 1 })
	leaving, leave := context.WithCancel(t.Context())
	for range 5 { // the first of them would lead the next round trip
		gone.Go(func() {
			if _, err := g.get(leaving, key, uuid.New(), c.read); !errors.Is(err, context.Canceled) {
				t.Errorf("left with %v", err)
			}
		})
		eventually(t, "waiting", func() bool { return g.pending(key) > 0 })
	}
	eventually(t, "waiting", func() bool { return g.pending(key) == 5 })
	for range 5 {
		stay.Go(func() {
			row := uuid.New()
			if r, err := g.get(t.Context(), key, row, c.read); err != nil || string(r) != row.String() {
				t.Errorf("who stayed got %q, %v", r, err)
			}
		})
	}
	eventually(t, "waiting", func() bool { return g.pending(key) == 10 })
	leave()
	gone.Wait()
	close(c.hold)
	stay.Wait()
	if !g.idle() {
		t.Error("a line is left behind")
	}
}

// Callers leave at every moment, also just as they are told to lead.
func TestNobodyIsLeftWaitingWhenCallersComeAndGo(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{}, readingKey{}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 2000 {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+n)%3 == 0 {
					go cancel()
				}
				row := uuid.New()
				if r, err := g.get(ctx, key, row, c.read); err != nil && ctx.Err() == nil || err == nil && string(r) != row.String() {
					t.Errorf("got %q, %v", r, err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	eventually(t, "the end of every flight", g.idle)
}

func TestAFailureIsEverybodysAndPasses(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	g, c, key := patient(), &counter{fail: broken}, readingKey{}
	if _, err := g.get(t.Context(), key, uuid.New(), c.read); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = g.get(t.Context(), key, uuid.New(), func(context.Context, []*reading) error { panic("boom") })
	}()
	c.fail = nil
	if _, err := g.get(t.Context(), key, uuid.New(), c.read); err != nil || !g.idle() {
		t.Errorf("after failures: %v", err)
	}
}

func TestASlowRoundTripHoldsUpOnlyItself(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{hold: make(chan struct{})}, readingKey{}
	var all sync.WaitGroup
	ask := func() { _, _ = g.get(t.Context(), key, uuid.New(), c.read) }
	all.Go(ask)
	eventually(t, "a flight", func() bool { return c.made() == 1 })
	all.Go(ask)
	eventually(t, "waiting", func() bool { return g.pending(key) == 1 })
	g.mu.Lock()
	g.slow = 0
	g.mu.Unlock()
	for n := 2; n <= maxReadings; n++ { // the first of these takes along who waits
		all.Go(ask)
		eventually(t, "another flight", func() bool { return c.made() == n && g.pending(key) == 0 })
	}
	all.Go(ask)
	eventually(t, "waiting for one of so many", func() bool { return g.pending(key) == 1 })
	close(c.hold)
	all.Wait()
	if !g.idle() {
		t.Error("a line is left behind")
	}
}

func TestTwoWritesOfOneRowNeverGoTogether(t *testing.T) {
	t.Parallel()
	g, key, hold := newWritings(), writingKey{}, make(chan struct{})
	g.slow = time.Hour
	hot := uuid.New()
	var mu sync.Mutex
	var flights [][]*writing
	write := func(_ context.Context, together []*writing) error {
		mu.Lock()
		flights = append(flights, together)
		mu.Unlock()
		<-hold
		return nil
	}
	made := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(flights)
	}
	var all sync.WaitGroup
	for i := range 12 {
		if i == 1 {
			eventually(t, "a flight", func() bool { return made() == 1 })
		}
		all.Go(func() {
			own := &writing{row: row{id: uuid.New()}}
			if i%3 == 0 {
				own.row.id = hot
			}
			if err := g.ask(t.Context(), key, own, write); err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "waiting", func() bool { return g.pending(key) == 11 })
	close(hold)
	all.Wait()
	total := 0
	for _, together := range flights {
		total += len(together)
		hots := 0
		for _, one := range together {
			if one.row.id == hot {
				hots++
			}
		}
		if hots > 1 {
			t.Errorf("%d writes of one row went together", hots)
		}
	}
	if total != 12 || len(flights) > 5 || !g.idle() {
		t.Errorf("%d writes in %d flights", total, len(flights))
	}
}

// Nobody comes after the one who waits, and the round trip that it waits for does not end.
func TestWhoWaitsLeavesWhenTheRoundTripIsSlow(t *testing.T) {
	t.Parallel()
	g, key, hold := newReadings(), readingKey{}, make(chan struct{})
	g.slow = 100 * time.Millisecond // long enough to be waited for
	stuck, flying := uuid.New(), make(chan struct{})
	read := func(_ context.Context, together []*reading) error {
		if together[0].row == stuck {
			close(flying)
			<-hold
		}
		return nil
	}
	var first sync.WaitGroup
	first.Go(func() { _ = g.ask(t.Context(), key, &reading{row: stuck}, read) })
	<-flying
	if err := g.ask(t.Context(), key, &reading{row: uuid.New()}, read); err != nil { // for ever, if it waited for the first
		t.Error(err)
	}
	close(hold)
	first.Wait()
	eventually(t, "the end of the line", g.idle)
}

// A judge refuses whatever goes together with a bad row, and a bad row by itself.
type judge struct {
	counter
	bad uuid.UUID
}

var errBad = errors.New("bad")

func (j *judge) read(ctx context.Context, together []*reading) error {
	if err := j.counter.read(ctx, together); err != nil {
		return err
	}
	for _, r := range together {
		if r.row == j.bad {
			if len(together) > 1 {
				return errApart
			}
			return errBad
		}
	}
	return nil
}

func TestAfterARefusalEverybodyGoesAloneForASpell(t *testing.T) {
	t.Parallel()
	g, key := patient(), readingKey{}
	g.spell = time.Hour
	j := &judge{counter: counter{hold: make(chan struct{})}, bad: uuid.New()}
	var all sync.WaitGroup
	ask := func(row uuid.UUID) {
		if r, err := g.get(t.Context(), key, row, j.read); row == j.bad && !errors.Is(err, errBad) || row != j.bad && (err != nil || string(r) != row.String()) {
			t.Errorf("got %q, %v", r, err)
		}
	}
	all.Go(func() { ask(uuid.New()) })
	eventually(t, "a flight", func() bool { return j.made() == 1 })
	for i := range 9 {
		row := uuid.New()
		if i == 4 {
			row = j.bad
		}
		all.Go(func() { ask(row) })
	}
	eventually(t, "waiting", func() bool { return g.pending(key) == 9 })
	close(j.hold)
	all.Wait()
	if j.made() != 1+1+9 { // the first, all together in vain, each alone
		t.Errorf("%d round trips", j.made())
	}
	j.hold = make(chan struct{})
	for range 5 {
		all.Go(func() { ask(uuid.New()) })
	}
	eventually(t, "each alone in the spell", func() bool { return j.made() == 11+5 })
	close(j.hold)
	all.Wait()
	g.mu.Lock()
	for key, l := range g.lines { // the spell ends
		l.alone = time.Time{}
		g.forget(key, l)
	}
	g.mu.Unlock()
	if !g.idle() {
		t.Error("a line is left behind")
	}
}

func TestALineIsForgottenAfterItsSpell(t *testing.T) {
	t.Parallel()
	g, key := patient(), readingKey{}
	g.spell = time.Millisecond
	j := &judge{counter: counter{hold: make(chan struct{})}, bad: uuid.New()}
	var all sync.WaitGroup
	all.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), j.read) })
	eventually(t, "a flight", func() bool { return j.made() == 1 })
	all.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), j.read) })
	all.Go(func() { _, _ = g.get(t.Context(), key, j.bad, j.read) })
	eventually(t, "waiting", func() bool { return g.pending(key) == 2 })
	close(j.hold)
	all.Wait()
	eventually(t, "the end of the line", g.idle)
}

func TestALeaderWhoGoesAwayLeavesTheRoundTripToItsCompany(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{hold: make(chan struct{})}, readingKey{}
	var all, gone sync.WaitGroup
	all.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), c.read) })
	eventually(t, "a flight", func() bool { return c.made() == 1 })
	ctx, leave := context.WithCancel(t.Context())
	gone.Go(func() {
		if _, err := g.get(ctx, key, uuid.New(), c.read); !errors.Is(err, context.Canceled) {
			t.Errorf("left with %v", err)
		}
	})
	eventually(t, "waiting", func() bool { return g.pending(key) == 1 })
	row := uuid.New()
	all.Go(func() {
		if r, err := g.get(t.Context(), key, row, c.read); err != nil || string(r) != row.String() {
			t.Errorf("who stayed got %q, %v", r, err)
		}
	})
	eventually(t, "waiting", func() bool { return g.pending(key) == 2 })
	c.hold <- struct{}{} // the first flight ends, the second leaves with both
	eventually(t, "a second flight", func() bool { return c.made() == 2 })
	leave()
	gone.Wait()
	all.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), c.read) })
	eventually(t, "waiting for the second flight", func() bool { return g.pending(key) == 1 })
	close(c.hold)
	all.Wait()
	if c.made() != 3 || !g.idle() {
		t.Errorf("%d flights", c.made())
	}
}

func TestAPanicInASharedRoundTripIsAnErrorForAll(t *testing.T) {
	t.Parallel()
	g, c, key := patient(), &counter{hold: make(chan struct{})}, readingKey{}
	var all sync.WaitGroup
	all.Go(func() { _, _ = g.get(t.Context(), key, uuid.New(), c.read) })
	eventually(t, "a flight", func() bool { return c.made() == 1 })
	for range 3 {
		all.Go(func() {
			if _, err := g.get(t.Context(), key, uuid.New(), func(context.Context, []*reading) error { panic("boom") }); err == nil {
				t.Error("no error")
			}
		})
	}
	eventually(t, "waiting", func() bool { return g.pending(key) == 3 })
	close(c.hold)
	all.Wait()
	if !g.idle() {
		t.Error("a line is left behind")
	}
}

func TestWhatOneRowMayHaveDoneIsToldFromWhatConcernsAll(t *testing.T) {
	t.Parallel()
	pg := func(code, severity string) error {
		return fmt.Errorf("writing: %w", &pgconn.PgError{Code: code, SeverityUnlocalized: severity})
	}
	for _, code := range []string{"23505", "23503", "23514", "22P02", "RH002", "54000", "55P03", "40P01", "P0001", "XX000"} {
		if !refusedOne(pg(code, "ERROR")) {
			t.Errorf("%s is taken for everybody's", code)
		}
	}
	for _, err := range []error{
		nil, context.DeadlineExceeded, pg("57014", "ERROR"), pg("53100", "ERROR"), pg("25006", "ERROR"), pg("08006", "ERROR"), pg("58030", "ERROR"),
		pg("57P01", "FATAL"), pg("23505", "FATAL"), fmt.Errorf("%w: %w", tenancy.ErrSchemaChanged, pg("RH001", "ERROR")),
	} {
		if refusedOne(err) {
			t.Errorf("%v is taken for one row's", err)
		}
	}
}
