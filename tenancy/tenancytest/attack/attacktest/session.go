package attacktest

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// A session is a connection of which the runner reads every message, because an attacker may learn
// from any of them.
type session struct {
	login Login
	conn  net.Conn
	wire  *pgproto3.Frontend
}

// A resultSet is what one statement returned.
type resultSet struct {
	columns []string
	rows    [][]string // a null is "\N"
	tag     string
}

// An answer is everything that came back for a text of SQL.
type answer struct {
	results []resultSet
	notices []string // messages and notifications
	copied  strings.Builder
	failure *pgproto3.ErrorResponse
}

const null = `\N`

// deadline is how long a text may take, beyond the statement timeout.
const deadline = 20 * time.Second

var errGone = errors.New("the session has ended")

// send runs a text of SQL with the simple protocol and reads all of the answer.
func (s *session) send(sql string) (*answer, error) {
	out := &answer{}
	if err := s.conn.SetDeadline(time.Now().Add(deadline)); err != nil {
		return out, fmt.Errorf("setting a deadline: %w", err)
	}
	s.wire.Send(&pgproto3.Query{String: sql})
	if err := s.wire.Flush(); err != nil {
		return out, fmt.Errorf("%w: %w", errGone, err)
	}
	var current resultSet
	for {
		message, err := s.wire.Receive()
		if err != nil {
			return out, fmt.Errorf("%w: %w", errGone, err)
		}
		switch m := message.(type) {
		case *pgproto3.RowDescription:
			for _, field := range m.Fields {
				current.columns = append(current.columns, string(field.Name))
			}
		case *pgproto3.DataRow:
			row := make([]string, len(m.Values))
			for i, value := range m.Values {
				row[i] = null
				if value != nil {
					row[i] = string(value)
				}
			}
			current.rows = append(current.rows, row)
		case *pgproto3.CommandComplete:
			current.tag = string(m.CommandTag)
			out.results = append(out.results, current)
			current = resultSet{}
		case *pgproto3.CopyData:
			out.copied.Write(m.Data)
		case *pgproto3.CopyInResponse:
			// Rows for COPY … FROM STDIN: none.
			s.wire.Send(&pgproto3.CopyDone{})
			if err := s.wire.Flush(); err != nil {
				return out, fmt.Errorf("%w: %w", errGone, err)
			}
		case *pgproto3.NoticeResponse:
			out.notices = append(out.notices, strings.Join([]string{m.Message, m.Detail, m.Hint, m.Where}, "\n"))
		case *pgproto3.NotificationResponse:
			out.notices = append(out.notices, "notification "+m.Channel+" "+m.Payload)
		case *pgproto3.ErrorResponse:
			failure := *m
			out.failure = &failure
			// The rows that came before the error came all the same.
			if len(current.rows) > 0 || len(current.columns) > 0 {
				out.results = append(out.results, current)
				current = resultSet{}
			}
		case *pgproto3.ReadyForQuery:
			return out, nil
		}
	}
}

// add appends the answer to the next part of the same attack.
func (a *answer) add(next *answer) {
	a.results = append(a.results, next.results...)
	a.notices = append(a.notices, next.notices...)
	a.copied.WriteString(next.copied.String())
	if next.failure != nil {
		a.failure = next.failure
	}
}

// must runs SQL of the runner's own.
func (s *session) must(sql string) error {
	out, err := s.send(sql)
	if err != nil {
		return err
	}
	if out.failure != nil {
		return fmt.Errorf("%s: %s (in %q)", out.failure.Code, out.failure.Message, sql)
	}
	return nil
}

// text is all of an answer, as one text in which to look for what must not be there.
func (a *answer) text() string {
	var b strings.Builder
	for _, result := range a.results {
		b.WriteString(strings.Join(result.columns, "\t") + "\n")
		for _, row := range result.rows {
			b.WriteString(strings.Join(row, "\t") + "\n")
		}
	}
	b.WriteString(a.copied.String())
	b.WriteString(strings.Join(a.notices, "\n") + "\n")
	if f := a.failure; f != nil {
		b.WriteString(strings.Join([]string{
			f.Message, f.Detail, f.Hint, f.Where, f.InternalQuery, f.SchemaName, f.TableName,
			f.ColumnName, f.DataTypeName, f.ConstraintName,
		}, "\n"))
	}
	return b.String()
}
