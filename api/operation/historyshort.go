package operation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/history"
)

// A change in short form has about forty tokens. The exact time of a change identifies its change
// set, so it needs no id.
const (
	shortBytes = 60 // limit of the values of an entry, after which only their number follows; the first always shows
	shortText  = 40 // characters of a text
	shortLinks = 2  // linked records that are named
)

// ShortChangeSet is a change set in short.
type ShortChangeSet struct {
	Time       string   `json:"time"`
	Name       string   `json:"name,omitzero"`
	Person     string   `json:"person,omitzero"`
	Credential string   `json:"credential,omitzero" jsonschema:"of an agent or a program"`
	Did        []string `json:"did"`
	More       int      `json:"more,omitzero"       jsonschema:"how many further things it did"`
	Reverts    bool     `json:"isRevert,omitzero"`
	Reverted   bool     `json:"reverted,omitzero"`
}

// shortList writes change sets in short.
func shortList(list *ChangeSetList) any {
	short := make([]ShortChangeSet, len(list.ChangeSets))
	for i := range list.ChangeSets {
		short[i] = list.ChangeSets[i].short()
	}
	return struct {
		ChangeSets []ShortChangeSet `json:"changeSets"`
		NextCursor *string          `json:"nextCursor"`
	}{short, list.NextCursor}
}

// shortTime writes a time as entries of a history have it, zeros at its end included, because equal
// times are how an agent finds the change set of an entry.
func shortTime(t time.Time) string {
	return strings.Trim(string(changelog.AppendTime(nil, t.UnixMicro())), `"`)
}

func (s *ChangeSet) short() ShortChangeSet {
	out := ShortChangeSet{
		Time: shortTime(s.LastTime), Did: []string{}, Reverts: len(s.Reverts) > 0, Reverted: len(s.RevertedBy) > 0,
	}
	if s.Name != nil {
		out.Name = shortened(*s.Name, shortText)
	}
	if s.Person != nil {
		out.Person = s.Person.ID
		if s.Person.Name != nil {
			out.Person = shortened(*s.Person.Name, shortText)
		}
	}
	if s.Credential != nil {
		out.Credential = credentialName(s.Credential.ID, s.Credential.Name)
	}
	size, all := 0, len(s.Tables)+s.SchemaCount
	did := func(text string) {
		if size += len(text); len(out.Did) == 0 || size <= shortBytes {
			out.Did = append(out.Did, text)
		}
	}
	for i := range s.Tables {
		did(s.Tables[i].short())
	}
	for i := range s.Schema {
		did(s.Schema[i].Does + " " + s.Schema[i].Object + " " + shortened(s.Schema[i].Name, shortText))
	}
	out.More = all - len(out.Did)
	return out
}

// short describes what happened to the records of a table, such as "Deals: 3 updated, 1 deleted".
func (t *ChangedTable) short() string {
	text := ""
	for _, part := range []struct {
		count int64
		does  string
	}{
		{t.Created, "created"},
		{t.Updated, "updated"},
		{t.Deleted, "deleted"},
		{t.Restored, "restored"},
		{t.Linked, "linked"},
	} {
		if part.count == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", part.count, part.does)
	}
	name := t.Name
	if name == "" { // the caller may not see it
		name = t.ID
	}
	return shortened(name, shortText) + ": " + text
}

// credentialName returns the name of a credential, or its kind if it has no name that the caller
// may see. A person who used the application needs no name.
func credentialName(public, name string) string {
	switch kind := credentialKind(public); {
	case name != "":
		return shortened(name, shortText)
	case id.KindOf(public) == id.Session:
		return ""
	default:
		return kind
	}
}

// shortHistory writes entries of the history of a record in short form.
func (c *Call) shortHistory(ctx context.Context, entries []history.Entry) ([][]byte, error) {
	credentials := make([]string, len(entries))
	var linked []string
	for i := range entries {
		credentials[i] = entries[i].Credential
		for _, change := range entries[i].Changes {
			linked = append(append(linked, firstLinks(change.From)...), firstLinks(change.To)...)
		}
	}
	names, err := history.CredentialNames(ctx, c.DB, c.viewer(), credentials)
	if err != nil {
		return nil, err
	}
	slices.Sort(linked)
	titles, err := c.LinkedTitles(ctx, c.Target.Org, slices.Compact(linked))
	if err != nil {
		return nil, err
	}
	short := make([][]byte, len(entries))
	for i := range entries {
		short[i] = shortEntry(&entries[i], names[entries[i].Credential], titles)
	}
	return short, nil
}

func shortEntry(e *history.Entry, credential string, titles map[string]string) []byte {
	dst := append([]byte(`{"time":`), e.Time()...)
	if e.Person != nil {
		name := id.Format(id.User, *e.Person)
		if e.Name != nil {
			name = shortened(*e.Name, shortText)
		}
		dst = field.AppendString(append(dst, `,"person":`...), name)
	}
	if name := credentialName(e.Credential, credential); name != "" {
		dst = field.AppendString(append(dst, `,"credential":`...), name)
	}
	dst = append(field.AppendString(append(dst, `,"kind":`...), e.Kind.Name()), `,"changes":{`...)
	said, size := 0, 0
	for i := range e.Changes {
		change := &e.Changes[i]
		text := append(field.AppendString(nil, change.Field.Name), `:[`...)
		text = append(append(text, shortValue(change.From, titles)...), ',')
		text = append(append(text, shortValue(change.To, titles)...), ']')
		if size += len(text); said > 0 && size > shortBytes {
			continue
		}
		if said++; said > 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, text...)
	}
	dst = append(dst, '}')
	if more := len(e.Changes) - said; more > 0 {
		dst = fmt.Appendf(dst, `,"more":%d`, more)
	}
	if e.State != nil {
		dst = append(append(dst, `,"state":`...), e.State...)
	}
	return append(dst, '}')
}

// firstLinks are the linked records that the short form of a value names.
func firstLinks(value jsontext.Value) (linked []string) {
	list := stringsIn(value)
	for _, public := range list[:min(len(list), shortLinks)] {
		if id.KindOf(public) == id.Record {
			linked = append(linked, public)
		}
	}
	return linked
}

// shortValue writes a value in short form: a text is cut, linked records are named, and other long
// values keep only their beginning.
func shortValue(value jsontext.Value, titles map[string]string) []byte {
	list := stringsIn(value)
	switch {
	case len(firstLinks(value)) > 0:
		var names array
		for i, public := range list {
			if i == shortLinks {
				names.add(field.AppendString(nil, "and "+problem.Count(len(list)-i, "other")))
				break
			}
			name := titles[public]
			if name == "" {
				name = id.Short(public)
			}
			names.add(field.AppendString(nil, shortened(name, shortText)))
		}
		return names.encode()
	case len(value) <= shortText:
		return value
	case jsonvalue.Kind(value) == jsonvalue.String:
		return field.AppendString(nil, shortened(PlainText(value), shortText))
	}
	return field.AppendString(nil, shortened(string(value), shortText))
}
