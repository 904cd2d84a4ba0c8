package archive

import (
	"encoding/json"
	"regexp"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// A Renaming maps the ids of an archive to those of the base that is made of it.
//
// An id becomes another one by a seed that the base alone has: its first half stays, so that what was made earlier
// sorts before what was made later, and its second half is combined with the seed. So whoever goes on with an import
// needs no list of what was made, and the renaming has an inverse. Ids that are not of the archive stay.
type Renaming struct {
	seed    [8]byte
	known   map[uuid.UUID]bool      // the tables, fields and views
	numbers map[int32]int32         // of the tables
	people  map[uuid.UUID]uuid.UUID // without those who are nobody here
	same    bool                    // everybody is who they were
}

// NewRenaming returns a renaming of the tables, fields and views of an archive. The random part of the seed decides the
// ids; numbers are the new ones of the tables, by the former.
func NewRenaming(base *Base, seed uuid.UUID, numbers map[int32]int32, people map[uuid.UUID]uuid.UUID) *Renaming {
	r := &Renaming{known: map[uuid.UUID]bool{}, numbers: numbers, people: people}
	copy(r.seed[:], seed[8:])
	r.seed[0] &= 0x3f // the variant stays
	add := func(kind id.Kind, public string) {
		if u, err := id.Parse(kind, public); err == nil {
			r.known[u] = true
		}
	}
	for i := range base.Tables {
		t := &base.Tables[i]
		add(id.Table, t.ID)
		for j := range t.Fields {
			add(id.Field, t.Fields[j].ID)
		}
		for j := range t.Views {
			add(id.View, t.Views[j].ID)
		}
	}
	return r
}

// KeepPeople has everybody stay who they are, also those who are no members any more: the archive is of this
// organization.
func (r *Renaming) KeepPeople() { r.same = true }

// Inverse maps ids of the base that was made to those of the archive.
func (r *Renaming) Inverse() *Renaming {
	out := &Renaming{
		seed: r.seed, known: map[uuid.UUID]bool{}, numbers: map[int32]int32{}, people: map[uuid.UUID]uuid.UUID{},
		same: r.same,
	}
	for u := range r.known {
		out.known[r.ID(u)] = true
	}
	for from, to := range r.numbers {
		out.numbers[to] = from
	}
	for from, to := range r.people {
		out.people[to] = from
	}
	return out
}

// ID is the id that a table, a field, a view, a row or a file of the archive becomes.
func (r *Renaming) ID(u uuid.UUID) uuid.UUID {
	for i, b := range r.seed {
		u[8+i] ^= b
	}
	return u
}

// Person is who somebody of the archive is here; false if they are nobody.
func (r *Renaming) Person(u uuid.UUID) (uuid.UUID, bool) {
	if r.same {
		return u, true
	}
	person, ok := r.people[u]
	return person, ok
}

// Number is the new number of a table.
func (r *Renaming) Number(number int32) int32 { return r.numbers[number] }

// ids finds what may be the id of something that is renamed.
var ids = regexp.MustCompile(`(?:tbl|fld|viw|usr)_[0-9a-z]{26}|rec_[0-9a-z]{32}`)

// JSON renames the ids in a value: those of tables, fields and views of the archive, of records of its tables, and of
// people who are somebody here.
func (r *Renaming) JSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	return ids.ReplaceAllFunc(raw, r.text)
}

func (r *Renaming) text(public []byte) []byte {
	kind := id.Kind(public[:3])
	if kind == id.Record {
		number, row, err := id.ParseRecord(string(public))
		if to := r.numbers[number]; err == nil && to != 0 {
			return id.AppendRecord(nil, to, r.ID(row))
		}
		return public
	}
	u, err := id.Parse(kind, string(public))
	switch {
	case err != nil:
	case kind == id.User:
		if person, ok := r.people[u]; ok {
			return []byte(id.Format(kind, person))
		}
	case r.known[u]:
		return []byte(id.Format(kind, r.ID(u)))
	}
	return public
}

// Strangers lists the people whom a value names and who are nobody here.
func (r *Renaming) Strangers(raw json.RawMessage) []uuid.UUID {
	var out []uuid.UUID
	for _, public := range ids.FindAll(raw, -1) {
		u, err := id.Parse(id.User, string(public))
		if _, known := r.Person(u); err == nil && !known {
			out = append(out, u)
		}
	}
	return out
}
