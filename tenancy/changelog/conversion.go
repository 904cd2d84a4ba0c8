package changelog

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A conversion turns values of the log from one type into another, as a change of the type does.
type conversion struct {
	from, to *field.Field
	values   []string // each once
	of       map[string][]*Past
}

func (c *conversion) add(p *Past, value []byte) {
	if c.of == nil {
		c.of = map[string][]*Past{}
	}
	if _, known := c.of[string(value)]; !known {
		c.values = append(c.values, string(value))
	}
	c.of[string(value)] = append(c.of[string(value)], p)
}

// run writes the converted values under a key.
func (c *conversion) run(send Sender, key string) error {
	if len(c.values) == 0 {
		return nil
	}
	column, write := `"f_`+itoa(c.from.Number)+`"`, c.from.Kind.Encoder(c.from, nil)
	var shown [][]byte // as the API writes them
	err := send(func(b *pgx.Batch) {
		shown = nil
		b.Queue("select u.nth, "+c.from.Kind.Select(c.from)+" from unnest($1::text[]) with ordinality as "+
			"u(value, nth) cross join lateral "+
			"jsonb_to_record(jsonb_build_object('f_"+itoa(c.from.Number)+"', u.value::jsonb)) as t("+
			column+" "+c.from.Info().Column+") order by u.nth", c.values).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if raw := rows.RawValues()[1]; raw == nil {
					shown = append(shown, nil)
				} else {
					shown = append(shown, write(nil, raw))
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return fmt.Errorf("reading former values: %w", err)
	}
	input := &field.Input{Field: c.to, Typecast: true}
	array, cast := c.to.Info().Array()
	var values field.Array
	failed := map[string]bool{}
	for i, value := range c.values {
		var converted field.Value
		var err error
		if shown[i] != nil {
			converted, err = input.Convert(c.from, shown[i])
		}
		if failed[value] = err != nil; err != nil {
			for _, p := range c.of[value] {
				p.Lost = append(p.Lost, fmt.Sprintf("The value of %q did not convert when its type changed: it %s.",
					c.to.Name, err))
			}
		}
		values.Add(converted)
	}
	at := 0
	err = send(func(b *pgx.Batch) {
		at = 0
		b.Queue("select coalesce(to_jsonb(v.value"+cast+"), 'null')::text from unnest($1::"+array+") with ordinality "+
			"as v(value, nth) order by v.nth", values.String()).Query(func(rows pgx.Rows) error {
			var text []byte
			_, err := pgx.ForEachRow(rows, []any{&text}, func() error {
				value := c.values[at]
				for _, p := range c.of[value] {
					if !failed[value] || p.Kind == Deleted { // the field's value in the new type is unknown
						p.Values[key] = append([]byte(nil), text...)
					}
				}
				at++
				return nil
			})
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("writing converted values: %w", err)
	}
	return nil
}
