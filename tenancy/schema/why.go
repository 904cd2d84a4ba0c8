package schema

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// WhyRole returns a person's role in a base, and sentences that say which grants decide it.
func (s *Snapshot) WhyRole(of Subject, b *Base) (BaseRole, []string) {
	h := s.holder(of)
	role := s.roleIn(h, b)
	var why []string
	if of.Role.AtLeast(organization.Admin) {
		return role, []string{fmt.Sprintf("The role %s in the organization makes a creator of every base.", of.Role)}
	}
	restricted := ""
	if b.Access != nil && b.Access.Restricted {
		restricted = "base"
	}
	why = append(why, s.whyGranted(h, b.Access, "base")...)
	if w := s.Workspace(b.Workspace); w != nil {
		why = append(why, s.whyGranted(h, w.Access, "workspace")...)
		if restricted == "" && w.Access != nil && w.Access.Restricted {
			restricted = "workspace"
		}
	}
	switch open := InOpenBase(of.Role); {
	case restricted != "":
		why = append(why, fmt.Sprintf("The %s is restricted, so the role %s in the organization gives nothing.",
			restricted, of.Role))
	case open == NoRole:
		why = append(why, "A guest has only what is granted.")
	default:
		why = append(
			why,
			fmt.Sprintf("The base is open, so the role %s in the organization gives the role %s.", of.Role,
				open),
		)
	}
	return role, why
}

func (s *Snapshot) whyGranted(h holder, a *Access, place string) []string {
	var why []string
	if a == nil {
		return nil
	}
	for _, g := range a.Grants {
		switch {
		case g.Person == h.Person && g.Person != uuid.Nil:
			why = append(why, fmt.Sprintf("The %s gives the person the role %s.", place, g.Role))
		case slices.Contains(h.groups, g.Group):
			why = append(
				why,
				fmt.Sprintf("The %s gives the group %q the role %s.", place, s.Group(g.Group).Name, g.Role),
			)
		}
	}
	return why
}

// WhyTable says which permissions of a table decide what a person may do with its records.
func (s *Snapshot) WhyTable(of Subject, t *Table) []string {
	p := t.Permission
	if p == nil {
		return []string{"The table has no permissions of its own, so the role in the base decides."}
	}
	var why []string
	for _, one := range []struct {
		does     string
		audience *Audience
	}{{"read", p.Read}, {"create", p.Create}, {"edit", p.Edit}, {"delete", p.Delete}} {
		if one.audience != nil {
			why = append(why, fmt.Sprintf("Its records may be %s by %s.", participle[one.does], s.whoIs(one.audience)))
		}
	}
	if s.RowsOf(of, t) != nil {
		var named []string
		h, role := s.holder(of), s.RoleIn(of, t.Base)
		for i, r := range p.Rules {
			if r.names(h, role) {
				named = append(named, fmt.Sprint(i+1))
			}
		}
		why = append(why, fmt.Sprintf("The person reads only the records of the row rules that name them: %s of %d.",
			problem.List(named), len(p.Rules)))
	}
	return why
}

var participle = map[string]string{"read": "read", "create": "created", "edit": "edited", "delete": "deleted"}

// WhyField says which permissions decide whether a person sees and writes a field.
func (s *Snapshot) WhyField(of Subject, f *Field) []string {
	var why []string
	if p := f.Permission; p != nil {
		if p.Read != nil {
			why = append(why, fmt.Sprintf("The field is seen by %s.", s.whoIs(p.Read)))
		}
		if p.Edit != nil {
			why = append(why, fmt.Sprintf("The field is written by %s.", s.whoIs(p.Edit)))
		}
	}
	theirs := s.For(of)
	if theirs.Field(f.ID) != nil && f.Reveals() {
		for _, read := range s.ReadBy(f) {
			if theirs.Field(read.ID) == nil {
				why = append(why, fmt.Sprintf("Its result is revealed, although it is computed from %q, which is "+
					"hidden from the person.", read.Name))
			}
		}
	}
	if theirs.Field(f.ID) == nil {
		for _, read := range s.ReadBy(f) {
			if theirs.Field(read.ID) == nil {
				why = append(why, fmt.Sprintf("It is computed from %q, which is hidden from the person.", read.Name))
			}
		}
		if f.Link != nil && theirs.Table(f.Link.LinkedTable) == nil {
			why = append(why, "It links to a table that is hidden from the person.")
		}
	}
	if len(why) == 0 {
		why = append(why, "The field has no permissions of its own, so those of the table decide.")
	}
	return why
}

// whoIs names an audience.
func (s *Snapshot) whoIs(a *Audience) string {
	who := []string{"creators of the base"}
	if a.Role != "" && a.Role != BaseCreator {
		who[0] = "those with the role " + string(a.Role) + " or above"
	}
	for _, u := range a.Groups {
		if g := s.Group(u); g != nil {
			who = append(who, fmt.Sprintf("the group %q", g.Name))
		}
	}
	switch len(a.People) {
	case 0:
	case 1:
		who = append(who, "one person by name")
	default:
		who = append(who, fmt.Sprintf("%d people by name", len(a.People)))
	}
	return problem.List(who)
}

// Describe says what a person may do in each base, or if t is not nil in that table and its fields. What the person
// does not see is not in it. It is for plans of changes of permissions.
func (s *Snapshot) Describe(of Subject, t *Table) map[string]string {
	out := map[string]string{}
	p := s.person(of)
	if t == nil {
		for _, b := range s.Bases {
			if role := p.roles[b.ID]; role != NoRole {
				out[fmt.Sprintf("the base %q", b.Name)] = "the role " + string(role)
			}
		}
		return out
	}
	if p.hidden[t.ID] {
		return out
	}
	_, rights := t.rightsIn(s.holder(of), p.roles[t.Base.ID])
	out[fmt.Sprintf("the table %q", t.Name)] = rights.describe()
	for _, f := range t.Fields {
		place := fmt.Sprintf("the field %q", f.Name)
		switch {
		case p.hidden[f.ID]:
		case p.locked[f.ID] || !rights.Edit && !rights.Create:
			out[place] = "the right to read"
		default:
			out[place] = "the right to read and write"
		}
	}
	return out
}

func (r Rights) describe() string {
	words := []string{"read"}
	for _, one := range []struct {
		has  bool
		word string
	}{{r.Create, "create"}, {r.Edit, "edit"}, {r.Delete, "delete"}} {
		if one.has {
			words = append(words, one.word)
		}
	}
	return "the right to " + problem.List(words)
}
