package attack_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest/attack/attacktest"
)

// template is the world that the tests copy.
var template struct {
	sync.Once
	world *attacktest.World
	err   error
}

// world makes a world.
func world(t *testing.T) *attacktest.World {
	t.Helper()
	if tenancytest.DB(t).Distributed() {
		t.Skip("a world is a copy of a database, and Citus copies none; the victim would not be on a worker")
	}
	template.Do(func() {
		template.world, template.err = attacktest.New(context.Background(), tenancytest.AdminURL(t))
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

// run attacks a copy of the world through a login.
func run(
	t *testing.T,
	login attacktest.Login,
	attacks []attacktest.Attack,
	options attacktest.Options,
) (*attacktest.Report, []string) {
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
	report, err := w.Run(t.Context(), login, attacks, options)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d attacks, %d answered, %d findings", login, report.Ran, len(report.Answered), len(report.Findings))
	return report, attacktest.Damage(before, after)
}

func TestRequestLoginLearnsNothing(t *testing.T) {
	t.Parallel()
	report, damage := run(t, attacktest.Request, corpus(t), attacktest.Options{Commit: true})
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

// taken matches a finding that a login took a role.
var taken = regexp.MustCompile(`^01_role: take the role .*\((.*)\)$`)

func TestOtherLoginsReachTheirOwn(t *testing.T) {
	t.Parallel()
	for login, roles := range map[attacktest.Login][]string{
		attacktest.Schema: {"rowhouse_owner", "rowhouse_search", "{schema_login}"},
		attacktest.System: {"rowhouse_system", "{lookup_login}"},
		attacktest.Job:    {"rowhouse_system", "{job_login}"},
	} {
		t.Run(string(login), func(t *testing.T) {
			t.Parallel()
			attacks := corpus(t)
			if login == attacktest.Job { // the same role as that of the system
				attacks = slices.DeleteFunc(attacks, func(a attacktest.Attack) bool {
					return a.Group != "01_role" && a.Group != "10_key" && a.Group != "11_audit"
				})
			}
			report, damage := run(t, login, attacks, attacktest.Options{})
			groups := map[string]int{}
			for _, found := range report.Findings {
				name, _, _ := strings.Cut(found.Attack, ":")
				groups[name]++
				if match := taken.FindStringSubmatch(found.Attack); match != nil && !slices.Contains(roles, match[1]) {
					t.Error(found)
				}
				// The schema login reads records as the search, or once it has changed what protects them.
				mayRead := login == attacktest.Schema &&
					(strings.Contains(found.Attack, "rowhouse_search") || strings.HasPrefix(found.Attack, "08_write"))
				if slices.Contains(found.What, attacktest.RecordLeaked) && !mayRead {
					t.Error(found)
				}
				// The owner of the log can take the right to change it, or drop it.
				mayChange := login == attacktest.Schema && strings.HasPrefix(found.Attack, "11_audit: as its owner")
				if strings.HasPrefix(found.Attack, "11_audit") && !mayChange {
					t.Error(found)
				}
				t.Log(found)
			}
			t.Log(groups)
			for _, line := range damage {
				t.Error("changed although every attack was rolled back:", line)
			}
		})
	}
}

func TestEachDefenceIsNeeded(t *testing.T) {
	t.Parallel()
	for _, defence := range attacktest.Defences {
		t.Run(strings.ReplaceAll(defence.Name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			w, err := world(t).Without(t.Context(), defence)
			if err != nil {
				t.Fatal(err)
			}
			drop(t, w)
			login := defence.Login
			if login == "" {
				login = attacktest.Request
			}
			// An attack through a cached plan finds nothing if PostgreSQL has just dropped the plan, which changes
			// of other databases of the cluster can cause.
			for range 3 {
				report, err := w.Run(t.Context(), login, defence.Of(corpus(t)), attacktest.Options{First: true})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(report.Ran, report.Findings)
				if len(report.Findings) > 0 {
					return
				}
			}
			t.Errorf("no attack %q notices that it is gone", defence.Attacks)
		})
	}
}

// The planner's estimates of a shared table reveal everybody's values, so there are no statistics of
// what people wrote.
func TestNoStatisticsOfPeoplesWords(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), world(t).AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(),
		`select tablename || ' ' || attname from pg_stats where schemaname = 'rowhouse' and (
		to_jsonb(most_common_vals::text::text[]) || to_jsonb(histogram_bounds::text::text[]))::text ilike '%quokka%'
		and (tablename like '%\_name' or coalesce(has_column_privilege('rowhouse_app',
		format('%I.%I', schemaname, tablename), attname, 'select'), false))`)
	if err != nil {
		t.Fatal(err)
	}
	exposed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(exposed) > 0 {
		t.Errorf("statistics tell what people wrote: %v", exposed)
	}
}
