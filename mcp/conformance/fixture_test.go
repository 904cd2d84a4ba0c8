package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The suite asks for tools, resources and prompts of fixed names that each show one part of the
// protocol. They exist only in tests, behind the real handler.

var (
	pixel = []byte(
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89",
	)
	silence = []byte("RIFF\x26\x00\x00\x00WAVEfmt " +
		"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00")
)

type handler = func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error)

func text(format string, args ...any) sdk.Content {
	return &sdk.TextContent{Text: fmt.Sprintf(format, args...)}
}

func result(content ...sdk.Content) *sdk.CallToolResult { return &sdk.CallToolResult{Content: content} }

func always(content ...sdk.Content) handler {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return result(content...), nil
	}
}

func resource(uri string) sdk.Content {
	return &sdk.EmbeddedResource{
		Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "A resource inside a result."},
	}
}

// addFixtures is for mcp.Options.Extend.
func addFixtures(server *sdk.Server) {
	picture := &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}
	tools := map[string]handler{
		"test_simple_text":       always(text("This is a simple text response for testing.")),
		"test_image_content":     always(picture),
		"test_audio_content":     always(&sdk.AudioContent{Data: silence, MIMEType: "audio/wav"}),
		"test_embedded_resource": always(resource("test://embedded-resource")),
		"test_multiple_content_types": always(text("Text, a picture and a resource."), picture,
			resource("test://mixed-content-resource")),
		"test_error_handling": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			failed := &sdk.CallToolResult{}
			failed.SetError(errors.New("this tool always fails"))
			return failed, nil
		},
		"test_tool_with_progress":    reportProgress,
		"test_tool_with_logging":     writeLog,
		"test_logging_tool":          writeLog,
		"test_streaming_elicitation": always(text("The stream held this result and nothing else.")),
		"test_missing_capability":    needSampling,
		"test_sampling":              callBackSampling,
		"test_elicitation":           callBackElicit,
		"test_trigger_tool_change":   always(text("The list of tools never changes.")),
		"test_trigger_prompt_change": always(text("The list of prompts never changes.")),
	}
	maps.Copy(tools, roundTrips())
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		server.AddTool(&sdk.Tool{
			Name:        name,
			Description: "Shows one part of the protocol to the conformance suite.",
			InputSchema: json.RawMessage(`{"type":"object"}`),
		}, tools[name])
	}
	server.AddTool(&sdk.Tool{
		Name:        "json_schema_2020_12_tool",
		Description: "Has an input schema that uses much of JSON Schema 2020-12.",
		InputSchema: json.RawMessage(fullSchema),
	}, always(text("ok")))
	server.AddTool(&sdk.Tool{
		Name: "test_x_mcp_header", Description: "Has an argument that clients repeat in a header.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string",` +
			`"x-mcp-header":"Region"},"level":{"type":"integer"}}}`),
	}, always(text("ok")))
	addResources(server)
	addPrompts(server)
}

const fullSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object",
"properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`

func reportProgress(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		if err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: done, Total: 100,
			Message: fmt.Sprintf("%v of 100", done),
		}); err != nil {
			return nil, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return result(text("%v", req.Params.GetProgressToken())), nil
}

func writeLog(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, line := range []string{"begun", "under way", "done"} {
		// It is dropped for clients that did not ask.
		_ = req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: line})
		time.Sleep(20 * time.Millisecond)
	}
	return result(text("Three lines were logged for clients that asked.")), nil
}

func needSampling(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
		return result(text("The client can sample.")), nil
	}
	data, err := json.Marshal(sdk.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &sdk.ClientCapabilities{Sampling: &sdk.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{
		Code:    sdk.CodeMissingRequiredClientCapabilities,
		Message: "this needs the capability sampling",
		Data:    data,
	}
}

// The older revisions let a server call its client back within a session, which a server without
// sessions cannot.

func callBackSampling(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	_, err := req.Session.CreateMessage(ctx, &sdk.CreateMessageParams{
		MaxTokens: 10,
		Messages:  []*sdk.SamplingMessage{{Role: "user", Content: text("Hello")}},
	})
	return nil, err
}

func callBackElicit(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	_, err := req.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Who?", RequestedSchema: form("username", "string")})
	return nil, err
}

func form(name, kind string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{name: {Type: kind}},
		Required:   []string{name},
	}
}

func addResources(server *sdk.Server) {
	read := func(mime, text string, blob []byte) sdk.ResourceHandler {
		return func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
				URI: req.Params.URI, MIMEType: mime, Text: strings.ReplaceAll(text, "{id}", id), Blob: blob,
			}}}, nil
		}
	}
	for _, r := range []struct {
		name, mime, text string
		blob             []byte
	}{
		{"static-text", "text/plain", "A text that never changes.", nil},
		{"static-binary", "image/png", "", pixel},
		{"watched-resource", "text/plain", "A text to watch.", nil},
	} {
		server.AddResource(&sdk.Resource{Name: r.name, URI: "test://" + r.name, MIMEType: r.mime},
			read(r.mime, r.text, r.blob))
	}
	server.AddResourceTemplate(
		&sdk.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		read("application/json", `{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}`, nil),
	)
}

func addPrompts(server *sdk.Server) {
	say := func(contents ...func(arguments map[string]string) sdk.Content) sdk.PromptHandler {
		return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			got := &sdk.GetPromptResult{Description: "A prompt for the suite."}
			for _, content := range contents {
				got.Messages = append(got.Messages, &sdk.PromptMessage{
					Role:    "user",
					Content: content(req.Params.Arguments),
				})
			}
			return got, nil
		}
	}
	fixed := func(c sdk.Content) func(map[string]string) sdk.Content {
		return func(map[string]string) sdk.Content { return c }
	}
	argument := func(name string) *sdk.PromptArgument {
		return &sdk.PromptArgument{Name: name, Description: "An argument of the suite.", Required: true}
	}
	named := func(name string, arguments ...*sdk.PromptArgument) *sdk.Prompt {
		return &sdk.Prompt{Name: name, Description: "A prompt of the suite.", Arguments: arguments}
	}
	server.AddPrompt(named("test_simple_prompt"), say(fixed(text("This is a simple prompt for testing."))))
	server.AddPrompt(named("test_prompt_with_arguments", argument("arg1"), argument("arg2")),
		say(func(a map[string]string) sdk.Content { return text("arg1='%s', arg2='%s'", a["arg1"], a["arg2"]) }))
	server.AddPrompt(named("test_prompt_with_embedded_resource", argument("resourceUri")),
		say(func(a map[string]string) sdk.Content { return resource(a["resourceUri"]) },
			fixed(text("Work with the resource above."))))
	server.AddPrompt(named("test_prompt_with_image"),
		say(fixed(&sdk.ImageContent{Data: pixel, MIMEType: "image/png"}), fixed(text("Look at the picture."))))
	server.AddPrompt(named("test_input_required_result_prompt"),
		func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if got, ok := reply(req.Params.InputResponses, "user_context")["context"].(string); ok {
				return &sdk.GetPromptResult{
					Messages: []*sdk.PromptMessage{{Role: "user", Content: text("Context: %s", got)}},
				}, nil
			}
			return &sdk.GetPromptResult{
				InputRequests: sdk.InputRequestMap{"user_context": elicit("What is the context?", "context", "string")},
			}, nil
		})
}
