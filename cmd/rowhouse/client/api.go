package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type apiCommand struct {
	connection `embed:""`

	Method string            `arg:"" help:"GET, POST, PATCH, PUT or DELETE."`
	Path   string            `arg:"" help:"Path below /api/v1, such as /me. {Base} and {Base/Table} stand for the ids of what they name."`
	Query  map[string]string `short:"q" placeholder:"NAME=VALUE" help:"A parameter of the query; a list is JSON." mapsep:"none"`
	Data   string            `short:"d" placeholder:"JSON" help:"The body. @file reads a file, - the standard input."`
	Header []string          `short:"H" placeholder:"NAME: VALUE" sep:"none" help:"A header, such as If-Match."`
}

func (apiCommand) Help() string {
	return `Examples:

  rowhouse api GET /me
  rowhouse api GET '/tables/{Harbour/Ships}/records' -q limit=1
  rowhouse api POST '/bases/{Harbour}/tables' -d '{"name": "Quays"}'

/docs of the service documents every operation.`
}

func (c *apiCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	request := rowhouse.Request{Method: strings.ToUpper(c.Method), Query: url.Values{}, Header: http.Header{}}
	if request.Path, err = withIDs(ctx, client, c.Path); err != nil {
		return err
	}
	for name, value := range c.Query {
		request.Query.Set(name, value)
	}
	for _, header := range c.Header {
		name, value, found := strings.Cut(header, ":")
		if !found {
			return fail(StatusUsage, "%q is not a header; headers are written NAME: VALUE", header)
		}
		request.Header.Set(name, strings.TrimSpace(value))
	}
	request.IdempotencyKey = request.Header.Get("Idempotency-Key")
	request.Once = request.Header.Get("If-Match") != ""
	if c.Data != "" {
		if request.Body, err = c.body(to); err != nil {
			return err
		}
	}
	response, err := client.Open(ctx, request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if !isTerminal(to.Out) || !strings.Contains(response.Header.Get("Content-Type"), "json") {
		_, err = io.Copy(to.Out, response.Body)
		if err == nil && strings.Contains(response.Header.Get("Content-Type"), "json") {
			fmt.Fprintln(to.Out)
		}
		return err
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("reading the response: %w", err)
	}
	var indented bytes.Buffer
	if json.Indent(&indented, content, "", "  ") != nil {
		indented = *bytes.NewBuffer(content)
	}
	fmt.Fprintln(to.Out, indented.String())
	return nil
}

func (c *apiCommand) body(to Streams) (json.RawMessage, error) {
	content := []byte(c.Data)
	name, isFile := strings.CutPrefix(c.Data, "@")
	if isFile || c.Data == "-" {
		if !isFile {
			name = "-"
		}
		file, err := openInput(to, name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if content, err = io.ReadAll(file); err != nil {
			return nil, fmt.Errorf("reading the body: %w", err)
		}
	}
	if !json.Valid(content) {
		return nil, fail(StatusUsage, "the body is not valid JSON")
	}
	return content, nil
}

var nameInPath = regexp.MustCompile(`\{[^{}]+\}`)

// withIDs replaces names in braces in a path by ids: of a table in /tables/, and of a base elsewhere.
func withIDs(ctx context.Context, client *rowhouse.Client, path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	path = strings.TrimPrefix(path, "/api/v1")
	var failure error
	out := nameInPath.ReplaceAllStringFunc(path, func(braces string) string {
		name := strings.Trim(braces, "{}")
		if strings.HasPrefix(path, "/tables/") {
			table, err := findTable(ctx, client, name)
			if err != nil {
				failure = err
				return ""
			}
			return table.ID
		}
		base, err := findBase(ctx, client, name)
		if err != nil {
			failure = err
		}
		return base
	})
	return out, failure
}
