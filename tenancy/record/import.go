package record

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of an import.
const (
	MaxImport   = 20_000 // rows
	maxRefusals = 50     // that are listed
)

// An Import makes records of the rows of a CSV text.
type Import struct {
	CSV         string
	UpsertOn    []string
	SkipRefused bool // leave out rows that do not fit; otherwise they refuse the import
	Plan        bool // say what would happen, and change nothing
}

// A Refusal says what is wrong with a row. The line of the text is that in which the row begins, from 1.
type Refusal struct {
	Line    int    `json:"line"`
	Field   string `json:"field,omitzero"`
	Message string `json:"message"`
}

// An ImportResult says what an import has done, or what it would do.
type ImportResult struct {
	Created  int       `json:"created"`
	Updated  int       `json:"updated"`
	Refused  int       `json:"refused"`             // rows
	Refusals []Refusal `json:"refusals,omitzero"`   // the first of them
	Options  []string  `json:"newOptions,omitzero"` // of selects, as "Field: Option", that a plan would add
}

// An importRow is a row of the text.
type importRow struct {
	line   int
	fields jsonvalue.ParsedObject
	items  []problem.Item // what is known to be wrong with it
}

// errPlanned ends the transaction of an import that is only planned.
var errPlanned = errors.New("the import was planned")

// Import creates or upserts records from CSV, in one transaction.
func (e *Engine) Import(ctx context.Context, actor Actor, table uuid.UUID, in Import) (ImportResult, error) {
	var out ImportResult
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		var err error
		out, err = e.importOnce(ctx, actor, s, t, &in)
		return err
	})
	return out, err
}

func (e *Engine) importOnce(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Import,
) (ImportResult, error) {
	rows, err := readCSV(t, in.CSV)
	if err != nil {
		return ImportResult{}, err
	}
	if err := e.nameLinks(ctx, actor, s, t, rows); err != nil {
		return ImportResult{}, err
	}
	var out ImportResult
	input, kept := newWriteInput(s, t, true), make([]importRow, 0, len(rows))
	for _, one := range rows {
		// Each row is read on its own first, so that its mistakes are known as its.
		alone := newWriteInput(s, t, true)
		if alone.items = one.items; len(alone.items) == 0 {
			r := alone.add("", one.fields)
			switch {
			case len(alone.items) > 0:
			case in.UpsertOn != nil:
				alone.items = missingKeys(one.fields, in.UpsertOn)
			default:
				alone.applyDefaults(r)
			}
		}
		if len(alone.items) == 0 {
			kept = append(kept, one)
			continue
		}
		out.Refused++
		for _, item := range alone.items {
			if len(out.Refusals) < maxRefusals {
				out.Refusals = append(out.Refusals, Refusal{one.line, strings.TrimPrefix(item.Path, "."), item.Message})
			}
		}
	}
	if out.Refused > 0 && !in.SkipRefused && !in.Plan {
		return ImportResult{}, refusedError(&out)
	}
	if len(kept) == 0 {
		return out, nil
	}
	creation := Creation{Typecast: true, UpsertOn: in.UpsertOn, Lines: make([]int, len(kept))}
	for i, one := range kept {
		creation.Records, creation.Lines[i] = append(creation.Records, one.fields), one.line
	}
	for i := range creation.Records {
		input.add(creation.path(i), creation.Records[i])
	}
	if in.Plan {
		return out, e.planImport(ctx, actor, input, &creation, &out)
	}
	if in.UpsertOn != nil {
		written, err := e.upsertOnce(ctx, actor, s, t, creation)
		if err == nil {
			out.Created, out.Updated = len(written.Upsert.Created), len(written.Upsert.Updated)
		}
		return out, err
	}
	for i := range input.rows {
		input.rows[i].id = id.New()
	}
	if err := e.prepare(ctx, actor, input); err != nil {
		return ImportResult{}, err
	}
	for i := range input.rows {
		input.applyDefaults(&input.rows[i])
	}
	if err := input.err(); err != nil {
		return ImportResult{}, err
	}
	event := &audit.Event{
		Action: "import_records", Subject: t.PublicID(), Detail: map[string]any{"count": len(input.rows)},
	}
	if _, err := e.write(ctx, actor, input, true, event); err != nil {
		return ImportResult{}, e.explain(ctx, actor, input, fmt.Errorf("importing records: %w", err))
	}
	out.Created = len(input.rows)
	return out, nil
}

