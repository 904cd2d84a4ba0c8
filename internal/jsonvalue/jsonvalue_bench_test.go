package jsonvalue_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// The values of a record that need a scanner: four strings, and a list of options. Docs:
// docs/decisions/0025-one-parse-of-a-record.md.
var benchValues = [][]byte{
	[]byte(`"Ada Almeida"`), []byte(`"ada.almeida17@example.com"`), []byte(`"active"`), []byte(`"2025-03-14"`),
	[]byte(`["account address agreement","answer \"balance\"","board"]`),
}

func BenchmarkScanner(b *testing.B) {
	for _, records := range []int{1, 100} {
		b.Run(fmt.Sprintf("own/%d", records), func(b *testing.B) {
			for b.Loop() {
				for range records {
					for _, raw := range benchValues {
						if jsonvalue.Kind(raw) == jsonvalue.String {
							_, _ = jsonvalue.Unquote(raw)
							continue
						}
						jsonvalue.Elements(raw, func(_ int, value []byte) bool {
							_, err := jsonvalue.Unquote(value)
							return err == nil
						})
					}
				}
			}
		})
		b.Run(fmt.Sprintf("jsontext/%d", records), func(b *testing.B) {
			for b.Loop() {
				for range records {
					for _, raw := range benchValues {
						dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
						for {
							token, err := dec.ReadToken()
							if err != nil {
								break
							}
							if token.Kind() == '"' {
								_ = token.String()
							}
						}
					}
				}
			}
		})
		b.Run(fmt.Sprintf("jsontext-strings/%d", records), func(b *testing.B) {
			for b.Loop() {
				for range records {
					for _, raw := range benchValues {
						if jsonvalue.Kind(raw) == jsonvalue.String {
							text, _ := jsontext.AppendUnquote(nil, raw)
							_ = string(text)
							continue
						}
						dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
						_, _ = dec.ReadToken()
						for dec.PeekKind() != ']' {
							value, _ := dec.ReadValue()
							text, _ := jsontext.AppendUnquote(nil, value)
							_ = string(text)
						}
					}
				}
			}
		})
	}
}
