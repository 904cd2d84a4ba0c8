package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

var (
	taskRows = flag.Int("task.rows", 20_000, "records of the large table of the tasks, a multiple of 5,000")
	taskShow = flag.Bool("task.show", false, "print what each task sends to tools and receives from them")
)

type object = map[string]any

// A task is what a person asks an agent for. It is played twice: by a model that follows the instructions and the
// descriptions, and by one that strays: it knows the names of the tools and of their arguments at best, reads records
// before it asks for what it wants, guesses names, types and keys as other products have them, sends numbers as text,
// forgets confirm, and repairs what it did. It reads answers and errors, and does not repeat what one has explained.
// Both leave the same outcome in the data.
type task struct {
	name            string
	prepare         func(p *transcript) // what is there before, none of which counts
	follows, strays attempt
	check           func(p *transcript) // of what is in the base, or of what the agent has replied
}

// An attempt may take at most so many calls, errors and tokens.
type attempt struct {
	calls, errors, tokens int
	play                  func(p *transcript)
}

// A transcript records what an agent sends to tools and receives from them in one task.
type transcript struct {
	t     *testing.T
	s     *mcptest.Server
	owner *apitest.Client // the person, over REST; what a person does is not counted
	c     *mcptest.Client
	base  string // its id

	calls, errors int
	tools, said   []string
	replies       []any // to the person
}