// planImport finds out which rows would be new.
func (e *Engine) planImport(
	ctx context.Context, actor Actor, input *writeInput, creation *Creation, out *ImportResult,
) error {
	for _, f := range input.table.Fields {
		for _, name := range input.missingOptions[f.ID] {
			out.Options = append(out.Options, f.Name+": "+name)
		}
	}
	out.Created = len(input.rows)
	if creation.UpsertOn == nil {
		return nil
	}
	fields, err := keyFields(input.table, creation.UpsertOn)
	if err != nil {
		return err
	}
	keys := input.keys(fields)
	if err := input.err(); err != nil {
		return err
	}
	w := e.newWriter(actor, input)
	err = e.db.TableTx(ctx, actor.Org, input.table.Ref(), func(tx pgx.Tx) error {
		found := map[int][]uuid.UUID{}
		batch := &pgx.Batch{}
		keys.match(batch, input, w.rowLock(), found)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("looking for the records: %w", err)
		}
		out.Updated = len(found)
		out.Created -= len(found)
		return errPlanned
	})
	if errors.Is(err, errPlanned) {
		return nil
	}
	return err
}

// refusedError refuses an import with the mistakes of its rows.
func refusedError(out *ImportResult) error {
	items := make([]problem.Item, len(out.Refusals))
	for i, r := range out.Refusals {
		items[i] = problem.Item{Path: "csv line " + strconv.Itoa(r.Line), Message: r.Message}
		if r.Field != "" {
			items[i].Path += "." + r.Field
		}
	}
	return problem.InvalidItems(items[:min(len(items), maxItems)])
}

// missingKeys reports the fields of an upsert that a row leaves empty.
func missingKeys(fields jsonvalue.ParsedObject, keys []string) []problem.Item {
	var items []problem.Item
	for _, key := range keys {
		if !slices.ContainsFunc(fields.Members(), func(m jsonvalue.Member) bool { return m.Name == key }) {
			items = append(items, problem.Item{Path: "." + key, Message: "is empty, and upsertOn names it"})
		}
	}
	return items
}

// readCSV reads the rows of a text whose first line names fields.
func readCSV(t *schema.Table, text string) ([]importRow, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = delimiterOf(text)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return nil, problem.Invalid("csv", "has no first line with the names of fields: %v", err)
	}
	var columns []*schema.Field
	var items []problem.Item
	for _, name := range header {
		name = strings.TrimSpace(name)
		f := t.FieldByName(name)
		if f == nil {
			if i := slices.IndexFunc(t.Fields,
				func(f *schema.Field) bool { return naming.Key(f.Name) == naming.Key(name) }); i >= 0 {
				f = t.Fields[i]
			}
		}
		switch {
		case f == nil:
			names := t.FieldNames()
			items = append(items, problem.Item{Path: "csv line 1", Message: fmt.Sprintf(
				"%s is not a field of %q%s; its fields are %s", field.Quote(name), t.Name,
				problem.DidYouMean(name, names), problem.List(names))})
		case slices.Contains(columns, f):
			items = append(items, problem.Item{Path: "csv line 1", Message: fmt.Sprintf("names %q twice", f.Name)})
		}
		columns = append(columns, f)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items[:min(len(items), maxItems)])
	}
	var rows []importRow
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, problem.Invalid("csv", "is not CSV: %v", err)
		}
		if len(rows) == MaxImport {
			return nil, problem.Invalid("csv", "has more than %d rows; import it in parts", MaxImport)
		}
		line, _ := reader.FieldPos(0)
		var members []jsonvalue.Member
		size := 0
		for i, cell := range cells {
			if cell == "" {
				continue
			}
			size += len(cell)
			value := field.AppendString(nil, strings.ToValidUTF8(cell, "\ufffd"))
			members = append(members, jsonvalue.Member{Name: columns[i].Name, Value: value})
		}
		rows = append(rows, importRow{line: line, fields: jsonvalue.NewParsedObject(members, size)})
	}
}

// delimiterOf finds what separates the cells of the first line: a comma, a semicolon or a tab.
func delimiterOf(text string) rune {
	first, _, _ := strings.Cut(text, "\n")
	best, most := ',', strings.Count(first, ",")
	for _, r := range []rune{';', '\t'} {
		if n := strings.Count(first, string(r)); n > most {
			best, most = r, n
		}
	}
	return best
}
