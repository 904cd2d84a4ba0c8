package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What a stored reference names.
const (
	NamesOption = "option" // by its name, so that it must follow a renaming
	NamesField  = "field"  // this and the following by id
	NamesTable  = "table"
	NamesView   = "view"
	NamesPerson = "person"
	NamesRecord = "record"
)

// A Reference is a kind of reference in the metadata to another object of the schema, or to a person.
type Reference struct {
	Place string // a column of the metadata, and the key in it
	Names []string
	// Deletion says what happens to the reference when its target is deleted. Losses are in the plan
	// and the response of the deletion.
	Deletion string
}

const (
	viewShowsNothing = "The view shows nothing until its filter is repaired: a loss."
	viewLosesKey     = "The view loses the key: a loss."
	viewLosesMention = "The view no longer mentions the field, which nobody misses."
	ruleGivesNothing = "Whom the row rule names reads no records by it until its filter is repaired: a loss."
	forgetsPerson    = "Who has left has no permission, and gets none back when they are invited again."
	fieldShowsErrors = "The field, and those that read it, show errors until what they read is back: a loss."
)

// References is the register of stored references. storedFilters renames options in filters, and
// followOptions in defaults; Change.lossesOf finds losses, and departure those of a person who leaves.
// A test walks the columns of the metadata and the keys of configs, and fails on one that is missing
// here.
var References = []Reference{
	{"view.config.filters", []string{NamesField, NamesOption, NamesPerson, NamesRecord}, viewShowsNothing},
	{"view.config.sorts", []string{NamesField}, viewLosesKey},
	{"view.config.groupBy", []string{NamesField}, viewLosesKey},
	{"view.config.stackFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.stackLimits", []string{NamesField, NamesOption, NamesPerson}, viewLosesKey},
	{"view.config.startFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.endFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.laneFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.dependsOnFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.coverFieldId", []string{NamesField}, viewLosesKey},
	{"view.config.requiredFields", []string{NamesField}, viewLosesKey},
	{"view.config.hiddenFields", []string{NamesField}, viewLosesMention},
	{"view.config.fieldOrder", []string{NamesField}, viewLosesMention},
	{"view.config.columnWidths", []string{NamesField}, viewLosesMention},
	{"view.config.aggregates", []string{NamesField}, viewLosesMention},
	{"view.config.colorFieldId", []string{NamesField}, viewLosesKey},
	{
		"view.config.colorRules",
		[]string{NamesField, NamesOption, NamesPerson, NamesRecord},
		"The rule goes with a field, and colours nothing while it does not fit: a loss.",
	},
	{"view.config.formFields", []string{NamesField, NamesOption}, viewLosesKey},
	{"view.config.chart", []string{NamesField}, "The chart lacks what it drew of the field: a loss."},
	{"view.created_by", []string{NamesPerson}, "Administrators still see the view: a loss."},
	{
		"field.config.default",
		[]string{NamesOption, NamesPerson},
		"A removed option leaves the default, as it leaves records. New records get a person who has left: a loss.",
	},
	{"field.config.formula", []string{NamesField}, fieldShowsErrors},
	{"field.config.linkFieldId", []string{NamesField}, fieldShowsErrors},
	{"field.config.fieldId", []string{NamesField}, fieldShowsErrors},
	{"field.config.filters", []string{NamesField, NamesOption, NamesPerson, NamesRecord}, fieldShowsErrors},
	{"field.config.sorts", []string{NamesField}, fieldShowsErrors},
	{"field.config.linkedTableId", []string{NamesTable}, "The link field goes with the table: a loss."},
	{"field.config.inverseFieldId", []string{NamesField}, "Both fields of a link go together."},
	{"field.linked_table_id", []string{NamesTable}, "The link field goes with the table: a loss."},
	{
		"webhook.condition",
		[]string{NamesField, NamesOption, NamesPerson, NamesRecord},
		"The webhook is disabled at its next message: a loss.",
	},
	{"webhook.field_ids", []string{NamesField}, "The webhook tells nothing of the field: a loss."},
	{"webhook.table_ids", []string{NamesTable}, "The webhook tells nothing of the table: a loss."},
	{
		"dashboard.tiles",
		[]string{NamesView},
		"The dashboard does not show the tile while the view is gone: a loss. It is there again with the view.",
	},
	{"webhook.created_by", []string{NamesPerson}, "It is told who made it, once."},
	{"webhook.owner_id", []string{NamesPerson}, "The webhook is disabled, and its makers get a mail: a loss."},
	{
		"view_share.person_id",
		[]string{NamesPerson},
		"A form takes no answers from outside until somebody else shares it: a loss.",
	},
	{"workspace.permission", []string{NamesPerson}, forgetsPerson},
	{"base.permission", []string{NamesPerson}, forgetsPerson},
	{"data_table.permission", []string{NamesField, NamesOption, NamesPerson}, ruleGivesNothing},
	{"field.permission", []string{NamesPerson}, forgetsPerson},
	{"person_group.members", []string{NamesPerson}, forgetsPerson},
	{"job.person_id", []string{NamesPerson}, "The job fails at its next step, and its report says so."},
	{"job.table_id", []string{NamesTable}, "The job fails at its next step, and its report says so."},
	{
		"job.request",
		[]string{NamesField, NamesOption, NamesView, NamesPerson, NamesRecord},
		"The job fails at its next step, and its report says so.",
	},
	{"comment.mentions", []string{NamesPerson}, "The comment keeps the name that the person had."},
	{
		"trash.content",
		[]string{NamesField, NamesOption, NamesTable, NamesPerson, NamesRecord},
		"What comes back is checked then, and notes say what does not fit.",
	},
}

