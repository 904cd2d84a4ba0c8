package schema

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A person works with a snapshot in which nothing is that the person may not see: no base, no table, no field. So no
// later code can name it. People with the same rights share a snapshot, and tables of which they see everything are
// those of the whole snapshot.

// access is what a whole snapshot keeps about people.
type access struct {
	limited bool // somebody who is a member may not see or do everything

	mu      sync.Mutex
	people  map[Subject]*Snapshot // their snapshots
	classes map[string]*Snapshot  // by the rights
}

// For returns the snapshot of a person. It is the snapshot itself for those who see everything.
func (s *Snapshot) For(of Subject) *Snapshot {
	everything := of.Role.AtLeast(organization.Admin) || !s.access.limited && of.Role.AtLeast(organization.Viewer)
	if everything && of.View == uuid.Nil {
		return s
	}
	s.access.mu.Lock()
	defer s.access.mu.Unlock()
	if known := s.access.people[of]; known != nil {
		return known
	}
	p := s.person(of)
	known := s.access.classes[p.class()]
	if known == nil {
		known = p.snapshot()
	}
	if s.access.people == nil {
		s.access.people, s.access.classes = map[Subject]*Snapshot{}, map[string]*Snapshot{}
	}
	s.access.people[of], s.access.classes[p.class()] = known, known
	return known
}

// Whole returns the snapshot with everything in it. Code that keeps data right works with it, and code that answers
// people does not.
func (s *Snapshot) Whole() *Snapshot {
	if s.whole != nil {
		return s.whole
	}
	return s
}

// Whole returns the table with all its fields, for code that keeps records right.
func (t *Table) Whole() *Table {
	if t.whole != nil {
		return t.whole
	}
	return t
}

// AllFields lists the table's fields, and those that the person does not see, whose table is another one.
func (t *Table) AllFields() []*Field {
	if !t.Partial() {
		return t.Fields
	}
	all := slices.Clone(t.Fields)
	for _, f := range t.whole.Fields {
		if t.FieldByID(f.PublicID()) == nil {
			all = append(all, f)
		}
	}
	return all
}

// Rights returns what the person may do with the records of the table, and false if the role in the base decides it.
func (t *Table) Rights() (Rights, bool) {
	if t.rights == nil {
		return Rights{}, false
	}
	return *t.rights, true
}

// Partial reports whether the person does not see all fields of the table.
func (t *Table) Partial() bool { return t.whole != nil && len(t.whole.Fields) > len(t.Fields) }

// RoleOf returns the role of a person, whose snapshot it is, in a base.
func (s *Snapshot) RoleOf(of Subject, base uuid.UUID) BaseRole {
	switch {
	case s.whole != nil:
		if role, ok := s.roles[base]; ok {
			return role
		}
		return NoRole
	case of.Role.AtLeast(organization.Admin):
		return BaseCreator
	}
	return InOpenBase(of.Role) // nobody else has a whole snapshot while permissions say more
}

// Share reports whether somebody sees a base of the snapshot.
func (s *Snapshot) Share(other Subject) bool {
	h := s.Whole().holder(other)
	return slices.ContainsFunc(
		s.Bases,
		func(b *Base) bool { return s.Whole().roleIn(h, s.Whole().bases[b.ID]) != NoRole },
	)
}

// RightsIn names what the person sees and may do in a base: for equal names they are the same. It is "" in a whole
// snapshot.
func (s *Snapshot) RightsIn(base uuid.UUID) string { return s.rights[base] }

// IsPartial reports whether the person does not see everything in a base.
func (s *Snapshot) IsPartial(base uuid.UUID) bool { return s.partial[base] }

// IsLimited reports whether permissions of tables or fields apply to the person in a base.
func (s *Snapshot) IsLimited(base uuid.UUID) bool {
	b := s.Base(base)
	return b != nil && s.whole != nil && b != s.whole.bases[base]
}

// limits reports whether some member may not see or do everything that a role in the organization gives, or more.
func (s *Snapshot) limits() bool {
	for _, w := range s.Workspaces {
		if w.Access != nil {
			return true
		}
	}
	for _, b := range s.Bases {
		if b.Access != nil {
			return true
		}
	}
	for _, t := range s.tables {
		if t.Permission != nil {
			return true
		}
	}
	for _, f := range s.fields {
		if f.Permission != nil {
			return true
		}
	}
	return false
}

// A person is what somebody may see and do.
type person struct {
	whole  *Snapshot
	roles  map[uuid.UUID]BaseRole
	tables map[uuid.UUID]Rights     // of those that have permissions, where the person reads them
	hidden map[uuid.UUID]bool       // tables and fields
	locked map[uuid.UUID]bool       // fields that the person reads and may not write
	rules  map[uuid.UUID][]*RowRule // of tables, those that name the person
	spaces map[uuid.UUID]bool       // workspaces that the person sees

	view  *View                  // the only one of which the person sees something; nil if there is no bound
	bound map[uuid.UUID]*RowRule // of its table: what its records match in addition to the rules
}

