package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A contract is the OpenAPI document that a service serves. It judges answers, and knows which
// operations were answered.
type contract struct {
	document *openapi3.T
	router   routers.Router
	host     string

	mu       sync.Mutex
	answered map[string]map[int]int // by operation id and status
}

// readContract reads the document from the service, and fails the test when it is not a valid one.
func readContract(t *testing.T, baseURL string) *contract {
	t.Helper()
	response, err := http.Get(baseURL + "/api/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the OpenAPI document: %d %v", response.StatusCode, err)
	}
	document, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatalf("loading the OpenAPI document: %v", err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1") {
		t.Errorf("the document is of OpenAPI %s", document.OpenAPI)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Errorf("the OpenAPI document is not valid: %v", err)
	}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	return &contract{
		document: document,
		router:   router,
		host:     response.Request.URL.Host,
		answered: map[string]map[int]int{},
	}
}

// judge holds an exchange against the document: the answer always; the request when the service
// took it, since a request that was taken must be one that the document describes.
func (c *contract) judge(request *http.Request, sent []byte, response *http.Response, got []byte) error {
	asked := request.Clone(context.Background())
	asked.URL.Host, asked.Host = c.host, c.host // of the document, which may be another process's
	asked.Body = io.NopCloser(bytes.NewReader(sent))
	route, parameters, err := c.router.FindRoute(asked)
	if err != nil {
		if response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusMethodNotAllowed {
			return nil // a path that is none, or does not have the method
		}
		return fmt.Errorf("the document has no such operation: %w", err)
	}
	c.mu.Lock()
	of := c.answered[route.Operation.OperationID]
	if of == nil {
		of = map[int]int{}
		c.answered[route.Operation.OperationID] = of
	}
	of[response.StatusCode]++
	c.mu.Unlock()

	options := &openapi3filter.Options{
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: true,
		MultiError:            true,
	}
	input := &openapi3filter.RequestValidationInput{
		Request:    asked,
		PathParams: parameters,
		Route:      route,
		Options:    options,
	}
	if response.StatusCode == http.StatusOK {
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			return fmt.Errorf("a request that was taken is not one that the document describes: %w", err)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Options: options,
	}
	answer.SetBodyBytes(got)
	if err := openapi3filter.ValidateResponse(context.Background(), answer); err != nil {
		return fmt.Errorf("the answer is not one that the document describes: %w", err)
	}
	return nil
}

// operations lists the ids of all operations of the document.
func (c *contract) operations() []string {
	var ids []string
	for _, item := range c.document.Paths.Map() {
		for _, operation := range item.Operations() {
			ids = append(ids, operation.OperationID)
		}
	}
	slices.Sort(ids)
	return ids
}

// unanswered lists the operations that were never answered with one of the statuses.
func (c *contract) unanswered(statuses ...int) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(c.operations(), func(id string) bool {
		return slices.ContainsFunc(statuses, func(status int) bool { return c.answered[id][status] > 0 })
	})
}
