// Package dashboard keeps the dashboards of bases. A dashboard is a page of tiles in 12 columns, of which each shows a
// view or a text.
//
// A tile names its view by id and keeps it when the view is deleted or hidden from somebody. Whoever reads a dashboard
// says which views the reader sees, and gets no others; whoever changes one leaves the tiles that they do not see where
// they are. The package knows nothing of schemas and permissions.
package dashboard

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// Bounds of dashboards.
const (
	Columns    = 12
	MaxPerBase = 50
	MaxTiles   = 50
	MaxText    = 4000 // bytes of a tile
	maxHeight  = 20   // rows of a tile
	maxRow     = 1000
)

// A Tile is a part of a dashboard. It has a view or a text.
type Tile struct {
	View   string `json:"viewId,omitempty"` // its public id
	Text   string `json:"text,omitempty"`
	Column int    `json:"column"` // its left edge, from 0
	Row    int    `json:"row"`    // its upper edge, from 0
	Width  int    `json:"width"`  // in columns
	Height int    `json:"height"` // in rows
}

// A Dashboard is a page of tiles.
type Dashboard struct {
	ID    uuid.UUID
	Name  string
	Tiles []Tile
}

// PublicID returns the id that callers know.
func (d *Dashboard) PublicID() string { return id.Format(id.Dashboard, d.ID) }

// Sees reports whether somebody sees a view, by its public id.
type Sees func(view string) bool

// seen returns the tiles that somebody sees.
func (s Sees) seen(tiles []Tile) []Tile {
	return slices.DeleteFunc(slices.Clone(tiles), func(t Tile) bool { return t.View != "" && !s(t.View) })
}

// replaced returns what becomes of tiles when somebody who sees only some of them gives others for these. Of those that
// they do not see, the last MaxTiles stay.
func (s Sees) replaced(tiles, given []Tile) []Tile {
	hidden := slices.DeleteFunc(slices.Clone(tiles), func(t Tile) bool { return t.View == "" || s(t.View) })
	return append(slices.Clone(given), hidden[max(0, len(hidden)-MaxTiles):]...)
}

// check returns an error that names every tile that cannot be one.
func check(tiles []Tile, sees Sees) error {
	if len(tiles) > MaxTiles {
		return problem.Invalid("tiles", "must be at most %d", MaxTiles)
	}
	var items []problem.Item
	for i, t := range tiles {
		wrong := func(member, format string, args ...any) {
			items = append(items, problem.Item{
				Path: fmt.Sprintf("tiles[%d]%s", i, member), Message: fmt.Sprintf(format, args...),
			})
		}
		switch {
		case (t.View == "") == (t.Text == ""):
			wrong("", "must have either viewId or text")
		case len(t.Text) > MaxText:
			wrong(".text", "must be at most %d bytes", MaxText)
		case t.View != "" && !sees(t.View):
			wrong(".viewId", "no view of this base has the id %q", t.View)
		}
		if t.Column < 0 || t.Width < 1 || t.Column+t.Width > Columns {
			wrong("", "column and width must be within the %d columns, which are numbered from 0", Columns)
		}
		if t.Row < 0 || t.Row > maxRow {
			wrong(".row", "must be a whole number from 0 to %d", maxRow)
		}
		if t.Height < 1 || t.Height > maxHeight {
			wrong(".height", "must be a whole number from 1 to %d", maxHeight)
		}
	}
	if len(items) > 0 {
		return problem.InvalidItems(items)
	}
	return nil
}
