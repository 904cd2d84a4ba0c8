package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// findWords lists what a search finds, as the names and ranks of the records.
func (b *bundle) findWords(t *testing.T, table uuid.UUID, text string, typos bool, limit int) []string {
	t.Helper()
	var found []string
	err := b.engine.FindWords(t.Context(), b.actor, table, text, typos, nil, limit,
		func(i int, r record.Record, rank int) {
			found = append(found[:i], fmt.Sprintf("%v %d", decode(t, r).Fields["Name"], rank))
		})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWordsAreFoundInNamesFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Notes", schema.LongText))
	b.create(t, table, `{"Name":"Acme","Notes":"the oldest"}`, `{"Name":"Ärzte 100%_"}`)
	var newer []string
	for i := range 60 {
		newer = append(newer, fmt.Sprintf(`{"Name":"Call %d","Notes":"about Acme"}`, i))
	}
	b.create(t, table, newer...)
	b.create(t, table, `{"Name":"New acme"}`, `{"Name":"ACME Inc."}`, `{"Name":"Acme of the north, inc"}`,
		`{"Name":"North","Notes":"Acme"}`)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"acme", []string{"Acme 0", "Acme of the north, inc 1", "ACME Inc. 1", "New acme 2", "North 5"}},
		{" Acme inc", []string{"ACME Inc. 1", "Acme of the north, inc 3"}},
		{"north acme", []string{"Acme of the north, inc 3", "North 4"}},
		{"ärzte 100%_", []string{"Ärzte 100%_ 0"}},
		{"%", []string{"Ärzte 100%_ 2"}},
	} {
		if got := b.findWords(t, table, c.text, false, 5); !slices.Equal(got, c.want) {
			t.Errorf("%q found %q and not %q", c.text, got, c.want)
		}
	}
	if got := b.findWords(t, table, "akme", true, 2); !slices.Equal(got, []string{
		"Acme of the north, inc 3",
		"ACME Inc. 3",
	}) {
		t.Errorf("with a typo: %q", got)
	}
	if got := b.findWords(t, table, "acme", false, 60); len(got) != 60 {
		t.Errorf("found %d of 60", len(got))
	}
}

// A word has some patterns for each of its letters, so that a long one has none.
func TestALongWordHasNoTypos(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	u := b.schema(t, table)
	for _, c := range []struct {
		word  string
		bytes int // of the statement
	}{{strings.Repeat("abcd", 6), 4000}, {strings.Repeat("abcd", 250), 4000}} {
		search, err := query.NewWordSearch(u, c.word, true)
		if err != nil {
			t.Fatal(err)
		}
		compiler := query.NewCompiler(time.Now(), db.Topology{})
		statement := search.Statement(compiler, query.NewProjection(u, u.Fields, nil), 5)
		patterns := 0
		for _, value := range compiler.Values() {
			if list, ok := value.([]string); ok {
				patterns = max(patterns, len(list))
			}
		}
		if len(statement) > c.bytes || (patterns > 1) != (len(c.word) <= 24) || patterns > 100 {
			t.Errorf("a word of %d letters has %d patterns, and a statement of %d bytes", len(c.word), patterns,
				len(statement))
		}
	}
}
