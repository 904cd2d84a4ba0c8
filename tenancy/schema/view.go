package schema

import (
	"encoding/json"

	"github.com/rowhouse/rowhouse/tenancy"
)

// ViewType says how a view shows its records.
type ViewType string

// The types of view.
const (
	Grid     ViewType = "grid"
	Gallery  ViewType = "gallery"
	Kanban   ViewType = "kanban"
	Calendar ViewType = "calendar"
	Form     ViewType = "form"
)

// ViewTypes lists every type of view.
var ViewTypes = []ViewType{Grid, Gallery, Kanban, Calendar, Form}

// ViewConfig is the configuration of a view. Known keys are validated when they are written, unknown keys are kept.
type ViewConfig map[string]json.RawMessage

// ParseViewType reads the name of a view type.
func ParseViewType(path, name string) (ViewType, error) {
	var names []string
	for _, t := range ViewTypes {
		if string(t) == name {
			return t, nil
		}
		names = append(names, string(t))
	}
	return "", tenancy.Invalid(path, "%q is not a type of view%s; the types are %s", name, tenancy.DidYouMean(name, names), tenancy.List(names))
}
