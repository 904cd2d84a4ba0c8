package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/progress"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of an import.
const (
	MaxImport   = 20_000 // rows
	maxRefusals = 100    // that are listed
	importSteps = 3      // that are reported: reading, checking and writing
)

// An Import makes records of the rows of a text of CSV or TSV. Package delimited reads the text, and
// package field its cells.
type Import struct {
	CSV       string // its bytes, in any encoding
	Encoding  string // "": found in the text
	Delimiter byte   // 0: found in the text
	// Columns say which fields the columns are for, if no row of the text does; its first row is then
	// the one at Line of a larger text.
	Columns []ImportColumn
	Line    int
	// Styled says that Columns have all of their styles, found in a larger text, so that no cell is read for them.
	Styled bool
	// Windowed reads all of the text and imports up to MaxImport rows from the row Offset on.
	Windowed bool
	Offset   int
	// Style is how columns write numbers and dates if neither they nor other columns decide it.
	Style       field.Style
	UpsertOn    []string
	SkipRefused bool   // leave out rows that do not fit; otherwise they refuse the import
	Plan        bool   // say what would happen, and change nothing
	Apply       string // the token of a plan
	// Credential is the public id of the caller's credential, to which a plan is bound.
	Credential string
	// EmptyUnfit leaves cells empty that do not fit, instead of refusing their rows, unless their fields are required.
	EmptyUnfit bool
	// Step queues statements of the transaction that writes the rows, if any are written; see db.Actor.
	Step func(b *pgx.Batch, out *ImportResult)
	// Ahead is the same import, read before; nil: it is read now.
	Ahead *Reading
	// Detailed lists every refused row with its cells.
	Detailed bool
}

// An ImportColumn is the use of a column.
type ImportColumn struct {
	Field string      // its name or id; "" for nothing
	Style field.Style // takes precedence over what the column decides
}

// A Refusal is a mistake in a row, or in a cell of it. Lines and columns count from 1: the line of the
// text in which the cell begins, and the position of the cell in its row.
type Refusal struct {
	Line    int    `json:"line"`
	Column  int    `json:"column,omitzero"` // 0: the row as a whole
	Field   string `json:"field,omitzero"`
	Message string `json:"message"`
	// Cells are the cells of the row, if the request asks for them.
	Cells []string `json:"cells,omitzero"`
}

// An ImportResult says what an import has done, or what it would do.
type ImportResult struct {
	Created  int       `json:"created"`
	Updated  int       `json:"updated"`
	Refused  int       `json:"refused"`           // rows
	Refusals []Refusal `json:"refusals,omitzero"` // the first mistakes
	// RefusedLines are the lines of all refused rows, as "3-8, 11"; MoreRefusals is how many mistakes Refusals leaves
	// out.
	RefusedLines string   `json:"refusedLines,omitzero"`
	MoreRefusals int      `json:"moreRefusals,omitzero"`
	Options      []string `json:"newOptions,omitzero"` // of selects, as "Field: Option", that a plan would add
	// Ignored are fields that have a column and are not written: computed fields, and files by name. A
	// column without a name is "column 1".
	Ignored []string `json:"ignoredFields,omitzero"`
	// Readings say how ambiguous columns were read, and Skipped is the number of rows before the row
	// that names the fields.
	Readings []string `json:"readings,omitzero"`
	Skipped  int      `json:"skippedRows,omitzero"`
	Emptied  int      `json:"-"` // cells that were left empty, which Refusals has too
	// Rows is the number of rows of the file, and NextOffset where the next window begins.
	Rows       int `json:"rows,omitzero"`
	NextOffset int `json:"nextOffset,omitzero"`
	plan.Offer     // of a plan that can be applied
	// RefusedRows are all refused rows, if Refusals leaves mistakes out and the others were written.
	// The first row names the columns.
	RefusedRows [][]string `json:"-"`
}

