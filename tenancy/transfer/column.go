package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// planColumns decides what the columns of a file are for. specs are the fields of a new table, and for a dry run those
// of the present one.
func (s *Store) planColumns(
	ctx context.Context, j *Job, in *Import, src *source, read *record.Preview,
) (report *Report, columns []record.ImportColumn, specs []record.PreviewColumn, err error) {
	if len(in.Columns) > len(read.Columns) {
		return nil, nil, nil, problem.Invalid("columns", "has %d entries, and the file has %d columns", len(in.Columns),
			len(read.Columns))
	}
	report = &Report{Notes: src.notes}
	table := TableReport{Rows: read.Rows, Name: in.Name}
	if read.SkippedRows > 0 {
		report.note("%s before the names of the columns passed over.", were(read.SkippedRows, "row"))
	}
	if read.Unreadable > 0 {
		report.note("%s not in the encoding %s.", were(read.Unreadable, "character"), read.Encoding)
	}
	given := make([]ImportColumn, len(read.Columns))
	copy(given, in.Columns)
	columns, specs = make([]record.ImportColumn, len(given)), make([]record.PreviewColumn, len(given))
	if j.Kind == ImportTable {
		err = s.matchColumns(ctx, j, given, read, columns, specs, &table)
	} else if err = fitInTable(given); err == nil {
		newColumns(given, read, columns, specs, &table)
	}
	// A dry run that says nothing of columns only asks how the file is read.
	asked := !in.DryRun || len(in.Columns) > 0
	if err == nil && asked && !slices.ContainsFunc(columns, func(c record.ImportColumn) bool { return c.Field != "" }) {
		err = problem.Invalid("columns", "none of the columns of the file is for a field")
	}
	report.Tables = []TableReport{table}
	return report, columns, specs, err
}

// styleOf is how a column is read: as was said, and otherwise as the file shows.
func styleOf(given *ImportColumn, read *record.ColumnRead) field.Style {
	style := field.Style{
		Decimal: record.DecimalSigns[read.Numbers.Style], Order: field.DateOrder(read.Dates.Style),
	}
	if given.Style.Decimal != "" {
		style.Decimal = given.Style.Decimal
	}
	if given.Style.Order != "" {
		style.Order = given.Style.Order
	}
	return style
}

