package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxScheduled bounds the records of a schedule, because they are all in memory at once.
const MaxScheduled = 10_000

// A ScheduleRequest asks which records of a list decide when the last of them ends.
type ScheduleRequest struct {
	View    string // public id of a view of the table; "" for none
	Search  string
	Filters []byte // JSON, see query.ParseFilter
	// Start, End and DependsOn name fields by id or name; "" is the one that the view names. Without an end, a record
	// takes a day. DependsOn is a link to the table itself: a record depends on the records that it links.
	Start, End, DependsOn string
	MaxSlack              int // working days; records with more are left out
}

// A Task is a record of a schedule.
type Task struct {
	ID    string `json:"id"`
	Name  string `json:"name" jsonschema:"value of the primary field"`
	Start string `json:"start" jsonschema:"day"`
	End   string `json:"end" jsonschema:"last day"`
	Slack int    `json:"slack" jsonschema:"working days, Monday to Friday, by which it may end later without a later end of all; negative if one that depends on it begins too early"`
}

// A Schedule is what a ScheduleRequest asks for.
type Schedule struct {
	End     string `json:"end,omitzero" jsonschema:"last day of the last record; absent without dependencies"`
	Records int    `json:"records" jsonschema:"how many have a start and depend on each other"`
	Tasks   []Task `json:"tasks" jsonschema:"those with at most maxSlack, by their start"`
}

// scheduleFields are the fields that a schedule reads.
type scheduleFields struct{ start, end, dependsOn, name *schema.Field }

// Schedule finds the records whose delay would delay the last one, among at most MaxScheduled records of a list. It
// leaves out records without a start, and those that neither depend on another record nor have one depend on them.
func (e *Engine) Schedule(ctx context.Context, actor Actor, table uuid.UUID, in *ScheduleRequest) (Schedule, error) {
	request := query.Request{View: in.View, Search: in.Search, Filters: in.Filters, Sorts: []byte("[]"), Limit: 1}
	var fields scheduleFields
	err := e.OnTable(ctx, actor.Org, table, func(_ *schema.Snapshot, t *schema.Table) (err error) {
		if _, err = query.Parse(actor.viewer(), t, &request); err != nil {
			return err
		}
		fields, err = in.fields(actor, t)
		return err
	})
	if err != nil {
		return Schedule{}, err
	}
	request.Limit = 0
	for _, f := range []*schema.Field{fields.start, fields.end, fields.dependsOn, fields.name} {
		if f != nil && !slices.Contains(request.Fields, f.PublicID()) {
			request.Fields = append(request.Fields, f.PublicID())
		}
	}
	var tasks []*task
	err = e.Pages(ctx, actor, table, request, false, func(p *ExportPage) error {
		if p.Total > MaxScheduled {
			return problem.Invalid("filters", "leave %d records, and a schedule has at most %d; "+
				"name a narrower view or filter", p.Total, MaxScheduled)
		}
		found, err := fields.tasksOf(p)
		tasks = append(tasks, found...)
		return err
	})
	if err != nil {
		return Schedule{}, err
	}
	return scheduled(tasks, in.MaxSlack)
}

// fields finds the fields that the request or its view names.
func (in *ScheduleRequest) fields(actor Actor, t *schema.Table) (found scheduleFields, err error) {
	var config schema.ViewConfig
	if in.View != "" {
		view, err := query.ViewNamed(actor.viewer(), t, "view", in.View)
		if err != nil {
			return found, err
		}
		config = view.Config
	}
	var items []problem.Item
	one := func(key, ref string, required bool) *schema.Field {
		if ref == "" {
			_ = json.Unmarshal(config[key], &ref) // what names no field is no field
		}
		if ref == "" {
			if required {
				items = append(items, problem.Item{Path: key, Message: "is required, here or in the view"})
			}
			return nil
		}
		f, err := t.FieldRef(key, ref)
		if err == nil && !f.Serves(key) {
			err = problem.Invalid(key, "a field of type %s cannot serve here", f.Type())
		}
		if err != nil {
			var wrong *problem.Error
			if errors.As(err, &wrong) {
				items = append(items, wrong.Items...)
			}
			return nil
		}
		return f
	}
	found = scheduleFields{
		start: one("startFieldId", in.Start, true), end: one("endFieldId", in.End, false),
		dependsOn: one("dependsOnFieldId", in.DependsOn, true), name: t.Primary(),
	}
	if len(items) > 0 {
		return found, problem.InvalidItems(items)
	}
	return found, nil
}

