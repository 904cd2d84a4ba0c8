package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/docs/doctest"
)

// goGiven are the arguments of a step.
type goGiven struct {
	Step, URL, Token, Base, Table, Cursor string
	Limit, Of                             int
}

// goLibrary does the steps in this process.
func goLibrary(t *testing.T) *library {
	do := func(ctx context.Context, given map[string]any, progress func(int)) (outcome, error) {
		var read goGiven
		raw, err := json.Marshal(given)
		if err != nil {
			return outcome{}, err
		}
		if err := json.Unmarshal(raw, &read); err != nil {
			return outcome{}, err
		}
		client := rowhouse.New(read.URL, rowhouse.WithToken(read.Token))
		result, err := goStep(ctx, client, &read, progress)
		if err != nil {
			return outcome{}, err
		}
		if raw, err = json.Marshal(result); err != nil {
			return outcome{}, err
		}
		return outcomeOf(raw)
	}
	l := &library{name: "Go", do: do}
	l.readme = func(t *testing.T, environment []string) string {
		dir := t.TempDir()
		module := "module fiveminutes\n\ngo 1.25\n\nrequire github.com/rowhouse/rowhouse/clients/go v0.0.0\n\n" +
			"replace github.com/rowhouse/rowhouse/clients/go => " +
			filepath.Join(doctest.Root(t), "clients", "go") + "\n"
		for name, text := range map[string]string{
			"go.mod": module, "main.go": blocksOf(t, "clients/go/README.md", "go"),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		command := exec.CommandContext(t.Context(), "go", "run", ".")
		command.Dir = dir
		command.Env = append(environment, "GOWORK=off", "GOFLAGS=-mod=mod")
		return run(t, command)
	}
	return l
}

func goStep(ctx context.Context, client *rowhouse.Client, given *goGiven, progress func(int)) (any, error) {
	switch given.Step {
	case "list":
		names := []any{}
		for record, err := range client.Records(ctx, given.Table, rowhouse.Query{
			Sorts: rowhouse.Sorts{{"fieldId": "Name", "dir": "asc"}}, Fields: []string{"Name"}, Limit: given.Limit,
		}) {
			if err != nil {
				return nil, err
			}
			names = append(names, record.Fields["Name"])
		}
		return map[string]any{"names": names}, nil
	case "problem":
		_, err := goCreate(ctx, client, given.Table, "Nmae")
		var problem *rowhouse.Problem
		if !errors.As(err, &problem) || !rowhouse.HasCode(err, rowhouse.ProblemCodeInvalid) ||
			rowhouse.HasCode(err, rowhouse.ProblemCodeBusy) {
			return nil, err
		}
		paths := []string{}
		for _, one := range problem.Errors {
			paths = append(paths, one.Path)
		}
		return map[string]any{"code": problem.Code, "status": problem.Status, "paths": paths}, nil
	case "proxy":
		_, err := client.Me(ctx)
		var problem *rowhouse.Problem
		if !errors.As(err, &problem) {
			return nil, err
		}
		return map[string]any{"code": problem.Code, "status": problem.Status, "message": err.Error()}, nil
	case "version":
		return goVersion(ctx, client, given)
	case "condition":
		_, err := client.Update(ctx, "rec_1", rowhouse.Values{}, 7)
		return map[string]any{"lost": errors.As(err, new(*rowhouse.ConnectionError))}, nil
	case "repeat":
		written, err := goCreate(ctx, client, "tbl_1", "Name")
		if err != nil {
			return nil, err
		}
		return map[string]any{"id": written.Records[0].ID, "changeSet": written.ChangeSet}, nil
	case "changeSet":
		spring, sets := client.With(rowhouse.WithChangeSet("spring")), []string{}
		for _, one := range []*rowhouse.Client{spring, spring, client} {
			written, err := goCreate(ctx, one, given.Table, "Name")
			if err != nil {
				return nil, err
			}
			sets = append(sets, written.ChangeSet)
		}
		return map[string]any{"sets": sets}, nil
	case "job":
		var begun rowhouse.Job
		if err := client.Send(ctx, rowhouse.Request{
			Method: "POST", Path: "/tables/" + given.Table + "/exports", Body: map[string]string{"format": "csv"},
		}, &begun); err != nil {
			return nil, err
		}
		job, err := client.WaitForJob(ctx, begun.ID)
		if err != nil {
			return nil, err
		}
		return map[string]any{"state": job.State, "url": job.File.URL}, nil
	case "watch":
		return goWatch(ctx, client, given, progress)
	case "kills":
		return goKills(ctx, client, given, progress)
	}
	return nil, fmt.Errorf("there is no step %s", given.Step)
}

func goCreate(ctx context.Context, client *rowhouse.Client, table, field string) (*rowhouse.WrittenRecords, error) {
	return client.Create(ctx, table, rowhouse.Write{Records: []rowhouse.Values{{field: "Aase"}}})
}

func goVersion(ctx context.Context, client *rowhouse.Client, given *goGiven) (any, error) {
	written, err := goCreate(ctx, client, given.Table, "Name")
	if err != nil {
		return nil, err
	}
	record := written.Records[0]
	if _, err := client.Update(ctx, record.ID, rowhouse.Values{"Name": "First"}, record.Version); err != nil {
		return nil, err
	}
	_, err = client.Update(ctx, record.ID, rowhouse.Values{"Name": "Second"}, record.Version)
	var problem *rowhouse.Problem
	if !errors.As(err, &problem) {
		return nil, err
	}
	return map[string]any{
		"code": problem.Code, "before": record.Version, "now": problem.Current["version"], "id": record.ID,
	}, nil
}

func goWatch(ctx context.Context, client *rowhouse.Client, given *goGiven, progress func(int)) (any, error) {
	names := []any{}
	for change, err := range client.Watch(ctx, given.Base, rowhouse.Feed{
		Cursor: given.Cursor, Tables: []string{given.Table}, Kinds: []rowhouse.ChangeKind{rowhouse.ChangeKindCreated},
	}) {
		if err != nil {
			return nil, err
		}
		names = append(names, change.After["Name"])
		if progress(len(names)); len(names) == given.Of {
			break
		}
	}
	return map[string]any{"names": names}, nil
}

func goKills(ctx context.Context, client *rowhouse.Client, given *goGiven, progress func(int)) (any, error) {
	const size = 100
	client = client.With(rowhouse.WithAttempts(30))
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var running sync.WaitGroup
	var next, done atomic.Int64
	for range 4 {
		running.Go(func() {
			for batch := int(next.Add(1)) - 1; batch < given.Of/size; batch = int(next.Add(1)) - 1 {
				write := rowhouse.Write{UpsertOn: []string{"Name"}}
				for i := range size {
					write.Records = append(write.Records, rowhouse.Values{"Name": fmt.Sprint("Ship ", batch*size+i)})
				}
				if _, err := client.Create(ctx, given.Table, write); err != nil {
					fail(fmt.Errorf("batch %d: %w", batch, err))
					return
				}
				progress(int(done.Add(size)))
			}
		})
	}
	changes, seen := 0, map[string]bool{}
	running.Go(func() {
		for change, err := range client.Watch(ctx, given.Base, rowhouse.Feed{
			Cursor: rowhouse.Earliest, Tables: []string{given.Table},
			Kinds: []rowhouse.ChangeKind{rowhouse.ChangeKindCreated, rowhouse.ChangeKindUpdated},
		}) {
			if err != nil {
				fail(fmt.Errorf("watching: %w", err))
				return
			}
			changes++
			if seen[fmt.Sprint(change.Kind, " ", change.Record)] = true; len(seen) == given.Of {
				return
			}
		}
	})
	running.Wait()
	return map[string]int{"changes": changes, "seen": len(seen)}, context.Cause(ctx)
}