// matchColumns finds the fields of a table for columns: the one that was named, or the one with the column's name.
func (s *Store) matchColumns(
	ctx context.Context, j *Job, given []ImportColumn, read *record.Preview, columns []record.ImportColumn,
	specs []record.PreviewColumn, report *TableReport,
) error {
	snapshot, err := s.Schema.Cached(ctx, j.Org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	t := snapshot.Table(j.Table)
	if t == nil {
		return problem.NotFound("table", id.Format(id.Table, j.Table))
	}
	report.ID, report.Name = t.PublicID(), t.Name
	added := 0
	for i := range given {
		column := &read.Columns[i]
		style := styleOf(&given[i], column)
		line := ColumnReport{Name: withoutNUL(column.Name)}
		var f *schema.Field
		switch {
		case given[i].Skip:
		case given[i].Type != "":
			if err := addColumn(t, i, &given[i], column, columns, specs); err != nil {
				return err
			}
			if added++; len(t.Fields)+added > catalog.MaxFields {
				return problem.Conflict("The table %q would have more than %d fields; leave columns out.", t.Name,
					catalog.MaxFields)
			}
			line.Field, line.Type = columns[i].Field, given[i].Type
		case given[i].Field != "":
			if f = t.FieldByID(given[i].Field); f == nil {
				f = t.FieldByName(given[i].Field)
			}
			if f == nil {
				return problem.Invalid(fmt.Sprintf("columns[%d].field", i), "%s is not a field of %q%s",
					field.Quote(given[i].Field), t.Name, problem.DidYouMean(given[i].Field, t.FieldNames()))
			}
		default:
			if found := record.FieldOfColumn(t, column.Name); found != nil && !found.Info().ReadOnly {
				f = found
			}
		}
		if f != nil && !isTaken(columns, f) {
			columns[i] = record.ImportColumn{Field: f.PublicID(), Style: style}
			config, err := json.Marshal(f.Config)
			if err != nil {
				return fmt.Errorf("encoding a configuration: %w", err)
			}
			specs[i] = record.PreviewColumn{Type: string(f.Type()), Config: config, Style: style}
			line.Field, line.Type = f.Name, string(f.Type())
		}
		report.Columns = append(report.Columns, line)
	}
	return nil
}

// mostLinked bounds the tables in which names are looked up.
const mostLinked = 30

// proposeLinks proposes links to tables whose records the person reads in full, for columns that have no field yet. The
// first column of a new table names its records.
func (s *Store) proposeLinks(
	ctx context.Context, j *Job, read *record.Preview, columns []record.ImportColumn,
) error {
	snapshot, err := s.Schema.Cached(ctx, j.Org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	base := snapshot.Base(j.Base)
	if base == nil || j.Caller.Blind {
		return nil
	}
	var tables []*schema.Table
	for _, t := range base.Tables {
		if t.Rows() == nil && t.Title() != "" && len(tables) < mostLinked {
			tables = append(tables, t)
		}
	}
	return s.Records.ProposeLinks(ctx, read, tables, func(column int) bool {
		if j.Kind == ImportBase {
			return column > 0
		}
		return columns[column].Field == ""
	})
}

// isNew reports whether a column is for a field that is still to be made in a table that is there.
func isNew(given []ImportColumn, at int) bool {
	return at < len(given) && !given[at].Skip && given[at].Type != ""
}

// addColumn plans a column that becomes a new field of a table that is there.
func addColumn(
	t *schema.Table, at int, given *ImportColumn, read *record.ColumnRead, columns []record.ImportColumn,
	specs []record.PreviewColumn,
) error {
	path := fmt.Sprintf("columns[%d]", at)
	kind, err := schema.ParseType(path+".type", given.Type)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	if kind.Info().ApplicationOnly && kind != schema.LinkType || kind.Info().ReadOnly {
		return problem.Invalid(path+".type", "a field of the type %s cannot be made by an import", kind)
	}
	name := given.Name
	if name == "" {
		name = cleanName(read.Name, fmt.Sprintf("Column %d", at+1))
	}
	if name, err = naming.Clean(path+".name", name); err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	if err := t.RefuseFieldName(name, nil); err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	for _, other := range columns {
		if naming.Key(other.Field) == naming.Key(name) {
			return problem.Invalid(path+".name", "the name %q is given twice", name)
		}
	}
	style := styleOf(given, read)
	columns[at] = record.ImportColumn{Field: name, Style: style}
	specs[at] = record.PreviewColumn{Type: given.Type, Config: given.Config, Style: style}
	return nil
}

// isTaken reports whether a column is for a field.
func isTaken(columns []record.ImportColumn, f *schema.Field) bool {
	return slices.ContainsFunc(columns, func(c record.ImportColumn) bool { return c.Field == f.PublicID() })
}

// fitInTable refuses more columns than a table has fields.
func fitInTable(given []ImportColumn) error {
	wanted := 0
	for i := range given {
		if !given[i].Skip {
			wanted++
		}
	}
	if wanted > convert.MaxColumns {
		return problem.Invalid("columns", "has %d columns to import, and a table has at most %d fields; leave some out",
			wanted, convert.MaxColumns)
	}
	return nil
}

// newColumns are the fields of a new table: as was said, and otherwise as proposed.
func newColumns(
	given []ImportColumn, read *record.Preview, columns []record.ImportColumn, specs []record.PreviewColumn,
	report *TableReport,
) {
	var taken []string
	for i := range given {
		column, want := &read.Columns[i], &given[i]
		line := ColumnReport{Name: withoutNUL(column.Name)}
		if !want.Skip {
			name := want.Name
			if name == "" {
				name = column.Name
			}
			name = unusedName(cleanName(name, fmt.Sprintf("Column %d", i+1)), &taken)
			style := styleOf(want, column)
			spec := record.PreviewColumn{Type: column.Type, Config: column.Config(), Style: style}
			if want.Type != "" {
				spec.Type, spec.Config = want.Type, want.Config
			}
			columns[i], specs[i] = record.ImportColumn{Field: name, Style: style}, spec
			line.Field, line.Type = name, spec.Type
		}
		report.Columns = append(report.Columns, line)
	}
}

// textInstead makes columns text of which some values do not fit their type.
func textInstead(read *record.Preview, specs []record.PreviewColumn, report *Report) error {
	if err := read.Check(specs); err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	for _, refusal := range read.Refusals {
		if at := refusal.Column - 1; at >= 0 && at < len(specs) && specs[at].Type != "long_text" {
			report.note("The column %q became text, because not all of its values are of the type %s.",
				report.Tables[0].Columns[at].Name, specs[at].Type)
			specs[at].Type, specs[at].Config = "long_text", nil
			report.Tables[0].Columns[at].Type = "long_text"
		}
	}
	return nil
}

// maxName is the length of the name of a field or a table, in characters.
const maxName = 100

// cleanName makes a name of an object of a text, or returns the other one.
func cleanName(text, otherwise string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxName {
		text = string(runes[:maxName])
	}
	if name, err := naming.Clean("name", text); err == nil {
		return name
	}
	return otherwise
}

// unusedName adds a number to a name that is taken, and takes it.
func unusedName(name string, taken *[]string) string {
	unique := name
	for n := 2; slices.Contains(*taken, naming.Key(unique)); n++ {
		unique = fmt.Sprintf("%s %d", name, n)
	}
	*taken = append(*taken, naming.Key(unique))
	return unique
}

// freeName is a name for a new table that no other one of the base has. A name that was chosen is taken as it is.
func (s *Store) freeName(ctx context.Context, j *Job, chosen, file string) (string, error) {
	if chosen != "" {
		return naming.Clean("name", chosen) //nolint:wrapcheck // it is for the person
	}
	// Also those that the person does not see.
	snapshot, err := s.Schema.Cached(catalog.WithoutCaller(ctx), j.Org)
	if err != nil {
		return "", fmt.Errorf("reading the schema: %w", err)
	}
	var taken []string
	if b := snapshot.Base(j.Base); b != nil {
		for _, t := range b.Tables {
			taken = append(taken, naming.Key(t.Name))
		}
	}
	file = unpackedName(file)
	if dot := strings.LastIndexByte(file, '.'); dot > 0 {
		file = file[:dot]
	}
	return unusedName(cleanName(file, "Import"), &taken), nil
}
