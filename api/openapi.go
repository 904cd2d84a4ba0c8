package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// object is a JSON object. OpenAPI objects have too many optional members for structs to be
// practical.
type object = map[string]any

// A description is an OpenAPI document under construction.
type description struct {
	limits attachment.Limits
	parts  operation.Components // that schemas refer to
}

// Describe returns the OpenAPI 3.1 document of operations and the file endpoints. Its schemas are the ones that
// validate inputs, with their named parts as components.
func Describe(operations []*operation.Operation, baseURL string, limits attachment.Limits) ([]byte, error) {
	d := &description{limits: limits, parts: operation.Components{}}
	paths := object{}
	for _, op := range operations {
		path, _ := paths[Prefix+op.Path].(object)
		if path == nil {
			path = object{}
			paths[Prefix+op.Path] = path
		}
		path[strings.ToLower(op.Method)] = d.operation(op)
	}
	for _, t := range endpoints {
		path, _ := paths[Prefix+t.path].(object)
		if path == nil {
			path = object{}
			paths[Prefix+t.path] = path
		}
		path[strings.ToLower(t.method)] = t.describe(d)
	}
	responses := d.responses()
	document := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Rowhouse", "version": Version,
			"description": "Organizations, workspaces, bases, tables, fields, views and records. " +
				"The same operations are tools of the MCP server at /mcp.",
		},
		"servers": []object{{"url": baseURL}},
		"paths":   paths,
		"components": object{
			"securitySchemes": object{
				"apiKey": object{"type": "apiKey", "in": "header", "name": "x-api-key"},
				"bearer": object{
					"type":        "http",
					"scheme":      "bearer",
					"description": "An API key, or an OAuth access token for this resource.",
				},
			},
			"schemas":   d.parts,
			"responses": responses,
		},
		"security": []object{{"apiKey": []string{}}, {"bearer": []string{}}},
	}
	encoded, err := json.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("encoding the OpenAPI document: %w", err)
	}
	return encoded, nil
}

func mustDescribe(operations []*operation.Operation, baseURL string, limits attachment.Limits) []byte {
	document, err := Describe(operations, baseURL, limits)
	if err != nil {
		panic(err) // it depends only on the catalogue
	}
	return document
}

func (d *description) responses() object {
	problemSchema := d.parts.Refer(operation.Problem())
	out := object{}
	for _, status := range problem.Statuses() {
		out[problemName(status)] = object{
			"description": http.StatusText(status),
			"content": object{
				"application/problem+json": object{"schema": problemSchema},
			},
		}
	}
	return out
}

func problemName(status int) string { return fmt.Sprintf("Problem%d", status) }

func (d *description) operation(op *operation.Operation) object {
	b := bind(op)
	var parameters []object
	for _, name := range b.path {
		parameters = append(parameters, object{
			"name":     name,
			"in":       "path",
			"required": true,
			"schema":   object{"type": "string"},
		})
	}
	inBody := map[string]*jsonschema.Schema{}
	if op.Method == http.MethodPost && !op.ReadOnly {
		parameters = append(parameters, idempotencyParameter)
	}
	if !op.ReadOnly {
		parameters = append(parameters, changeSetParameter)
	}
	for _, name := range slices.Sorted(maps.Keys(op.Input().Properties)) {
		property, named := op.Input().Properties[name], d.parts.Refer(op.NamedInput().Properties[name])
		switch {
		case slices.Contains(b.path, name):
		case b.query[name] != nil && b.body:
			// DELETE accepts them in the query or the body.
			parameters = append(parameters, queryParameter(name, property, named, false))
			inBody[name] = named
		case b.query[name] != nil:
			required := slices.Contains(op.Input().Required, name)
			parameters = append(parameters, queryParameter(name, property, named, required))
		default:
			inBody[name] = named
		}
	}
	status := strconv.Itoa(http.StatusOK)
	if op.Accepted {
		status = strconv.Itoa(http.StatusAccepted)
	}
	responses := object{status: object{
		"description": "Success.",
		"content":     object{"application/json": object{"schema": d.parts.Refer(op.NamedOutput())}},
	}}
	for _, status := range problemStatuses(op, b) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	out := object{
		"operationId": op.Name, "summary": op.Summary, "description": op.Description, "tags": []string{op.Tag()},
		"responses": responses,
	}
	if op.Scope != authz.None {
		out["x-required-scope"] = op.Scope
	}
	if role := op.RequiredRole(); role != "" {
		out["x-required-role"] = role
	}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	if len(inBody) > 0 {
		body := *op.Input()
		body.Properties = inBody
		body.Required = slices.DeleteFunc(slices.Clone(op.Input().Required),
			func(name string) bool { return inBody[name] == nil })
		body.PropertyOrder = slices.DeleteFunc(slices.Clone(op.Input().PropertyOrder),
			func(name string) bool { return inBody[name] == nil })
		out["requestBody"] = object{
			"required": len(body.Required) > 0 && len(b.query) == 0,
			"content":  object{"application/json": object{"schema": &body}},
		}
	}
	return out
}

var idempotencyParameter = object{
	"name": "Idempotency-Key", "in": "header",
	"description": "A key of your choice for this request, such as a UUID. If you send the request again with the " +
		"same key within 24 hours, it is not executed again and you get the same response.",
	"schema": object{"type": "string", "minLength": 1, "maxLength": maxIdempotencyKey},
}

var changeSetParameter = object{
	"name": "Change-Set", "in": "header",
	"description": "A name of your choice, or the id of a change set that you began. The requests of one credential " +
		"with the same name within an hour are one change set, of up to 100,000 records. The response header " +
		"Change-Set has its id.",
	"schema": object{"type": "string", "minLength": 1, "maxLength": 100},
}

// queryParameter describes a query parameter. A list of strings is a repeated parameter; other
// arrays and objects are JSON text.
func queryParameter(name string, s, named *jsonschema.Schema, required bool) object {
	parameter := object{"name": name, "in": "query"}
	if required {
		parameter["required"] = true
	}
	if s.Description != "" {
		parameter["description"] = s.Description
	}
	switch {
	case slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type), isStringList(s):
		parameter["schema"] = named
	default:
		parameter["content"] = object{"application/json": object{"schema": named}}
	}
	return parameter
}

// problemStatuses returns the error statuses that an operation may respond with.
func problemStatuses(op *operation.Operation, b *binding) []int {
	list := []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusServiceUnavailable,
	}
	if op.Scope != authz.None {
		list = append(list, http.StatusForbidden)
	}
	if len(b.path) > 0 {
		list = append(list, http.StatusNotFound)
	}
	if op.Method == http.MethodPost && !op.ReadOnly {
		list = append(list, http.StatusUnprocessableEntity)
	}
	if op.Expires {
		list = append(list, http.StatusGone)
	}
	if !op.ReadOnly {
		list = append(list, http.StatusConflict)
	}
	if op.Method != http.MethodGet {
		list = append(list, http.StatusPreconditionFailed, http.StatusRequestEntityTooLarge)
	}
	return list
}
