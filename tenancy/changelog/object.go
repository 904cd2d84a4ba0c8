package changelog

import (
	"encoding/json"

	"github.com/google/uuid"
)

// An ObjectChange is the log's record of a change of one object of the schema.
type ObjectChange struct {
	Object string          `json:"object"` // workspace, base, table, field, view, trash or record
	ID     uuid.UUID       `json:"id"`
	Before json.RawMessage `json:"before"` // the metadata row; null: it is new
	After  json.RawMessage `json:"after"`  // null: it is gone
	// Restored is set if the object is not new, but comes from the trash.
	Restored bool `json:"restored,omitzero"`
	// Renamed are the options of a field that got other names, by their former names.
	Renamed map[string]string `json:"renamed,omitempty"`
}