func (s *Snapshot) person(of Subject) *person {
	p := &person{
		whole: s, roles: map[uuid.UUID]BaseRole{}, tables: map[uuid.UUID]Rights{}, hidden: map[uuid.UUID]bool{},
		locked: map[uuid.UUID]bool{}, spaces: map[uuid.UUID]bool{}, rules: map[uuid.UUID][]*RowRule{},
	}
	h := s.holder(of)
	for _, b := range s.Bases {
		role := s.roleIn(h, b)
		p.roles[b.ID] = role
		if role == NoRole {
			for _, t := range b.Tables {
				p.hidden[t.ID] = true
			}
			continue
		}
		p.spaces[b.Workspace] = true
		for _, t := range b.Tables {
			p.readTable(h, role, t)
		}
	}
	for _, w := range s.Workspaces {
		restricted := w.Access != nil && w.Access.Restricted
		if of.Role.AtLeast(organization.Viewer) && !restricted || w.Access.granted(h) != NoRole {
			p.spaces[w.ID] = true
		}
	}
	if of.View != uuid.Nil {
		p.bindTo(s.views[of.View], of)
	}
	p.hideDependants()
	return p
}

func (p *person) readTable(h holder, role BaseRole, t *Table) {
	read, rights := t.rightsIn(h, role)
	if !read {
		p.hidden[t.ID] = true
		return
	}
	custom := t.Permission != nil
	if custom {
		for _, r := range t.Permission.Rules {
			if r.names(h, role) {
				p.rules[t.ID] = append(p.rules[t.ID], r)
			}
		}
	}
	for _, f := range t.Fields {
		if f.Permission == nil {
			continue
		}
		if !f.Permission.Read.includes(h, role, BaseViewer) {
			p.hidden[f.ID], custom = true, true
		} else if !f.Permission.Edit.includes(h, role, NoRole) {
			p.locked[f.ID], custom = true, true
		}
	}
	if custom {
		p.tables[t.ID] = rights
	}
}

// hideDependants hides the other sides of hidden links, the links to tables that the person does not see, what is
// computed from hidden fields, and tables whose records have no visible name.
func (p *person) hideDependants() {
	for hidden := -1; hidden != len(p.hidden); {
		hidden = len(p.hidden)
		for _, f := range p.whole.fields {
			if f.Link == nil {
				continue
			}
			// Both sides of a link have the same pairs.
			if p.hidden[f.Link.LinkedTable] || p.whole.tables[f.Link.LinkedTable] == nil || p.hidden[f.Link.Inverse] {
				p.hidden[f.ID] = true
			}
			if p.locked[f.Link.Inverse] {
				p.locked[f.ID] = true
			}
		}
		for _, f := range p.whole.order { // each is behind those that it reads
			if f.Reveals() {
				continue
			}
			for _, read := range p.whole.directlyReadBy(f) {
				if p.hidden[read.ID] || p.hidden[read.Table.ID] {
					p.hidden[f.ID] = true
				}
			}
		}
		for _, t := range p.whole.tables {
			if primary := t.Primary(); primary != nil && p.hidden[primary.ID] {
				p.hidden[t.ID] = true
			}
		}
	}
}

// class names the rights: people for whom it is equal share a snapshot.
func (p *person) class() string {
	var out bytes.Buffer
	for _, w := range p.whole.Workspaces {
		fmt.Fprint(&out, p.spaces[w.ID])
	}
	for _, b := range p.whole.Bases {
		out.WriteString(p.rightsIn(b))
	}
	return out.String()
}

// rightsIn names the rights in a base.
func (p *person) rightsIn(b *Base) string {
	var out bytes.Buffer
	out.WriteString(string(p.roles[b.ID]) + ";")
	if !p.cuts(b) {
		return out.String()
	}
	if p.view != nil {
		out.WriteString(p.view.ID.String() + ";")
	}
	for _, t := range b.Tables {
		rights, custom := p.tables[t.ID]
		if !custom && !p.hidden[t.ID] {
			continue
		}
		fmt.Fprintf(&out, "%d %v %v;", t.Number, p.hidden[t.ID], rights)
		for _, r := range p.rules[t.ID] {
			fmt.Fprintf(&out, "%s %v %v;", r.Filter, r.Edit, r.Delete)
		}
		for _, f := range t.Fields {
			if p.hidden[f.ID] || p.locked[f.ID] {
				fmt.Fprintf(&out, "%d %v;", f.Number, p.hidden[f.ID])
			}
		}
	}
	return out.String()
}

