package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type schemaApplyCommand struct {
	connection `embed:""`
	inBase     `embed:""`

	File string `arg:"" help:"The file of the base, as schema pull writes it; - is the standard input."`
	Plan bool   `help:"Show the plan and change nothing. The exit status is 0."`
	Yes  bool   `short:"y" help:"Do not ask."`
	// Partial is how a base with links is moved: its tables come first, the links are made by hand, and a second
	// run does the rest.
	Partial bool `help:"Do what can be done where links and buttons are missing, and say what is left out."`
}

func (schemaApplyCommand) Help() string {
	return `Examples:

  rowhouse schema apply base.json --plan
  rowhouse schema apply base.json --yes

It makes the base that the file names like the file, and shows before what is created (+), changed (~) and deleted
(-), with the values that are lost. Names are the keys: "was" gives the former name of what has another one. What
the file does not have is deleted; without "views", a table keeps its views. All of it is one change set.

Links and buttons are made in the application: the plan lists those that are missing, and changes nothing. With
--partial it does the rest; make the links, and apply the file again.`
}

func (c *schemaApplyCommand) Run(ctx context.Context, to Streams) error {
	file, err := readFile(to, c.File)
	if err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	base, err := c.current(ctx, client, file)
	if err != nil {
		return err
	}
	plan := newPlan(base, file)
	if err := plan.ask(ctx, client); err != nil {
		return err
	}
	plan.show(to)
	if len(plan.impossible) > 0 && !c.Partial {
		return fail(StatusRefused, "nothing was changed: make in the application first, or give --partial: %s",
			strings.Join(plan.impossible, "; "))
	}
	if len(plan.steps) == 0 && len(plan.impossible) == 0 {
		fmt.Fprintln(to.Err, "The base is like the file.")
		return nil
	}
	if c.Plan {
		return nil
	}
	if err := confirm(to, c.Yes); err != nil {
		return err
	}
	plan.partial = c.Partial
	return plan.apply(ctx, to, client)
}

// current reads the base that the flag or the file names, and returns nil if there is none.
func (c *schemaApplyCommand) current(
	ctx context.Context, client *rowhouse.Client, file *baseFile,
) (*baseState, error) {
	name := c.Base
	if name == "" {
		name = file.ID
	}
	if name == "" {
		name = file.Name
	}
	id, err := findBase(ctx, client, name)
	var own *failure
	if errors.As(err, &own) && own.status == StatusNotFound && c.Base == "" && file.ID == "" {
		return nil, nil //nolint:nilnil // the plan makes it
	}
	if err != nil {
		return nil, err
	}
	return readBase(ctx, client, id)
}

// A forecast is what the service says of a change before it is made.
type forecast struct {
	Tables    int                    `json:"tables"`
	Records   int                    `json:"records"`
	Lost      int                    `json:"lost"`
	Losses    []rowhouse.ProblemItem `json:"losses"`
	Broken    []rowhouse.FieldUse    `json:"broken"`
	PlanToken string                 `json:"planToken"`
}

func (f *forecast) String() string {
	var parts []string
	if f.Lost > 0 {
		parts = append(parts, counted(f.Lost, "value")+" lost")
	}
	for i, loss := range f.Losses {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, loss.Message)
	}
	for _, use := range f.Broken {
		parts = append(parts, use.Name+" shows errors")
	}
	return strings.Join(parts, ", ")
}

