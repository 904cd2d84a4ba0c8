package record_test

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxModelFields keeps records small.
const maxModelFields = 8

func (w *world) addField(rt *rapid.T) {
	m := w.someTable(rt)
	if len(m.fields) >= maxModelFields {
		rt.Skip("many fields")
	}
	if rapid.IntRange(0, 2).Draw(rt, "link") == 0 {
		w.addLink(rt, m)
		return
	}
	f, spec := w.drawField(rt, m)
	if _, err := w.store.CreateField(w.t.Context(), w.actor.Org, m.id, spec); err != nil {
		rt.Fatalf("adding a field %+v: %v", spec, err)
	}
	m.fields = append(m.fields, f)
	w.learnFields(rt, m)
	if f.kind != schema.AutoNumber {
		return
	}
	for _, r := range m.rows { // the numbers that the records were given
		raw, err := w.engine.Get(w.t.Context(), w.actor, r.id)
		if err != nil {
			rt.Fatal(err)
		}
		r.values[f] = decode(w.t, raw).Fields[f.name]
		if _, ok := r.values[f].(float64); !ok {
			rt.Fatalf("no number in %s", raw)
		}
	}
}

func (w *world) addLink(rt *rapid.T, m *modelTable) {
	to := w.someTable(rt)
	if len(to.fields) >= maxModelFields || to == m {
		rt.Skip("many fields, or a table that is linked with itself")
	}
	f := &modelField{table: m, name: w.freeName(m), kind: schema.LinkType}
	made, err := w.store.CreateField(w.t.Context(), w.actor.Org, m.id, catalog.FieldSpec{
		Name:   f.name,
		Type:   schema.LinkType,
		Config: marshal(map[string]any{"linkedTableId": id.Format(id.Table, to.id)}),
	})
	if err != nil {
		rt.Fatalf("adding a link: %v", err)
	}
	inverse := &modelField{table: to, kind: schema.LinkType, own: 1}
	for _, known := range w.schema(w.t, to.id).Fields {
		if known.ID == made.Link.Inverse {
			inverse.name = known.Name
		}
	}
	f.pairs = &pairs{sides: [2]*modelField{f, inverse}, linked: map[[2]*modelRow]bool{}}
	inverse.pairs = f.pairs
	m.fields, to.fields = append(m.fields, f), append(to.fields, inverse)
	w.learnFields(rt, m)
	w.learnFields(rt, to)
}

func (w *world) deleteField(rt *rapid.T) {
	m := w.someTable(rt)
	if len(m.fields) < 4 {
		rt.Skip("few fields")
	}
	f := rapid.SampledFrom(m.fields[1:]).Draw(rt, "field")
	if err := w.store.DeleteField(w.t.Context(), w.actor.Org, f.id); err != nil {
		rt.Fatalf("deleting %s: %v", f.kind, err)
	}
	drop := func(f *modelField) {
		f.table.fields = slices.DeleteFunc(f.table.fields, func(o *modelField) bool { return o == f })
		for _, r := range f.table.rows {
			delete(r.values, f)
		}
	}
	drop(f)
	if f.pairs != nil {
		drop(f.other())
	}
}

func (w *world) renameField(rt *rapid.T) {
	m := w.someTable(rt)
	f := rapid.SampledFrom(m.fields).Draw(rt, "field")
	name := w.freeName(m)
	if err := w.store.UpdateField(w.t.Context(), w.actor.Org, f.id, catalog.FieldPatch{Name: &name}); err != nil {
		rt.Fatalf("renaming: %v", err)
	}
	f.name = name
}

