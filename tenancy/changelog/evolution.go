package changelog

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Sender runs the statements that a function queues.
type Sender func(queue func(b *pgx.Batch)) error

// An Evolution is the sequence of changes of a table's fields that older values in the log depend on:
// changes of types, and renamed or removed options.
type Evolution struct {
	steps  []step           // the oldest first
	purged map[int32]string // the names of columns that were deleted for good, by number
}

// A step is a change of one field.
type step struct {
	number        int64 // of the change, which is not smaller than those of the values that it moved
	set           uuid.UUID
	taken         bool // a revert made it
	id            uuid.UUID
	before, after form
	converted     bool // after has a new column, with values that were converted
	renamed       map[string]string
	// returns are the options that a revert brings back, by the names under which they were removed.
	returns map[string]string
}

// A form is what a field was at some moment.
type form struct {
	Number int32        `json:"number"`
	Name   string       `json:"name"`
	Type   field.Type   `json:"type"`
	Config field.Config `json:"config"`
}

func (f *form) field() *field.Field {
	return &field.Field{Kind: field.Of(f.Type, &f.Config), Number: f.Number, Name: f.Name, Config: f.Config}
}

func (f *form) key() string { return "f_" + itoa(f.Number) }

// ReadEvolution reads the changes of a table's fields from the log. pending are the changes that the
// transaction itself has made and not logged yet, which a revert has.
func ReadEvolution(send Sender, t *schema.Table, pending []ObjectChange) (*Evolution, error) {
	e := &Evolution{purged: map[int32]string{}}
	known := map[uuid.UUID]*formerField{}
	err := send(func(b *pgx.Batch) {
		b.Queue("select c.number, c.change_set, o.value::text from "+Relation(t.Org)+" c cross join lateral "+
			"jsonb_array_elements(c.before) o(value) where c.kind = "+SQLSchema+" and c.table_number = $1 and ("+
			"o.value ->> 'object' = 'field' and o.value -> 'before' is distinct from o.value -> 'after' or o.value "+
			"->> 'object' = 'trash') "+
			"order by c.number", t.Number).Query(func(rows pgx.Rows) error {
			e.steps = nil
			var s step
			var logged []byte
			_, err := pgx.ForEachRow(rows, []any{&s.number, &s.set, &logged}, func() error {
				var change ObjectChange
				if err := json.Unmarshal(logged, &change); err != nil {
					return fmt.Errorf("decoding an entry of the log: %w", err)
				}
				return e.add(s, change, known)
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading what became of fields: %w", err)
	}
	if len(e.steps) > 0 {
		if err := e.findReverts(send, t.Org); err != nil {
			return nil, err
		}
	}
	for _, change := range pending {
		if err := e.add(step{number: math.MaxInt64, taken: true}, change, known); err != nil {
			return nil, err
		}
	}
	for i := range e.steps {
		if e.steps[i].taken {
			e.findReturns(i)
		}
	}
	return e, nil
}

// findReturns finds the removals of the options that a revert brings back, following renames between
// the removal and the revert.
func (e *Evolution) findReturns(at int) {
	s := &e.steps[at]
	s.returns = map[string]string{}
	for _, option := range s.after.Config.OptionNames() {
		if s.before.Config.HasOption(option) {
			continue
		}
		for i := range at {
			if e.steps[i].id != s.id || !e.steps[i].before.Config.HasOption(option) {
				continue
			}
			name := option
			for j := i; j < at; j++ {
				if then := &e.steps[j]; then.id == s.id {
					name = then.nameOf(name)
				}
			}
			if was, gone := strings.CutPrefix(name, removed); gone {
				s.returns[was] = option
			}
		}
	}
}

// A formerField is the state of a field while ReadEvolution follows the log.
type formerField struct {
	numbers map[int32]bool // that it has had
	last    *form
}

// add adds what a change has made of a field, if values depend on it.
func (e *Evolution) add(s step, change ObjectChange, known map[uuid.UUID]*formerField) error {
	if change.Object == "trash" {
		var gone struct {
			Number int32  `json:"field_number"`
			Name   string `json:"name"`
		}
		if err := json.Unmarshal(change.Before, &gone); err != nil {
			return fmt.Errorf("decoding an entry of the trash in the log: %w", err)
		}
		if gone.Number != 0 {
			e.purged[gone.Number] = gone.Name
		}
		return nil
	}
	var before, after *form
	for _, side := range []struct {
		raw  json.RawMessage
		into **form
	}{{change.Before, &before}, {change.After, &after}} {
		if len(side.raw) == 0 {
			continue
		}
		if err := json.Unmarshal(side.raw, side.into); err != nil {
			return fmt.Errorf("decoding a field in the log: %w", err)
		}
	}
	f := known[change.ID]
	if f == nil {
		f = &formerField{numbers: map[int32]bool{}}
		known[change.ID] = f
	}
	if before == nil && change.Restored {
		before = f.last // what it was when it was deleted
	}
	for _, one := range []*form{before, after} {
		if one != nil {
			f.last = one
		}
	}
	if before == nil || after == nil {
		return nil
	}
	f.numbers[before.Number] = true
	had := f.numbers[after.Number]
	f.numbers[after.Number] = true
	if before.Number == after.Number && slices.Equal(before.Config.OptionNames(), after.Config.OptionNames()) {
		return nil
	}
	s.id, s.before, s.after, s.renamed = change.ID, *before, *after, change.Renamed
	// A new type has a new column. A restored column comes back with its own number.
	s.converted = after.Number > before.Number && !had
	e.steps = append(e.steps, s)
	return nil
}

// findReverts notes which steps reverts have made.
func (e *Evolution) findReverts(send Sender, org uuid.UUID) error {
	var sets []uuid.UUID
	for i := range e.steps {
		sets = append(sets, e.steps[i].set)
	}
	reverts := map[uuid.UUID]bool{}
	err := send(func(b *pgx.Batch) {
		b.Queue("select distinct change_set from rowhouse.change_set_revert where org_id = $1 and "+
			"change_set = any ($2)", org, sets).Query(func(rows pgx.Rows) error {
			var set uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&set}, func() error { reverts[set] = true; return nil })
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("looking for reverts of changes of fields: %w", err)
	}
	for i := range e.steps {
		e.steps[i].taken = reverts[e.steps[i].set]
	}
	return nil
}

// IsEmpty reports whether values of any time are valid as they are.
func (e *Evolution) IsEmpty() bool { return len(e.steps) == 0 }

// Purged is the name of a column that was deleted for good, or "".
func (e *Evolution) Purged(key string) string {
	var number int32
	if _, err := fmt.Sscanf(key, "f_%d", &number); err != nil {
		return ""
	}
	return e.purged[number]
}

// A Past has values of a record from an entry of the log.
type Past struct {
	Number int64 // of the entry
	Kind   Kind
	Set    uuid.UUID
	// Values are the values of fields by their keys, in JSON. Carry changes the map.
	Values map[string][]byte
	// Lost says which values did not convert.
	Lost []string
	// Moved says that the entry only has values that a change of the schema has moved: options that got
	// other names, and values that were converted.
	Moved bool
}

// movedWithin is how far below the number of a change of the schema the numbers of the values are that
// it has moved.
const movedWithin = 1000

// moves reports whether the step itself has moved the values of an entry.
func (s *step) moves(p *Past) bool {
	return p.Kind == Updated && p.Set == s.set && s.number-p.Number < movedWithin
}

// Carry converts values from entries of the log to what they would be now if they had been in the table
// all the time: under the present names of options, and in the present types of fields. A value stays
// under the key of its former column too. Options that were removed since keep a mark, by which Trim
// removes them.
func (e *Evolution) Carry(send Sender, all []*Past) error {
	for i := range e.steps {
		s := &e.steps[i]
		if err := s.carry(send, all); err != nil {
			return err
		}
	}
	return nil
}

func (s *step) carry(send Sender, all []*Past) error {
	own, key := s.before.key(), s.after.key()
	c := conversion{from: s.before.field(), to: s.after.field()}
	for _, p := range all {
		if p.Number > s.number {
			continue
		}
		if s.converted {
			value, had := p.Values[own]
			_, moved := p.Values[key]
			switch {
			case s.moves(p) && moved:
				delete(p.Values, own)
				delete(p.Values, key)
				p.Moved = p.Moved || len(p.Values) == 0
			case !had && p.Kind != Deleted:
			case len(value) == 0 || string(value) == "null":
				p.Values[key] = []byte("null")
			default:
				c.add(p, value)
			}
		}
	}
	if err := c.run(send, key); err != nil {
		return err
	}
	kind, ok := field.Of(s.after.Type, &s.after.Config).(field.Optioned)
	if !ok || s.before.Number != s.after.Number {
		return nil
	}
	for _, p := range all {
		if p.Number > s.number || len(p.Values[key]) == 0 || string(p.Values[key]) == "null" {
			continue
		}
		names, read := kind.Names(p.Values[key])
		if !read {
			continue
		}
		lost := false
		for i, name := range names {
			names[i] = s.nameOf(name)
			lost = lost || strings.HasPrefix(names[i], removed)
		}
		p.Values[key] = marshal(kind.FromNames(names))
		p.Moved = p.Moved || s.moves(p) && len(p.Values) == 1 && !lost
	}
	return nil
}

// removed marks the name of an option that was removed. No name has such a character.
const removed = "\x01"

// nameOf is the name of an option after the step.
func (s *step) nameOf(name string) string {
	if was, ok := strings.CutPrefix(name, removed); ok {
		if back, ok := s.returns[was]; ok {
			return back // the revert of its removal brings it back
		}
		return name
	}
	if now, ok := s.renamed[name]; ok {
		return now
	}
	if !s.after.Config.HasOption(name) {
		return removed + name
	}
	return name
}

func marshal(value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // names of options always encode
	}
	return raw
}

// Trim returns the part of a value of the log that a field can have: without options that do not exist.
// gone are their names.
func Trim(f *field.Field, value []byte) (left []byte, gone []string) {
	kind, ok := f.Kind.(field.Optioned)
	if !ok || len(value) == 0 || string(value) == "null" {
		return value, nil
	}
	names, read := kind.Names(value)
	if !read {
		return []byte("null"), []string{string(value)}
	}
	kept := make([]string, 0, len(names))
	for _, name := range names {
		if f.Config.HasOption(name) {
			kept = append(kept, name)
		} else {
			gone = append(gone, strings.TrimPrefix(name, removed))
		}
	}
	switch {
	case len(gone) == 0:
		return value, nil
	case len(kept) == 0:
		return []byte("null"), gone
	}
	return marshal(kind.FromNames(kept)), gone
}

// Unmark is a value of the log without the marks of removed options.
func Unmark(value []byte) []byte {
	return []byte(strings.ReplaceAll(string(value), `\u0001`, ""))
}

// Epoch numbers the periods in which fields have not changed: it is the same for moments with the same
// fields, and 0 for moments with the present fields.
func (e *Evolution) Epoch(m Moment) int {
	later := 0
	for i := range e.steps {
		if e.steps[i].number > int64(m) {
			later++
		}
	}
	return later
}

// At returns the fields at a moment that were different from now. A filter may use the present name of
// an option.
func (e *Evolution) At(m Moment) map[uuid.UUID]field.Field {
	then := map[uuid.UUID]field.Field{}
	for i := range e.steps {
		s := &e.steps[i]
		if _, known := then[s.id]; known || s.number <= int64(m) {
			continue
		}
		f := *s.before.field()
		f.Config.Aliases = map[string]string{}
		for _, option := range f.Config.Options {
			name := option.Name
			for j := i; j < len(e.steps); j++ {
				if later := &e.steps[j]; later.id == s.id {
					name = later.nameOf(name)
				}
			}
			f.Config.Aliases[name] = option.Name
		}
		then[s.id] = f
	}
	return then
}

// A Life is a form that a field had, and the numbers of the changes that began and ended it.
type Life struct {
	ID          uuid.UUID
	Field       *field.Field
	From, Until int64
	Purged      bool // its column was dropped
}

// Lives lists the forms of fields that have had columns of several types, the last of each with an open end.
func (e *Evolution) Lives() []Life {
	var lives []Life
	last := map[uuid.UUID]int{}
	for i := range e.steps {
		s := &e.steps[i]
		if s.before.Number == s.after.Number {
			continue
		}
		at, known := last[s.id]
		if !known {
			at = len(lives)
			lives = append(lives, Life{ID: s.id, Field: s.before.field()})
		}
		lives[at].Until = s.number
		last[s.id] = len(lives)
		lives = append(lives, Life{ID: s.id, Field: s.after.field(), From: s.number, Until: math.MaxInt64})
	}
	for i := range lives {
		lives[i].Purged = e.purged[lives[i].Field.Number] != ""
	}
	return lives
}

// HasColumn reports whether the table still has the column with a number that a field had.
func (e *Evolution) HasColumn(number int32) bool { return e.purged[number] == "" }
