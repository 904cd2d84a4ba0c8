package transfer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// comments writes the comments on the records of a table, if there are any.
func (a *archiving) comments(ctx context.Context, t *schema.Table, out *archive.Table, report *TableReport) error {
	var to io.Writer
	err := a.Comments.Pages(ctx, t, func(page []comment.Comment) (err error) {
		if to == nil && len(page) > 0 {
			if to, err = a.to.Comments(out); err != nil {
				return err //nolint:wrapcheck // it says what
			}
		}
		for i := range page {
			line := commentLine(&page[i], nil)
			for _, who := range []string{line.Author, line.ResolvedBy, line.Text} {
				a.mention(json.RawMessage(who))
			}
			if _, err := to.Write(encodeComment(line)); err != nil {
				return fmt.Errorf("writing comments into an archive: %w", err)
			}
		}
		report.Comments += len(page)
		return nil
	})
	if err == nil && to != nil {
		a.to.EndComments(out, report.Comments)
	}
	return err //nolint:wrapcheck // it says what
}

// commentLine is a comment as an archive has it, with other ids if rename is not nil.
func commentLine(c *comment.Comment, rename *archive.Renaming) *archive.Comment {
	number, of := c.Table.Number, func(u uuid.UUID) uuid.UUID { return u }
	person := func(u uuid.UUID) string { return id.Format(id.User, u) }
	text := c.Text
	if rename != nil {
		number, of = rename.Number(number), rename.ID
		person = func(u uuid.UUID) string {
			if there, known := rename.Person(u); known {
				return id.Format(id.User, there)
			}
			return ""
		}
		text = string(rename.JSON(json.RawMessage(text)))
	}
	out := &archive.Comment{
		ID: id.FormatComment(number, of(c.ID)), Thread: id.FormatComment(number, of(c.Thread)),
		Record: id.FormatRecord(number, of(c.Record)), Author: person(c.Author.ID), Text: text,
		CreatedAt: c.CreatedAt.UTC(), EditedAt: timeOr(c.EditedAt), DeletedAt: timeOr(c.DeletedAt),
		ResolvedAt: timeOr(c.ResolvedAt),
	}
	if c.ResolvedBy != nil {
		out.ResolvedBy = person(c.ResolvedBy.ID)
	}
	return out
}

func timeOr(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.UTC()
}

func encodeComment(line *archive.Comment) []byte { return append(jsonvalue.Must(line), '\n') }

