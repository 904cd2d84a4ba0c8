package schema

import (
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// ViewAccess is who may see and change a view.
type ViewAccess string

// The kinds of access.
const (
	Collaborative ViewAccess = "collaborative" // everybody sees it, editors change it
	Personal      ViewAccess = "personal"      // its maker and admins see and change it
	Locked        ViewAccess = "locked"        // everybody sees it, admins change it
)

// ViewAccesses lists every kind of access.
var ViewAccesses = []ViewAccess{Collaborative, Personal, Locked}

// ParseViewAccess reads a kind of access.
func ParseViewAccess(path, name string) (ViewAccess, error) {
	var names []string
	for _, a := range ViewAccesses {
		if string(a) == name {
			return a, nil
		}
		names = append(names, string(a))
	}
	return "", problem.Invalid(path, "%q is no kind of access%s; the kinds are %s",
		name, problem.DidYouMean(name, names), problem.List(names))
}

// A Viewer is a person who sees or changes views. The zero value is the public, which sees no
// personal views.
type Viewer struct {
	Person uuid.UUID
	Admin  bool // of the organization
}

// Sees reports whether the viewer may see a view.
func (w Viewer) Sees(v *View) bool {
	return v.Access != Personal || w.Admin || w.Person != uuid.Nil && w.Person == v.CreatedBy
}

// Views lists the views of a table that the viewer sees.
func (w Viewer) Views(t *Table) []*View {
	list := make([]*View, 0, len(t.Views))
	for _, v := range t.Views {
		if w.Sees(v) {
			list = append(list, v)
		}
	}
	return list
}

// MayChange returns an error if the viewer may not change or delete a view.
func (w Viewer) MayChange(v *View) error {
	switch {
	case !w.Sees(v):
		return problem.NotFound("view", id.Format(id.View, v.ID))
	case v.Access == Locked && !w.Admin:
		return problem.Forbidden(
			"The view %q is locked; only an admin changes or deletes it. Make a view of your own instead.", v.Name,
		).WithCode(problem.CodeViewLocked)
	}
	return nil
}

// MaySet returns an error if the viewer may not give a view this access. v is the present view.
func (w Viewer) MaySet(access ViewAccess, v *View) error {
	switch {
	case access == v.Access:
		return nil
	case access == Locked && !w.Admin:
		return problem.Forbidden("Only an admin locks a view.").WithCode(problem.CodeInsufficientRole)
	case access == Personal && !w.Admin && v.CreatedBy != w.Person:
		return problem.Forbidden(
			"The view %q was made by somebody else, so only they or an admin can make it personal.", v.Name,
		).WithCode(problem.CodeInsufficientRole)
	case access == Personal && v.OnlyShared():
		return problem.Conflict("%q is the last view of its table that everybody sees, and cannot become personal.",
			v.Name).WithCode(problem.CodeLastView)
	}
	return nil
}

// OnlyShared reports whether a view is the last one of its table that everybody sees.
func (v *View) OnlyShared() bool {
	for _, other := range v.Table.Views {
		if other != v && other.Access != Personal {
			return false
		}
	}
	return v.Access != Personal
}
