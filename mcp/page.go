package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients that can show pages (MCP Apps, revision 2026-01-26) show one next to the results of some
// tools: a table or a chart of records, or a plan with its changes and a button that applies it.
// The page runs in the client's sandbox, gets the tool's result from the client, and calls tools
// through it, as the same caller. It comes from web/app/src/agent.

const (
	answerPageURI  = "ui://rowhouse/answer"
	answerPageType = "text/html;profile=mcp-app"
)

// linkAnswerPage names the page in the tools whose results it shows.
func (s *server) linkAnswerPage() {
	for _, t := range s.tools {
		if t.operation == nil || !t.operation.Agent.AnswerPage {
			continue
		}
		t.listed.Meta = sdk.Meta{"ui": map[string]any{"resourceUri": answerPageURI}}
		t.encoded = encodeTool(t.listed)
	}
}

// addAnswerPage serves the page. It needs nothing from any host, and so names none.
func (s *server) addAnswerPage() {
	page := &sdk.Resource{
		URI: answerPageURI, Name: "answer", Title: "Answer", MIMEType: answerPageType,
		Description: "Shows records as a table or chart, and plans with what they would change.",
		Size:        int64(len(s.AnswerPage)),
	}
	s.sdk.AddResource(page, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		result := &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
			URI: answerPageURI, MIMEType: answerPageType, Text: s.AnswerPage,
			Meta: sdk.Meta{"ui": map[string]any{"prefersBorder": true}},
		}}}
		result.TTLMs = 3_600_000
		return result, nil
	})
}
