package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// LossesOf lists what works now and would stop working when a field becomes changed: computed fields
// that would show errors, views, and webhooks. changed is nil for a deletion.
func (c *Change) LossesOf(ctx context.Context, f, changed *schema.Field) ([]problem.Item, error) {
	return c.lossesOf(ctx, f, f, changed)
}

// lossesOf is LossesOf with compared as the field that filters compare with.
func (c *Change) lossesOf(ctx context.Context, f, compared, changed *schema.Field) ([]problem.Item, error) {
	gone := []*schema.Field{f}
	if f.Link != nil && changed == nil {
		if inverse := c.Snapshot.Field(f.Link.Inverse); inverse != nil {
			gone = append(gone, inverse)
		}
	}
	next := c.Snapshot.With(f, changed)
	items := c.Snapshot.BrokenFields(f, next)
	hooks, err := c.webhooks(ctx)
	if err != nil {
		return nil, err
	}
	var seen []*schema.Table
	for _, one := range slices.Concat(gone, c.Snapshot.Becoming(f, next)) {
		t := one.Table
		before, after, is := t.With(compared), next.Table(t.ID), next.Field(one.ID) // nil if it is deleted
		known := slices.Contains(seen, t)
		seen = append(seen, t)
		for _, v := range t.Views {
			compared := append(c.colorFilters(v), c.viewFilter(v, "filters", v.Config["filters"]))
			for _, filter := range compared {
				if item, broken := filter.brokenBy(c.Snapshot, before, after); broken && !known {
					items = append(items, item)
				}
			}
			items = append(items, c.lostKeys(v, one, is)...)
		}
		for _, rule := range c.ruleFilters(t) {
			if item, broken := rule.brokenBy(c.Snapshot, before, after); broken && !known {
				items = append(items, item)
			}
		}
		for _, w := range hooks {
			if w.onlyTable(c.Snapshot) == t && !known {
				if item, broken := c.webhookFilter(w, t).brokenBy(c.Snapshot, before, after); broken {
					items = append(items, item)
				}
			}
			if is == nil && slices.Contains(w.fields, one.ID) {
				items = append(items, problem.Item{Path: w.publicID(), Message: fmt.Sprintf(
					"a webhook would tell nothing of %q any more", one.Name)})
			}
		}
	}
	return items, nil
}

// losesTables reports what would stop working without some tables, in addition to the tables.
func (c *Change) losesTables(ctx context.Context, tables []*schema.Table) error {
	goes := func(item problem.Item) bool {
		return slices.ContainsFunc(tables, func(t *schema.Table) bool {
			return slices.ContainsFunc(t.Fields, func(f *schema.Field) bool { return f.PublicID() == item.Path }) ||
				slices.ContainsFunc(t.Views, func(v *schema.View) bool { return v.PublicID() == item.Path })
		})
	}
	for _, t := range tables {
		for _, f := range t.Fields {
			if f.Link == nil || f.Link.LinkedTable == t.ID {
				continue
			}
			inverse := c.Snapshot.Field(f.Link.Inverse)
			if inverse == nil || slices.Contains(tables, inverse.Table) {
				continue
			}
			c.Lose(0, problem.Item{Path: inverse.PublicID(), Message: fmt.Sprintf(
				"the link field %q of the table %q would go too", inverse.Name, inverse.Table.Name)})
			items, err := c.LossesOf(ctx, inverse, nil)
			if err != nil {
				return err
			}
			c.Lose(0, slices.DeleteFunc(items, goes)...)
		}
	}
	for _, t := range tables {
		if err := c.losesTiles(ctx, t.Base, t.Views); err != nil {
			return err
		}
	}
	hooks, err := c.webhooks(ctx)
	if err != nil {
		return err
	}
	for _, w := range hooks {
		for _, t := range tables {
			if slices.Contains(w.tables, t.ID) {
				c.Lose(0, problem.Item{Path: w.publicID(), Message: fmt.Sprintf(
					"a webhook would tell nothing of the table %q any more", t.Name)})
			}
		}
	}
	return nil
}

// brokenBy reports the loss of a filter that fits a table as it is, and not as it will be.
func (f storedFilter) brokenBy(s *schema.Snapshot, before, after *schema.Table) (problem.Item, bool) {
	check := checkFilter
	if f.rule {
		check = func(t *schema.Table, filter []byte) error {
			_, err := s.ReadRule(t, "filter", filter)
			return err
		}
	}
	if len(f.filter) == 0 || check(before, f.filter) != nil {
		return problem.Item{}, false
	}
	err := check(after, f.filter)
	if err == nil {
		return problem.Item{}, false
	}
	why := err.Error()
	if wrong := (*problem.Error)(nil); errors.As(err, &wrong) {
		why = wrong.Message
	}
	return f.loss(why), true
}

