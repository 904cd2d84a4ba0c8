package revert

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A restored record gets its values of fields in the trash too, so that a field which is restored
// afterwards has them, as if the record had never been deleted.

// A buried field is in the trash, or is the former column of a field whose type was changed.
type buried struct {
	field.Field

	id     uuid.UUID
	former bool
	link   *schema.Link // of a field whose values are pairs
	// The other side of the link.
	far        int32 // the number of the table
	inverse    int32 // the number of the field there
	takesOne   bool  // the field there takes one record
	farDeleted bool  // the table is in the trash too
}

// readBuried reads which fields of a table are in the trash.
func (r *run) readBuried(ctx context.Context, tx pgx.Tx, t *table) error {
	t.buried = nil
	result, err := tx.Query(ctx, `with kept as materialized (
			select e.kind, r.value as field from rowhouse.trash e
			cross join lateral jsonb_array_elements(e.content -> 'field') r(value) where e.org_id = $1)
		select k.kind = 'column', k.field->>'id', (k.field->>'number')::integer, k.field->>'name', k.field->>'type',
			k.field->>'config', (k.field->>'link_number')::integer, coalesce(k.field->>'link_side', ''),
			coalesce(d.number, x.table_number, 0), d.number is null, coalesce((i.field->>'number')::integer, 0),
			coalesce(i.field->'config'->>'multiple' = 'false', false)
		from kept k
		left join rowhouse.data_table d on d.org_id = $1 and d.id = (k.field->>'linked_table_id')::uuid
		left join rowhouse.trash x on x.org_id = $1 and x.kind = 'table'
			and x.object_id = (k.field->>'linked_table_id')::uuid
		left join kept i on i.field->>'link_number' = k.field->>'link_number' and i.field->>'id' <> k.field->>'id'
		where k.field->>'table_id' = $2::uuid::text order by 3`, r.actor.Org, t.ID)
	if err != nil {
		return fmt.Errorf("reading the fields in the trash: %w", err)
	}
	var b buried
	var kind field.Type
	var config, public, side string
	var link *int32
	_, err = pgx.ForEachRow(result, []any{
		&b.former, &public, &b.Number, &b.Name, &kind, &config, &link, &side, &b.far, &b.farDeleted, &b.inverse,
		&b.takesOne,
	}, func() error {
		one := b
		if err := json.Unmarshal([]byte(config), &one.Config); err != nil {
			return err
		}
		var err error
		if one.id, err = uuid.Parse(public); err != nil {
			return err
		}
		one.Kind = field.Of(kind, &one.Config)
		if link != nil {
			one.link = &schema.Link{Number: *link, Own: "a", Other: "b"}
			if side == "b" {
				one.link.Own, one.link.Other = "b", "a"
			}
		}
		t.buried = append(t.buried, &one)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the fields in the trash: %w", err)
	}
	return nil
}

// stored lists the fields whose values are in columns of the table, including those in the trash.
func (t *table) stored() []*field.Field {
	var all []*field.Field
	for _, f := range t.Fields {
		if f.Info().Column != "" {
			all = append(all, &f.Field)
		}
	}
	for _, b := range t.buried {
		if b.Info().Column != "" {
			all = append(all, &b.Field)
		}
	}
	return all
}

// bury writes the links of restored records in a field in the trash. Nothing there removes pairs whose
// other record is deleted: restoring the field sorts them out.
func (w *writer) bury(b *buried, back []*row) {
	if b.link == nil || b.far == 0 {
		return
	}
	own, other := b.link.Own, b.link.Other
	var rows, others []uuid.UUID
	var places, farPlaces []*int32
	for _, one := range back {
		image := membersOf(one.image)
		at := placesIn(image, &b.Field)
		for i, u := range listOf(image[changelog.Key(&b.Field)]) {
			place := int32(i + 1)
			rows, others = append(rows, one.id), append(others, u)
			places, farPlaces = append(places, &place), append(farPlaces, at[u])
		}
	}
	if len(rows) == 0 {
		return
	}
	relation := b.link.Relation(w.run.actor.Org)
	free := ""
	if b.takesOne { // whoever has the record meanwhile keeps it
		free = " where not exists (select from " + relation + " l where l." + other + " = u.other and l." + own +
			" <> u.own)"
	}
	statement := fmt.Sprintf("with pair as materialized (select u.* from unnest($1::uuid[], $2::uuid[], "+
		"$3::integer[], $4::integer[]) as u(own, other, place, far)"+free+") "+
		"insert into %[1]s (%[2]s, %[3]s, pos_%[2]s, pos_%[3]s) select u.own, u.other, u.place, "+
		"coalesce(u.far, 0) from pair u on conflict do nothing", relation, own, other)
	w.send("writing links of fields in the trash", func(b *pgx.Batch) {
		b.Queue(statement, rows, others, places, farPlaces)
	})
}

// addReturned adds to the links of restored records the records that were restored before them, whose
// deletions have the link and which could not get it because the record was still deleted.
func (r *run) addReturned(ctx context.Context, tx pgx.Tx, t *table) error {
	byID := map[uuid.UUID]*row{}
	var ids []uuid.UUID
	var deleted []int64
	for _, one := range t.rows {
		if one.does == restore {
			byID[one.id] = one
			ids, deleted = append(ids, one.id), append(deleted, one.deleted)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type side struct {
		own          *field.Field
		far, inverse int32
	}
	var sides []side
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		if far, inverse := r.far(f); far != nil && inverse != nil {
			sides = append(sides, side{&f.Field, far.Number, inverse.Number})
		}
	}
	for _, b := range t.buried {
		if b.link != nil && b.far != 0 && b.inverse != 0 {
			sides = append(sides, side{&b.Field, b.far, b.inverse})
		}
	}
	for _, s := range sides {
		if err := r.addReturnedBy(ctx, tx, byID, s.own, s.far, s.inverse, ids, deleted); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) addReturnedBy(
	ctx context.Context, tx pgx.Tx, byID map[uuid.UUID]*row, own *field.Field, far, inverse int32, ids []uuid.UUID,
	deleted []int64,
) error {
	result, err := tx.Query(ctx, fmt.Sprintf(`with own as materialized (
			select * from unnest($1::uuid[], $2::bigint[]) as o(id, deleted)),
		back as materialized (
			select c.number, u.id, u.previous from %[1]s c
			cross join lateral unnest(c.records, c.previous) as u(id, previous)
			where c.kind = `+changelog.SQLRestored+` and c.table_number = %[2]d and c.number > (select min(o.deleted)
			from own o)),
		told as materialized (
			select b.number as back, b.id, o.id as own, h.nth, e.was->'p_%[3]d'->>(h.nth - 1)::integer as place
			from back b join %[1]s c on c.number = b.previous and c.kind = `+changelog.SQLDeleted+`
			and c.table_number = %[2]d
			cross join lateral (select c.before->(array_position(c.records, b.id) - 1) as was) e
			cross join lateral jsonb_array_elements_text(coalesce(e.was->'f_%[3]d', '[]')) with ordinality h(held, nth)
			join own o on o.id = h.held::uuid and o.deleted < b.number)
		select t.own, t.id, t.nth::integer, t.place::integer from told t
		where exists (select from %[4]s x where x.id = t.id)
		order by t.own, t.place::integer, t.id`,
		r.log(), far, inverse, schema.RecordRelation(r.actor.Org, far)), ids, deleted)
	if err != nil {
		return fmt.Errorf("looking for links of records that came back before: %w", err)
	}
	var u, other uuid.UUID
	var nth int32
	var place *int32
	_, err = pgx.ForEachRow(result, []any{&u, &other, &nth, &place}, func() error {
		byID[u].addLink(own, other, nth, place)
		return nil
	})
	if err != nil {
		return fmt.Errorf("looking for links of records that came back before: %w", err)
	}
	return nil
}

// addLink adds a record to the list of a link field in another record's state: at a position in that
// list, with the other's position in the list on the other side.
func (one *row) addLink(f *field.Field, other uuid.UUID, far int32, place *int32) {
	image := membersOf(one.image)
	key := changelog.Key(f)
	list, at := listOf(image[key]), placesIn(image, f)
	if slices.Contains(list, other) {
		return
	}
	where := len(list)
	if place != nil {
		where = min(max(int(*place)-1, 0), where)
	}
	list = slices.Insert(list, where, other)
	places := make([]*int32, len(list))
	for i, u := range list {
		if places[i] = at[u]; u == other {
			places[i] = &far
		}
	}
	encoded, err := json.Marshal(places)
	if err != nil {
		panic(err) // numbers always encode
	}
	image[key], image[changelog.PlaceKey(f)] = encodeList(list), encoded
	one.image = encodeMembers(image)
}
