package comment

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A mention is written @[Name](usr_…).
var mention = regexp.MustCompile(`@\[([^\[\]\n]{0,255})\]\((usr_[0-9A-Za-z]{1,60})\)`)

// textPath is where errors say that the text is wrong.
const textPath = "text"

// checkText returns a text without the white space around it.
func checkText(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
		return "", problem.Invalid(textPath, "must not be empty")
	case !utf8.ValidString(text):
		return "", problem.Invalid(textPath, "must be valid UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > MaxText {
		return "", problem.Invalid(textPath, "must be at most %d characters long, not %d", MaxText, n)
	}
	return text, nil
}

// mentioned lists the people that a text mentions, each once, in the order of the text. named are their
// names in the text.
func mentioned(text string) (people []uuid.UUID, named map[uuid.UUID]string, err error) {
	named = map[uuid.UUID]string{}
	for _, match := range mention.FindAllStringSubmatch(text, -1) {
		person, err := id.Parse(id.User, match[2])
		if err != nil {
			return nil, nil, problem.Invalid(textPath, "mentions %s with %q, which is not the id of a user; "+
				"list_members has the ids", called(match[1]), match[2])
		}
		if !slices.Contains(people, person) {
			people, named[person] = append(people, person), match[1]
		}
	}
	if len(people) > MaxMentions {
		return nil, nil, problem.Invalid(textPath, "mentions %d people; a comment may mention %d",
			len(people), MaxMentions)
	}
	return people, named, nil
}

func called(name string) string {
	if name == "" {
		return "somebody"
	}
	return fmt.Sprintf("%q", name)
}

// withNames replaces the names in a text's mentions by the people's present names, so that nobody is
// mentioned under the name of somebody else.
func withNames(text string, names map[uuid.UUID]string) string {
	brackets := strings.NewReplacer("[", "(", "]", ")", "\n", " ")
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		public := mention.FindStringSubmatch(found)[2]
		person, err := id.Parse(id.User, public)
		if err != nil {
			return found
		}
		return "@[" + brackets.Replace(names[person]) + "](" + public + ")"
	})
}

// WithoutMentions returns a text in which those whom keep does not keep are named and not mentioned.
func WithoutMentions(text string, keep func(person uuid.UUID) bool) string {
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		parts := mention.FindStringSubmatch(found)
		if person, err := id.Parse(id.User, parts[2]); err == nil && keep(person) {
			return found
		}
		return "@" + parts[1]
	})
}

// resolveMentions returns the text with the names of the people that it mentions, and who they are. It
// is an error to mention somebody who may not read the table.
func (w *write) resolveMentions(ctx context.Context, text string) (string, []uuid.UUID, error) {
	people, named, err := mentioned(text)
	if err != nil || len(people) == 0 {
		return text, []uuid.UUID{}, err
	}
	readers, err := w.readers(ctx, people)
	if err != nil {
		return "", nil, err
	}
	names := map[uuid.UUID]string{}
	for _, reader := range readers {
		names[reader.Person] = reader.Name
	}
	for _, person := range people {
		if _, reads := names[person]; !reads {
			return "", nil, problem.Invalid(textPath,
				"mentions %s (%s), who is not a member or may not read this table",
				called(named[person]), id.Format(id.User, person)).
				WithCode(problem.CodeMentionOfStranger)
		}
	}
	return withNames(text, names), people, nil
}

// A reader is somebody who may read a table.
type reader struct {
	schema.Subject

	Name string
}

// readers returns those of some people who may read the record of the write.
func (w *write) readers(ctx context.Context, people []uuid.UUID) ([]reader, error) {
	rows, err := w.tx.Query(ctx, `select p.id, m.role, p.name from rowhouse.member m
		join rowhouse.person p on p.id = m.person_id where m.org_id = $1 and m.person_id = any ($2)`,
		w.actor.Org, people)
	if err != nil {
		return nil, fmt.Errorf("looking for people: %w", err)
	}
	members, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (reader, error) {
		var r reader
		err := row.Scan(&r.Person, &r.Role, &r.Name)
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("looking for people: %w", err)
	}
	whole, err := w.Records.Schema().Cached(catalog.WithoutCaller(ctx), w.actor.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	var reading []reader
	for _, r := range members {
		t := whole.For(r.Subject).Table(w.table.ID)
		if t == nil {
			continue
		}
		reads := t.Rows() == nil
		if !reads {
			err := w.DB.Topology().AsPerson(ctx, w.tx, r.Person, &reads, "select exists (select from "+t.Relation()+
				" t where t.id = $1)", w.row)
			if err != nil {
				return nil, fmt.Errorf("looking for who reads the record: %w", err)
			}
		}
		if reads {
			reading = append(reading, r)
		}
	}
	return reading, nil
}
