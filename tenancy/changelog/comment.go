package changelog

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A CommentChange is the log's record of a change of a comment. It never has the text, which is deleted
// with the comment.
type CommentChange struct {
	Comment uuid.UUID `json:"comment"`
	Thread  uuid.UUID `json:"thread"`
	Record  uuid.UUID `json:"record"`
	Does    string    `json:"does"` // created, edited, deleted, resolved, reopened or moved
}

// Comment queues the entry for changes of comments on records of a table. The transaction has drawn its number.
func Comment(b *pgx.Batch, t *schema.Table, origin Origin, changes ...CommentChange) {
	b.Queue("insert into "+Relation(t.Org)+columns+", before) values ("+db.ChangeNumber+
		", $1, $2, $3, $4, $5, $6, '{}', $7::jsonb)",
		Commented, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request, changes)
}

// MoveComments queues the move of the threads of records of a table to another of its records, and its
// entry, which has for each thread the record that it came from. The transaction has drawn its number.
func MoveComments(b *pgx.Batch, t *schema.Table, origin Origin, from []uuid.UUID, to uuid.UUID) {
	moveThreads(b, t, origin, `select distinct c.thread_id as thread, c.record_id as source, $2::uuid as target
		from rowhouse.comment c where c.org_id = $1 and c.table_number = $3 and c.record_id = any ($4)`,
		t.Org, to, t.Number, from)
}

// MoveCommentsBack queues the move of threads back to the records from which they came: the threads
// that change sets moved, and those that moved in merges whose deletions have these numbers. A thread
// stays if it was moved again or its record does not exist. Replies go with their thread.
func MoveCommentsBack(b *pgx.Batch, t *schema.Table, origin Origin, sets []uuid.UUID, deletions []int64) {
	// The log and the records may be on another node than comments, so they are read first.
	moveThreads(b, t, origin, `with logged as materialized (select m.thread::uuid, m.record::uuid as source,
				m.source::uuid as target, l.number from `+Relation(t.Org)+` l cross join lateral
				jsonb_to_recordset(l.before) m(thread text, record text, source text, does text)
			where l.kind = $5 and l.table_number = $3 and m.does = 'moved' and
				l.change_set = any (array(select unnest($2::uuid[]) union
				select d.change_set from `+Relation(t.Org)+` d
				where d.kind = `+SQLDeleted+` and d.table_number = $3 and d.number = any ($4))) and
				exists (select from `+t.Whole().Relation()+` r where r.id = m.source::uuid))
		select distinct on (m.thread) m.thread, m.source, m.target from logged m where exists (
			select from rowhouse.comment c where c.org_id = $1 and c.id = m.thread and c.record_id = m.source)
		order by m.thread, m.number desc`, t.Org, sets, t.Number, deletions, Commented)
}

// moveThreads queues the move of the threads that a SELECT of thread, source and target names, and its entry in the
// log. These are two statements, because the log may be on another node than comments. $1 is the organization.
func moveThreads(b *pgx.Batch, t *schema.Table, origin Origin, threads string, args ...any) {
	b.Queue("with moved as materialized ("+threads+"), written as (update rowhouse.comment c set "+
		"record_id = m.target from moved m where c.org_id = $1 and c.thread_id = m.thread and c.record_id = m.source"+
		") select set_config('app.moved', coalesce(jsonb_agg(jsonb_build_object('comment', m.thread, "+
		"'thread', m.thread, 'record', m.target, 'source', m.source, 'does', 'moved') order by m.thread)::text, "+
		"''), true) from moved m", args...)
	b.Queue("insert into "+Relation(t.Org)+columns+", before) select "+db.ChangeNumber+", $1::smallint, $2::integer, "+
		"$3::uuid, $4::uuid, $5::text, $6::text, '{}', current_setting('app.moved')::jsonb "+
		"where current_setting('app.moved') <> '' returning number",
		Commented, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request)
}
