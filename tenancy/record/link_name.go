package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// With typecast, a value of a link names records by id or by the value of their primary field: a list
// of them, or a text that is a list of names (field.SplitNames). In the same way, a value of people
// names members. A name that no record or several records have is a mistake.

// nameLinks replaces the names of linked records in objects by ids, if the input is typecast, and notes mistakes in the
// input. It returns the objects without the values that are wrong.
func (e *Engine) nameLinks(
	ctx context.Context, actor Actor, input *writeInput, objects []jsonvalue.ParsedObject, path func(i int) string,
) ([]jsonvalue.ParsedObject, error) {
	if !input.typecast {
		return objects, nil
	}
	return e.replaceNames(ctx, actor, input.schema, input.table, objects, false, func(i int, item problem.Item) {
		input.fail(path(i)+item.Path, "%s", item.Message)
	})
}

// replaceNames is nameLinks for any reader of mistakes, whose paths are a dot and the name of a field.
// Values that are only ids are looked up only if the caller asks for it.
func (e *Engine) replaceNames(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, objects []jsonvalue.ParsedObject, ids bool,
	refuse func(i int, item problem.Item),
) ([]jsonvalue.ParsedObject, error) {
	copied := false
	for _, f := range t.Fields {
		if f.Link == nil && (!f.Info().People || f.Info().ReadOnly) {
			continue
		}
		named := namesIn(objects, t, f)
		if len(named.names) == 0 && (f.Link == nil || !ids || len(named.ids) == 0) {
			continue
		}
		found, where, err := e.namedBy(ctx, actor, s, f, named)
		if err != nil {
			return nil, err
		}
		if !copied {
			objects, copied = slices.Clone(objects), true
		}
		for i := range objects {
			objects[i] = e.replaceIn(ctx, objects[i], t, f, where, found,
				func(message string) { refuse(i, problem.Item{Path: "." + f.Name, Message: message}) })
		}
	}
	return objects, nil
}

// namedBy finds what the values of a field name, and says what that is. A credential that may not read finds nothing.
func (e *Engine) namedBy(
	ctx context.Context, actor Actor, s *schema.Snapshot, f *schema.Field, named namedRecords,
) (found map[string][]string, where string, err error) {
	switch {
	case f.Link == nil && db.ActorOf(ctx).Blind:
		return nil, "a member", nil
	case f.Link == nil:
		people, err := e.members(ctx, actor.Org)
		if err != nil {
			return nil, "", err
		}
		return people.found, "a member", nil
	}
	linked := s.Table(f.Link.LinkedTable)
	if linked == nil {
		return nil, "a record", nil
	}
	where = "a record in " + strconv.Quote(linked.Name)
	if db.ActorOf(ctx).Blind {
		return nil, where, nil
	}
	found, err = e.recordsNamed(ctx, actor.Org, linked, named)
	return found, where, err
}