// cuts reports whether the person's base is another one than that of the whole snapshot.
func (p *person) cuts(b *Base) bool {
	for _, t := range b.Tables {
		if _, custom := p.tables[t.ID]; custom {
			return true
		}
	}
	return p.hides(b) || slices.ContainsFunc(b.Tables, func(t *Table) bool {
		return slices.ContainsFunc(t.Fields, func(f *Field) bool { return p.locked[f.ID] })
	})
}

// hides reports whether something of the base is hidden from the person.
func (p *person) hides(b *Base) bool {
	return p.view != nil && p.view.Table.Base == b || slices.ContainsFunc(b.Tables, func(t *Table) bool {
		return p.hidden[t.ID] || slices.ContainsFunc(t.Fields, func(f *Field) bool { return p.hidden[f.ID] })
	})
}

func (p *person) snapshot() *Snapshot {
	s := p.whole
	out := New(s.Org, s.topology, s.filters)
	out.Version, out.PermissionVersion, out.Groups = s.Version, s.PermissionVersion, s.Groups
	out.columns, out.gone = s.columns, s.gone
	out.whole, out.roles = s, p.roles
	out.rights, out.partial = map[uuid.UUID]string{}, map[uuid.UUID]bool{}
	for _, w := range s.Workspaces {
		if p.spaces[w.ID] {
			out.Workspaces = append(out.Workspaces, w)
		}
	}
	for _, b := range s.Bases {
		out.rights[b.ID], out.partial[b.ID] = p.rightsIn(b), p.hides(b)
		if p.isRuled(b) {
			out.ruled, out.partial[b.ID] = true, true
		}
		switch {
		case p.roles[b.ID] == NoRole:
		case p.cuts(b):
			p.cut(out, b)
		default:
			out.AddBase(b)
			for _, t := range b.Tables {
				out.share(t)
			}
		}
	}
	out.order = slices.DeleteFunc(slices.Clone(s.order), func(f *Field) bool { return out.fields[f.ID] == nil })
	for i, f := range out.order {
		out.order[i] = out.fields[f.ID]
	}
	return out
}

// share adds a table of the whole snapshot as it is.
func (s *Snapshot) share(t *Table) {
	s.tables[t.ID], s.tableByNumber[t.Number] = t, t
	for _, f := range t.Fields {
		s.fields[f.ID] = f
	}
	for _, v := range t.Views {
		s.views[v.ID] = v
	}
}

// cut adds copies of a base and its tables without what the person does not see.
func (p *person) cut(out *Snapshot, whole *Base) {
	base := *whole
	base.Tables, base.Ruled = nil, p.isRuled(whole)
	reveals := false
	out.AddBase(&base)
	for _, known := range whole.Tables {
		if p.hidden[known.ID] {
			continue
		}
		t := *known
		t.Base, t.Fields, t.Views, t.whole = &base, nil, nil, known
		if rights, custom := p.tables[known.ID]; custom {
			t.rights = &rights
		}
		t.rows = p.rowsOf(known)
		base.Tables = append(base.Tables, &t)
		t.fieldByName = maps.Clone(known.fieldByName)
		copies := map[*Field]*Field{}
		for _, one := range known.Fields {
			if p.hidden[one.ID] {
				continue
			}
			f := *one
			f.Table, f.Locked = &t, p.locked[one.ID]
			if one.Reveals() {
				p.reveal(&f, one)
				reveals = true
			}
			t.Fields, copies[one] = append(t.Fields, &f), &f
		}
		for name, f := range known.fieldByName {
			if t.fieldByName[name] = copies[f]; copies[f] == nil {
				delete(t.fieldByName, name)
			}
		}
		for _, one := range known.Views {
			if p.view != nil && p.view != one {
				continue
			}
			v := *one
			v.Table = &t
			if p.view != nil { // its records are those that the person reads
				v.Config = maps.Clone(v.Config)
				delete(v.Config, "filters")
			}
			v.conceal(known)
			t.Views = append(t.Views, &v)
		}
		out.share(&t)
	}
	if base.Ruled {
		p.limitLinks(out, &base)
	}
	if base.Ruled || reveals {
		out.computeIn(base.Tables) // what is computed from records that the person does not see is another value
	}
}

// conceal removes from a copy of a view what names fields that the copy's table lacks.
func (v *View) conceal(whole *Table) {
	for _, f := range whole.Fields {
		if v.Table.FieldByID(f.PublicID()) != nil || !bytes.Contains(jsonvalue.Must(v.Config), []byte(f.PublicID())) {
			continue
		}
		if bytes.Contains(v.Config["filters"], []byte(f.PublicID())) {
			v.Config = maps.Clone(v.Config)
			delete(v.Config, "filters")
			v.Concealed = true
		}
		v.Config, _ = v.Config.Without(f)
	}
}
