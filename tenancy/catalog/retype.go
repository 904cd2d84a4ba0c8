// Package catalog loads and changes schemas: the metadata of bases, tables, fields and views, the DDL
// of the record tables in the same transaction, the conversion of values to another type, the columns
// of computed fields and their filling, and the trash and reverts of schema objects. Package schema has
// the model, and package record reads and writes the values.
package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A TypeChange is a change of a field's type, with other changes of the field.
type TypeChange struct {
	Type schema.Type
	// Patch's Config is of the new type; keys of both types keep their values unless it sets them. Its
	// Discard permits the loss of values that do not convert.
	Patch FieldPatch
}

// maxSamples bounds the listed values that do not convert.
const maxSamples = 20

// Retype gives a field another type and converts its values, as typecast would, and makes the other
// changes of the patch, in one transaction. If values do not convert, it reports them and changes
// nothing, unless Discard permits their loss. A text that becomes a select gets its values as options
// if the config names none. A field that already has the type is only patched.
func Retype(ctx context.Context, store *Store, org, fieldID uuid.UUID, in TypeChange) error {
	err := store.Change(ctx, org, func(c *Change) error {
		f := c.Snapshot.Field(fieldID)
		if f == nil {
			return problem.NotFound("field", id.Format(id.Field, fieldID))
		}
		c.SetAuditEvent(audit.Event{Action: "update_field", Subject: f.PublicID()})
		if f.Type() == in.Type {
			if err := c.LockTable(ctx, f.Table); err != nil {
				return err
			}
			if err := c.WeighField(ctx, f); err != nil {
				return err
			}
			return c.PatchField(ctx, f, in.Patch)
		}
		if err := canRetype(f, in.Type); err != nil {
			return err
		}
		config, err := retypedConfig(f, in)
		if err != nil {
			return err
		}
		if err := c.LockTable(ctx, f.Table); err != nil {
			return err
		}
		if err := c.WeighField(ctx, f); err != nil {
			return err
		}
		next := f.As(in.Type, config)
		r := &retyping{change: c, from: f, to: next, values: map[uuid.UUID]any{}}
		_, optioned := next.Kind.(field.Optioned)
		r.grow = optioned && len(config.Options) == 0 // the options are taken from the values
		if err := r.convert(ctx); err != nil {
			return err
		}
		if err := c.CheckDefault(ctx, "config", r.to, nil); err != nil {
			return err
		}
		config = r.to.Config
		if r.broken, err = c.LossesOf(ctx, f, next); err != nil {
			return err
		}
		c.Lose(r.failures, slices.Concat(r.broken, r.samples)...)
		if err := r.show(ctx); err != nil {
			return err
		}
		if r.failures+len(r.broken) > 0 && !in.Patch.Discard {
			return r.report()
		}
		if config.Required && next.Unset() == nil && r.failures > 0 {
			return problem.Conflict("%q is required, and %s could not be converted.", f.Name,
				problem.Count(r.failures, "value")).WithCode(problem.CodeValuesWouldBeLost)
		}
		rest := in.Patch
		rest.Config = nil
		if c.OnlyPlanned() && !config.Unique {
			// Only the patch can still fail. Storing the values locks readers out, so it comes last.
			return c.PatchField(ctx, f, rest)
		}
		if err := r.store(ctx); err != nil {
			return err
		}
		return c.PatchField(ctx, r.to, rest)
	})
	if err != nil {
		return fmt.Errorf("changing the type of a field: %w", err)
	}
	return nil
}

// canRetype returns an error if a field cannot get a type: only types whose values people write into a
// column are possible, from any type that has values. Computed values are stored as they are now.
func canRetype(f *schema.Field, to schema.Type) error {
	switch info := to.Info(); {
	case !f.Info().Convertible && !f.Info().Computed:
		return problem.Invalid("type", "%q is %s, which cannot become another type", f.Name, f.Type())
	case !info.Convertible || info.ReadOnly:
		return problem.Invalid("type", "a field cannot become %s; add a new field of that type", to)
	case f.IsPrimary && !info.Primary:
		return problem.Invalid("type", "%q is the primary field, which is one of %s",
			f.Name, problem.List(field.PrimaryTypes()))
	}
	return nil
}

