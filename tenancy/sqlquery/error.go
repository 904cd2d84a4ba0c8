package sqlquery

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// invalid is an error at an offset in a statement. Its text begins with "line 1, column 8: ", which the
// application reads to show the position.
func invalid(statement string, at int, message string) *problem.Error {
	if runes := []rune(message); len(runes) > maxMessage {
		message = string(runes[:maxMessage]) + "…"
	}
	before := statement[:min(max(at, 0), len(statement))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return problem.Invalid("sql", "%s", fmt.Sprintf("line %d, column %d: %s", line, column, message)).
		WithCode(problem.CodeSQLInvalid)
}

// maxMessage bounds the characters of an error, because errors of PostgreSQL quote values, which may be
// long.
const maxMessage = 300

// names reports whether an error is about a schema.
func names(err error, schema string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && strings.Contains(pg.Message, schema)
}

var unknownColumn = regexp.MustCompile(`^column (?:"(.*)"|(?:.*\.)?(\S+)) does not exist$`)

// explain converts PostgreSQL's error about a statement to one for its author.
func explain(err error, statement string, checked *allowlist.Statement, seen *access) error {
	if errors.Is(err, errSlow) {
		return tooSlow(MaxTime).Because(err)
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	message := strings.ReplaceAll(strings.ReplaceAll(pg.Message, `"`+seen.schema+`".`, ""), seen.schema+".", "")
	if pg.Hint != "" && pg.Code != pgerrcode.UndefinedColumn {
		message += ". " + strings.TrimSuffix(pg.Hint, ".")
	}
	at := 0
	if pg.Position > 0 {
		at = checked.At(int(pg.Position) - len(explainPrefix)) // the plan fails if names or types are wrong
	}
	switch class := pg.Code[:2]; {
	case pg.Code == pgerrcode.QueryCanceled:
		return tooSlow(db.GuestTime).Because(err)
	case pg.Code == pgerrcode.UndefinedColumn:
		return invalid(statement, at, message+columnHint(pg.Message, checked)).Because(err)
	case pg.Code == pgerrcode.ReadOnlySQLTransaction, pg.Code == pgerrcode.InsufficientPrivilege:
		return invalid(
			statement,
			at,
			"this is not allowed: the statement may read the tables of the base and nothing else",
		).
			Because(
				err,
			)
	case strings.Contains(pg.Message, "invalid memory alloc request size"),
		class == "54",
		pg.Code == pgerrcode.OutOfMemory:
		return problem.Invalid(
			"sql",
			"The statement needs too much memory: it makes a text or a list that is too long",
		).
			WithCode(
				problem.CodeSQLTooLarge,
			).Because(
			err,
		)
	case class == "42", class == "22", class == "21", class == "0A", class == "2B":
		return invalid(statement, at, message).Because(err)
	}
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeSQLUnavailable,
		Message: "The database could not run the statement at this moment; try again shortly.",
	}).Because(err)
}

func tooSlow(limit time.Duration) *problem.Error {
	return problem.Invalid("sql", "The statement ran for %s, which is the limit. Filter earlier, group before "+
		"joining, or ask for less", limit).WithCode(problem.CodeSQLTimeout)
}

// columnHint names the columns that exist.
func columnHint(message string, checked *allowlist.Statement) string {
	match := unknownColumn.FindStringSubmatch(message)
	if match == nil || len(checked.Relations) == 0 {
		return ""
	}
	word := match[1] + match[2]
	var all []string
	var lists []string
	for _, relation := range checked.Relations {
		all = append(all, relation.Columns...)
		lists = append(lists, relation.Name+": "+problem.List(relation.Columns))
	}
	hint := problem.DidYouMean(word, all)
	if hint == "" {
		hint = "."
	} else if strings.ContainsAny(hint, " ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		hint += " Names with spaces or capitals are written in double quotes."
	}
	hint += " The columns are " + strings.Join(lists, "; ")
	if len(checked.Links) > 0 {
		hint += "; links are in the tables " + problem.List(checked.Links)
	}
	return hint
}
