package interoptest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// Tokens counts the tokens of texts as the tokenizer o200k_base has them.
func Tokens(t testing.TB, texts ...string) []int {
	t.Helper()
	var in, out bytes.Buffer
	encoder := json.NewEncoder(&in) // each on a line of its own
	for _, text := range texts {
		if err := encoder.Encode(text); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), Node(t), "token.mjs")
	command.Dir, command.Stdin, command.Stdout, command.Stderr = Dir(t), &in, &out, os.Stderr
	if err := command.Run(); err != nil {
		t.Fatalf("counting tokens: %v", err)
	}
	counts := make([]int, len(texts))
	decoder := json.NewDecoder(&out)
	for i := range counts {
		if err := decoder.Decode(&counts[i]); err != nil {
			t.Fatalf("reading the count of text %d: %v", i, err)
		}
	}
	return counts
}
