package record

import (
	"strconv"
	"strings"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
)

// The statements that write one row. To write their texts anew for every record would cost more than to find the record's values, so
// an engine keeps those that it wrote lately.

// keptStatements is enough for the single writes of some thousand tables in use at a time; a text has one to two KB.
const keptStatements = 4096

// A statementKey names the text of a statement that writes one row.
type statementKey struct {
	encoder       uint64 // serial of the encoder that reads the row
	fields        string // as fieldsKey names them
	fresh, counts bool
}

// serials number the encoders of this process. A key holds on to no encoder, and so to no schema.
var serials atomic.Uint64

func newStatements() *lru.Cache[statementKey, string] {
	kept, err := lru.New[statementKey, string](keptStatements)
	if err != nil {
		panic(err) // the size is positive
	}
	return kept
}

// fieldsKey names the fields that an input writes, and says whether the record is weighed.
func (in *writeInput) fieldsKey() string {
	var key []byte
	for _, f := range in.fields {
		key = append(strconv.AppendInt(key, int64(f.Number), 10), ',')
	}
	if len(in.rows) == 1 && in.rows[0].weighs() {
		key = append(key, 'w')
	}
	return string(key)
}

// statement returns the text that build writes, or wrote before for a write of the same fields.
func (w *writer) statement(fresh bool, build func() string) string {
	if w.fieldsKey == "" {
		return build()
	}
	key := statementKey{w.encoder.serial, w.fieldsKey, fresh, w.counts}
	text, ok := w.statements.Get(key)
	if !ok {
		text = build()
		w.statements.Add(key, text)
	}
	return text
}

// insertOne queues a new row; it ends the transaction when the table's schema is another.
func (w *writer) insertOne(b *pgx.Batch, r *row) {
	fields := w.take.fields
	args := append(make([]any, 0, 6+len(fields)), r.id, r.author, w.table.Version)
	for i := range fields {
		value, _ := r.value(i)
		args = append(args, value)
	}
	if w.counts {
		args = append(args, w.table.Org, w.table.Number, 1)
	}
	b.Queue(w.statement(true, func() string {
		var text strings.Builder
		if w.counts {
			text.WriteString("with counted as (" + counting(4+len(fields)) + ") ")
		}
		text.WriteString("insert into " + w.table.Relation() + " as t (id, created_by, updated_by" + columnsOf(fields) + ")" +
			" values (case when " + w.table.Ref().AssertVersion("$3") + " then $1::uuid end, $2, $2")
		for i, f := range fields {
			text.WriteString(", $" + strconv.Itoa(4+i) + singleCast(f))
		}
		text.WriteString(") returning " + w.encoder.columns)
		return text.String()
	}), args...).Query(w.receive)
}

// updateOne queues the change of a row that is there; it ends the transaction when it is not, or the table's schema is another.
func (w *writer) updateOne(b *pgx.Batch, r *row) {
	args := append(make([]any, 0, 7+len(r.values)), r.author, w.table.Version)
	for i := range w.take.fields {
		if value, given := r.value(i); given {
			args = append(args, value)
		}
	}
	row := len(args) + 1 // the placeholder of its id
	args = append(args, r.id, 1)
	if w.counts {
		args = append(args, w.table.Org, w.table.Number, 0)
	}
	b.Queue(w.statement(false, func() string {
		set := "updated_at = now(), updated_by = $1"
		placeholder := 3
		for i, f := range w.take.fields {
			if _, given := r.value(i); given {
				set += ", " + f.Column() + " = $" + strconv.Itoa(placeholder) + singleCast(f)
				placeholder++
			}
		}
		counted := ""
		if w.counts {
			counted = ", counted as (" + counting(row+2) + ")"
		}
		return w.updated(set+" where t.id = $"+strconv.Itoa(row), row+1, counted, r.weighs())
	}), args...).Query(w.receive)
}
