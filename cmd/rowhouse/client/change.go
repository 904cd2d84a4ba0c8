package client

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type changesCommand struct {
	connection `embed:""`
	output     `embed:""`
	inBase     `embed:""`

	Tables []string `short:"t" name:"table" placeholder:"TABLE" help:"Only of these tables of the base."`
	Kinds  []string `name:"kind" enum:"created,updated,deleted,linked,restored,schema,commented" placeholder:"KIND" help:"Only these kinds: created, updated, deleted, linked, restored, schema, commented."`
	Since  string   `placeholder:"CURSOR" help:"Behind the change with this cursor, or earliest. Default: earliest, and with --follow now."`
	Follow bool     `help:"Go on with the changes as they happen, until Ctrl-C."`
}

func (changesCommand) Help() string {
	return `Examples:

  rowhouse changes --base Harbour --follow
  rowhouse changes --base Harbour --follow --table Ships -o ndjson | while read -r change; do …; done

Each change has a cursor. --since with the last one that you have seen misses none and repeats none.`
}

func (c *changesCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	base, feed, err := feedOf(ctx, client, c.Base, c.Since, c.Tables, c.Kinds)
	if err != nil {
		return err
	}
	var changes iter.Seq2[rowhouse.FeedChange, error]
	if c.Follow {
		changes = client.Watch(ctx, base.ID, feed)
	} else {
		if feed.Cursor == "" {
			feed.Cursor = rowhouse.Earliest
		}
		changes = client.Changes(ctx, base.ID, feed)
	}
	return c.print(ctx, to, client, base, changes)
}

// feedOf finds a base by its name or id, and returns it with the feed of its changes behind a cursor, of tables by
// their names or ids and of kinds.
func feedOf(
	ctx context.Context, client *rowhouse.Client, baseName, cursor string, tables, kinds []string,
) (*rowhouse.Base, rowhouse.Feed, error) {
	id, err := findBase(ctx, client, baseName)
	if err != nil {
		return nil, rowhouse.Feed{}, err
	}
	base, err := client.Base(ctx, id)
	if err != nil {
		return nil, rowhouse.Feed{}, err
	}
	feed := rowhouse.Feed{Cursor: cursor}
	list := make([]named, len(base.Tables))
	for i, table := range base.Tables {
		list[i] = named{table.ID, []string{base.Name, table.Name}}
	}
	for _, name := range tables {
		found, err := choose("table of "+base.Name, name, list)
		if err != nil {
			return base, feed, err
		}
		feed.Tables = append(feed.Tables, found.id)
	}
	for _, kind := range kinds {
		feed.Kinds = append(feed.Kinds, rowhouse.ChangeKind(kind))
	}
	return base, feed, nil
}

func (c *changesCommand) print(
	ctx context.Context, to Streams, client *rowhouse.Client, base *rowhouse.Base,
	changes iter.Seq2[rowhouse.FeedChange, error],
) error {
	names := tableNames(base)
	sheet := c.sheet(to, "time", "kind", "table", "person", "what", "record")
	for change, err := range changes {
		if err != nil {
			if c.Follow && ctx.Err() != nil {
				return sheet.end() // Ctrl-C is how following ends
			}
			return err
		}
		if change.Kind == rowhouse.ChangeKindSchema && c.textual(to) {
			if fresh, err := client.Base(ctx, base.ID); err == nil { // without it, new tables have their ids
				maps.Copy(names, tableNames(fresh))
			}
		}
		if c.textual(to) {
			table := change.Table
			if names[table] != "" {
				table = names[table]
			}
			sheet.row(change.Time, string(change.Kind), table, change.Person.Name, whatChanged(&change.Change),
				change.Record)
		} else {
			sheet.raw(change.Raw)
		}
		if c.Follow {
			sheet.flush()
		}
		if sheet.err != nil {
			return sheet.err
		}
	}
	return sheet.end()
}

func tableNames(base *rowhouse.Base) map[string]string {
	names := map[string]string{}
	for _, table := range base.Tables {
		names[table.ID] = table.Name
	}
	return names
}

// whatChanged says what is different after a change: each value before and after, by the names of fields.
func whatChanged(change *rowhouse.Change) string {
	var parts []string
	if change.Kind == rowhouse.ChangeKindSchema {
		parts = append(parts, string(change.Object)+" "+change.Name)
	}
	keys := map[string]bool{}
	for _, values := range []map[string]any{change.Before, change.After} {
		for key := range values {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		before, after := text(change.Before[key]), text(change.After[key])
		switch {
		case before == after:
		case change.Before == nil:
			parts = append(parts, key+": "+after)
		case change.After == nil:
			parts = append(parts, key+": "+before)
		default:
			parts = append(parts, fmt.Sprintf("%s: %s → %s", key, orNothing(before), orNothing(after)))
		}
	}
	return strings.Join(parts, ", ")
}
