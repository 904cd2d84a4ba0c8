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

// The list of tools is part of every conversation of an agent.
func TestToolListsFitTheirBudgets(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for path, limit := range map[string]struct{ bytes, tokens int }{
		"/mcp":               {bytes: 40_000, tokens: 9_000},
		"/mcp?toolsets=core": {bytes: 16_000, tokens: 3_500},
	} {
		_, body := s.Post(t, owner, path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
		var message struct{ Result json.RawMessage }
		if err := json.Unmarshal([]byte(body[strings.Index(body, "{"):]), &message); err != nil {
			t.Fatal(err)
		}
		var result struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(message.Result, &result); err != nil || len(result.Tools) < 10 {
			t.Fatalf("%s lists %d tools: %v", path, len(result.Tools), err)
		}
		tokens := interoptest.Tokens(t, string(message.Result))[0]
		t.Logf("%s: %d tools, %d bytes, %d tokens", path, len(result.Tools), len(message.Result), tokens)
		if len(message.Result) > limit.bytes || tokens > limit.tokens || tokens < 1000 {
			t.Errorf("%s: the list is %d bytes and %d tokens; it may be %d and %d", path, len(message.Result), tokens,
				limit.bytes, limit.tokens)
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
