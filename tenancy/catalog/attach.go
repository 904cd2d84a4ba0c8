package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A linkSide is one side of a restored link.
type linkSide struct {
	own, other    string // columns of the join table: of the side's records, and of those that they link
	table, field  int32  // numbers; field is 0 if the side has none
	records, join string // relations
}

// attachLinks connects a join table with the record tables again. Links of records that were deleted
// meanwhile move to the deletions of these records in the log, so that they come back with the records.
func (r *restoring) attachLinks(ctx context.Context, number int32, rows []metadataRow) error {
	join := schema.Relation(r.Org, "l_", number)
	var attached bool
	err := r.QueryRow(ctx, `select count(*) = 2 from pg_constraint
		where conrelid = to_regclass($1::text) and conname in ('a_record', 'b_record')`, join).Scan(&attached)
	if err != nil {
		return fmt.Errorf("reading the catalogue: %w", err)
	}
	if attached {
		return nil
	}
	sides := map[string]*linkSide{
		"a": {own: "a", other: "b", join: join}, "b": {own: "b", other: "a", join: join},
	}
	for _, row := range rows {
		side := sides[row.text("link_side")]
		side.table, side.field = r.tableNumber(row.uuid("table_id")), row.number("number")
		if other := sides[side.other]; other.table == 0 {
			other.table = r.tableNumber(row.uuid("linked_table_id"))
		}
	}
	for _, side := range sides {
		side.records = schema.Relation(r.Org, "t_", side.table)
	}
	for _, side := range []*linkSide{sides["a"], sides["b"]} {
		if err := r.keepLinks(ctx, side, sides[side.other]); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	for _, side := range []*linkSide{sides["a"], sides["b"]} {
		batch.Queue("delete from " + join + " l where not exists (select from " + side.records +
			" t where t.id = l." + side.own + ")")
	}
	for _, side := range []string{"a", "b"} {
		batch.Queue("alter table " + join + " drop constraint if exists " + side + "_record")
		batch.Queue("alter table " + join + " add constraint " + side + "_record foreign key (" + side +
			") references " + sides[side].records + " on delete cascade")
	}
	if err := r.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("connecting the links: %w", err)
	}
	return nil
}

// keepLinks adds to the logged deletions of a side's records the links that they had, and logs that the
// records on the other side lose them.
func (r *restoring) keepLinks(ctx context.Context, side, far *linkSide) error {
	if side.field == 0 {
		return nil
	}
	replaced := strings.NewReplacer(
		"{join}", side.join, "{own}", side.own, "{other}", side.other, "{records}", side.records,
		"{log}", r.logRelation()+`."change"`, "{far}", far.records,
		"{key}", logKey(side.field), "{place}", fmt.Sprint("p_", side.field), "{far key}", logKey(far.field),
		"{number}", db.ChangeNumber, "{part}", fmt.Sprint(loggedRecords),
	)
	var some bool
	err := r.QueryRow(ctx, replaced.Replace("select exists (select from {join} l where not exists (select from "+
		"{records} t where t.id = l.{own}))")).Scan(&some)
	if err != nil {
		return fmt.Errorf("looking for links of deleted records: %w", err)
	}
	if !some {
		return nil
	}
	if err := r.BeginLog(ctx); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(replaced.Replace(`with gone as materialized (
			select l.{own} as id, jsonb_agg(l.{other} order by l.pos_{own}, l.{other}) as held,
				jsonb_agg(l.pos_{other} order by l.pos_{own}, l.{other}) as places
			from {join} l where not exists (select from {records} t where t.id = l.{own}) group by l.{own}),
		last as materialized (
			select g.id, g.held, g.places, max(c.number) as number from gone g join {log} c
			on c.kind = $1 and c.table_number = $2 and c.before is not null and c.records @> array[g.id]
			group by g.id, g.held, g.places)
		update {log} c set before = (
			select jsonb_agg(case when l.id is null or jsonb_typeof(e.was) <> 'object' then e.was
				else e.was || jsonb_build_object('{key}', l.held, '{place}', l.places) end order by e.n)
			from jsonb_array_elements(c.before) with ordinality e(was, n)
			left join last l on l.id = c.records[e.n] and l.number = c.number)
		where c.kind = $1 and c.table_number = $2 and c.number in (select l.number from last l)
			and c.records && (select array_agg(l.id) from last l)`), changelog.Deleted, side.table)
	if far.field != 0 {
		batch.Queue(replaced.Replace(`with held as materialized (
				select max(t.version) as version from {far} t where exists (select from {join} l
					where l.{other} = t.id and not exists (select from {records} x where x.id = l.{own})))
			select gate.draw_change(held.version) from held where held.version is not null
				and not exists (select 1 from pg_catalog.pg_am where false)`))
		batch.Queue(replaced.Replace(`with lost as materialized (
				select t.id, t.version,
					jsonb_build_object('{far key}', jsonb_build_object('removed', l.removed)) as was,
					(row_number() over (order by t.id) - 1) / {part} as part
				from {far} t cross join lateral (
					select jsonb_agg(l.{own} order by l.pos_{other}, l.{own}) as removed from {join} l
					where l.{other} = t.id and not exists (select from {records} x where x.id = l.{own})) l
				where l.removed is not null),
			raised as (update {far} t set version = {number} from lost l where t.id = l.id)
			insert into {log} (number, change_set, person, table_number, kind, credential, request, records,
				previous, before)
			select {number}, $1::uuid, $2::uuid, $3::integer, $4::smallint, $5::text, $6::text,
				array_agg(l.id order by l.id), array_agg(l.version order by l.id), jsonb_agg(l.was order by l.id)
			from lost l group by l.part returning number`),
			r.origin.Set, r.origin.Person, far.table, changelog.Linked, r.origin.Credential, r.origin.Request)
	}
	if err := r.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keeping the links of deleted records: %w", err)
	}
	return nil
}