// Import creates or upserts records from CSV, in one transaction.
func (e *Engine) Import(ctx context.Context, actor Actor, table uuid.UUID, in Import) (ImportResult, error) {
	e, ctx, err := e.applying(ctx, actor.Org, plan.Request{
		Only: in.Plan, Apply: in.Apply, Credential: in.Credential, Asked: in.asked(table),
	})
	if err != nil {
		return ImportResult{}, err
	}
	var out ImportResult
	err = e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		may := mayCreate
		if in.UpsertOn != nil {
			may = mayUpsert
		}
		if err := may(t); err != nil {
			return err
		}
		progress.Report(ctx, 0, importSteps, "Reading the rows")
		run := in.Ahead.take(t)
		if run == nil {
			text, err := readCSV(t, &in)
			if err != nil {
				return err
			}
			run = &importRun{text: text}
		}
		run.Engine, run.actor, run.in, run.made, run.exclusive = e, actor, &in, e.now(), exclusive
		var err error
		out, err = run.do(ctx, s, t)
		return run.text.place(err)
	})
	return out, e.explainUse(ctx, actor.Org, err)
}

// asked is a digest of the request.
func (in *Import) asked(table uuid.UUID) plan.Digest {
	if !in.Plan && in.Apply == "" {
		return plan.Digest{}
	}
	h := plan.NewHash("import", string(table[:]), in.CSV, strconv.FormatBool(in.SkipRefused), in.Encoding,
		string(in.Delimiter), in.Style.Decimal, string(in.Style.Order), strconv.Itoa(in.Offset))
	h.WriteNumber(int64(len(in.UpsertOn)))
	h.Write(in.UpsertOn...)
	for _, c := range in.Columns {
		h.Write(c.Field, c.Style.Decimal, string(c.Style.Order))
	}
	return h.Digest()
}

// An importRun is one attempt at an import.
type importRun struct {
	*Engine
	actor     Actor
	in        *Import
	text      *importText
	made      time.Time
	exclusive bool // as in writeInput
	checked   bool // the rows are

	kept     []*importRow     // rows that fit
	creation Creation         // of these
	input    *writeInput      // the same
	matches  map[int]selected // the existing records, by the index of their row among kept
	emptied  []Refusal
	out      ImportResult
}

func (r *importRun) do(ctx context.Context, s *schema.Snapshot, t *schema.Table) (ImportResult, error) {
	var keys []*schema.Field
	if r.in.UpsertOn != nil {
		var err error
		if keys, err = keyFields(t, r.in.UpsertOn); err != nil {
			return ImportResult{}, err
		}
	}
	progress.Report(ctx, 1, importSteps, "Checking %s", problem.Count(len(r.text.rows), "row"))
	if err := r.nameRows(ctx, s, t); err != nil {
		return ImportResult{}, err
	}
	r.out.Ignored, r.out.Skipped, r.out.Readings = r.text.ignored, r.text.skipped, r.text.readings()
	r.out.Rows, r.out.NextOffset = r.text.total, r.text.next
	if !r.checked {
		r.check(s, t, keys)
	}
	if keys != nil {
		if err := r.match(ctx, s, t, keys); err != nil {
			return ImportResult{}, err
		}
	}
	if err := r.refuseTaken(ctx, s, t, keys); err != nil {
		return ImportResult{}, err
	}
	if err := r.refuse(); err != nil {
		return ImportResult{}, err
	}
	r.out.Updated = len(r.matches)
	r.out.Created = len(r.kept) - r.out.Updated
	seen := r.seen(t)
	if r.in.Plan {
		return r.out, r.plan(t, seen)
	}
	if r.applied != nil && r.applied.Seen != seen {
		return ImportResult{}, r.moved(t)
	}
	if len(r.kept) == 0 {
		return r.out, r.useNothing(ctx, r.actor.Org)
	}
	progress.Report(ctx, 2, importSteps, "Writing %s", problem.Count(len(r.kept), "record"))
	return r.out, r.write(ctx, s, t)
}

