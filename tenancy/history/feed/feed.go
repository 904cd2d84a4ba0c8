// Package feed reads the log of changes for programs: what changed in a base, in the order of commit,
// from a position on. Polling, webhooks and live events share its one form of a change. It knows the
// form of the log from package changelog, and nothing of HTTP or MCP. Callers have checked that the
// reader may read the base.
package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxPage bounds the changes of a page.
const MaxPage = 100

// Kinds are the kinds of changes in the feed.
func Kinds() []changelog.Kind {
	return []changelog.Kind{
		changelog.Created, changelog.Updated, changelog.Deleted, changelog.Linked, changelog.Restored, changelog.Schema,
		changelog.Commented,
	}
}

// ParseKind reads the name of a kind of changes.
func ParseKind(path, name string) (changelog.Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name() == name {
			return k, nil
		}
		names = append(names, k.Name())
	}
	return 0, problem.Invalid(path, "%q is no kind of change%s; the kinds are %s",
		name, problem.DidYouMean(name, names), problem.List(names))
}

// A Viewer says what a reader of a base may see of its schema. All readers see records and comments
// alike.
type Viewer struct {
	schema.Viewer

	Schema bool // may see tables, fields and views at all
}

// A Filter selects changes.
type Filter struct {
	Tables []uuid.UUID      // of the base; nil: all, and the base itself
	Kinds  []changelog.Kind // nil: all
	// Condition lets through changes of records that fit it before or after the change, as ParseFilter
	// of package query reads it; "" lets all through. With it, Tables has one table, and the feed has
	// no comments. One that no longer fits the table gives an error of kind invalid.
	Condition []byte
	// Sight, unless nil, must be what the reader sees of the base (schema.Snapshot.RightsIn): the changes are for all
	// who see the same.
	Sight *string
	// Viewer is the only viewer of the changes. If it is nil, the changes are for any viewer, and the
	// caller uses Change.For.
	Viewer *Viewer
}

// ErrSight says that the reader does not see what Filter.Sight says, because its rights have changed.
var ErrSight = errors.New("the reader sees another part of the base")

// A Page is a part of the feed. It may be empty although more follows, if the filter excluded
// everything.
type Page struct {
	Changes []Change
	Next    Position // from which to read on
	More    bool     // more changes exist already
}

// A Reader reads feeds.
type Reader struct {
	DB      *db.DB
	Records *record.Engine
}

// Now returns the position after everything that has happened.
func (r *Reader) Now(ctx context.Context, org uuid.UUID) (Position, error) {
	horizon, err := changelog.Horizon(ctx, r.DB, org)
	return behind(horizon), err
}

// maxReloads is how often a page is read again because the schema changed meanwhile.
const maxReloads = 6

// Read returns at most limit changes of a base after a position. A position before the kept history
// gives an error of kind gone.
func (r *Reader) Read(
	ctx context.Context, org, base uuid.UUID, from Position, limit int, filter Filter,
) (Page, error) {
	memory, release := membudget.Of(ctx)
	defer release()
	var horizon changelog.Moment
	first := func(b *pgx.Batch) { changelog.QueueHorizon(b, &horizon) }
	var err error
	var former int64 // version of the schema of a statement that did not fit it
	for range maxReloads {
		// The schema is newer than the horizon, so that it has every table that the log names up to
		// there, unless it was deleted.
		var s *schema.Snapshot
		if s, err = r.Records.Schema().FreshAfter(ctx, org, first); err != nil {
			return Page{}, fmt.Errorf("reading the schema: %w", err)
		}
		first = nil
		of := s.Base(base)
		if of == nil {
			return Page{}, problem.NotFound("base", id.Format(id.Base, base))
		}
		if filter.Sight != nil && *filter.Sight != s.RightsIn(base) {
			return Page{}, ErrSight
		}
		if from.Compare(behind(horizon)) >= 0 {
			// A forged cursor may be far ahead. A reader that continued from it would miss everything.
			return Page{Next: behind(horizon)}, nil
		}
		var page Page
		err = memory.Read(ctx, func() error {
			p := &pageReader{
				Reader: r, schema: s, base: of, horizon: horizon, limit: limit, filter: filter, memory: memory,
			}
			page, err = p.read(ctx, from)
			return err
		})
		if !errors.Is(err, db.ErrSchemaChanged) {
			return page, err
		}
		if misfit := db.Misfit(err); misfit != nil && s.Version == former {
			return Page{}, fmt.Errorf("a statement does not fit the schema, which has not changed since version %d: %w",
				former, misfit)
		} else if misfit != nil {
			former = s.Version
		}
	}
	return Page{}, (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeSchemaBusy, RetryAfter: time.Second,
		Message: "The base's fields are being changed at this moment; try again shortly.",
	}).Because(err)
}

// expired says that the log no longer has what follows a position.
func expired(since changelog.Moment) error {
	return (&problem.Error{
		Kind: problem.KindGone,
		Message: fmt.Sprintf("The cursor is older than the history that is kept, which begins at %s. Begin anew: get "+
			"a cursor by a call without one, then read the records; or read from cursor=earliest.",
			since.Time().Format(time.RFC3339)),
	}).WithCode(problem.CodeCursorExpired)
}
