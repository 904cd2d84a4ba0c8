//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	recordquery "github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

type pgxTx = pgx.Tx

func escape(text string) string { return url.QueryEscape(text) }

var hostileText = []string{
	"", " ", "\x00", "\xff\xfe", "'", `"`, `\`, "%", "%00", "../../etc/passwd", "null", "NaN", "1e999", "-0",
	"9223372036854775808", "🏠", "\u202e", "'; drop table rowhouse.person; --", "${jndi:ldap://x}",
	"<script>alert(1)</script>", strings.Repeat("a", 300), strings.Repeat("é", 5000), "[]", "{}", `{"and":[]}`,
	"2026-02-30", "today", "0001-01-01T00:00:00Z", "rec_", "tbl_0000000000000000000000000",
	"usr_zzzzzzzzzzzzzzzzzzzzzzzzzz", "guest@example.com", "text", "number", "single_select", "link", "eq", "contains",
	"between", "asc", "desc", "Name", "Number", "grid", "kanban", "owner",
}

// A generator creates inputs that are almost valid.
type generator struct {
	*rand.Rand
	ids map[string]string
}

func (g *generator) text() string {
	switch g.IntN(4) {
	case 0:
		for _, public := range g.ids {
			return public
		}
	case 1:
		b := make([]byte, g.IntN(40))
		for i := range b {
			b[i] = byte(g.IntN(256))
		}
		return string(b)
	}
	return hostileText[g.IntN(len(hostileText))]
}

// value creates a value that usually matches a schema.
func (g *generator) value(s *jsonschema.Schema, depth int) any {
	if s == nil || g.IntN(12) == 0 || depth > 6 {
		return g.anything(depth)
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if len(types) == 0 {
		return g.anything(depth)
	}
	if len(s.Enum) > 0 && g.IntN(4) > 0 {
		return s.Enum[g.IntN(len(s.Enum))]
	}
	switch types[g.IntN(len(types))] {
	case "object":
		out := map[string]any{}
		for name, property := range s.Properties {
			if slices.Contains(s.Required, name) && g.IntN(20) > 0 || g.IntN(3) == 0 {
				if own, ok := g.ids[name]; ok && g.IntN(5) > 0 {
					out[name] = own
				} else {
					out[name] = g.value(property, depth+1)
				}
			}
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil || g.IntN(30) == 0 {
			out[g.text()] = g.anything(depth + 1)
		}
		return out
	case "array":
		out := make([]any, g.IntN(4))
		for i := range out {
			out[i] = g.value(s.Items, depth+1)
		}
		return out
	case "string":
		return g.text()
	case "integer":
		return []any{0, 1, -1, 2, 50, 100, 101, 1 << 40, 1.5}[g.IntN(9)]
	case "number":
		return []any{0, 1.5, -3, 1e300, -1e-300, 1 << 53}[g.IntN(6)]
	case "boolean":
		return g.IntN(2) == 0
	}
	return nil
}

func (g *generator) anything(depth int) any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return g.Float64() * 1e6
	case 3:
		if depth < 8 {
			return []any{g.anything(depth + 1), g.anything(depth + 1)}
		}
	case 4:
		if depth < 8 {
			return map[string]any{
				g.text():  g.anything(depth + 1),
				"fieldId": g.text(),
				"op":      g.text(),
				"value":   g.text(),
			}
		}
	case 5:
		return json.RawMessage([]string{"1e400", "-0", "123456789012345678901234567890", "0.1", "1E5"}[g.IntN(5)])
	}
	return g.text()
}

func (g *generator) field() string {
	return []string{
		"Name", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "nope", g.text(),
	}[g.IntN(14)]
}

func (g *generator) filter(depth int) any {
	if depth < 7 && g.IntN(4) == 0 {
		return map[string]any{[]string{"and", "or"}[g.IntN(2)]: []any{g.filter(depth + 1), g.filter(depth + 1)}}
	}
	ops := []string{
		"eq", "neq", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "is_empty", "is_not_empty",
		"gt", "gte", "lt", "lte", "between", "has_any", "has_all", "has_none", "is_exactly", "is_within", g.text(),
	}
	leaf := map[string]any{"fieldId": g.field(), "op": ops[g.IntN(len(ops))]}
	switch g.IntN(5) {
	case 0:
		leaf["value"] = g.text()
	case 1:
		leaf["value"] = []any{g.text(), g.IntN(5)}
	case 2:
		leaf["value"] = map[string]any{
			"unit":   []string{"day", "week", "month", "x"}[g.IntN(4)],
			"offset": g.IntN(1000) - 500,
		}
	case 3:
		leaf["value"] = g.anything(4)
	}
	return leaf
}

// tableOfEveryType creates a table with a field of every type that a client can create.
func (e *environment) tableOfEveryType(t *testing.T) *schema.Table {
	t.Helper()
	org, err := organization.Create(t.Context(), e.db, e.person(), "Fuzz")
	if err != nil {
		t.Fatal(err)
	}
	store := catalog.NewStore(e.db, catalog.Options{})
	base, err := store.CreateBase(t.Context(), org.ID, uuid.Nil, "Fuzz")
	if err != nil {
		t.Fatal(err)
	}
	var fields []catalog.FieldSpec
	for _, kind := range field.All() {
		info := kind.Info()
		if !info.ApplicationOnly {
			fields = append(fields, catalog.FieldSpec{Name: fmt.Sprintf("F%d", len(fields)), Type: info.Type})
		}
	}
	fields[0].Name = "Name"
	made, err := store.CreateTable(t.Context(), org.ID, base.ID, "Fuzz", fields)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := store.Fresh(t.Context(), org.ID)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Table(made.ID)
}

// corrupt damages JSON text, so that it often is invalid.
func (g *generator) corrupt(text []byte) []byte {
	for range g.IntN(3) {
		if len(text) > 0 {
			text = slices.Clone(text)
			switch at := g.IntN(len(text)); g.IntN(3) {
			case 0:
				text[at] = byte(g.IntN(256))
			case 1:
				text = text[:at]
			case 2:
				text = slices.Insert(text, at, []byte(hostileText[g.IntN(len(hostileText))])...)
			}
		}
	}
	return text
}

// testParsers runs, in this process, everything that parses input from outside: validators and
// binders of all operations, identifiers, configurations, scopes, keys and names.
func (e *environment) testParsers(t *testing.T) {
	deps := &operation.Deps{}
	nobody := &authz.Principal{Scopes: authz.AllScopes()}
	catalogue := operation.Catalogue()
	// Operations without a path parameter would reach the database, which deps lacks.
	catalogue = slices.DeleteFunc(slices.Clone(catalogue), func(op *operation.Operation) bool {
		return len(op.PathParameters()) == 0
	})
	table := e.tableOfEveryType(t)
	var done, internal atomic.Int64
	var all sync.WaitGroup
	workers := 2
	for worker := range workers {
		all.Go(func() {
			g := &generator{
				rand.New(rand.NewPCG(uint64(worker), 7)), map[string]string{"tableId": id.Format(id.Table, id.New())},
			}
			for range *inputs / workers {
				done.Add(1)
				text := g.text()
				switch g.IntN(10) {
				case 0:
					_, _ = id.Parse(id.Table, text)
					_, _, _ = id.ParseRecord(text)
				case 1:
					raw, _ := json.Marshal(g.anything(0))
					_, _ = field.ParseConfig("config", field.All()[g.IntN(len(field.All()))], g.corrupt(raw))
				case 2:
					_, _ = authz.ParseScopes("scopes", strings.Split(text, " "))
					_ = apikey.WellFormed(text)
				case 3:
					_, _ = naming.Clean("name", text)
					_, _ = naming.CleanEmail("email", text)
					_ = problem.DidYouMean(text, hostileText)
				case 4:
					raw, _ := json.Marshal([]any{g.filter(0), g.filter(0)})
					_, _ = recordquery.ParseFilter(table, "filters", g.corrupt(raw))
				case 5:
					raw, _ := json.Marshal([]any{map[string]any{"fieldId": g.field(), "dir": g.text()}})
					_, _ = recordquery.ParseSort(table, "sorts", g.corrupt(raw))
				default:
					op := catalogue[g.IntN(len(catalogue))]
					raw, err := json.Marshal(g.value(op.Input(), 0))
					if err != nil {
						continue
					}
					_, err = op.Invoke(context.Background(), deps, nobody, g.corrupt(raw))
					if kind := problem.KindOf(err); err == nil || kind == problem.KindInternal {
						internal.Add(1)
						t.Errorf("%s of %q: %v", op.Name, raw, err)
					}
				}
			}
		})
	}
	all.Wait()
	report(t, "Fuzz: parsers", "%d inputs: 0 panics, %d internal errors", done.Load(), internal.Load())
}
