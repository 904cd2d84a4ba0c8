package record

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A longValue stands in a cursor for a sort value that is too long to travel. The record that the cursor names still holds the value as a
// rule, which the checksum tells.
type longValue struct {
	sum    [sha256.Size]byte
	prefix []byte // of a text; empty for others
}

func shorten(f *schema.Field, value []byte) longValue {
	long := longValue{sum: sha256.Sum256(value)}
	if isText(f) {
		n := maxCursorPrefix
		for n > 0 && !utf8.RuneStart(value[n]) {
			n--
		}
		long.prefix = value[:n]
	}
	return long
}

// afterAll sorts behind everything that begins with the text before it: U+FFFF has the highest weight of the root collation (Unicode TR 35,
// part 5, "Tailored noncharacter weights").
const afterAll = "\uffff"

// resolve finds the long values of a listing's cursor in the record that it names. Where the record has gone or its value is another one
// by now, the list goes on from the beginning of the text: records may then be seen twice, and none is left out. A list of options has no
// such place, so its cursor is refused.
func (e *Engine) resolve(ctx context.Context, actor Actor, l *listing) error {
	if l.cursor == nil || len(l.cursor.long) == 0 {
		return nil
	}
	columns := make([]string, len(l.sorts))
	for i, s := range l.sorts {
		columns[i] = "t." + s.Field.Column()
	}
	now := make([][]byte, len(l.sorts))
	err := e.db.TableBatch(ctx, actor.Org, l.table.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+strings.Join(columns, ", ")+" from "+l.table.Relation()+" t where t.id = $1", l.cursor.row).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				for i, raw := range rows.RawValues() {
					now[i] = slices.Clone(raw)
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return fmt.Errorf("looking for the values of a cursor: %w", err)
	}
	for i, long := range l.cursor.long {
		f := l.sorts[i].Field
		switch {
		case now[i] != nil && sha256.Sum256(now[i]) == long.sum:
			l.cursor.values[i] = now[i]
		case !isText(f):
			return problem.Invalid("cursor", "stands behind a record whose %q has changed since; begin again without one", f.Name)
		case l.sorts[i].Desc:
			l.cursor.values[i] = append(slices.Clone(long.prefix), afterAll...)
		default:
			l.cursor.values[i] = long.prefix
		}
	}
	return nil
}