// members finds the members of an organization by their names.
func (e *Engine) members(ctx context.Context, org uuid.UUID) (*linkNames, error) {
	out := &linkNames{names: map[string]string{}, found: map[string][]string{}}
	err := e.db.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select m.person_id, p.name from rowhouse.member m join rowhouse.person p on p.id = m.person_id "+
			"where m.org_id = $1 order by m.person_id", org).Query(func(rows pgx.Rows) error {
			var person uuid.UUID
			var name string
			_, err := pgx.ForEachRow(rows, []any{&person, &name}, func() error {
				public := id.Format(id.User, person)
				out.names[public] = name
				out.found[name] = append(out.found[name], public)
				out.found[public] = []string{public}
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the members: %w", err)
	}
	return out, nil
}

// isID reports whether a text is meant as an id, and not as a name.
func isID(text string) bool {
	kind := id.KindOf(text)
	return kind == id.Record || kind == id.User
}

// namedRecords are what the values of a link field may name.
type namedRecords struct {
	names []string
	ids   []string
}

// namesIn lists what the values of a link field may name.
func namesIn(objects []jsonvalue.ParsedObject, t *schema.Table, f *schema.Field) namedRecords {
	seen := map[string]bool{}
	var out namedRecords
	add := func(name string) {
		switch {
		case name == "" || seen[name]:
			return
		case isID(name):
			out.ids = append(out.ids, name)
		default:
			out.names = append(out.names, name)
		}
		seen[name] = true
	}
	for i := range objects {
		for _, m := range objects[i].Members() {
			if t.FieldByName(m.Name) != f {
				continue
			}
			switch jsonvalue.Kind(m.Value) {
			case jsonvalue.String:
				text, err := jsonvalue.Unquote(m.Value)
				if err != nil {
					continue
				}
				for _, part := range field.Parts(text) {
					add(part)
				}
			case jsonvalue.Array:
				for _, entry := range stringsOf(m.Value) {
					add(strings.TrimSpace(entry))
				}
			}
		}
	}
	return out
}

// recordsNamed finds the records with some ids, and those with some names.
func (e *Engine) recordsNamed(
	ctx context.Context, org uuid.UUID, t *schema.Table, named namedRecords,
) (map[string][]string, error) {
	found := map[string][]string{}
	var rows []uuid.UUID
	for _, public := range named.ids {
		if number, row, err := id.ParseRecord(public); err == nil && number == t.Number {
			rows = append(rows, row)
		}
	}
	title := t.Title()
	err := e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1)", rows).Query(func(result pgx.Rows) error {
			var row uuid.UUID
			_, err := pgx.ForEachRow(result, []any{&row}, func() error {
				public := id.FormatRecord(t.Number, row)
				found[public] = []string{public}
				return nil
			})
			return err
		})
		if title == "" || len(named.names) == 0 {
			return
		}
		b.Queue("select t.id, "+title+" from "+t.TitleFrom()+" where "+title+" = any ($1::text[]) order by t.id",
			named.names).Query(func(result pgx.Rows) error {
			var row uuid.UUID
			var name string
			_, err := pgx.ForEachRow(result, []any{&row, &name}, func() error {
				found[name] = append(found[name], id.FormatRecord(t.Number, row))
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for records by name: %w", err)
	}
	return found, nil
}

// replaceIn replaces the names in the value of a link field by ids. It leaves out a value with a mistake.
func (e *Engine) replaceIn(ctx context.Context,
	object jsonvalue.ParsedObject, t *schema.Table, f *schema.Field, where string, found map[string][]string,
	refuse func(message string),
) jsonvalue.ParsedObject {
	members := slices.Clone(object.Members())
	i := slices.IndexFunc(members, func(m jsonvalue.Member) bool { return t.FieldByName(m.Name) == f })
	if i < 0 {
		return object
	}
	var names []string
	switch jsonvalue.Kind(members[i].Value) {
	case jsonvalue.String:
		text, err := jsonvalue.Unquote(members[i].Value)
		if err != nil {
			return object
		}
		names = field.SplitNames(text, func(name string) bool { return len(found[name]) > 0 })
	case jsonvalue.Array:
		if names = stringsOf(members[i].Value); names == nil {
			return object // for the field to refuse
		}
	default:
		return object
	}
	wrong := false
	value := []byte{'['}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		public := name
		switch records := found[name]; {
		case len(records) == 1:
			public = records[0]
		case (f.Link == nil || db.ActorOf(ctx).Blind) && isID(name): // for the field to judge
		case db.ActorOf(ctx).Blind:
			wrong = true
			refuse(
				field.Quote(name) + " is not the id of " + where + "; a credential without the scope data:read names " +
					"it by id",
			)
		case len(records) == 0:
			wrong = true
			refuse(fmt.Sprintf("%s is neither the id nor the name of %s", field.Quote(name), where))
		default:
			wrong = true
			refuse(fmt.Sprintf("%s is the name of more than one: of %s, there are %d: %s; name one by its id",
				field.Quote(name), where, len(records), problem.List(records)))
		}
		if len(value) > 1 {
			value = append(value, ',')
		}
		value = field.AppendString(value, public)
	}
	if members[i].Value = append(value, ']'); wrong {
		members = slices.Delete(members, i, i+1)
	}
	return jsonvalue.NewParsedObject(members, object.Size())
}