// lostKeys lists what a view would stop doing with a field that its config names, if the field is
// deleted or changed.
func (c *Change) lostKeys(v *schema.View, f, next *schema.Field) []problem.Item {
	left, _ := v.Config.Without(f)
	var items []problem.Item
	for _, key := range v.Config.SortedKeys() {
		loss := schema.KeyLoss(key)
		if now, still := left[key]; loss == "" || still && EqualJSON(now, v.Config[key]) {
			continue
		}
		if next != nil && (v.Config.Serves(key, next) || !v.Config.Serves(key, f)) {
			continue
		}
		items = append(items, problem.Item{Path: v.PublicID(), Message: fmt.Sprintf("%s would %s %q", c.nameView(v),
			loss, f.Name)})
	}
	return items
}

// losesOptions reports the filters that name options which a change of a field removes. Unless discard
// is set, it refuses the change because of them. Filters already have the new names of renamed options.
func (c *Change) losesOptions(ctx context.Context, f, next *schema.Field, patch *FieldPatch) error {
	if _, ok := f.Kind.(field.Optioned); !ok {
		return nil
	}
	removed := slices.DeleteFunc(f.Config.OptionNames(), func(name string) bool {
		_, renamed := c.renamed[f.ID][name]
		return renamed || next.Config.HasOption(name)
	})
	c.Lose(0, c.writtenInFormulas(f, removed)...)
	if len(removed) == 0 {
		return nil
	}
	compared := *f
	compared.Config.Options = slices.Concat(f.Config.Options, next.Config.Options)
	items, err := c.lossesOf(ctx, f, &compared, next)
	if err != nil {
		return err
	}
	c.Lose(0, items...)
	if len(items) == 0 || patch.Discard {
		return nil
	}
	e := problem.Conflict("%s %s removed options, and would no longer work. Nothing was changed; repair the filters "+
		"first, or give discard: true.", problem.Count(len(items), "place"), plural(len(items), "names", "name")).
		WithCode(problem.CodeValuesWouldBeLost)
	e.Items = items
	return e
}

func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// writtenInFormulas lists formulas that read a select field and contain the name of a renamed or
// removed option as a text. The text may or may not mean the option, so it stays.
func (c *Change) writtenInFormulas(f *schema.Field, removed []string) []problem.Item {
	names := slices.Clone(removed)
	for name := range c.renamed[f.ID] {
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	var items []problem.Item
	for _, public := range c.Snapshot.Showing(f) {
		u, err := id.Parse(id.Field, public)
		if err != nil {
			continue
		}
		for _, reader := range c.Snapshot.Readers(c.Snapshot.Field(u)) {
			tree, err := formula.Parse(reader.Config.Formula)
			if reader.Config.Formula == "" || err != nil {
				continue
			}
			for _, text := range tree.Texts() {
				if slices.Contains(names, text) {
					items = append(items, problem.Item{Path: reader.PublicID(), Message: fmt.Sprintf(
						"the formula of %q has the text %q, which stays as it is", reader.Name, text)})
				}
			}
		}
	}
	return items
}

// losesResult lists what does not fit the future values of a computed field, or of lookups through a
// link. It refuses the change because of them unless the patch permits the loss.
func (c *Change) losesResult(ctx context.Context, f, next *schema.Field, patch *FieldPatch) error {
	var what string
	switch {
	case f.Info().Computed && f.Config.ResultType != next.Config.ResultType:
		what = fmt.Sprintf("The values of %q become %s", f.Name, next.Config.ResultType)
	case f.Link == nil || f.Single() == next.Single():
		return nil
	case next.Single():
		what = fmt.Sprintf("Lookups through %q become single values", f.Name)
	default:
		what = fmt.Sprintf("Lookups through %q become lists", f.Name)
	}
	items, err := c.lossesOf(ctx, f, f, next)
	if err != nil {
		return err
	}
	c.Lose(0, items...)
	if len(items) == 0 || patch.Discard {
		return nil
	}
	e := problem.Conflict("%s, and %s that %s it would no longer work. Nothing was changed; repair them first, or "+
		"give discard: true.", what, problem.Count(len(items), "place"),
		plural(len(items), "reads or compares", "read or compare")).WithCode(problem.CodeValuesWouldBeLost)
	e.Items = items
	return e
}

// checkFilter returns what in a stored filter does not fit a table.
func checkFilter(t *schema.Table, filter []byte) error {
	_, err := query.ParseFilter(t, "config.filters", filter)
	return err
}
