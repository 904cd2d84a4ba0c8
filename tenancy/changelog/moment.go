package changelog

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Moment is a point in an organization's history: everything whose number is at most the moment's
// has happened, and nothing else.
type Moment int64

// MomentOf returns the moment of a time.
func MomentOf(t time.Time) Moment { return Moment(t.UnixMicro()) }

// Time returns the time of the moment.
func (m Moment) Time() time.Time { return TimeOf(int64(m)) }

// Before queues the look-up of the moment just before the first change of a change set. found stays
// as it is if the log has no change of the set.
func Before(b *pgx.Batch, org, set uuid.UUID, found **Moment) {
	b.Queue("select min(c.number) - 1 from "+Relation(org)+" c where c.change_set = $1", set).
		QueryRow(func(row pgx.Row) error { return row.Scan(found) })
}

// KeptSince queues the look-up of the first moment of which the log knows the records of a table. A
// reader looks it up after the log, in the same transaction, to find out whether the log was complete:
// a transaction that has read the log prevents its parts from being dropped.
//
// The moment is the beginning of the oldest part, or of the moment's own part if that exists. If the
// table has records that are older than the log, nothing is known of the time before the log's first
// entry. Where the log has no parts, it is the moment before the first entry.
func KeptSince(b *pgx.Batch, t *schema.Table, moment Moment, since *Moment, topology db.Topology) {
	if !topology.HasLogParts() {
		log := Relation(t.Org)
		b.Queue("select case when l.low <= $1 and l.first > $1 and (exists (select 1 from "+t.Whole().Relation()+
			" where version = 0) or exists (select 1 from "+log+" where table_number = $2 and 0 = any (previous))) "+
			"then l.first else coalesce(l.low, "+db.Clock+") end from (select (select min(number) - 1 from "+log+
			") as low, (select min(number) from "+log+" where kind < 10) as first) l", int64(moment), t.Number).
			QueryRow(func(row pgx.Row) error { return row.Scan(since) })
		return
	}
	// If the moment's own part exists, so do all later parts, and the oldest does not matter.
	month := monthOf(moment.Time())
	b.Queue(`with log as materialized (select case when to_regclass($4) is not null then $5::bigint else (
			select (extract(epoch from to_date(part.name, '"change_"YYYY_MM')::timestamp) * 1000000)::bigint from (
				select min(c.relname::text) as name from pg_catalog.pg_inherits i
				join pg_catalog.pg_class c on c.oid = i.inhrelid join pg_catalog.pg_class p on p.oid = i.inhparent
				where p.relnamespace = to_regnamespace($1) and p.relname = 'change'
					and c.relname ~ '^change_\d{4}_\d{2}$') part) end as low,
			(select min(number) from `+Relation(t.Org)+` where kind < 10) as first)
		select case when log.low <= $2 and log.first > $2 and (
			exists (select from `+t.Whole().Relation()+` where version = 0) or
			exists (select from `+Relation(t.Org)+` where table_number = $3 and 0 = any (previous)))
			then log.first else log.low end from log`,
		organization.SchemaName(t.Org), int64(moment), t.Number,
		organization.SchemaName(t.Org)+month.Format(".change_2006_01"), int64(MomentOf(month))).
		QueryRow(func(row pgx.Row) error { return row.Scan(since) })
}

// monthOf is the beginning of a time's month, at which a part of the log begins.
func monthOf(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) }

// KeptFrom queues the look-up of the beginning of an organization's log, which is the beginning of its
// oldest part. from stays as it is if there is no log. As with KeptSince, a reader looks it up after
// the log, in the same transaction, to find out whether the log was complete. Where the log
// has no parts, it is the beginning of the month of the first entry, because the log ends by whole
// months there too.
func KeptFrom(b *pgx.Batch, org uuid.UUID, from *Moment, topology db.Topology) {
	if !topology.HasLogParts() {
		b.Queue("select min(number) from " + Relation(org)).QueryRow(func(row pgx.Row) error {
			var first *int64
			if err := row.Scan(&first); err != nil || first == nil {
				return err //nolint:wrapcheck // the caller does
			}
			*from = MomentOf(monthOf(TimeOf(*first)))
			return nil
		})
		return
	}
	b.Queue(`select (extract(epoch from to_date(min(c.relname::text), '"change_"YYYY_MM')::timestamp) * 1000000)::bigint
			from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
				join pg_catalog.pg_class p on p.oid = i.inhparent
			where p.relnamespace = to_regnamespace($1) and p.relname = 'change' and c.relname ~ '^change_\d{4}_\d{2}$'
			having count(*) > 0`, organization.SchemaName(org)).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := rows.Scan(from); err != nil {
					return fmt.Errorf("reading the beginning of the log: %w", err)
				}
			}
			return rows.Err()
		})
}
