package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTypesAreUpToDate(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := write(document)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../rowhouse/schema.py")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("clients/python/rowhouse/schema.py is out of date: make client")
	}
}

// A schema that has no type here is an error, and not a wider type. So is a second type of the same name.
func TestUnknownSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for _, one := range []string{
		`{"type":["string","integer"]}`, `{"type":"number","anyOf":[{"type":"number"}]}`, `{"type":"date"}`,
		`{"properties":{"two":{"type":"object","properties":{"a":{}}}}},"OneTwo":{"properties":{"b":{}}}`,
	} {
		if source, err := write([]byte(`{"components":{"schemas":{"One":` + one + `}}}`)); err == nil {
			t.Errorf("%s is written as %s", one, source)
		}
	}
}