// A task is a Task with what its slack is computed of.
type task struct {
	Task
	dependsOn []string

	from, to int     // working days before its first day, and before the day after its last
	before   []*task // on which it depends
	after    []*task // that depend on it
	waits    int     // how many of them have no latest end yet
	latest   int     // as to, of the latest end that delays nothing
}

// tasksOf reads the records of a page that have a start.
func (s *scheduleFields) tasksOf(p *ExportPage) ([]*task, error) {
	column := func(f *schema.Field) int {
		return slices.IndexFunc(p.Fields(), func(other *schema.Field) bool { return f != nil && other.ID == f.ID })
	}
	start, end, dependsOn, name := column(s.start), column(s.end), column(s.dependsOn), column(s.name)
	day := func(f *schema.Field, record, column int) (time.Time, bool) {
		var value any
		if column < 0 || json.Unmarshal(p.Value(record, column), &value) != nil {
			return time.Time{}, false
		}
		return f.Day(value)
	}
	var out []*task
	for i, record := range p.Records {
		first, ok := day(s.start, i, start)
		if !ok {
			continue
		}
		last, ok := day(s.end, i, end)
		if !ok || last.Before(first) {
			last = first
		}
		t := &task{
			dependsOn: stringsOf(p.Value(i, dependsOn)),
			from:      workingDays(first), to: workingDays(last.AddDate(0, 0, 1)),
		}
		if err := json.Unmarshal(record, &t.Task); err != nil { // its id
			return nil, fmt.Errorf("reading a record of a schedule: %w", err)
		}
		t.Start, t.End = first.Format(time.DateOnly), last.Format(time.DateOnly)
		if name >= 0 {
			t.Name, _ = p.Text(i, name)
		}
		out = append(out, t)
	}
	return out, nil
}

// workingDays counts the days from Monday to Friday between some Monday and a day.
func workingDays(day time.Time) int {
	const thursday = 3 // was 1970-01-01, and Monday is 0
	days := int(day.Unix()/(24*60*60)) + thursday
	week := days / 7
	if days%7 < 0 {
		week--
	}
	return 5*week + min(days-7*week, 5)
}

// scheduled computes the slack of tasks, from the last ones back, and returns those with little of it.
func scheduled(tasks []*task, maxSlack int) (Schedule, error) {
	tasks = joined(tasks)
	out := Schedule{Records: len(tasks), Tasks: []Task{}}
	if len(tasks) == 0 {
		return out, nil
	}
	end := slices.MaxFunc(tasks, func(a, b *task) int { return cmp.Compare(a.to, b.to) }).to
	var ready []*task
	for _, t := range tasks {
		t.latest, out.End = end, max(out.End, t.End)
		if t.waits == 0 {
			ready = append(ready, t)
		}
	}
	done := 0
	for ; done < len(ready); done++ {
		t := ready[done]
		t.Slack = t.latest - t.to
		for _, earlier := range t.before {
			earlier.latest = min(earlier.latest, t.latest-(t.to-t.from))
			if earlier.waits--; earlier.waits == 0 {
				ready = append(ready, earlier)
			}
		}
	}
	if done < len(tasks) {
		return Schedule{}, circleOf(tasks)
	}
	for _, t := range tasks {
		if t.Slack <= maxSlack {
			out.Tasks = append(out.Tasks, t.Task)
		}
	}
	slices.SortFunc(out.Tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// joined returns the tasks that depend on another one, or on which another one depends, and joins them.
func joined(tasks []*task) []*task {
	known := map[string]*task{}
	for _, t := range tasks {
		known[t.ID] = t
	}
	depends := map[*task]bool{}
	for _, t := range tasks {
		for _, id := range t.dependsOn {
			if before := known[id]; before != nil && before != t {
				before.after, t.before = append(before.after, t), append(t.before, before)
				before.waits++
				depends[before], depends[t] = true, true
			}
		}
	}
	return slices.DeleteFunc(tasks, func(t *task) bool { return !depends[t] })
}

// circleOf is the error for tasks that depend on each other in a circle. It names the records of one.
func circleOf(tasks []*task) error {
	var names []string
	seen := map[*task]int{}
	at := tasks[slices.IndexFunc(tasks, func(t *task) bool { return t.waits > 0 })]
	for {
		if begin, again := seen[at]; again {
			names = append(names[begin:], names[begin])
			break
		}
		seen[at] = len(names)
		names = append(names, field.Quote(cmp.Or(at.Name, at.ID)))
		at = at.after[slices.IndexFunc(at.after, func(t *task) bool { return t.waits > 0 })]
	}
	const most = 10
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return problem.Conflict("Records depend on each other in a circle: %s. Remove one of these links.",
		strings.Join(names, " before ")).WithCode(problem.CodeDependencyCycle)
}
