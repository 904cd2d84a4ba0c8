package record

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/progress"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxExport bounds the CSV of one response, in bytes. A stream has no bound.
const MaxExport = 5 << 20

// An Export asks for the records of a list as CSV.
type Export struct {
	query.Request     // Limit is how many records it asks for at most; 0: all
	MaxBytes      int // of the text; 0: any number
}

// An Exported describes CSV that was written. HasMore says that a bound has cut it; Cursor continues after it.
type Exported struct {
	Rows    int
	Total   int64
	HasMore bool
	Cursor  string
	// Guarded is how many cells got an apostrophe in front, because a spreadsheet would run them as a formula.
	Guarded int
}

// Export writes a list of records as CSV (RFC 4180) with a line of field names, a page at a time. Linked
// records and people are written by name if the name is unique, and otherwise by id, so that an import finds
// the same ones; files by name. What was written stays written if an error follows.
func (e *Engine) Export(
	ctx context.Context, actor Actor, table uuid.UUID, in Export, write func(text []byte) error,
) (Exported, error) {
	var out Exported
	size := 0
	begun := false
	err := e.pages(ctx, actor, table, in.Request, false, func(page *ExportPage, request query.Request) (bool, error) {
		x := &exporter{links: page.links, people: page.people, max: math.MaxInt}
		if in.MaxBytes > 0 {
			x.max = in.MaxBytes - size
		}
		if !begun {
			x.header(page.fields)
			begun = true
		}
		fitting := x.rows(page)
		out.Total, out.HasMore, out.Cursor = page.Total, page.HasMore, page.Cursor
		cut := fitting < len(page.values)
		if cut {
			if fitting == 0 && out.Rows == 0 {
				return false, firstTooLarge(in.MaxBytes)
			}
			var err error
			if out.HasMore, out.Cursor, err = e.cursorBehind(ctx, actor, table, request, fitting); err != nil {
				return false, err
			}
		}
		if err := write(x.text.Bytes()); err != nil {
			return false, fmt.Errorf("writing an export: %w", err)
		}
		out.Rows, out.Guarded, size = out.Rows+fitting, out.Guarded+x.guarded, size+x.text.Len()
		all := int(out.Total)
		if in.Limit > 0 {
			all = min(all, in.Limit)
		}
		progress.Report(ctx, out.Rows, all, "Read %d of %s", out.Rows, problem.Count(all, "record"))
		return !cut, nil
	})
	return out, err
}

func firstTooLarge(most int) error {
	return (&problem.Error{Kind: problem.KindTooLarge, Message: fmt.Sprintf("The first record takes more than the %d "+
		"bytes that the text may have; name fewer fields.", most)}).WithCode(problem.CodeResultTooLarge)
}

// cursorBehind returns the cursor that continues after the first records of a page.
func (e *Engine) cursorBehind(
	ctx context.Context, actor Actor, table uuid.UUID, request query.Request, shown int,
) (more bool, cursor string, err error) {
	if shown == 0 {
		return true, request.Cursor, nil
	}
	request.Limit = shown
	page, err := e.List(ctx, actor, table, request)
	return page.HasMore, page.Cursor, err
}

// linkNames are the names of linked records, and the records that names are of.
type linkNames struct {
	names map[string]string   // by id
	found map[string][]string // ids, by name
}

