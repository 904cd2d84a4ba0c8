package feed

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Of a table of which somebody reads only some records, the feed has the changes of these alone. A record that a change
// makes one of them is created for the reader, and one that is none of them any more is deleted, without its values.

// A sight is what a reader sees of a change.
type sight struct {
	fits   map[bool]bool // whether the reader reads the record before (false) and after (true) the change
	there  map[bool]bool // whether it exists
	gained []byte        // the change, if the reader did not read the record before
	lost   []byte        // the change, if the reader does not read it any more
}

// newSights is a selection of what a reader with rows reads.
func newSights(t *schema.Table) *selection {
	s := selectionBy(query.RuleImage(t))
	s.sights = map[*Change]*sight{}
	return s
}

func newSight(v *valueReader, c *Change, before, after state) *sight {
	gained, lost := *c, *c
	gained.Kind, lost.Kind = changelog.Created, changelog.Deleted
	nothing := before.clone()
	nothing.setKnown(false)
	return &sight{
		fits: map[bool]bool{}, there: map[bool]bool{false: before.There, true: after.There},
		gained: v.text(&gained, state{}, after, nil, false), lost: v.text(&lost, nothing, state{}, nil, false),
	}
}

// apply excludes the change, or changes what it says. A nil sight is of a change of which the log has no values.
func (s *sight) apply(c *Change) {
	switch {
	case s == nil || !s.fits[false] && !s.fits[true]:
		c.left = true
	case s.there[false] && s.there[true] && s.fits[false] != s.fits[true]:
		c.Kind, c.text, c.left = changelog.Created, s.gained, false
		if s.fits[false] {
			c.Kind, c.text = changelog.Deleted, s.lost
		}
	}
}

// cellsOf lists the fields of a table that the feed has, without the links to records of which the reader reads only
// some.
func (p *pageReader) cellsOf(t *schema.Table) []changelog.Cell {
	return slices.DeleteFunc(changelog.Cells(t, p.Records.FileLinks(p.schema.Org)), func(cell changelog.Cell) bool {
		return p.schema.ReadsSome(cell.Field)
	})
}

// hideComments excludes the comments on records that the reader does not read.
func (p *pageReader) hideComments(ctx context.Context, changes []Change) error {
	commented := map[*schema.Table][]uuid.UUID{}
	for i := range changes {
		if c := &changes[i]; c.comment != nil && c.Table.Rows() != nil {
			commented[c.Table] = append(commented[c.Table], c.comment.Record)
			c.left = true
		}
	}
	for t, rows := range commented {
		read := map[uuid.UUID]bool{}
		err := p.DB.TableBatch(ctx, t.Org, t.Ref(), func(b *pgx.Batch) {
			b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1::uuid[])", rows).
				Query(func(found pgx.Rows) error {
					var row uuid.UUID
					_, err := pgx.ForEachRow(found, []any{&row}, func() error { read[row] = true; return nil })
					return err
				})
		})
		if err != nil {
			return fmt.Errorf("looking for the records of comments: %w", err)
		}
		for i := range changes {
			if c := &changes[i]; c.comment != nil && c.Table == t {
				c.left = !read[c.comment.Record]
			}
		}
	}
	return nil
}
