package catalog

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// RemoveMember removes a person from an organization, as organization.RemoveMemberIn does, with all permissions. It can
// be planned. Its losses are the person's references
// in the register of references, and their credentials. named says whether the caller may read the
// names of views, fields and tables.
func (s *Store) RemoveMember(
	ctx context.Context, org uuid.UUID, actor organization.Role, person uuid.UUID, named bool,
) error {
	return s.Change(ctx, org, func(c *Change) error {
		event, err := organization.RemoveMemberIn(ctx, s.db, c.Tx, org, actor, person)
		if err != nil {
			return err
		}
		c.SetAuditEvent(*event)
		if err := c.forgetPerson(ctx, person); err != nil {
			return err
		}
		d := departure{c, id.Format(id.User, person), person, named}
		if err := d.credentials(ctx, s); err != nil {
			return err
		}
		byNumber := func(a, b *schema.Table) int { return int(a.Number - b.Number) }
		for _, t := range slices.SortedFunc(c.Snapshot.Tables(), byNumber) {
			if err := d.table(ctx, t); err != nil {
				return err
			}
		}
		if err := d.forms(ctx); err != nil {
			return err
		}
		return d.webhooks(ctx)
	})
}

// A departure finds what refers to a person who leaves.
type departure struct {
	*Change

	public string
	person uuid.UUID
	named  bool
}

func (d *departure) lose(path, format string, args ...any) {
	d.Lose(0, problem.Item{Path: path, Message: fmt.Sprintf(format, args...)})
}

// name is the name of an object, for callers who may know it.
func (d *departure) name(kind, name string) string {
	if !d.named {
		return "a " + kind
	}
	return fmt.Sprintf("the %s %q", kind, name)
}

func (d *departure) mentions(config []byte) bool { return bytes.Contains(config, []byte(d.public)) }

func (d *departure) table(ctx context.Context, t *schema.Table) error {
	for _, v := range t.Views {
		if v.Access == schema.Personal && v.CreatedBy == d.person {
			d.lose(v.PublicID(), "%s, which is personal, would be seen by administrators only", d.name("view", v.Name))
		}
		if d.mentions(v.Config["filters"]) {
			d.lose(v.PublicID(), "the filter of %s would name somebody who is no longer a member", d.view(v))
		}
	}
	for _, f := range t.Fields {
		field := d.name("field", f.Name)
		if d.mentions(f.Config.Filters) {
			d.lose(f.PublicID(), "the filter of %s would name somebody who is no longer a member", field)
		}
		if d.mentions(f.Config.Default) {
			d.lose(f.PublicID(), "%s would still give the person to new records as its default", field)
		}
		if err := d.values(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (d *departure) view(v *schema.View) string {
	if !d.named {
		return "a view"
	}
	return d.nameView(v)
}

// values reports the records that name the person in a user field, for a plan.
func (d *departure) values(ctx context.Context, f *schema.Field) error {
	if !d.weighs() || f.Info().Column != "uuid[]" || !f.Info().People {
		return nil
	}
	var records int
	err := d.QueryRow(ctx, "select count(*) from "+f.Table.Relation()+" t where t."+f.Column()+" @> array[$1::uuid]",
		d.person).Scan(&records)
	if err != nil {
		return fmt.Errorf("counting the records that name a person: %w", err)
	}
	if records > 0 {
		d.lose(f.PublicID(), "%s would still name the person in %s", d.name("field", f.Name),
			problem.Count(records, "record"))
	}
	return nil
}

// forms reports the forms that take answers from outside with the rights of the person.
func (d *departure) forms(ctx context.Context) error {
	rows, err := d.Query(ctx, "select view_id from rowhouse.view_share where org_id = $1 and person_id = $2 "+
		"order by view_id", d.Org, d.person)
	if err != nil {
		return fmt.Errorf("reading shares: %w", err)
	}
	shared, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("reading shares: %w", err)
	}
	for _, one := range shared {
		if v := d.Snapshot.View(one); v != nil && v.Type == schema.Form {
			d.lose(v.PublicID(), "%s would take no answers from outside until somebody else shares it", d.view(v))
		}
	}
	return nil
}

func (d *departure) webhooks(ctx context.Context) error {
	rows, err := d.Query(ctx, "select id, name, enabled and owner_id = $2, coalesce(strpos(condition, $3) > 0, false) "+
		"from rowhouse.webhook where org_id = $1 order by id", d.Org, d.person, d.public)
	if err != nil {
		return fmt.Errorf("reading webhooks: %w", err)
	}
	var hook uuid.UUID
	var name string
	var owned, compares bool
	_, err = pgx.ForEachRow(rows, []any{&hook, &name, &owned, &compares}, func() error {
		if owned {
			d.lose(id.Format(id.Webhook, hook), "%s would be disabled at its next message, until another member "+
				"enables it", d.name("webhook", name))
		}
		if compares {
			d.lose(id.Format(id.Webhook, hook), "the filter of %s would name somebody who is no longer a member",
				d.name("webhook", name))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading webhooks: %w", err)
	}
	return nil
}

// credentials reports the credentials with which the person reaches the organization.
func (d *departure) credentials(ctx context.Context, s *Store) error {
	if d.planning == nil {
		return nil
	}
	keys, apps, err := organization.CredentialsOf(ctx, s.db, d.Org, d.person)
	if err != nil {
		return err
	}
	if keys > 0 {
		d.lose(d.public, "%s of the person would no longer reach the organization", problem.Count(keys, "API key"))
	}
	if apps > 0 {
		d.lose(d.public, "%s of the person would no longer reach the organization",
			problem.Count(apps, "connected app"))
	}
	return nil
}
