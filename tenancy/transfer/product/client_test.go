package product

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/outbound"
)

type answered string

func (a answered) Get(context.Context, string, map[string]string) (*outbound.Answer, error) {
	return &outbound.Answer{Status: 200, Body: io.NopCloser(strings.NewReader(string(a)))}, nil
}

// A page of few bytes can be large in memory.
func TestAPageOfManyValuesIsNotRead(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"objects": "[" + strings.Repeat("{},", maxParts) + "{}]",
		"members": "[{" + strings.Repeat(`"a":1,`, maxParts) + `"a":1}]`,
		"arrays":  strings.Repeat("[", maxParts+1),
	} {
		client := NewClient("Test", Options{API: answered(page)}, 0, nil)
		var into any
		var refusal *Error
		err := client.Get(t.Context(), "base", "https://test", nil, nil, &into)
		if !errors.As(err, &refusal) || refusal.Type != "TOO_LARGE" || into != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := `[{"a":"` + strings.Repeat(`{,[\",`, maxParts) + `"}]`
	client := NewClient("Test", Options{API: answered(text)}, 0, nil)
	var into any
	if err := client.Get(t.Context(), "base", "https://test", nil, nil, &into); err != nil || into == nil {
		t.Errorf("a long text: %v", err)
	}
}
