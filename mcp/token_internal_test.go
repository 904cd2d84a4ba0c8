package mcp

import (
	"encoding/json"
	"os"
	"testing"
)

// The counts are the larger ones of js-tiktoken's o200k_base and cl100k_base.
func TestTokenEstimateIsUpperBound(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/token/counted.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]struct {
		Text   string
		Tokens int
	}
	if err := json.Unmarshal(file, &texts); err != nil || len(texts) < 10 {
		t.Fatal(err, len(texts))
	}
	for name, text := range texts {
		got := tokens(text.Text)
		if got < text.Tokens || got > len(text.Text) {
			t.Errorf("%s: %d tokens estimated, %d counted, %d bytes", name, got, text.Tokens, len(text.Text))
		}
		if same := tokens([]byte(text.Text)); same != got {
			t.Errorf("%s: %d as bytes, %d as text", name, same, got)
		}
		t.Logf("%s: %d estimated, %d counted, %d bytes", name, got, text.Tokens, len(text.Text))
	}
}
