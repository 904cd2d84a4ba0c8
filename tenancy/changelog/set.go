package changelog

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// The limits of a change set of several requests. A request that begins within them is joined whole.
const (
	maxSetAge     = time.Hour
	maxSetRecords = 100_000
	maxSetName    = 100 // characters
)

// path is where errors say that a change set was named.
const path = "changeSet"

// A Joiner asks to join several requests into a change set.
type Joiner struct {
	Org        uuid.UUID
	Person     uuid.UUID
	Credential string // its public id
	Set        string // a name, or the public id of a set
}

// Join returns the change set that a request belongs to. A name stands for a set of the credential, and
// for a new set when that one is an hour old or full. An id must belong to a set that the person began
// within the last hour.
func Join(ctx context.Context, tenantDB *db.DB, j Joiner) (uuid.UUID, error) {
	if err := CheckSetName(path, j.Set); err != nil {
		return uuid.Nil, err
	}
	join := j.joinName
	if id.KindOf(j.Set) == id.ChangeSet {
		join = j.joinID
	}
	set, err := join(ctx, tenantDB, Relation(j.Org))
	if pgerror.Is(err, pgerrcode.UndefinedTable) { // an organization has no log before its first table
		set, err = join(ctx, tenantDB, "(select null::uuid as change_set, null::uuid as person, 0 as kind, "+
			"null::uuid[] as records where false)")
	}
	return set, err
}

// CheckSetName returns an error of kind invalid, at a path, unless a text can name a change set.
func CheckSetName(at, name string) error {
	hidden := func(c rune) bool { return !unicode.IsPrint(c) }
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxSetName ||
		strings.TrimSpace(name) != name || strings.ContainsFunc(name, hidden) {
		return problem.Invalid(at, "must be the id of a change set, or a name of 1 to %d printable characters, and be "+
			"given once", maxSetName)
	}
	return nil
}

// records is the SQL expression for the number of records that a set has changed. Records that were
// only linked from others do not count.
func records(log, set string) string {
	return "(select coalesce(sum(cardinality(c.records)), 0) from " + log + " c where c.change_set = " + set +
		" and c.kind in (" + SQLCreated + ", " + SQLUpdated + ", " + SQLDeleted + ", " + SQLRestored + "))"
}

func (j *Joiner) joinName(ctx context.Context, tenantDB *db.DB, log string) (uuid.UUID, error) {
	var set uuid.UUID
	err := tenantDB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		// Concurrent requests find the same set.
		b.Queue("select pg_advisory_xact_lock($1, hashtext($2::uuid || ' ' || $3::text || ' ' || $4::text))",
			db.LockChangeSet, j.Org, j.Credential, j.Set)
		b.Queue("with latest as (select s.id from rowhouse.change_set s where s.org_id = $1 and s.credential = $2 and "+
			"s.name = $3 and s.created_at > now() - make_interval(secs => $6) order by s.created_at desc, s.id desc "+
			"limit 1), "+
			"usable as (select l.id from latest l where "+records(log, "l.id")+" < $7), "+
			"made as (insert into rowhouse.change_set (org_id, id, person_id, credential, name) select $1, $4::uuid, "+
			"$5::uuid, $2, $3 where not exists (select from usable) returning id) "+
			"select id from usable union all select id from made",
			j.Org, j.Credential, j.Set, id.New(), j.Person, maxSetAge.Seconds(), maxSetRecords).
			QueryRow(func(row pgx.Row) error { return row.Scan(&set) })
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("joining a change set by its name: %w", err)
	}
	return set, nil
}

func (j *Joiner) joinID(ctx context.Context, tenantDB *db.DB, log string) (uuid.UUID, error) {
	unknown := problem.Invalid(path, "%q is no change set that you began", j.Set)
	set, err := id.Parse(id.ChangeSet, j.Set)
	if err != nil {
		return uuid.Nil, unknown
	}
	own, changed := false, int64(0)
	err = tenantDB.Batch(ctx, j.Org, func(b *pgx.Batch) {
		b.Queue("select exists (select 1 from rowhouse.change_set s where s.org_id = $1 and s.id = $2 and "+
			"s.person_id = $3) or exists (select 1 from "+log+" c where c.change_set = $2 and c.person = $3), "+
			records(log, "$2"), j.Org, set, j.Person).
			QueryRow(func(row pgx.Row) error { return row.Scan(&own, &changed) })
	})
	switch {
	case err != nil:
		return uuid.Nil, fmt.Errorf("joining a change set by its id: %w", err)
	case !own:
		return uuid.Nil, unknown
	case time.Since(time.Unix(set.Time().UnixTime())) > maxSetAge:
		return uuid.Nil, problem.Conflict("The change set %s began more than an hour ago. Nothing was changed; "+
			"send the request without it, or with a name.", j.Set).WithCode(problem.CodeChangeSetClosed)
	case changed >= maxSetRecords:
		return uuid.Nil, problem.Conflict("The change set %s has %d changed records and takes no more. Nothing was "+
			"changed; send the request without it, or with a name.", j.Set, changed).WithCode(problem.CodeChangeSetFull)
	}
	return set, nil
}
