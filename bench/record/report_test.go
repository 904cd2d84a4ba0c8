package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestACellIsSummedUp(t *testing.T) {
	t.Parallel()
	c := cell{active: 2 * time.Second, spent: 50 * time.Millisecond}
	for i := range 101 {
		c.took = append(c.took, time.Duration(i)*time.Millisecond)
	}
	if got := c.quantile(0.5); got != 50*time.Millisecond {
		t.Errorf("the median is %s", got)
	}
	if got := c.quantile(0.99); got != 99*time.Millisecond {
		t.Errorf("the 99th of 100 is %s", got)
	}
	if got := c.perSecond(); got != 50.5 {
		t.Errorf("%v a second", got)
	}
	if got := c.cost(); got != 50*time.Millisecond/101 {
		t.Errorf("%s each", got)
	}
	var none cell
	if none.quantile(0.5) != 0 || none.cost() != 0 || rate(&none) != 0 || ratio(1, 0) != 0 {
		t.Error("a cell that was not measured is not zero throughout")
	}
}

func sample() *report {
	r := newReport(&settings{rows: 1000, cell: time.Second})
	line := result{operation: "get", connections: 16}
	line.cells[0] = cell{
		took:   []time.Duration{time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond},
		active: time.Second,
		spent:  3 * time.Millisecond,
	}
	line.cells[1] = cell{
		took:   []time.Duration{3 * time.Millisecond, 4 * time.Millisecond, 5 * time.Millisecond},
		active: 2 * time.Second,
		spent:  6 * time.Millisecond,
	}
	r.results = []result{line}
	r.note("A note of %d.", 7)
	return r
}

func TestTheReportKeepsWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	if err := sample().write(path); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const line = "| get | 16 | 2.00 | 4.00 | 2.00 | 4.00 | 3 | 2 | **2.00** | **0.50** | 1000 | 2000 | **2.00** |\n"
	if !strings.Contains(string(first), line) || !strings.Contains(string(first), "- A note of 7.\n") ||
		strings.Contains(string(first), "\n## ") {
		t.Errorf("the report is\n%s", first)
	}
	const written = "\n## Reading\n\nWhat it means.\n\n## The browser\n\n- more\n"
	if err := os.WriteFile(path, append(first, written...), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := sample().write(path); err != nil {
			t.Fatal(err)
		}
	}
	again, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(again), written) || strings.Count(string(again), "What it means.") != 1 ||
		strings.Count(string(again), line) != 1 {
		t.Errorf("the second report is\n%s", again)
	}
	if err := sample().write(t.TempDir()); err == nil {
		t.Error("a directory was written to")
	}
}

func TestARowIsTheSameInEveryRun(t *testing.T) {
	t.Parallel()
	if rowAt(7) != rowAt(7) || rowAt(7) == rowAt(8) {
		t.Error("rows do not follow from their numbers")
	}
	if one := rowAt(12345); !strings.Contains(one.Email, "12345@") || one.Amount < 0 || one.Amount >= 100_000 {
		t.Errorf("%+v", one)
	}
}

// No two callers write the same row, so that they wait for nothing but the program.
func TestCallersShareNoRow(t *testing.T) {
	t.Parallel()
	s := &subject{rows: 10_000}
	seen := map[int]int{}
	for index := range 16 {
		c := &caller{random: rand.New(rand.NewPCG(1, uint64(index))), index: index, of: 16}
		rows := c.rows(s)
		if len(rows) != batch || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != batch {
			t.Fatalf("caller %d has %v", index, rows)
		}
		for _, row := range append(rows, c.row(s)) {
			if other, taken := seen[row]; taken && other != index || row >= s.rows {
				t.Fatalf("row %d is of %d and %d", row, other, index)
			}
			seen[row] = index
		}
	}
}

func TestWorkersStopAtTheFirstFailure(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	if err := parallel(1000, 4, func(int, int) error { done.Add(1); return nil }); err != nil || done.Load() != 1000 {
		t.Errorf("%d done: %v", done.Load(), err)
	}
	broken := errors.New("broken")
	done.Store(0)
	err := parallel(1_000_000, 4, func(_, i int) error {
		if done.Add(1); i == 5 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || done.Load() == 1_000_000 {
		t.Errorf("%d done: %v", done.Load(), err)
	}
}

func TestABusyProgramIsDistinguishedFromABrokenOne(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{
		http.StatusServiceUnavailable:  true,
		http.StatusTooManyRequests:     true,
		http.StatusInternalServerError: false,
	} {
		if got := busy(fmt.Errorf("GET /: %w", statusError(status))); got != want {
			t.Errorf("%d: %v", status, got)
		}
	}
	if kilobytes("Name:\tx\nVmRSS:\t   123 kB\n", "VmRSS") != 123 || kilobytes("", "VmRSS") != 0 {
		t.Error("the memory of a process is not read")
	}
}

func TestADialectSaysHowMuchThereIsAndWhatWasMade(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect     *dialect
		page, other string // an answer with a total of 7, and one without a total
		made        string // of records a and b
	}{
		{&baselineDialect, `{"total":7}`, `{"total":null}`, ""},
		{&serviceDialect, `{"total":7}`, `{"records":[]}`, `{"records":[{"id":"1"},{"id":"2"}]}`},
		{
			&pocketbaseDialect, `{"totalItems":7}`, `{"id":"1"}`,
			`[{"status":200,"body":{"id":"1"}},{"status":200,"body":{"id":"2"}}]`,
		},
		{&nocodbDialect, `{"pageInfo":{"totalRows":7}}`, `{"Id":1}`, `[{"Id":1},{"Id":2}]`},
	} {
		if total, err := c.dialect.total([]byte(c.page)); total != 7 || err != nil {
			t.Errorf("%s: a total of %d: %v", c.dialect.name, total, err)
		}
		if total, err := c.dialect.total([]byte(c.other)); total != -1 || err != nil {
			t.Errorf("%s: a total of %d where the answer has none: %v", c.dialect.name, total, err)
		}
		if _, err := c.dialect.total([]byte("<html>")); err == nil {
			t.Errorf("%s: a total of something else", c.dialect.name)
		}
		if c.made != "" {
			if ids, err := c.dialect.made([]byte(c.made)); !slices.Equal(ids, []string{"1", "2"}) || err != nil {
				t.Errorf("%s: made %v: %v", c.dialect.name, ids, err)
			}
		}
		for o, operation := range operations {
			if c.dialect.calls[o] == nil && (!operation.computed || c.dialect.compute != nil) &&
				(o != deepCursor || c.dialect == &serviceDialect || c.dialect == &baselineDialect) {
				t.Errorf("%s is not asked for %q", c.dialect.name, operation.name)
			}
		}
	}
}
