package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// readRules checks the row rules of a table.
func (c *Change) readRules(members []memberName, t *schema.Table, given []*schema.RowRule) ([]*schema.RowRule, error) {
	if len(given) > MaxRowRules {
		return nil, problem.Invalid("rules", "must hold at most %d rules, not %d", MaxRowRules, len(given))
	}
	rules := make([]*schema.RowRule, len(given))
	for i, r := range given {
		path := fmt.Sprintf("rules[%d]", i)
		switch {
		case r.Role == "" && len(r.Groups)+len(r.People) == 0:
			return nil, problem.Invalid(path, "names nobody; give a role, groups or people")
		case r.Role == schema.BaseCreator:
			return nil, problem.Invalid(path+".role", "must be viewer, commenter or editor; creators read all records")
		case len(r.Groups)+len(r.People) > MaxGrants:
			return nil, problem.Invalid(path, "names %d people and groups; at most %d may be named",
				len(r.Groups)+len(r.People), MaxGrants)
		case utf8.RuneCountInString(r.Memo) > MaxRuleMemo:
			return nil, problem.Invalid(path+".memo", "must be at most %d characters long", MaxRuleMemo)
		}
		if err := c.checkAudience(path, members, r.People, r.Groups, r.Role); err != nil {
			return nil, err
		}
		one := *r
		var err error
		if one.Filter, err = c.Snapshot.ReadRule(t, path+".filter", r.Filter); err != nil {
			return nil, err
		}
		rules[i] = &one
	}
	return rules, nil
}

// maxCounted bounds the members for whom a plan counts the records that they read.
const maxCounted = 200

// recordsOf says for a plan how many records of a table each member reads, where row rules decide it.
func (c *Change) recordsOf(
	ctx context.Context, members []memberName, t *schema.Table,
) ([]map[string]string, error) {
	if !c.weighs() {
		return nil, nil
	}
	out := make([]map[string]string, len(members))
	counted := 0
	for i, m := range members {
		out[i] = map[string]string{}
		subject := schema.Subject{Person: m.Person, Role: m.Role}
		if len(c.Snapshot.Describe(subject, t)) == 0 {
			continue // the person does not read the table
		}
		about, rows := fmt.Sprintf("the table %q", t.Name), c.Snapshot.RowsOf(subject, t)
		switch {
		case rows == nil:
			out[i][about] = "all records"
		case counted == maxCounted:
			out[i][about] = "only the records of row rules"
		default:
			counted++
			n, err := c.CountRows(ctx, m.Person, t, rows)
			if err != nil {
				return nil, err
			}
			out[i][about] = fmt.Sprintf("only the records of row rules, now %d,", n)
		}
	}
	return out, nil
}

// CountRows counts the records of a table that a person reads by row rules.
func (c *Change) CountRows(ctx context.Context, person uuid.UUID, t *schema.Table, rows *schema.Rows) (int64, error) {
	var count int64
	err := c.topology.AsPerson(ctx, c.Tx, person, &count, "select count(*) from "+t.Relation()+" t where "+rows.Read)
	if err != nil {
		return 0, fmt.Errorf("counting the records that a row rule lets a person read: %w", err)
	}
	return count, nil
}

// ruleFilters lists the filters of a table's row rules.
func (c *Change) ruleFilters(t *schema.Table) []storedFilter {
	if t.Permission == nil {
		return nil
	}
	found := make([]storedFilter, len(t.Permission.Rules))
	for i, r := range t.Permission.Rules {
		found[i] = storedFilter{
			table: t, filter: r.Filter, rule: true,
			replace: func(b *pgx.Batch, filter json.RawMessage) {
				next, rule := *t.Permission, *t.Permission.Rules[i]
				rule.Filter = filter
				next.Rules = slices.Clone(next.Rules)
				next.Rules[i] = &rule
				t.Permission = &next
				c.touched[t.ID] = true
				c.ChangesPermissions()
				b.Queue("update rowhouse.data_table set permission = $3 where org_id = $1 and id = $2", c.Org, t.ID,
					next)
			},
			loss: func(why string) problem.Item {
				return problem.Item{Path: t.PublicID(), Message: fmt.Sprintf(
					"a row rule of the table %q would let nobody read records until its filter is repaired (%s)",
					t.Name, why)}
			},
		}
	}
	return found
}
