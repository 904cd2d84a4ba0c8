package mcp

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/tenancy"
)

// maxResult is the most bytes of a result: ids and numbers make about two and a half bytes a token, so that this stays below
// 25,000 tokens, which is what clients let through.
const maxResult = 60_000

// fit cuts a result that is too large for an agent's context, and says in a note what is missing and how to get it. The longest
// list loses its last elements; of a page of records the agent can have the rest by offset. What was written is not lost by an
// answer that is too long: then the records come back without their fields.
func fit(output, input []byte, readOnly bool) ([]byte, error) {
	if len(output) <= maxResult {
		return output, nil
	}
	result := &arguments{}
	if jsontext.Value(output).Kind() != '{' {
		return nil, tooLarge(len(output))
	}
	if err := eachMember(output, func(name string, value jsontext.Value) {
		result.members = append(result.members, argument{name, value})
	}); err != nil {
		return nil, fmt.Errorf("reading a result to shorten it: %w", err)
	}
	longest := -1
	for i, m := range result.members {
		if m.value.Kind() == '[' && (longest < 0 || len(m.value) > len(result.members[longest].value)) {
			longest = i
		}
	}
	if longest < 0 {
		return nil, tooLarge(len(output))
	}
	name, value := result.members[longest].name, result.members[longest].value
	if name == records && !readOnly {
		result.set(name, withoutFields(value))
		result.note("All records were written. Their fields are left out here, because the answer would be %d KB; read them with query_records or get_record.", len(output)/1000)
		return result.encode(), nil
	}
	room := maxResult - (len(output) - len(value)) - 400 // for the note
	kept, shown, all := firstElements(value, room)
	if shown == 0 {
		return nil, tooLarge(len(output))
	}
	result.set(name, kept)
	result.set("hasMore", jsontext.Value("true"))
	// The cursor points behind what was cut off.
	cursor := result.drop("cursor") || result.drop("nextCursor") || given(input, "cursor")
	switch {
	case result.has("offset") && !given(input, "cursor"):
		offset := result.number("offset")
		result.note("Only %d of the %d records of this page fit into an answer. Continue with offset %d, and name the fields you need in fields.", shown, all, offset+shown)
	case cursor:
		result.note("Only the first %d of %d %s fit into an answer. Ask the same again with limit %d, and go on with the cursor of that answer.", shown, all, name, shown)
	default:
		result.note("Only the first %d of %d %s fit into an answer; ask for less at once, or for one by its id.", shown, all, name)
	}
	return result.encode(), nil
}

// given reports whether an input has a member.
func given(input []byte, name string) bool {
	a := &arguments{}
	err := eachMember(input, func(name string, value jsontext.Value) { a.members = append(a.members, argument{name, value}) })
	return err == nil && a.has(name)
}

func tooLarge(size int) error {
	return (&tenancy.Error{
		Kind: tenancy.KindTooLarge,
		Message: fmt.Sprintf("The answer would be %d KB, and at most %d KB fit. Ask for less: name the fields you need in fields, give a smaller limit, or describe_base with detail names or with tableIds.",
			size/1000, maxResult/1000),
	}).WithCode("result_too_large")
}

// firstElements returns an array of the first elements that fit into room, how many they are, and how many there were.
func firstElements(array jsontext.Value, room int) (kept jsontext.Value, shown, all int) {
	kept = jsontext.Value{'['}
	full := false
	eachElement(array, func(element jsontext.Value) {
		all++
		if full = full || len(kept)+len(element)+2 > room; full {
			return
		}
		if shown > 0 {
			kept = append(kept, ',')
		}
		kept = append(kept, element...)
		shown++
	})
	return append(kept, ']'), shown, all
}

// withoutFields empties the fields of records.
func withoutFields(array jsontext.Value) jsontext.Value {
	out := jsontext.Value{'['}
	eachElement(array, func(element jsontext.Value) {
		record := &arguments{}
		if eachMember(element, func(name string, value jsontext.Value) {
			if name == "fields" {
				value = jsontext.Value("{}")
			}
			record.members = append(record.members, argument{name, value})
		}) != nil {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, record.encode()...)
	})
	return append(out, ']')
}

func eachElement(array jsontext.Value, visit func(jsontext.Value)) {
	dec := jsontext.NewDecoder(bytes.NewReader(array))
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for dec.PeekKind() != ']' {
		element, err := dec.ReadValue()
		if err != nil {
			return // it was encoded here
		}
		visit(element)
	}
}