// ask has the service plan the steps that may lose something.
func (p *schemaPlan) ask(ctx context.Context, client *rowhouse.Client) error {
	for _, s := range p.steps {
		if !s.lossy {
			continue
		}
		if err := p.askOne(ctx, client, s); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}

func (p *schemaPlan) askOne(ctx context.Context, client *rowhouse.Client, s *step) error {
	request, err := s.request(p)
	if err != nil {
		return err
	}
	request.Body = with(request.Body, "plan", true)
	var answer forecast
	if err := client.Send(ctx, request, &answer); err != nil {
		return err
	}
	s.token, s.losses = answer.PlanToken, answer.String()
	if request.Method == http.MethodDelete && answer.Records > 0 {
		s.losses = strings.TrimPrefix(s.losses+", with the values of "+counted(answer.Records, "record"), ", ")
	}
	return nil
}

// with returns a body with one more member.
func with(body any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	if former, ok := body.(map[string]any); ok {
		for name, one := range former {
			out[name] = one
		}
	}
	return out
}

func (p *schemaPlan) show(to Streams) {
	for _, s := range p.steps {
		if s.sign == "" {
			continue
		}
		line := "  " + s.sign + " " + s.what
		if s.losses != "" {
			line += "; " + s.losses
		}
		fmt.Fprintln(to.Out, line)
	}
	for _, one := range p.impossible {
		fmt.Fprintln(to.Out, "  ! "+one)
	}
}

// apply does the steps in one change set.
func (p *schemaPlan) apply(ctx context.Context, to Streams, client *rowhouse.Client) error {
	client = client.With(rowhouse.WithChangeSet("schema apply " + rand.Text()))
	changeSet, done, order := "", 0, orderBase
	later := []*step{}
	run := func(s *step) error {
		if s.order != order { // what was made has ids by now
			order = s.order
			if err := p.refresh(ctx, client); err != nil {
				return err
			}
		}
		set, err := p.run(ctx, client, s)
		if err != nil {
			return err
		}
		if set != "" && s.order > orderBase {
			changeSet = set
		}
		done++
		return nil
	}
	failed := func(s *step, err error) error {
		if done > 0 {
			fmt.Fprintf(to.Err, "%d of %d steps were done. rowhouse revert %s takes them back.\n", done, len(p.steps),
				changeSet)
		}
		if s.what != "" {
			err = fmt.Errorf("%s: %w", s.what, err)
		}
		return err
	}
	for i := 0; i < len(p.steps); i++ {
		s := p.steps[i]
		if len(later) > 0 && s.order > orderComputed {
			if err := p.again(to, later, run); err != nil {
				return failed(&step{}, err)
			}
			later = nil
		}
		err := run(s)
		invalid := rowhouse.HasCode(err, rowhouse.ProblemCodeInvalid)
		if invalid && s.order == orderComputed {
			later = append(later, s) // it may read one that comes later
			continue
		}
		if invalid && s.order == orderView && p.partial {
			fmt.Fprintf(to.Err, "Left out: %s: %s\n", s.what, Message(err))
			continue
		}
		if err != nil {
			return failed(s, err)
		}
	}
	if err := p.again(to, later, run); err != nil {
		return failed(&step{}, err)
	}
	fmt.Fprintf(to.Err, "Done, in the change set %s. rowhouse revert %s takes it back.\n", changeSet, changeSet)
	return nil
}

// again tries steps that failed, as long as one of them succeeds.
func (p *schemaPlan) again(to Streams, list []*step, run func(*step) error) error {
	for len(list) > 0 {
		var left []*step
		var errs []error
		for _, s := range list {
			if err := run(s); err != nil {
				left, errs = append(left, s), append(errs, fmt.Errorf("%s: %w", s.what, err))
			}
		}
		if len(left) == len(list) && !p.partial {
			return errs[0]
		}
		if len(left) == len(list) {
			for _, err := range errs {
				fmt.Fprintf(to.Err, "Left out: %v\n", err)
			}
			return nil
		}
		list = left
	}
	return nil
}

// run does one step, and returns its change set.
func (p *schemaPlan) run(ctx context.Context, client *rowhouse.Client, s *step) (string, error) {
	if s.do != nil {
		return "", s.do(ctx, client)
	}
	request, err := s.request(p)
	if err != nil {
		return "", err
	}
	var answer struct {
		ID        string `json:"id"`
		ChangeSet string `json:"changeSet"`
	}
	if s.lossy {
		request.Once = true // a plan can be applied once
		body := request.Body
		request.Body = with(body, "apply", s.token)
		err = client.Send(ctx, request, &answer)
		if rowhouse.HasCode(err, rowhouse.ProblemCodePlanMoved, rowhouse.ProblemCodePlanExpired) {
			// A former step moves the plan too. What it loses must be what the person has seen.
			seen := s.losses
			if err := p.askOne(ctx, client, s); err != nil {
				return "", err
			}
			if s.losses != seen {
				return "", fail(StatusConflict, "somebody has changed the base; it would now be: %s", s.losses)
			}
			request.Body = with(body, "apply", s.token)
			err = client.Send(ctx, request, &answer)
		}
	} else {
		err = client.Send(ctx, request, &answer)
	}
	if err != nil {
		return "", err
	}
	if s.made != nil {
		s.made(answer.ID)
	}
	return answer.ChangeSet, nil
}

// refresh reads the base again, and brings the tables of the plan up to date.
func (p *schemaPlan) refresh(ctx context.Context, client *rowhouse.Client) error {
	now, err := readBase(ctx, client, p.base.ID)
	if err != nil {
		return err
	}
	for _, table := range now.Tables {
		for _, known := range p.base.Tables {
			if known.ID == table.ID {
				known.Name, known.Fields, known.Views = table.Name, table.Fields, table.Views
			}
		}
	}
	return nil
}