// bringComments writes the comments on the records that came.
func (r *archiveRun) bringComments(ctx context.Context) error {
	for ; r.progress.Table < len(r.from.Base.Tables); r.progress.Table, r.progress.Line = r.progress.Table+1, 0 {
		t := &r.from.Base.Tables[r.progress.Table]
		if r.from.Comments(t) == nil {
			continue
		}
		block := &commentBlock{table: t, next: r.next(), lines: r.progress.Line}
		err := r.from.EachComment(t, r.progress.Line, func(line int, in *archive.Comment) error {
			if err := r.addComment(block, in); err != nil {
				return err
			}
			if block.lines = line + 1; len(block.comments) < archiveRows && block.size < archiveBytes {
				return nil
			}
			return r.writeComments(ctx, block)
		})
		if err == nil {
			err = r.writeComments(ctx, block)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A commentBlock is comments of the archive that one step writes.
type commentBlock struct {
	table    *archive.Table
	next     *archiveStep
	comments []comment.Restored
	lines    int // the next line of the archive after it
	size     int
}

// addComment adds a comment with its new ids to a block.
func (r *archiveRun) addComment(b *commentBlock, in *archive.Comment) error {
	made, thread, row, err := in.Parse(b.table)
	if err != nil {
		return fmt.Errorf("reading the comment %q: %w", in.ID, err)
	}
	out := comment.Restored{
		ID: r.rename.ID(made), Thread: r.rename.ID(thread), Record: r.rename.ID(row), CreatedAt: in.CreatedAt,
		EditedAt: orNil(in.EditedAt), DeletedAt: orNil(in.DeletedAt),
	}
	if made == thread {
		out.ResolvedAt = orNil(in.ResolvedAt)
		if by, err := id.Parse(id.User, in.ResolvedBy); err == nil && out.ResolvedAt != nil {
			if here, known := r.rename.Person(by); known {
				out.ResolvedBy = &here
			}
		}
	}
	author, err := id.Parse(id.User, in.Author)
	known := false
	if err == nil {
		out.Author, known = r.rename.Person(author)
	}
	if out.DeletedAt == nil {
		text := comment.WithoutMentions(in.Text, func(person uuid.UUID) bool {
			_, known := r.rename.Person(person)
			return known
		})
		if out.Text = string(r.rename.JSON(json.RawMessage(text))); !known {
			out.Text = signed(r.nameOf(in.Author), in.CreatedAt.Format(dayOfComment), out.Text)
		}
		if err := comment.Check(out.Text); err != nil {
			b.next.report.leave(LeftOut{
				Table: b.table.Name, Count: 1, Why: "A comment was refused: " + whyRefused(err),
			})
			return nil
		}
	}
	if !known {
		out.Author = r.j.Person
		b.next.report.leave(LeftOut{
			Table: b.table.Name, Count: 1,
			Why: "Who has written a comment is no member here. It is yours now, and begins with their name.",
		})
		if author != uuid.Nil {
			r.leavePeople(b.next, []uuid.UUID{author})
		}
	}
	b.comments, b.size = append(b.comments, out), b.size+len(out.Text)
	return nil
}

func orNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// nameOf is the name of somebody of the archive.
func (r *archiveRun) nameOf(public string) string {
	for i := range r.from.People {
		if p := &r.from.People[i]; p.ID == public {
			return cmp.Or(p.Name, p.Email, "Somebody")
		}
	}
	return "Somebody"
}

// writeComments writes a block in a step, and empties it.
func (r *archiveRun) writeComments(ctx context.Context, b *commentBlock) error {
	if b.lines == r.progress.Line {
		return nil
	}
	ctx, actor, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.whole(ctx)
	if err != nil {
		return err
	}
	here, err := r.table(snapshot, b.table)
	if err != nil {
		return err
	}
	kept, err := r.Comments.Restorable(ctx, here, b.comments)
	if err != nil {
		return err //nolint:wrapcheck // it says what
	}
	next := b.next
	if left := len(b.comments) - len(kept); left > 0 {
		next.report.leave(LeftOut{
			Table: b.table.Name, Count: left,
			Why: "The record of a comment, or the comment that it replies to, is not here, or the record has too many.",
		})
	}
	next.table(b.table.Name, here.ID).Comments += len(kept)
	next.progress.Line = b.lines
	if len(kept) == 0 {
		err = r.commit(ctx, next, nil)
	} else {
		step, job := r.within(ctx, next, nil), id.Format(id.Job, r.j.ID)
		if err = r.Comments.Restore(step, actor, here.Number, job, kept); err == nil {
			r.took(next)
		}
	}
	*b = commentBlock{table: b.table, next: r.next(), lines: b.lines}
	return err //nolint:wrapcheck // it is for the person
}

// hashOfComments counts the comments on the records of a new table, and hashes them as the archive has them.
func (r *archiveRun) hashOfComments(ctx context.Context, t *archive.Table) (count int, hash string, err error) {
	here, err := r.cachedTable(ctx, t)
	if err != nil {
		return 0, "", err
	}
	rename, digest := r.rename.Inverse(), sha256.New()
	err = r.Comments.Pages(ctx, here, func(page []comment.Comment) error {
		for i := range page {
			digest.Write(encodeComment(commentLine(&page[i], rename))) // never fails
		}
		count += len(page)
		return nil
	})
	return count, hex.EncodeToString(digest.Sum(nil)), err //nolint:wrapcheck // it says what
}
