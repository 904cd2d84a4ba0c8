package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Of the list of tools, the names, the descriptions and the input schemas are part of every conversation of an agent.
func TestToolListsFitTheirBudgets(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for path, limit := range map[string]struct{ tools, tokens int }{
		"/mcp":      {tools: 40, tokens: 6_500},
		"/mcp/core": {tools: 16, tokens: 2_200},
	} {
		_, body := s.Post(t, owner, path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
		var message struct{ Result json.RawMessage }
		if err := json.Unmarshal([]byte(body[strings.Index(body, "{"):]), &message); err != nil {
			t.Fatal(err)
		}
		var result struct {
			Tools []struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				InputSchema json.RawMessage `json:"inputSchema"`
			}
		}
		if err := json.Unmarshal(message.Result, &result); err != nil {
			t.Fatal(err)
		}
		shown := make([]string, len(result.Tools))
		for i := range result.Tools {
			text, err := json.Marshal(result.Tools[i])
			if err != nil {
				t.Fatal(err)
			}
			shown[i] = string(text)
		}
		tokens := 0
		for i, count := range interoptest.Tokens(t, shown...) {
			tokens += count
			t.Logf("%s: %d tokens", result.Tools[i].Name, count)
		}
		t.Logf("%s: %d tools, %d tokens, %d bytes with output schemas", path, len(shown), tokens, len(message.Result))
		if len(shown) > limit.tools || tokens > limit.tokens || tokens < 1000 {
			t.Errorf("%s: the list has %d tools and %d tokens; it may have %d and %d", path, len(shown), tokens,
				limit.tools, limit.tokens)
		}
	}
}

// A text is drawn from one of several alphabets, of which some take more than a token a letter.
func drawText(random *rand.Rand, length int) string {
	alphabets := []string{
		"0123456789abcdefghjkmnpqrstvwxyz", "abcdefghijklmnopqrstuvwxyz     ", "ABCDEFGHJKLMNPQRSTUVWXYZ",
		"0123456789.,-",
		"的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生", "쫓뷁꿻햏궤", "あいうえおかきくけこアイウエオ漢字",
		"😀🏠🧑‍🚀🇳🇱👨‍👩‍👧‍👦🫠", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "абвгдежзийклмнопрстуфхцчшщъыьэюя",
		"אבגדהוזחטיכלמנסעפצקרשת", "กขฃคฅฆงจฉชซฌญฎฏ", "\"\\/\n\t<>&{}[]:;'`~!@#$%^*()_+|=-", "ÀÈÌÒÙñøåßŁǅ",
		"𐍈𓀀𝔘𠜎", "αβγδεζηθικλμνξοπρστυφχψω",
	}
	letters := []rune(alphabets[random.IntN(len(alphabets))])
	var text strings.Builder
	for range length {
		text.WriteRune(letters[random.IntN(len(letters))])
	}
	return text.String()
}

// No answer has more tokens than its call allows, whatever people have written.
func TestAnswersStayWithinTheirBudgets(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Words"}`)
	random := rand.New(rand.NewPCG(26, 1))
	type answer struct {
		name   string
		budget int
		text   string
	}
	var answers []answer
	for round := range 6 {
		table := owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Table %d","fields":[`+
			`{"name":"Name","type":"text"},{"name":"Notes","type":"long_text"},{"name":"Amount","type":"number"}`+
			`]}`, round))
		var list []map[string]any
		for range 100 {
			list = append(list, map[string]any{"fields": map[string]any{
				"Name": drawText(random, 1+random.IntN(30)), "Notes": drawText(random, random.IntN(300)),
				"Amount": random.NormFloat64() * 1e6,
			}})
		}
		encoded, err := json.Marshal(map[string]any{"records": list})
		if err != nil {
			t.Fatal(err)
		}
		owner.OK("POST", "/tables/"+table+"/records", string(encoded))
		c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
		for _, budget := range []int{0, 700 + random.IntN(3000), 25_000} {
			for tool, arguments := range map[string]map[string]any{
				"query_records":     {"tableId": table, "format": []string{"rows", "records"}[round%2]},
				"search_records":    {"tableId": table, "q": "a"},
				"aggregate_records": {"tableId": table, "groupBy": []string{"Name"}, "limit": 1000},
				"list_changes":      {"baseId": base, "cursor": "earliest"},
				"describe_base":     {"baseId": base},
				"search":            {"query": "a"},
			} {
				if budget > 0 {
					arguments["maxTokens"] = budget
				}
				result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
				if err != nil {
					t.Fatal(err)
				}
				text := result.Content[0].(*sdk.TextContent).Text
				if result.IsError && !strings.Contains(text, "result_too_large") {
					t.Fatalf("%s with %v: %s", tool, arguments, text)
				}
				answers = append(answers, answer{tool, max(budget, 10_000*(1-min(budget, 1))), text})
			}
		}
	}
	texts := make([]string, len(answers))
	for i := range answers {
		texts[i] = answers[i].text
	}
	largest := 0.0
	for i, tokens := range interoptest.Tokens(t, texts...) {
		largest = max(largest, float64(tokens)/float64(answers[i].budget))
		if tokens > answers[i].budget {
			t.Errorf("%s answered %d tokens of %d, in %d bytes", answers[i].name, tokens, answers[i].budget,
				len(texts[i]))
		}
	}
	t.Logf("%d answers; the largest took %.0f %% of its budget", len(answers), 100*largest)
}

