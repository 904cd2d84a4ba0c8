package attack_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/attack/attacktest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// template is the world that the tests copy.
var template struct {
	sync.Once
	world *attacktest.World
	err   error
}

// world makes a world of the present doors.
func world(t *testing.T) *attacktest.World {
	t.Helper()
	template.Do(func() {
		template.world, template.err = attacktest.New(context.Background(), tenancytest.AdminURL(t), true)
	})
	if template.err != nil {
		t.Fatal(template.err)
	}
	return template.world
}

func drop(t *testing.T, w *attacktest.World) {
	t.Helper()
	t.Cleanup(func() {
		if err := w.Drop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func TestMain(m *testing.M) {
	m.Run()
	if template.world != nil {
		_ = template.world.Drop(context.Background())
	}
}

func corpus(t *testing.T) []attacktest.Attack {
	t.Helper()
	attacks, err := attacktest.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	return attacks
}

func TestCorpusHasFiveHundredAttacks(t *testing.T) {
	t.Parallel()
	if n := len(corpus(t)); n < 500 {
		t.Errorf("the corpus has %d attacks", n)
	}
}

// run attacks a copy of the world through a door.
func run(t *testing.T, door attacktest.Door, options attacktest.Options) (*attacktest.Report, []string) {
	t.Helper()
	w, err := world(t).Copy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	drop(t, w)
	before, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	report, err := w.Run(t.Context(), door, corpus(t), options)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d attacks, %d answered, %d findings", door, report.Ran, len(report.Answered), len(report.Findings))
	return report, attacktest.Damage(before, after)
}

func TestRequestLoginLearnsNothing(t *testing.T) {
	t.Parallel()
	report, damage := run(t, attacktest.Request, attacktest.Options{Commit: true})
	for _, found := range report.Findings {
		t.Error(found)
	}
	for _, line := range damage {
		t.Error("changed", line)
	}
	if wrong := report.Refused["42601"]; len(wrong) > 0 {
		t.Errorf("attacks that are no SQL: %v", wrong)
	}
}

// group sums findings up by group.
func group(report *attacktest.Report) map[string]int {
	groups := map[string]int{}
	for _, found := range report.Findings {
		name, _, _ := strings.Cut(found.Attack, ":")
		groups[name]++
	}
	return groups
}

func TestOtherLoginsReachTheirOwn(t *testing.T) {
	t.Parallel()
	for _, door := range []attacktest.Door{attacktest.Schema, attacktest.System, attacktest.Job} {
		t.Run(string(door), func(t *testing.T) {
			t.Parallel()
			report, damage := run(t, door, attacktest.Options{})
			t.Log(group(report))
			for _, found := range report.Findings {
				t.Log(found)
			}
			for _, line := range damage {
				t.Log("changed", line)
			}
		})
	}
}

func TestEachDefenceIsNeeded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	for _, defence := range attacktest.Defences {
		t.Run(strings.ReplaceAll(defence.Name, " ", "_"), func(t *testing.T) {
			mu.Lock() // copies of one template wait for each other anyway
			w, err := world(t).Without(t.Context(), defence)
			mu.Unlock()
			if err != nil {
				t.Fatal(err)
			}
			drop(t, w)
			door := defence.Door
			if door == "" {
				door = attacktest.Request
			}
			report, err := w.Run(t.Context(), door, defence.Of(corpus(t)), attacktest.Options{First: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) == 0 {
				t.Errorf("no attack of %v notices that it is gone", defence.Groups)
			}
			t.Log(slices.Clone(report.Findings))
		})
	}
}
