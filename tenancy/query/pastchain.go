package query

import (
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// keysOf lists the keys of a table's fields in the log, with the paths to their values in an entry, in SQL.
func keysOf(t *schema.Table) string {
	var keys, paths []string
	for _, f := range t.Fields {
		if f.Info().Column != "" || f.Link != nil {
			keys = append(keys, changelog.Key(&f.Field))
			paths = append(paths, "$[*]."+changelog.Key(&f.Field))
		}
	}
	return "unnest('{" + strings.Join(keys, ",") + "}'::text[], '{" + strings.Join(paths, ",") + "}'::jsonpath[])"
}

// chain selects the entries after the moment about the records in candidates that are shown, with their
// ids and versions. Each entry names the number before, so it reads no others. An entry is read once for
// records that share their latest one with others, and once for each of the rest.
//
// Of what records share, it leaves out the entries that say nothing new: updates, behind which every
// chain goes on to an older entry, and all of the oldest entries name the fields that they changed. The
// earliest entry about a field decides. An entry is asked whether it names one of the other fields, which
// takes less time than unfolding it if these are few.
func chain(t *schema.Table) string {
	// OFFSET 0 keeps the planner from joining the log whole, which it expects to read most of.
	entry := func(columns string) string {
		return "cross join lateral (select " + columns + " from " + changelog.Relation(t.Org) +
			" c where c.number = d.number and c.table_number = " + itoa(t.Number) + " and c.kind <= 5 offset 0) c"
	}
	// Records that were changed together before as well are followed as one. Concatenating [] makes
	// PostgreSQL unpack (TOAST) the values of an entry once and not for each record.
	const same = "c.previous = array_fill(c.previous[1], array[coalesce(cardinality(c.previous), 0)])"
	const ids = "unnest(c.records) as id, unnest(c.previous) as previous, " +
		"generate_series(0, cardinality(c.records) - 1) as nth"
	return strings.NewReplacer(
		"{entry}", entry("*"),
		"{links}", entry("c.number, case when "+same+" then null else c.records end as records, case when "+same+
			" then c.previous[1:1] else c.previous end as previous"),
		"{each}", "cross join lateral (select array_position(c.records, d.id) as nth offset 0) at where at.nth is "+
			"not null",
		"{rows}", "c.number, c.kind, "+ids+", c.before",
		// IS TRUE keeps the planner from joining the records in another order.
		"{mine}", "(u.id in (select l.id from latest l where l.shared)) is true",
		"{keys}", keysOf(t),
		"{moment}", momentParameter,
	).Replace(`with recursive
		latest as materialized (select k.id, k.version as number, count(*) over (partition by k.version) >= 4 as shared
			from candidates k where k.shown and k.version > {moment}),
		alone(id, number, kind, previous, before) as (
			select d.id, c.number, c.kind, c.previous[at.nth], c.before -> (at.nth - 1) from (
				select l.id, l.number from latest l where not l.shared) d {entry} {each}
			union select d.id, c.number, c.kind, c.previous[at.nth], c.before -> (at.nth - 1) from (
				select w.id, w.previous as number from alone w
				where w.previous > {moment} and w.previous < w.number) d {entry} {each}),
		chained(number, named_by) as (
			select distinct l.number, null::bigint from latest l where l.shared
			union select u.previous, u.number from (
				select c.number, unnest(c.records) as id, unnest(c.previous) as previous from (
					select distinct w.number from chained w where w.number > {moment}) d {links}) u
				where u.id is null or {mine}),
		together as materialized (
			select c.number, c.kind, c.records, c.previous, c.before || '[]' as before, d.oldest from (
				select distinct h.number, h.number in (select e.named_by from chained e
					where e.number is null or e.number <= {moment}) as oldest
				from chained h where h.number > {moment}) d {entry}),
		last as materialized (select case when u.kind in (` + changelog.SQLUpdated + `, ` + changelog.SQLDeleted + `)
		then u.before -> u.nth end as before from (
				select {rows} from together c where c.oldest) u
			where {mine} and u.previous <= {moment} and u.kind not in (` + changelog.SQLCreated + `, ` +
		changelog.SQLRestored + `)),
		others as materialized (select k.path from {keys} as k(key, path)
			where exists (select from last l where (l.before ? k.key) is not true))
		select * from alone
		union all select u.id, u.number, u.kind, u.previous, u.before -> u.nth from (
			select {rows} from together c where case when c.oldest or c.kind <> ` + changelog.SQLUpdated + ` then true
				when (select count(*) from others) > 25 then true
				else exists (select from others o where c.before @? o.path) end) u
		where {mine}`)
}
