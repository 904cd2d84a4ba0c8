package catalog

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A returned is values that a change of the schema brings into records, or whole records: with a
// restored field or table, a former column, or a field that counts. It changes no record, so their
// versions stay.
type returned struct {
	table     int32
	keys      []string // of the fields in the log; none: whole records
	condition string   // of the records, under the alias t
}

// bring logs that a change brings back values of fields, or with no keys whole records.
func (c *Change) bring(table int32, condition string, keys ...string) {
	c.returned = append(c.returned, returned{table, keys, condition})
}

// bringColumn is bring for a field with a column.
func (c *Change) bringColumn(f *schema.Field, or ...string) {
	if f.Info().Column == "" {
		return
	}
	conditions := "t." + f.Column() + " is not null"
	for _, column := range or {
		conditions += " or t." + column + " is not null"
	}
	c.bring(f.Table.Number, "("+conditions+")", logKey(f.Number))
}

// BringEmpty logs that a field is empty where its former column had a value.
func (c *Change) BringEmpty(f, former *schema.Field) {
	c.bring(f.Table.Number, "t."+f.Column()+" is null and t."+former.Column()+" is not null", logKey(f.Number))
}

func logKey(field int32) string { return fmt.Sprint("f_", field) }

// logReturned queues the entries for the returned values and records.
func (c *Change) logReturned(b *pgx.Batch) {
	for _, r := range c.returned {
		var before *string
		if len(r.keys) > 0 {
			object := `[{"` + strings.Join(r.keys, `": null, "`) + `": null}]`
			before = &object
		}
		// Citus writes a wrong statement for its workers without the WITH.
		b.Queue("with r as materialized (select t.id, "+
			"(row_number() over (order by t.id) - 1) / "+fmt.Sprint(loggedRecords)+" as part from "+
			schema.Relation(c.Org, "t_", r.table)+" t where "+r.condition+") insert into "+c.logRelation()+insertLog+
			"select "+db.ChangeNumber+", $1::uuid, $2::uuid, "+
			"$3::integer, $4::smallint, $5::text, $6::text, array_agg(r.id order by r.id), null::bigint[], $7::jsonb "+
			"from r group by r.part returning number",
			c.origin.Set, c.origin.Person, r.table, changelog.Returned, c.origin.Credential, c.origin.Request, before)
	}
}
