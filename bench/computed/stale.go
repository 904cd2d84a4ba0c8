package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
)

// readers is how many people read at once while all parts have just been changed.
const readers = 5

// batch measures lists and sums while parts have just been changed, and then none are left to be computed.
func (b *bench) batch(ctx context.Context) ([]figure, error) {
	far := b.table(ctx, "Parts")
	amount := far.FieldByName("Amount").Column()
	var figures []figure
	add := func(one figure) {
		fmt.Fprintln(os.Stderr, one.what, one.value)
		figures = append(figures, one)
	}
	for _, changed := range []int{1, 20, 200, 2000, parts} {
		began := time.Now()
		_, err := b.conn.Exec(ctx, fmt.Sprintf("update %s set %s = coalesce(%s, 0) + 1 where id in (select id from %s "+
			"order by md5(id::text) limit %d)", far.Relation(), amount, amount, far.Relation(), changed))
		if err != nil {
			return nil, fmt.Errorf("changing %d parts: %w", changed, err)
		}
		fmt.Fprintln(os.Stderr, changed, "parts changed in", time.Since(began))
		goal, state := "", fmt.Sprintf(" while %d parts have just been changed", changed)
		if changed == parts {
			goal = "5×"
		}
		for _, q := range []question{questions[0], questions[1], questions[2], questions[4]} {
			one, err := least(ctx, q.what+state, goal, b.ask(q, q.plain, 0), b.ask(q, q.field, q.factor))
			if err != nil {
				return nil, err
			}
			add(one)
		}
		one, err := least(ctx, "sum of a rollup"+state, goal, b.sum("Same sum"), b.sum("Sum"))
		if err != nil {
			return nil, err
		}
		add(one)
		if changed == parts {
			if one, err = b.together(ctx, state); err != nil {
				return nil, err
			}
			add(one)
		}
		began = time.Now()
		if err := b.settled(ctx); err != nil {
			return nil, err
		}
		add(figure{
			fmt.Sprintf("and everything computed after, for %d parts", changed),
			time.Since(began).Round(10 * time.Millisecond).String(), "",
		})
	}
	return figures, nil
}

// least compares the shortest of three calls each, made in turns.
func least(ctx context.Context, what, goal string, calls ...func(context.Context, int) error) (figure, error) {
	var times [2][]time.Duration
	for i := range 3 {
		for j, call := range calls {
			began := time.Now()
			if err := call(ctx, i); err != nil {
				return figure{}, fmt.Errorf("%s: %w", what, err)
			}
			times[j] = append(times[j], time.Since(began))
		}
	}
	return compared(what, slices.Min(times[0]), slices.Min(times[1]), goal), nil
}

// sum asks for the sum of a field.
func (b *bench) sum(field string) func(context.Context, int) error {
	return func(ctx context.Context, _ int) error {
		_, err := b.engine.Aggregate(ctx, b.actor, b.tables["Orders"], query.Aggregation{
			Functions: fmt.Appendf(nil, `[{"fn":"sum","fieldId":%q}]`, field),
		})
		return err
	}
}

// together measures the slowest of lists and sums that several people ask for at once. The service gives a statement
// five seconds.
func (b *bench) together(ctx context.Context, state string) (figure, error) {
	asks := []func(context.Context, int) error{b.sum("Sum")}
	for _, at := range []int{1, 2, 4, 7} {
		asks = append(asks, b.ask(questions[at], questions[at].field, questions[at].factor))
	}
	var work sync.WaitGroup
	times, errs := make([]time.Duration, readers), make([]error, readers)
	for i := range readers {
		work.Go(func() {
			for round := range 3 {
				began := time.Now()
				if errs[i] = asks[(i+round)%len(asks)](ctx, round); errs[i] != nil {
					return
				}
				times[i] = max(times[i], time.Since(began))
			}
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return figure{}, fmt.Errorf("reading at once: %w", err)
		}
	}
	return figure{
		fmt.Sprintf("the slowest of 15 lists and sums that %d people ask for at once", readers) + state,
		slices.Max(times).Round(time.Millisecond).String(), "5 s",
	}, nil
}
