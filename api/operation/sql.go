package operation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

// SQLResult is the result of a statement: the columns once, and each row as an array.
type SQLResult struct{ *sqlquery.Result }

// JSONSchema describes what AppendJSON writes.
func (SQLResult) JSONSchema() *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	return &jsonschema.Schema{
		Type: "object", Required: []string{"columns", "rows", "truncated", "cost", "milliseconds"},
		Properties: map[string]*jsonschema.Schema{
			"columns": {Type: "array", Items: &jsonschema.Schema{
				Type: "object", Required: []string{"name", "type"},
				Properties: map[string]*jsonschema.Schema{"name": text, "type": text},
			}},
			"rows":         {Type: "array", Items: &jsonschema.Schema{Type: "array"}},
			"truncated":    {Type: "boolean", Description: "there are more rows"},
			"cost":         {Type: "number", Description: "PostgreSQL's estimate"},
			"milliseconds": {Type: "integer"},
		},
	}
}

// QuerySQL runs SQL over a base.
var QuerySQL = New(Def{
	Name: "query_sql", Method: "POST", Path: "/bases/{baseId}/sql", Title: "Query with SQL",
	Summary: "Run one SELECT of PostgreSQL over the tables of a base.",
	Description: "For joins, and what aggregate_records cannot answer. Quote names with " +
		"spaces; case does not matter. Each table also has id (to join), record_id (for tools), created_at, " +
		"updated_at. A link is a table \"Table__Field\" with id, linked_id, position. Returns columns and rows.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, AuditsReads: true,
	Agent: Agent{
		List:       ListCore,
		AnswerPage: true, QuotingErrors: true,
		Arguments: Arguments{"sql": {}},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	SQL   string `json:"sql" minLength:"1" maxLength:"10000" jsonschema:"one SELECT statement"`
	Limit *int   `json:"limit,omitzero" min:"1" max:"10000" default:"1000" jsonschema:"rows"`
},
) (SQLResult, error) {
	limit := 1000
	if in.Limit != nil {
		limit = *in.Limit
	}
	refused := func() {}
	if c.Admission != nil {
		var err error
		if refused, err = c.Admission.EnterStatement(c.Target.Org); err != nil {
			return SQLResult{}, err
		}
	}
	result, err := c.SQL.Run(ctx, c.Target.Org, c.Target.ID, in.SQL, limit)
	if problem.KindOf(err) == problem.KindInvalid {
		refused()
	}
	// Failures are recorded too: their errors may quote records.
	if auditErr := c.auditSQL(ctx, in.SQL, result, err); auditErr != nil {
		return SQLResult{}, auditErr
	}
	if err != nil {
		return SQLResult{}, err
	}
	return SQLResult{result}, nil
})

// auditSQL records a statement, and the error with which it failed.
func (c *Call) auditSQL(ctx context.Context, statement string, result *sqlquery.Result, failure error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTime)
	defer cancel()
	sum := sha256.Sum256([]byte(statement))
	detail := map[string]any{"sha256": hex.EncodeToString(sum[:]), "bytes": len(statement)}
	if failure == nil {
		detail["rows"] = len(result.Rows)
	} else {
		detail["error"] = problem.New(failure, "").Code
	}
	err := c.DB.Batch(ctx, c.Target.Org, func(b *pgx.Batch) {
		audit.Record(ctx, b, c.Target.Org, &audit.Event{
			Action: "query_sql", Subject: id.Format(id.Base, c.Target.ID), Detail: detail,
		})
	})
	if err != nil {
		return fmt.Errorf("recording that SQL was run: %w", err)
	}
	return nil
}

// auditTime is how long recording may take after the caller has gone.
const auditTime = 5 * time.Second