// What changed is listed in some forty tokens an entry, with the name of the key or app that changed it.
func TestEntriesOfChangesFitTheirBudgets(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Sales"}`)
	var tables []string
	for i, name := range []string{
		"Companies", "Contacts", "Deals", "Invoices", "Products", "Tasks", "Meetings", "Contracts", "Suppliers",
	} {
		tables = append(tables, owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":%q,"fields":[`+
			`{"name":"Name","type":"text"},{"name":"Stage","type":"single_select",`+
			`"config":{"options":["Open","Won"]}},`+
			`{"name":"Amount","type":"currency"},{"name":"Due","type":"date"},{"name":"Notes","type":"long_text"},`+
			`{"name":"Done","type":"checkbox"},{"name":"Owner","type":"user"},`+
			`{"name":"Web %d","type":"url"}]}`, name, i)))
	}
	created := owner.OK("POST", "/tables/"+tables[2]+"/records", `{"fields":{"Name":"Harbour crane","Stage":"Open",`+
		`"Amount":1200,"Due":"2026-05-01","Notes":"They asked for a discount until the end of the quarter."}}`)
	record := created["records"].([]any)[0].(map[string]any)["id"].(string)
	for i := range 10 {
		owner.OK("PATCH", "/records/"+record, fmt.Sprintf(`{"fields":{"Stage":%q,"Amount":%d}}`,
			[]string{"Won", "Open"}[i%2], 1300+i))
	}
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	var texts, names []string
	for _, call := range []struct{ tool, list, arguments string }{
		{"list_change_sets", "changeSets", `{"baseId":"Sales"}`},
		{"get_record_history", "entries", fmt.Sprintf(`{"recordId":%q}`, record)},
	} {
		answer, failed := c.CallText(call.tool, json.RawMessage(call.arguments))
		if failed {
			t.Fatalf("%s: %s", call.tool, answer)
		}
		var page map[string]json.RawMessage
		var entries []json.RawMessage
		if err := json.Unmarshal(answer, &page); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(page[call.list], &entries); err != nil || len(entries) < 10 {
			t.Fatalf("%s: %d entries, %v", call.tool, len(entries), err)
		}
		for _, entry := range entries {
			if !strings.Contains(string(entry), `"credential":"`) {
				t.Errorf("%s: the entry names no credential: %s", call.tool, entry)
			}
			texts, names = append(texts, string(entry)), append(names, call.tool)
		}
	}
	largest := map[string]int{}
	for i, tokens := range interoptest.Tokens(t, texts...) {
		if largest[names[i]] = max(largest[names[i]], tokens); tokens > 60 {
			t.Errorf("%s: an entry of %d tokens: %s", names[i], tokens, texts[i])
		}
	}
	answer, _ := c.CallText("describe_base", map[string]any{"baseId": "Sales", "detail": "names"})
	described := interoptest.Tokens(t, string(answer))[0]
	if t.Logf("entries %v, nine tables %d tokens", largest, described); described > 812 {
		t.Errorf("the names of nine tables are %d tokens: %s", described, answer)
	}
}
