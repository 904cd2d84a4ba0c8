package sqlquery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// fetched is how many rows are fetched at a time.
const fetched = 250

// selectRows runs a checked statement. Unless it was admitted before, it is planned first, and refused
// if it is too costly.
func (s *Store) selectRows(
	ctx context.Context, tx *db.GuestTx, statement *verdict, admitted bool, limit int,
) (*Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.limits.time, errSlow)
	defer cancel()
	started := time.Now()
	if !admitted {
		widest := 0
		if statement.access.secret != nil {
			var err error
			if widest, err = statement.access.measure(ctx, tx, statement.checked); err != nil {
				return nil, err
			}
		}
		expects, err := expected(ctx, tx, statement.checked, widest)
		if err != nil {
			return nil, err
		}
		if err := s.limits.check(expects); err != nil {
			return nil, err
		}
		statement.cost = expects.Total
	}
	result := &Result{Cost: statement.cost, Rows: [][]byte{}}
	limit, size := min(limit, s.limits.rows), 0
	take := func(columns []pgconn.FieldDescription, values [][]byte) (bool, error) {
		if len(result.Rows) == limit {
			result.Truncated = true
			return false, nil
		}
		row := appendRow(nil, columns, values)
		if size += len(row) + 1; size > s.limits.bytes {
			if len(result.Rows) == 0 {
				return false, tooLarge()
			}
			result.Truncated = true
			return false, nil
		}
		result.Rows = append(result.Rows, row)
		return true, nil
	}
	fetch := "fetch forward " + strconv.Itoa(fetched) + " from result"
	statements := []string{"declare result no scroll cursor for " + statement.checked.SQL, fetch}
	for count := fetched; count == fetched && !result.Truncated; statements = []string{fetch} {
		var err error
		if count, err = execute(ctx, tx, &result.Columns, take, statements...); err != nil {
			if errors.Is(context.Cause(ctx), errSlow) {
				err = errors.Join(errSlow, err)
			}
			return nil, err
		}
	}
	result.Took = time.Since(started)
	return result, nil
}

// errSlow says that the statement took longer than MaxTime.
var errSlow = errors.New("the parts of the statement took too long together")

// execute runs statements and passes the rows of the last one to take, until take has enough. It
// returns the number of rows, and sets the columns unless they are known.
func execute(
	ctx context.Context, tx *db.GuestTx, columns *[]Column,
	take func(columns []pgconn.FieldDescription, values [][]byte) (more bool, err error), statements ...string,
) (int, error) {
	results := tx.Send(ctx, statements...)
	count, more := 0, true
	var failed error
	for range statements {
		if !results.NextResult() {
			break
		}
		reader := results.ResultReader()
		if fields := reader.FieldDescriptions(); columns != nil && *columns == nil && len(fields) > 0 {
			*columns = columnsOf(fields)
		}
		for reader.NextRow() {
			count++
			if more && failed == nil {
				more, failed = take(reader.FieldDescriptions(), reader.Values())
			}
		}
		_, _ = reader.Close() // an error comes again at the end
	}
	err := results.Close()
	var long *pgproto3.ExceededMaxBodyLenErr
	switch {
	case errors.As(err, &long):
		return 0, tooLarge().Because(err)
	case err != nil:
		return 0, err //nolint:wrapcheck // PostgreSQL's own words are for the caller
	}
	return count, failed
}

func tooLarge() *problem.Error {
	return problem.Invalid(
		"sql",
		"a row of the result is too large; take fewer columns, or left(…, 1000) of long texts",
	).
		WithCode(
			problem.CodeSQLTooLarge,
		)
}

// An estimate is PostgreSQL's estimate for a statement.
type estimate struct {
	Total  float64
	Memory float64 // bytes of the step that needs most
}

type planNode struct {
	Type  string     `json:"Node Type"`
	Role  string     `json:"Parent Relationship"`
	Cost  float64    `json:"Total Cost"`
	Rows  float64    `json:"Plan Rows"`
	Width float64    `json:"Plan Width"`
	Plans []planNode `json:"Plans"`
}

func (p *planNode) memory() float64 {
	most := p.Rows * p.Width
	for i := range p.Plans {
		most = max(most, p.Plans[i].memory())
	}
	return most
}

// collected returns the most memory that texts and lists built from rows may take, and the width of the
// step's rows with them. PostgreSQL expects 32 bytes for each. text is by how much a value may be
// longer than expected, and spread by how many times there may be more rows.
func (p *planNode) collected(text, spread float64) (peak, width float64) {
	const (
		skew  = 10 // of the largest group
		place = 32 // bytes that PostgreSQL needs for each value in addition to its text
	)
	width = p.Width + text + place
	rows, wide := 0.0, width
	for i := range p.Plans {
		child := &p.Plans[i]
		most, of := child.collected(text, spread)
		peak = max(peak, most)
		if child.Role == "SubPlan" || child.Role == "InitPlan" { // a list of its rows is a value of this step
			total := child.Rows * spread * of
			peak, width = max(peak, total), width+total
			continue
		}
		rows, wide = max(rows, child.Rows*spread), max(wide, of)
	}
	if p.Type == "Aggregate" || p.Type == "WindowAgg" {
		total := rows * wide
		return max(peak, total), width + min(total, skew*total/max(p.Rows, 1))
	}
	return peak, max(width, wide)
}

const explainPrefix = "explain (format json) "

// expected has PostgreSQL plan a statement. Records are up to widest bytes longer than it expects.
func expected(
	ctx context.Context, tx *db.GuestTx, statement *allowlist.Statement, widest int,
) (estimate, error) {
	var plan []byte
	_, err := execute(ctx, tx, nil, func(_ []pgconn.FieldDescription, values [][]byte) (bool, error) {
		plan = append(plan, values[0]...)
		return true, nil
	}, explainPrefix+statement.SQL)
	if err != nil {
		return estimate{}, err
	}
	var read []struct{ Plan planNode }
	if err := json.Unmarshal(plan, &read); err != nil || len(read) != 1 {
		return estimate{}, fmt.Errorf(
			"reading a plan: %w",
			errors.Join(err, errors.New(string(plan[:min(len(plan), 100)]))),
		)
	}
	root := &read[0].Plan
	e := estimate{root.Cost, root.memory()}
	if statement.Collects {
		collected, _ := root.collected(float64(statement.Text+widest), statement.Spread)
		e.Memory = max(e.Memory, collected*statement.Swell)
	}
	return e, nil
}

func (l *limits) check(e estimate) error {
	switch {
	case e.Total > l.cost:
		return costly("its estimated cost is %.0f and may be %.0f", e.Total, l.cost)
	case e.Memory > l.memory:
		return costly("a step of it would hold about %.0f MB and may hold %.0f", e.Memory/(1<<20), l.memory/(1<<20))
	}
	return nil
}

func costly(format string, args ...any) error {
	return problem.Invalid(
		"sql",
		"The statement is too costly: "+format+". Filter earlier, join on id columns, or group "+
			"before joining.",
		args...).WithCode(
		problem.CodeSQLTooCostly,
	)
}