// retypedConfig applies the given config to those keys of the present one that the new type has too.
func retypedConfig(f *schema.Field, in TypeChange) (schema.Config, error) {
	info := in.Type.Info()
	kept := schema.Config{}
	present, err := json.Marshal(f.Config)
	if err != nil {
		return kept, fmt.Errorf("encoding the present config: %w", err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(present, &keys); err != nil {
		return kept, fmt.Errorf("decoding the present config: %w", err)
	}
	for key := range keys {
		if !info.HasKey(key) || key == "default" || key == "format" {
			delete(keys, key)
		}
	}
	present, err = json.Marshal(keys)
	if err != nil {
		return kept, fmt.Errorf("encoding the kept config: %w", err)
	}
	if err := json.Unmarshal(present, &kept); err != nil {
		return kept, fmt.Errorf("decoding the kept config: %w", err)
	}
	return field.MergeConfig("config", in.Type.Kind(), kept, in.Patch.Config)
}

// A retyping is a change of type in progress.
type retyping struct {
	change *Change
	from   *schema.Field
	to     *schema.Field
	grow   bool // options come from the values

	values   map[uuid.UUID]any // the converted ones
	shown    []shownValue      // the first, for a plan
	failures int
	samples  []problem.Item // the first that do not convert, for callers who may read records
	broken   []problem.Item // what would stop working
}

// A shownValue is a value as JSON before its conversion.
type shownValue struct {
	row    uuid.UUID
	before []byte
}

const retypeChunk = 5000

// convert reads every value and decodes it for the new type.
func (r *retyping) convert(ctx context.Context) error {
	given := &field.Input{Field: &r.to.Field, Typecast: true}
	if r.grow && !r.change.ShowsValues() { // the options would be a list of the values
		return problem.Invalid("config.options", "is required of a credential without the scope data:read, because "+
			"the options would be taken from the values")
	}
	if r.grow {
		given.NewOption = r.grown
	}
	var err error
	if given.Style, err = r.style(ctx); err != nil {
		return err
	}
	return r.each(ctx, func(row uuid.UUID, before []byte) {
		if len(r.shown) < plan.MaxSample {
			r.shown = append(r.shown, shownValue{row, before})
		}
		value, err := given.Convert(&r.from.Field, before)
		if err == nil && len(r.to.Config.Options) > field.MaxOptions {
			err = fmt.Errorf("would be option %d; a field has at most %d",
				len(r.to.Config.Options), field.MaxOptions)
		}
		switch {
		case err != nil:
			r.failures++
			if r.change.ShowsValues() && len(r.samples) < maxSamples {
				r.samples = append(r.samples, problem.Item{
					Path:    id.FormatRecord(r.from.Table.Number, row),
					Message: err.Error(),
				})
			}
		case value != nil:
			r.values[row] = value
		}
	})
}

// style is how the texts of the field write numbers and dates, which all of them decide together.
func (r *retyping) style(ctx context.Context) (field.Style, error) {
	if _, text := r.from.Values().(*field.TextLike); !text {
		return field.Style{}, nil
	}
	_, number := r.to.Kind.(*field.NumberLike)
	_, time := r.to.Kind.(*field.TimeLike)
	if !number && !time {
		return field.Style{}, nil
	}
	column := &field.Column{}
	err := r.each(ctx, func(_ uuid.UUID, value []byte) {
		if text, err := jsonvalue.Unquote(value); err == nil {
			column.Add(text)
		}
	})
	return field.Styles([]*field.Column{column}, field.Style{})[0], err
}

// each calls a function for every record that has a value, with the value as JSON.
func (r *retyping) each(ctx context.Context, do func(row uuid.UUID, value []byte)) error {
	selected, write := r.from.Kind.Select(&r.from.Field), r.from.Kind.Encoder(&r.from.Field, nil)
	after, condition := uuid.Nil, ""
	if r.from.Computed == nil {
		condition = " and t." + r.from.Column() + " is not null"
	}
	for {
		rows, err := r.change.Query(ctx, "select t.id, "+selected+" from "+r.from.Table.Relation()+
			" t where t.id > $1"+condition+" order by t.id limit $2", after, retypeChunk)
		if err != nil {
			return fmt.Errorf("reading the values: %w", err)
		}
		n := 0
		for rows.Next() {
			raw := rows.RawValues()
			after = uuid.UUID(raw[0])
			if n++; raw[1] != nil {
				do(after, write(nil, raw[1]))
			}
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("reading the values: %w", err)
		}
		if n < retypeChunk {
			return nil
		}
	}
}

// show shows the first values in the plan of the change, as they are and as they would be.
func (r *retyping) show(ctx context.Context) error {
	if !r.change.OnlyPlanned() || len(r.shown) == 0 {
		return nil
	}
	kind, cast := r.to.Info().Array()
	var ids, values field.Array
	for _, one := range r.shown {
		if value, ok := r.values[one.row]; ok {
			ids.Add(one.row)
			values.Add(value)
		}
	}
	rows, err := r.change.Query(ctx, "select t.id, "+r.to.Kind.Select(&r.to.Field)+" from (select v.id, v.value"+cast+
		" as "+r.to.Column()+" from unnest($1::uuid[], $2::"+kind+") as v(id, value)) t", ids.String(), values.String())
	if err != nil {
		return fmt.Errorf("reading converted values: %w", err)
	}
	defer rows.Close()
	write, after := r.to.Kind.Encoder(&r.to.Field, nil), map[uuid.UUID][]byte{}
	for rows.Next() {
		raw := rows.RawValues()
		after[uuid.UUID(raw[0])] = write(nil, raw[1])
	}
	for _, one := range r.shown {
		value := after[one.row]
		if value == nil {
			value = []byte("null")
		}
		r.change.Show(r.from, one.row, one.before, value)
	}
	return rows.Err()
}

// grown adds an option with the name, unless it cannot be one.
func (r *retyping) grown(name string) error {
	if _, err := naming.Clean("options", name); err != nil {
		return fmt.Errorf("%s cannot be the name of an option", field.Quote(name))
	}
	if len(r.to.Config.Options) <= field.MaxOptions {
		r.to.Config.Options = append(slices.Clip(r.to.Config.Options), schema.Option{Name: name})
	}
	return nil
}

// report lists what the change would lose: what would stop working, and then the values that do not
// convert.
func (r *retyping) report() error {
	items := slices.Concat(r.broken, r.samples)
	lost := fmt.Sprintf("%s of %q would be lost as %s", problem.Count(r.failures, "value"), r.from.Name, r.to.Type())
	places := problem.Count(len(r.broken), "place")
	switch {
	case r.failures == 0:
		lost = fmt.Sprintf("%s where %q is read or compared would no longer work with %s", places, r.from.Name,
			r.to.Type())
	case len(r.broken) > 0:
		lost += fmt.Sprintf(", and %s where it is read or compared would no longer work", places)
	}
	lost += ". Nothing was changed; give discard: true to go on all the same."
	if len(items) > 0 {
		lost += " The first: " + items[0].Message
	}
	e := problem.Conflict("%s", lost).WithCode(problem.CodeValuesWouldBeLost)
	e.Items = items
	return e
}

// store adds the new column and puts the former one into the trash. The values are first put into a
// temporary table, because readers are locked out from then on.
func (r *retyping) store(ctx context.Context) error {
	c, relation := r.change, r.from.Table.Relation()
	kind, cast := r.to.Info().Array()
	element := strings.TrimSuffix(kind, "[]")
	if _, err := c.Exec(
		ctx, "create temporary table retyped (id uuid primary key, value "+element+") on commit drop",
	); err != nil {
		return fmt.Errorf("making room for the values: %w", err)
	}
	var ids, values field.Array
	n := 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		_, err := c.Exec(ctx, "insert into retyped select * from unnest($1::uuid[], $2::"+kind+")", ids.String(),
			values.String())
		ids, values, n = field.Array{}, field.Array{}, 0
		return err
	}
	for u, value := range r.values {
		ids.Add(u)
		values.Add(value)
		if n++; n == retypeChunk {
			if err := flush(); err != nil {
				return fmt.Errorf("keeping the values: %w", err)
			}
		}
	}
	if err := flush(); err != nil {
		return fmt.Errorf("keeping the values: %w", err)
	}
	if err := c.QueryRow(ctx, "select nextval('rowhouse.next_field')").Scan(&r.to.Number); err != nil {
		return fmt.Errorf("numbering the column: %w", err)
	}
	err := c.AddColumn(ctx, r.to)
	if err != nil {
		return err
	}
	if err := c.RetireColumn(ctx, r.from); err != nil {
		return err
	}
	if r.from.Computed != nil { // readers of the past compute what was computed
		err = c.LogValuesOf(ctx, r.from.Table, []*schema.Field{r.to}, "t.id in (select v.id from retyped v)")
	} else {
		// The log also has the values of the former column, so that the past does not need it.
		both := []*schema.Field{r.to, r.from}
		err = c.LogValuesOf(ctx, r.from.Table, both, "t."+r.from.Column()+" is not null")
	}
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue("update " + relation + " t set " + r.to.Column() + " = v.value from (select id, value" + cast + " as " +
		"value from retyped) v where v.id = t.id")
	batch.Queue("update rowhouse.field set type = $3, config = $4, number = $5 where org_id = $1 and id = $2",
		c.Org, r.to.ID, r.to.Type(), r.to.Config, r.to.Number)
	batch.Queue("drop table retyped")
	if r.failures > 0 && r.from.Computed == nil {
		c.BringEmpty(r.to, r.from)
	}
	if err = c.SendBatch(ctx, batch).Close(); pgerror.Is(err, pgerrcode.UniqueViolation) {
		return problem.Conflict("Values of %q become the same, so the field cannot be unique.", r.from.Name).
			WithCode(problem.CodeNotUnique).Because(err)
	}
	if pgerror.Is(err, pgerrcode.ProgramLimitExceeded) {
		return problem.Invalid("config.unique", "the field %q holds a value that is too long to be unique; %s",
			r.from.Name, schema.UniqueLimit).Because(err)
	}
	if err != nil {
		return fmt.Errorf("replacing the column: %w", err)
	}
	return nil
}
