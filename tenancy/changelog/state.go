package changelog

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A State is a record at a moment.
type State struct {
	Values []Value // of each cell
	There  bool    // whether the record exists
}

// Undo turns the state into the state before a change. keys are the fields of the change, and raw has a
// column of ChangeColumns for each cell, with the former values. changed gets the positions of the
// cells that changed, and once what a link gained and lost if the other side wrote it.
func (s *State) Undo(
	cells []Cell, kind Kind, keys []string, raw [][]byte, changed map[int]*LinkChange,
) error {
	switch kind { //nolint:exhaustive // the others change fields
	case Created, Restored:
		s.Values, s.There = make([]Value, len(cells)), false
		return nil
	case Deleted:
		s.Values, s.There = make([]Value, len(cells)), true
	}
	for i := range cells {
		c := &cells[i]
		if !slices.Contains(keys, c.key) {
			continue
		}
		switch {
		case !c.IsLink():
			changed[i] = nil
			s.Values[i] = Value{Raw: CloneJSON(raw[i])}
		case kind == Linked:
			delta, err := linkChange(raw[i])
			if err != nil {
				return err
			}
			if _, twice := changed[i]; twice {
				changed[i] = nil
			} else {
				changed[i] = &delta
			}
			s.Values[i] = Value{Rows: unlink(s.Values[i].Rows, delta)}
		default:
			rows, err := links(raw[i])
			if err != nil {
				return err
			}
			changed[i] = nil
			s.Values[i] = Value{Rows: rows}
		}
	}
	return nil
}

// Rank orders the kinds of entries about one record with one number, by how much of the record they
// describe.
func Rank(kind Kind) int {
	return slices.Index([]Kind{
		Deleted, Created, Restored, Updated, Linked,
	}, kind)
}

// UndoOrder is the SQL that orders entries about a record under the alias l as they are undone.
const UndoOrder = "l.number desc, case l.kind when 3 then 0 when 4 then 1 when 2 then 2 else 3 end, l.previous desc"

// PresentColumns are the columns of the cells in the record table under the alias t.
func PresentColumns(cells []Cell) string {
	columns := ""
	for _, c := range cells {
		if c.missing() {
			columns += ", null"
		} else {
			columns += ", " + c.Field.Kind.Select(&c.Field.Field)
		}
	}
	return columns
}

// ChangeColumns are the columns of the cells in an entry of the log: l.was is the object of former
// values, and t the row of the record table that it populates, as Populate joins it.
func ChangeColumns(cells []Cell) string {
	columns := ""
	for _, c := range cells {
		if c.IsLink() {
			columns += ", (l.was -> '" + c.key + "')::text"
		} else {
			columns += ", " + c.Field.Kind.Select(&c.Field.Field)
		}
	}
	return columns
}

// Populate is the SQL that joins t, the row that an object of former values makes.
func Populate(t *schema.Table, cells []Cell) string {
	dropped := ""
	for i := range cells {
		if c := &cells[i]; c.missing() {
			dropped += ", " + c.Field.Column() + " " + c.Field.Info().Column
		}
	}
	populated := "jsonb_populate_record(null::" + t.Whole().Relation() + ", l.was)"
	if dropped == "" {
		return "cross join lateral " + populated + " t "
	}
	return "cross join lateral (select * from " + populated + " p, jsonb_to_record(l.was) d(" + dropped[2:] + ")) t "
}

// ScanPresent reads a row of PresentColumns after other columns. It keeps nothing of the row's memory.
func (s *State) ScanPresent(rows pgx.Rows, cells []Cell, before ...any) error {
	s.Values = make([]Value, len(cells))
	targets := slices.Clip(before)
	for i := range cells {
		if cells[i].IsLink() {
			targets = append(targets, &s.Values[i].Rows)
		} else {
			targets = append(targets, nil)
		}
	}
	if err := rows.Scan(targets...); err != nil {
		return err
	}
	s.There = true
	for i, raw := range rows.RawValues()[len(before):] {
		if !cells[i].IsLink() {
			s.Values[i].Raw = CloneJSON(raw)
		}
	}
	return nil
}
