package feed

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// columns are the former values of a record in the columns that a filter compares.
type columns map[string]json.RawMessage

// A selection excludes the changes of a table's records that match a filter neither before nor after.
// PostgreSQL compares, so that a filter means the same as in a list of records. A nil selection
// excludes nothing.
type selection struct {
	filter *query.ImageFilter
	keys   map[string]bool
	images []string
	owners []*Change // of the record states

	sights map[*Change]*sight // nil unless the filter is what the reader reads
	after  []bool             // whether the states are those after the change, with sights
}

// newSelection returns nil for a table whose changes are not filtered.
func (p *pageReader) newSelection(t *schema.Table) (*selection, error) {
	if t.Rows() != nil {
		return newSights(t), nil
	}
	if len(p.filter.Condition) == 0 || !slices.Contains(p.filter.Tables, t.ID) {
		return nil, nil //nolint:nilnil // by the contract above
	}
	filter, err := query.ParseImageFilter(t, "filters", p.filter.Condition)
	if err != nil {
		return nil, fmt.Errorf("reading the filter of changes: %w", err)
	}
	return selectionBy(filter), nil
}

func selectionBy(filter *query.ImageFilter) *selection {
	s := &selection{filter: filter, keys: map[string]bool{}}
	for _, key := range filter.Keys() {
		s.keys[key] = true
	}
	return s
}

// present is the column for the columns of a present record.
func (s *selection) present() string {
	if s == nil {
		return "null::text"
	}
	return s.filter.Present()
}

// was is the column for a record's former values in an entry l.
func (s *selection) was() string {
	if s == nil {
		return "null::text"
	}
	return "l.was::text"
}

func (s *selection) columnsOf(text *string) (columns, error) {
	if s == nil || text == nil {
		return nil, nil
	}
	var all columns
	if err := json.Unmarshal([]byte(*text), &all); err != nil {
		return nil, fmt.Errorf("decoding the columns of a record: %w", err)
	}
	maps.DeleteFunc(all, func(key string, _ json.RawMessage) bool { return !s.keys[key] })
	return all, nil
}

// undo turns the columns of a state into the columns before an entry of the log.
func (s *selection) undo(at *state, kind changelog.Kind, was *string) error {
	if s == nil {
		return nil
	}
	switch kind { //nolint:exhaustive // the others change columns
	case changelog.Linked: // the state has the links
		return nil
	case changelog.Created, changelog.Restored:
		at.columns = nil
		return nil
	}
	before, err := s.columnsOf(was)
	if err != nil {
		return err
	}
	if kind == changelog.Deleted || at.columns == nil {
		at.columns = columns{}
	}
	maps.Copy(at.columns, before)
	return nil
}

// add adds a change of a record.
func (s *selection) add(v *valueReader, c *Change, before, after state) {
	if s == nil {
		return
	}
	for i, side := range []state{before, after} {
		if side.There {
			s.images, s.owners = append(s.images, s.image(v, c, side)), append(s.owners, c)
			s.after = append(s.after, i == 1)
		}
	}
	if s.sights != nil {
		s.sights[c] = newSight(v, c, before, after)
	}
}

// image writes one side of a change as a record state. The change itself has the time and author of the
// record's last change.
func (s *selection) image(v *valueReader, c *Change, at state) string {
	dst := field.AppendString([]byte(`{"id":`), c.Position.id.String())
	dst = changelog.AppendTime(append(dst, `,"updated_at":`...), c.Position.number)
	if c.person != nil {
		dst = field.AppendString(append(dst, `,"updated_by":`...), c.person.String())
	}
	for key, value := range at.columns {
		if key != "id" && key != "updated_at" && key != "updated_by" {
			dst = append(append(field.AppendString(append(dst, ','), key), ':'), value...)
		}
	}
	for i := range v.cells {
		cell := &v.cells[i]
		if key := changelog.Key(&cell.Field.Field); cell.IsLink() && s.keys[key] {
			dst = append(field.AppendString(append(dst, ','), key), ':')
			dst = appendIDs(dst, at.Values[i].Rows)
		}
	}
	return string(append(dst, '}'))
}

func appendIDs(dst []byte, rows []uuid.UUID) []byte {
	dst = append(dst, '[')
	for n, row := range rows {
		dst = field.AppendString(append(dst, comma(n)...), row.String())
	}
	return append(dst, ']')
}

// apply marks the changes to exclude, including those whose values the log no longer has.
func (s *selection) apply(ctx context.Context, v *valueReader, changes []*Change) error {
	if s == nil {
		return nil
	}
	fits := map[*Change]bool{}
	if len(s.images) > 0 {
		statement := s.filter.Statement(time.Now(), s.images)
		err := v.batch(ctx, func(b *pgx.Batch) {
			b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
				var place int
				_, err := pgx.ForEachRow(rows, []any{&place}, func() error {
					fits[s.owners[place]] = true
					if one := s.sights[s.owners[place]]; one != nil {
						one.fits[s.after[place]] = true
					}
					return nil
				})
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("filtering changes: %w", err)
		}
	}
	for _, c := range changes {
		if s.sights == nil {
			c.left = !fits[c]
		} else {
			s.sights[c].apply(c)
		}
	}
	return nil
}
