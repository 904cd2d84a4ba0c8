package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A planWorld is tasks that depend on each other.
type planWorld struct {
	*bundle
	table uuid.UUID
}

func newPlanWorld(t *testing.T) *planWorld {
	t.Helper()
	b := setup(t)
	w := &planWorld{b, b.table(t, "Tasks",
		field("Name", schema.Text), field("From", schema.Date), field("To", schema.Date), field("Kind", schema.Text))}
	b.addField(t, w.table, field("After", "link", `{"linkedTableId":"`+id.Format(id.Table, w.table)+`"}`))
	return w
}

// schedule returns the slack of the records that are part of it, by their name, and the last day.
func (w *planWorld) schedule(t *testing.T, in record.ScheduleRequest) (map[string]int, record.Schedule) {
	t.Helper()
	in.Start, in.End, in.DependsOn = "From", "To", "After"
	found, err := w.engine.Schedule(t.Context(), w.actor, w.table, &in)
	if err != nil {
		t.Fatal(err)
	}
	slack := map[string]int{}
	for _, task := range found.Tasks {
		slack[task.Name] = task.Slack
	}
	return slack, found
}

// task creates a record after others.
func (w *planWorld) task(t *testing.T, name, from, to string, after ...string) string {
	t.Helper()
	links := "[]"
	if len(after) > 0 {
		links = `["` + strings.Join(after, `","`) + `"]`
	}
	if to != "null" {
		to = `"` + to + `"`
	}
	return w.create(t, w.table, fmt.Sprintf(`{"Name":%q,"From":%q,"To":%s,"After":%s}`, name, from, to, links))[0].ID
}

func TestWhatDelaysTheEndIsFound(t *testing.T) {
	t.Parallel()
	w := newPlanWorld(t)
	// 2026-11-30 is a Monday. The weekend between the bricks and the roof is no slack.
	ground := w.task(t, "Ground", "2026-11-30", "2026-12-01")
	bricks := w.task(t, "Bricks", "2026-12-02", "2026-12-04", ground)
	pipes := w.task(t, "Pipes", "2026-12-02", "null", ground)
	roof := w.task(t, "Roof", "2026-12-07", "2026-12-09", bricks, pipes)
	w.task(t, "Flag", "2026-12-10", "2026-12-10", roof)
	w.task(t, "Party", "2026-12-24", "2026-12-24") // nothing depends on it, and it on nothing
	early := w.task(t, "Paint", "2026-12-08", "2026-12-14", roof)
	w.create(t, w.table, fmt.Sprintf(`{"Name":"Some day","After":[%q]}`, early))

	slack, found := w.schedule(t, record.ScheduleRequest{MaxSlack: 100})
	want := map[string]int{"Ground": -2, "Bricks": -2, "Pipes": 0, "Roof": -2, "Flag": 2, "Paint": 0}
	if fmt.Sprint(slack) != fmt.Sprint(want) || found.End != "2026-12-14" || found.Records != len(want) {
		t.Errorf("got %v until %s of %d, want %v", slack, found.End, found.Records, want)
	}
	var names []string
	_, found = w.schedule(t, record.ScheduleRequest{})
	for _, task := range found.Tasks {
		names = append(names, task.Name)
	}
	if got := strings.Join(names, " "); got != "Ground Pipes Bricks Roof Paint" {
		t.Errorf("without slack are %s", got)
	}
	if first := found.Tasks[0]; first.ID != ground || first.Start != "2026-11-30" || first.End != "2026-12-01" {
		t.Errorf("the first task is %+v", first)
	}

	// What a filter leaves out delays nothing.
	slack, _ = w.schedule(t, record.ScheduleRequest{
		Filters: []byte(`[{"fieldId":"Name","op":"neq","value":"Paint"}]`), MaxSlack: 100,
	})
	want = map[string]int{"Ground": 0, "Bricks": 0, "Pipes": 2, "Roof": 0, "Flag": 0}
	if fmt.Sprint(slack) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", slack, want)
	}
}