// nameRows replaces the names of linked records by ids.
func (r *importRun) nameRows(ctx context.Context, s *schema.Snapshot, t *schema.Table) error {
	objects := make([]jsonvalue.ParsedObject, len(r.text.rows))
	for i := range r.text.rows {
		objects[i] = r.text.rows[i].fields
	}
	named, err := r.replaceNames(ctx, r.actor, s, t, objects, true, func(i int, item problem.Item) {
		row := &r.text.rows[i]
		row.items, row.unnamed = append(row.items, item), true
	})
	if err != nil {
		return err
	}
	for i := range named {
		r.text.rows[i].fields = named[i]
	}
	return nil
}

func (r *importRun) newInput(s *schema.Snapshot, t *schema.Table) *writeInput {
	input := newWriteInput(s, t, true)
	input.styleOf, input.person = r.text.styleOf, r.actor.Person
	return input
}

// collect makes the input once more, when rows that fit by themselves have turned out not to.
func (r *importRun) collect(s *schema.Snapshot, t *schema.Table) {
	r.begin(s, t)
	for i := range r.text.rows {
		if row := &r.text.rows[i]; len(row.items) == 0 {
			r.keep(row)
			r.input.add(linePath(row.line), row.fields)
		}
	}
}

// match finds the existing records. It refuses rows with the key of an earlier row or of several
// records, and new records that lack a required value.
func (r *importRun) match(
	ctx context.Context, s *schema.Snapshot, t *schema.Table, fields []*schema.Field,
) error {
	keys := r.input.keys(fields)
	if len(keys.twins) > 0 {
		r.text.refuseTwins(keys.twins, fields)
		r.collect(s, t)
		keys = r.input.keys(fields)
	}
	found := map[int][]selected{}
	err := r.db.TableBatch(ctx, r.actor.Org, t.Ref(), func(b *pgx.Batch) { keys.match(b, r.input, "", found) })
	if err != nil {
		return fmt.Errorf("looking for the records: %w", err)
	}
	refused := false
	for i, row := range r.kept {
		if len(found[i]) == 0 {
			single := r.newInput(s, t)
			single.applyDefaults(single.add("", row.fields))
			row.items = append(row.items, single.items...)
			refused = refused || len(single.items) > 0
		}
	}
	for i, records := range found {
		if len(records) > 1 {
			refused = true
			r.kept[i].items = append(r.kept[i].items,
				problem.Item{Path: "." + fields[0].Name, Message: severalMatches(t, fields, records)})
		}
	}
	if refused { // their indexes change
		r.collect(s, t)
		return r.match(ctx, s, t, fields)
	}
	r.matches = map[int]selected{}
	for i, records := range found {
		r.matches[i] = records[0]
	}
	return nil
}

// refuse records the refused rows. They fail the import, unless it leaves them out.
func (r *importRun) refuse() error {
	mistakes := 0
	var lines []int
	for i := range r.text.rows {
		row := &r.text.rows[i]
		if len(row.items) == 0 {
			continue
		}
		lines = append(lines, row.line)
		r.out.Refused++
		mistakes += len(row.items)
		for n, item := range row.items {
			switch refusal := r.text.refusal(row, item); {
			case r.in.Detailed && n == 0:
				refusal.Cells = row.cells
				r.out.Refusals = append(r.out.Refusals, refusal)
			case len(r.out.Refusals) < maxRefusals:
				r.out.Refusals = append(r.out.Refusals, refusal)
			}
		}
	}
	r.out.Emptied = len(r.emptied)
	mistakes += len(r.emptied)
	r.out.Refusals = append(r.out.Refusals, r.emptied[:min(len(r.emptied), maxRefusals)]...)
	r.out.MoreRefusals, r.out.RefusedLines = mistakes-len(r.out.Refusals), ranges(lines)
	r.out.RefusedRows = nil
	if r.out.MoreRefusals > 0 && r.in.SkipRefused && !r.in.Plan {
		r.out.RefusedRows = r.text.refusedRows()
	}
	if r.out.Refused > 0 && !r.in.SkipRefused && !r.in.Plan {
		return refusedError(&r.out, mistakes)
	}
	return nil
}

