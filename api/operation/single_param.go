package operation

import (
	"bytes"
	"reflect"
	"strings"
)

// A singleParam describes an input of which only one member is required, a string. Many reads are
// given just an id, so it is read without a JSON decoder if it is written the way REST writes it,
// without escapes. Nil means that other members are required.
type singleParam struct {
	prefix []byte // everything before the value, such as {"recordId":"
	index  []int  // of the field in the input struct
}

// singleParamOf returns the description of a struct whose only required member is a string with that
// name, or nil.
func singleParamOf(in reflect.Type, name string) *singleParam {
	var only []reflect.StructField
	for _, field := range reflect.VisibleFields(in) {
		if !field.Anonymous && !strings.HasSuffix(field.Tag.Get("json"), ",omitzero") {
			only = append(only, field)
		}
	}
	if name == "" || len(only) != 1 || only[0].Tag.Get("json") != name || only[0].Type.Kind() != reflect.String {
		return nil
	}
	return &singleParam{prefix: []byte(`{"` + name + `":"`), index: only[0].Index}
}

// read returns the value, and false if the input is written in any other form, which may still be
// valid.
func (p *singleParam) read(raw []byte) (value string, ok bool) {
	if p == nil || !bytes.HasPrefix(raw, p.prefix) || !bytes.HasSuffix(raw, []byte(`"}`)) ||
		len(raw) < len(p.prefix)+2 {
		return "", false
	}
	value = string(raw[len(p.prefix) : len(raw)-2])
	return value, !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' })
}

// set sets the value in the struct that in points to.
func (p *singleParam) set(in any, value string) {
	reflect.ValueOf(in).Elem().FieldByIndex(p.index).SetString(value)
}