func TestACircleAndWrongFieldsAreNamed(t *testing.T) {
	t.Parallel()
	w := newPlanWorld(t)
	in := func(start, end, dependsOn string) error {
		_, err := w.engine.Schedule(t.Context(), w.actor, w.table,
			&record.ScheduleRequest{Start: start, End: end, DependsOn: dependsOn})
		return err
	}
	if err := in("From", "", "After"); err != nil {
		t.Errorf("no record: %v", err)
	}
	wantItem(t, in("", "", "After"), problem.KindInvalid, "startFieldId", "required")
	wantItem(t, in("From", "Kind", "After"), problem.KindInvalid, "endFieldId", "text")
	wantItem(t, in("From", "", "Kind"), problem.KindInvalid, "dependsOnFieldId", "text")
	wantItem(t, in("From", "Til", "After"), problem.KindInvalid, "endFieldId", "Til")

	one := w.task(t, "One", "2026-12-01", "null")
	two := w.task(t, "Two", "2026-12-02", "null", one)
	three := w.task(t, "Three", "2026-12-03", "null", two)
	w.task(t, "Behind", "2026-12-04", "null", three)
	w.update(t, one, fmt.Sprintf(`{"After":[%q]}`, three))
	err := in("From", "To", "After")
	if err == nil || !strings.Contains(err.Error(), "circle") || strings.Contains(err.Error(), "Behind") ||
		strings.Count(err.Error(), "before") != 3 {
		t.Errorf("a circle: %v", err)
	}
}

// The slack of each task of random plans is how late it can end before the last one does, as a simulation finds it.
func TestSlackIsWhatASimulationFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w, random := newPlanWorld(t), rand.New(rand.NewPCG(seed, 8))
			const size = 25
			monday := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
			date := func(working int) string {
				return monday.AddDate(0, 0, working/5*7+working%5).Format(time.DateOnly)
			}
			var ids []string
			starts, lengths, after := make([]int, size), make([]int, size), make([][]int, size)
			end, linked := 0, make([]bool, size)
			for i := range size {
				for range random.IntN(3) {
					if i == 0 {
						break
					}
					if before := random.IntN(i); !slices.Contains(after[i], before) {
						after[i] = append(after[i], before)
						linked[i], linked[before] = true, true
						starts[i] = max(starts[i], starts[before]+lengths[before])
					}
				}
				starts[i] += random.IntN(4)
				lengths[i] = 1 + random.IntN(5)
				var links []string
				for _, before := range after[i] {
					links = append(links, ids[before])
				}
				last := date(starts[i] + lengths[i] - 1)
				ids = append(ids, w.task(t, fmt.Sprint("task ", i), date(starts[i]), last, links...))
			}
			for i := range size {
				if linked[i] {
					end = max(end, starts[i]+lengths[i])
				}
			}
			// lastEnd is when the last task ends if one ends later, and those that depend on it wait.
			lastEnd := func(late, by int) int {
				ends, last := make([]int, size), 0
				for i := range size {
					start := starts[i]
					for _, before := range after[i] {
						start = max(start, ends[before])
					}
					if ends[i] = start + lengths[i]; i == late {
						ends[i] += by
					}
					if linked[i] {
						last = max(last, ends[i])
					}
				}
				return last
			}
			got, _ := w.schedule(t, record.ScheduleRequest{MaxSlack: 10_000})
			for i := range size {
				slack, part := got[fmt.Sprint("task ", i)]
				if part != linked[i] {
					t.Errorf("task %d is part of the plan: %t", i, part)
				}
				if part && (lastEnd(i, slack) != end || lastEnd(i, slack+1) != end+1) {
					t.Errorf("task %d has a slack of %d days, but the end moves from %d to %d, with a day more to %d",
						i, slack, end, lastEnd(i, slack), lastEnd(i, slack+1))
				}
			}
		})
	}
}
