package field

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// Meaning is the meaning of a value of the computed type. An error has none.
func (k *ComputedLike) Meaning(f *Field, raw []byte) (any, error) {
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Object:
		var failure struct{ Error, Message string }
		if err := json.Unmarshal(raw, &failure); err != nil {
			return nil, fmt.Errorf("reading an error: %w", err)
		}
		return nil, fmt.Errorf("is the error %s: %s", failure.Error, strings.TrimSuffix(failure.Message, "."))
	case jsonvalue.Array:
		return k.listMeaning(raw)
	case jsonvalue.Number:
		if f.Config.Format == "duration" {
			x, err := ParseNumber(string(raw))
			return Seconds(x), err
		}
	}
	if k.result == nil {
		return nil, nil //nolint:nilnil // no meaning is no error
	}
	return k.result.Meaning(f, raw)
}

// listMeaning is the non-empty entries of a list, as texts.
func (*ComputedLike) listMeaning(raw []byte) (any, error) {
	names := OptionNames{}
	var failed error
	jsonvalue.Elements(raw, func(_ int, entry []byte) bool {
		switch jsonvalue.Kind(entry) {
		case jsonvalue.Null:
		case jsonvalue.String:
			var text string
			text, failed = jsonvalue.Unquote(entry)
			names = append(names, text)
		default:
			names = append(names, string(entry))
		}
		return failed == nil
	})
	return names, failed
}

// only is the value of a list of one, and the field as which it is read; nil for everything else.
func (k *ComputedLike) only(f *Field, raw []byte) (as *Field, value []byte) {
	if k.list == nil || jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, nil
	}
	n := 0
	jsonvalue.Elements(raw, func(_ int, entry []byte) bool {
		if jsonvalue.Kind(entry) != jsonvalue.Null {
			value, n = entry, n+1
		}
		return n < 2
	})
	if n != 1 {
		return nil, nil
	}
	one := *f
	one.Config.ResultType = strings.TrimPrefix(f.Config.ResultType, listPrefix)
	one.Kind = Of(f.Type(), &one.Config)
	return &one, value
}
