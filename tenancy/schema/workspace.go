package schema

import (
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// A Workspace groups bases. Every organization has one default workspace, which cannot be deleted.
type Workspace struct {
	Org       uuid.UUID
	ID        uuid.UUID
	Name      string
	Color     string
	Icon      *Icon
	IsDefault bool
	Position  float64
	Access    *Access // nil: it is open
}

// PublicID is the workspace's identifier outside.
func (w *Workspace) PublicID() string { return id.Format(id.Workspace, w.ID) }
