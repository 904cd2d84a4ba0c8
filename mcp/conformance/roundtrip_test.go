package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Fixtures for requests that take several round trips: the server answers with questions, and the
// client calls again with the answers and the state that it was given.

func elicit(question, name, kind string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Message: question, RequestedSchema: form(name, kind)}
}

// reply returns the content of an accepted elicitation, or nil.
func reply(responses sdk.InputResponseMap, key string) map[string]any {
	if got, ok := responses[key].(*sdk.ElicitResult); ok && got != nil && got.Action == "accept" {
		return got.Content
	}
	return nil
}

// sampled returns the text of a completion.
func sampled(responses sdk.InputResponseMap, key string) (string, bool) {
	got, ok := responses[key].(*sdk.CreateMessageWithToolsResult)
	if !ok || got == nil {
		return "", false
	}
	for _, c := range got.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			return t.Text, true
		}
	}
	return "", true
}

func sample(question string) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{
		MaxTokens: 50,
		Messages:  []*sdk.SamplingMessage{{Role: "user", Content: text("%s", question)}},
	}
}

func ask(requests sdk.InputRequestMap, state string) *sdk.CallToolResult {
	if state != "" {
		state = sign(state)
	}
	return &sdk.CallToolResult{InputRequests: requests, RequestState: state}
}

func sign(state string) string {
	mac := hmac.New(sha256.New, []byte("fixture"))
	mac.Write([]byte(state))
	return state + "." + hex.EncodeToString(mac.Sum(nil))
}

// signed returns what was signed, or an error for anything else.
func signed(state string) (string, error) {
	i := strings.LastIndexByte(state, '.')
	if i < 0 || sign(state[:i]) != state {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState was not given out here"}
	}
	return state[:i], nil
}

func roundTrips() map[string]handler {
	return map[string]handler{
		"test_input_required_result_elicitation":     askName,
		"test_input_required_result_sampling":        askCompletion,
		"test_input_required_result_list_roots":      askRoots,
		"test_input_required_result_request_state":   askWithState,
		"test_input_required_result_tampered_state":  askWithState,
		"test_input_required_result_multiple_inputs": askEverything,
		"test_input_required_result_multi_round":     askTwice,
		"test_input_required_result_capabilities":    askWhatIsDeclared,
	}
}

func askName(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if name, _ := reply(req.Params.InputResponses, "user_name")["name"].(string); name != "" {
		return result(text("Hello, %s!", name)), nil
	}
	return ask(sdk.InputRequestMap{"user_name": elicit("What is your name?", "name", "string")}, ""), nil
}

func askCompletion(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if got, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
		return result(text("Sampled: %s", got)), nil
	}
	return ask(sdk.InputRequestMap{"capital_question": sample("What is the capital of France?")}, ""), nil
}

func askRoots(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if got, ok := req.Params.InputResponses["client_roots"].(*sdk.ListRootsResult); ok && got != nil {
		return result(text("%d roots", len(got.Roots))), nil
	}
	return ask(sdk.InputRequestMap{"client_roots": &sdk.ListRootsParams{}}, ""), nil
}

func askWithState(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if req.Params.RequestState != "" {
		if _, err := signed(req.Params.RequestState); err != nil {
			return nil, err
		}
		if reply(req.Params.InputResponses, "confirm") != nil {
			return result(text("state-ok")), nil
		}
	}
	return ask(sdk.InputRequestMap{"confirm": elicit("Is it right?", "ok", "boolean")}, "asked"), nil
}

func askEverything(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	name, _ := reply(req.Params.InputResponses, "user_name")["name"].(string)
	greeting, greeted := sampled(req.Params.InputResponses, "greeting")
	roots, rooted := req.Params.InputResponses["client_roots"].(*sdk.ListRootsResult)
	if name != "" && greeted && rooted {
		return result(text("%s %s, %d roots", greeting, name, len(roots.Roots))), nil
	}
	return ask(sdk.InputRequestMap{
		"user_name":    elicit("What is your name?", "name", "string"),
		"greeting":     sample("Greet somebody"),
		"client_roots": &sdk.ListRootsParams{},
	}, "asked"), nil
}

func askTwice(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if req.Params.RequestState == "" {
		return ask(sdk.InputRequestMap{"step1": elicit("What is your name?", "name", "string")}, "1"), nil
	}
	state, err := signed(req.Params.RequestState)
	if err != nil {
		return nil, err
	}
	if state == "1" {
		name, _ := reply(req.Params.InputResponses, "step1")["name"].(string)
		return ask(sdk.InputRequestMap{"step2": elicit("Which colour do you like?", "color", "string")}, "2"+name), nil
	}
	color, _ := reply(req.Params.InputResponses, "step2")["color"].(string)
	return result(text("%s likes %s", state[1:], color)), nil
}

func askWhatIsDeclared(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return result(text("Answered.")), nil
	}
	requests := sdk.InputRequestMap{}
	if c := req.ClientCapabilities(); c != nil {
		if c.Elicitation != nil {
			requests["user_name"] = elicit("What is your name?", "name", "string")
		}
		if c.Sampling != nil {
			requests["greeting"] = sample("Greet somebody")
		}
		if c.RootsV2 != nil {
			requests["client_roots"] = &sdk.ListRootsParams{}
		}
	}
	if len(requests) == 0 {
		return result(text("The client declares nothing to ask with.")), nil
	}
	return ask(requests, ""), nil
}