// A storedFilter is a filter that the metadata stores.
type storedFilter struct {
	table  *schema.Table // whose records it compares
	filter json.RawMessage
	// replace queues the update to another filter.
	replace func(b *pgx.Batch, filter json.RawMessage)
	rule    bool // it is the filter of a row rule
	// loss is the loss of a filter that does not fit; nil if the loss of a field already says so.
	loss func(why string) problem.Item
}

// storedFilters lists the filters of views, computed fields, row rules and webhooks, including those in the trash.
func (c *Change) storedFilters(ctx context.Context) ([]storedFilter, error) {
	var found []storedFilter
	for t := range c.Snapshot.Tables() {
		for _, v := range t.Views {
			for _, key := range comparingKeys {
				if filter := v.Config[key]; len(filter) > 0 {
					found = append(found, c.viewFilter(v, key, filter))
				}
			}
		}
		found = append(found, c.ruleFilters(t)...)
		for _, f := range t.Fields {
			if linked := c.Snapshot.LinkedTable(f); linked != nil && len(f.Config.Filters) > 0 {
				found = append(found, c.fieldFilter(f, linked))
			}
		}
	}
	slices.SortStableFunc(found, func(a, b storedFilter) int { return int(a.table.Number - b.table.Number) })
	hooks, err := c.webhooks(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range hooks {
		if t := w.onlyTable(c.Snapshot); t != nil && len(w.condition) > 0 {
			found = append(found, c.webhookFilter(w, t))
		}
	}
	trashed, err := c.trashedFilters(ctx)
	return append(found, trashed...), err
}

// comparingKeys are the keys of a view's config with conditions on records or answers, or with values of fields.
var comparingKeys = []string{"filters", "formFields", "colorRules", "stackLimits"}

// viewFilter is what a key of a view's config compares.
func (c *Change) viewFilter(v *schema.View, key string, filter json.RawMessage) storedFilter {
	return storedFilter{
		table: v.Table, filter: filter,
		replace: func(b *pgx.Batch, filter json.RawMessage) {
			config := schema.ViewConfig{}
			for key, value := range v.Config {
				config[key] = value
			}
			config[key] = filter
			v.Config = config
			c.touched[v.Table.ID] = true
			b.Queue("update rowhouse.view set config = $3 where org_id = $1 and id = $2", c.Org, v.ID, config)
		},
		loss: func(why string) problem.Item {
			return problem.Item{Path: v.PublicID(), Message: fmt.Sprintf(
				"%s would show nothing until its filter is repaired (%s)", c.nameView(v), why)}
		},
	}
}

// colorFilters are the filters of a view's colour rules. No option is renamed in them, which viewFilter does.
func (c *Change) colorFilters(v *schema.View) []storedFilter {
	var found []storedFilter
	for _, rule := range v.Config.ColorRules() {
		found = append(found, storedFilter{
			table: v.Table, filter: rule.Filters,
			loss: func(why string) problem.Item {
				return problem.Item{Path: v.PublicID(), Message: fmt.Sprintf(
					"%s would no longer give records the colour %s (%s)", c.nameView(v), rule.Color, why)}
			},
		})
	}
	return found
}

// nameView names a view, unless it is another person's.
func (c *Change) nameView(v *schema.View) string {
	if v.Access == schema.Personal && (c.origin.Person == nil || *c.origin.Person != v.CreatedBy) {
		return "a personal view of somebody else"
	}
	return fmt.Sprintf("the view %q", v.Name)
}

func (c *Change) fieldFilter(f *schema.Field, linked *schema.Table) storedFilter {
	return storedFilter{
		table: linked, filter: f.Config.Filters,
		replace: func(b *pgx.Batch, filter json.RawMessage) {
			c.former.keep(f)
			f.Config.Filters = filter
			c.touched[f.Table.ID] = true
			b.Queue("update rowhouse.field set config = $3 where org_id = $1 and id = $2", c.Org, f.ID, f.Config)
		},
	}
}

// A subscription is the references of a webhook.
type subscription struct {
	id             uuid.UUID
	tables, fields []uuid.UUID // nil: all
	condition      json.RawMessage
}

func (w *subscription) publicID() string { return id.Format(id.Webhook, w.id) }

// onlyTable is the table whose records the webhook's filter compares.
func (w *subscription) onlyTable(s *schema.Snapshot) *schema.Table {
	if len(w.tables) != 1 {
		return nil
	}
	return s.Table(w.tables[0])
}

func (c *Change) webhooks(ctx context.Context) ([]*subscription, error) {
	rows, err := c.Query(ctx, "select id, table_ids, field_ids, condition from rowhouse.webhook where org_id = $1 "+
		"order by id", c.Org)
	if err != nil {
		return nil, fmt.Errorf("reading webhooks: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*subscription, error) {
		w := &subscription{}
		var condition *string
		err := row.Scan(&w.id, &w.tables, &w.fields, &condition)
		if condition != nil {
			w.condition = json.RawMessage(*condition)
		}
		return w, err
	})
	if err != nil {
		return nil, fmt.Errorf("reading webhooks: %w", err)
	}
	return found, nil
}

func (c *Change) webhookFilter(w *subscription, t *schema.Table) storedFilter {
	return storedFilter{
		table: t, filter: w.condition,
		replace: func(b *pgx.Batch, filter json.RawMessage) {
			b.Queue("update rowhouse.webhook set condition = $3 where org_id = $1 and id = $2", c.Org, w.id,
				string(filter))
		},
		loss: func(why string) problem.Item {
			return problem.Item{Path: w.publicID(), Message: fmt.Sprintf(
				"a webhook would be disabled until its filter is repaired (%s)", why)}
		},
	}
}

// trashedFilters lists the filters of views and fields in the trash. They compare fields of live tables too.
func (c *Change) trashedFilters(ctx context.Context) ([]storedFilter, error) {
	entries, err := c.queryTrash(ctx,
		"kind <> 'column' and content::text ~ '\"("+strings.Join(comparingKeys, "|")+")\"'", c.Org)
	if err != nil {
		return nil, err
	}
	var found []storedFilter
	for _, e := range entries {
		add := func(row metadataRow) {
			config := row.config()
			for _, key := range comparingKeys {
				filter := config[key]
				if len(filter) == 0 {
					continue
				}
				found = append(found, storedFilter{filter: filter, replace: func(b *pgx.Batch, filter json.RawMessage) {
					config[key] = filter
					row.set("config", config)
					b.Queue("update rowhouse.trash set content = $3 where org_id = $1 and id = $2", c.Org, e.ID,
						e.Content)
				}})
			}
		}
		for _, row := range e.Content.Fields {
			add(row)
		}
		for _, row := range e.Content.Views {
			add(row)
		}
	}
	return found, nil
}

// renameInFilters renames the options of a field in every stored filter.
func (c *Change) renameInFilters(ctx context.Context, f *schema.Field, renamed map[string]string) error {
	if len(renamed) == 0 {
		return nil
	}
	c.renamed[f.ID] = renamed
	filters, err := c.storedFilters(ctx)
	if err != nil {
		return err
	}
	batch, fields := &pgx.Batch{}, c.Snapshot.Showing(f)
	for _, one := range filters {
		if filter, changed := renamedIn(one.filter, fields, renamed); changed {
			one.replace(batch, filter)
		}
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("renaming options in filters: %w", err)
	}
	return nil
}

// renamedIn is a filter with renamed options in the conditions of some fields.
func renamedIn(filter json.RawMessage, fields []string, renamed map[string]string) (json.RawMessage, bool) {
	if !mentionsAny(filter, fields) {
		return filter, false
	}
	composed := map[string]string{}
	for before, after := range renamed {
		composed[norm.NFC.String(before)] = after
	}
	var parsed any
	decoder := json.NewDecoder(bytes.NewReader(filter))
	decoder.UseNumber() // numbers keep their digits
	if decoder.Decode(&parsed) != nil || !renameOptions(parsed, fields, composed) {
		return filter, false
	}
	return jsonvalue.Must(parsed), true
}

func mentionsAny(filter []byte, fields []string) bool {
	return slices.ContainsFunc(fields, func(public string) bool { return bytes.Contains(filter, []byte(public)) })
}

// renameOptions changes the conditions of some fields in a filter, in place.
func renameOptions(value any, fields []string, renamed map[string]string) (changed bool) {
	one := func(value any) any {
		if name, is := value.(string); is {
			if after, ok := renamed[norm.NFC.String(name)]; ok {
				changed = true
				return after
			}
		}
		return value
	}
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			changed = renameOptions(element, fields, renamed) || changed
		}
	case map[string]any:
		compared, _ := v["fieldId"].(string)
		if !slices.Contains(fields, compared) {
			for _, part := range v { // a group, or what a form says of a field
				changed = renameOptions(part, fields, renamed) || changed
			}
			return changed
		}
		if list, is := v["value"].([]any); is {
			for i := range list {
				list[i] = one(list[i])
			}
		} else if _, given := v["value"]; given {
			v["value"] = one(v["value"])
		}
	}
	return changed
}
