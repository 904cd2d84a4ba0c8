package operation

import (
	"bytes"
	"reflect"
	"strings"
)

// A singleParam is the only member that the input of an operation has: many reads name what they want and say nothing else. It is read
// without a JSON decoder where it is written as REST writes what needs no escape. Nil is for inputs with more to them.
type singleParam struct {
	before []byte // all that stands before the value, as {"recordId":"
	index  []int  // of the field in the input's struct
}

// singleParamOf returns the only member of a struct, when it is a string of that name.
func singleParamOf(in reflect.Type, name string) *singleParam {
	var only []reflect.StructField
	for _, field := range reflect.VisibleFields(in) {
		if !field.Anonymous {
			only = append(only, field)
		}
	}
	if name == "" || len(only) != 1 || only[0].Tag.Get("json") != name || only[0].Type.Kind() != reflect.String {
		return nil
	}
	return &singleParam{before: []byte(`{"` + name + `":"`), index: only[0].Index}
}

// read returns the value, unless the input is written in another way, which may be as valid.
func (l *singleParam) read(raw []byte) (value string, ok bool) {
	if l == nil || !bytes.HasPrefix(raw, l.before) || !bytes.HasSuffix(raw, []byte(`"}`)) || len(raw) < len(l.before)+2 {
		return "", false
	}
	value = string(raw[len(l.before) : len(raw)-2])
	return value, !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' })
}

// set sets the value in the struct that in points to.
func (l *singleParam) set(in any, value string) {
	reflect.ValueOf(in).Elem().FieldByIndex(l.index).SetString(value)
}
