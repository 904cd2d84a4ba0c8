// Command live measures how soon a change reaches the watchers of a base, and what a watcher costs;
// or how soon it reaches webhooks; or how long somebody is notified who loses a right.
//
//	go run ./bench/live                                  # 10,000 watchers of 100 bases, 100 changes/s
//	go run ./bench/live -watchers 2000 -bases 1 -rate 20 # everybody watches the same
//	go run ./bench/live -webhooks                        # receivers of webhooks instead
//	go run ./bench/live -removals 200                    # how long people are notified who lose a right
//
// Each base belongs to an organization of its own, and each watcher has a key of its own. A delay
// is from before the request that changes a record until its event is read, so it contains the
// write. The service, PostgreSQL, Redis, the writers and the watchers share the machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
)

type settings struct {
	binary, dir     string
	watchers, bases int
	rate            float64 // changes a second, over all bases
	length          time.Duration

	webhooks bool
	replay   int
	removals int

	profile string // where the processor profile of the service goes
}

func main() {
	var set settings
	flag.StringVar(&set.binary, "bin", "bin/rowhouse", "the service")
	flag.StringVar(&set.dir, "dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	flag.IntVar(&set.watchers, "watchers", 10_000, "how many watch")
	flag.IntVar(&set.bases, "bases", 100, "how many bases they watch, each its own")
	flag.Float64Var(&set.rate, "rate", 100, "changes a second, over all bases")
	flag.DurationVar(&set.length, "for", 30*time.Second, "how long changes are made")
	flag.BoolVar(&set.webhooks, "webhooks", false, "measure webhooks, at their own rates")
	flag.IntVar(&set.replay, "replay", 100_000, "changes that a webhook replays, a multiple of 100; 0 replays none")
	flag.IntVar(&set.removals, "removals", 0, "take a right from so many people instead, one after the other")
	flag.StringVar(&set.profile, "profile", "", "a file for the service's profile while changes are made")
	flag.Parse()
	if err := run(context.Background(), &set); err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, set *settings) (err error) {
	services, err := local.Start(ctx, set.dir, local.Options{Durable: true, Progress: os.Stderr})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { _ = services.Stop(context.WithoutCancel(ctx)) }()
	s, err := start(ctx, services, set.binary, set.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if set.removals > 0 {
		return s.measureRemovals(ctx, services.RedisURL, set.removals)
	}
	if set.webhooks {
		return s.measureWebhooks(ctx, set, services.RedisURL)
	}
	fmt.Fprintf(os.Stderr, "Making %d teams.\n", set.bases)
	teams, err := s.teams(ctx, services.RedisURL, set.bases, max(set.watchers/set.bases, 1))
	if err != nil {
		return err
	}
	return s.measureWatchers(ctx, set, teams)
}