// namesOf finds the names of the records that the values at a position link to, and whether they are unique.
func (e *Engine) namesOf(
	ctx context.Context, org uuid.UUID, linked *schema.Table, records [][]json.RawMessage, at int,
) (*linkNames, error) {
	out := &linkNames{names: map[string]string{}, found: map[string][]string{}}
	if linked == nil || linked.Title() == "" {
		return out, nil
	}
	var lists [][]string
	var rows []uuid.UUID
	for _, record := range records {
		ids := stringsOf(record[at])
		lists = append(lists, ids)
		for _, public := range ids {
			if _, row, err := id.ParseRecord(public); err == nil {
				rows = append(rows, row)
			}
		}
	}
	if len(rows) == 0 {
		return out, nil
	}
	err := e.db.TableBatch(ctx, org, linked.Ref(), func(b *pgx.Batch) {
		b.Queue("select t.id, coalesce("+linked.Title()+", '') from "+linked.TitleFrom()+
			" where t.id = any ($1)", rows).Query(func(result pgx.Rows) error {
			var row uuid.UUID
			var name string
			_, err := pgx.ForEachRow(result, []any{&row, &name}, func() error {
				out.names[id.FormatRecord(linked.Number, row)] = name
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the names of linked records: %w", err)
	}
	var named namedRecords
	for _, name := range out.names {
		named.names = append(named.names, name)
	}
	for _, ids := range lists {
		if len(ids) > 1 { // a record may have the name of several
			named.names = append(named.names, field.Parts(out.joined(ids))...)
		}
	}
	out.found, err = e.recordsNamed(ctx, org, linked, named)
	return out, err
}

func (n *linkNames) joined(ids []string) string {
	names := make([]string, len(ids))
	for i, public := range ids {
		names[i] = n.names[public]
	}
	return field.JoinNames(names)
}

// text writes a cell that an import reads as the same records.
func (n *linkNames) text(ids []string) string {
	parts := n.entries(ids)
	if len(parts) == 1 {
		return parts[0]
	}
	return field.JoinNames(parts)
}

// entries are what an import reads as the same records: their names, or the ids of records without a unique name.
func (n *linkNames) entries(ids []string) []string {
	parts := make([]string, len(ids))
	for i, public := range ids {
		name := n.names[public]
		if name == "" || name != strings.TrimSpace(name) || isID(name) || len(n.found[name]) != 1 {
			name = public
		}
		parts[i] = name
	}
	text := field.JoinNames(parts)
	if len(ids) == 1 {
		text = parts[0]
	}
	if !slices.Equal(field.SplitNames(text, func(name string) bool { return len(n.found[name]) > 0 }), parts) {
		return ids
	}
	return parts
}

// An exporter writes the rows of one page.
type exporter struct {
	text    bytes.Buffer
	links   map[*schema.Field]*linkNames
	people  *linkNames
	max     int
	guarded int
}

func (x *exporter) header(fields []*schema.Field) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = delimited.Guard(f.Name)
	}
	delimited.Write(&x.text, names)
}

// rows writes as many records as fit, and returns their number.
func (x *exporter) rows(page *ExportPage) int {
	cells := make([]string, len(page.fields))
	for i, values := range page.values {
		guarded := 0
		for at, f := range page.fields {
			text, isText := x.cell(f, values[at])
			if isText {
				if safe := delimited.Guard(text); safe != text {
					text = safe
					guarded++
				}
			}
			cells[at] = text
		}
		before := x.text.Len()
		delimited.Write(&x.text, cells)
		if x.text.Len() > x.max {
			x.text.Truncate(before)
			return i
		}
		x.guarded += guarded
	}
	return len(page.values)
}

// cell writes a value as text, and says whether it is one that a person may have written.
func (x *exporter) cell(f *schema.Field, raw []byte) (text string, isText bool) {
	if f.Type() == schema.JSON && len(raw) > 0 && jsonvalue.Kind(raw) != jsonvalue.Null {
		return string(raw), true
	}
	if f.Info().People {
		return x.people.text(stringsOf(raw)), true
	}
	if f.Computed != nil && f.Config.Format != "" {
		return formatted(f, raw)
	}
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Object: // a computed value that is an error
		return failureMark, false
	case jsonvalue.String:
		text, err := jsonvalue.Unquote(raw)
		if err == nil && f.Link != nil {
			text = x.links[f].text([]string{text})
		}
		return text, true
	case jsonvalue.Array:
		if f.Link != nil {
			return x.links[f].text(stringsOf(raw)), true
		}
		parts, ok := entriesOf(raw)
		if !ok {
			names := fileNamesOf(raw)
			if names == nil {
				return string(raw), true
			}
			return field.JoinNames(names), true
		}
		return f.Config.JoinOptions(parts), true
	case jsonvalue.Null:
		return "", false
	default:
		if k, ok := f.Kind.(*field.NumberLike); ok && k.IsDuration() {
			return field.DurationText(raw), false
		}
		return string(raw), false
	}
}

// formatted writes a computed value in the format of its field. A symbol of a currency is a text that people write.
func formatted(f *schema.Field, raw []byte) (text string, isText bool) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil || value == nil {
		return "", false
	}
	_, number := value.(json.Number)
	shown := f.Kind.Show(&f.Field, nil, value)
	return shown.Plain(), !number || f.Config.Format == string(schema.Currency)
}

// failureMark is an error of a computed field in a file, as the application shows it in a cell.
const failureMark = "#ERROR"

// entriesOf reads the entries of a list that are not empty, as texts.
func entriesOf(raw []byte) ([]string, bool) {
	var list []any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&list) != nil {
		return nil, false
	}
	parts := make([]string, 0, len(list))
	for _, entry := range list {
		switch v := entry.(type) {
		case nil:
		case string:
			parts = append(parts, v)
		case bool, json.Number:
			parts = append(parts, fmt.Sprint(v))
		default:
			return nil, false
		}
	}
	return parts, true
}

// fileNamesOf reads the names of a list of files; nil if it is no such list.
func fileNamesOf(raw []byte) []string {
	var files []struct{ Name string }
	if json.Unmarshal(raw, &files) != nil {
		return nil
	}
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
	}
	return names
}

// stringsOf reads a string or a list of them.
func stringsOf(raw []byte) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	return nil
}
