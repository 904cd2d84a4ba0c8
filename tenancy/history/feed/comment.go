package feed

import (
	"encoding/json"
	"fmt"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// commentsOf reads an entry of the log about comments, of which c has the head.
func (p *pageReader) commentsOf(c Change, encoded []byte) ([]Change, error) {
	var entries []changelog.CommentChange
	if err := json.Unmarshal(encoded, &entries); err != nil {
		return nil, fmt.Errorf("decoding an entry of the log: %w", err)
	}
	table := p.schema.TableByNumber(c.Position.table)
	if table == nil { // the statement reads no others
		return nil, nil
	}
	changes := make([]Change, len(entries))
	for i := range entries {
		one := c
		one.Position.section, one.Position.id = sectionComment, entries[i].Comment
		one.Table, one.comment = table, &entries[i]
		one.text = one.commentText()
		changes[i] = one
	}
	return changes, nil
}

// commentText writes a change of a comment. The text of the comment is not in the feed: who may read it
// asks for it, as long as it is there.
func (c *Change) commentText() []byte {
	number := c.Table.Number
	dst := c.appendHead(nil)
	dst = field.AppendString(append(dst, `,"table":`...), c.Table.PublicID())
	dst = field.AppendString(append(dst, `,"record":`...), id.FormatRecord(number, c.comment.Record))
	dst = field.AppendString(append(dst, `,"comment":`...), id.FormatComment(number, c.comment.Comment))
	dst = field.AppendString(append(dst, `,"thread":`...), id.FormatComment(number, c.comment.Thread))
	dst = field.AppendString(append(dst, `,"action":`...), c.comment.Does)
	return append(dst, `,"before":null,"after":null}`...)
}