// changeOptions renames an option of a select field, takes one away with what records hold of it,
// adds one, or moves one to the end.
func (w *world) changeOptions(rt *rapid.T) {
	m := w.someTable(rt)
	f := m.where(rt, "select", func(f *modelField) bool { return len(f.options) > 0 })
	at := rapid.IntRange(0, len(f.options)-1).Draw(rt, "option")
	was, now := f.options[at], ""
	for _, name := range optionNames {
		if !slices.Contains(f.options, name) {
			now = name
		}
	}
	var written []any
	for _, name := range f.options {
		written = append(written, name)
	}
	discard := false
	next := slices.Clone(f.options)
	switch rapid.SampledFrom([]string{"rename", "remove", "add", "move"}).Draw(rt, "change") {
	case "rename":
		if now == "" {
			rt.Skip("no other name")
		}
		written[at] = map[string]any{"name": now, "previousName": was}
		next[at] = now
	case "remove":
		if len(f.options) < 2 {
			rt.Skip("the last option")
		}
		written, next = slices.Delete(written, at, at+1), slices.Delete(next, at, at+1)
		discard, now = rapid.Bool().Draw(rt, "discard"), ""
	case "move":
		written = append(slices.Delete(written, at, at+1), was)
		next, was = append(slices.Delete(next, at, at+1), was), ""
	default:
		if now == "" {
			rt.Skip("no other name")
		}
		written, next, was = append(written, now), append(next, now), ""
	}
	used := was != "" && now == "" && slices.ContainsFunc(m.rows, func(r *modelRow) bool {
		list, _ := r.values[f].([]string)
		return r.values[f] == was || slices.Contains(list, was)
	})
	err := w.store.UpdateField(w.t.Context(), w.actor.Org, f.id, catalog.FieldPatch{
		Config:  marshal(map[string]any{"options": written}),
		Discard: discard,
	})
	if used && !discard {
		if problem.KindOf(err) != problem.KindConflict {
			rt.Fatalf("an option that records hold is taken away: %v", err)
		}
		return
	}
	if err != nil {
		rt.Fatalf("changing options to %v: %v", written, err)
	}
	f.options = next
	for _, r := range m.rows {
		switch value := r.values[f].(type) {
		case string:
			if value == was {
				r.values[f] = emptyToNil(now)
			}
		case []string:
			list := slices.Clone(value)
			if i := slices.Index(list, was); i >= 0 && now != "" {
				list[i] = now
			} else if i >= 0 {
				list = slices.Delete(list, i, i+1)
			}
			if r.values[f] = list; len(list) == 0 {
				r.values[f] = nil
			}
		}
	}
}

func emptyToNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// changeType gives a field another type.
func (w *world) changeType(rt *rapid.T) {
	m := w.someTable(rt)
	targets := []schema.Type{
		schema.Text, schema.LongText, schema.Number, schema.Checkbox, schema.Date, schema.DateTime, schema.SingleSelect,
		schema.MultiSelect,
	}
	f := m.where(rt, "retyped", func(f *modelField) bool {
		return f.pairs == nil && f.shape() != shapeUser && f.kind != schema.AutoNumber && f != m.fields[0]
	})
	to := rapid.SampledFrom(targets).Draw(rt, "to")
	if to == f.kind {
		rt.Skip("the same type")
	}
	discard := rapid.Bool().Draw(rt, "discard")
	next := &modelField{kind: to}
	isSelect := next.shape() == shapeChoice || next.shape() == shapeChoices
	if isSelect {
		next.options = slices.Clone(f.options)
	}
	if to == schema.DateTime {
		next.zone = f.zone
	}
	grow := isSelect && len(next.options) == 0
	values, failures := map[*modelRow]any{}, 0
	for _, r := range m.rows { // in the order of ids, as options are found
		value := r.values[f]
		if f.kind == schema.Checkbox && value == nil {
			value = false
		}
		if value == nil {
			continue
		}
		converted, ok := convert(f, next, value, grow)
		if !ok {
			failures++
		} else if converted != nil {
			values[r] = converted
		}
	}
	err := catalog.Retype(w.t.Context(), w.store, w.actor.Org, f.id, catalog.TypeChange{
		Type:  to,
		Patch: catalog.FieldPatch{Discard: discard},
	})
	if failures > 0 && !discard {
		if problem.KindOf(err) != problem.KindConflict {
			rt.Fatalf("%s to %s, with %d values that do not convert: %v", f.kind, to, failures, err)
		}
		return
	}
	if err != nil {
		rt.Fatalf("%s to %s: %v", f.kind, to, err)
	}
	f.kind, f.options, f.zone = to, next.options, next.zone
	for _, r := range m.rows {
		delete(r.values, f)
	}
	for r, value := range values {
		r.values[f] = value
	}
	if !isSelect {
		return
	}
	if got := w.schema(w.t, m.id).FieldByName(f.name).Config.OptionNames(); !slices.Equal(got, f.options) {
		rt.Fatalf("options %q, want %q", got, f.options)
	}
}