// seen is a digest of what the plan of the import depends on.
func (r *importRun) seen(t *schema.Table) plan.Digest {
	if !r.in.Plan && r.applied == nil {
		return plan.Digest{}
	}
	h := hashOf(t)
	for i, row := range r.kept {
		h.WriteNumber(int64(row.line))
		for _, m := range row.fields.Members() { // with the ids of the records that cells name
			h.Write(m.Name, string(m.Value))
		}
		if match, ok := r.matches[i]; ok {
			h.Write(string(match.row[:]))
			h.WriteNumber(match.version)
		}
	}
	return h.Digest()
}

// plan completes the result of a plan. A plan that would be refused has no token.
func (r *importRun) plan(t *schema.Table, seen plan.Digest) (err error) {
	r.out.Options = r.input.newOptionNames()
	if r.out.Refused > 0 && !r.in.SkipRefused {
		return nil
	}
	r.out.Offer, err = r.plans.Offer(&plan.Plan{
		Credential: r.in.Credential, Asked: r.in.asked(t.ID), Seen: seen, Count: r.out.Updated, Made: r.made,
	})
	return err
}

// moved says that the import would now differ from its plan.
func (r *importRun) moved(t *schema.Table) error {
	var changed []string
	for i := range r.kept {
		if match, ok := r.matches[i]; ok && match.changed.After(r.applied.Made) && len(changed) < plan.MaxSample {
			changed = append(changed, id.FormatRecord(t.Number, match.row))
		}
	}
	what := "the fields of the table, the records that rows match, or the records that cells name are others"
	if len(changed) > 0 {
		what = "these records have changed: " + strings.Join(changed, ", ")
	}
	counts := ""
	if r.applied.Count != len(r.matches) {
		counts = fmt.Sprintf("then the import would have updated %s, and now %d; ",
			problem.Count(r.applied.Count, "record"), len(r.matches))
	}
	return problem.Conflict("What the plan looked at has moved: %ssince then %s. Nothing was changed; plan again.",
		counts, what).WithCode(problem.CodePlanMoved)
}

// write writes the rows that fit.
func (r *importRun) write(ctx context.Context, s *schema.Snapshot, t *schema.Table) error {
	if r.in.Step != nil {
		actor := db.ActorOf(ctx)
		actor.Step = func(b *pgx.Batch) { r.in.Step(b, &r.out) }
		ctx = db.WithActor(ctx, actor)
	}
	if r.in.UpsertOn != nil {
		if r.applied != nil {
			r.creation.expected = r.matches
		}
		r.creation.exclusive = r.exclusive
		written, err := r.upsertRetrying(ctx, r.actor, s, t, r.creation)
		if err == nil {
			r.out.Created, r.out.Updated = len(written.Upsert.Created), len(written.Upsert.Updated)
		}
		return err
	}
	input := r.input
	input.exclusive = r.exclusive
	for i := range input.rows {
		input.rows[i].id = id.New()
	}
	if err := r.prepare(ctx, r.actor, input); err != nil {
		return err
	}
	for i := range input.rows {
		input.applyDefaults(&input.rows[i])
	}
	if err := input.err(); err != nil {
		return err
	}
	event := &audit.Event{
		Action: "import_records", Subject: t.PublicID(), Detail: map[string]any{"count": len(input.rows)},
	}
	if _, err := r.Engine.write(ctx, r.actor, input, true, event); err != nil {
		return r.explain(ctx, r.actor, input, fmt.Errorf("importing records: %w", err))
	}
	return nil
}

// missingKeys reports the fields of an upsert that a row leaves empty.
func missingKeys(fields jsonvalue.ParsedObject, keys []*schema.Field) []problem.Item {
	var items []problem.Item
	for _, key := range keys {
		if !slices.ContainsFunc(fields.Members(), func(m jsonvalue.Member) bool { return m.Name == key.Name }) {
			items = append(items, problem.Item{Path: "." + key.Name, Message: "is empty, and upsertOn names it"})
		}
	}
	return items
}
