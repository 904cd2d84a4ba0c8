package operation

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemas are those of an operation.
type schemas struct {
	input, output           *jsonschema.Schema
	namedInput, namedOutput *jsonschema.Schema
	single                  *singleParam                // set when the target is the only input member
	values                  map[*jsonschema.Schema]bool // the parts of input that are Values
}

// Input is the schema of the flat object that path, query and body form, or of a tool's arguments.
func (o *Operation) Input() *jsonschema.Schema { return o.schemas().input }

// Output is the schema of the result.
func (o *Operation) Output() *jsonschema.Schema { return o.schemas().output }

// NamedInput is Input with names of its parts, for Components.
func (o *Operation) NamedInput() *jsonschema.Schema { return o.schemas().namedInput }

// NamedOutput is Output with names of its parts, for Components.
func (o *Operation) NamedOutput() *jsonschema.Schema { return o.schemas().namedOutput }

// schemasOf derives the schemas of an operation from its input and output.
func schemasOf[In, Out any](def Def, target string) *schemas {
	namedInput, namedOutput := inputSchema[In](def.Name), outputSchema[Out](def.Name)
	input, output := plain(namedInput), plain(namedOutput)
	if !def.ReadOnly && output.Type == "object" {
		if output.Properties == nil {
			output.Properties = map[string]*jsonschema.Schema{}
		}
		written := writtenSchema()
		output.Properties[changeSetMember] = written.Properties[changeSetMember]
		namedOutput = &jsonschema.Schema{AllOf: []*jsonschema.Schema{namedOutput, written}}
	}
	return &schemas{
		input: input, output: output, namedInput: namedInput, namedOutput: namedOutput,
		single: singleParamOf(reflect.TypeFor[In](), target), values: valuesIn(input, reflect.TypeFor[In]()),
	}
}
