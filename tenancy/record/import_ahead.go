package record

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Reading is an import whose text is read before its turn: the next part of a file while the one before is written.
// It is for one Import.
type Reading struct {
	table *schema.Table
	done  chan struct{}
	run   *importRun // nil: Import reads the text itself, and reports what is wrong with it
}

// ReadAhead begins to read the text of an import, with the schema that the person knows now.
func (e *Engine) ReadAhead(ctx context.Context, actor Actor, table uuid.UUID, in Import) *Reading {
	out := &Reading{done: make(chan struct{})}
	go func() {
		defer close(out.done)
		defer func() {
			if recover() != nil { // Import comes to the same place, and its caller handles it
				out.run = nil
			}
		}()
		s, err := e.store.Cached(ctx, actor.Org)
		if err != nil {
			return
		}
		t := s.Table(table)
		if t == nil {
			return
		}
		if text, err := readCSV(t, &in); err == nil {
			run := &importRun{Engine: e, actor: actor, in: &in, text: text}
			if !run.namesOthers() && in.UpsertOn == nil {
				run.check(s, t, nil)
				run.checked = true
			}
			out.table, out.run = t, run
		}
	}()
	return out
}

// take waits for a reading, and returns what was read if the table is still the one that it was read for. A second
// attempt reads once more.
func (r *Reading) take(t *schema.Table) *importRun {
	if r == nil {
		return nil
	}
	<-r.done
	run := r.run
	if r.run = nil; r.table != t {
		return nil
	}
	return run
}

// namesOthers reports whether cells may name records or people, which are looked up before the rows are checked.
func (r *importRun) namesOthers() bool {
	return slices.ContainsFunc(r.text.columns, func(f *schema.Field) bool {
		return f != nil && (f.Link != nil || f.Info().People)
	})
}
