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

// Comment queues the entry for a change of a comment on a record of a table. The transaction has drawn
// its number.
func Comment(b *pgx.Batch, t *schema.Table, origin Origin, change CommentChange) {
	b.Queue("insert into "+Relation(t.Org)+columns+", before) values ("+db.ChangeNumber+
		", $1, $2, $3, $4, $5, $6, '{}', $7::jsonb)",
		Commented, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request, []CommentChange{change})
}

// MoveComments queues the move of the threads of records of a table to another of its records, and its
// entry, which has for each thread the record that it came from. The transaction has drawn its number.
func MoveComments(b *pgx.Batch, t *schema.Table, origin Origin, from []uuid.UUID, to uuid.UUID) {
	b.Queue(moveThreads(t, `select distinct c.thread_id as thread, c.record_id as source, $2::uuid as target
		from rowhouse.comment c where c.org_id = $1 and c.table_number = $3 and c.record_id = any ($9)`),
		t.Org, to, t.Number, Commented, origin.Set, origin.Person, origin.Credential, origin.Request, from)
}

// MoveCommentsBack queues the move of threads back to the records from which they came: the threads
// that change sets moved, and those that moved in merges whose deletions have these numbers. A thread
// stays if it was moved again or its record does not exist. Replies go with their thread.
func MoveCommentsBack(b *pgx.Batch, t *schema.Table, origin Origin, sets []uuid.UUID, deletions []int64) {
	// The log and the records may be on another node than comments, so they are read first.
	b.Queue(moveThreads(t, `with logged as materialized (select m.thread::uuid, m.record::uuid as source,
				m.source::uuid as target, l.number from `+Relation(t.Org)+` l cross join lateral
				jsonb_to_recordset(l.before) m(thread text, record text, source text, does text)
			where l.kind = $4 and l.table_number = $3 and m.does = 'moved' and
				l.change_set = any (array(select unnest($2::uuid[]) union
				select d.change_set from `+Relation(t.Org)+` d
				where d.kind = `+SQLDeleted+` and d.table_number = $3 and d.number = any ($9))) and
				exists (select from `+t.Whole().Relation()+` r where r.id = m.source::uuid))
		select distinct on (m.thread) m.thread, m.source, m.target from logged m where exists (
			select from rowhouse.comment c where c.org_id = $1 and c.id = m.thread and c.record_id = m.source)
		order by m.thread, m.number desc`),
		t.Org, sets, t.Number, Commented, origin.Set, origin.Person, origin.Credential, origin.Request, deletions)
}

// moveThreads is the statement that moves the threads that a SELECT of thread, source and target names,
// and logs the move. $1 is the organization, and $3 to $8 are the table's number, the kind of the entry
// and its origin.
func moveThreads(t *schema.Table, threads string) string {
	return "with moved as materialized (" + threads + "), written as (update rowhouse.comment c set " +
		"record_id = m.target from moved m where c.org_id = $1 and c.thread_id = m.thread and c.record_id = m.source" +
		") insert into " +
		Relation(t.Org) + columns + ", before) select " + db.ChangeNumber + ", $4::smallint, $3::integer, $5::uuid, " +
		"$6::uuid, $7::text, $8::text, '{}', jsonb_agg(jsonb_build_object('comment', m.thread, 'thread', m.thread, " +
		"'record', m.target, 'source', m.source, 'does', 'moved') order by m.thread) from moved m having count(*) > 0"
}
