package mcp

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
)

// fits reports whether a result has at most limit tokens.
func fits(output []byte, limit int) bool {
	return len(output) <= limit || tokens(output) <= limit // a token is at least one byte
}

// longestList returns the index of the longest list of a result, or -1.
func (a *arguments) longestList() int {
	longest := -1
	for i, m := range a.members {
		if m.value.Kind() == '[' && (longest < 0 || len(m.value) > len(a.members[longest].value)) {
			longest = i
		}
	}
	return longest
}

// truncate shortens a result that is too large for an agent's context, and adds a note that says
// what is missing. It removes the last elements of the longest list. The result of a write is never
// refused, because the write is done by then (truncateWritten).
func truncate(output []byte, limit int, readOnly bool) ([]byte, error) {
	if fits(output, limit) {
		return output, nil
	}
	if !readOnly {
		return truncateWritten(output, limit), nil
	}
	result, longest, err := parseResult(output, limit)
	if err != nil {
		return nil, err
	}
	name, value := result.members[longest].name, result.members[longest].value
	elements, kept, total := takeElements(value, limit-(tokens(output)-tokens(value))-noteReserve)
	if kept == 0 {
		return nil, resultTooLargeError(tokens(output), limit)
	}
	result.set(name, elements)
	if result.has("hasMore") {
		result.set("hasMore", jsontext.Value("true"))
	}
	if result.has("truncated") { // the result of a SQL query
		result.set("truncated", jsontext.Value("true"))
	}
	result.addNote("Only the first %d of %d %s fit into %d tokens; request fewer, or a single one by its id, "+
		"or give maxTokens up to %d.", kept, total, name, limit, maxTokens)
	return result.encode(), nil
}

// truncateWritten shortens the result of a write. Records lose their fields. If it is still too
// large, the largest lists, texts and objects are shortened or left out; ids, numbers and tokens
// stay.
func truncateWritten(output []byte, limit int) []byte {
	result, err := parseArguments(output)
	if err != nil {
		return output // it was encoded here
	}
	var notes []string
	if result.has(records) {
		result.set(records, withoutFields(result.value(records)))
		notes = append(notes, fmt.Sprintf("All records were written. Their fields are omitted because the result "+
			"would have %d tokens; read them with %s or %s.", tokens(output), operation.ListRecords.Name,
			operation.GetRecord.Name))
	}
	var names []string
	fitted := func() bool { return fits(result.encode(), limit-noteReserve) }
	for !fitted() {
		name, value := "", jsontext.Value(nil)
		for _, m := range result.members {
			if len(m.value) > max(len(value), minCut) && m.name != noteName && !slices.Contains(names, m.name) {
				name, value = m.name, m.value
			}
		}
		if name == "" {
			break // nothing large is left
		}
		names = append(names, name)
		left := max(0, limit-noteReserve-(tokens(result.encode())-tokens(value)))
		switch value.Kind() {
		case '[':
			value, _, _ = takeElements(value, left)
		case '"':
			value = cutString(value, left)
		default:
			value = jsontext.Value("{}")
		}
		result.set(name, value)
	}
	if len(names) > 0 {
		notes = append(notes, fmt.Sprintf("The call was successful. Its result would have %d tokens, so that %s is "+
			"cut short; %s, %s or another reading tool has the whole.", tokens(output), strings.Join(names, " and "),
			operation.GetRecord.Name, operation.ListComments.Name))
	}
	return withNote(result.encode(), strings.Join(notes, " "))
}

// minCut is the size of a member that is never shortened, in bytes.
const minCut = 200

// cutString returns the beginning of a string whose JSON has at most left tokens.
func cutString(value jsontext.Value, left int) jsontext.Value {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return jsontext.Value(`""`)
	}
	runes := []rune(text)
	for len(runes) > 0 && tokens(quote(string(runes)+"…")) > left {
		runes = runes[:len(runes)*3/4]
	}
	return quote(string(runes) + "…")
}

// parseResult parses a result that is too large, and finds its longest list.
func parseResult(output []byte, limit int) (result *arguments, longest int, err error) {
	if jsontext.Value(output).Kind() != '{' {
		return nil, 0, resultTooLargeError(tokens(output), limit)
	}
	if result, err = parseArguments(output); err != nil {
		return nil, 0, fmt.Errorf("parsing a result to truncate it: %w", err)
	}
	if longest = result.longestList(); longest < 0 {
		return nil, 0, resultTooLargeError(tokens(output), limit)
	}
	return result, longest, nil
}

