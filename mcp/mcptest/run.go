package mcptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A Caller calls an operation and returns the HTTP status that REST has for the result, and the
// result.
type Caller func(op *operation.Operation, arguments map[string]json.RawMessage) (status int, answer []byte)

// RESTCaller calls operations over REST.
func RESTCaller(t testing.TB, c *apitest.Client) Caller {
	return HTTPCaller(t, func(method, path, body string) (int, string) {
		status, _, raw := c.Do(method, path, body)
		return status, raw
	})
}

// HTTPCaller calls operations over REST, through a function that sends a request below /api/v1. It
// writes problems as tools do, each sentence once.
func HTTPCaller(t testing.TB, send func(method, path, body string) (status int, answer string)) Caller {
	return func(op *operation.Operation, arguments map[string]json.RawMessage) (int, []byte) {
		path, query, rest := op.Path, url.Values{}, maps.Clone(arguments)
		for _, name := range op.PathParameters() {
			var value string
			if err := json.Unmarshal(arguments[name], &value); err != nil {
				t.Fatal(err)
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
			delete(rest, name)
		}
		if op.Method == http.MethodGet {
			for name, value := range rest {
				var text string
				if json.Unmarshal(value, &text) != nil {
					text = string(value)
				}
				query.Set(name, text)
			}
			if len(query) > 0 {
				path += "?" + query.Encode()
			}
			rest = nil
		}
		body := ""
		if len(rest) > 0 {
			encoded, err := json.Marshal(rest)
			if err != nil {
				t.Fatal(err)
			}
			body = string(encoded)
		}
		status, raw := send(op.Method, path, body)
		var whole problem.Document
		if status < http.StatusBadRequest || jsonv2.Unmarshal([]byte(raw), &whole) != nil {
			return status, []byte(raw)
		}
		brief := whole.Brief()
		return status, brief.JSON()
	}
}

// MCPCaller calls operations as tools, through a function that returns a tool's output and whether
// it failed.
func MCPCaller(try func(tool string, arguments any) (answer []byte, failed bool)) Caller {
	return func(op *operation.Operation, arguments map[string]json.RawMessage) (int, []byte) {
		if op.Agent.Confirm.Needed != nil {
			arguments = maps.Clone(arguments)
			arguments["confirm"] = json.RawMessage("true")
		}
		if op.ReadOnly && len(op.Input().Properties) > 0 { // the audit log has more entries than a tool's default limit
			arguments = maps.Clone(arguments)
			arguments["maxTokens"] = json.RawMessage("25000")
		}
		answer, failed := try(op.Name, arguments)
		switch {
		case !failed && op.Accepted:
			return http.StatusAccepted, answer
		case !failed:
			return http.StatusOK, answer
		}
		var refusal struct {
			Status int `json:"status"`
		}
		_ = json.Unmarshal(answer, &refusal) // REST has no status 0
		return refusal.Status, answer
	}
}

// answersWithJobs are operations whose answers depend on how far jobs are.
var answersWithJobs = map[string]bool{
	"export_table": true, "export_base": true, "import_table": true, "import_base": true, "get_job": true,
	"list_jobs": true, "duplicate_base": true, "duplicate_table": true,
}

// RunSteps runs the steps and returns a line for each, in which ids and times are replaced by
// placeholders in order of appearance.
func RunSteps(t testing.TB, call Caller, kept map[string]string) []string {
	t.Helper()
	catalogue := map[string]*operation.Operation{}
	for _, op := range operation.Catalogue() {
		catalogue[op.Name] = op
	}
	seen := map[string]string{}
	var lines []string
	for _, s := range Steps {
		text := regexp.MustCompile(`\$(\w+)`).ReplaceAllStringFunc("{"+s.Arguments+"}",
			func(name string) string { return kept[name[1:]] })
		var arguments map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &arguments); err != nil {
			t.Fatalf("%s: %v in %s", s.Operation, err, text)
		}
		status, answer := call(catalogue[s.Operation], arguments)
		if s.SaveAs != "" {
			from := s.IDPath
			if from == "" {
				from = "id"
			}
			var value any
			if err := json.Unmarshal(answer, &value); err != nil {
				t.Fatal(err)
			}
			for part := range strings.SplitSeq(from, ".") {
				switch v := value.(type) {
				case map[string]any:
					value = v[part]
				case []any:
					var i int
					_, _ = fmt.Sscan(part, &i)
					value = v[i]
				}
			}
			found, ok := value.(string)
			if !ok {
				t.Fatalf("%s %s answered %s", s.Operation, text, answer)
			}
			kept[s.SaveAs] = found
		}
		if status < http.StatusMultipleChoices && answersWithJobs[s.Operation] {
			answer = []byte("jobs, which go on meanwhile")
		}
		lines = append(lines, fmt.Sprintf("%s %s: %d %s", s.Operation, s.Arguments, status, normalize(answer, seen)))
	}
	return lines
}

// NewFixture creates an organization for RunSteps. It returns the owner and the ids that the steps
// need.
func (s *Server) NewFixture(t testing.TB) (*apitest.Client, map[string]string) {
	t.Helper()
	c := s.REST.Owner(t)
	colleague := tenancytest.Person(t, s.REST.Deps.DB)
	if err := tenancytest.Join(t, s.REST.Deps.DB, c.Orgs[0].Org, colleague, organization.Editor); err != nil {
		t.Fatal(err)
	}
	return c, map[string]string{"org": c.Org(), "colleague": id.Format(id.User, colleague)}
}
