package query

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An ImageFilter filters states of a table's records. A state is a JSON object with the columns of the
// record table that the filter compares, and a list of the linked records for each link field under its
// changelog.Key.
type ImageFilter struct {
	filter *Filter
	from   *schema.Table // which the filter reads
	now    *schema.Table
	fields []*schema.Field // that the filter compares, as they are now
	rule   bool            // it is what a person reads; see RuleImage
}

// ParseImageFilter reads a filter as ParseFilter does.
func ParseImageFilter(t *schema.Table, path string, raw []byte) (*ImageFilter, error) {
	from := t.ReadFrom("image_"+itoa(t.Number), pastPairs)
	filter, err := ParseFilter(from, path, raw)
	if err != nil {
		return nil, err
	}
	f := &ImageFilter{filter: filter, from: from, now: t}
	for _, c := range filter.fields(nil) {
		if c.Info().Computed {
			return nil, problem.Invalid(path, "%q is computed, and the log of changes has no computed values; compare "+
				"the fields that it computes from", c.Name)
		}
	}
	f.findFields()
	return f, nil
}

// RuleImage filters states of records as the rules of a table do for a person who reads only some (schema.Rows): it
// lets through those that the person would read.
func RuleImage(t *schema.Table) *ImageFilter {
	whole := t.Whole()
	f := &ImageFilter{
		filter: &Filter{or: true}, from: whole.ReadFrom("image_"+itoa(t.Number), pastPairs), now: whole, rule: true,
	}
	for _, r := range t.Rows().Rules() {
		if one, err := parseRule(f.from, "filter", r.Filter); err == nil {
			f.filter.parts = append(f.filter.parts, *one)
		}
	}
	f.findFields()
	return f
}

// findFields completes fields.
func (f *ImageFilter) findFields() {
	compared := f.filter.fields(nil)
	for _, own := range f.now.Fields {
		for _, c := range compared {
			if c.ID == own.ID {
				f.fields = append(f.fields, own)
				break
			}
		}
	}
}

// JSON writes the filter with fields named by id.
func (f *ImageFilter) JSON() []byte { return f.filter.JSON() }

// Empty reports whether the filter lets every record through.
func (f *ImageFilter) Empty() bool { return f == nil || f.filter.Empty() }

// ownColumns are columns of the record table that some fields read their values from.
const ownColumns = "t.id, t.created_at, t.updated_at, t.created_by, t.updated_by"

// Present is the expression for the state of the present record t, without links, as JSON text.
func (f *ImageFilter) Present() string {
	columns := ownColumns
	for _, own := range f.fields {
		if own.Info().Column != "" {
			columns += ", t." + own.Column()
		}
	}
	return "(select to_jsonb(i) from (select " + columns + ") i)::text"
}

// Keys are the members of a state.
func (f *ImageFilter) Keys() []string {
	keys := []string{"id", "created_at", "updated_at", "created_by", "updated_by"}
	for _, own := range f.fields {
		keys = append(keys, changelog.Key(&own.Field))
	}
	return keys
}

// Statement selects the states that pass: its rows have their positions, from zero.
func (f *ImageFilter) Statement(now time.Time, images []string) Statement {
	c := NewCompiler(now, db.Topology{})
	condition := f.condition(c)
	var unset, links []string
	for _, own := range f.fields {
		key := changelog.Key(&own.Field)
		switch value := own.Unset(); {
		case own.Link != nil:
			links = append(links, fmt.Sprintf(", array(select x::uuid from jsonb_array_elements_text("+
				"coalesce(i.image -> '%s', '[]')) with ordinality as l(x, n) order by n) as %s", key, linkColumn(own)))
		case value != nil && own.Info().Column != "":
			unset = append(unset, "'"+key+"'", fmt.Sprintf("%v", value))
		}
	}
	query := Select{
		Columns: []string{"i.place"},
		From: "(select u.place::integer - 1 as place, jsonb_build_object(" + strings.Join(unset, ", ") +
			") || u.image::jsonb as image from unnest(" + c.Add(images) +
			"::text[]) with ordinality as u(image, place)) i cross join lateral jsonb_populate_record(null::" +
			f.now.Relation() + ", i.image) r " +
			"cross join lateral (select r.*" + strings.Join(links, "") + ") t",
		Where: []string{condition},
	}
	return Statement{query.String(), c.Values()}
}

func (f *ImageFilter) condition(c *Compiler) string {
	condition := c.condition(f.filter)
	switch {
	case f.rule:
		return schema.ForPerson(condition)
	case condition == "":
		return "true"
	}
	return condition
}
