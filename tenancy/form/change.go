package form

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Change checks an answer as Answer does, with typecast, and writes what is different in it from the fields of the
// record that was made of it. What was asked for before and is not after these answers is emptied; fields that only the
// URL gives, and those that were not asked for, stay. It has the errors of Answer, but a form that is full takes
// changes: it is closed when its time is over.
func (f *Form) Change(
	ctx context.Context, records *record.Engine, actor record.Actor, of string, former, answer jsonvalue.ParsedObject,
) error {
	if err := f.CheckOpen(time.Now(), 0); err != nil {
		return err
	}
	before, now := f.valuesOf(former), f.valuesOf(answer)
	for _, q := range f.Questions {
		if value, is := before[q.Field]; q.URLOnly {
			delete(now, q.Field)
			if is {
				now[q.Field] = value
			}
		}
	}
	whole := objectOf(f, now)
	if items := f.check(whole, true); len(items) > 0 {
		return problem.InvalidItems(items)
	}
	askedBefore, askedNow := f.askedAfter(before), f.askedAfter(now)
	var members []jsonvalue.Member
	size := 2
	for _, q := range f.Questions {
		value := now[q.Field]
		if q.URLOnly || !askedNow[q.Field] && !askedBefore[q.Field] || q.same(before[q.Field], value) {
			continue
		}
		if value == nil {
			value = []byte("null")
		}
		members = append(members, jsonvalue.Member{Name: q.Field.Name, Value: value})
		size += len(q.Field.Name) + len(value)
	}
	if len(members) == 0 {
		return nil
	}
	change := record.Change{ID: of, Fields: jsonvalue.NewParsedObject(members, size)}
	if _, err := records.UpdateIf(ctx, actor, change, true); err != nil {
		return fmt.Errorf("changing an answer: %w", err)
	}
	return nil
}

// valuesOf returns the values of an object for the fields that the form asks for, but for null.
func (f *Form) valuesOf(of jsonvalue.ParsedObject) map[*schema.Field][]byte {
	values := map[*schema.Field][]byte{}
	for _, q := range f.Questions {
		for _, one := range of.Members() {
			if one.Name == q.Field.Name && jsonvalue.Kind(one.Value) != jsonvalue.Null {
				values[q.Field] = one.Value
			}
		}
	}
	return values
}

func objectOf(f *Form, values map[*schema.Field][]byte) jsonvalue.ParsedObject {
	var members []jsonvalue.Member
	size := 2
	for _, q := range f.Questions {
		if value := values[q.Field]; value != nil {
			members = append(members, jsonvalue.Member{Name: q.Field.Name, Value: value})
			size += len(q.Field.Name) + len(value)
		}
	}
	return jsonvalue.NewParsedObject(members, size)
}

// askedAfter returns the fields that are asked for when these are the answers.
func (f *Form) askedAfter(values map[*schema.Field][]byte) map[*schema.Field]bool {
	all := map[*schema.Field]bool{}
	answers := map[*schema.Field][]string{}
	asked := f.asker(answers)
	for i := range f.Questions {
		q := &f.Questions[i]
		if !asked(q) {
			continue
		}
		all[q.Field] = true
		if value := q.decode(values[q.Field]); value != q.Field.Info().Unset {
			answers[q.Field] = texts(value)
		}
	}
	return all
}

// decode returns the value of an answer, or what the field has without one.
func (q *Question) decode(raw []byte) field.Value {
	if raw == nil {
		return q.Field.Info().Unset
	}
	value, err := (&field.Input{Field: &q.Field.Field, Typecast: true}).Decode(raw)
	if err != nil {
		return q.Field.Info().Unset
	}
	return value
}

// same reports whether two answers are the same. A page has moments without seconds, and files without names.
func (q *Question) same(a, b []byte) bool {
	left, right := q.decode(a), q.decode(b)
	if before, is := left.(time.Time); is {
		after, is := right.(time.Time)
		return is && (before.Equal(after) || before.Truncate(time.Minute).Equal(after))
	}
	if before, are := left.(field.Files); are {
		after, are := right.(field.Files)
		return are && reflect.DeepEqual(before.IDs(), after.IDs())
	}
	return reflect.DeepEqual(left, right)
}
