package operation

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

var update = flag.Bool("update", false, "write the golden files again")

// The application's catalogue is generated from the golden file, so a change of a kind shows in it.
func TestFieldTypesAreWhatTheGoldenFileSays(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(field.Describe(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	const golden = "testdata/field-types.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the kinds say, %v; write it again with -update, and run npm run generate in web/app",
			golden, err)
	}
}

func TestFieldTypesHoldTogether(t *testing.T) {
	t.Parallel()
	catalogue := field.Describe()
	types := fieldType("").JSONSchema().Enum
	for i, d := range catalogue.FieldTypes {
		if types[i] != string(d.Type) || d.Title == "" || d.Description == "" {
			t.Errorf("%s is number %d of %v, %q: %q", d.Type, i, types, d.Title, d.Description)
		}
		for name, raw := range map[string]json.RawMessage{"values": d.ValueSchema, "config": d.ConfigSchema} {
			if err := resolves(raw); err != nil {
				t.Errorf("the schema of the %s of %s: %v", name, d.Type, err)
			}
		}
		for _, o := range d.Operators {
			if !slices.ContainsFunc(
				catalogue.Operands, func(known field.OperandDescription) bool { return known.Name == o.Operand },
			) {
				t.Errorf("%s %s has the unknown operand %q", d.Type, o.Op, o.Operand)
			}
		}
		for _, to := range d.ConvertsTo {
			if to.Info().ReadOnly || to == d.Type {
				t.Errorf("%s becomes %s", d.Type, to)
			}
		}
	}
	for _, o := range catalogue.Operands {
		if o.Schema == nil != (o.Name == "none") {
			t.Errorf("the operand %s has the schema %s", o.Name, o.Schema)
		} else if o.Schema != nil {
			if err := resolves(o.Schema); err != nil {
				t.Errorf("the schema of the operand %s: %v", o.Name, err)
			}
		}
	}
}

func resolves(raw json.RawMessage) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	_, err := s.Resolve(nil)
	return err
}