// convert is what a value becomes; nil clears it without loss. It reports false for a value that
// does not convert.
func convert(from, to *modelField, value any, grow bool) (converted any, ok bool) {
	if list, several := value.([]string); several {
		if to.shape() == shapeChoice && len(list) > 1 {
			return nil, false
		}
		if to.shape() != shapeText && to.shape() != shapeChoice {
			return nil, false
		}
		value = strings.Join(list, ", ")
	}
	text := ""
	switch v := value.(type) {
	case string:
		text = v
	case float64:
		text = string(numberJSON(v))
	case bool:
		text = strconv.FormatBool(v)
	case moment: // as the field shows it, and its seconds if it has some
		layout := "2006-01-02 15:04"
		if v.Second() != 0 || v.Nanosecond() != 0 {
			layout += ":05.999999"
		}
		text = v.In(zoneOf(from)).Format(layout)
	}
	_, isText := value.(string)
	isText = isText && from.shape() != shapeDate
	_, isNumber := value.(float64)
	_, isBool := value.(bool)
	at, isMoment := value.(moment)
	isDate := from.shape() == shapeDate
	switch to.shape() { // the targets
	case shapeText:
		return text, true
	case shapeNumber:
		switch {
		case isBool:
			return float64(btoi(value.(bool))), true // said above
		case isNumber:
			return value, true
		case !isText:
			return nil, false
		}
		// A comma alone, as in 1,500, is ambiguous and refused.
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return x, err == nil && !strings.ContainsAny(text, "xXpP_iInN")
	case shapeBoolean:
		switch word := strings.ToLower(strings.Trim(text, " ")); {
		case isMoment, isDate:
			return nil, false
		case word == "true", word == "1":
			return true, true
		case word == "false", word == "no", word == "0":
			return false, true
		}
		return nil, false
	case shapeDate:
		if isMoment {
			return at.In(zoneOf(from)).Format(time.DateOnly), true
		}
		t, ok := someTime(text, time.UTC, isText)
		return t.Format(time.DateOnly), ok
	case shapeTimestamp:
		t, ok := someTime(text, zoneOf(to), isText || isDate)
		return moment{t.UTC()}, ok
	case shapeChoice, shapeChoices:
		name := strings.TrimSpace(text)
		if to.shape() == shapeChoices && from.shape() != shapeChoice {
			return manyOptions(to, text, isText || isMoment || isDate, grow)
		}
		name, ok := optionOf(to, name, grow)
		if to.shape() == shapeChoices {
			return []string{name}, ok
		}
		return name, ok
	}
	return nil, false
}

// manyOptions splits text at commas; what is not written as text has no options in it.
func manyOptions(to *modelField, text string, isText, grow bool) (any, bool) {
	if !isText {
		return nil, false
	}
	var names []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, ok := optionOf(to, part, grow)
		if !ok {
			return nil, false
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil, true
	}
	return names, true
}

func optionOf(to *modelField, name string, grow bool) (string, bool) {
	if slices.Contains(to.options, name) {
		return name, true
	}
	for _, o := range to.options {
		if strings.EqualFold(o, name) {
			return o, true
		}
	}
	if !grow || strings.ContainsAny(name, "\n") { // an option is one line
		return "", false
	}
	to.options = append(to.options, name)
	return name, true
}

func zoneOf(f *modelField) *time.Location {
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		panic(err) // one of two
	}
	return zone
}

func someTime(text string, zone *time.Location, isText bool) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UTC(), true
	}
	// A time that became a text is written as its field showed it.
	for _, layout := range []string{time.DateOnly, "2006/01/02", "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil && isText {
			return t, true
		}
	}
	return time.Time{}, false
}

// index builds what the queries until now would use, so that later ones find by it.
func (w *world) index(rt *rapid.T) {
	if !w.long {
		rt.Skip("only in a long run: a build waits for every transaction of the database")
	}
	builder := index.Builder{Manager: w.engine.IndexManager(), MinRecords: 1}
	if err := builder.RunOnce(w.t.Context()); err != nil {
		rt.Fatalf("building indexes: %v", err)
	}
}
