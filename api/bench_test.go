package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/telemetry"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// fixedOutput is the constant output of the operation under test.
type fixedOutput struct{}

var cannedRecord = `{"id":"rec_0000000000000000000000000000","fields":{"Name":"` + strings.Repeat("x", 400) + `"}}`

func (fixedOutput) AppendJSON(dst []byte) []byte { return append(dst, cannedRecord...) }

// staticVerifier accepts every request as one principal.
type staticVerifier struct{ *authz.Principal }

func (k staticVerifier) Verify(context.Context, string) (*authz.Principal, error) {
	return k.Principal, nil
}

// discardResponse discards a response.
type discardResponse struct{ header http.Header }

func (n discardResponse) Header() http.Header             { return n.header }
func (discardResponse) Write(b []byte) (int, error)       { return len(b), nil }
func (discardResponse) WriteString(s string) (int, error) { return len(s), nil }
func (discardResponse) WriteHeader(int)                   {}
func (discardResponse) Flush()                            {}

// BenchmarkSingleRecord measures what the service adds around an operation on one record: from the
// HTTP handler to the operation's handler, which returns at once, and back. The limits are the
// limits of bench/record.
func BenchmarkSingleRecord(b *testing.B) {
	s := apitest.New(b)
	owner := s.Owner(b)
	table := owner.ID("POST", "/bases/"+owner.ID("POST", "/bases", `{"name":"Base"}`)+"/tables", `{"name":"T"}`)
	made := owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"First"}}`)["records"].([]any)
	record := made[0].(map[string]any)["id"].(string)

	get, update, create := operation.GetRecord.Def, operation.UpdateRecord.Def, operation.CreateRecords.Def
	operations := []*operation.Operation{
		operation.New(get, func(context.Context, *operation.Call, operation.RecordIn) (fixedOutput, error) {
			return fixedOutput{}, nil
		}),
		operation.New(update, func(context.Context, *operation.Call, struct {
			operation.RecordIn
			Fields   operation.Values `json:"fields"`
			Typecast bool             `json:"typecast,omitzero"`
		},
		) (fixedOutput, error) {
			return fixedOutput{}, nil
		}),
		operation.New(create, func(context.Context, *operation.Call, struct {
			operation.TableIn
			Fields   operation.Values `json:"fields,omitzero"`
			UpsertOn []string         `json:"upsertOn,omitzero"`
		},
		) (fixedOutput, error) {
			return fixedOutput{}, nil
		}),
	}
	limiter := limit.New(nil, limit.Options{})
	b.Cleanup(limiter.Close)
	guard := limit.NewGuard(limit.Policy{}, limiter,
		limit.NewBulkhead(limit.BulkheadOptions{Max: 12, Slow: 1, Share: 1}),
		func(r *http.Request) string { return r.RemoteAddr })
	log := telemetry.NewLog(io.Discard, slog.LevelInfo)
	b.Cleanup(log.Close)
	metrics := telemetry.NewMetrics("bench")
	s.Deps.Log, s.Deps.Observer, s.Deps.Admission = log.Logger, metrics, guard
	gate := &authz.Gate{Verifiers: []authz.Verifier{
		staticVerifier{apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)},
	}}
	rest := api.New(api.Options{
		Deps: s.Deps, Operations: operations, Authenticate: gate.Authenticate, Limit: guard,
	})
	tracer, err := telemetry.NewTracer(b.Context(), telemetry.Tracing{})
	if err != nil {
		b.Fatal(err)
	}
	handler := telemetry.Requests(rest, metrics, tracer, log.Logger, []string{"api"}, nil)

	for _, c := range []struct{ name, method, path, body string }{
		{"get", http.MethodGet, "/records/" + record, ""},
		{"update", http.MethodPatch, "/records/" + record, `{"fields":{"Name":"Second"}}`},
		{"create", http.MethodPost, "/tables/" + table + "/records", `{"fields":{"Name":"Second"}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			request := func() *http.Request {
				r := httptest.NewRequest(c.method, api.Prefix+c.path, strings.NewReader(c.body))
				r.Header.Set("Authorization", "Bearer rhk_something")
				if c.body == "" {
					r.Body = http.NoBody
				} else {
					r.Header.Set("Content-Type", "application/json")
				}
				return r
			}
			answer := httptest.NewRecorder()
			if handler.ServeHTTP(answer, request()); answer.Code != http.StatusOK ||
				answer.Body.String() != cannedRecord {
				b.Fatalf("%d %s", answer.Code, answer.Body)
			}
			r, w := request(), discardResponse{http.Header{}}
			ctx := r.Context()
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				r.Body = http.NoBody
				if c.body != "" {
					r.Body = io.NopCloser(strings.NewReader(c.body))
				}
				handler.ServeHTTP(w, r.WithContext(ctx)) // the form in which a server passes on a request
			}
		})
	}
}