// countFitting returns how many elements of the list of a page fit into a number of tokens; at
// least one.
func countFitting(page []byte, limit int) (int, error) {
	if result, err := parseArguments(page); err == nil {
		if text, ok := result.stringValue(csvName); ok {
			kept, total := countRows(text, limit-(tokens(page)-tokens(result.value(csvName)))-noteReserve)
			if kept == 0 || total == 1 {
				return 0, resultTooLargeError(tokens(page), limit)
			}
			return min(kept, total-1), nil
		}
	}
	result, longest, err := parseResult(page, limit)
	if err != nil {
		return 0, err
	}
	value := result.members[longest].value
	_, kept, total := takeElements(value, limit-(tokens(page)-tokens(value))-noteReserve)
	if kept == 0 || total == 1 {
		return 0, resultTooLargeError(tokens(page), limit)
	}
	return min(kept, total-1), nil
}

// withLimit sets the limit of a page.
func withLimit(input []byte, limit int) ([]byte, error) {
	a, err := parseArguments(input)
	if err != nil {
		return nil, fmt.Errorf("parsing an input: %w", err)
	}
	a.remove("limit")
	a.members = append(a.members, argument{"limit", strconv.AppendInt(nil, int64(limit), 10)})
	return a.encode(), nil
}

// withPageNote adds to a page that it contains less than was requested, and how to continue.
func withPageNote(page, asked []byte, limit int) []byte {
	if note := csvNote(nil, page); note != "" {
		return withNote(page, note)
	}
	result, longest, err := parseResult(page, limit)
	if err != nil {
		return page
	}
	count := func(value jsontext.Value) (n int) {
		eachElement(value, func(jsontext.Value) { n++ })
		return n
	}
	name := result.members[longest].name
	full := 0
	if whole, err := parseArguments(asked); err == nil {
		full = count(whole.value(name))
	}
	of := fmt.Sprintf("%d %s of the page", full, name)
	if total := result.intValue("total"); total > 0 {
		of = fmt.Sprintf("%d %s", total, name)
	}
	fewer := ""
	switch name {
	case "rows":
		fewer = "name fewer fields, or "
	case records:
		fewer = "name fewer fields, or give format rows, or "
	}
	return withNote(page, fmt.Sprintf("This is %d of %s, because the result may have %d tokens. Continue "+
		"with the cursor; %sgive maxTokens up to %d, to get more at once.",
		count(result.members[longest].value), of, limit, fewer,
		maxTokens))
}

// noteReserve is the space reserved for the notes of a result, in tokens.
const noteReserve = 200

func resultTooLargeError(size, limit int) error {
	return (&problem.Error{
		Kind: problem.KindTooLarge,
		Message: fmt.Sprintf("The result would have %d tokens; the limit is %d. Request less: name the fields "+
			"you need in "+
			"fields, use a smaller limit, or call %s with detail names or with tableIds. maxTokens may be up to %d.",
			size, limit, operation.DescribeBase.Name, maxTokens),
	}).WithCode(problem.CodeResultTooLarge)
}

// takeElements returns an array of the first elements that fit into a number of tokens, their number, and the
// number of all elements.
func takeElements(array jsontext.Value, left int) (kept jsontext.Value, shown, total int) {
	kept = jsontext.Value{'['}
	full := false
	eachElement(array, func(element jsontext.Value) {
		total++
		if !full {
			left -= tokens(element) + 1
		}
		if full = full || left < 0; full {
			return
		}
		if shown > 0 {
			kept = append(kept, ',')
		}
		kept = append(kept, element...)
		shown++
	})
	return append(kept, ']'), shown, total
}

// withoutFields removes the fields from records.
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

// dataNote is in the instructions, in _meta of every result that contains what people wrote, and in
// results that quote them in prose, because whoever can write a record must not be able to instruct
// the agent.
const dataNote = operation.DataNote

// withNote adds a sentence to the note of a result that is an object.
func withNote(output []byte, sentence string) []byte {
	result := &arguments{}
	if jsontext.Value(output).Kind() != '{' || len(output) < 2 || output[len(output)-1] != '}' {
		return output
	}
	// The fast path, for results without a note.
	if !bytes.Contains(output, []byte(`"`+noteName+`":`)) && len(output) > 2 {
		quoted := quote(sentence)
		return slices.Concat(output[:len(output)-1], []byte(`,"`+noteName+`":`), quoted, []byte{'}'})
	}
	if eachMember(output, func(name string, value jsontext.Value) {
		result.members = append(result.members, argument{name, value})
	}) != nil {
		return output
	}
	if previous, ok := result.stringValue(noteName); ok {
		result.set(noteName, quote(previous+" "+sentence))
		return result.encode()
	}
	result.addNote("%s", sentence)
	return result.encode()
}