// send calls a tool. Each %s of the arguments is replaced by a value, encoded as JSON.
func (p *transcript) send(tool, arguments string, values []any) (answer object, result *sdk.CallToolResult) {
	p.t.Helper()
	if len(values) > 0 {
		written := make([]any, len(values))
		for i := range values {
			written[i] = encode(p.t, values[i])
		}
		arguments = fmt.Sprintf(arguments, written...)
	}
	result, err := p.c.CallTool(p.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		p.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	p.calls++
	p.tools = append(p.tools, tool)
	p.said = append(p.said, tool+arguments, text)
	if *taskShow {
		p.t.Logf("%s %.600s\n  → %.900s", tool, arguments, text)
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		p.t.Fatalf("%s %s: %v in %s", tool, arguments, err, text)
	}
	return answer, result
}

// call makes a call that succeeds.
func (p *transcript) call(tool, arguments string, values ...any) object {
	p.t.Helper()
	answer, result := p.send(tool, arguments, values)
	if result.IsError {
		p.t.Fatalf("%s %s: %s", tool, arguments, encode(p.t, answer))
	}
	return answer
}

// mistake makes a call that is refused with the words that lead to the next one.
func (p *transcript) mistake(words, tool, arguments string, values ...any) {
	p.t.Helper()
	answer, result := p.send(tool, arguments, values)
	p.errors++
	if text := fmt.Sprint(answer); !result.IsError || !strings.Contains(text, words) {
		p.t.Errorf("%s %s: the answer does not say %q: %s", tool, arguments, words, text)
	}
}

func (p *transcript) reply(value any) { p.replies = append(p.replies, value) }

// holds checks what a SELECT over the base answers, and sql returns it, as JSON.
func (p *transcript) holds(want, statement string) {
	p.t.Helper()
	if got := p.sql(statement); got != want {
		p.t.Errorf("%s answers %s, not %s", statement, got, want)
	}
}

func (p *transcript) sql(statement string) string {
	p.t.Helper()
	return encode(p.t, p.c.OK("query_sql", object{"baseId": p.base, "sql": statement})["rows"])
}

// create makes the base, and table a table of it, as a person has made them before.
func (p *transcript) create(base string) {
	p.t.Helper()
	p.base = p.owner.ID("POST", "/bases", `{"name":"`+base+`"}`)
}

func (p *transcript) table(name, fields string) (id string) {
	p.t.Helper()
	return p.owner.ID("POST", "/bases/"+p.base+"/tables", `{"name":"`+name+`","fields":[`+fields+`]}`)
}

// link makes a field of links, which only a person can, in the application.
func (p *transcript) link(from, name, to string) {
	p.t.Helper()
	session := *p.owner.Principal
	session.Kind = "session"
	p.s.REST.As(p.t, &session).ID("POST", "/tables/"+from+"/fields",
		`{"name":"`+name+`","type":"link","config":{"linkedTableId":"`+to+`"}}`)
}

// load fills a table with a line for each number below count.
func (p *transcript) load(table, header string, count int, line func(i int) string) {
	p.t.Helper()
	p.c.OK("import_records", object{"tableId": table, "csv": lines(header, 0, count, line)})
}

func lines(header string, from, to int, line func(i int) string) string {
	var text strings.Builder
	text.WriteString(header + "\n")
	for i := from; i < to; i++ {
		text.WriteString(line(i) + "\n")
	}
	return text.String()
}

func encode(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// at returns what stands in an answer at a path, such as records.0.id, or nil.
func at(value any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case object:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// column returns a column of rows.
func column(answer object, i int) (values []any) {
	rows, _ := answer["rows"].([]any)
	for _, row := range rows {
		values = append(values, row.([]any)[i])
	}
	return values
}

func (p *transcript) play(most attempt, task task) {
	p.t.Helper()
	p.owner = p.s.REST.Owner(p.t)
	p.c = p.s.Dial(p.t, p.owner, mcptest.Stateless, "/mcp", nil)
	if task.prepare != nil {
		task.prepare(p)
	}
	most.play(p)
	task.check(p)
	if p.calls > most.calls || p.errors > most.errors {
		p.t.Errorf("%d calls and %d errors; it may take %d and %d", p.calls, p.errors, most.calls, most.errors)
	}
}

// Fifteen tasks that people give to agents, with the calls, errors and tokens that each takes. `make bench` prints
// them, with the figures of the page docs/benchmarks/agents.md. The bounds of all together are of the calls and errors
// that the same kinds of tasks took before descriptions, errors and shapes were changed: 237 and 71.
func TestTasksTakeFewCallsErrorsAndTokens(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	if s.REST.Deps.DB.Distributed() {
		t.Skip("tasks ask and check with SQL, which is off on Citus")
	}
	sqlquery.Warm()
	attachment.WarmText()
	var tasks []task
	for _, group := range [][]task{modelTasks, questionTasks, changeTasks, benchmarkTasks} {
		tasks = append(tasks, group...)
	}
	listed := []string{"search", "fetch"}
	for _, op := range mcptest.Listed() {
		listed = append(listed, op.Name)
	}
	played := make([][2]*transcript, len(tasks))
	t.Run("play", func(t *testing.T) {
		for i, task := range tasks {
			for j, most := range []attempt{task.follows, task.strays} {
				p := &transcript{s: s}
				played[i][j] = p
				t.Run(task.name+[]string{", follows", ", strays"}[j], func(t *testing.T) {
					p.t = t
					p.play(most, task)
					for _, tool := range p.tools {
						if !slices.Contains(listed, tool) {
							t.Errorf("%s is not listed at /mcp, so a model does not know it", tool)
						}
					}
				})
			}
		}
	})
	report(t, tasks, played)
}

// report counts the tokens, prints what each task took, and checks the bounds.
func report(t *testing.T, tasks []task, played [][2]*transcript) {
	t.Helper()
	var said []string
	for _, both := range played {
		said = append(append(said, both[0].said...), both[1].said...)
	}
	counts := interoptest.Tokens(t, said...)
	var sums [2]attempt
	table := "| task | calls | errors | tokens | astray: calls | errors | tokens |\n|---|--:|--:|--:|--:|--:|--:|\n"
	for i, task := range tasks {
		table += "| " + task.name
		for j, most := range []attempt{task.follows, task.strays} {
			p, tokens := played[i][j], 0
			for _, count := range counts[:len(p.said)] {
				tokens += count
			}
			counts = counts[len(p.said):]
			if tokens > most.tokens {
				t.Errorf("%s took %d tokens; it may take %d", task.name, tokens, most.tokens)
			}
			table += fmt.Sprintf(" | %d | %d | %d", p.calls, p.errors, tokens)
			sums[j].calls += p.calls
			sums[j].errors += p.errors
			sums[j].tokens += tokens
		}
		table += " |\n"
	}
	t.Logf("\n%s| all | %d | %d | %d | %d | %d | %d |", table, sums[0].calls, sums[0].errors, sums[0].tokens,
		sums[1].calls, sums[1].errors, sums[1].tokens)
	for i, form := range []string{"who follow", "who stray"} {
		if len(tasks) != 15 || sums[i].calls > 142 || sums[i].errors > 35 {
			t.Errorf("%d tasks take those %s %d calls and %d errors; fifteen may take 142 and 35", len(tasks), form,
				sums[i].calls, sums[i].errors)
		}
	}
}
