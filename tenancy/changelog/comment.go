package changelog

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A CommentChange is what the log tells of a comment. It never has the text, which is deleted with the
// comment.
type CommentChange struct {
	Comment uuid.UUID `json:"comment"`
	Thread  uuid.UUID `json:"thread"`
	Record  uuid.UUID `json:"record"`
	Does    string    `json:"does"` // created, edited, deleted, resolved or reopened
}

// Comment queues the entry for a change of a comment on a record of a table. The transaction has drawn
// its number.
func Comment(b *pgx.Batch, t *schema.Table, origin Origin, change CommentChange) {
	b.Queue("insert into "+Relation(t.Org)+columns+", before) values ("+db.ChangeNumber+
		", $1, $2, $3, $4, $5, $6, '{}', $7::jsonb)",
		Commented, t.Number, origin.Set, origin.Person, origin.Credential, origin.Request, []CommentChange{change})
}
