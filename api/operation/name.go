package operation

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// BaseNames lists the names of the tables of a base, their fields and their views. Tools accept
// names wherever an id is expected.
type BaseNames struct {
	Name     string          `json:"name"`
	TimeZone string          `json:"timeZone"`
	Role     schema.BaseRole `json:"role"     jsonschema:"yours in the base: viewer, commenter, editor or creator"`
	Tables   []TableNames    `json:"tables"`
}

// TableNames lists the names of the fields and views of a table.
type TableNames struct {
	Name   string        `json:"name"`
	Fields Kinds         `json:"fields"          jsonschema:"the type of each field by its name, the primary field first; of a link with its table; locked if you may not write it"`
	Views  Kinds         `json:"views"           jsonschema:"the type of each view by its name; filtered if it does not show all records"`
	Rights *RecordRights `json:"rights,omitzero" jsonschema:"set if the table has permissions of its own"`
}

// Kinds map names to kinds, in order.
type Kinds struct{ written []byte } // members of an object

func (k *Kinds) add(name, kind string) {
	k.written = field.AppendString(append(k.written, ','), name)
	k.written = field.AppendString(append(k.written, ':'), kind)
}

// MarshalJSON writes an object.
func (k Kinds) MarshalJSON() ([]byte, error) {
	return []byte("{" + strings.TrimPrefix(string(k.written), ",") + "}"), nil
}

// JSONSchema describes what MarshalJSON writes.
func (Kinds) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "string"}}
}

// tableNames lists the fields and views of a table. It marks filtered views, because a reader would
// otherwise take some of the records for all of them.
func tableNames(t *schema.Table, snapshot *schema.Snapshot, viewer schema.Viewer) TableNames {
	out := TableNames{Name: t.Name, Rights: recordRights(t)}
	for _, f := range t.Fields {
		kind := string(f.Type())
		if f.Pairs != nil {
			if linked := snapshot.TableByNumber(f.Pairs.Linked); linked != nil {
				kind += " to " + linked.Name
			}
		}
		if f.Locked {
			kind += ", locked"
		}
		out.Fields.add(f.Name, kind)
	}
	for _, v := range views(t, viewer) {
		kind := string(v.Type)
		if _, filtered := v.Config["filters"]; filtered {
			kind += ", filtered"
		}
		if len(v.Problems) > 0 {
			kind += ", with problems"
		}
		out.Views.add(v.Name, kind)
	}
	return out
}
